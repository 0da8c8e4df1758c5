"""Theorem 1, Appendix A: does the reduction prove that (2) is NP-hard?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Sizes

REDUCTION = Claim(
    "preemptive.theorem1_reduction",
    WANG22.at("Appendix A, (10)"),
    "The reduction proves NP-hardness: its source problem is hard and optima map to optima.",
    Domain.of(
        Sizes,
        draw.sizes(),
        {
            "a long job": lambda case: max(case.sizes) > 1,
            "two machines": lambda case: case.machines == 2,
            "a tie": lambda case: len(set(case.sizes)) < len(case.sizes),
            "an odd sum": lambda case: sum(case.sizes) % 2 == 1,
            "an even sum": lambda case: sum(case.sizes) % 2 == 0,
        },
    ),
    severity="false proof step",
)
REPAIRED = REDUCTION.repair(
    "3-PARTITION reduces to the feasibility of (2) with pinned chunks, m workers and horizon B."
)


@REDUCTION.reading("(10) as printed", "A job may run on several machines in one slot; optima map.")
def optima_map(case: Sizes) -> Finding:
    sizes = tuple(sorted(case.sizes))
    measured, claimed = (slotted_optimum(sizes, case.machines, parallel) for parallel in (True, False))
    return Finding(Fraction(measured), Fraction(claimed), "equal", f"optima of (10) and (2), sizes {list(sizes)}")


@REDUCTION.reading("one machine at a time", "(10) includes (2c); then the source problem is hard.")
def source_is_hard(case: Sizes) -> Finding:
    """Shortest-first misses the optimum of the source problem for some sizes.

    Shortest-first never misses the optimum. In a schedule on identical machines, the k-th job from the end of a
    machine counts k times. So the sum is least when the largest sizes get the smallest multiplicities, as
    shortest-first assigns them; preemption does not help (McNaughton 1959). On unrelated machines the problem is an
    assignment problem by the same multiplicities, and thus polynomial too (Horn 1973; Bruno, Coffman and Sethi 1974).
    So the statement fails for every set of sizes, not only for those checked.
    """
    sizes = tuple(sorted(case.sizes))
    missed = 0
    for n in range(1, len(sizes) + 1):
        for some in set(combinations(sizes, n)):
            missed += shortest_first(some, case.machines) != slotted_optimum(some, case.machines, False)
    return Finding(Fraction(missed), Fraction(1), "at least", "sets of sizes that shortest-first does not solve")


EQUAL_LOADS = """
If the sizes split into m groups of sum B, run each group one after the other on a separate worker. All groups end at
the horizon. Conversely, a pinned chunk gets all of its a_j slots on one worker. Each worker has only B slots until the
horizon, and together the jobs need all m B slots. So the jobs on each worker add up to exactly B. 3-PARTITION is the
case of 3 m sizes between B/4 and B/2. It is NP-complete even with its numbers in unary (Garey and Johnson 1979, SP15).
So the instance, which lists each of its B slots, can be written in polynomial time. Hence feasibility of (2) with
pinned chunks is NP-hard, and minimisation is NP-hard too.
- *Why not PARTITION?* (2) has a variable for each slot, and PARTITION is hard only with numbers in binary: its instance
would have exponentially many slots.
- *(2) does not print 'pinned'.* Section III-A states that one worker trains a chunk. The claim does not cover chunks
that may move.
"""


@REPAIRED.reading("pinned chunks", "One worker trains a chunk, as in section III-A.", EQUAL_LOADS)
@REPAIRED.false_variant("a slot more", spare=1)
def partition_maps(case: Sizes, spare: int = 0) -> Finding:
    """Sizes split into m groups of sum B exactly when the mapped instance is feasible.

    The instance of (2): jobs of one pinned chunk with p_j = a_j and no delay, m workers, no cloud, a PS for each job,
    horizon B.
    """
    sizes, groups = list(case.sizes), range(case.machines)
    horizon, rest = divmod(sum(sizes), case.machines)
    splits = not rest and any(
        all(sum(s for s, k in zip(sizes, place, strict=True) if k == group) == horizon for group in groups)
        for place in product(groups, repeat=len(sizes))
    )
    feasible = not rest and fits(sizes, case.machines, horizon + spare)
    return Finding(Fraction(feasible), Fraction(splits), "equal", f"feasible, and split: {sizes}")


@REDUCTION.false_variant("longest first is optimal")
def longest_first(case: Sizes) -> Finding:
    sizes = tuple(sorted(case.sizes))
    solved = Fraction(shortest_first(sizes, case.machines, longest=True))
    return Finding(solved, Fraction(slotted_optimum(sizes, case.machines, False)), "equal")


@cache
def slotted_optimum(sizes: tuple[int, ...], machines: int, parallel: bool) -> int:
    """The least sum of completion slots of (10), by enumeration of the first slot.

    Parameters
    ----------
    parallel
        Whether a job may run on several machines in one slot, as (10a)-(10c) allow; with (2c) and D_j = 1 it may not.
    """
    remaining = [n for n, size in enumerate(sizes) if size]
    if not remaining:
        return 0
    choices: Iterator[Sequence[int]] = (
        combinations_with_replacement(remaining, machines)
        if parallel
        else combinations(remaining, min(machines, len(remaining)))
    )
    best = []
    for choice in choices:
        rest = tuple(max(0, size - choice.count(n)) for n, size in enumerate(sizes))
        best.append(slotted_optimum(tuple(sorted(rest)), machines, parallel))
    return len(remaining) + min(best)  # every unfinished job has one more slot to wait


def shortest_first(sizes: Sequence[int], machines: int, longest: bool = False) -> int:
    """The sum of completions of shortest-first list scheduling: O(n log n)."""
    free, total = [0] * machines, 0
    for size in sorted(sizes, reverse=longest):
        free.sort()
        free[0] += size
        total += free[0]
    return total


def fits(sizes: Sequence[int], workers: int, horizon: int) -> bool:
    """Whether pinned one-chunk jobs fit on the workers: tries all reachable loads."""
    loads = {(0,) * workers}
    for size in sizes:
        more = (sorted((*load[:w], load[w] + size, *load[w + 1 :])) for load in loads for w in range(workers))
        loads = {tuple(load) for load in more if load[-1] <= horizon}
    return bool(loads)
