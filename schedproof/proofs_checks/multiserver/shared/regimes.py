"""The cases of the multiserver claims, and the regimes that they must reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, wraps
from typing import Any, ParamSpec

from schedproof.core.base.untyped import Value
from schedproof.core.claims.answer import SOMETHING
from schedproof.core.claims.claim import Answer, Domain, Outside, Premise, Regime
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance, OneRow
from schedproof.proofs_checks.strategies.multiserver_runs import Started, all_utilities
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import Allocation, Gain, Network, as_rows, maximisers, network, pairs, present
from schedproof.reference.multiserver_constants import Constants, bounds, proof_step
from schedproof.reference.multiserver_projection import Numbers, clip, project_row, shift

# --- an instance and points of Y --------------------------------------------------------------------------------------


def of_network(name: str, reached: Callable[[Network], bool]) -> Regime[OfInstance]:
    return Regime(name, lambda case: reached(network(case.instance)))


def of_points(name: str, reached: Callable[[Instance, Allocation], bool]) -> Regime[Any]:
    return Regime(name, lambda case: any(reached(case.instance, y) for y in getattr(case, "ys", ()) or (case.y,)))


def of_kind(kind: str) -> Regime[OfInstance]:
    return of_network(f"a {kind} utility", lambda net: any(f.kind == kind for row in net.channel for f in row))


def _has_ties(instance: Instance, y: Allocation) -> bool:
    net = network(instance)
    return any(len(maximisers(instance, y, copy)) > 1 for copy, edges in enumerate(net.of_copy) if edges)


def _full(instance: Instance, y: Allocation) -> bool:
    return any(row and sum(row) == capacity > 0 for row, _, capacity in as_rows(network(instance), y))


SEVERAL_PORTS = of_network("several ports", lambda net: len(net.demand) > 1)
SEVERAL_NODES = of_network("a port with several nodes", lambda net: any(len(edges) > 1 for edges in net.of_copy))
SEVERAL_RESOURCES = of_network("several resources", lambda net: len(net.overhead) > 1)
LONELY_PORT = of_network("a port without nodes", lambda net: any(not edges for edges in net.of_copy))
LONELY_NODE = of_network("a node without ports", lambda net: any(not edges for edges in net.of_node))
NO_DEMAND = of_network("a demand of 0", lambda net: any(not a for row in net.demand for a in row))
NO_CAPACITY = of_network("a capacity of 0", lambda net: any(not c for row in net.capacity for c in row))
OWN_UTILITY = of_network("nodes with utilities of their own", lambda net: any(row != net.total for row in net.channel))
FLAT = of_network(
    "a slope below beta",
    lambda net: any(f.steepest < b for row in net.channel for f, b in zip(row, net.overhead, strict=True)),
)
ABSENT = Regime[OfInstance]("a port without a job", lambda case: 0 in present(case.instance, 0))
CONTENDED = of_points("a full node", _full)
TIE = of_points("two dominant resources", _has_ties)
NOTHING = of_points("nothing allocated", lambda instance, y: not any(map(any, y)))
KINDS = tuple(map(of_kind, ("linear", "log", "reciprocal", "poly")))
SHAPES = (SEVERAL_PORTS, SEVERAL_NODES, SEVERAL_RESOURCES, LONELY_PORT, LONELY_NODE, NO_DEMAND, NO_CAPACITY)
COPIES = SHAPES[:4]

# --- a row ------------------------------------------------------------------------------------------------------------


def of_row(name: str, reached: Callable[[Numbers, Numbers, Any], Any]) -> Regime[OneRow]:
    return Regime(name, lambda case: bool(reached(case.z, case.a, case.c)))


def _late(point: Numbers, demand: Numbers, capacity: Any) -> bool:
    given, first = project_row(point, demand, capacity), point.index(max(point))
    late = any(0 < a == y and z < point[first] for y, z, a in zip(given, point, demand, strict=True))
    return late and given[first] < demand[first]


ONE_PORT = of_row("one port", lambda z, a, c: len(z) == 1)
SLACK = of_row("a slack row", lambda z, a, c: sum(clip(z, a)) < c)
BINDING = of_row("a binding row", lambda z, a, c: shift(z, a, c) > 0)
BELOW = of_row("a port below 0", lambda z, a, c: min(z) - shift(z, a, c) < 0)
TWO_ABOVE = of_row(
    "two ports above their demand", lambda z, a, c: sum(u - shift(z, a, c) > v for u, v in zip(z, a, strict=True)) > 1
)
NOT_FIRST = of_row("a port at its demand, the first not", _late)
EQUAL_POINTS = of_row("equal points", lambda z, a, c: len(set(z)) < len(z))
EMPTY_DEMAND = of_row("a demand of 0", lambda z, a, c: 0 in a)
EMPTY_ROW = of_row("a capacity of 0", lambda z, a, c: not c)
ROWS = (ONE_PORT, SLACK, BINDING, BELOW, TWO_ABOVE, NOT_FIRST, EQUAL_POINTS, EMPTY_DEMAND, EMPTY_ROW)
ANY_ROW = Domain(OneRow, draw.any_rows(), ROWS)

# --- a run ------------------------------------------------------------------------------------------------------------

P = ParamSpec("P")


def is_exact(run: Callable[P, object], *arguments: P.args, **settings: P.kwargs) -> bool:
    """Whether a run of OGASched is exact.

    A run is exact if its steps and gradients are rational and the constants in its step are known.
    """
    try:
        run(*arguments, **settings)
    except oga.NoExactRun:
        return False
    return True


def exact(run: Callable[..., object], **settings: Value) -> Premise[Any]:
    return Premise(
        "all steps and gradients are rational, and the constants in the step are known",
        lambda case: is_exact(run, case, **settings),
    )


def of_exact_runs(check: Callable[P, Answer]) -> Callable[P, Answer]:
    """Make the check answer Outside for inexact runs.

    A false variant has no premise that excludes these runs.
    """

    @wraps(check)
    def exact_run_answer(*arguments: P.args, **settings: P.kwargs) -> Answer:
        try:
            return check(*arguments, **settings)
        except oga.NoExactRun:
            return Outside(SOMETHING)

    return exact_run_answer


@lru_cache(maxsize=4)  # the premise of a reading and its check look at one run
def ascent(case: Started, constants: Constants = bounds, gain: Gain = "node") -> oga.OgaRun:
    return oga.play(case.instance, case.start, oga.constant(proof_step(case.instance, constants, gain)), gain)


STARTED = Regime[Started]("y(1) is not 0", lambda case: any(map(any, case.start)))
MANY_PORTS = Regime[OfInstance]("several ports", lambda case: len(case.instance.ports) > 1)
RUNS: tuple[Regime[Any], ...] = (
    of_network(
        "a node is contended",
        lambda net: any(
            sum(net.edge_demand(e, k) for e in edges) > capacity for edges, k, capacity in pairs(net) if edges
        ),
    ),
    MANY_PORTS,
    Regime("a slot in which nobody arrives", lambda case: any(not any(x) for x in case.instance.arrivals.tolist())),
    STARTED,
)
MANY: tuple[Regime[OfInstance], ...] = (
    Regime("several nodes", lambda case: len(case.instance.nodes) > 1),
    Regime("several resources", lambda case: len(case.instance.resources) > 1),
    Regime("an overhead", lambda case: any(case.instance.overhead.values())),
)
CURVED = Regime[OfInstance]("a curved utility", lambda c: any(f.kind != "linear" for f in all_utilities(c.instance)))
LENGTHS = Regime[OfInstance]("gradients of two lengths", lambda c: len({len(p.nodes) for p in c.instance.ports}) > 1)


def if_there(regimes: Iterable[Regime[Any]]) -> tuple[Regime[Any], ...]:
    """Regimes of an instance, for claims with cases that have no instance."""

    def where_there(regime: Regime[Any]) -> Regime[Any]:
        return replace(regime, reached=lambda case: case.instance is not None and regime.reached(case))

    return tuple(map(where_there, regimes))
