"""Gang scheduling (III-E) in groups: a job's tasks start together, enough of them, or the job is not launched.

The paper counts a task as scheduled when it gets anything at all, sum over (r, k) of y > 0, and wants m_l such tasks of
every port. That is no closed set, and in general nothing on it is best: ever smaller crumbs for the tasks that only
have to be counted come ever closer to the optimum without any gangs. So here a started task gets at least its minimum
(``task_minimum``), and a job may also be left alone. The paper's own supremum is the optimum of the program without
``task_minimum``, wherever every port can get enough tasks something at all.

A job's index is (port, number), its number being 1 unless several jobs of the port are present (III-D).
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
        (port, number, task) -> the task. A port without tasks has a single one: all that it demands, and no minimum.
    channels
        (port, number, task, node, resource) -> the most that the channel may give, a_l^{q,k}.
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
        """The channels gathered by a function of (port, number, task, node, resource)."""
        groups: dict[Model, list[Model]] = {}
        for key in self.channels:
            groups.setdefault(index(*key), []).append(key)
        return groups


def tasks(port: Port) -> tuple[Task, ...]:
    """A port's tasks."""
    return port.tasks or (Task(dict(port.demand), {}),)


@group("variables", "III-E", r"u_l \in \{0,1\}")
def launch(block: Model, instance: Instance, *, slot: int) -> None:
    """A job that is present is launched or not."""
    block.gangs = Gangs(instance, slot)
    block.launched = pyo.Var(list(block.gangs.jobs), domain=pyo.Binary)


@group("variables", "III-E", r"s_l^q \in \{0,1\}", needs=("launch",))
def start(block: Model, instance: Instance) -> None:
    """A task is started or not."""
    block.started = pyo.Var(list(block.model().launch.gangs.tasks), domain=pyo.Binary)


@group(
    "variables",
    "III-E",
    r"y_{l,r}^{q,k} \in [0, a_l^{q,k}] \quad \forall r \in \mathcal{R}_l, a_l^{q,k} > 0",
    needs=("launch",),
)
def task_allocation(block: Model, instance: Instance) -> None:
    """Through each channel a task gets so much of each resource that it demands."""
    limit = block.model().launch.gangs.channels
    block.amount = pyo.Var(list(limit), domain=pyo.NonNegativeReals, bounds=lambda _, *key: (0, limit[key]))


@group("variables", "III-E", r"o_l \ge 0", needs=("launch",))
def overheads(block: Model, instance: Instance) -> None:
    """A job has a communication overhead."""
    block.overhead = pyo.Var(list(block.model().launch.gangs.jobs), domain=pyo.NonNegativeReals)


@group(
    "objective",
    "(12)",
    r"\max \textstyle\sum_{l,k,r} f_r^k\bigl(\sum_q y_{l,r}^{q,k}\bigr)",
    needs=("task_allocation",),
)
def gang_gain_by_node(block: Model, instance: Instance) -> None:
    """What a job gains from all that its tasks get through each channel, by the utility of the channel's node."""
    node = {node.name: node.index for node in instance.nodes}
    held = block.model().launch.gangs.by(lambda port, n, q, r, k: (port, n, r, k))
    _gains(block, ((instance.utility(node[r], k), keys) for (_, _, r, k), keys in held.items()))


@group(
    "objective",
    "III-E",
    r"\max \textstyle\sum_{l,k} f_k\bigl(\sum_{q,r} y_{l,r}^{q,k}\bigr)",
    needs=("task_allocation",),
)
def gang_gain_by_total(block: Model, instance: Instance) -> None:
    """What a job gains from all that its tasks get of each resource, by the utility of the resource."""
    held = block.model().launch.gangs.by(lambda port, n, q, r, k: (port, n, k))
    _gains(block, ((instance.utilities[k], keys) for (_, _, k), keys in held.items()))


def _gains(block: Model, rows: Iterable[tuple[Utility, list[Model]]]) -> None:
    """Utilities and the channels that each is applied to; `tangents` reads the list."""
    amount = block.model().task_allocation.amount
    block.gains = [(utility, pyo.quicksum(amount[key] for key in keys)) for utility, keys in rows]
    block.term = pyo.quicksum(gain(utility, total) for utility, total in block.gains)


@group("objective", "III-E", r"{} - \textstyle\sum_l o_l", needs=("overheads",))
def gang_overhead(block: Model, instance: Instance) -> None:
    """The communication overheads."""
    block.term = -pyo.quicksum(block.model().overheads.overhead.values())


@group(
    "constraints",
    "III-E",
    r"o_l \ge \beta_k \textstyle\sum_{q,r} y_{l,r}^{q,k} \quad \forall k \in \mathcal{K}_l",
    needs=("overheads", "task_allocation"),
)
def dominant_overhead(block: Model, instance: Instance) -> None:
    """A job's overhead is that of the resource that dominates it, of those (K_l) that its tasks can get."""
    model = block.model()
    held = model.launch.gangs.by(lambda port, n, q, r, k: (port, n, k))
    beta = {k: scalar(rate) for k, rate in instance.overhead.items()}
    block.row = pyo.Constraint(
        list(held),
        rule=lambda _, port, n, k: model.overheads.overhead[port, n] >= beta[k] * _total(model, held[port, n, k]),
    )


@group("constraints", "III-E", r"y_{l,r}^{q,k} \le a_l^{q,k} s_l^q", needs=("start", "task_allocation"))
def task_demand(block: Model, instance: Instance) -> None:
    """A channel gives a started task at most what it demands, and nothing to a task that is not started."""
    model = block.model()
    limit = model.launch.gangs.channels
    block.row = pyo.Constraint(
        list(limit), rule=lambda _, *key: model.task_allocation.amount[key] <= limit[key] * model.start.started[key[:3]]
    )


@group(
    "constraints",
    "III-E",
    r"\textstyle\sum_r y_{l,r}^{q,k} \ge b_l^{q,k} s_l^q \quad \forall b_l^{q,k} > 0",
    needs=("start", "task_allocation"),
)
def task_minimum(block: Model, instance: Instance) -> None:
    """A started task gets at least its minimum, over all nodes together."""
    model = block.model()
    held = model.launch.gangs.by(lambda port, n, q, r, k: (port, n, q, k))
    least = {
        (*key, k): scalar(amount)
        for key, task in model.launch.gangs.tasks.items()
        for k, amount in task.minimum.items()
        if amount
    }
    block.row = pyo.Constraint(
        list(least), rule=lambda _, *key: _total(model, held.get(key, ())) >= least[key] * model.start.started[key[:3]]
    )


@group("constraints", "III-E", r"s_l^q \le u_l", needs=("start",))
def started_when_launched(block: Model, instance: Instance) -> None:
    """Only a launched job starts tasks."""
    model = block.model()
    block.row = pyo.Constraint(
        list(model.launch.gangs.tasks), rule=lambda _, *key: model.start.started[key] <= model.launch.launched[key[:2]]
    )


@group("constraints", "III-E", r"\textstyle\sum_q s_l^q \ge m_l u_l \quad \forall m_l > 0", needs=("start",))
def enough_tasks(block: Model, instance: Instance) -> None:
    """A launched job starts at least as many tasks as it cannot do without."""
    model = block.model()
    least = {job: port.minimum_tasks for job, port in model.launch.gangs.jobs.items() if port.minimum_tasks}
    block.row = pyo.Constraint(
        list(least),
        rule=lambda _, *job: pyo.quicksum(model.start.started[*job, :]) >= least[job] * model.launch.launched[job],
    )


@group("constraints", "III-E", r"\textstyle\sum_{l,q} y_{l,r}^{q,k} \le c_r^k", needs=("task_allocation",))
def gang_capacity(block: Model, instance: Instance) -> None:
    """A node gives all tasks together at most what it has."""
    model = block.model()
    held = model.launch.gangs.by(lambda port, n, q, r, k: (r, k))
    limit = {(node.name, k): below(amount) for node in instance.nodes for k, amount in node.capacity.items()}
    block.row = pyo.Constraint(list(held), rule=lambda _, *place: _total(model, held[place]) <= limit.get(place, 0.0))


def _total(model: Model, keys: Iterable[Model]) -> Model:
    """What channels give in all."""
    return pyo.quicksum(model.task_allocation.amount[key] for key in keys)


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
