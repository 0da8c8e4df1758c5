"""The step rules of OGASched: eta_t is a size, over nothing, |g_t|, or the root of the sum of |g_s|^2 so far.

=============  ==========================================  =================================
name           eta_t                                       source
=============  ==========================================  =================================
``constant``   D / (G sqrt T), or a number                 paper 002, proof of Theorem 1
``decayed``    eta_0 lambda^(t - 1)                        Algorithm 1, line 33; Table II
``printed53``  D / (|g_t| sqrt T), 0 where g_t = 0         (53)
``anytime``    D / sqrt(2 sum_{s <= t} |g_s|^2)            Orabona, the paper's [32]
=============  ==========================================  =================================
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np

from schedproof.online.multiserver.kernels import ALL, NOTHING, SLOT


class StepRule(Protocol):
    """eta_t = size of slot t / what is measured."""

    @property
    def measures(self) -> int:
        """`kernels.NOTHING`, `SLOT` or `ALL`."""

    def sizes(self, first: int, count: int) -> np.ndarray:
        """(count,) sizes of the slots from ``first`` on; the first slot of all is 0."""


@dataclass(frozen=True)
class Steady:
    """The same size in every slot."""

    size: float
    measures: int = NOTHING

    def sizes(self, first: int, count: int) -> np.ndarray:
        """(count,) times the size."""
        return np.full(count, self.size)


@dataclass(frozen=True)
class Decayed:
    """A size that shrinks by the same factor from slot to slot."""

    initial: float
    decay: float
    measures: int = NOTHING

    def sizes(self, first: int, count: int) -> np.ndarray:
        """(count,) sizes: initial * decay ** slot."""
        return self.initial * self.decay ** np.arange(first, first + count, dtype=np.float64)


def constant(diameter: float, steepest: float, horizon: int) -> StepRule:
    """D / (G sqrt T); 0 where no gradient can be."""
    return Steady(diameter / (steepest * sqrt(horizon)) if steepest > 0 else 0.0)


def printed53(diameter: float, steepest: float, horizon: int) -> StepRule:
    """D / (|g_t| sqrt T)."""
    return Steady(diameter / sqrt(horizon), SLOT)


def anytime(diameter: float, steepest: float, horizon: int) -> StepRule:
    """D / sqrt(2 sum |g_s|^2): the horizon is not used."""
    return Steady(diameter / sqrt(2), ALL)


RULES = {"constant": constant, "printed53": printed53, "anytime": anytime}  # those that follow from D, G and T


class StepSizes:
    """eta_t of a rule, slot by slot: what the kernels do inside."""

    def __init__(self, rule: StepRule) -> None:
        self.rule = rule
        self.slot, self.measured = 0, 0.0

    def next(self, square: float) -> float:
        """eta_t of the next slot, given |g_t|^2; 0 where there is nothing to divide by."""
        size = float(self.rule.sizes(self.slot, 1)[0])
        self.slot += 1
        if self.rule.measures == NOTHING:
            return size
        self.measured = square + (self.measured if self.rule.measures == ALL else 0.0)
        return size / sqrt(self.measured) if self.measured > 0 else 0.0
