"""The arrivals that hurt projected gradient ascent most, with linear gains: its regret as one mixed-integer program.

The optimality conditions of every projection are rows: a multiplier is positive only where its bound is met with
equality, as a binary variable decides. No multiplier exceeds eta_t s, the step's length along an entry:

- a price theta of capacity above it would leave every y below the one before, and the sum below capacity;
- mu, of y >= 0, is theta - z where it is positive, and 0 where the job comes, for then z >= eta_t s >= theta;
- nu, of y <= m, is at most z - m <= eta_t s, and 0 where the job stays away.

So the program has exactly the trajectories of the policy, to a solver's tolerances. In its rows slots count from 0,
d is eta_t s, m the most that an entry can be at all and M the most that it can be by then; z is the fixed
allocation, e and h are what a job that comes has of either; w, u, v say that a node is full, that an entry is
nothing, or all that it can be.
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
    """What the program knows of a system and the steps.

    Attributes
    ----------
    slots, ports
        In order.
    most
        (port, node, resource) -> the most that the entry can be, min(a, c) > 0.
    capacity
        (node, resource) -> c, where some entry is.
    gain
        (node, resource) -> s, what a unit earns there, overhead and all.
    length
        (slot, node, resource) -> eta_t s.
    """

    def __init__(self, instance: Instance, gain: str, steps: np.ndarray) -> None:
        graph, slopes = instance.graph, unit_gains(instance, gain)
        if slopes is None or max(instance.copies, default=1) > 1:
            raise InputError(
                "expected linear utilities, no overhead but of the first resource, which is not above what a unit "
                "gains, and ports that come once in a slot"
            )
        if len(steps) != instance.horizon or not (np.isfinite(steps) & (steps >= 0)).all():
            raise InputError(f"steps: expected {instance.horizon} numbers from 0 on, one for each slot")
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
        """The entries of a node and a resource."""
        return [entry for entry in self.most if entry[1:] == place]

    def within_reach(self, slot: int, entry: Entry) -> float:
        """The most that an entry can be in a slot, after so many steps from nothing."""
        return min(self.most[entry], sum(self.length[t, *entry[1:]] for t in self.slots[:slot]))

    @property
    def steps(self) -> Iterator[tuple[int, Entry, float, float]]:
        """Slot, entry, the most that it can be, and the step's length along it, for each step."""
        for slot in self.moves:
            for entry, limit in self.most.items():
                yield slot, entry, limit, self.length[slot, *entry[1:]]

    @property
    def moves(self) -> range:
        """The slots after which there is another one."""
        return self.slots[:-1]


def unit_gains(instance: Instance, gain: str) -> np.ndarray | None:
    """(R, K) what a unit earns, where rewards are linear and never fall; None where they are not.

    Of resources with overhead only the first may have any: it is then the dominant one in every slot, also where
    nothing is allocated, for the policy takes the first of equal ones.
    """
    graph = instance.graph
    total = gain == "total"
    kinds, alpha = (graph.total_kind, graph.total_alpha) if total else (graph.kind, graph.alpha)
    slopes: np.ndarray = np.broadcast_to(alpha, graph.capacity.shape) - graph.overhead
    linear = (kinds == LINEAR).all() and not graph.overhead[1:].any() and (slopes >= 0).all()
    return slopes if linear else None


@group("variables", "(1)", r"x_l(t) \in \{0,1\}")
def arrivals(block: Model, instance: Instance, *, gain: str, steps: np.ndarray) -> None:
    """In every slot a port comes or stays away."""
    block.of = Ascent(instance, gain, steps)
    block.comes = pyo.Var(block.of.slots, block.of.ports, domain=pyo.Binary)


@group("variables", "(4)-(5)", r"y_{l,r}^k(t) \in [0, M_{l,r}^k(t)] \quad \forall m_{l,r}^k > 0")
def iterates(block: Model, instance: Instance, arrivals: Model) -> None:
    """What the policy allocates in every slot; nothing in the first."""
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
    """What jobs that come have of the policy's allocation, and would have of the fixed one."""
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
    """The multipliers of each projection: of a capacity, of y >= 0, of y <= m; at most a step's length."""
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
    """Whether a node is full, whether an entry is nothing, and whether it is the most that it can be."""
    of = arrivals.of
    block.full = pyo.Var(of.moves, list(of.capacity), domain=pyo.Binary)
    block.nothing, block.most = (pyo.Var(of.moves, list(of.most), domain=pyo.Binary) for _ in range(2))


@group(
    "objective",
    "(11)",
    r"\max \textstyle\sum_{t,l,r,k} s_r^k (h_{l,r}^k(t) - e_{l,r}^k(t))",
)
def regret(block: Model, instance: Instance, arrivals: Model, received: Model) -> Model:
    """What the fixed allocation earns, less what the policy earns."""
    of, earned, forgone = arrivals.of, received.earned, received.forgone
    return pyo.quicksum(
        of.gain[entry[1:]] * (forgone[t, entry] - earned[t, entry]) for t in of.slots for entry in of.most
    )


@group("constraints", "(6)", r"\textstyle\sum_l z_{l,r}^k \le c_r^k")
def comparator_capacity(block: Model, instance: Instance, arrivals: Model, comparator: Model) -> Model:
    """The fixed allocation gives at most what a node has."""
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
    """A job has what is allocated where it comes, and nothing where it stays away."""
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
    """The next allocation is the step's end, moved by the multipliers."""
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
    """A node gives at most what it has, and its capacity has a price only where it gives all."""
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
    """What y >= 0 holds up is nothing, and of a job that stays away."""
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
    """What y <= m holds back is the most that it can be, and of a job that comes."""
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
    """No step points down, so no node ever gives less, and one that is full stays full: implied, and of help."""
    of, y = arrivals.of, iterates.amount
    for t in of.moves:
        for place in of.capacity:
            now, after = (pyo.quicksum(y[s, entry] for entry in of.at(place)) for s in (t, t + 1))
            yield after >= now
            if t:
                yield binding.full[t, place] >= binding.full[t - 1, place]


PROJECTED = (stationarity, full_node, nothing_left, most_held, never_less)


def worst_arrivals(*, steps: Value, gain: str = "node") -> Program:
    """The arrivals on which projected gradient ascent with steps eta_t has the largest regret (11), linear gains.

    Parameters
    ----------
    steps
        (T,) eta_t of each slot, which do not depend on the arrivals.
    gain
        How the reward is counted, by (12) or (7).
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
