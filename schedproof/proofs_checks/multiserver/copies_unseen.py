"""Section III-D: knowledge of future arrivals in the extension to several jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver import demands
from schedproof.proofs_checks.strategies.multiserver_runs import Seen
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, Allocation, Matrix, by_copy, nothing, project
from schedproof.reference.multiserver_constants import diameter51, norm48
from schedproof.reference.multiserver_projection import distance

A_GRADIENT: Premise[Seen] = Premise("some slot seen so far has a gradient", lambda case: norm48(prefix(case)) > 0)

UNSEEN = Claim(
    "multiserver.copies_unseen",
    ZHAO24.at("section III-D, J_l = max_t x_l(t), a maximum over slots to come"),
    "With y(1) = 0 and steps that use only the past, OGASched on the copies need not know J_l: copies may "
    "join when they are first seen, and no decision changes.",
    Domain(
        Seen,
        draw.seen_cases(),
        (
            *regimes.COPIES,
            Regime[Seen]("a copy not yet seen", lambda case: prefix(case).copies != case.instance.copies),
            Regime[Seen]("two slots seen", lambda case: case.seen > 1),
        ),
    ),
)

OWN_STEPS_PROOF = """
Before copy (l, j) comes for the first time its gradient is 0. By induction it has y = 0 and z = 0, and clip(0 - tau, 0,
a) = 0 for tau >= 0. So its amount is 0, and it adds 0 to each sum clip(z - tau). Hence tau and the amounts of the other
copies do not depend on the unseen copy. eta0 lambda^t, (53) and the any-time step use past gradients, T, and diam(Y) of
(51). The number of copies does not occur in these formulas.
- *(53) contains the norm of the gradient.* It is the norm of the slot's gradient, to which absent copies add 0.
- *A slack row may have several tau.* tau is the least feasible value, 0 in a slack row; the projection is unique
anyway.
- *Do the demands of unseen copies enter (51)?* Only the largest demand of a type enters, and a copy has the demand of
its port.
"""


def _demand_projection(instance: Instance) -> Matrix:
    return project(instance, demands(instance))


@lru_cache(maxsize=4)
def full_and_known(case: Seen, start: Callable[[Instance], Matrix] = nothing) -> tuple[oga.OgaRun, oga.OgaRun]:
    """The run on all slots, and the run on the slots and copies seen so far."""
    step = oga.decaying_step(case.step, Fraction(1, 2))
    full, known = (oga.play(i, start(i), step) for i in (case.instance, prefix(case)))
    return full, known


@UNSEEN.reading(
    "steps of the past",
    "eta0 lambda^t, (53) with (51), or the any-time step.",
    OWN_STEPS_PROOF,
    where=(regimes.exact(full_and_known),),
)
@UNSEEN.false_variant("y(1) is the projection of the demands", start=_demand_projection)
@regimes.of_exact_runs
def own_steps(case: Seen, start: Callable[[Instance], Matrix] = nothing) -> Answer:
    instance, part = case.instance, prefix(case)
    full, known = full_and_known(case, start)
    decided = zip((*full.decided, full.after), (*known.decided, known.after), strict=False)
    apart = sum((change(instance, y, part, mine) for y, mine in decided), ZERO)
    return Finding(apart, ZERO, "at most", f"squared change of the decisions up to slot {part.horizon + 1}")


@UNSEEN.false_variant("the constant step D/(G sqrt T), with (48) over the copies")
def proof_step(case: Seen) -> Answer:
    """A false variant: the step D/(G sqrt T) needs only the slots seen so far.

    The step of Theorem 1's proof uses (48) and (51).
    """
    part = prefix(case)
    if not norm48(part):
        return Outside(A_GRADIENT)
    full, known = (diameter51(i) / (norm48(i) * case.instance.horizon) for i in (case.instance, part))
    return Finding(full, known, "equal", "step squared: all slots, slots seen")


def prefix(case: Seen) -> Instance:
    """The slots seen so far, with the copies present in them."""
    return replace(case.instance, arrivals=case.instance.arrivals[: case.seen])


def change(full: Instance, y: Allocation, part: Instance, mine: Allocation) -> Fraction:
    """The total difference between an allocation and one for the copies seen so far.

    Other copies count as 0.
    """
    zero = (ZERO,) * len(part.resources)
    total = ZERO
    for rows, own in zip(by_copy(full, y), by_copy(part, mine), strict=True):
        padded = own + [[zero] * len(row) for row in rows[len(own) :]]
        pairs = [pair for copies in zip(rows, padded, strict=True) for pair in zip(*copies, strict=True)]
        total += sum((distance(*pair) for pair in pairs), ZERO)
    return total
