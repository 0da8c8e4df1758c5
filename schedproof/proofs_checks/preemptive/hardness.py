"""Appendix A: does the reduction prove that (2) is NP-hard? Claim theorem1_reduction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.strategies.preemptive import st
from schedproof.proofs_checks.writing import of_data, table


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


def optima_map(case: Case) -> Finding:
    """The optimum of (10) as printed is the optimum of (2) on the instance that Appendix A maps it to."""
    sizes, machines = tuple(sorted(case.data["sizes"])), case.data["machines"]
    measured, claimed = (slotted_optimum(sizes, machines, parallel) for parallel in (True, False))
    return Finding(Fraction(measured), Fraction(claimed), "equal", f"optima of (10) and (2), sizes {list(sizes)}")


def source_is_hard(case: Case) -> Finding:
    """No sorting rule solves the source problem: shortest-first misses the optimum somewhere among these sizes.

    It never does: in a schedule of identical machines the k-th job from the end on a machine counts k times, so the
    sum is least when the largest sizes get the smallest multiplicities, which shortest-first does; preemption does
    not help (McNaughton 1959). On unrelated machines the multiplicities make it an assignment problem (Horn 1973;
    Bruno, Coffman and Sethi 1974), which is polynomial too. So the statement fails for every set of sizes, not only
    for those checked.
    """
    sizes, machines = tuple(sorted(case.data["sizes"])), case.data["machines"]
    missed = 0
    for n in range(1, len(sizes) + 1):
        for some in set(combinations(sizes, n)):
            missed += shortest_first(some, machines) != slotted_optimum(some, machines, False)
    return Finding(Fraction(missed), Fraction(1), "at least", "sets of sizes that shortest-first does not solve")


def partition_maps(case: Case) -> Finding:
    """Sizes can be halved exactly when the mapped instance of (2), with pinned chunks, is feasible.

    The instance: jobs of one chunk with p_j = a_j and no delay, two workers, no cloud, a PS for everybody, horizon half
    the sum of the a_j.

    Proof
    -----
    If a subset has half the sum, run it one after the other on the first worker and the rest on the second: both end
    at the horizon. Conversely, a pinned chunk gets all of its a_j slots on one worker, each worker has only half the
    sum of slots until the horizon, and together the jobs need all of them: so the jobs on the first worker add up to
    exactly half. The instance is written down in time linear in the input (numbers in binary), so PARTITION, which is
    NP-complete, reduces to the feasibility of (2) with pinned chunks: that is NP-hard, and so is minimizing over it.
    """
    sizes = case.data["sizes"]
    horizon, odd = divmod(sum(sizes), 2)
    halves = not odd and any(
        sum(s for s, k in zip(sizes, side, strict=True) if k) == horizon for side in product((0, 1), repeat=len(sizes))
    )
    return Finding(Fraction(fits(sizes, horizon)), Fraction(halves), "equal", f"feasible, and halved: {sizes}")


def fits(sizes: Sequence[int], horizon: int) -> bool:
    """Whether pinned one-chunk jobs fit on two workers: every reachable pair of loads, job by job."""
    loads = {(0, 0)}
    for size in sizes:
        loads = {pair for a, b in loads for pair in ((a + size, b), (a, b + size)) if max(pair) <= horizon}
    return bool(loads)


@st.composite
def _sizes(draw: Any) -> Case:
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    return Case(None, {"sizes": sizes, "machines": draw(st.integers(1, 2))})


_REGIMES = (
    of_data("a long job", lambda d: max(d["sizes"]) > 1),
    of_data("two machines", lambda d: d["machines"] == 2),
    of_data("a tie", lambda d: len(set(d["sizes"])) < len(d["sizes"])),
    of_data("an odd sum", lambda d: sum(d["sizes"]) % 2),
    of_data("an even sum", lambda d: sum(d["sizes"]) % 2 == 0),
)


def _longest_first(case: Case) -> Finding:
    sizes, machines = tuple(sorted(case.data["sizes"])), case.data["machines"]
    solved = Fraction(shortest_first(sizes, machines, longest=True))
    return Finding(solved, Fraction(slotted_optimum(sizes, machines, False)), "equal")


THEOREM1 = Claim(
    id="preemptive.theorem1_reduction",
    source="paper 000, Appendix A, (10)",
    statement="The reduction proves NP-hardness: its source problem is hard and optima map to optima.",
    readings=(
        Reading("(10) as printed", "A job may run on several machines in one slot; optima map.", optima_map),
        Reading("one machine at a time", "With (2c) in (10): then the source problem is hard.", source_is_hard),
    ),
    regimes=_REGIMES,
    strategy=_sizes(),
    planted=(Planted("longest first is optimal", _longest_first),),
    witnesses=WITNESSES,
    repaired_by="preemptive.theorem1_reduction_repaired",
)


def _off_by_one(case: Case) -> Finding:
    sizes = case.data["sizes"]
    return Finding(Fraction(fits(sizes, sum(sizes) // 2 + 1)), partition_maps(case).claimed, "equal")


THEOREM1_REPAIRED = Claim(
    id="preemptive.theorem1_reduction_repaired",
    source="paper 000, Appendix A, repaired",
    statement="PARTITION reduces to the feasibility of (2) with pinned chunks.",
    readings=(Reading("pinned chunks", "A chunk is trained by one worker, as section III-A says.", partition_maps),),
    regimes=_REGIMES,
    strategy=_sizes(),
    planted=(Planted("a slot more", _off_by_one),),
)

CLAIMS = table(THEOREM1, THEOREM1_REPAIRED)
