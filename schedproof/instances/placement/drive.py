"""The slot game: a policy sees what waits, runs and is free, and says what starts; durations are hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.core.simulation.policy import BatchPolicy, DecidedBy, Hidden, SlotPolicy, require_methods, rows_of
from schedproof.core.simulation.slot_game import Run, SlotGame, fits
from schedproof.instances.placement.entities import Amounts
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import SWITCH, Schedule, Start

SHOWN = ("index", "name", "arrival", "clusters", "needs", "kind")  # of a task, beside its allocations
DURATIONS = ("modes", "duration")  # to a policy that sees durations


class Place(NamedTuple):
    """A decision: the task starts on the cluster with the allocation in the view's slot; both are file positions."""

    task: int
    cluster: int
    allocation: Amounts


class Stop(NamedTuple):
    """A decision: the task, which runs, is stopped at the begin of the view's slot; it waits again in that slot."""

    task: int


class Shown(Hidden):
    """What a policy sees of a task: as `schedproof.instances.placement.entities.Task`, without how long it takes.

    Attributes
    ----------
    allocations
        Those that have a duration, in the order of the file.
    modes, duration
        Only for a policy that sees durations.
    """

    index: int
    name: str
    arrival: int
    clusters: tuple[int, ...]
    needs: Amounts
    kind: str
    allocations: tuple[Amounts, ...]

    def __getattr__(self, name: str) -> Any:
        raise PolicyError(f"the policy asked for what it is not shown: '{name}' of a task")


class Running(NamedTuple):
    """A task that runs, and for how many slots it has done so since this start."""

    task: Shown
    cluster: int
    allocation: Amounts
    elapsed: int


class Completed(NamedTuple):
    """A task that has completed since the view before, and how many slots its last run took."""

    task: Shown
    cluster: int
    allocation: Amounts
    slots: int


@dataclass(frozen=True)
class View:
    """What a policy sees in a slot.

    Attributes
    ----------
    slot
        Which one.
    free
        Of each cluster, what is not in use.
    pending
        The tasks that wait, those stopped before among them: by arrival, equal ones in file order.
    running
        By start.
    completed
        Since the view before, by the slot in which they ended.
    """

    slot: int
    free: tuple[Amounts, ...]
    pending: tuple[Shown, ...]
    running: tuple[Running, ...]
    completed: tuple[Completed, ...]

    def can_start(self, task: Shown, n: int) -> bool:
        """Whether a task could start on a cluster now."""
        return can_start(task, n, self.free)

    def fitting(self, task: Shown, n: int) -> tuple[Amounts, ...]:
        """The allocations with which a task could start on a cluster now; none where the cluster is not in D_j."""
        if n not in task.clusters or not fits(task.needs, self.free[n]):
            return ()
        return tuple(a for a in task.allocations if fits(a, self.free[n]))


def can_start(task: Shown, n: int, free: Sequence[Amounts]) -> bool:
    """Whether a task could start on a cluster with one of its allocations, so much being free of each cluster."""
    return n in task.clusters and fits(task.needs, free[n]) and any(fits(a, free[n]) for a in task.allocations)


def drive(policy: SlotPolicy | BatchPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a policy on an instance, from slot to slot in which it can decide anything.

    That is a slot in which a waiting task fits somewhere; for a policy with the option ``preemption=allowed``, any slot
    in which a task waits or runs. Stops take effect before starts. What still waits at the horizon stays so.

    A batch policy is offline: it sees the instance, and ``assign`` answers with every `Start` at once.

    Raises
    ------
    PolicyError
        When the policy asks for durations that it is not shown, or decides what cannot be.
    Interrupted
        When the user has interrupted an offline policy, with the schedule of the best that it had.
    """
    if callable(getattr(policy, "assign", None)):
        assign: Callable[[Instance], object] = policy.assign  # type: ignore[union-attr]
        return answer_of(lambda: assign(instance), lambda rows: Schedule.of(rows_of(rows, Start), instance, decided_by))
    return Schedule.of((Start(*run) for run in _play(policy, instance, decided_by, context)), instance, decided_by)  # type: ignore[arg-type]


def _play(policy: SlotPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> list[Run]:
    """The runs that a slot policy decides."""
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
    """The game on an instance, as its policy is shown it."""

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
        return any(can_start(task, n, self.free) for n in task.clusters)

    def objection(self, j: int, n: int) -> str:
        if n not in self._shown[j].clusters:
            return f" on cluster number {n}, which is not in its D_j"
        if n in self._busy:
            return f" on {self.place_name(n)}, the second one there in slot {self.slot}: (2) allows one"
        return ""

    def view(self) -> View:
        """What the policy sees; each completion is reported once."""
        completed = (
            Completed(self._shown[run.job], run.place, run.mode, (run.until or 0) - run.slot)
            for run in self.completed()
        )
        running = (
            Running(self._shown[j], run.place, run.mode, self.slot - run.slot)
            for j, (_, run, _, _) in self.running.items()
        )
        pending = tuple(self._shown[j] for j in self.waiting)
        return View(self.slot, tuple(self.free), pending, tuple(running), tuple(completed))

    def obey(self, decided: Iterable[Place | Stop]) -> None:
        """Stop and start what the policy says, if it can be."""
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
