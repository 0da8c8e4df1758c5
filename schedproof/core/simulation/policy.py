"""The policy protocols, and the drivers that enforce them.

A policy sees only the data passed by its driver, and cannot change past decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Protocol, TypeVar

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.errors import PolicyError, refuse_misspelt, short
from schedproof.core.runtime.context import USUAL, Context

FOREVER = 2**62
TOGETHER = 32  # arrivals of one call of `ReplayPolicy.replay`; small calls of kernels are not compiled
T = TypeVar("T")


@dataclass(frozen=True)
class DecidedBy:
    """Origin of a schedule: policy id, options as given, and seed of random draws."""

    policy: str
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Decisions:
    """Starts and stops of jobs; the driver only appends them.

    Attributes
    ----------
    time
        Slot boundary of each decision, int64, nondecreasing.
    job
        File index of each decision's job, int64.
    columns
        Further columns of the family, of the same length.
    """

    time: np.ndarray
    job: np.ndarray
    columns: dict[str, np.ndarray]


class ArrivalPolicy(Protocol):
    """Jobs become known on arrival; decisions are starts and stops over time.

    ``advance`` is called for every slot, with or without arrivals, so that ``until`` reveals no arrival. Policies of
    this package are called once for an arrival, or for several (`ReplayPolicy`); a test checks that the decisions are
    equal.
    """

    def start(self, system: AnyFamily) -> None:
        """Prepare for a system whose jobs are not known yet."""

    def arrive(self, time: int, jobs: Sequence[AnyFamily]) -> None:
        """Receive the jobs that arrive at the start of slot ``time``."""

    def advance(self, until: int) -> Decisions:
        """Return all decisions before the next slot ``until``; stops may be at ``until``."""


class ReplayPolicy(Protocol):
    """An arrival policy of this package that answers for several arrivals at once."""

    def replay(self, arrivals: Sequence[tuple[int, Sequence[AnyFamily]]]) -> Decisions:
        """Advance to each arrival and receive its jobs; return what ``advance`` would."""


class CommitPolicy(Protocol):
    """An allocation is fixed before the slot's arrivals are seen."""

    def decide(self, slot: int) -> np.ndarray:
        """Fix the slot's allocation."""

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        """Receive the slot's arrivals."""


class ResponsePolicy(Protocol):
    """An allocation is made after the slot's arrivals are seen."""

    def respond(self, slot: int, arrivals: np.ndarray) -> np.ndarray:
        """Allocate in the slot."""


class BatchPolicy(Protocol):
    """An offline policy: all jobs are known at once."""

    def assign(self, instance: AnyFamily) -> AnyFamily:
        """Return the whole schedule."""


class Rule:
    """A policy that is a function with options; ``drive`` sets its other arguments.

    Attributes
    ----------
    notes
        The dict that the function receives if it has the keyword argument ``notes``.
    """

    def __init__(self, function: Callable[..., AnyFamily], options: Mapping[str, Value]) -> None:
        self.function, self._options, self.notes = function, options, dict[str, AnyFamily]()

    def assign(self, *seen: AnyFamily) -> AnyFamily:
        """Return the function's decision."""
        own = signature(self.function).parameters.get("notes")
        more = {"notes": self.notes} if own is not None and own.kind is Parameter.KEYWORD_ONLY else {}
        return self.function(*seen, **self._options, **more)

    def having(self, options: Mapping[str, Value]) -> Rule:
        """Return the rule with other options."""
        return Rule(self.function, options)


def arguments_of(policy: AnyFamily) -> int:
    """Return the number of arguments that a policy's ``assign`` requires.

    A policy in another process states it in the attribute ``arguments``.
    """
    if isinstance(stated := getattr(policy, "arguments", None), int):
        return stated
    every = signature(policy.function if isinstance(policy, Rule) else policy.assign).parameters.values()
    required = [p for p in every if p.default is Parameter.empty]
    return sum(p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for p in required)


class SlotPolicy(Protocol):
    """Start tasks slot by slot; durations of unfinished tasks are unknown.

    Slots without a possible decision are skipped. The view has the waiting and running tasks, the free resources, and
    the durations of tasks that ended since the last slot; with the attribute ``sees_durations = True``, all durations.

    Examples
    --------
    A policy of the family ``placement``: start the first waiting task with the least allocation that fits.

    >>> from schedproof.core.runtime.context import USUAL
    >>> from schedproof.core.simulation.policy import DecidedBy
    >>> from schedproof.instances.placement import from_json
    >>> from schedproof.instances.placement.drive import Place, drive
    >>> class First:
    ...     def start(self, system):
    ...         pass
    ...
    ...     def decide(self, view):
    ...         for task in view.pending:
    ...             for n in task.clusters:
    ...                 if fitting := view.fitting(task, n):
    ...                     return [Place(task.index, n, min(fitting))]
    ...         return []
    >>> task = {
    ...     "arrival": 0,
    ...     "clusters": ["c"],
    ...     "minimum": {"gpu": 1},
    ...     "kind": "training",
    ...     "durations": [{"allocation": {"gpu": 1}, "slots": 3}, {"allocation": {"gpu": 2}, "slots": 2}],
    ... }
    >>> instance = from_json({
    ...     "version": 1,
    ...     "family": "placement",
    ...     "horizon": 9,
    ...     "resources": ["gpu"],
    ...     "clusters": [{"name": "c", "capacity": {"gpu": 2}}],
    ...     "tasks": [{"name": "a", **task}, {"name": "b", **task}],
    ... })
    >>> schedule = drive(First(), instance, DecidedBy("first", {}, 0), USUAL)
    >>> [(instance.tasks[start.task].name, start.slot, start.allocation) for start in schedule.starts]
    [('a', 0, (1,)), ('b', 1, (1,))]
    >>> schedule.violations(instance)
    []
    """

    def start(self, system: AnyFamily) -> None:
        """Prepare for a system whose tasks are not known yet."""

    def decide(self, view: AnyFamily) -> Sequence[AnyFamily]:
        """Return starts in the view's slot, and stops at its begin if allowed."""


class Hidden:
    """The part of an instance visible before arrivals; other attributes raise errors."""

    def __init__(self, **visible: AnyFamily) -> None:
        self.__dict__.update(visible)

    @classmethod
    def of(cls, instance: AnyFamily, *names: str, **more: AnyFamily) -> Hidden:
        """Return the instance's family and some of its attributes, with extra data."""
        return cls(**{name: getattr(instance, name) for name in ("family", *names)}, **more)

    def __reduce__(self) -> tuple[AnyFamily, ...]:  # pickle would ask for `__setstate__`, and get an error
        return _hidden, (vars(self),)

    def __getattr__(self, name: str) -> AnyFamily:
        raise PolicyError(f"the policy looked into the future: '{name}' is not known before the jobs arrive")


def _hidden(visible: Mapping[str, AnyFamily]) -> Hidden:
    return Hidden(**visible)


def drive_arrivals(
    policy: ArrivalPolicy,
    system: Hidden,
    arrivals: Sequence[tuple[int, Sequence[AnyFamily]]],
    context: Context = USUAL,
    columns: Sequence[str] = (),
    at_once: bool | None = None,
) -> Decisions:
    """Return all decisions of an arrival policy over time.

    Parameters
    ----------
    arrivals
        (time, jobs) in increasing time; every job has ``index`` and ``name``.
    columns
        Columns of the family's decisions.
    at_once
        Whether one call covers all slots until the next arrival; default: `is_ours`.

    Raises
    ------
    PolicyError
        If the policy lacks a method, does not return decisions, or decides in the past, ahead of time, or on a job that
        has not arrived.
    """
    require_methods(policy, "start", "arrive", "advance")
    known: set[int] = set()
    log = _Log(columns)
    now, total = 0, sum(len(jobs) for _, jobs in arrivals)
    whole = is_ours(policy) if at_once is None else at_once

    def add(decided: Decisions, until: int) -> None:
        nonlocal now
        log.add(_check_decisions(decided, now, until, known, columns))
        now = until

    def advance(end: int) -> None:
        for until in (end,) if whole or end == FOREVER else range(now + 1, end + 1):
            add(policy.advance(until), until)

    policy.start(system)
    replay = getattr(policy, "replay", None) if whole else None
    together = TOGETHER if replay else 1
    for first in range(0, len(arrivals), together):
        some = arrivals[first : first + together]
        time, jobs = some[-1]
        if not replay:
            advance(time)
        known.update(job.index for _, jobs in some for job in jobs)
        if replay:
            add(replay(some), time)
        else:
            policy.arrive(time, jobs)
        context.progress(f"{len(known)} of {total} jobs", len(known) / total)
    if not whole:
        advance(max(now, vars(system).get("horizon", now)))
    advance(FOREVER)
    return log.decisions()


class _Log:
    """A growing table of copied decisions, since a policy may still hold its arrays."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._filled = names, 0
        self._table = np.empty((2 + len(names), 64), dtype=np.int64)

    def add(self, more: Decisions) -> None:
        begin, self._filled = self._filled, self._filled + len(more.time)
        if self._filled > self._table.shape[1]:
            larger = np.empty((len(self._table), 2 * self._filled), dtype=np.int64)
            larger[:, :begin] = self._table[:, :begin]
            self._table = larger
        for row, column in zip(
            self._table, (more.time, more.job, *map(more.columns.__getitem__, self._names)), strict=True
        ):
            row[begin : self._filled] = column

    def decisions(self) -> Decisions:
        time, job, *columns = self._table[:, : self._filled]
        return Decisions(time, job, dict(zip(self._names, columns, strict=True)))


def is_ours(policy: AnyFamily) -> bool:
    """Whether the policy's class is of this package, whose tests show it is online."""
    return str(type(policy).__module__).partition(".")[0] == __name__.partition(".")[0]


SETTINGS = ("sees_durations", "supports_breaks", "batches", "guarantee", "notes")  # optional attributes of a policy
PROTOCOLS = (ArrivalPolicy, CommitPolicy, ResponsePolicy, BatchPolicy, SlotPolicy)


def require_protocol(policy: AnyFamily) -> None:
    """Refuse an object or class without a protocol, or with a misspelt setting."""
    refuse_misspelt(policy, SETTINGS)
    missing = {
        protocol.__name__: [n for n in vars(protocol) if n[0] != "_" and not callable(getattr(policy, n, None))]
        for protocol in PROTOCOLS
    }
    if all(missing.values()):
        name = (policy if isinstance(policy, type) else type(policy)).__name__
        lacking = "; ".join(f"{' and '.join(map(repr, names))} of {protocol}" for protocol, names in missing.items())
        raise PolicyError(f"the policy {name} implements no protocol of {__name__}: it has no {lacking}")


def require_methods(policy: AnyFamily, *names: str) -> None:
    """Raise an error for a policy without one of its protocol's methods."""
    for name in names:
        if not callable(getattr(policy, name, None)):
            raise PolicyError(f"the policy {type(policy).__name__} has no method '{name}'")


def rows_of(answer: object, kind: type[T]) -> list[T]:
    """Return a batch policy's result as rows of a kind."""
    rows: list[object] = [*answer] if isinstance(answer, Iterable) else [answer]
    result = [row for row in rows if isinstance(row, kind)]
    if len(result) < len(rows):
        raise PolicyError(f"assign of the policy returned {short(answer)}, expected a list of {kind.__name__}")
    return result


def require_decisions(decisions: Decisions, names: Sequence[str]) -> Decisions:
    """Return a batch policy's result as decisions with the named columns."""
    if flaw := _flaw(decisions, names):
        raise PolicyError(f"assign of the policy returned {flaw}")
    return decisions


def _check_decisions(decisions: Decisions, now: int, until: int, known: set[int], names: Sequence[str]) -> Decisions:
    if flaw := _flaw(decisions, names):
        raise PolicyError(f"advance({until if until != FOREVER else 'FOREVER'}) of the policy returned {flaw}")
    if not decisions.time.size:
        return decisions
    time = decisions.time.tolist()
    if time[0] < now or time != sorted(time):
        raise PolicyError(f"the policy rewrote the past: in slot {now} it returned a decision for slot {min(time)}")
    if time[-1] > until:
        raise PolicyError(f"the policy ran ahead: advance({until}) returned a decision for slot {time[-1]}")
    if unknown := set(decisions.job.tolist()) - known:
        raise PolicyError(
            f"the policy looked into the future: it scheduled job number {min(unknown)} before it arrived"
        )
    return decisions


def _flaw(decisions: object, names: Sequence[str]) -> str:
    if not isinstance(decisions, Decisions):
        return f"{short(decisions)}, expected Decisions(time, job, columns)"
    if missing := [name for name in names if name not in decisions.columns]:
        return f"decisions without the column '{missing[0]}', expected {', '.join(names)}"
    arrays = {"time": decisions.time, "job": decisions.job, **decisions.columns}
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iub" or array.ndim != 1:
            return f"decisions whose {name} is {short(array)}, expected an array of integers"
        if len(array) != len(decisions.time):
            return f"decisions with {len(decisions.time)} times and {len(array)} of {name}"
    return ""


def drive_commits(policy: CommitPolicy, arrivals: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Run a commit policy; its allocation is copied before it sees the arrivals."""
    require_methods(policy, "decide", "observe")
    for slot, seen in enumerate(arrivals):
        decided = np.array(policy.decide(slot), copy=True)
        policy.observe(slot, np.array(seen, copy=True))
        yield decided


def drive_responses(policy: ResponsePolicy, arrivals: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Run a response policy: it sees each slot's arrivals; its allocation is copied."""
    require_methods(policy, "respond")
    for slot, seen in enumerate(arrivals):
        yield np.array(policy.respond(slot, np.array(seen, copy=True)), copy=True)
