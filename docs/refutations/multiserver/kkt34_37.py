"""Zhao et al. 2024, section III-B: the optimality conditions (34), sum_l y = c & rho > 0 (35), y = a & mu > 0 (36),
y = 0 & lambda > 0 (37), "for every l, r, k".

One port, one node, one resource: z = 0, a = c = 1. The projection (32) is y = 0.
"""

Z, A, C = 0, 1, 1
y = 0
assert (y - Z) ** 2 == 0  # no distance is smaller

# All at once: y = a by (36), y = 0 by (37). |y - a| + |y| is convex and bends at 0 and a: it is least at one of them.
missed = min(abs(point - A) + abs(point) for point in (0, A))
print(f"y = {A} and y = 0 for the same y: |y - {A}| + |y| is at least {missed}")
print(f"all at once: {missed} should be at most 0")
assert missed > 0

# Where a constraint is tight, its multiplier is positive; where it is not, it is 0 (complementarity).
assert y < C and y < A
rho = mu = 0
lam = 2 * (y - Z) + rho + mu  # (34)
without = int(y == 0 and lam == 0)
print(f"y = {y} >= 0 is tight, and (34) gives lambda = {lam}. Tight constraints with the multiplier 0:")
print(f"tight and positive: {without} should be at most 0")
assert without > 0
