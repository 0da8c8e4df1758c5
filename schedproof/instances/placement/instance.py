"""The placement family's Instance: frozen, with integer amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Annotated

import msgspec

from schedproof.core.base.untyped import Network
from schedproof.core.data.codecs import DISTINCT
from schedproof.core.data.records import some
from schedproof.core.errors import InputError, expect
from schedproof.core.simulation.breaks import Break, Calendar, require_breaks
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
        T in slots; every task completes by the end of slot T - 1.
    resources
        Their names.
    clusters, tasks
        In file order.
    breaks
        Breaks of clusters, in which no task runs. Not in the paper.
    """

    horizon: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HORIZON)]
    resources: Annotated[tuple[str, ...], DISTINCT]
    clusters: Annotated[tuple[Cluster, ...], some(Cluster)]
    tasks: tuple[Task, ...]
    breaks: tuple[Break, ...] = ()

    family = "placement"
    sense = "minimize"

    def validate(self) -> None:
        """Refuse late arrivals, repeated allocations, and allocations below the minimum."""
        require_breaks(self.breaks, [cluster.name for cluster in self.clusters], self.horizon)
        before = f"expected a slot before the horizon, {self.horizon}"
        for i, task in enumerate(self.tasks):
            path, known = f"tasks[{i}].durations", set[Amounts]()
            expect(task.arrival < self.horizon, before, f"tasks[{i}].arrival", task.arrival)
            expect(
                len(task.modes) <= MOST_DURATIONS, f"expected at most {MOST_DURATIONS} durations", path, len(task.modes)
            )
            for n, (allocation, _) in enumerate(task.modes):
                where = f"{path}[{n}].allocation"
                for name, amount, least in zip(self.resources, allocation, task.needs, strict=True):
                    if amount < least:
                        facts = f"expected at least the task's minimum, {least}"
                        raise InputError(facts, path=f"{where}.{name}", value=amount)
                expect(allocation not in known, "expected each allocation once, found it twice", where)
                known.add(allocation)
            expect(len(task.modes) > 0, "expected at least one", path)
            self._require_room(task)

    def _require_room(self, task: Task) -> None:
        """Refuse a task that fits between arrival and horizon, but not outside the breaks."""
        if not self.breaks:
            return
        alone = [(n, mode.slots) for n in task.clusters for mode in self.usable(task, self.clusters[n])]
        if any(task.arrival + slots <= self.horizon for _, slots in alone):
            ends = (self.calendar.finish(n, task.arrival, slots, pauses=False) for n, slots in alone)
            within = f"expected breaks between which {task.name} can run before the horizon, {self.horizon}"
            expect(min(ends) <= self.horizon, within, "breaks")

    def to_networkx(self) -> Network:
        """Return the bipartite graph of tasks and clusters.

        A node has its name in the file, or (kind, name) if a task and a cluster share a name.

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
        """Return a task's modes that fit on the empty cluster, if it may run there."""
        if cluster.index not in task.clusters:
            return ()
        return tuple(mode for mode in task.modes if fits(mode.allocation, cluster.amounts))

    def starts(self, task: Task, n: int, mode: Mode, last: int) -> Sequence[int]:
        """Return the starts with which a task ends by ``last`` and avoids breaks."""
        slots = range(task.arrival, last - mode.slots + 1)
        if not self.breaks:
            return slots
        return [t for t in slots if self.calendar.open(n, t, t + mode.slots)]

    def shortest(self, task: Task) -> int | None:
        """Return a task's fewest slots on any of its clusters; None if it fits on none."""
        modes, rooms = sorted(task.modes, key=attrgetter("slots")), [self.clusters[n].amounts for n in task.clusters]
        return next((mode.slots for mode in modes if any(fits(mode.allocation, room) for room in rooms)), None)

    @cached_property
    def calendar(self) -> Calendar:
        """The breaks of each cluster, by position."""
        return Calendar.of(self.breaks, [cluster.name for cluster in self.clusters])

    @cached_property
    def unschedulable_tasks(self) -> tuple[Task, ...]:
        """The tasks that cannot complete by the horizon even alone on the clusters."""
        least = ((task, self.shortest(task)) for task in self.tasks)
        return tuple(task for task, slots in least if slots is None or task.arrival + slots > self.horizon)

    @cached_property
    def enough(self) -> int:
        """A slot by which every optimal schedule has ended.

        Proof. Let P_k be the later of the last arrival and the end of all breaks, plus the shortest slots of the k
        tasks that complete first. If the last of J tasks completes after P_J, let i be the first index such that each
        task k = i, ..., J completes after P_k. The tasks before i are done by P_{i-1}. From then on, the tasks i, ...,
        J could run one after the other and be done at P_i, ..., P_J. Each of them would complete earlier, a
        contradiction.
        """
        last = max([0, *(task.arrival for task in self.tasks), *(row.end for row in self.breaks)])
        return last + sum(self.shortest(task) or 0 for task in self.tasks)


def notes(instance: Instance) -> tuple[str, ...]:
    """Return a warning about tasks that cannot complete even on empty clusters."""
    if not (never := instance.unschedulable_tasks):
        return ()
    names = ", ".join(task.name for task in never[:5]) + (", ..." if len(never) > 5 else "")
    return (f"{len(never)} of {len(instance.tasks)} tasks cannot complete even on empty clusters: {names}",)
