"""Cases of the regret claims: one or two ports by hand, and tiny instances.

Each run starts from an allocation y(1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import isqrt
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Amount, Inside, PositiveAmount, PositiveShare, Share
from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect
from schedproof.instances.multiserver import Instance, Utility, from_json, to_json
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance, in_y
from schedproof.reference.multiserver import ZERO, Matrix, network, nothing, project
from schedproof.reference.multiserver_constants import Constants
from schedproof.reference.multiserver_oga import NoExactRun

Row = dict[str, Any]
ONE, HALF = Fraction(1), Fraction(1, 2)
RATIONAL = ("linear", "linear", "log", "reciprocal")  # whose slopes are rational
LONG, BENT = 24, 4  # slots at most: of linear utilities, and of others, whose numbers double in length with each slot
DECAYS = tuple(Fraction(d) for d in ("0.995", "0.999", "0.9999"))  # what section IV-A calls the best range
ONE_AT_A_TIME = st.sampled_from(((1, 0), (0, 1), (0, 0)))  # a slot's arrivals


@dataclass(frozen=True)
class Started(OfInstance):
    """A run of OGASched on an instance from y(1) = ``start``."""

    start: Matrix

    def __post_init__(self) -> None:
        in_y(self.instance, self.start, "start")


@dataclass(frozen=True)
class Compared(Started):
    fixed: Matrix
    step: PositiveAmount

    def __post_init__(self) -> None:
        super().__post_init__()
        in_y(self.instance, self.fixed, "fixed")


@dataclass(frozen=True)
class Repeated(Compared):
    times: Positive


@dataclass(frozen=True)
class Risen(Started):
    """Two allocations y; no entry of the second is smaller than in the first."""

    later: Matrix

    def __post_init__(self) -> None:
        super().__post_init__()
        in_y(self.instance, self.later, "later")
        pairs = zip(chain(*self.start), chain(*self.later), strict=True)
        expect(all(a <= b for a, b in pairs), "expected amounts that never decrease", "later")


@dataclass(frozen=True)
class Decaying:
    """A run with steps eta_0 lambda^(t-1), or the numbers that define a long run.

    Attributes
    ----------
    start, step
        y(1) and eta_0 of a run on the instance.
    first, second
        Without an instance: the numbers of arrivals of the two ports of `one_then_the_other`.
    slots, wait
        Without an instance: T, and the first port's number of slots after steps fall below 2.
    """

    decay: Inside
    instance: Instance | None = None
    start: Matrix | None = None
    step: PositiveAmount | None = None
    first: Positive | None = None
    second: Positive | None = None
    slots: Positive | None = None
    wait: Count | None = None

    def __post_init__(self) -> None:
        run, ports, long = (self.instance, self.start), (self.first, self.second), (self.slots, self.wait)
        there = [None not in group for group in (run, ports, long)]
        whole = all({*group} == {None} for group, used in zip((run, ports, long), there, strict=True) if not used)
        expect(sum(there) == 1 and whole, "expected a run, two numbers of arrivals, or T and a wait", "start")
        if self.instance is not None and self.start is not None:
            in_y(self.instance, self.start, "start")


@dataclass(frozen=True)
class Tight:
    """A run on an instance, or a number of slots on `two_port_contention`.

    The number is m, for T = m^2 slots; for claims about any policy it is T.
    """

    instance: Instance | None = None
    start: Matrix | None = None
    number: Positive | None = None
    slots: Positive | None = None

    def __post_init__(self) -> None:
        one = [self.instance is not None, self.number is not None, self.slots is not None]
        fit = sum(one) == 1 and (self.instance is None) == (self.start is None)
        expect(fit, "expected a run with its start, or a number m, or T", "slots", self.slots)
        if self.instance is not None and self.start is not None:
            in_y(self.instance, self.start, "start")


@dataclass(frozen=True)
class Blind:
    """The amounts of two ports in y(1), a step, and a number of slots."""

    first: Amount
    second: Amount
    step: PositiveAmount
    slots: Positive

    def __post_init__(self) -> None:
        expect(self.first + self.second <= 1, "expected a sum of at most 1, the node's capacity", "second", self.second)


@dataclass(frozen=True)
class Staircase:
    """T orthogonal gradients of equal length, and a box whose sides are one step long.

    Attributes
    ----------
    start
        The position of y(1), from 0 to 1 along each side.
    turns
        The rotations of the axes in order, as tangents of half the angles.
    """

    slots: Positive
    side: PositiveShare
    length: PositiveAmount
    start: Share
    turns: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        expect(len(self.turns) < self.slots, "expected fewer turns than axes", "turns", len(self.turns))


@dataclass(frozen=True)
class Seen(OfInstance):
    """A trajectory, its number of seen slots, and the first step; later steps halve."""

    seen: Positive
    step: PositiveAmount


# --- instances --------------------------------------------------------------------------------------------------------


def build_instance(
    capacity: Sequence[int | Decimal],
    reach: Sequence[Sequence[int]],
    arrivals: Sequence[Sequence[int]],
    *,
    alpha: int | Decimal = 1,
    beta: int | Decimal = 0,
    **more: Any,
) -> Instance:
    """Ports with a demand of 1 gpu that reach some nodes; gain is alpha times amount."""
    nodes = [{"name": f"n{r}", "capacity": {"gpu": c}} for r, c in enumerate(capacity)]
    ports = [{"name": f"p{p}", "demand": {"gpu": 1}, "nodes": [f"n{r}" for r in row]} for p, row in enumerate(reach)]
    value: Row = {"version": 1, "family": "multiserver", "resources": ["gpu"], "nodes": nodes, "ports": ports}
    value |= {"utilities": {"gpu": {"kind": "linear", "alpha": alpha}}, "overhead": {"gpu": beta}}
    return from_json(value | {"arrivals": [list(row) for row in arrivals]} | more)


def with_arrivals(instance: Instance, rows: Sequence[Sequence[int]]) -> Instance:
    return from_json(to_json(instance) | {"arrivals": [list(row) for row in rows]})


def all_utilities(instance: Instance) -> list[Utility]:
    return [*instance.utilities.values(), *instance.node_utilities.values()]


def from_nothing(instance: Instance) -> Started:
    return Started(instance, nothing(instance))


def single_port(slots: int, **settings: Any) -> Started:
    """One port on a node that satisfies its demand, with a job in each slot; y(1) = 0."""
    return from_nothing(build_instance([1], [[0]], [[1]] * slots, **settings))


def two_port_contention(slots: int) -> Started:
    """Two ports on one node that holds the demand of one of them.

    The first port always has a job; the second port has the whole node at first.
    """
    return complete(2, slots)


def one_then_the_other(first: int, second: int) -> Started:
    """The node of `two_port_contention`, with y(1) = 0.

    The first port comes in the first slots, then the second port.
    """
    return from_nothing(build_instance([1], [[0], [0]], [[1, 0]] * first + [[0, 1]] * second))


def one_job(ports: Sequence[int]) -> Instance:
    """The node of `two_port_contention`; in each slot the given port comes alone."""
    return build_instance([1], [[0], [0]], [[int(p == port) for p in (0, 1)] for port in ports])


def drift(number: int) -> Started:
    """Two ports want one node's gpu; `p0` reaches three more nodes without gpus.

    T = 2 m^2 and y(1) = 0. The second port comes m times, and then after every second job of the first port.
    """
    late = [[1, 0] if n % 3 < 2 else [0, 1] for n in range(2 * number**2 - number)]
    return from_nothing(build_instance([1, 0, 0, 0], [range(4), [0]], [[0, 1]] * number + late))


def complete(ports: int, slots: int) -> Started:
    """Several ports on one node that holds the demand of one of them.

    The first port always has a job; the last port has the whole node at first.
    """
    instance = build_instance([1], [[0]] * ports, [[1] + [0] * (ports - 1)] * slots)
    return Started(instance, ((ZERO,),) * (ports - 1) + ((ONE,),))


def one_by_one(slots: int, side: Fraction, slope: Fraction, start: Fraction) -> Started:
    """Ports on separate nodes, each of which comes once.

    Y is a cube with a side of at most 1. At first, each port has the same share of its node.
    """
    each = range(slots)
    arrivals = [[int(p == t) for p in each] for t in each]
    instance = build_instance([_decimal(side)] * slots, [[p] for p in each], arrivals, alpha=_decimal(slope))
    return Started(instance, ((start * side,),) * slots)


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def fitting(pair: Constants) -> Callable[[Instance, int], int]:
    """The largest number of slots up to a limit for which the step is rational.

    D^2/G^2 = p/q, and T p q is a square.
    """

    def slots(instance: Instance, most: int) -> int:
        try:
            wide, steep = pair(instance, "node")
        except NoExactRun:
            return most
        ratio = wide / steep if wide and steep else ONE
        product = ratio.numerator * ratio.denominator
        least = product // max(d * d for d in range(1, isqrt(product) + 1) if product % (d * d) == 0)
        return min(most, least * max(1, isqrt(most // least)) ** 2)

    return slots


# --- strategies -------------------------------------------------------------------------------------------------------


def _run(pick: Any, slots: Callable[[Instance, int], int] | None, settings: Row) -> Compared:
    wanted: Row = {"kinds": RATIONAL, "slots": 1} | settings
    value = pick(draw.objects(**wanted))
    instance = from_json(value)
    utilities = [f for row in network(instance).channel for f in row]
    linear = all(f.kind == "linear" for f in (*utilities, *instance.utilities.values()))
    limit = LONG if linear else BENT
    count = slots(instance, limit) if slots else pick(st.integers(1, min(limit, LONG // 2)))
    number = st.sampled_from((0, 1, 1))
    instance = from_json(value | {"arrivals": [[pick(number) for _ in instance.ports] for _ in range(count)]})
    start, fixed = pick(draw.allocations(instance)), pick(draw.allocations(instance))
    if pick(st.booleans()):
        start = nothing(instance)
    return Compared(instance, start, fixed, pick(st.sampled_from([Fraction(n, 8) for n in (1, 2, 4, 8, 20)])))


@st.composite
def compared_cases(pick: Any, /, slots: Callable[[Instance, int], int] | None = None, **settings: Any) -> Compared:
    return _run(pick, slots, settings)


@st.composite
def started_cases(
    pick: Any,
    /,
    slots: Callable[[Instance, int], int] | None = None,
    kind: Callable[..., Any] = Started,
    **settings: Any,
) -> Any:
    case = _run(pick, slots, settings)
    return kind(instance=case.instance, start=case.start)


@st.composite
def repeated_cases(pick: Any) -> Repeated:
    case = pick(compared_cases(slots=lambda instance, most: 4, kinds=("linear", "linear", "reciprocal")))
    return Repeated(case.instance, case.start, case.fixed, case.step, pick(st.integers(2, 4)))


@st.composite
def one_at_a_time(pick: Any) -> Started:
    """Two ports on one node, with at most one job in each of 2 m^2 slots.

    `p0` is on one or three more nodes.
    """
    nodes, number = pick(st.sampled_from((1, 4))), pick(st.integers(1, 3))
    rows = pick(st.lists(ONE_AT_A_TIME, min_size=2 * number**2, max_size=2 * number**2))
    capacity = [1] + [pick(st.sampled_from((0, 0, 1)))] * (nodes - 1)
    instance = build_instance(capacity, [range(nodes), [0]], rows)
    part = pick(st.sampled_from((ZERO, HALF, ONE)))
    start = ((part,), *[(ZERO,)] * (nodes - 1), (1 - part,))
    return Started(instance, nothing(instance) if pick(st.booleans()) else start)


@st.composite
def risen_cases(pick: Any) -> Risen:
    one_curve = {"kinds": ("log", "reciprocal"), "resources": 1, "nodes": 1, "ports": 1, "busy": True, "full": True}
    case = pick(st.one_of(draw.two_placed(kinds=RATIONAL), draw.two_placed(**one_curve)))
    later = project(case.instance, _each(max, *case.ys))
    return Risen(case.instance, _each(min, case.ys[0], later), later)


def _each(choose: Callable[..., Fraction], one: Matrix, other: Matrix) -> Matrix:
    return tuple(tuple(map(choose, p, q)) for p, q in zip(one, other, strict=True))


@st.composite
def decaying(pick: Any) -> Decaying:
    families = [two_port_contention(16), single_port(8), single_port(18), one_then_the_other(12, 13), single_port(4)]
    case = pick(st.one_of(started_cases(), started_cases(), st.sampled_from(families)))
    step = pick(st.sampled_from([Fraction(1, 100), Fraction(1, 4), ONE, Fraction(25)]))
    return Decaying(pick(st.sampled_from(DECAYS)), case.instance, case.start, step)


LONG_DECAYS = st.sampled_from(
    [
        Decaying(decay, slots=slots, wait=wait)
        for decay, slots, wait in ((DECAYS[0], 400, 100), (DECAYS[0], 5000, 1500), (DECAYS[1], 36000, 9600))
    ]
)


@st.composite
def blind(pick: Any) -> Blind:
    first = pick(st.sampled_from((ZERO, HALF, ONE, Fraction(1, 4))))
    second = pick(st.sampled_from((ZERO, 1 - first)))
    return Blind(first, second, pick(st.sampled_from((Fraction(1, 8), HALF, ONE))), pick(st.integers(1, 4)))


@st.composite
def staircases(pick: Any) -> Staircase:
    number = st.sampled_from([Fraction(n, 4) for n in (1, 2, 3, 4)])
    slots = pick(st.integers(1, 9))
    turns = [pick(st.sampled_from([ZERO, HALF, Fraction(1, 3)])) for _ in range(slots - 1)]
    return Staircase(slots, pick(number), 2 * pick(number), pick(st.sampled_from((ZERO, HALF))), tuple(turns))


@st.composite
def seen_cases(pick: Any) -> Seen:
    instance = pick(draw.instances(kinds=RATIONAL, count=2, ports=2))
    step = pick(st.sampled_from([HALF, ONE, Fraction(3)]))
    return Seen(instance, pick(st.integers(1, instance.horizon)), step)
