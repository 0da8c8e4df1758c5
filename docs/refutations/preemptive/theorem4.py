"""Wang et al. 2022, Theorem 4: "The time complexity of A_online is O(J H K_max), where H = sum W_s + 1 and K_max =
sum_j D_j." Steps are counted as Appendix E counts them: one per element of a pending list that is touched.

The quotient steps/(J H K_max) has to stay bounded. Measured: the least growth factor when n doubles.
"""

from fractions import Fraction
from itertools import pairwise

H = 2  # one worker and the cloud
N = (16, 32, 64)


def steps(jobs: list[int], slots: int = 0) -> int:
    """Jobs of so many chunks that all go to the only worker, where none is finished before the last is placed.

    Given slots, Algorithm 4, line 2, writes so many y(t) for each chunk.
    """
    total = pending = 0
    for chunks in jobs:
        total += pending + 1  # lines 3-8 price the first chunk on the worker: CALCULATEQ inserts it into the list
        for _ in range(chunks):
            total += H  # line 11: the least of the H prices
            total += 2 * (pending + 1)  # CALCULATEQ in line 22 and UPDATEVARIABLES: the pending chunks and the new one
            total += slots
            pending += 1
    return total


def growth(reading: str, counts: list[int], bounds: list[int]) -> None:
    """Print the least factor between neighbours of steps/(J H K_max), which an O() lets tend to 1 at most."""
    quotients = [Fraction(c, b) for c, b in zip(counts, bounds, strict=True)]
    factor = min(after / before for before, after in pairwise(quotients))
    print(f"  n = {N}: steps {counts}, J H K_max {bounds}, quotients about {[int(q) for q in quotients]}")
    print(f"{reading}: {factor} should be at most 3/2")
    assert factor > Fraction(3, 2)


print("One job of n chunks on one worker; J = 1, H = 2, K_max = n. (D_max = n > H, against a remark of Appendix E.)")
growth("intervals, any D_max", [steps([n]) for n in N], [1 * H * n for n in N])
for n in N:  # and no factor is needed to see it
    assert steps([n]) == n**2 + 3 * n + 1
print("  In closed form: n^2 + 3n + 1 steps against J H K_max = 2n.")

print("Two jobs of one chunk of n slots each on one worker; D_max = 1, J = H = K_max = 2; y is written slot by slot.")
growth("slot arrays", [steps([1, 1], n) for n in N], [2 * H * 2] * len(N))
print("The same jobs, y kept as intervals; Algorithm 1, line 1, passes through T = 10 n + 10 slots.")
growth("the loop over [T]", [steps([1, 1]) + 10 * n + 10 for n in N], [2 * H * 2] * len(N))
print("  In closed form: 13 + 2n and 13 + 10n + 10 steps against J H K_max = 8.")
