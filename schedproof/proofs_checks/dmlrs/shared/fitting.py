"""The dual fitting of Appendix C: the rows (11) of a run of Algorithm 1, and the runs that are looked at."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claim import Domain
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.regimes import ONE
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs.enclosures import Interval, exactly, minus, times
from schedproof.reference.dmlrs.pd_ors import Outcome
from schedproof.reference.dmlrs.schedules import plans


def rows_of_11(out: Outcome, cap: Fraction = ONE, slack: Fraction = ONE) -> list[tuple[Interval, Interval, str]]:
    """(right-hand side of (11) at the final prices times ``slack``, lambda_i, where) for every schedule."""
    return [
        (minus(exactly(plan.utility), times(slack, out.cost(plan.use))), step.payoff, f"{step.job.name}, {plan.rows()}")
        for step in out.steps
        for plan in plans(out.instance, step.job, cap)
    ]


WITHOUT_RESERVED = st.one_of(
    draw.cases(reserved=False), draw.cases(reserved=False, roomy=True, scenes=("plain", "slow"))
)
PRINTED_RUNS = Domain(OfInstance, WITHOUT_RESERVED, (*regimes.of_run("printed"), *regimes.SHAPES))
