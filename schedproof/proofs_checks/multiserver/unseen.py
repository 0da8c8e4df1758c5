"""What the extension to several jobs must know of the arrivals to come: claim copies_unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import Allocation, Matrix, network, nothing, project
from schedproof.proofs_checks.multiserver.oga import decayed, play, square
from schedproof.proofs_checks.multiserver.regret_bounds import diameter51, norm48
from schedproof.proofs_checks.multiserver.regret_cases import RATIONAL
from schedproof.proofs_checks.multiserver.replication import by_copy
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, of_data, table

ZERO = Fraction(0)
_SHAPES = (regimes.SEVERAL_PORTS, regimes.SEVERAL_NODES, regimes.SEVERAL_RESOURCES, regimes.LONELY_PORT)


def prefix(case: Case) -> Instance:
    """The slots seen so far, and the copies that were there in them."""
    return replace(case.instance, arrivals=case.instance.arrivals[: case.data["seen"]])


def change(whole: Instance, y: Allocation, part: Instance, mine: Allocation) -> Fraction:
    """By how much an allocation differs from one of the copies seen so far, the others having 0; summed up."""
    zero = (ZERO,) * len(part.resources)
    total = ZERO
    for rows, own in zip(by_copy(whole, y), by_copy(part, mine), strict=True):
        padded = own + [[zero] * len(row) for row in rows[len(own) :]]
        for one, other in zip(rows, padded, strict=True):
            total += square(
                tuple(tuple(a - b for a, b in zip(*pair, strict=True)) for pair in zip(one, other, strict=True))
            )
    return total


def own_steps(case: Case, start: Callable[[Instance], Matrix] = nothing) -> Finding:
    """Copies may join when they are first seen: no decision changes if y(1) = 0 and steps only use the past.

    Proof
    -----
    Until copy (l, j) is there for the first time its gradient is 0. By induction it has y = 0 and z = 0, and clip(0 -
    tau, 0, a) = 0 for tau >= 0: it gets nothing, and adds 0 to each sum clip(z - tau), so tau and the other copies'
    amounts are those without it. eta0 lambda^t, (53) and the any-time step use past gradients, T, and diam(Y) of (51),
    in which the number of copies does not occur.
    """
    instance = case.instance
    part = prefix(case)
    step = decayed(case.data["step"], Fraction(1, 2))
    whole, known = (play(i, start(i), step) for i in (instance, part))
    decided = zip((*whole.decided, whole.after), (*known.decided, known.after), strict=False)
    apart = sum((change(instance, y, part, mine) for y, mine in decided), ZERO)
    return Finding(apart, ZERO, "at most", f"squared change of the decisions up to slot {part.horizon + 1}")


def proof_step(case: Case) -> Finding | None:
    """The constant step D/(G sqrt T) of the proof of Theorem 1, by (48) and (51), is that of the slots seen so far."""
    instance, part = case.instance, prefix(case)
    if not norm48(part):
        return None
    whole, known = (diameter51(i) / (norm48(i) * instance.horizon) for i in (instance, part))
    return Finding(whole, known, "equal", "step squared: all slots, slots seen")


def _filled(instance: Instance) -> Matrix:
    net = network(instance)
    return project(instance, [[net.most(e, k) for k in net.resources] for e in range(len(net.edges))])


@st.composite
def _prefixes(pick: Any) -> Case:
    """A trajectory, how much of it has been seen, and a decayed step."""
    instance = pick(draw.instances(kinds=RATIONAL, count=2, ports=2))
    step = pick(st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3)]))
    return Case(instance, {"seen": pick(st.integers(1, instance.horizon)), "step": step})


_GROWN = Regime("a copy not yet seen", lambda c: prefix(c).copies != c.instance.copies)
_LATE = of_data("two slots seen", lambda d: d["seen"] > 1)
_OWN = Reading("steps of the past", "eta0 lambda^t, (53) or the any-time step, and y(1) = 0.", own_steps)

UNSEEN = Claim(
    id="multiserver.copies_unseen",
    source="paper 002, sections I, II-C and III-D: J_l = max_t x_l(t), and no knowledge of the arrivals",
    statement="OGASched on the copies needs no knowledge of the arrivals to come, though J_l is a maximum over slots.",
    readings=(
        _OWN,
        Reading("the proof's step", "D/(G sqrt T) with (48) and (51) over the copies; T is known.", proof_step),
    ),
    regimes=(*_SHAPES, _GROWN, _LATE),
    strategy=_prefixes(),
    planted=(Planted("y(1) is the projection of the demands", at(own_steps, start=_filled)),),
    witnesses=WITNESSES,
    repaired_by="multiserver.copies_unseen_repaired",
    small_repair=True,
)
UNSEEN_REPAIRED = Claim(
    id="multiserver.copies_unseen_repaired",
    source="paper 002, section III-D, repaired",
    statement="With y(1) = 0 and steps that use the past only, copies may join when they are first seen.",
    readings=(_OWN,),
    regimes=UNSEEN.regimes,
    strategy=_prefixes(),
    planted=UNSEEN.planted,
)

CLAIMS = table(UNSEEN, UNSEEN_REPAIRED)
