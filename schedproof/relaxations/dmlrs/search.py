"""The rounds of column generation on one master: price its multipliers out, add what improves it, solve it again."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from time import perf_counter

import numpy as np

from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.master import Master
from schedproof.relaxations.dmlrs.pricing import OutOfTime, Priced, Pricing, Wish

ONE_CLASS_WEIGHT, CLASSES_WEIGHT = (
    0.3,
    0.9,
)  # weight of the best bound's prices, with one class of machines in each slot and with several
LEAST_GAIN = 1e-9  # of the bound: a smaller reduced cost improves nothing
LEAST_COARSE_GAIN = 1e-4  # of the bound: with smaller ones a coarse count has served its purpose


class Search:
    """Column generation on the rows of some classes of machines.

    Attributes
    ----------
    best
        The prices that prove the best bound so far; 0 in the beginning.
    """

    def __init__(self, instance: Instance, classes: MachineClasses, fineness: Wish) -> None:
        self.pricing, self.master = Pricing(instance, classes), Master(instance, classes)
        self.several = classes.count.shape[1] > 1
        self._wishes: list[Wish] = [1, fineness] if fineness != 1 else [1]
        self._weight = CLASSES_WEIGHT if self.several else ONE_CLASS_WEIGHT
        self.best = self.pricing(self.master.prices, 1)
        self.master.add(self.best.plans)
        self.master.solve()

    @property
    def bound(self) -> float:
        """The best bound so far."""
        return float(self.best.bound)

    @property
    def gap(self) -> float:
        """Of the master's value to the best bound, relative to the latter."""
        return max(0.0, self.bound - self.master.value) / self.bound if self.bound > 0 else 0.0

    def start(self, plans: Iterable[Plan], prices: np.ndarray) -> None:
        """Go on from schedules and prices that were found before."""
        self.master.add(plans)
        self.master.solve()
        self._consider(self.pricing(prices, self._wishes[-1]))

    def round(self, until: float) -> str:
        """One round; returns ``converged``, ``solver`` or ``time`` when there can be no other one, otherwise nothing.

        Parameters
        ----------
        until
            When to give up, on the clock of `perf_counter`.
        """
        mixed = self._weight * self.best.doubles + (1 - self._weight) * self.master.prices
        try:
            priced = self.pricing(mixed, self._wishes[0], until)
        except OutOfTime:
            return "time"
        self._consider(priced)
        reduced = self.master.add(priced.plans) / max(1.0, self.bound)
        if reduced > LEAST_GAIN:
            left = None if until == inf else max(1.0, until - perf_counter())
            if not self.master.solve(left).has_point:
                return "solver"
        if reduced > (LEAST_COARSE_GAIN if len(self._wishes) > 1 else LEAST_GAIN):
            self._weight = CLASSES_WEIGHT if self.several else ONE_CLASS_WEIGHT
        elif self._weight:
            self._weight = 0.0
        elif len(self._wishes) > 1:
            del self._wishes[0]
        else:
            return "converged"
        return ""

    def _consider(self, priced: Priced) -> None:
        if priced.bound < self.best.bound:
            self.best = priced
