"""Worst-case arrivals of projected gradient ascent with linear gains, as a MIP.

The rows are the optimality conditions of every projection: a multiplier is positive only if its bound is tight, as a
binary variable decides. No multiplier exceeds eta_t s, the step along an entry of net gain s:
- a capacity price theta above eta_t s would decrease every y, and the sum would be below capacity;
- mu, of y >= 0, is theta - z where it is positive, and 0 where the job arrives, because then z >= eta_t s >= theta;
- nu, of y <= m, is at most z - m <= eta_t s, and 0 where the job is absent.

So the feasible points are exactly the policy's trajectories, to a solver's tolerances. In the rows slots count from 0,
d is eta_t s, m an entry's upper limit and M its largest value by then. z is the fixed allocation; e and h are an
arrived job's parts of the policy's and of the fixed allocation. The binaries w, u, v mean: the node is full, the entry
is 0, the entry is at its limit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model, Value
from schedproof.core.errors import InputError
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.utility import LINEAR

Place = tuple[int, int]  # node and resource
Entry = tuple[int, int, int]  # port, node and resource


class Ascent:
    """The system and the steps, as the program's data.

    Attributes
    ----------
    slots, ports
        The slots and the ports, in order.
    most
        (port, node, resource) -> an entry's upper limit, min(a, c) > 0.
    capacity
        (node, resource) -> capacity c, for pairs with an entry.
    gain
        (node, resource) -> s, the net gain of a unit there, after overhead.
    length
        (slot, node, resource) -> eta_t s.
    """

    def __init__(self, instance: Instance, gain: str, steps: np.ndarray) -> None:
        graph, slopes = instance.graph, unit_gains(instance, gain)
        if slopes is None or max(instance.copies, default=1) > 1:
            raise InputError(
                "expected linear utilities, at most one job of a port in a slot, and overhead of the first resource "
                "only; the overhead of a unit may not exceed its gain"
            )
        if len(steps) != instance.horizon or not (np.isfinite(steps) & (steps >= 0)).all():
            raise InputError(f"steps: expected {instance.horizon} numbers >= 0, one for each slot")
        limit = np.minimum(graph.demand[graph.edge_copy], graph.capacity[graph.edge_node])
        entries = [(e, k) for e in range(len(limit)) for k in range(limit.shape[1]) if limit[e, k] > 0]
        self.slots, self.ports = range(instance.horizon), range(len(instance.ports))
        self.most: dict[Entry, float] = {
            (int(graph.edge_copy[e]), int(graph.edge_node[e]), k): float(limit[e, k]) for e, k in entries
        }
        places = sorted({entry[1:] for entry in self.most})
        self.capacity: dict[Place, float] = {place: float(graph.capacity[place]) for place in places}
        self.gain: dict[Place, float] = {place: float(slopes[place]) for place in places}
        self.length = {(t, *place): float(steps[t]) * s for t in self.slots for place, s in self.gain.items()}

    def at(self, place: Place) -> list[Entry]:
        return [entry for entry in self.most if entry[1:] == place]

    def within_reach(self, slot: int, entry: Entry) -> float:
        """The largest possible value of an entry in a slot, starting from 0."""
        return min(self.most[entry], sum(self.length[t, *entry[1:]] for t in self.slots[:slot]))

    @property
    def steps(self) -> Iterator[tuple[int, Entry, float, float]]:
        for slot in self.moves:
            for entry, limit in self.most.items():
                yield slot, entry, limit, self.length[slot, *entry[1:]]

    @property
    def moves(self) -> range:
        return self.slots[:-1]


def unit_gains(instance: Instance, gain: str) -> np.ndarray | None:
    """(R, K) gain of a unit if rewards are linear and never fall, otherwise None.

    Only the first resource may have overhead: it is then dominant in every slot, even where nothing is allocated,
    because the policy takes the first of equally dominant resources.
    """
    graph = instance.graph
    total = gain == "total"
    kinds, alpha = (graph.total_kind, graph.total_alpha) if total else (graph.kind, graph.alpha)
    slopes: np.ndarray = np.broadcast_to(alpha, graph.capacity.shape) - graph.overhead
    linear = (kinds == LINEAR).all() and not graph.overhead[1:].any() and (slopes >= 0).all()
    return slopes if linear else None


@group("variables", "(1)", r"x_l(t) \in \{0,1\}")
def arrivals(block: Model, instance: Instance, *, gain: str, steps: np.ndarray) -> None:
    """In every slot a port has a job or not."""
    block.of = Ascent(instance, gain, steps)
    block.comes = pyo.Var(block.of.slots, block.of.ports, domain=pyo.Binary)


@group("variables", "(4)-(5)", r"y_{l,r}^k(t) \in [0, M_{l,r}^k(t)] \quad \forall m_{l,r}^k > 0")
def iterates(block: Model, instance: Instance, arrivals: Model) -> None:
    """The policy's allocation in every slot; it is 0 in the first."""
    of = arrivals.of
    block.amount = pyo.Var(of.slots, list(of.most), bounds=lambda _, t, *entry: (0, of.within_reach(t, entry)))


@group("variables", "(4)-(5)", r"z_{l,r}^k \in [0, m_{l,r}^k] \quad \forall m_{l,r}^k > 0")
def comparator(block: Model, instance: Instance, arrivals: Model) -> None:
    """An allocation that is fixed for all slots."""
    limit = arrivals.of.most
    block.amount = pyo.Var(list(limit), bounds=lambda _, *entry: (0, limit[entry]))


@group(
    "variables",
    "(9)",
    r"e_{l,r}^k(t), h_{l,r}^k(t) \in [0, m_{l,r}^k] \quad \forall m_{l,r}^k > 0",
)
def received(block: Model, instance: Instance, arrivals: Model) -> None:
    """The amounts of arrived jobs in the policy's and in the fixed allocation."""
    slots, limit = arrivals.of.slots, arrivals.of.most
    bounds = {"bounds": lambda _, t, *entry: (0, limit[entry])}
    block.earned, block.forgone = (pyo.Var(slots, list(limit), **bounds) for _ in range(2))


@group(
    "variables",
    "(34)",
    r"\theta_r^k(t) \in [0, d_r^k(t)] \quad \forall t < T - 1;"
    r" \; \mu_{l,r}^k(t), \nu_{l,r}^k(t) \in [0, d_r^k(t)] \quad \forall m_{l,r}^k > 0, t < T - 1",
)
def multipliers(block: Model, instance: Instance, arrivals: Model) -> None:
    """Each projection's multipliers of capacity, y >= 0 and y <= m; at most a step d."""
    of = arrivals.of
    block.price = pyo.Var(of.moves, list(of.capacity), bounds=lambda _, t, *place: (0, of.length[t, *place]))
    bounds = {"bounds": lambda _, t, port, *place: (0, of.length[t, *place])}
    block.at_nothing, block.at_most = (pyo.Var(of.moves, list(of.most), **bounds) for _ in range(2))


@group(
    "variables",
    "(34)",
    r"w_r^k(t) \in \{0,1\} \quad \forall t < T - 1;"
    r" \; u_{l,r}^k(t), v_{l,r}^k(t) \in \{0,1\} \quad \forall m_{l,r}^k > 0, t < T - 1",
)
def binding(block: Model, instance: Instance, arrivals: Model) -> None:
    """Whether a node is full, whether an entry is 0, and whether it is at its limit."""
    of = arrivals.of
    block.full = pyo.Var(of.moves, list(of.capacity), domain=pyo.Binary)
    block.nothing, block.most = (pyo.Var(of.moves, list(of.most), domain=pyo.Binary) for _ in range(2))


@group(
    "objective",
    "(11)",
    r"\max \textstyle\sum_{t,l,r,k} s_r^k (h_{l,r}^k(t) - e_{l,r}^k(t))",
)
def regret(block: Model, instance: Instance, arrivals: Model, received: Model) -> Model:
    """The fixed allocation's reward minus the policy's."""
    of, earned, forgone = arrivals.of, received.earned, received.forgone
    return pyo.quicksum(
        of.gain[entry[1:]] * (forgone[t, entry] - earned[t, entry]) for t in of.slots for entry in of.most
    )


@group("constraints", "(6)", r"\textstyle\sum_l z_{l,r}^k \le c_r^k")
def comparator_capacity(block: Model, instance: Instance, arrivals: Model, comparator: Model) -> Model:
    """The fixed allocation is within each node's capacity."""
    of, fixed = arrivals.of, comparator.amount
    return {place: pyo.quicksum(fixed[entry] for entry in of.at(place)) <= c for place, c in of.capacity.items()}


@group(
    "constraints",
    "(9)",
    r"e_{l,r}^k(t) \ge y_{l,r}^k(t) - M_{l,r}^k(t) (1 - x_l(t)), \; e_{l,r}^k(t) \le y_{l,r}^k(t),"
    r" \; e_{l,r}^k(t) \le m_{l,r}^k x_l(t), \; h_{l,r}^k(t) \le z_{l,r}^k, \; h_{l,r}^k(t) \le m_{l,r}^k x_l(t)",
)
def products(
    block: Model, instance: Instance, arrivals: Model, received: Model, iterates: Model, comparator: Model
) -> Iterator[Model]:
    """An arrived job receives its allocation; an absent job receives 0."""
    of, y = arrivals.of, iterates.amount
    for t in of.slots:
        for entry, m in of.most.items():
            here, e, h = arrivals.comes[t, entry[0]], received.earned[t, entry], received.forgone[t, entry]
            yield e >= y[t, entry] - y[t, entry].ub * (1 - here)
            for part, whole in ((e, y[t, entry]), (h, comparator.amount[entry])):
                yield part <= whole
                yield part <= m * here


@group(
    "constraints",
    "(34)",
    r"y_{l,r}^k(t + 1) = y_{l,r}^k(t) + d_r^k(t) x_l(t) - \theta_r^k(t) + \mu_{l,r}^k(t) - \nu_{l,r}^k(t)",
)
def stationarity(block: Model, instance: Instance, arrivals: Model, iterates: Model, multipliers: Model) -> Model:
    """The next allocation is y(t) plus a gradient step, moved by the multipliers."""
    x, y, by, rows = arrivals.comes, iterates.amount, multipliers, {}
    for t, entry, _, length in arrivals.of.steps:
        end = y[t, entry] + length * x[t, entry[0]] - by.price[t, *entry[1:]]
        rows[t, *entry] = y[t + 1, entry] == end + by.at_nothing[t, entry] - by.at_most[t, entry]
    return rows


@group(
    "constraints",
    "(34)",
    r"\textstyle\sum_l y_{l,r}^k(t + 1) \le c_r^k, \; \sum_l y_{l,r}^k(t + 1) \ge c_r^k w_r^k(t),"
    r" \; \theta_r^k(t) \le d_r^k(t) w_r^k(t)",
)
def full_node(
    block: Model, instance: Instance, arrivals: Model, iterates: Model, multipliers: Model, binding: Model
) -> Iterator[Model]:
    """A node's allocation is within capacity; theta > 0 requires a full node."""
    of, y = arrivals.of, iterates.amount
    for t in of.moves:
        for place, c in of.capacity.items():
            given, full = pyo.quicksum(y[t + 1, entry] for entry in of.at(place)), binding.full[t, place]
            yield given <= c
            yield given >= c * full
            yield multipliers.price[t, place] <= of.length[t, *place] * full


@group(
    "constraints",
    "(34)",
    r"y_{l,r}^k(t + 1) \le m_{l,r}^k (1 - u_{l,r}^k(t)), \; \mu_{l,r}^k(t) \le \theta_r^k(t),"
    r" \; \mu_{l,r}^k(t) \le d_r^k(t) u_{l,r}^k(t), \; \mu_{l,r}^k(t) \le d_r^k(t) (1 - x_l(t))",
)
def nothing_left(
    block: Model, instance: Instance, arrivals: Model, iterates: Model, multipliers: Model, binding: Model
) -> Iterator[Model]:
    """A positive multiplier of y >= 0 requires y = 0 and an absent job."""
    for t, entry, m, length in arrivals.of.steps:
        mu, nothing = multipliers.at_nothing[t, entry], binding.nothing[t, entry]
        yield iterates.amount[t + 1, entry] <= m * (1 - nothing)
        yield mu <= multipliers.price[t, *entry[1:]]
        yield mu <= length * nothing
        yield mu <= length * (1 - arrivals.comes[t, entry[0]])


@group(
    "constraints",
    "(34)",
    r"y_{l,r}^k(t + 1) \ge m_{l,r}^k v_{l,r}^k(t), \; \nu_{l,r}^k(t) \le d_r^k(t) v_{l,r}^k(t),"
    r" \; \nu_{l,r}^k(t) \le d_r^k(t) x_l(t), \; u_{l,r}^k(t) + v_{l,r}^k(t) \le 1",
)
def most_held(
    block: Model, instance: Instance, arrivals: Model, iterates: Model, multipliers: Model, binding: Model
) -> Iterator[Model]:
    """A positive multiplier of y <= m requires y = m and an arrived job."""
    for t, entry, m, length in arrivals.of.steps:
        nu, limit = multipliers.at_most[t, entry], binding.most[t, entry]
        yield iterates.amount[t + 1, entry] >= m * limit
        yield nu <= length * limit
        yield nu <= length * arrivals.comes[t, entry[0]]
        yield limit + binding.nothing[t, entry] <= 1


@group(
    "constraints",
    "(34)",
    r"\textstyle\sum_l y_{l,r}^k(t + 1) \ge \sum_l y_{l,r}^k(t) \quad \forall t < T - 1; \; w_r^k(t + 1) \ge w_r^k(t)",
)
def never_less(block: Model, instance: Instance, arrivals: Model, iterates: Model, binding: Model) -> Iterator[Model]:
    """Valid cuts: a node's total never decreases, and a full node stays full."""
    of, y = arrivals.of, iterates.amount
    for t in of.moves:
        for place in of.capacity:
            now, after = (pyo.quicksum(y[s, entry] for entry in of.at(place)) for s in (t, t + 1))
            yield after >= now
            if t:
                yield binding.full[t, place] >= binding.full[t - 1, place]


PROJECTED = (stationarity, full_node, nothing_left, most_held, never_less)


def worst_arrivals(*, steps: Value, gain: str = "node") -> Program:
    """The largest regret (11) of projected gradient ascent with linear gains.

    Parameters
    ----------
    steps
        (T,) eta_t of each slot, independent of the arrivals.
    gain
        The equation of the reward, (12) or (7).
    """
    return Program(
        id="multiserver.worst_arrivals",
        sense="maximize",
        groups=(
            *(regret, comparator_capacity, products, *PROJECTED),
            *(arrivals, iterates, comparator, received, multipliers, binding),
        ),
        parameters={"steps": np.asarray(steps, dtype=float), "gain": gain},
    )
