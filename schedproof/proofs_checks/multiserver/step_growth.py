"""Does the step (53) grow with time? Claim step53_grows."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime, worst
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import (
    Allocation,
    Matrix,
    maximisers,
    nothing,
    present,
    project,
    supergradient,
)
from schedproof.proofs_checks.multiserver.oga import current, play, rational, square
from schedproof.proofs_checks.multiserver.regret_bounds import diameter51
from schedproof.proofs_checks.multiserver.regret_cases import (
    MANY,
    RATIONAL,
    SHAPES,
    build_instance,
    climb,
    hand_over,
)
from schedproof.proofs_checks.multiserver.roots import NoRun
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, table


def grows(case: Case, same: bool = False, slower: bool = False) -> Finding | None:
    """eta_(t+1) >= eta_t in a run with (53): the gradient does not get longer; squared norms, where none is 0.

    Parameters
    ----------
    same
        Only between slots in which the same ports come.
    slower
        The false variant: eta_(t+1) <= eta_t.
    """
    instance = case.instance
    try:
        run = play(instance, case.data["start"], current(diameter51(instance), instance.horizon))
    except NoRun:
        return None
    return worst(
        Finding(run.norms[t + 1], run.norms[t], "at least" if slower else "at most", f"squared norms, slot {t + 2}")
        for t in range(instance.horizon - 1)
        if run.norms[t] and run.norms[t + 1] and (not same or present(instance, t) == present(instance, t + 1))
    )


def where_amounts_grow(case: Case, wanted: bool = True) -> Finding | None:
    """(53) does not fall if the same ports come, none of their amounts falls, and all is worth its overhead.

    ``start`` and ``later`` are y(t) and y at a later slot; each port has the same k*, no slope is below its beta.

    Proof
    -----
    An entry of the gradient is f'(y), or f'(y) - beta for k*. f is concave: f' does not grow with y, and the entry
    stays at 0 or above. So no entry gets longer, and the norm in (53) does not grow.
    """
    instance, here, later = case.instance, case.data["start"], case.data["later"]
    there = present(instance, 0)
    if any(b < a for p, q in zip(here, later, strict=True) for a, b in zip(p, q, strict=True)):
        return None
    try:
        first, second = (rational(supergradient(instance, there, y)) for y in (here, later))
    except NoRun:
        return None
    chosen = [[maximisers(instance, y, copy)[:1] for copy, x in enumerate(there) if x] for y in (here, later)]
    if wanted and (chosen[0] != chosen[1] or min(map(min, second), default=0) < 0):
        return None
    return Finding(square(second), square(first), "at most", "squared norms later and before")


@st.composite
def _risen(pick: Any) -> Case:
    """A tiny instance and two allocations, the later one nowhere smaller."""
    case = pick(draw.placed(points=2, kinds=RATIONAL))
    first, second = case.data["ys"]
    later = project(case.instance, _each(max, first, second))
    return Case(case.instance, {"start": _each(min, first, later), "later": later})


def _each(choose: Callable[..., Fraction], one: Allocation, other: Allocation) -> Matrix:
    return tuple(tuple(map(choose, p, q)) for p, q in zip(one, other, strict=True))


def overshoot(start: Fraction) -> Case:
    """One port, gain ln(y + 1), beta = 0.8: best at y = 1/4; a = c = 1, T = 2, steps of length 1."""
    gain = {"gpu": {"kind": "log", "alpha": 1}}
    return Case(build_instance([1], [[0]], [[1], [1]], beta=Decimal("0.8"), utilities=gain), {"start": [[start]]})


@st.composite
def _driven(pick: Any) -> Case:
    """The families, with jobs of the ports in turn or at once."""
    rows = pick(st.lists(st.sampled_from(((1, 0), (0, 1), (0, 0))), min_size=8, max_size=8))
    instance = build_instance([1, 0, 0, 0], [range(4), [0]], rows)
    lone = [overshoot(Fraction(n, 16)) for n in range(1, 9)]
    return pick(st.sampled_from([Case(instance, {"start": nothing(instance)}), hand_over(4), climb(8), *lone]))


GROWS = Claim(
    id="multiserver.step53_grows",
    source="paper 002, section IV-A, on (53)",
    statement="In (53) the learning rate is encouraged to be larger and larger as time moves.",
    readings=(
        Reading("any arrivals", "From each slot to the next, where neither gradient is 0.", grows),
        Reading("the same arrivals", "Between slots in which the same ports come.", at(grows, same=True)),
    ),
    regimes=(
        *SHAPES,
        Regime("a curved utility", lambda c: c.instance.utilities["gpu"].kind == "log"),
        Regime("it grows", lambda c: (found := grows(c, slower=True)) is not None and found.violated),
    ),
    strategy=_driven(),
    planted=(Planted("smaller and smaller", at(grows, slower=True)),),
    witnesses=WITNESSES,
    repaired_by="multiserver.step53_grows_repaired",
)
GROWS_REPAIRED = Claim(
    id="multiserver.step53_grows_repaired",
    source="paper 002, section IV-A, on (53), repaired",
    statement=(
        "From a slot to a later one (53) does not fall if the same ports come, none of their amounts falls, each has "
        "the same k*, and no slope is below its overhead."
    ),
    readings=(Reading("gain per node", "Any two allocations; norms are compared.", where_amounts_grow),),
    regimes=(
        *MANY,
        Regime("an amount has grown", lambda c: c.data["start"] != c.data["later"]),
        Regime("a port does not come", lambda c: 0 in present(c.instance, 0)),
    ),
    strategy=_risen(),
    planted=(Planted("with slopes below their overhead", at(where_amounts_grow, wanted=False)),),
)

CLAIMS = table(GROWS, GROWS_REPAIRED)
