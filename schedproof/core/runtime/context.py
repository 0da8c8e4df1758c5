"""What any computation takes beside its options: a seed, a progress callback, a time limit and its clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from numbers import Integral, Real
from threading import Event
from typing import Protocol

from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError, short
from schedproof.core.runtime.clock import now

LONGEST = 1e8  # seconds, three years: a limit beyond it is none, and no clock of the system can be set to it


class Progress(Protocol):
    """A callback for the progress of a computation."""

    def __call__(self, message: str, done: float | None = None) -> None:
        """What has been reached, and which part of the whole that is, from 0 to 1, where it is known."""


def silent(message: str, done: float | None = None) -> None:
    """Ignore the progress."""


def forget(result: Value) -> None:
    """Keep nothing: only the final result is wanted."""


def known_so_far(incumbent: float | None, bound: float | None) -> str:
    """What a search knows of the optimum, in words for its progress."""
    words = [] if incumbent is None else [f"incumbent {incumbent:.6g}"]
    words += [] if bound is None else [f"bound {bound:.6g}"]
    if incumbent is not None and bound is not None:
        words.append(f"gap {abs(incumbent - bound) / max(abs(incumbent), 1e-9):.1%}")
    return ", ".join(words)


@dataclass(frozen=True)
class Context:
    """How a computation is run, whatever it computes.

    Attributes
    ----------
    seed
        Of every random choice.
    progress
        Called with the progress.
    time_limit
        Seconds for the whole of it; None for what is usual for the computation.
    keep
        Called with a result that is valid, if not the best: the answer, should time be over before there is a better.
    interrupted
        Set once the user has interrupted it (Ctrl-C); None where partial results are not wanted.
    started
        When its clock began to run, on `clock.now`.
    """

    seed: int = 0
    progress: Progress = silent
    time_limit: float | None = None
    keep: Callable[[Value], None] = forget
    interrupted: Event | None = None
    started: float = field(default_factory=now)

    def __post_init__(self) -> None:
        if not isinstance(self.seed, Integral) or self.seed < 0:
            raise InputError(f"seed={short(self.seed)}: expected an integer >= 0")
        if self.time_limit is not None and not (isinstance(self.time_limit, Real) and self.time_limit >= 0):
            raise InputError(f"time_limit={short(self.time_limit)}: expected seconds >= 0, or None")
        if not callable(self.progress):
            raise InputError(f"progress={short(self.progress)}: expected a function of a message and a number")

    def with_default_limit(self, seconds: float) -> Context:
        """The same, with a usual time limit from now on where none is set."""
        return self if self.time_limit is not None else replace(self, time_limit=seconds, started=now())

    def shorter(self, seconds: float) -> Context:
        """The same with less time, for work that more is to follow on."""
        return replace(self, time_limit=max(0.0, (self.time_limit or 0.0) - seconds)) if self.limited else self

    @property
    def limited(self) -> bool:
        """Whether the time is limited at all."""
        return self.time_limit is not None and self.time_limit < LONGEST

    @property
    def until(self) -> float:
        """When the time is over, on `clock.now`; infinite for no limit."""
        return inf if self.time_limit is None else self.started + self.time_limit

    @property
    def remaining(self) -> float | None:
        """The remaining seconds, at least 0; None for no limit, as solvers have it."""
        return max(0.0, self.until - now()) if self.limited else None

    @property
    def over(self) -> bool:
        """Whether the time is over, or the user has interrupted it."""
        return now() >= self.until or (self.interrupted is not None and self.interrupted.is_set())


USUAL = Context()
