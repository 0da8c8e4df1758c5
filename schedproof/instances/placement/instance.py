"""The placement family's Instance: frozen, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from schedproof.core.instance import Instance as AnyInstance
from schedproof.instances.placement.entities import Cluster, Mode, Task, fits


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

    horizon: int
    resources: tuple[str, ...]
    clusters: tuple[Cluster, ...]
    tasks: tuple[Task, ...]

    family = "placement"
    sense = "minimize"

    def usable(self, task: Task, cluster: Cluster) -> tuple[Mode, ...]:
        """The modes of a task that the cluster has room for when it is empty; none where it is not in D_j."""
        if cluster.index not in task.clusters:
            return ()
        return tuple(mode for mode in task.modes if fits(mode.allocation, cluster.amounts))

    def shortest(self, task: Task) -> int | None:
        """The fewest slots that the task can take on any of its clusters; None where it can run on none."""
        return min((mode.slots for n in task.clusters for mode in self.usable(task, self.clusters[n])), default=None)

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
