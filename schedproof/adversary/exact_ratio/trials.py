"""What ratios end in, kept in a store: a proof goes on where it was interrupted, and ends in the same bytes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import msgspec
import numpy as np

from schedproof.adversary.exact_ratio.graph import Graph
from schedproof.adversary.exact_ratio.search import Trial, proves
from schedproof.core.store import Row, Store

TRIALS = "ratios that were tried"  # what a store of them says that it is of
LOG = logging.getLogger("schedproof")


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    """A cycle whose ratio is larger; or none, and a potential."""

    cycle: list[int]
    potential: list[int]


def trial_of(row: Row) -> Trial:
    """The trial of a row of the store.

    Raises
    ------
    ValueError, OverflowError
        For a row that is none.
    """
    found = msgspec.convert(row, _Row)
    return found.cycle, np.array(found.potential, dtype=np.int64)


@dataclass(frozen=True)
class Trials:
    """The trials of one graph; what a row says is looked at before it is believed.

    Attributes
    ----------
    key
        What the graph depends on, and the code.
    """

    graph: Graph
    finished: Store
    key: Row

    def __call__(self, ratio: Fraction, work: Callable[[], Trial]) -> Trial:
        """What a ratio ends in, computed unless it is there."""
        key = self.key | {"ratio": str(ratio)}
        stored = self.finished.find(key)
        if stored is not None:
            if proves(self.graph, ratio, trial := trial_of(stored)):
                return trial
            LOG.warning("a stored trial of the ratio %s shows nothing, and is computed again", ratio)
            self.finished.forget([key])
        cycle, potential = work()
        self.finished.add(key, {"cycle": cycle, "potential": [] if cycle else potential.tolist()})
        return cycle, potential
