"""(2): the ratio of workers and parameter servers."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import Batch


def slots_needed(case: Batch) -> int:
    return ceil(case.work / Fraction(min(case.batch, case.room)))


SCHEDULABLE: Premise[Batch] = Premise("a job can be scheduled", lambda case: slots_needed(case) <= case.slots)

RATIO2 = Claim(
    "dmlrs.ratio2",
    YU22.at("section 3-2), (2)"),
    "Whenever a job can be scheduled, it can be with (2) in each slot: sum_h w_ih / sum_h s_ih = gamma_i.",
    Domain.of(
        Batch,
        draw.batches(),
        {
            "gamma not whole": lambda c: c.gamma.denominator > 1,
            "fewer workers than gamma": lambda c: min(c.batch, c.room) < c.gamma,
            "several PSs per worker": lambda c: c.gamma < 1,
            "several slots": lambda c: c.slots > 1,
        },
    ),
)
REPAIRED = RATIO2.repair(
    "Some whole number of PSs gives every worker count at most gamma workers per PS: ceil(n/gamma)."
)


@RATIO2.reading(
    "equality",
    "Exactly gamma workers per PS in every slot in which the job has workers.",
    where=(SCHEDULABLE,),
)
@RATIO2.false_variant("with a slot to spare", spare=1)
def meets(case: Batch, spare: int = 0) -> Answer:
    if slots_needed(case) > case.slots:
        return Outside(SCHEDULABLE)
    counts = [n for n in range(1, min(case.batch, case.room) + 1) if (n / case.gamma).denominator == 1]
    needed = ceil(case.work / Fraction(counts[-1])) if counts else case.slots + 1
    return Finding(Fraction(needed), Fraction(case.slots - spare), "at most", "slots; one too many means never")


SERVED = """
For n workers take s = ceil(n/gamma) PSs; then gamma s >= n. So the ratio itself never excludes a job whose worker
counts fit. The PSs are among the amounts that have to fit.
Coq, core: admission.v ratio2_at_most. Outside: the capacities, by which a job can be scheduled. The ratio requires n <=
gamma s.
- *Is this (2)?* It is (2) as an inequality, which keeps the rate of (3). The other reading is the equation.
"""


@RATIO2.reading("at most", "At most gamma workers per PS; the rate keeps gamma.", SERVED, also=REPAIRED)
@RATIO2.false_variant("PSs rounded down", rounded_up=False, also=REPAIRED)
def at_most_gamma(case: Batch, rounded_up: bool = True) -> Finding:
    gamma = case.gamma
    worst = max(n - gamma * (ceil(n / gamma) if rounded_up else n // gamma) for n in range(1, case.batch + 1))
    return Finding(worst, Fraction(0), "at most", "workers beyond gamma per PS")


WHOLE_PS = """
Then n/gamma is an integer for every n, and s = n/gamma meets (2) with equality, for all counts of a schedule. A
schedule with at most gamma workers per PS exists. With no more PSs than it needs, it meets (2).
Coq, core: admission.v ratio2_equality. Outside: the capacities, by which a job can be scheduled. 1/gamma is the whole
number m, and n workers have n m parameter servers.
- *Only gamma < 1?* Also gamma = 1: at least as many parameter servers as workers. The gamma in [1, 10] of section 5
seldom meets this.
"""


@RATIO2.assume("whole PSs", "1/gamma_i is a whole number", WHOLE_PS)
def whole_ps(case: Batch) -> bool:
    return (1 / case.gamma).denominator == 1
