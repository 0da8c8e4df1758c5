"""Outcomes of tried ratios in a store, from which an interrupted proof resumes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from schedproof.core.data.store import Row, Store
from schedproof.core.runtime.provenance import code

TRIALS = "ratios that were tried"  # the kind of a store with trials
NONE = np.zeros(0, dtype=np.int64)
MOST_NUMBER = 2**62  # larger numbers are Python's integers
LOG = logging.getLogger("schedproof")


class Trial(NamedTuple):
    """The outcome of a ratio: one of two witnesses; the other witness is empty.

    Attributes
    ----------
    more
        The ratio is too small. In a graph: the steps of a walk with a larger ratio. In a game: the adversary's credits,
        which prove at least this ratio.
    enough
        The ratio suffices. In a graph: a potential. In a game: the policy's credits.
    """

    more: np.ndarray = NONE
    enough: np.ndarray = NONE


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    more: list[int]
    enough: list[int]


def trial_of(row: Row) -> Trial:
    """Return the trial of a row of the store.

    Raises
    ------
    ValueError
        If the row is not a trial.
    """
    found = msgspec.convert(row, _Row)
    return Trial(*(integers(numbers) for numbers in (found.more, found.enough)))


def integers(numbers: list[int]) -> np.ndarray:
    """Return integers as an array."""
    return np.array(numbers, dtype=np.int64 if max(map(abs, numbers), default=0) < MOST_NUMBER else object)


@dataclass(frozen=True)
class Trials:
    """Finished trials; a stored trial is verified before it is used.

    Attributes
    ----------
    finished
        The store, if any.
    key
        The code's hash, and everything else that a trial depends on except the ratio.
    """

    finished: Store | None = None
    key: Row = field(default_factory=dict)

    def of(self, **key: object) -> Trials:
        return Trials(self.finished, {**self.key, **key})

    def __call__(self, ratio: Fraction, work: Callable[[], Trial], proves: Callable[[Trial], bool]) -> Trial:
        """Return the outcome of a ratio, from the store or by `work`."""
        if self.finished is None:
            return work()
        key = self.key | {"ratio": str(ratio)}
        stored = self.finished.find(key)
        if stored is not None:
            if proves(trial := trial_of(stored)):
                return trial
            LOG.warning("a stored trial of the ratio %s is not valid and will be recomputed", ratio)
            self.finished.forget([key])
        trial = work()
        self.finished.add(key, {name: numbers.tolist() for name, numbers in trial._asdict().items()})
        return trial


NO_TRIALS = Trials()


@contextmanager
def kept(store: str | Path | None) -> Iterator[Trials]:
    """Open the trials of a store, if any."""
    if store is None:
        yield NO_TRIALS
        return
    with Store(TRIALS, store, trial_of) as finished:
        yield Trials(finished, {"code": code("schedproof.adversary")})
