"""What ratios end in, kept in a store: a proof goes on where it was interrupted, and ends in the same bytes."""

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

TRIALS = "ratios that were tried"  # what a store of them says that it is of
NONE = np.zeros(0, dtype=np.int64)
LOG = logging.getLogger("schedproof")


class Trial(NamedTuple):
    """What a ratio ends in: one of two witnesses, the other one empty.

    Attributes
    ----------
    more
        That the largest ratio is larger: the states of a cycle; of a game, that it is no less: the adversary's credits.
    enough
        That it is no larger: the potential of each state; of a game, the policy's credits.
    """

    more: np.ndarray = NONE
    enough: np.ndarray = NONE


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """The same, in a store."""

    more: list[int]
    enough: list[int]


def trial_of(row: Row) -> Trial:
    """The trial of a row of the store.

    Raises
    ------
    ValueError, OverflowError
        For a row that is none.
    """
    found = msgspec.convert(row, _Row)
    return Trial(np.array(found.more, dtype=np.int64), np.array(found.enough, dtype=np.int64))


@dataclass(frozen=True)
class Trials:
    """The trials that are finished, none where nothing is kept; what a row says is looked at before it is believed.

    Attributes
    ----------
    finished
        The store.
    key
        What a trial depends on beside its ratio, and the code.
    """

    finished: Store | None = None
    key: Row = field(default_factory=dict)

    def of(self, **key: object) -> Trials:
        """Those of a graph or a game, by what it depends on."""
        return Trials(self.finished, {**self.key, **key})

    def __call__(self, ratio: Fraction, work: Callable[[], Trial], proves: Callable[[Trial], bool]) -> Trial:
        """What a ratio ends in, computed unless it is there."""
        if self.finished is None:
            return work()
        key = self.key | {"ratio": str(ratio)}
        stored = self.finished.find(key)
        if stored is not None:
            if proves(trial := trial_of(stored)):
                return trial
            LOG.warning("a stored trial of the ratio %s shows nothing and will be recomputed", ratio)
            self.finished.forget([key])
        trial = work()
        self.finished.add(key, {name: numbers.tolist() for name, numbers in trial._asdict().items()})
        return trial


NO_TRIALS = Trials()


@contextmanager
def kept(store: str | Path | None) -> Iterator[Trials]:
    """Trials that a file keeps, or nothing."""
    if store is None:
        yield NO_TRIALS
        return
    with Store(TRIALS, store, trial_of) as finished:
        yield Trials(finished, {"code": code(__package__)})
