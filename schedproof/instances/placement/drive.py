"""The slot game: a policy sees what waits, runs and is free, and says what starts; durations are hidden."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple

from schedproof.core.context import Context
from schedproof.core.errors import PolicyError, short
from schedproof.core.numbers import ceil
from schedproof.core.policy import DecidedBy, Hidden, SlotPolicy, require_methods
from schedproof.instances.placement.entities import Amounts, fits
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


def drive(policy: SlotPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a slot policy on an instance, from slot to slot in which it can decide anything.

    That is a slot in which a waiting task fits somewhere; for a policy with the option ``preemption=allowed``, any slot
    in which a task waits or runs. Stops take effect before starts. What still waits at the horizon stays so.

    Raises
    ------
    PolicyError
        When the policy asks for durations that it is not shown, or decides what cannot be.
    """
    require_methods(policy, "start", "decide")
    may_stop = decided_by.options.get("preemption") == "allowed"
    game = _Game(instance, sees_durations=getattr(policy, "sees_durations", False), may_stop=may_stop)
    policy.start(Hidden.of(instance, "horizon", "resources", "clusters"))
    while game.goes_on():
        game.decide(policy.decide(game.view()))
        started, total = len({row.task for row in game.rows}), len(instance.tasks)
        context.progress(f"{started} of {total} tasks started", started / total)
    return Schedule.of(game.rows, instance, decided_by)


class _Run(NamedTuple):
    """A task that runs: which row it is, its start, when it ends if nobody stops it, and its slots without progress."""

    row: int
    start: Start
    end: int
    switch: Fraction


class _Game:
    """The state of a run, slot by slot, in whole numbers and rationals.

    Attributes
    ----------
    rows
        All starts so far.
    """

    def __init__(self, instance: Instance, *, sees_durations: bool, may_stop: bool) -> None:
        names = SHOWN + DURATIONS * sees_durations
        self.rows: list[Start] = []
        self._instance, self._may_stop, self._slot = instance, may_stop, -1
        self._shown = [
            Shown(allocations=tuple(mode.allocation for mode in task.modes), **{n: getattr(task, n) for n in names})
            for task in instance.tasks
        ]
        self._slots = [task.duration for task in instance.tasks]
        self._order = sorted(range(len(instance.tasks)), key=lambda j: (instance.tasks[j].arrival, j))
        self._rank = {j: rank for rank, j in enumerate(self._order)}
        self._arrived = 0  # so many of the order
        self._waiting: list[int] = []  # file positions, in that order
        self._running: dict[int, _Run] = {}
        self._ends: list[tuple[int, int]] = []  # a heap of (end, task); some have been stopped since
        self._left: dict[int, Fraction] = {}  # of each task that was stopped
        self._free = [cluster.amounts for cluster in instance.clusters]
        self._completed: list[Completed] = []

    def goes_on(self) -> bool:
        """Go to the next slot in which the policy can decide anything; False where there is none before the horizon."""
        slot = self._slot
        while slot < self._instance.horizon:
            slot = slot + 1 if self._can_decide() else self._next_event()
            self._advance(slot)
            if self._can_decide():
                return slot < self._instance.horizon
        return False

    def _can_decide(self) -> bool:
        if self._may_stop:
            return bool(self._waiting or self._running)
        tasks = (self._shown[j] for j in self._waiting)
        return any(can_start(task, n, self._free) for task in tasks for n in task.clusters)

    def _next_event(self) -> int:
        """The slot of the next arrival or end."""
        rest = self._order[self._arrived : self._arrived + 1]
        arrivals = [self._instance.tasks[j].arrival for j in rest]
        return min([*arrivals, *(end for end, _ in self._ends[:1]), self._instance.horizon])

    def _advance(self, slot: int) -> None:
        """Let the slots before this one pass: tasks end and arrive."""
        self._slot = slot
        while self._ends and self._ends[0][0] <= slot:
            end, j = heappop(self._ends)
            if j in self._running and self._running[j].end == end:
                start = self._leave(j).start
                self._completed.append(Completed(self._shown[j], start.cluster, start.allocation, end - start.slot))
        while self._arrived < len(self._order):
            j = self._order[self._arrived]
            if self._instance.tasks[j].arrival > slot:
                break
            self._wait(j)
            self._arrived += 1

    def view(self) -> View:
        """What the policy sees; each completion is reported once."""
        completed, self._completed = self._completed, []
        running = (
            Running(self._shown[j], run.start.cluster, run.start.allocation, self._slot - run.start.slot)
            for j, run in self._running.items()
        )
        pending = tuple(self._shown[j] for j in self._waiting)
        return View(self._slot, tuple(self._free), pending, tuple(running), tuple(completed))

    def decide(self, decided: Iterable[Place | Stop]) -> None:
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
            self._stop(j)
        busy: set[int] = set()
        for place in places:
            self._place(place, busy)
            busy.add(place.cluster)

    def _stop(self, j: int) -> None:
        """Stop a task that runs; what it has done stays done."""
        name = self._name(j)
        if not self._may_stop:
            raise PolicyError(f"the policy stopped {name}, which takes the option preemption=allowed")
        if j not in self._running:
            raise PolicyError(f"the policy stopped {name}, which does not run in slot {self._slot}")
        run = self._leave(j)
        worked = max(Fraction(0), self._slot - run.start.slot - run.switch)
        self._left[j] = self._left.get(j, Fraction(1)) - worked / self._slots[j][run.start.allocation]
        self.rows[run.row] = run.start._replace(until=self._slot)
        self._wait(j)

    def _place(self, place: Place, busy: Collection[int]) -> None:
        """Start a task that waits, on a cluster that starts no other in this slot."""
        j, n, allocation = place
        self._require_possible(place, busy)
        rest, switch = self._left.get(j, Fraction(1)), SWITCH if j in self._left else Fraction(0)
        end = self._slot + ceil(switch + rest * self._slots[j][allocation])
        start = Start(j, n, allocation, self._slot)
        self._running[j] = _Run(len(self.rows), start, end, switch)
        self.rows.append(start)
        heappush(self._ends, (end, j))
        self._waiting.remove(j)
        self._free[n] = tuple(free - used for free, used in zip(self._free[n], allocation, strict=True))

    def _require_possible(self, place: Place, busy: Collection[int]) -> None:
        j, n, allocation = place
        what, now = f"the policy started {self._name(j)}", f"in slot {self._slot}"
        if j not in self._waiting:
            raise PolicyError(f"{what}, which {'runs already' if j in self._running else 'is complete'} {now}")
        if n not in self._shown[j].clusters:
            raise PolicyError(f"{what} on cluster number {n}, which is not in its D_j")
        what = f"{what} on {self._instance.clusters[n].name}"
        if n in busy:
            raise PolicyError(f"{what}, the second one there {now}: (2) allows one")
        if allocation not in self._slots[j]:
            raise PolicyError(f"{what} with {allocation}, an allocation without a duration")
        if not fits(allocation, self._free[n]):
            raise PolicyError(f"{what} with {allocation}, where {self._free[n]} is free {now}")

    def _name(self, j: int) -> str:
        """The name of a task that has arrived."""
        if self._rank.get(j, self._arrived) >= self._arrived:
            raise PolicyError(f"the policy decided on task number {j}, which it was not shown by slot {self._slot}")
        return self._instance.tasks[j].name

    def _wait(self, j: int) -> None:
        insort(self._waiting, j, key=self._rank.__getitem__)

    def _leave(self, j: int) -> _Run:
        """Let a task release what it holds."""
        run = self._running.pop(j)
        n, allocation = run.start.cluster, run.start.allocation
        self._free[n] = tuple(free + used for free, used in zip(self._free[n], allocation, strict=True))
        return run
