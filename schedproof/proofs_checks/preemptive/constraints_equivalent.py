"""Below (4h): (4a), (4b) and (4e) against (2b), (2d) and (2c)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import WorkerCounts

COUNTS = Domain.of(
    WorkerCounts,
    draw.worker_counts(),
    {
        "durations not whole": lambda case: case.time.denominator > 1,
        "whole durations": lambda case: case.time.denominator == 1,
        "single chunk": lambda case: case.chunks == 1,
        "more workers than chunks": lambda case: max(case.workers) > case.chunks,
        "just enough work": lambda case: sum(case.workers) == ceil(case.chunks * case.time),
    },
)
EQUIVALENT = Claim(
    "preemptive.constraints_equivalent",
    WANG22.at("section IV-B, below (4h)"),
    "(4a), (4b) and (4e) are equivalent to (2b), (2d) and (2c).",
    COUNTS,
)
REPAIRED = EQUIVALENT.repair(domain=COUNTS.but(regimes=COUNTS.regimes[1:]))


@EQUIVALENT.reading("as printed", "A binary y_jsw is feasible iff it is the sum over chunks of a feasible y_jdsw.")
@EQUIVALENT.false_variant("(2c) left out", capped=False)
def job_and_chunks(case: WorkerCounts, capped: bool = True) -> Finding:
    """Worker counts meet (2b), (2c) exactly when they split into chunk schedules.

    The chunk schedules meet (4a) and (4e).
    """
    chunks, time, workers = case.chunks, case.time, list(case.workers)
    by_job = sum(workers) >= chunks * time and (not capped or max(workers) <= chunks)
    by_chunk = splits(workers, time, (0,) * chunks)
    return Finding(Fraction(by_job), Fraction(by_chunk), "equal", f"{workers} workers, {chunks} chunks of {time}")


ROUND_ROBIN = """
From chunks to job, set y_jsw(t) = sum_d y_jdsw(t). Summing (4a) over d gives (2b), (4b) makes y_jsw(t) binary and gives
(2d), and summing (4e) over d gives (2c). From job to chunks, let p = E_j B_j / n_j be an integer. Number the job's
worker-slots slot by slot and give unit number u to chunk u mod D_j. By (2c) a slot has at most D_j units, and at most
D_j consecutive numbers have different remainders. So no chunk has two units in one slot, which is (4e). Every unit goes
to one chunk, which with (2d) is (4b). By (2b) the number of units is at least D_j p, and both are integers. So every
remainder occurs at least p times, which is (4a). The rate n_j belongs to the job, so nothing else changes.
Coq: preemptive.v constraints_equivalent. Objects: feasible2, feasible4, in_slot. In words: p is E_j B_j / n_j; a unit
is a worker in a slot in which y is 1; the rate belongs to the job.
- *Chunks get the units of one slot; may two units be on one worker?* No: (2d) gives a worker one unit of a slot, and a
unit goes to one chunk.
- *What if the job gets more units than D_j p?* Then some chunks get more than p, which (4a) allows.
"""


@EQUIVALENT.assume("whole chunk time", "E_j B_j / n_j is a whole number of slots", ROUND_ROBIN)
def whole_chunk_time(case: WorkerCounts) -> bool:
    return case.time.denominator == 1


def splits(workers: Sequence[int], time: Fraction, got: tuple[int, ...]) -> bool:
    """Whether the units of work split into chunks, at most one per slot for each."""
    if not workers:
        return all(units >= time for units in got)
    takers = combinations(range(len(got)), workers[0])  # empty when a slot holds more workers than chunks
    return any(splits(workers[1:], time, tuple(u + (d in who) for d, u in enumerate(got))) for who in takers)
