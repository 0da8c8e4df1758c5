"""Section IV-A, on (53): does the step grow with time?"""

from __future__ import annotations

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim, Domain, Finding, Premise, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import Risen
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import Matrix, maximisers, present, supergradient


def gradients(case: Risen) -> tuple[Matrix, Matrix]:
    first, second = (
        oga.rational(supergradient(case.instance, present(case.instance, 0), y)) for y in (case.start, case.later)
    )
    return first, second


def dominant(case: Risen, y: Matrix) -> list[tuple[int, ...]]:
    there = present(case.instance, 0)
    return [maximisers(case.instance, y, copy)[:1] for copy, x in enumerate(there) if x]


RISING: Premise[Risen] = Premise(
    "their amounts do not fall",
    lambda case: all(a <= b for p, q in zip(case.start, case.later, strict=True) for a, b in zip(p, q, strict=True)),
)
SAME_K: Premise[Risen] = Premise(
    "each has the same k*", lambda case: dominant(case, case.start) == dominant(case, case.later)
)
WANTED: Premise[Risen] = Premise(
    "no slope is below its overhead", lambda case: min(map(min, gradients(case)[1]), default=0) >= 0
)

GROWS: Claim[Case] = Claim(
    "multiserver.step53_grows",
    ZHAO24.at("section IV-A, on (53)"),
    "In (53) the learning rate is encouraged to be larger and larger as time moves.",
)
REPAIRED = GROWS.repair(
    "From a slot to a later one (53) does not fall if the same ports come, their amounts do not fall, "
    "each has the same k*, and no slope is below its overhead.",
    domain=Domain(
        Risen,
        draw.risen_cases(),
        (
            *regimes.MANY,
            Regime("an amount has grown", lambda case: case.start != case.later),
            Regime("a port does not come", lambda case: 0 in present(case.instance, 0)),
        ),
        (RISING, SAME_K, regimes.exact(gradients)),
    ),
)

WHERE_AMOUNTS_GROW_PROOF = """
An entry of the gradient is f'(y), or f'(y) - beta for k*. f is concave, so f' does not grow with y. The entry stays
nonnegative, as no slope is below its overhead. So no entry grows in absolute value, and the norm in (53) does not grow.
Coq, core: rows.v step53_grows. Outside: that a slope does not rise with the amount, and the entries of (30). An entry
of (30) is the slope of the utility, minus beta at k*.
- *Amounts fall as soon as a node is full.* Then the premise fails; the claim is about slots before that.
- *Must the earlier slopes be above their overheads, too?* They are: amounts were not larger, so slopes were not
smaller.
"""


@REPAIRED.reading(
    "gain per node",
    "Any two allocations; norms are compared.",
    WHERE_AMOUNTS_GROW_PROOF,
    where=(WANTED,),
)
@REPAIRED.false_variant("with slopes below their overhead")
def where_amounts_grow(case: Risen) -> Finding:
    first, second = gradients(case)
    return Finding(oga.square(second), oga.square(first), "at most", "squared norms later and before")


GROWS.open_reading(
    "as printed",
    "A remark on (53).",
    "the meaning of 'encouraged': time does not occur in (53), and the norm of the gradient depends on "
    "the arrivals; if the same port comes twice, the step may become three times as short (gain ln(y + "
    "1), beta = 0.8)",
)
