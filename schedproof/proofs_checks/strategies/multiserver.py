"""Hypothesis strategies for tiny multiserver instances, with allocations and points that sit on every edge of Y.

Every drawn object is a valid instance file (`from_json` reads it): up to three ports, two nodes and two resources.
Ports may have no node, nodes no port, demands and capacities may be 0, and resources are tied at an allocation of 0.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claim import Case
from schedproof.instances.multiserver import Instance, Port, from_json

Matrix = tuple[tuple[Fraction, ...], ...]  # an amount for each edge and resource
KINDS = ("linear", "linear", "log", "reciprocal", "poly")
ALPHAS = (1, 1, 2, Decimal("0.5"), Decimal("0.1"), Decimal("1.5"))
BETAS = (0, Decimal("0.25"), Decimal("0.5"), 1, 1)
DEMANDS = (0, 1, 1, 2, 3, Decimal("0.5"))
CAPACITIES = (0, 1, 1, 2, 3, 5, Decimal("1.5"))
SHARES = tuple(Fraction(n, 4) for n in (0, 0, 1, 2, 3, 4, 4))
POINTS = tuple(Fraction(n, 2) for n in (-3, -1, 0, 0, 1, 1, 2, 3, 4, 6, 9))


@st.composite
def objects(
    draw: Any,
    *,
    ports: int = 3,
    nodes: int = 2,
    resources: int = 2,
    slots: int = 3,
    count: int = 1,
    kinds: tuple[str, ...] = KINDS,
    alphas: tuple[Any, ...] = ALPHAS,
    full: bool | None = None,
    busy: bool = False,
) -> dict[str, Any]:
    """A tiny instance as a JSON object.

    Parameters
    ----------
    ports, nodes, resources, slots, count
        How many there are at most; of jobs of a port in a slot, for ``count``.
    kinds, alphas
        Of the utilities.
    full
        Whether each port reaches each node, drawn edge by edge if not; drawn if None.
    busy
        Whether each port has a job in each slot, and no demand, capacity or overhead is 0.
    """
    names = ["cpu", "gpu", "npu"][: _up_to(draw, resources)]
    places = [f"n{r}" for r in range(_up_to(draw, nodes))]
    types = [f"p{p}" for p in range(_up_to(draw, ports))]
    full = draw(st.booleans()) if full is None else full
    reach = st.just(places) if full else st.lists(st.sampled_from(places), unique=True, max_size=nodes)
    least = int(busy)  # 0 is the first of the amounts that may be drawn
    jobs = st.integers(least, count)
    value: dict[str, Any] = {
        "version": 1,
        "family": "multiserver",
        "resources": names,
        "nodes": [{"name": r, "capacity": _amounts(draw, names, CAPACITIES[least:])} for r in places],
        "ports": [{"name": p, "demand": _amounts(draw, names, DEMANDS[least:]), "nodes": draw(reach)} for p in types],
        "utilities": {name: _utility(draw, kinds, alphas) for name in names},
        "overhead": _amounts(draw, names, BETAS[least:]),
        "arrivals": [[draw(jobs) for _ in types] for _ in range(draw(st.integers(1, slots)))],
    }
    if draw(st.booleans()):
        value["node_utilities"] = {
            draw(st.sampled_from(places)): {draw(st.sampled_from(names)): _utility(draw, kinds, alphas)}
        }
    return value


def _up_to(draw: Any, most: int) -> int:
    """From 1 to the given number; 1 half as often as the others."""
    return int(draw(st.sampled_from([1, *2 * list(range(2, most + 1))])))


def _amounts(draw: Any, names: list[str], of: tuple[Any, ...]) -> dict[str, Any]:
    return {name: draw(st.sampled_from(of)) for name in names}


def _utility(draw: Any, kinds: tuple[str, ...], alphas: tuple[Any, ...]) -> dict[str, Any]:
    return {"kind": draw(st.sampled_from(kinds)), "alpha": draw(st.sampled_from(alphas))}


def instances(**settings: Any) -> Any:
    """Tiny instances, as `objects` draws them."""
    return objects(**settings).map(from_json)


def cases(**settings: Any) -> Any:
    """Cases of one tiny instance, without further data."""
    return instances(**settings).map(Case)


def channels(instance: Instance) -> list[tuple[Port, int]]:
    """Port and node of each edge: copy by copy, nodes in the port's order."""
    ports = zip(instance.ports, instance.copies, strict=True)
    return [(port, node) for port, many in ports for _ in range(many) for node in port.nodes]


def shared(instance: Instance) -> list[tuple[list[int], int, Fraction]]:
    """Each node and resource: the edges at the node, the resource's position, the capacity."""
    ends, names = channels(instance), instance.resources
    return [
        ([e for e, (_, r) in enumerate(ends) if r == node.index], k, node.capacity.get(name, Fraction(0)))
        for node in instance.nodes
        for k, name in enumerate(names)
    ]


def demands(instance: Instance) -> list[list[Fraction]]:
    """The most that each edge may give of each resource."""
    return [[port.demand.get(name, Fraction(0)) for name in instance.resources] for port, _ in channels(instance)]


@st.composite
def allocations(draw: Any, instance: Instance) -> Matrix:
    """A point of Y: shares of the demands, scaled down where a node has less; often 0, often full."""
    given = [[draw(st.sampled_from(SHARES)) * most for most in row] for row in demands(instance)]
    for edges, k, capacity in shared(instance):
        total = sum((given[e][k] for e in edges), Fraction(0))
        if total > capacity:
            for e in edges:
                given[e][k] *= capacity / total
    return tuple(map(tuple, given))


@st.composite
def placed(draw: Any, points: int = 1, **settings: Any) -> Case:
    """A tiny instance and points of Y: ``y`` for one, ``ys`` for several."""
    instance = draw(instances(**settings))
    found = [draw(allocations(instance)) for _ in range(points)]
    return Case(instance, {"y": found[0]} if points == 1 else {"ys": found})


def nothing(instance: Instance) -> Matrix:
    """The allocation 0, at which all resources are tied."""
    return tuple((Fraction(0),) * len(instance.resources) for _ in channels(instance))


def greedy(instance: Instance, backward: bool = False) -> Matrix:
    """A corner of Y: the ports take what they can, one after the other."""
    given = demands(instance)
    for edges, k, left in shared(instance):
        for e in sorted(edges, reverse=backward):
            given[e][k] = min(given[e][k], left)
            left -= given[e][k]
    return tuple(map(tuple, given))


def corners(**settings: Any) -> Any:
    """Tiny instances with two points ``ys`` of Y that lie far apart."""
    return instances(**settings).map(
        lambda instance: Case(instance, {"ys": [greedy(instance), greedy(instance, True)]})
    )


def idle(**settings: Any) -> Any:
    """Tiny instances with ``y`` = 0."""
    return instances(**settings).map(lambda instance: Case(instance, {"y": nothing(instance)}))


@st.composite
def pairs_of_points(draw: Any, **settings: Any) -> Case:
    """A tiny instance and two points ``ys`` of Y, the first of which is often 0."""
    case = draw(placed(points=2, **settings))
    one, other = case.data["ys"]
    return Case(case.instance, {"ys": [nothing(case.instance) if draw(st.booleans()) else one, other]})


@st.composite
def pointed(draw: Any, **settings: Any) -> Case:
    """A tiny instance and a point ``z`` to be projected, of any sign, with many ties."""
    instance = draw(instances(**settings))
    rows = [[draw(st.sampled_from(POINTS)) for _ in instance.resources] for _ in channels(instance)]
    return Case(instance, {"z": rows})


@st.composite
def rows(draw: Any, most: int = 4, *, tight: bool = False, crowded: bool = False) -> Case:
    """One (node, resource): a point ``z``, demands ``a`` and a capacity ``c``.

    Parameters
    ----------
    tight
        Whether the ports' demands are at least c, and what they ask for is, too: sum max(z, 0) >= c.
    crowded
        Whether there are three ports or more, no demand is 0, and the node has less than sum clip(z), if that is not 0.
    """
    count = draw(st.integers(3 if crowded else 1, most))
    demand = [draw(st.integers(0, 5).map(Fraction)) for _ in range(count)]
    point = [draw(st.sampled_from(POINTS)) for _ in range(count)]
    capacity = draw(st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 3, 5, 8, 20)]))
    if tight:
        demand = [capacity + a for a in demand]
        missing = capacity - sum(max(z, Fraction(0)) for z in point)
        point[0] = max(point[0], Fraction(0)) + missing if missing > 0 else point[0]
    if crowded:
        demand, point = [Fraction(4 if a > 2 else 1) for a in demand], [z + 1 for z in point]
        if draw(st.booleans()):  # a port that asks for more than the others, and may have it
            demand[0], point[0] = Fraction(4), max(point) + 1
        asked = sum((max(Fraction(0), min(z, a)) for z, a in zip(point, demand, strict=True)), Fraction(0))
        capacity = asked * draw(st.sampled_from([Fraction(n, 8) for n in (3, 6, 7)]))
    return Case(None, {"z": point, "a": demand, "c": capacity})


def any_rows() -> Any:
    """Rows of both sorts, crowded ones and others."""
    return st.one_of(rows(), rows(crowded=True))
