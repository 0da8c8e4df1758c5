"""Li et al. 2023, section III-C: "(7) and (8) define the time-varying feasible region of x in each time t". One cluster
with two GPUs and a task that needs one; it is scheduled in timestep 2 of 3."""

C, b, T = 2, 1, 3
y = {1: 0, 2: 1, 3: 0}


def region(t: int) -> list[int]:
    """The x that (7) and (8) allow in timestep t, which neither mentions."""
    return [x for x in range(C + 1) if x <= max(y[s] * C for s in range(1, T + 1)) and (x == 0 or b <= x <= C)]


different = {tuple(region(t)) for t in range(1, T + 1)}
print(f"Regions of timesteps 1 to {T}: {[region(t) for t in range(1, T + 1)]}")
print(f"over all t: {len(different)} should be at least 2")
assert len(different) < 2
