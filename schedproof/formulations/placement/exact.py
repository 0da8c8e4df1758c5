"""Program (1)-(8) with one binary for each start: task, cluster, mode and slot.

The indices contain the start time t*_j and the allocation x_{j,r,n}, so (6) and (7) need no rows. They also imply (8):
a column exists only for modes that are at least the minimum and fit the cluster. The slots are those of `windows`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model, Value
from schedproof.core.data.options import pick
from schedproof.core.errors import ProgramError
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.core.simulation.policy import DecidedBy
from schedproof.formulations.placement.brute_force import by_brute_force
from schedproof.formulations.placement.second_route import by_cpsat
from schedproof.instances.placement import Cluster, Instance, Mode, Schedule, Start, Task, fits

MOST_ENTRIES = 2_000_000  # of all rows together; Pyomo takes some 200 bytes for each


class Window(NamedTuple):
    """A mode of a task on a cluster, and the slots in which it may start."""

    task: Task
    cluster: Cluster
    number: int
    mode: Mode
    slots: Sequence[int]

    @property
    def indices(self) -> list[tuple[str, str, int, int]]:
        """List the indices (task, cluster, number of the mode, slot)."""
        return [(self.task.name, self.cluster.name, self.number, t) for t in self.slots]


def windows(instance: Instance) -> list[Window]:
    """List every usable mode with its possible start slots in an optimal schedule.

    Every optimal schedule has ended by ``instance.enough``, plus one slot per task for closed intervals.

    Raises
    ------
    ProgramError
        When a model would be too large.
    """
    last = min(instance.horizon, instance.enough + len(instance.tasks))
    result = [
        Window(
            task,
            instance.clusters[n],
            number,
            mode,
            instance.starts(task, n, mode, last),
        )
        for task in instance.tasks
        for n in task.clusters
        for number, mode in enumerate(task.modes)
        if fits(mode.allocation, instance.clusters[n].amounts)
    ]
    entries = sum(len(w.slots) * (3 + w.mode.slots * len(instance.resources)) for w in result)
    if entries > MOST_ENTRIES:
        raise ProgramError(
            f"a program with a column for each start would have {entries} entries, expected at most "
            f"{MOST_ENTRIES}: reduce the number of tasks, modes or slots"
        )
    return result


@group(
    "variables",
    "(4), (6)-(8)",
    r"y_{j,n,x,t} \in \{0,1\} \quad \forall n \in \mathcal{D}_j, b_j \le x \le C_n, \hat{t}_j \le t \le T - d_{j,x}",
)
def starts(block: Model, instance: Instance) -> None:
    """Whether a task starts on cluster n in mode x at slot t; all optima end by T."""
    block.windows = windows(instance)
    block.on = pyo.Var([index for w in block.windows for index in w.indices], domain=pyo.Binary)
    can = {w.task.name for w in block.windows if w.slots}
    block.nowhere = pyo.Var([task.name for task in instance.tasks if task.name not in can], bounds=(0, 0))


@group(
    "objective",
    "(1)",
    r"\min \textstyle\sum_{j,n,x,t} (t + d_{j,x} - \hat{t}_j)\, y_{j,n,x,t}",
)
def completion_times(block: Model, instance: Instance, starts: Model) -> Model:
    """The total time from arrival to completion of all tasks that start."""
    return pyo.quicksum((index[-1] + w.mode.slots - w.task.arrival) * on for w, index, on in _columns(starts))


@group("constraints", "(2)", r"\textstyle\sum_{j,x} y_{j,n,x,t} \le 1")
def one_start_each(block: Model, instance: Instance, starts: Model) -> Model:
    """A cluster starts at most one task in a slot."""
    terms: dict[tuple[str, int], list[Model]] = defaultdict(list)
    for w, index, on in _columns(starts):
        terms[w.cluster.name, index[-1]].append(on)
    return {key: pyo.quicksum(mine) <= 1 for key, mine in terms.items()}


@group("constraints", "(3)", r"\textstyle\sum_{n,x,t} y_{j,n,x,t} = 1")
def every_task_once(block: Model, instance: Instance, starts: Model) -> Model:
    """Every task starts exactly once, on one cluster."""
    return {j: started == 1 for j, started in _starts_of(starts, instance).items()}


@group("constraints", "(3)", r"\textstyle\sum_{n,x,t} y_{j,n,x,t} \le 1")
def at_most_once(block: Model, instance: Instance, starts: Model) -> Model:
    """Every task starts at most once, as printed."""
    return {j: started <= 1 for j, started in _starts_of(starts, instance).items()}


@group(
    "constraints",
    "(5)",
    r"\textstyle\sum_{j,x,s: s \le t < s + d_{j,x}} x_r\, y_{j,n,x,s} \le C_{r,n}",
)
def capacity(block: Model, instance: Instance, starts: Model) -> Model:
    """The tasks that run in a slot use at most each resource's capacity."""
    return _capacity(starts, instance, 0)


@group(
    "constraints",
    "(5)",
    r"\textstyle\sum_{j,x,s: s \le t \le s + d_{j,x}} x_r\, y_{j,n,x,s} \le C_{r,n}",
)
def closed_capacity(block: Model, instance: Instance, starts: Model) -> Model:
    """As printed: a task also holds its resources in the slot of its completion."""
    return _capacity(starts, instance, 1)


def _capacity(starts: Model, instance: Instance, longer: int) -> Model:
    terms: dict[tuple[str, str, int], list[Model]] = defaultdict(list)
    for w, index, on in _columns(starts):
        for name, amount in zip(instance.resources, w.mode.allocation, strict=True):
            for t in range(index[-1], index[-1] + w.mode.slots + longer) if amount else ():
                terms[w.cluster.name, name, t].append(amount * on)
    there = {cluster.name: dict(zip(instance.resources, cluster.amounts, strict=True)) for cluster in instance.clusters}
    return {(n, r, t): pyo.quicksum(mine) <= there[n][r] for (n, r, t), mine in terms.items()}


def _columns(starts: Model) -> Iterator[tuple[Window, tuple[str, str, int, int], Model]]:
    return ((w, index, starts.on[index]) for w in starts.windows for index in w.indices)


def _starts_of(starts: Model, instance: Instance) -> dict[str, Model]:
    terms: dict[str, list[Model]] = defaultdict(list)
    for name, never in starts.nowhere.items():
        terms[name].append(never)
    for w, _, on in _columns(starts):
        terms[w.task.name].append(on)
    return {task.name: pyo.quicksum(terms[task.name]) for task in instance.tasks}


EACH = {"exactly": every_task_once, "at_most": at_most_once}
INTERVALS = {
    "half_open": (capacity, 0),
    "closed": (closed_capacity, 1),
}  # and the number of slots by which a hold is longer


def exact(*, each: str = "exactly", interval: str = "half_open") -> Program:
    """With ``each=at_most`` no task has to start, so the optimum is 0."""
    once = pick("each", each, EACH)
    held, longer = pick("interval", interval, INTERVALS)
    settings = {"must_start": each == "exactly", "longer": longer}
    return Program(
        id="placement.exact",
        sense="minimize",
        groups=(completion_times, one_start_each, once, held, starts),
        routes={
            "cpsat": Route(partial(by_cpsat, **settings), "cpsat"),
            "brute": Route(partial(by_brute_force, **settings), EXHAUSTIVE),
        },
        to_schedule=to_schedule if each == "exactly" else None,
        to_point=to_point,
        default_solver="cpsat",
        provable=(each, interval) == ("exactly", "half_open"),
    )


def to_schedule(model: Model, instance: Instance) -> Schedule:
    """Return the schedule of a solved model."""
    task = {task.name: task for task in instance.tasks}
    cluster = {cluster.name: cluster.index for cluster in instance.clusters}
    on = (index for index, y in model.starts.on.items() if y.value and y.value > 0.5)
    rows = (Start(task[j].index, cluster[n], task[j].modes[number].allocation, t) for j, n, number, t in on)
    return Schedule.of(rows, instance, DecidedBy(model.local_name, {}, 0))


def to_point(schedule: Schedule, instance: Instance, **parameters: Value) -> dict[str, dict[Model, int]]:
    """Return the starts of a schedule."""
    on = {}
    for row in schedule.starts:
        task = instance.tasks[row.task]
        number = [mode.allocation for mode in task.modes].index(row.allocation)
        on[task.name, instance.clusters[row.cluster].name, number, row.slot] = 1
    return {"starts.on": on}
