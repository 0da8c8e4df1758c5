"""The placement family's Instance: frozen, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Annotated

import msgspec

from schedproof.core.base.untyped import Network
from schedproof.core.data.codecs import DISTINCT
from schedproof.core.data.records import some
from schedproof.core.errors import InputError, expect
from schedproof.core.simulation.instance import Instance as AnyInstance
from schedproof.core.simulation.slot_game import fits
from schedproof.instances.placement.entities import Amounts, Cluster, Mode, Task

LONGEST_HORIZON = 1_000_000  # slots
MOST_DURATIONS = 10_000  # of a task: every two of them are compared


@dataclass(frozen=True, eq=False, repr=False)
class Instance(AnyInstance):
    """A validated placement instance.

    Attributes
    ----------
    horizon
        T in slots; every task is complete by it.
    resources
        Their names.
    clusters, tasks
        In file order.
    """

    horizon: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HORIZON)]
    resources: Annotated[tuple[str, ...], DISTINCT]
    clusters: Annotated[tuple[Cluster, ...], some(Cluster)]
    tasks: tuple[Task, ...]

    family = "placement"
    sense = "minimize"

    def validate(self) -> None:
        """Tasks arrive before the horizon; each allocation of one stands there once, and is not below its minimum."""
        before = f"expected a slot before the horizon, {self.horizon}"
        for i, task in enumerate(self.tasks):
            path, known = f"tasks[{i}].durations", set[Amounts]()
            expect(task.arrival < self.horizon, before, f"tasks[{i}].arrival", task.arrival)
            expect(len(task.modes) <= MOST_DURATIONS, f"expected at most {MOST_DURATIONS}", path, len(task.modes))
            for n, (allocation, _) in enumerate(task.modes):
                where = f"{path}[{n}].allocation"
                for name, amount, least in zip(self.resources, allocation, task.needs, strict=True):
                    if amount < least:
                        facts = f"expected at least the task's minimum, {least}"
                        raise InputError(facts, path=f"{where}.{name}", value=amount)
                expect(allocation not in known, "expected each allocation once", where)
                known.add(allocation)
            expect(len(task.modes) > 0, "expected at least one", path)

    def to_networkx(self) -> Network:
        """Return the bipartite graph of tasks and clusters.

        A node is named as in the file; a name of a task and a cluster becomes the pair (kind, name).

        Returns
        -------
        networkx.Graph
            A node of ``kind`` "task" has ``arrival`` (slots) and ``demand`` (b_{j,r}, its least by resource). A node of
            ``kind`` "cluster" has ``capacity`` (C_{r,n} by resource). Amounts are whole, in the resource's smallest
            units. An edge joins a task and a cluster of D_j. It has ``slots``: the fewest slots of the task on the
            empty cluster; None where no allocation fits.
        """
        from schedproof.core.simulation.networks import bipartite

        tasks = {task.name: {"arrival": task.arrival, "demand": task.minimum} for task in self.tasks}
        clusters = {cluster.name: {"capacity": cluster.capacity} for cluster in self.clusters}
        edges = (
            (task.name, cluster.name, {"slots": min((mode.slots for mode in self.usable(task, cluster)), default=None)})
            for task in self.tasks
            for cluster in map(self.clusters.__getitem__, task.clusters)
        )
        return bipartite(("task", tasks), ("cluster", clusters), edges, "slots", "fewest slots")

    def usable(self, task: Task, cluster: Cluster) -> tuple[Mode, ...]:
        """The modes of a task that the cluster has room for when it is empty; none where it is not in D_j."""
        if cluster.index not in task.clusters:
            return ()
        return tuple(mode for mode in task.modes if fits(mode.allocation, cluster.amounts))

    def shortest(self, task: Task) -> int | None:
        """The fewest slots that the task can take on any of its clusters; None where it can run on none."""
        modes, rooms = sorted(task.modes, key=attrgetter("slots")), [self.clusters[n].amounts for n in task.clusters]
        return next((mode.slots for mode in modes if any(fits(mode.allocation, room) for room in rooms)), None)

    @cached_property
    def unschedulable_tasks(self) -> tuple[Task, ...]:
        """The tasks that cannot complete by the horizon even if they had every cluster to themselves."""
        least = ((task, self.shortest(task)) for task in self.tasks)
        return tuple(task for task, slots in least if slots is None or task.arrival + slots > self.horizon)

    @cached_property
    def enough(self) -> int:
        """A horizon by which every optimal schedule has ended: the last arrival and all shortest modes, one by one.

        Proof. Let P_k be the last arrival and the shortest slots of the k tasks that complete first. If the last of J
        tasks completed after P_J, let i be the first such that each task k = i, ..., J completes after P_k. Those
        before i are done by P_{i-1}, and from there on i, ..., J could run alone, one after the other, and be done at
        P_i, ..., P_J: sooner, each of them.
        """
        last = max((task.arrival for task in self.tasks), default=0)
        return last + sum(self.shortest(task) or 0 for task in self.tasks)


def notes(instance: Instance) -> tuple[str, ...]:
    """How many tasks cannot complete even on empty clusters, in a sentence; nothing where all can."""
    if not (never := instance.unschedulable_tasks):
        return ()
    names = ", ".join(task.name for task in never[:5]) + (", ..." if len(never) > 5 else "")
    return (f"{len(never)} of {len(instance.tasks)} tasks cannot complete even on empty clusters: {names}",)
