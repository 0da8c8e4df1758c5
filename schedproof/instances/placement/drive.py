"""The slot game: a policy sees tasks and free resources, but no durations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.core.simulation.policy import BatchPolicy, DecidedBy, Hidden, SlotPolicy, require_methods, rows_of
from schedproof.core.simulation.slot_game import Run, SlotGame, fits
from schedproof.instances.placement.entities import Amounts
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import SWITCH, Schedule, Start

SHOWN = ("index", "name", "arrival", "clusters", "needs", "kind")  # of a task, apart from its allocations
DURATIONS = ("modes", "duration")  # only for a policy that sees durations


class Place(NamedTuple):
    """A decision: start a task on a cluster with an allocation in the current slot."""

    task: int
    cluster: int
    allocation: Amounts


class Stop(NamedTuple):
    """A decision: stop a running task at the start of the current slot."""

    task: int


class Shown(Hidden):
    """A task as a policy sees it: without durations.

    Attributes
    ----------
    allocations
        The task's allocations that have a duration, in file order.
    modes, duration
        Available only to a policy that sees durations.
    """

    index: int
    name: str
    arrival: int
    clusters: tuple[int, ...]
    needs: Amounts
    kind: str
    allocations: tuple[Amounts, ...]

    def __getattr__(self, name: str) -> Any:
        raise PolicyError(f"the policy read '{name}' of a task: policies cannot see durations")


class Running(NamedTuple):
    """A running task, and the slots since its latest start."""

    task: Shown
    cluster: int
    allocation: Amounts
    elapsed: int


class Completed(NamedTuple):
    """A task that has completed since the last view, and the slots of its last run."""

    task: Shown
    cluster: int
    allocation: Amounts
    slots: int


@dataclass(frozen=True)
class View:
    """A policy's view in a slot.

    Attributes
    ----------
    slot
        The current slot.
    free
        The unused amounts of each cluster.
    pending
        Waiting tasks, including stopped tasks, by arrival; ties in file order.
    running
        Running tasks, by start.
    completed
        Tasks that have completed since the last view, by slot of completion.
    open
        ``open(j, n, allocation)``: whether a task that starts now on cluster n would end before its next break.
    """

    slot: int
    free: tuple[Amounts, ...]
    pending: tuple[Shown, ...]
    running: tuple[Running, ...]
    completed: tuple[Completed, ...]
    open: Callable[[int, int, Amounts], bool] = field(default=lambda j, n, allocation: True, repr=False)

    def can_start(self, task: Shown, n: int) -> bool:
        """Return whether a task fits on a cluster now."""
        return bool(self.fitting(task, n))

    def fitting(self, task: Shown, n: int) -> tuple[Amounts, ...]:
        """Return the allocations that fit now and end before the cluster's next break."""
        if n not in task.clusters or not fits(task.needs, self.free[n]):
            return ()
        return tuple(a for a in task.allocations if fits(a, self.free[n]) and self.open(task.index, n, a))


def can_start(task: Shown, n: int, free: Sequence[Amounts]) -> bool:
    """Return whether a task fits with some allocation into given free amounts."""
    return n in task.clusters and fits(task.needs, free[n]) and any(fits(a, free[n]) for a in task.allocations)


def drive(policy: SlotPolicy | BatchPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a policy on an instance, in every slot in which it can decide.

    A policy can decide in each slot in which a waiting task fits on a cluster. With the option ``preemption=allowed``
    it can decide in any slot with a waiting or running task. Stops take effect before starts. Tasks that still wait at
    the horizon never run.

    A batch policy is offline: it sees the instance, and ``assign`` returns every `Start` at once.

    Raises
    ------
    PolicyError
        If the policy reads hidden durations, returns an impossible decision, or does not support the instance's breaks.
    Interrupted
        If the user interrupts an offline policy; it carries the incumbent schedule.
    """
    if instance.breaks and not getattr(policy, "supports_breaks", False):
        raise PolicyError(
            "the policy does not support breaks: use random or minimum, or set `supports_breaks = True` in a policy "
            "that starts only what `view.fitting` returns"
        )
    if callable(getattr(policy, "assign", None)):
        assign: Callable[[Instance], object] = policy.assign  # type: ignore[union-attr]
        return answer_of(lambda: assign(instance), lambda rows: Schedule.of(rows_of(rows, Start), instance, decided_by))
    return Schedule.of((Start(*run) for run in _play(policy, instance, decided_by, context)), instance, decided_by)  # type: ignore[arg-type]


def _play(policy: SlotPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> list[Run]:
    require_methods(policy, "start", "decide")
    may_stop = decided_by.options.get("preemption") == "allowed"
    game = _Game(instance, sees_durations=getattr(policy, "sees_durations", False), may_stop=may_stop)
    policy.start(Hidden.of(instance, "horizon", "resources", "clusters"))
    while game.goes_on():
        game.obey(policy.decide(game.view()))
        started, total = len({run.job for run in game.rows}), len(instance.tasks)
        context.progress(f"{started} of {total} tasks started", started / total)
    return game.rows


class _Game(SlotGame):
    """The state of the game on one instance."""

    unit = "task"

    def __init__(self, instance: Instance, *, sees_durations: bool, may_stop: bool) -> None:
        names, tasks = SHOWN + DURATIONS * sees_durations, instance.tasks
        super().__init__(
            [task.arrival for task in tasks],
            [task.duration for task in tasks],
            [cluster.amounts for cluster in instance.clusters],
            instance.horizon,
            may_stop=may_stop,
            switch=SWITCH,
        )
        self._instance = instance
        self._busy: set[int] = set()  # clusters on which a task has started in this slot
        self._shown = [
            Shown(allocations=tuple(mode.allocation for mode in task.modes), **{n: getattr(task, n) for n in names})
            for task in tasks
        ]

    def name(self, j: int) -> str:
        return self._instance.tasks[j].name

    def place_name(self, n: int) -> str:
        return self._instance.clusters[n].name

    def can_start(self, j: int) -> bool:
        task = self._shown[j]
        if not self._instance.breaks:
            return any(can_start(task, n, self.free) for n in task.clusters)
        ways = ((n, a) for n in task.clusters if fits(task.needs, self.free[n]) for a in task.allocations)
        return any(fits(a, self.free[n]) and self.open(j, n, a) for n, a in ways)

    def open(self, j: int, n: int, mode: Amounts) -> bool:
        if not self._instance.breaks:
            return True
        return self._instance.calendar.open(n, self.slot, self.slot + self._length(j, mode))

    def _next_event(self) -> int:
        return min(super()._next_event(), self._instance.calendar.next_change(self.slot))

    def objection(self, j: int, n: int) -> str:
        if n not in self._shown[j].clusters:
            return f" on cluster number {n}, which is not in its D_j"
        if n in self._busy:
            return f" on {self.place_name(n)}, where another task starts in slot {self.slot}: (2) allows one start"
        return ""

    def view(self) -> View:
        """Return the policy's view, which reports each completion once."""
        completed = (
            Completed(self._shown[run.job], run.place, run.mode, (run.until or 0) - run.slot)
            for run in self.completed()
        )
        running = (
            Running(self._shown[j], run.place, run.mode, self.slot - run.slot)
            for j, (_, run, _, _) in self.running.items()
        )
        pending = tuple(self._shown[j] for j in self.waiting)
        return View(self.slot, tuple(self.free), pending, tuple(running), tuple(completed), self.open)

    def obey(self, decided: Iterable[Place | Stop]) -> None:
        """Carry out the policy's stops and starts, or refuse them."""
        if not isinstance(decided, Iterable):
            raise PolicyError(f"decide of the policy returned {short(decided)}, expected a list of Place and Stop")
        stops, places = [], []
        for row in decided:
            if isinstance(row, Stop):
                stops.append(int(row.task))
            elif isinstance(row, Place):
                places.append(Place(int(row.task), int(row.cluster), tuple(map(int, row.allocation))))
            else:
                raise PolicyError(f"decide of the policy returned {short(row)} in its list, expected Place or Stop")
        for j in stops:
            self.stop(j)
        self._busy = set()
        for place in places:
            self.start(*place)
            self._busy.add(place.cluster)
