"""(2j): is the arg max of 'the job runs in slot t' its completion time?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive import Job
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options

COMPLETION = Claim(
    "preemptive.completion",
    WANG22.at("section III-B, (2j)"),
    "(2j) makes c_j the completion time: one value, and c_j - r_j is at least the number of slots in which "
    "the job runs.",
    Domain(
        Online,
        draw.at_speed_1(),
        (regimes.PREEMPTION, regimes.SINGLE_CHUNK, regimes.SEVERAL_CHUNKS, regimes.ZERO_DELAY, regimes.CLOUD),
    ),
    severity="slip",
)
REPAIRED = COMPLETION.repair(
    "With c_j = max {t + 1 : the job runs in t}, c_j - r_j is at least the number of slots in which the job runs.",
    small=True,
)


@COMPLETION.reading("arg max", "Any t at which the indicator is largest, as printed.")
def one_value(case: Online) -> Answer:
    return worst(
        Finding(Fraction(len(slots)), Fraction(1), "equal", f"maximisers for {job.name}")
        for job, slots in busy_slots(case)
    )


LAST_END = """
If c_j is the end of the last busy slot, the busy slots are different integers in [r_j, c_j - 1]. So their number is at
most c_j - r_j.
Coq, core: preemptive.v completion. Outside: that c_j is the end of the last busy slot. So all busy slots are before
c_j.
- *It is a convention: only the objective up to a constant matters.* The two conventions differ by J, a constant. But
ratios such as that of Theorem 3 depend on the completion, and Appendix B sums from c_jd - p_j to c_jd, which is the
end.
"""


@COMPLETION.reading("last busy slot", "The largest t in which the job runs.")
@COMPLETION.reading(
    "end of the last busy slot",
    "c_j = max {t + 1 : the job runs in t}, as in Appendix B.",
    LAST_END,
    after=1,
    also=REPAIRED,
)
@COMPLETION.false_variant("two slots before the end", after=-1)
def long_enough(case: Online, after: int = 0) -> Answer:
    return worst(
        Finding(Fraction(slots[-1] + after - job.arrival), Fraction(len(slots)), "at least", f"c - r of {job.name}")
        for job, slots in busy_slots(case)
    )


def busy_slots(case: Online) -> list[tuple[Job, list[int]]]:
    """Each job with the slots in which one of its workers runs."""
    rows = regimes.run(case.instance, Options()).rows
    return [
        (job, sorted({t for j, *_, start, end in rows if j == job.index for t in range(start, end)}))
        for job in case.instance.jobs
    ]
