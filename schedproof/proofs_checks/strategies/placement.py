"""Hypothesis strategies for tiny placement instances with little room.

They have up to three tasks on up to two clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from schedproof.core.data.reading import Count
from schedproof.core.errors import expect
from schedproof.instances.placement import Instance, Mode, Task, from_json

RESOURCES = ("gpu", "cpu")
LONG = 99  # slots
Amounts = Sequence[int]
TaskOf = tuple[int, Sequence[int], Sequence[tuple[Amounts, int]]]  # arrival, clusters, and allocation and slots
Placed = tuple[Count, Count, Count]  # a cluster, a mode of the task and the slot of its start


@dataclass(frozen=True)
class OfInstance:
    instance: Instance


@dataclass(frozen=True)
class Scheduled(OfInstance):
    """An instance and a schedule that satisfies (2), (3), (5) and (8).

    (5) is taken on half-open intervals.

    Attributes
    ----------
    starts
        For each task its cluster, its mode and the slot of its start.
    """

    starts: tuple[Placed, ...]

    def __post_init__(self) -> None:
        fit = len(self.starts) == len(self.instance.tasks) and all(
            n < len(self.instance.clusters) and mode < len(task.modes)
            for task, (n, mode, _) in zip(self.instance.tasks, self.starts, strict=True)
        )
        expect(fit, "expected a cluster, a mode and a slot of each task", "starts", len(self.starts))
        for j, (task, place) in enumerate(zip(self.instance.tasks, self.starts, strict=True)):
            may = place[0] in task.clusters and place[2] >= task.arrival
            end = place[2] + task.modes[place[1]].slots
            before = dict(enumerate(self.starts[:j]))
            fit = may and end <= self.instance.horizon and _free(self.instance, before, place, j)
            expect(fit, "expected a schedule of the instance", f"starts[{j}]")

    def rows(self) -> list[tuple[Task, Mode, int, int]]:
        result = zip(self.instance.tasks, self.starts, strict=True)
        return [(task, task.modes[mode], cluster, slot) for task, (cluster, mode, slot) in result]

    @property
    def completion_times(self) -> int:
        """The objective (1): the sum of the tasks' times from arrival to completion."""
        return sum(slot + mode.slots - task.arrival for task, mode, _, slot in self.rows())


def build(tasks: Sequence[TaskOf], clusters: Sequence[Amounts], horizon: int, needs: Amounts | None = None) -> Instance:
    """An instance; by default a task needs its smallest allocation per resource."""
    names = RESOURCES[: len(clusters[0])]
    rows = []
    for j, (arrival, places, modes) in enumerate(tasks):
        least = needs or [min(amounts) for amounts in zip(*(x for x, _ in modes), strict=True)]
        rows.append(
            {
                "name": f"j{j}",
                "arrival": arrival,
                "clusters": [f"n{n}" for n in places],
                "minimum": dict(zip(names, least, strict=True)),
                "kind": "training",
                "durations": [{"allocation": dict(zip(names, x, strict=True)), "slots": d} for x, d in modes],
            }
        )
    boxes = [{"name": f"n{n}", "capacity": dict(zip(names, c, strict=True))} for n, c in enumerate(clusters)]
    value: dict[str, Any] = {"version": 1, "family": "placement", "horizon": horizon, "resources": list(names)}
    return from_json(value | {"clusters": boxes, "tasks": rows})


MODES = (  # of one resource
    (((1,), 1),),
    (((1,), 2),),
    (((1,), 3),),
    (((2,), 1),),
    (((1,), 3), ((2,), 1)),
    (((1,), 2), ((2,), 2)),
)


@st.composite
def instances(pick: Any, *, most: int = 3, roomy: bool = False, reach: int = 2) -> Instance:
    """Tasks that come in slots 0 to 2, with one or two modes, on small clusters.

    Clusters have one or two units.

    Parameters
    ----------
    most
        The largest number of tasks.
    roomy
        Whether the horizon is long enough for any schedule; else it may be too short for all tasks.
    reach
        The largest number of clusters that a task can reach.
    """
    clusters = [(pick(st.sampled_from((1, 1, 2))),) for _ in range(pick(st.integers(1, 2)))]
    tasks: list[TaskOf] = []
    for _ in range(pick(st.integers(1, most))):
        places = sorted(pick(st.sets(st.integers(0, len(clusters) - 1), min_size=1, max_size=reach)))
        room = max(clusters[n][0] for n in places)
        modes = pick(st.sampled_from([row for row in MODES if min(x for (x,), _ in row) <= room]))
        tasks.append((pick(st.sampled_from((0, 0, 1, 2))), places, modes))
    enough = build(tasks, clusters, LONG).enough
    least = 1 + max(task[0] for task in tasks)
    return build(tasks, clusters, LONG if roomy else pick(st.integers(max(least, enough - 2), enough)))


def of_instances(**settings: Any) -> Any:
    return instances(**settings).map(OfInstance)


@st.composite
def scheduled_cases(pick: Any, /, **settings: Any) -> Scheduled:
    """An instance and a schedule by list scheduling, with delays of one slot.

    Tasks are in some order, each on some cluster.
    """
    instance = pick(instances(roomy=True, **settings))
    starts: dict[int, Placed] = {}
    for j in pick(st.permutations(range(len(instance.tasks)))):
        task = instance.tasks[j]
        ways = [(n, m) for n in task.clusters for m, mode in enumerate(task.modes) if _holds(instance, n, mode)]
        cluster, number = pick(st.sampled_from(ways))
        slot = task.arrival + pick(st.sampled_from((0, 0, 1)))
        while not _free(instance, starts, (cluster, number, slot), j):
            slot += 1
        starts[j] = (cluster, number, slot)
    return Scheduled(instance, tuple(starts[j] for j in range(len(instance.tasks))))


def _holds(instance: Instance, n: int, mode: Mode) -> bool:
    return all(x <= c for x, c in zip(mode.allocation, instance.clusters[n].amounts, strict=True))


def _free(instance: Instance, starts: dict[int, Placed], at: Placed, j: int) -> bool:
    here = [(*place, instance.tasks[k].modes[place[1]]) for k, place in starts.items() if place[0] == at[0]]
    mode = instance.tasks[j].modes[at[1]]
    if any(slot == at[2] for _, _, slot, _ in here):
        return False
    for u in range(at[2], at[2] + mode.slots):
        running = [other.allocation for _, _, slot, other in here if slot <= u < slot + other.slots]
        for r, amount in enumerate(mode.allocation):
            if amount + sum(x[r] for x in running) > instance.clusters[at[0]].amounts[r]:
                return False
    return True
