"""Lemma 1: the cost in (4) of a schedule of (2)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.one_job import binary_optimum
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options

LEMMA1 = Claim(
    "preemptive.lemma1",
    WANG22.at("section IV-B, Lemma 1, and Appendix B"),
    "Every feasible solution of (2) costs at least the optimum of (4).",
    Domain(Online, draw.alone() | draw.online(), (*regimes.ALONE, regimes.PREEMPTION, regimes.MIXED, regimes.TRANSIT)),
    severity="slip",
)
REPAIRED = LEMMA1.repair(
    "With chunk times rounded up in both programs, or fluid, Lemma 1 holds, even with cost t + 1 - r_j."
)


ALONE: Premise[Online] = Premise(
    "one job without a cloud, whose optima are closed forms",
    lambda case: len(case.instance.jobs) == 1 and case.instance.cloud is None,
)


@LEMMA1.reading("as printed", "y is binary by slots, and (3) divides by the real E_j B_j / n_j.", where=(ALONE,))
def as_printed(case: Online) -> Finding:
    instance, job = case.instance, case.instance.jobs[0]
    cost, _ = binary_optimum(instance, job.chunks * ceil(job.chunk_time))
    _, done = binary_optimum(instance, ceil(job.chunks * job.chunk_time))
    return Finding(cost, Fraction(done - job.arrival), "at most", "optima of (4) and (2)")


FILLS_THE_LAST_SLOTS = """
Let p_j be the time that a chunk occupies a worker. It is E_j B_j / n_j rounded up in both programs (whole slots), or
exact with y over continuous time (fluid). Take a feasible solution of (2). Drop the work beyond D_j p_j, which only
lowers (3), and split the rest into chunks. In whole slots the split is that of constraints_equivalent_repaired, as p_j
is an integer. In fluid time use McNaughton's wrap-around. While the job holds m <= D_j workers for a time L, lay these
workers' times end to end and cut the m L into D_j equal pieces, one for each chunk. A piece is no longer than L. So a
piece that continues from the end of one worker's time to the start of the next worker's time does not overlap itself.
In total each chunk gets 1/D_j of the work, p_j. A job holds at most D_j workers at any time before c_j, in total D_j
p_j. Let slot t cost t + 1 - r_j, which is more than (3) charges. Then the D_j p_j units cost most if they fill the p_j
slots before c_j: sum_d f_jd <= (1/p_j) * sum_{i=0}^{p_j - 1} (c_j - i - r_j) = c_j - r_j - (p_j - 1)/2 <= c_j - r_j. In
fluid time (1/p_j) * integral of (t - r_j) over [c_j - p_j, c_j] = c_j - r_j - p_j/2. So this solution of (4) costs at
most the total JCT, and so does the optimum. The rate of a job is the same on both sides for every placement, so the
argument also holds with a cloud.
- *A schedule of (2) may give a job more than D_j p_j.* The excess is dropped from the end; c_j and the total JCT do
not grow.
- *Does the cloud's rate not differ?* Yes, but a job is trained at the cloud's rate in both programs or in neither
((2g), (4f)), so p_j is the same number on both sides.
"""


@LEMMA1.reading(
    "whole slots", "E_j B_j / n_j is rounded up to slots first, in both programs.", FILLS_THE_LAST_SLOTS, also=REPAIRED
)
@LEMMA1.reading(
    "fluid",
    "Time is continuous, as the sum in Appendix B is evaluated.",
    FILLS_THE_LAST_SLOTS,
    fluid=True,
    also=REPAIRED,
)
@LEMMA1.false_variant("a chunk time more per chunk", extra=1)
def in_slots(case: Online, fluid: bool = False, extra: int = 0, storage: bool = False) -> Finding:
    out = regimes.run(case.instance, Options(whole_slots=not fluid, storage=storage))
    cost = Fraction(0)
    for chunk in out.chunks:
        for start, end in out.runs(chunk):  # slots t = start .. end-1 at t + 1 - r, or the integral of t - r
            middle = (start + end) / 2 + (0 if fluid else Fraction(1, 2)) - chunk.job.arrival
            cost += chunk.weight * (end - start) * middle / chunk.work
    cost += extra * sum(chunk.work for chunk in out.chunks)
    return Finding(cost, out.total_jct, "at most", "cost (4) and total JCT (2) of A_online's schedule")
