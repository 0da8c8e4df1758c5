"""Section V-C: is the optimum of (4) with zeta_j = 1 a lower bound on that of (4)?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Chunk, Options, Outcome

BOUND = Claim(
    "preemptive.simplified_bound",
    WANG22.at("section V-C, 'Actual Competitive Ratio'"),
    "The optimum of (4) with zeta_j = 1 is at most that of (4).",
    Domain(Online, draw.alone() | draw.at_speed_1(), (*regimes.JOBS, regimes.QUEUE)),
    severity="slip",
)
REPAIRED = BOUND.repair(
    "With chunk times rounded up in both programs, or fluid, the optimum of (4) with zeta_j = 1 is at "
    "most that of (4).",
    small=True,
)


def _one_chunk(case: Online) -> bool:
    first = case.instance.jobs[0]
    return len(case.instance.jobs) == 1 and first.chunks == 1 and bool(case.instance.qualified(first))


ONE_CHUNK = Premise("one chunk at the edge, whose optima are closed forms", _one_chunk)


@BOUND.reading("as printed", "y is binary by slots, (3) divides by the real E_j B_j / n_j.", where=(ONE_CHUNK,))
def as_printed(case: Online) -> Finding:
    job = case.instance.jobs[0]
    start = min(delay for _, delay in case.instance.qualified(job))
    simplified, printed = (_alone(time, start) for time in (job.chunk_time_in_cloud, job.chunk_time))
    return Finding(simplified, printed, "at most", "optima with zeta = 1 and as it is")


STOP_EARLIER = """
zeta_j = 1 drops the term 2 q_j/b_j of (1), so p_j becomes p'_j <= p_j, rounded up or not. Take an optimal solution of
(4) and let each chunk stop after its first p'_j units. (4a) holds with the shorter time, and the other constraints only
gain slack. f_jd is 1/D_j of the mean of t - r_j over the chunk's units. The mean of the earliest p'_j units is at most
the mean of all p_j units. So the simplified program has a solution that costs no more.
- *(4f) and (4g) fix zeta_j by the placement.* They are dropped too: the simplified program takes the better rate
everywhere.
- *Is it a bound for (2), too?* In these readings, by lemma1_repaired.
"""


@BOUND.reading("whole slots", "Chunk times are rounded up in both programs.", STOP_EARLIER, also=REPAIRED)
@BOUND.reading("fluid", "Chunk times are exact, and time is continuous.", STOP_EARLIER, fluid=True, also=REPAIRED)
@BOUND.false_variant("a slot later", later=1)
def stop_earlier(case: Online, fluid: bool = False, later: int = 0) -> Finding:
    """A schedule of (4) costs no more if chunks stop after the time for zeta_j = 1.

    The chunk time with zeta_j = 1 is the shorter of the two times, and the cost is that of the simplified program.
    """
    out = regimes.run(case.instance, Options(whole_slots=not fluid))
    short, full = (
        sum((c.weight * mean(out, c, quick(c, fluid) if less else c.work) for c in out.chunks), Fraction(0))
        for less in (True, False)
    )
    return Finding(short + later, full, "at most", "cost (3) with zeta = 1 and as it is")


def _alone(time: Fraction, start: int) -> Fraction:
    return sum((Fraction(start + slot) for slot in range(ceil(time))), Fraction(0)) / time


def mean(out: Outcome, chunk: Chunk, work: Fraction) -> Fraction:
    """The mean of t - r_j over the first given units of a chunk's runs."""
    rest, total = work, Fraction(0)
    for start, end in out.runs(chunk):
        taken = min(rest, end - start)
        total += taken * (start + taken / 2 - chunk.job.arrival)
        rest -= taken
    return total / work


def quick(chunk: Chunk, fluid: bool) -> Fraction:
    job = chunk.job
    return job.chunk_time_in_cloud if fluid else Fraction(job.slots(in_cloud=True))
