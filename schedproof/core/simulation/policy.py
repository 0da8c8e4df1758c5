"""The five policy protocols, and the drivers that hold a policy to its word.

A policy sees what the driver shows it and nothing else; what it has decided stays decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Protocol, TypeVar

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Value
from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import USUAL, Context

FOREVER = 2**62
T = TypeVar("T")


@dataclass(frozen=True)
class DecidedBy:
    """Who decided a schedule: the policy's id, the options as they were given, and the seed of its random choices."""

    policy: str
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Decisions:
    """Starts and stops that a policy commits to; the driver only ever appends them.

    Attributes
    ----------
    time
        Slot boundary of each decision, int64, nondecreasing.
    job
        File index of the job that each decision concerns, int64.
    columns
        The family's further columns, each of the same length.
    """

    time: np.ndarray
    job: np.ndarray
    columns: dict[str, np.ndarray]


class ArrivalPolicy(Protocol):
    """Jobs become known when they arrive; decisions are starts and stops on the time axis.

    ``advance`` is called for every slot, whether or not a job arrives in the next one, so that ``until`` says nothing
    of what comes. Policies of this package are asked for all slots until the next arrival at once; a test holds the
    two ways equal.
    """

    def start(self, system: AnyFamily) -> None:
        """Prepare for a system whose jobs are not known yet."""

    def arrive(self, time: int, jobs: Sequence[AnyFamily]) -> None:
        """Learn of the jobs that arrive at the start of slot ``time``."""

    def advance(self, until: int) -> Decisions:
        """Commit every decision before ``until``, the next slot (stops at ``until`` itself may be among them)."""


class CommitPolicy(Protocol):
    """An allocation is fixed before the slot's arrivals are seen."""

    def decide(self, slot: int) -> np.ndarray:
        """Fix the slot's allocation."""

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        """Learn what arrived."""


class ResponsePolicy(Protocol):
    """An allocation is made when the slot's arrivals have been seen."""

    def respond(self, slot: int, arrivals: np.ndarray) -> np.ndarray:
        """Allocate in the slot."""


class BatchPolicy(Protocol):
    """All jobs are known at once."""

    def assign(self, instance: AnyFamily) -> AnyFamily:
        """Decide the whole schedule."""


class Rule:
    """A policy that is a function, with its options; what it is called with says the family's ``drive``."""

    def __init__(self, function: Callable[..., AnyFamily], options: Mapping[str, Value]) -> None:
        self._function, self._options = function, options

    def assign(self, *seen: AnyFamily) -> AnyFamily:
        """What the function decides."""
        return self._function(*seen, **self._options)

    @property
    def arguments(self) -> int:
        """How many the function takes beside its options."""
        every = signature(self._function).parameters.values()
        return sum(p.kind is not Parameter.KEYWORD_ONLY for p in every)


class SlotPolicy(Protocol):
    """In each slot, what starts is decided on sight of what waits, runs and is free; how long it will take is hidden.

    A slot in which nothing can be decided is not shown. What has ended since the slot before is shown with how long it
    took. A policy with an attribute ``sees_durations`` that is true is shown how long tasks take, too.

    Examples
    --------
    A policy of the family ``placement``: the first task that waits, with the least allocation, where there is room.

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
        """What starts in the view's slot, and what is stopped at its begin, by a policy that may do that."""


class Hidden:
    """What a policy may see of an instance before any job arrives; asking for more stops the run."""

    def __init__(self, **visible: AnyFamily) -> None:
        self.__dict__.update(visible)

    @classmethod
    def of(cls, instance: AnyFamily, *names: str, **more: AnyFamily) -> Hidden:
        """The instance's family and some of its attributes, as they are, and what else there is to see."""
        return cls(**{name: getattr(instance, name) for name in ("family", *names)}, **more)

    def __getattr__(self, name: str) -> AnyFamily:
        raise PolicyError(f"the policy looked into the future: '{name}' is not known before the jobs arrive")


def drive_arrivals(
    policy: ArrivalPolicy,
    system: Hidden,
    arrivals: Sequence[tuple[int, Sequence[AnyFamily]]],
    context: Context = USUAL,
    columns: Sequence[str] = (),
    at_once: bool | None = None,
) -> Decisions:
    """All that an arrival policy decides over the time axis.

    Parameters
    ----------
    arrivals
        (time, jobs) in increasing time; every job has ``index`` and ``name``.
    columns
        Those that the family's decisions have.
    at_once
        Whether it is asked for all slots until the next arrival at once; as `is_ours` says if not given.

    Raises
    ------
    PolicyError
        When the policy lacks a method, answers with no decisions, or decides in the past, ahead of its time, or for a
        job that has not arrived.
    """
    require_methods(policy, "start", "arrive", "advance")
    known: set[int] = set()
    log = _Log(columns)
    now, total = 0, sum(len(jobs) for _, jobs in arrivals)
    whole = is_ours(policy) if at_once is None else at_once

    def advance(end: int) -> None:
        nonlocal now
        for until in (end,) if whole or end == FOREVER else range(now + 1, end + 1):
            log.add(_check_decisions(policy.advance(until), now, until, known, columns))
            now = until

    policy.start(system)
    for time, jobs in arrivals:
        advance(time)
        known.update(job.index for job in jobs)
        policy.arrive(time, jobs)
        context.progress(f"{len(known)} of {total} jobs", len(known) / total)
    if not whole:
        advance(max(now, vars(system).get("horizon", now)))
    advance(FOREVER)
    return log.decisions()


class _Log:
    """Decisions one after another, in a table that grows: the policy may still hold the arrays that it handed in."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._filled = names, 0
        self._table = np.empty((2 + len(names), 64), dtype=np.int64)

    def add(self, more: Decisions) -> None:
        """Copy some to the end."""
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
        """All of them."""
        time, job, *columns = self._table[:, : self._filled]
        return Decisions(time, job, dict(zip(self._names, columns, strict=True)))


def is_ours(policy: AnyFamily) -> bool:
    """Whether a policy's class is of this package: that it looks at nothing ahead is tested."""
    return type(policy).__module__.partition(".")[0] == __name__.partition(".")[0]


PROTOCOLS = (ArrivalPolicy, CommitPolicy, ResponsePolicy, BatchPolicy, SlotPolicy)


def require_protocol(policy: AnyFamily) -> None:
    """Refuse an object, or a class, that lacks a method of each protocol."""
    missing = {
        protocol.__name__: [n for n in vars(protocol) if n[0] != "_" and not callable(getattr(policy, n, None))]
        for protocol in PROTOCOLS
    }
    if all(missing.values()):
        name = (policy if isinstance(policy, type) else type(policy)).__name__
        lacking = "; ".join(f"{' and '.join(map(repr, names))} of {protocol}" for protocol, names in missing.items())
        raise PolicyError(f"the policy {name} implements no protocol of {__name__}: it has no {lacking}")


def require_methods(policy: AnyFamily, *names: str) -> None:
    """Refuse a policy without one of its protocol's methods."""
    for name in names:
        if not callable(getattr(policy, name, None)):
            raise PolicyError(f"the policy {type(policy).__name__} has no method '{name}'")


def rows_of(answer: object, kind: type[T]) -> list[T]:
    """What a batch policy has answered, where that is rows of a kind."""
    rows: list[object] = [*answer] if isinstance(answer, Iterable) else [answer]
    result = [row for row in rows if isinstance(row, kind)]
    if len(result) < len(rows):
        raise PolicyError(f"assign of the policy returned {short(answer)}, expected a list of {kind.__name__}")
    return result


def require_decisions(decisions: Decisions, names: Sequence[str]) -> Decisions:
    """What a batch policy has answered, where that is decisions with the columns of those names."""
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
        raise PolicyError(f"the policy rewrote the past: a decision for {min(time)} came at {now}")
    if time[-1] > until:
        raise PolicyError(f"the policy ran ahead: a decision for {time[-1]} came before {until}")
    if unknown := set(decisions.job.tolist()) - known:
        raise PolicyError(
            f"the policy looked into the future: it scheduled job number {min(unknown)} before it arrived"
        )
    return decisions


def _flaw(decisions: object, names: Sequence[str]) -> str:
    """What a policy answered in place of decisions with the columns of those names."""
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
    """Run a commit policy: its allocation of a slot is copied before it learns what arrived."""
    require_methods(policy, "decide", "observe")
    for slot, seen in enumerate(arrivals):
        decided = np.array(policy.decide(slot), copy=True)
        policy.observe(slot, np.array(seen, copy=True))
        yield decided


def drive_responses(policy: ResponsePolicy, arrivals: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Run a response policy: it sees each slot's arrivals, and what it allocated there stays."""
    require_methods(policy, "respond")
    for slot, seen in enumerate(arrivals):
        yield np.array(policy.respond(slot, np.array(seen, copy=True)), copy=True)
