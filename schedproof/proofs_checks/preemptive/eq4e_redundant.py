"""Above (6): is (4e) redundant in relaxed (4)?"""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.one_job import fractional_optimum
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online

EQ4E_REDUNDANT = Claim(
    "preemptive.eq4e_redundant",
    WANG22.at("section IV-C, above (6)"),
    "With (4h) relaxed to y >= 0, constraint (4e) is redundant.",
    Domain(Online, draw.alone(), regimes.ALONE),
    severity="false proof step",
)
REPAIRED = EQ4E_REDUNDANT.repair(
    "(4e) is redundant for a job that can use a single worker; omitting it never raises the optimum."
)


@EQ4E_REDUNDANT.reading("slot start", "Slot t costs t - r_j, as printed in (3).")
@EQ4E_REDUNDANT.reading("slot end", "Slot t costs t + 1 - r_j.", offset=1)
@REPAIRED.false_variant("redundant for every job")
def dropping_changes_nothing(case: Online, offset: int = 0) -> Finding:
    without = fractional_optimum(case.instance, False, offset)
    return Finding(without, fractional_optimum(case.instance, True, offset), "equal", "optimum without and with (4e)")


ONE_TERM = """
With one worker w on s, the sum over workers of y_jdsw(t) is the single term y_jdsw(t). (4b) and y >= 0 bound it by 1,
so (4b) implies (4e). In general, omitting a constraint of a minimisation enlarges the feasible set, so the optimum
cannot rise. So relaxed (4) without (4e) is still a lower bound of (4).
Coq, core: preemptive.v eq4e_one_worker, without_a_constraint. Outside: the rows (4b) and (4e) of program (4). (4b) is y
<= 1 for the worker, and (4e) bounds the sum over workers.
- *A cloud that the job may use has many workers.* Then it does not use a single worker, and only the second half of the
statement applies.
"""


@REPAIRED.reading("slot start", "Slot t costs t - r_j.", ONE_TERM)
def redundant_for_one_worker(case: Online) -> Finding:
    finding = dropping_changes_nothing(case)
    single = sum(q.count for q, _ in case.instance.qualified(case.instance.jobs[0])) == 1
    return Finding(finding.measured, finding.claimed, "equal" if single else "at most", finding.where)


@EQ4E_REDUNDANT.false_variant("dropping (4e) raises the optimum")
def dropping_raises_it(case: Online) -> Finding:
    finding = dropping_changes_nothing(case)
    return Finding(finding.measured, finding.claimed, "at least", finding.where)
