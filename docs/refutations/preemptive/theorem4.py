"""Wang et al. 2022, Theorem 4: "The time complexity of A_online is O(J H K_max), where H = sum W_s + 1 and K_max =
sum_j D_j." Steps are counted as Appendix E counts them: one per element of a pending list that is touched.

The quotient steps/(J H K_max) has to stay bounded. Measured: the least factor by which it grows when n doubles.
"""

from fractions import Fraction
from itertools import pairwise

J, H = 1, 2  # one job; one worker and the cloud


def steps(chunks: int, slots: int, arrays: bool) -> int:
    """One job whose chunks all go to the only worker, where none is finished before the last is placed."""
    total = 1  # lines 3-8 price the first chunk on the empty worker: CALCULATEQ inserts it into an empty list
    for pending in range(chunks):
        total += H  # line 11: the least of the H prices
        total += 2 * (pending + 1)  # CALCULATEQ in line 22 and UPDATEVARIABLES: the pending chunks and the new one
        total += slots if arrays else 0  # Algorithm 4, line 2, writes y(t) slot by slot
    return total


def growth(name: str, counts: list[int], bounds: list[int]) -> Fraction:
    """The least factor between neighbours of steps/(J H K_max)."""
    quotients = [Fraction(c, b) for c, b in zip(counts, bounds, strict=True)]
    print(f"{name}:\n  steps {counts}, J H K_max {bounds}, quotients about {[int(q) for q in quotients]}")
    return min(after / before for before, after in pairwise(quotients))


N = [16 * 2**k for k in range(5)]
bounds = [J * H * n for n in N]  # K_max = n
print(f"n = {N}")
in_arrays = growth("slot arrays, n chunks of one slot", [steps(n, 1, True) for n in N], bounds)
print(f"slot arrays: {in_arrays} should be at most 3/2")
intervals = growth("intervals, n chunks of one slot", [steps(n, 1, False) for n in N], bounds)
print(f"intervals: {intervals} should be at most 3/2")
one_chunk = growth("slot arrays, one chunk of n slots", [steps(1, n, True) for n in N], [J * H] * len(N))
print(f"slot arrays: {one_chunk} should be at most 3/2")
assert min(in_arrays, intervals, one_chunk) > Fraction(3, 2)

for n in N:  # and no factor is needed to see it: the steps are n^2 + 3n + 1 and J H K_max = 2n
    assert steps(n, 1, False) == n**2 + 3 * n + 1
print("In closed form: n^2 + 3n + 1 steps (intervals) against J H K_max = 2n.")
