"""What any computation takes beside its options: a seed, a progress callback, a time limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Progress(Protocol):
    """A callback for the progress of a computation."""

    def __call__(self, message: str, done: float | None = None) -> None:
        """What has been reached, and which part of the whole that is, from 0 to 1, where it is known."""


def silent(message: str, done: float | None = None) -> None:
    """Ignore the progress."""


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
        Seconds; None for what is usual for the computation.
    """

    seed: int = 0
    progress: Progress = silent
    time_limit: float | None = None

    def seconds(self, usual: float | None = None) -> float | None:
        """The time limit, or the usual one where none is set; None for no limit."""
        return usual if self.time_limit is None else self.time_limit


USUAL = Context()
