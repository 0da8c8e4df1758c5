"""Cases of the regret claims: families of one or two ports worked by hand, and tiny instances with a start y(1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Regime
from schedproof.instances.multiserver import Instance, from_json
from schedproof.proofs_checks.multiserver.model import network, nothing
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st

Row = dict[str, Any]
ONE = Fraction(1)
RATIONAL = ("linear", "linear", "log", "reciprocal")  # whose slopes are rational
LONG, BENT = 24, 4  # slots at most: of linear utilities, and of others, whose numbers double in length with each slot


def build_instance(
    capacity: Sequence[int | Decimal],
    reach: Sequence[Sequence[int]],
    arrivals: Sequence[Sequence[int]],
    *,
    alpha: int | Decimal = 1,
    beta: int | Decimal = 0,
    **more: Any,
) -> Instance:
    """Ports with a demand of 1 gpu that reach some of the nodes; the gain is alpha times the amount."""
    nodes = [{"name": f"n{r}", "capacity": {"gpu": c}} for r, c in enumerate(capacity)]
    ports = [{"name": f"p{p}", "demand": {"gpu": 1}, "nodes": [f"n{r}" for r in row]} for p, row in enumerate(reach)]
    value: Row = {"version": 1, "family": "multiserver", "resources": ["gpu"], "nodes": nodes, "ports": ports}
    value |= {"utilities": {"gpu": {"kind": "linear", "alpha": alpha}}, "overhead": {"gpu": beta}}
    return from_json(value | {"arrivals": [list(row) for row in arrivals]} | more)


def climb(slots: int, **settings: Any) -> Case:
    """One port on one node that has what it asks for; it arrives in each slot. y(1) = 0."""
    instance = build_instance([1], [[0]], [[1]] * slots, **settings)
    return Case(instance, {"start": nothing(instance)})


def hand_over(slots: int, **settings: Any) -> Case:
    """Two ports on one node, which has as much as each asks for; the first arrives always, the second has it all."""
    return Case(build_instance([1], [[0], [0]], [[1, 0]] * slots, **settings), {"start": [[Fraction(0)], [ONE]]})


def switch(first: int, second: int) -> Case:
    """The node of `hand_over`: the first port comes in so many slots, then the second. y(1) = 0."""
    instance = build_instance([1], [[0], [0]], [[1, 0]] * first + [[0, 1]] * second)
    return Case(instance, {"start": nothing(instance)})


@st.composite
def started(pick: Any, slots: Callable[[Instance, int], int] | None = None, **settings: Any) -> Case:
    """A tiny instance, y(1), another point of Y and a step.

    Parameters
    ----------
    slots
        How many there are, by the instance's numbers and how many there may be; drawn if not given.
    """
    wanted: Row = {"kinds": RATIONAL, "slots": 1} | settings
    value = pick(draw.objects(**wanted))
    instance = from_json(value)
    utilities = [f for row in network(instance).channel for f in row]
    linear = all(f.kind == "linear" for f in (*utilities, *instance.utilities.values()))
    most = LONG if linear else BENT
    count = slots(instance, most) if slots else pick(st.integers(1, min(most, LONG // 2)))
    number = st.sampled_from((0, 1, 1))
    rows = [[pick(number) for _ in instance.ports] for _ in range(count)]
    instance = from_json(value | {"arrivals": rows})
    points = {"start": pick(draw.allocations(instance)), "fixed": pick(draw.allocations(instance))}
    if pick(st.booleans()):
        points["start"] = nothing(instance)
    return Case(instance, points | {"step": pick(st.sampled_from([Fraction(n, 8) for n in (1, 2, 4, 8, 20)]))})


# --- situations ------------------------------------------------------------------------------------------------------


def full(case: Case) -> bool:
    """Whether some node has less of a resource than its ports ask for together."""
    net = network(case.instance)
    return any(
        row and sum(net.most(e, k) for e in row) > net.capacity[r][k]
        for r, row in enumerate(net.of_node)
        for k in net.resources
    )


SHAPES = (
    Regime("a node is contended", full),
    Regime("several ports", lambda c: len(c.instance.ports) > 1),
    Regime("a slot in which nobody arrives", lambda c: any(not any(row) for row in c.instance.arrivals.tolist())),
    Regime("y(1) is not 0", lambda c: any(map(any, c.data["start"]))),
)


def if_there(regimes: Iterable[Regime]) -> tuple[Regime, ...]:
    """Regimes of an instance, for claims some of whose cases have none."""

    def reached(regime: Regime) -> Regime:
        return Regime(regime.name, lambda case: case.instance is not None and regime.reached(case))

    return tuple(map(reached, regimes))


MANY = (
    Regime("several nodes", lambda c: len(c.instance.nodes) > 1),
    Regime("several resources", lambda c: len(c.instance.resources) > 1),
    Regime("an overhead", lambda c: any(c.instance.overhead.values())),
)
