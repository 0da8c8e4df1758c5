"""R-DMLRS's LP by column generation, with the best-schedule oracle as pricing.

In every round the optimum of the master LP is a lower bound on the LP's optimum, and `Pricing` proves an upper bound.
Wentges smoothing moves the master's oscillating prices towards those of the best bound. Progress is counted coarsely
until no more schedules are found, then finely. If machines differ, the rows of all machines of a slot are first merged.
This relaxation gives a close bound fast; its prices are the initial prices for separate machines.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from zipfile import BadZipFile, ZipFile

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import USUAL, Context, forget
from schedproof.core.runtime.files import atomic, regular
from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance, Placement, Schedule
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Priced, Wish
from schedproof.relaxations.dmlrs.search import Search
from schedproof.relaxations.dmlrs.spreading import spread

MERGED_GAP, MERGED_TIME = 1e-3, 0.5  # gap, and share of the time, at which merging of all machines ends
MOST_BYTES = 1 << 30  # limit of the state file, unpacked
LARGEST_PRICE = 1e30  # in the state file
PARTS = ("instance", "rows", "owner", "prices")  # arrays of the state file


@dataclass(frozen=True)
class Round:
    """Progress of column generation.

    Attributes
    ----------
    value, bound
        Lower and upper bound on the LP's optimum; while all machines are merged, ``value`` is not a lower bound.
    columns
        The number of generated schedules.
    """

    number: int
    value: float
    bound: float
    columns: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"round {self.number}: {self.columns} schedules, LP {self.value:.6g}, bound {self.bound:.6g}, "
            f"gap {self.gap:.2%}, {self.seconds:.0f} s"
        )

    @property
    def gap(self) -> float:
        """The relative gap (bound - value) / bound."""
        return max(0.0, self.bound - self.value) / self.bound if self.bound > 0 else 0.0


Report = Callable[[Round], None]


@dataclass(frozen=True, eq=False)
class Generated:
    """The result of column generation.

    Attributes
    ----------
    best
        The prices that prove the best bound.
    plans
        The generated schedules: columns for the program ``dmlrs.rdmlrs``.
    ended
        ``gap``: the requested gap is reached; ``converged``: no schedule improves the LP at this fineness; ``time``;
        ``solver``: the solver failed on the master.
    """

    last: Round
    best: Priced
    plans: list[Plan] = field(repr=False)
    ended: str


def column_generation(
    instance: Instance,
    *,
    context: Context = USUAL,
    gap: float = 0.0,
    fineness: Wish = "auto",
    resume: Path | None = None,
    progress: Report = lambda _: None,
) -> Generated:
    """Generate columns until the gap is reached, none improves the LP, or time is up.

    At least one round runs.

    Parameters
    ----------
    resume
        A state file, written from time to time and at the end, even after an interrupt. Generation continues from it if
        it exists.
    """
    classes = MachineClasses.of_instance(instance)
    own = Search(instance, classes, fineness)
    stages = [(own, gap, context)]
    if resume is not None and resume.exists():
        own.start(*read_state(resume, instance, classes.capacity.shape))
    if own.several:
        together = Search(instance, classes.merge(), fineness)
        together.start(own.master.plans, together.master.prices)
        half = None if context.time_limit is None else MERGED_TIME * context.time_limit
        stages.insert(0, (together, max(gap, MERGED_GAP), replace(context, time_limit=half)))
    state = _State(instance, [search for search, _, _ in stages], resume)
    rounds = _Rounds(own, state, progress)
    for search, goal, context in stages:
        if search is not state.searches[0]:
            own.start(spread(instance, together.master.positive_shares()), state.prices())
        rounds.search = search
        _, ended = generate(rounds, state.best, replace(context, keep=forget), gap=goal, save=state.save)
    return Generated(rounds.last, own.best, own.master.plans, ended)


class _Rounds:
    done = None

    def __init__(self, own: Search, state: _State, report: Report) -> None:
        self.search, self._own, self._state, self._report = own, own, state, report
        self._started, self._number = perf_counter(), 0

    def __str__(self) -> str:
        return str(self.last)

    @property
    def best_bound(self) -> float:
        return -self.search.bound

    @property
    def gap(self) -> float:
        return self.search.gap

    def round(self, context: Context) -> str:
        ended = self.search.round(context)
        self._number += 1
        seconds, columns = perf_counter() - self._started, len(self.search.master.plans)
        self.last = Round(self._number, self._own.master.value, self._state.best().bound, columns, seconds)
        self._report(self.last)
        return ended


class _State:
    def __init__(self, instance: Instance, searches: list[Search], path: Path | None) -> None:
        self.instance, self.searches, self.path = instance, searches, path
        self.saved = perf_counter()

    def best(self) -> Search:
        return min(self.searches, key=lambda search: search.bound)

    def prices(self) -> np.ndarray:
        """The prices of the best bound, by the machine classes of the finest search."""
        return np.broadcast_to(self.best().best.doubles, self.searches[-1].master.prices.shape)

    def save(self, after: float = 0.0) -> None:
        """Write the file atomically if ``after`` seconds have passed since the last time."""
        if self.path is None or perf_counter() - self.saved < after:
            return
        plans = [plan for search in self.searches for plan in search.master.plans]
        rows = [(p.job, p.slot, p.machine, p.workers, p.ps) for plan in plans for p in plan.placements]
        owner = np.repeat(np.arange(len(plans)), [len(plan.placements) for plan in plans])
        table, mine = np.array(rows, dtype=np.int32).reshape(-1, 5), np.array(self.instance.sha256)
        with atomic(self.path) as part, part.open("wb") as file:
            np.savez_compressed(file, instance=mine, rows=table, owner=owner.astype(np.int32), prices=self.prices())
        self.saved = perf_counter()


def read_state(path: Path, instance: Instance, shape: tuple[int, ...]) -> tuple[list[Plan], np.ndarray]:
    """Read the schedules and the prices of a state file.

    Raises
    ------
    InputError
        For another kind of file, another instance's state, or an infeasible schedule.
    """
    try:
        with ZipFile(regular(path)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
                raise InputError(f"expected a state file of at most {MOST_BYTES >> 20} MiB unpacked", file=str(path))
        with np.load(path, allow_pickle=False) as file:
            sha, rows, owner, prices = (file[name] for name in PARTS)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, NotImplementedError, RuntimeError):
        raise InputError("expected a state file of column generation", file=str(path)) from None
    if str(sha) != instance.sha256 or prices.shape != shape:
        raise InputError("expected a state file of column generation for this instance", file=str(path))
    if not (_are_counts(owner, (owner.size,)) and _are_counts(rows, (owner.size, 5)) and _are_prices(prices)):
        raise InputError("expected integers for schedules and prices of at most 1e30", file=str(path))
    mine: dict[int, list[Placement]] = {}
    for number, row in zip(owner.tolist(), rows.tolist(), strict=True):
        mine.setdefault(number, []).append(Placement(*row))
    return [_plan(instance, placements, path) for placements in mine.values()], prices


def _are_counts(numbers: np.ndarray, shape: tuple[int, ...]) -> bool:
    return numbers.dtype.kind == "i" and numbers.shape == shape and bool((numbers >= 0).all())


def _are_prices(numbers: np.ndarray) -> bool:
    return numbers.dtype == np.float64 and bool((np.abs(numbers) <= LARGEST_PRICE).all())


def _plan(instance: Instance, placements: Sequence[Placement], path: Path) -> Plan:
    try:
        schedule = Schedule.of(placements, instance, "column_generation")
        ends = schedule.completions(instance)
        if len(ends) == 1 and not schedule.violations(instance):
            [(job, end)] = ends.items()
            return Plan(instance.jobs[job], end, schedule.placements)
    except IndexError:
        pass
    raise InputError("expected schedules of single jobs that are feasible", file=str(path))
