"""Yu et al. 2022, proof of Theorem 7: "solving the LP relaxation of Problem (23) can be approximately bounded O(H^3) if
we use a polynomial time LP solver (e.g., Vaidya's algorithm [33])": ((m + n) n^2 + (m + n)^1.5 n) L by its title.
"""

from itertools import pairwise


def first_product(H: int, R: int) -> int:
    """(m + n) n^2 of (23): n = 2 H variables w_h and s_h; m = H R + 2 rows (24), (25) and (26)."""
    n, m = 2 * H, H * R + 2
    return (m + n) * n**2


def degree(values: list[int]) -> int:
    """The degree of a polynomial from its values at neighbouring points: how often its differences do not vanish."""
    found = -1
    while any(values):
        values, found = [after - before for before, after in pairwise(values)], found + 1
    return found


resources = range(1, 9)
steps, cubes = [first_product(1, R) for R in resources], [1**3 for R in resources]
assert steps == [4 * (R + 4) for R in resources]
print(f"One machine, R = 1, ..., 8 resources: (m + n) n^2 = {steps}, H^3 = {cubes}.")
print("The first is 4 (R + 4), which no constant bounds; the rest of Vaidya's bound only adds to it. Degrees in R:")
print(f"his bound: {degree(steps)} should be at most {degree(cubes)}")
assert degree(steps) > degree(cubes)
