"""Run parameters of a computation: seed, progress callback, time limit, clock."""

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

LONGEST = 1e8  # seconds, three years; a larger limit counts as none, since system timers cannot represent it


class Progress(Protocol):
    """A callback for the progress of a computation."""

    def __call__(self, message: str, done: float | None = None) -> None:
        """Receive a message and the finished fraction from 0 to 1, if known."""


def silent(message: str, done: float | None = None) -> None:
    """Ignore the progress."""


def forget(result: Value) -> None:
    """Discard intermediate results."""


def known_so_far(incumbent: float | None, bound: float | None) -> str:
    """Return incumbent, bound and gap of a search as text."""
    words = [] if incumbent is None else [f"incumbent {incumbent:.6g}"]
    words += [] if bound is None else [f"bound {bound:.6g}"]
    if incumbent is not None and bound is not None:
        words.append(f"gap {abs(incumbent - bound) / max(abs(incumbent), 1e-9):.1%}")
    return ", ".join(words)


@dataclass(frozen=True)
class Context:
    """Run parameters of a computation.

    Attributes
    ----------
    seed
        Seed of all random draws.
    progress
        Called with the progress.
    time_limit
        Seconds in total, or None for the computation's default.
    keep
        Called with each valid intermediate result; the last result is returned at the time limit.
    interrupted
        Set when the user interrupts (Ctrl-C), or None if partial results are not wanted.
    started
        Start of the computation on `clock.now`.
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
        """Return the context with a default time limit from now, unless it has a limit."""
        return self if self.time_limit is not None else replace(self, time_limit=seconds, started=now())

    def shorter(self, seconds: float) -> Context:
        """Return the context with less time, to leave some for later work."""
        return replace(self, time_limit=max(0.0, (self.time_limit or 0.0) - seconds)) if self.limited else self

    @property
    def limited(self) -> bool:
        """Whether there is a time limit."""
        return self.time_limit is not None and self.time_limit < LONGEST

    @property
    def until(self) -> float:
        """The end of the time limit on `clock.now`; infinite without a limit."""
        return inf if self.time_limit is None else self.started + self.time_limit

    @property
    def remaining(self) -> float | None:
        """The remaining seconds, >= 0, or None without a limit, as for solvers."""
        return max(0.0, self.until - now()) if self.limited else None

    @property
    def over(self) -> bool:
        """Whether the time limit has passed or the user has interrupted."""
        return now() >= self.until or (self.interrupted is not None and self.interrupted.is_set())


USUAL = Context()
