"""Theorem 1, Appendix A: does the reduction prove that (2) is NP-hard?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Proof, Reading, Regime, Repair
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Sizes


def optima_map(case: Sizes) -> Finding:
    """The optimum of (10) as printed is the optimum of (2) on the instance that Appendix A maps it to."""
    sizes = tuple(sorted(case.sizes))
    measured, claimed = (slotted_optimum(sizes, case.machines, parallel) for parallel in (True, False))
    return Finding(Fraction(measured), Fraction(claimed), "equal", f"optima of (10) and (2), sizes {list(sizes)}")


def source_is_hard(case: Sizes) -> Finding:
    """No sorting rule solves the source problem: shortest-first misses the optimum somewhere among these sizes.

    It never does: in a schedule of identical machines the k-th job from the end on a machine counts k times, so the
    sum is least when the largest sizes get the smallest multiplicities, which shortest-first does; preemption does
    not help (McNaughton 1959). On unrelated machines the multiplicities make it an assignment problem (Horn 1973;
    Bruno, Coffman and Sethi 1974), which is polynomial too. So the statement fails for every set of sizes, not only
    for those checked.
    """
    sizes = tuple(sorted(case.sizes))
    missed = 0
    for n in range(1, len(sizes) + 1):
        for some in set(combinations(sizes, n)):
            missed += shortest_first(some, case.machines) != slotted_optimum(some, case.machines, False)
    return Finding(Fraction(missed), Fraction(1), "at least", "sets of sizes that shortest-first does not solve")


def partition_maps(case: Sizes) -> Finding:
    """Sizes can be halved exactly when the mapped instance of (2), with pinned chunks, is feasible.

    The instance: jobs of one chunk with p_j = a_j and no delay, two workers, no cloud, a PS for everybody, horizon half
    the sum of the a_j.
    """
    sizes = list(case.sizes)
    horizon, odd = divmod(sum(sizes), 2)
    halves = not odd and any(
        sum(s for s, k in zip(sizes, side, strict=True) if k) == horizon for side in product((0, 1), repeat=len(sizes))
    )
    return Finding(Fraction(fits(sizes, horizon)), Fraction(halves), "equal", f"feasible, and halved: {sizes}")


PARTITION_MAPS_PROOF = Proof(
    """
    If a subset has half the sum, run it one after the other on the first worker and the rest on the second: both end
    at the horizon. Conversely, a pinned chunk gets all of its a_j slots on one worker, each worker has only half the
    sum of slots until the horizon, and together the jobs need all of them: so the jobs on the first worker add up to
    exactly half. The instance is written down in time linear in the input (numbers in binary), so PARTITION, which is
    NP-complete, reduces to the feasibility of (2) with pinned chunks: that is NP-hard, and so is minimizing over it.
    """,
    answers={"TODO": "TODO"},
)


@cache
def slotted_optimum(sizes: tuple[int, ...], machines: int, parallel: bool) -> int:
    """The least sum of completion slots of (10), by trying every way to use the first slot.

    Parameters
    ----------
    parallel
        Whether a job may run on several machines in one slot, as (10a)-(10c) allow; with (2c) and D_j = 1 it may not.
    """
    left = [n for n, size in enumerate(sizes) if size]
    if not left:
        return 0
    choices: Iterator[Sequence[int]] = (
        combinations_with_replacement(left, machines) if parallel else combinations(left, min(machines, len(left)))
    )
    best = []
    for choice in choices:
        rest = tuple(max(0, size - choice.count(n)) for n, size in enumerate(sizes))
        best.append(slotted_optimum(tuple(sorted(rest)), machines, parallel))
    return len(left) + min(best)  # every unfinished job has one more slot to wait


def shortest_first(sizes: Sequence[int], machines: int, longest: bool = False) -> int:
    """The sum of completions when jobs go, shortest first, to the machine that is free first: O(n log n)."""
    free, total = [0] * machines, 0
    for size in sorted(sizes, reverse=longest):
        free.sort()
        free[0] += size
        total += free[0]
    return total


def fits(sizes: Sequence[int], horizon: int) -> bool:
    """Whether pinned one-chunk jobs fit on two workers: every reachable pair of loads, job by job."""
    loads = {(0, 0)}
    for size in sizes:
        loads = {pair for a, b in loads for pair in ((a + size, b), (a, b + size)) if max(pair) <= horizon}
    return bool(loads)


def longest_first(case: Sizes) -> Finding:
    """A false variant: longest first is optimal."""
    sizes = tuple(sorted(case.sizes))
    solved = Fraction(shortest_first(sizes, case.machines, longest=True))
    return Finding(solved, Fraction(slotted_optimum(sizes, case.machines, False)), "equal")


def a_slot_more(case: Sizes) -> Finding:
    """A false variant: sizes can be halved exactly when they fit a horizon that is one slot longer."""
    return Finding(Fraction(fits(case.sizes, sum(case.sizes) // 2 + 1)), partition_maps(case).claimed, "equal")


SIZES = Domain(
    Sizes,
    draw.sizes(),
    (
        Regime("a long job", lambda case: max(case.sizes) > 1),
        Regime("two machines", lambda case: case.machines == 2),
        Regime("a tie", lambda case: len(set(case.sizes)) < len(case.sizes)),
        Regime("an odd sum", lambda case: sum(case.sizes) % 2 == 1),
        Regime("an even sum", lambda case: sum(case.sizes) % 2 == 0),
    ),
)

THEOREM1_REDUCTION = Claim(
    id="preemptive.theorem1_reduction",
    source=WANG22.at("Appendix A, (10)"),
    statement="The reduction proves NP-hardness: its source problem is hard and optima map to optima.",
    readings=(
        Reading("(10) as printed", "A job may run on several machines in one slot; optima map.", optima_map),
        Reading("one machine at a time", "With (2c) in (10): then the source problem is hard.", source_is_hard),
    ),
    domain=SIZES,
    false_variants=(FalseVariant("longest first is optimal", longest_first),),
    repair=Repair(
        statement="PARTITION reduces to the feasibility of (2) with pinned chunks.",
        readings=(
            Reading(
                "pinned chunks",
                "A chunk is trained by one worker, as section III-A says.",
                partition_maps,
                proof=PARTITION_MAPS_PROOF,
            ),
        ),
        false_variants=(FalseVariant("a slot more", a_slot_more),),
    ),
)
