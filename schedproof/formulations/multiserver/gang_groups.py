"""Gang scheduling (III-E): enough of a job's tasks start together, or none.

The paper counts a task as scheduled when it gets any amount, sum over (r, k) of y > 0, and requires m_l such tasks of
every port. This set is not closed and in general has no optimum, because the amount of a task that merely counts can be
arbitrarily small. So here a started task gets at least its minimum (``task_minimum``), and a job may be rejected. The
paper's supremum is the optimum without ``task_minimum``, if every port can give enough tasks a positive amount.

A job's index is (port, number), where the number is 1 unless several jobs of the port are present (III-D).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import below, scalar
from schedproof.core.base.untyped import Model
from schedproof.core.programs.group import group
from schedproof.formulations.multiserver.reward import check_slot
from schedproof.formulations.multiserver.utilities import gain
from schedproof.instances.multiserver import Instance, Port, Task, Utility


class Gangs:
    """The jobs that are present in a slot, and their tasks.

    Attributes
    ----------
    jobs
        (port, number) -> the port.
    tasks
        (port, number, task) -> the task. A port without tasks has a single task with the whole demand and no minimum.
    channels
        (port, number, task, node, resource) -> the channel's limit, a_l^{q,k}.
    """

    def __init__(self, instance: Instance, slot: int) -> None:
        check_slot(instance, slot)
        counts = instance.arrivals[slot].tolist()
        present = [(port, n + 1) for port, count in zip(instance.ports, counts, strict=True) for n in range(count)]
        self.jobs = {(port.name, n): port for port, n in present}
        self.tasks = {(*job, q): task for job, port in self.jobs.items() for q, task in enumerate(tasks(port))}
        self.channels = {
            (*key, instance.nodes[r].name, k): below(task.demand[k])
            for key, task in self.tasks.items()
            for r in self.jobs[key[:2]].nodes
            for k in instance.resources
            if task.demand.get(k)
        }

    def by(self, index: Callable[..., Hashable]) -> dict[Model, list[Model]]:
        """Group the channels by a function of (port, number, task, node, resource)."""
        groups: dict[Model, list[Model]] = {}
        for key in self.channels:
            groups.setdefault(index(*key), []).append(key)
        return groups


def tasks(port: Port) -> tuple[Task, ...]:
    return port.tasks or (Task(dict(port.demand), {}),)


@group("variables", "III-E", r"u_l \in \{0,1\}")
def launch(block: Model, instance: Instance, *, slot: int) -> None:
    """A job that is present is launched or not."""
    block.gangs = Gangs(instance, slot)
    block.launched = pyo.Var(list(block.gangs.jobs), domain=pyo.Binary)


@group("variables", "III-E", r"s_l^q \in \{0,1\}")
def start(block: Model, instance: Instance, launch: Model) -> None:
    """A task is started or not."""
    block.started = pyo.Var(list(launch.gangs.tasks), domain=pyo.Binary)


@group(
    "variables",
    "III-E",
    r"y_{l,r}^{q,k} \in [0, a_l^{q,k}] \quad \forall r \in \mathcal{R}_l, a_l^{q,k} > 0",
)
def task_allocation(block: Model, instance: Instance, launch: Model) -> None:
    """Each channel gives a task an amount of each resource that it demands."""
    limit = launch.gangs.channels
    block.amount = pyo.Var(list(limit), domain=pyo.NonNegativeReals, bounds=lambda _, *key: (0, limit[key]))


@group("variables", "III-E", r"o_l \ge 0")
def overheads(block: Model, instance: Instance, launch: Model) -> None:
    """A job has a communication overhead."""
    block.overhead = pyo.Var(list(launch.gangs.jobs), domain=pyo.NonNegativeReals)


@group(
    "objective",
    "(12)",
    r"\max \textstyle\sum_{l,k,r} f_r^k\bigl(\sum_q y_{l,r}^{q,k}\bigr)",
)
def gang_gain_by_node(block: Model, instance: Instance, launch: Model, task_allocation: Model) -> Model:
    """The utility, by node and resource, of a job's amount over all its tasks."""
    node = {node.name: node.index for node in instance.nodes}
    held = launch.gangs.by(lambda port, n, q, r, k: (port, n, r, k))
    utilities = ((instance.utility(node[r], k), keys) for (_, _, r, k), keys in held.items())
    return _gains(block, task_allocation, utilities)


@group(
    "objective",
    "III-E",
    r"\max \textstyle\sum_{l,k} f_k\bigl(\sum_{q,r} y_{l,r}^{q,k}\bigr)",
)
def gang_gain_by_total(block: Model, instance: Instance, launch: Model, task_allocation: Model) -> Model:
    """The utility, by resource, of a job's amount over all its tasks and nodes."""
    held = launch.gangs.by(lambda port, n, q, r, k: (port, n, k))
    return _gains(block, task_allocation, ((instance.utilities[k], keys) for (_, _, k), keys in held.items()))


def _gains(block: Model, task_allocation: Model, rows: Iterable[tuple[Utility, list[Model]]]) -> Model:
    block.gains = [(utility, _total(task_allocation, keys)) for utility, keys in rows]
    return pyo.quicksum(gain(utility, total) for utility, total in block.gains)


@group("objective", "III-E", r"{} - \textstyle\sum_l o_l")
def gang_overhead(block: Model, instance: Instance, overheads: Model) -> Model:
    """Minus the jobs' communication overheads."""
    return -pyo.quicksum(overheads.overhead.values())


@group(
    "constraints",
    "III-E",
    r"o_l \ge \beta_k \textstyle\sum_{q,r} y_{l,r}^{q,k} \quad \forall k \in \mathcal{K}_l",
)
def dominant_overhead(
    block: Model, instance: Instance, launch: Model, overheads: Model, task_allocation: Model
) -> Model:
    """A job's overhead is the largest of its resources, K_l."""
    held = launch.gangs.by(lambda port, n, q, r, k: (port, n, k))
    beta = {k: scalar(rate) for k, rate in instance.overhead.items()}
    return {
        (port, n, k): overheads.overhead[port, n] >= beta[k] * _total(task_allocation, keys)
        for (port, n, k), keys in held.items()
    }


@group("constraints", "III-E", r"y_{l,r}^{q,k} \le a_l^{q,k} s_l^q")
def task_demand(block: Model, instance: Instance, launch: Model, start: Model, task_allocation: Model) -> Model:
    """A started task gets at most its demand from a node; other tasks get nothing."""
    amount, started = task_allocation.amount, start.started
    return {key: amount[key] <= limit * started[key[:3]] for key, limit in launch.gangs.channels.items()}


@group(
    "constraints",
    "III-E",
    r"\textstyle\sum_r y_{l,r}^{q,k} \ge b_l^{q,k} s_l^q \quad \forall b_l^{q,k} > 0",
)
def task_minimum(block: Model, instance: Instance, launch: Model, start: Model, task_allocation: Model) -> Model:
    """A started task gets at least its minimum, over all nodes together."""
    held = launch.gangs.by(lambda port, n, q, r, k: (port, n, q, k))
    return {
        (*key, k): _total(task_allocation, held.get((*key, k), ())) >= scalar(amount) * start.started[key]
        for key, task in launch.gangs.tasks.items()
        for k, amount in task.minimum.items()
        if amount
    }


@group("constraints", "III-E", r"s_l^q \le u_l")
def started_when_launched(block: Model, instance: Instance, launch: Model, start: Model) -> Model:
    """Only a launched job starts tasks."""
    return {key: started <= launch.launched[key[:2]] for key, started in start.started.items()}


@group("constraints", "III-E", r"\textstyle\sum_q s_l^q \ge m_l u_l \quad \forall m_l > 0")
def enough_tasks(block: Model, instance: Instance, launch: Model, start: Model) -> Model:
    """A launched job starts at least its required number of tasks, m_l."""
    return {
        job: pyo.quicksum(start.started[*job, :]) >= port.minimum_tasks * launch.launched[job]
        for job, port in launch.gangs.jobs.items()
        if port.minimum_tasks
    }


@group("constraints", "III-E", r"\textstyle\sum_{l,q} y_{l,r}^{q,k} \le c_r^k")
def gang_capacity(block: Model, instance: Instance, launch: Model, task_allocation: Model) -> Model:
    """A node gives all tasks together at most its capacity."""
    held = launch.gangs.by(lambda port, n, q, r, k: (r, k))
    limit = {(node.name, k): below(amount) for node in instance.nodes for k, amount in node.capacity.items()}
    return {place: _total(task_allocation, keys) <= limit.get(place, 0.0) for place, keys in held.items()}


def _total(task_allocation: Model, keys: Iterable[Model]) -> Model:
    return pyo.quicksum(task_allocation.amount[key] for key in keys)


TASKS = (
    gang_overhead,
    dominant_overhead,
    task_demand,
    task_minimum,
    started_when_launched,
    enough_tasks,
    gang_capacity,
    launch,
    start,
    task_allocation,
    overheads,
)
