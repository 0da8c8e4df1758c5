"""Hypothesis strategies for tiny multiserver instances, often degenerate.

Every drawn object is a valid instance file (`from_json` reads it): up to three ports, two nodes and two resources.
Ports may have no node, nodes no port, and demands and capacities may be 0. At an allocation of 0, all resources have
equal overhead.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Amount, PositiveAmount, Share
from schedproof.core.data.reading import Positive
from schedproof.core.errors import expect
from schedproof.instances.multiserver import Instance, from_json
from schedproof.reference.multiserver import ZERO, Matrix, corner, excess, network, nothing, pairs

KINDS = ("linear", "linear", "log", "reciprocal", "poly")
ALPHAS = (1, 1, 2, Decimal("0.5"), Decimal("0.1"), Decimal("1.5"))
BETAS = (0, Decimal("0.25"), Decimal("0.5"), 1, 1)
DEMANDS = (0, 1, 1, 2, 3, Decimal("0.5"))
CAPACITIES = (0, 1, 1, 2, 3, 5, Decimal("1.5"))
SHARES = tuple(Fraction(n, 4) for n in (0, 0, 1, 2, 3, 4, 4))
POINTS = tuple(Fraction(n, 2) for n in (-3, -1, 0, 0, 1, 1, 2, 3, 4, 6, 9))


@dataclass(frozen=True)
class OfInstance:
    instance: Instance


@dataclass(frozen=True)
class Placed(OfInstance):
    y: Matrix

    def __post_init__(self) -> None:
        in_y(self.instance, self.y, "y")


@dataclass(frozen=True)
class Pair(OfInstance):
    ys: tuple[Matrix, Matrix]

    def __post_init__(self) -> None:
        for y in self.ys:
            in_y(self.instance, y, "ys")


@dataclass(frozen=True)
class Segment(Pair):
    weight: Share


@dataclass(frozen=True)
class Pointed(OfInstance):
    """An instance and a point to be projected, of any sign."""

    z: Matrix

    def __post_init__(self) -> None:
        in_shape(self.instance, self.z, "z")


def in_shape(instance: Instance, y: Matrix, name: str) -> None:
    """Reject a matrix without one number per edge and resource of an instance."""
    fit = [len(row) for row in y] == [len(row) for row in nothing(instance)]
    expect(fit, "expected a number for each edge and each resource", name)


def in_y(instance: Instance, y: Matrix, name: str) -> None:
    """Reject a matrix that is not in Y."""
    in_shape(instance, y, name)
    expect(not excess(instance, y), "expected an allocation in Y", name)


@dataclass(frozen=True)
class OneRow:
    """One (node, resource): a point z, demands a and a capacity c."""

    z: tuple[Fraction, ...]
    a: tuple[Amount, ...]
    c: Amount

    def __post_init__(self) -> None:
        expect(len(self.z) == len(self.a) > 0, "expected a demand for each port", "a", len(self.a))


@dataclass(frozen=True)
class Channel:
    """A channel: slope as a share of varpi, varpi, varpi* over varpi, and beta."""

    slope: Share
    varpi: PositiveAmount
    more: Amount
    beta: Amount


@dataclass(frozen=True)
class Sizes:
    ports: Positive
    nodes: Positive


@dataclass(frozen=True)
class Scaled:
    kind: str
    n: Positive


@dataclass(frozen=True)
class OfUtilities:
    """The utilities f_k and f_r^k of two nodes, by kind and alpha, and two amounts."""

    total: tuple[str, PositiveAmount]
    nodes: tuple[tuple[str, PositiveAmount], tuple[str, PositiveAmount]]
    amounts: tuple[Amount, Amount]


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
        The largest numbers; ``count`` is the largest number of a port's jobs in a slot.
    kinds, alphas
        Kinds and alphas of the utilities.
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
    return int(draw(st.sampled_from([1, *2 * list(range(2, most + 1))])))


def _amounts(draw: Any, names: list[str], of: tuple[Any, ...]) -> dict[str, Any]:
    return {name: draw(st.sampled_from(of)) for name in names}


def _utility(draw: Any, kinds: tuple[str, ...], alphas: tuple[Any, ...]) -> dict[str, Any]:
    return {"kind": draw(st.sampled_from(kinds)), "alpha": draw(st.sampled_from(alphas))}


def instances(**settings: Any) -> st.SearchStrategy[Instance]:
    return objects(**settings).map(from_json)


@st.composite
def regular(draw: Any) -> OfInstance:
    value = draw(objects(full=True))
    names, places = ([row["name"] for row in value[key]] for key in ("ports", "nodes"))
    count = draw(st.integers(1, len(names)))
    at = {place: draw(st.permutations(names))[:count] for place in places}
    for port in value["ports"]:
        port["nodes"] = [place for place in places if port["name"] in at[place]]
    return OfInstance(from_json(value))


@st.composite
def allocations(draw: Any, instance: Instance) -> Matrix:
    """A point of Y: shares of the demands, scaled down to the nodes' capacities.

    Shares are often 0 or full.
    """
    given = [[draw(st.sampled_from(SHARES)) * most for most in row] for row in demands(instance)]
    for edges, k, capacity in pairs(network(instance)):
        total = sum((given[e][k] for e in edges), ZERO)
        if total > capacity:
            for e in edges:
                given[e][k] *= capacity / total
    return tuple(map(tuple, given))


def demands(instance: Instance) -> list[list[Fraction]]:
    """The largest amount of each edge and resource."""
    net = network(instance)
    return [[net.edge_demand(e, k) for k in net.resources] for e in range(len(net.edges))]


@st.composite
def placed_cases(draw: Any, /, **settings: Any) -> Placed:
    instance = draw(instances(**settings))
    return Placed(instance, draw(allocations(instance)))


@st.composite
def two_placed(draw: Any, /, **settings: Any) -> Pair:
    instance = draw(instances(**settings))
    return Pair(instance, (draw(allocations(instance)), draw(allocations(instance))))


@st.composite
def segments(draw: Any) -> Segment:
    case = draw(two_placed())
    return Segment(case.instance, case.ys, draw(st.sampled_from([Fraction(n, 4) for n in (1, 2, 3)])))


def corners(**settings: Any) -> st.SearchStrategy[Pair]:
    """Tiny instances with two distant points of Y: ports take all in either order."""

    def both(instance: Instance) -> Pair:
        first = corner(instance, lambda edges, _: edges)
        return Pair(instance, (first, corner(instance, lambda edges, _: reversed(edges))))

    return instances(**settings).map(both)


def idle(**settings: Any) -> st.SearchStrategy[Placed]:
    return instances(**settings).map(lambda instance: Placed(instance, nothing(instance)))


@st.composite
def pairs_of_points(draw: Any, /, **settings: Any) -> Pair:
    case = draw(two_placed(**settings))
    return Pair(case.instance, (nothing(case.instance) if draw(st.booleans()) else case.ys[0], case.ys[1]))


@st.composite
def pointed_cases(draw: Any, /, **settings: Any) -> Pointed:
    instance = draw(instances(**settings))
    rows = [tuple(draw(st.sampled_from(POINTS)) for _ in row) for row in demands(instance)]
    return Pointed(instance, tuple(rows))


@st.composite
def rows(draw: Any, most: int = 4, *, tight: bool = False, crowded: bool = False) -> OneRow:
    """The row of one node and one resource.

    Parameters
    ----------
    tight
        Whether sum of demands >= c and sum max(z, 0) >= c.
    crowded
        Whether there are three ports or more, no demand is 0, and c < sum clip(z) unless the sum is 0.
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
        demanded = sum((max(Fraction(0), min(z, a)) for z, a in zip(point, demand, strict=True)), Fraction(0))
        capacity = demanded * draw(st.sampled_from([Fraction(n, 8) for n in (3, 6, 7)]))
    return OneRow(tuple(point), tuple(demand), capacity)


def any_rows() -> st.SearchStrategy[OneRow]:
    return st.one_of(rows(), rows(crowded=True))


@st.composite
def channels(draw: Any) -> Channel:
    share, size = [Fraction(n, 4) for n in range(5)], [Fraction(n, 4) for n in (1, 2, 3, 5, 8)]
    return Channel(*(draw(st.sampled_from(values)) for values in (share, size, [ZERO, *size], share)))


@st.composite
def sizes(draw: Any) -> Sizes:
    return Sizes(draw(st.integers(1, 5)), draw(st.integers(1, 5)))


@st.composite
def scaled_cases(draw: Any, kinds: tuple[str, ...]) -> Scaled:
    return Scaled(draw(st.sampled_from(kinds)), draw(st.sampled_from((1, 4, 8))))


@st.composite
def utilities(draw: Any) -> OfUtilities:
    amount = st.sampled_from([Fraction(n, 2) for n in (0, 1, 2, 2, 3, 6, 20)])

    def one() -> tuple[str, Fraction]:
        return draw(st.sampled_from(KINDS)), Fraction(draw(st.sampled_from(ALPHAS)))

    row, other = one(), one()
    nodes = draw(st.sampled_from(((row, row), (row, other), (row, (row[0], other[1])))))
    return OfUtilities(row, nodes, (draw(amount), draw(amount)))
