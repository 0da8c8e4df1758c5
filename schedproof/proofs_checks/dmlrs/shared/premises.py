"""The premises of the dmlrs statements, each as a sentence."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Premise
from schedproof.proofs_checks.strategies.dmlrs import Capped, OfInstance
from schedproof.reference.dmlrs import least_use, tariff
from schedproof.reference.dmlrs_schedules import plans

ONE = Fraction(1)


def limits(case: OfInstance) -> tuple[Fraction, Fraction]:
    """Return the limits x and psi of a case; each is 1 if the case does not define it."""
    return (case.cap, case.slack) if isinstance(case, Capped) else (ONE, ONE)


PRICED: Premise[OfInstance] = Premise(
    "0 < L <= U^r", lambda case: tariff(case.instance, "printed", ONE, ONE) is not None
)
PRICED_REPAIRED: Premise[OfInstance] = Premise(
    "0 < L <= U^r, over the smallest positive one of alpha and beta",
    lambda case: tariff(case.instance, "repaired", *limits(case)) is not None,
)
CAN_FINISH: Premise[OfInstance] = Premise(
    "some job can finish", lambda case: any(plans(case.instance, job, limits(case)[0]) for job in case.instance.jobs)
)
CAN_USE: Premise[OfInstance] = Premise(
    "some job that demands a resource can finish",
    lambda case: any(least_use(job) and plans(case.instance, job, limits(case)[0]) for job in case.instance.jobs),
)
