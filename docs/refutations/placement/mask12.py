"""Li et al. 2023, (12): the mask leaves x with b_jr <= x_r <= C_rn. Two GPUs, one in use; a task that needs one."""

CAPACITY, USED, NEEDS, X = 2, 1, 1, 2

left = NEEDS <= X <= CAPACITY
feasible = NEEDS <= X and X + USED <= CAPACITY  # (5)
print(f"x = {X}, {USED} in use of {CAPACITY}")
print(f"the capacity: {int(left)} should be equal to {int(feasible)}")
assert left and not feasible
