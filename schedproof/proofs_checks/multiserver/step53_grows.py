"""Section IV-A, on (53): whether the step grows with time."""

from __future__ import annotations

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    Repair,
    violates,
    with_settings,
    worst,
)
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import Risen, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import maximisers, present, supergradient
from schedproof.reference.multiserver_constants import diameter51


@regimes.of_exact_runs
def grows(case: Started, same: bool = False, slower: bool = False) -> Answer:
    """eta_(t+1) >= eta_t in a run with (53): the gradient does not get longer; squared norms, where none is 0.

    Parameters
    ----------
    same
        Only between slots in which the same ports come.
    slower
        The false variant: eta_(t+1) <= eta_t.
    """
    instance = case.instance
    run = oga.play(instance, case.start, oga.step53(diameter51(instance), instance.horizon))
    return worst(
        Finding(run.norms[t + 1], run.norms[t], "at least" if slower else "at most", f"squared norms, slot {t + 2}")
        for t in range(instance.horizon - 1)
        if run.norms[t] and run.norms[t + 1] and (not same or present(instance, t) == present(instance, t + 1))
    )


@regimes.of_exact_runs
def where_amounts_grow(case: Risen, wanted: bool = True) -> Answer:
    """(53) does not fall if the same ports come, none of their amounts falls, and all is worth its overhead.

    ``start`` and ``later`` are y(t) and y at a later slot; each port has the same k*, no slope is below its beta.
    """
    instance, there = case.instance, present(case.instance, 0)
    if any(b < a for p, q in zip(case.start, case.later, strict=True) for a, b in zip(p, q, strict=True)):
        return Outside("TODO")
    first, second = (oga.rational(supergradient(instance, there, y)) for y in (case.start, case.later))
    chosen = [
        [maximisers(instance, y, copy)[:1] for copy, x in enumerate(there) if x] for y in (case.start, case.later)
    ]
    if wanted and (chosen[0] != chosen[1] or min(map(min, second), default=0) < 0):
        return Outside("TODO")
    return Finding(oga.square(second), oga.square(first), "at most", "squared norms later and before")


WHERE_AMOUNTS_GROW_PROOF = Proof(
    """
    An entry of the gradient is f'(y), or f'(y) - beta for k*. f is concave: f' does not grow with y, and the entry
    stays at 0 or above. So no entry gets longer, and the norm in (53) does not grow.
    """,
    answers={"TODO": "TODO"},
)


def _grown(case: Started) -> bool:
    return violates(with_settings(grows, slower=True), case)


GROWS = Claim(
    id="multiserver.step53_grows",
    source=ZHAO24.at("section IV-A, on (53)"),
    statement="In (53) the learning rate is encouraged to be larger and larger as time moves.",
    readings=(
        Reading("any arrivals", "From each slot to the next, where neither gradient is 0.", grows),
        Reading("the same arrivals", "Between slots in which the same ports come.", with_settings(grows, same=True)),
    ),
    domain=Domain(
        Started,
        draw.driven(),
        (
            *regimes.RUNS,
            Regime("a curved utility", lambda case: case.instance.utilities["gpu"].kind == "log"),
            Regime("it grows", _grown),
        ),
    ),
    false_variants=(FalseVariant("smaller and smaller", with_settings(grows, slower=True)),),
    repair=Repair(
        statement="From a slot to a later one (53) does not fall if the same ports come, none of their amounts falls, "
        "each has the same k*, and no slope is below its overhead.",
        readings=(
            Reading(
                "gain per node",
                "Any two allocations; norms are compared.",
                where_amounts_grow,
                proof=WHERE_AMOUNTS_GROW_PROOF,
            ),
        ),
        domain=Domain(
            Risen,
            draw.risen(),
            (
                *regimes.MANY,
                Regime("an amount has grown", lambda case: case.start != case.later),
                Regime("a port does not come", lambda case: 0 in present(case.instance, 0)),
            ),
        ),
        false_variants=(
            FalseVariant("with slopes below their overhead", with_settings(where_amounts_grow, wanted=False)),
        ),
    ),
)
