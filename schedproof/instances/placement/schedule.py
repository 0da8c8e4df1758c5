"""A placement schedule: cluster, slot, allocation and any stop of each start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Scope, Value
from schedproof.core.data.codecs import Codec, ref
from schedproof.core.data.reading import Number
from schedproof.core.data.records import codec_of
from schedproof.core.simulation.instance import Schedule as AnySchedule
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.policy import DecidedBy
from schedproof.core.simulation.timeline import Timeline
from schedproof.instances.placement.entities import Amounts, Resource, Task, in_order
from schedproof.instances.placement.instance import Instance

SWITCH = Fraction(1, 2)  # slots without progress at the start of every run of a task but its first (section V-B)


def _in_order(given: dict[str, int], path: str, row: Value, instance: Scope) -> Amounts:
    RESOURCES.read(given, path, row, instance)
    return in_order(given, instance.resources)


RESOURCES = codec_of(dict[Resource, Number])
ALLOCATION = Codec(
    dict[str, Number],
    _in_order,
    lambda amounts, start, instance: dict(zip(instance.resources, amounts, strict=True)),
)


class Start(NamedTuple):
    """A run of a task on a cluster; task and cluster are file positions.

    Attributes
    ----------
    allocation
        x_{j,r,n}, in the order of the resources.
    slot
        The slot of its start.
    until
        The slot at whose start the run is stopped; None if it lasts until the task completes.
    """

    task: Annotated[int, ref("tasks")]
    cluster: Annotated[int, ref("clusters")]
    allocation: Annotated[Amounts, ALLOCATION]
    slot: Number
    until: Number | None = None


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """The decisions of a policy or program on one instance.

    Attributes
    ----------
    starts
        By slot.
    """

    starts: tuple[Start, ...]

    family = "placement"

    def __post_init__(self) -> None:
        rows = sorted(self.starts, key=lambda row: (row.slot, row.cluster, row.task))
        object.__setattr__(self, "starts", tuple(rows))

    @classmethod
    def of(cls, starts: Iterable[Start], instance: Instance, by: DecidedBy) -> Schedule:
        return cls.by(by, instance, tuple(starts))

    def runs(self) -> dict[int, list[Start]]:
        """Return each started task's runs, by slot."""
        result: dict[int, list[Start]] = {}
        for row in self.starts:
            result.setdefault(row.task, []).append(row)
        return result

    def completions(self, instance: Instance) -> dict[int, int]:
        """Return the first slot after the completion of each completed task."""
        ends = {j: completion(instance.tasks[j], rows) for j, rows in self.runs().items()}
        return {j: end for j, end in ends.items() if end is not None}

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """Return (1), the sum of phi_j; an incomplete task counts until the horizon."""
        ends = self.completions(instance)
        return Fraction(sum(ends.get(task.index, instance.horizon) - task.arrival for task in instance.tasks))

    def occupied(self, instance: Instance) -> Iterator[Occupied]:
        """Yield one row per run and resource; a run that never completes has one slot."""
        for j, runs in self.runs().items():
            for n, run in enumerate(runs):
                end = run.until if n + 1 < len(runs) else completion(instance.tasks[j], runs)
                for name, amount in zip(instance.resources, run.allocation, strict=True):
                    yield Occupied(j, run.cluster, name, run.slot, run.slot + 1 if end is None else end, amount)

    def timeline(self, instance: Instance) -> Timeline:
        """Return the utilisation of all resources over time."""
        ends, rows = self.completions(instance), list(self.occupied(instance))
        room = dict(
            zip(instance.resources, map(sum, zip(*(c.amounts for c in instance.clusters), strict=True)), strict=True)
        )
        return Timeline.of(
            (task.arrival for task in instance.tasks),
            (ends.get(task.index, instance.horizon) for task in instance.tasks),
            ((row.job, row.start, row.end) for row in rows),
            use={name: [(r.start, r.end, r.amount) for r in rows if r.resource == name] for name in room},
            room={name: [(0, instance.horizon, amount), *_closed(instance, name)] for name, amount in room.items()},
            alone=lambda j, n: _time_alone(instance, instance.tasks[j], n),
        )

    def frame_of(self, instance: Instance) -> Any:
        """Return one row per task: kind, arrival, cluster, start, completion, JCT."""
        import pandas as pd

        runs, ends = self.runs(), self.completions(instance)
        return pd.DataFrame(
            [
                {
                    "task": task.name,
                    "kind": task.kind,
                    "arrival": task.arrival,
                    "cluster": instance.clusters[runs[task.index][-1].cluster].name if task.index in runs else None,
                    "start": runs[task.index][0].slot if task.index in runs else None,
                    "completion": ends.get(task.index),
                    "slots": ends[task.index] - task.arrival if task.index in ends else None,
                }
                for task in instance.tasks
            ],
            columns=["task", "kind", "arrival", "cluster", "start", "completion", "slots"],
        ).astype({"start": "Int64", "completion": "Int64", "slots": "Int64"})


def _time_alone(instance: Instance, task: Task, n: Fraction) -> Fraction | None:
    """Return a task's slots alone on 1/n of the clusters; None if it fits nowhere.

    The task uses its best allocation for a fraction of the time, so that its average use of its dominant resource is
    1/n.
    """
    totals = [sum(amounts) for amounts in zip(*(cluster.amounts for cluster in instance.clusters), strict=True)]
    modes = {mode for k in task.clusters for mode in instance.usable(task, instance.clusters[k])}
    parts = (
        (max((Fraction(a, t) for a, t in zip(m.allocation, totals, strict=True) if a), default=0), m) for m in modes
    )
    return min((mode.slots * max(Fraction(1), n * part) for part, mode in parts), default=None)


def completion(task: Task, runs: Iterable[Start]) -> int | None:
    """Return the completion of a task with these runs (by slot); None if incomplete.

    In a run with a mode of d slots, 1/d of the task is done per slot; every run but the first loses its first `SWITCH`
    slots.
    """
    slots, rest, switch = task.duration, Fraction(1), Fraction(0)
    for row in runs:
        if row.allocation not in slots or rest <= 0:
            return None
        end = row.slot + ceil(switch + rest * slots[row.allocation])
        if row.until is None or row.until >= end:
            return end
        rest -= max(Fraction(0), row.until - row.slot - switch) / slots[row.allocation]
        switch = SWITCH
    return None


def _closed(instance: Instance, resource: str) -> list[tuple[int, int, int]]:
    """Return the spans of breaks, with minus a resource's capacity."""
    rows = zip(instance.clusters, instance.calendar.breaks, strict=True)
    return [(start, end, -cluster.capacity.get(resource, 0)) for cluster, times in rows for start, end in times]
