"""What is left of each server where time is split: exact, with doubles beside it that decide what is clear."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from schedproof.instances.jrp import Instance

CLEAR = 1e-9  # relative; a sum of so few doubles is nearer to its rational than that
NOTHING = Fraction(0)


class Rooms:
    """Storage, and the two sides of the split, of each server; a GB of job k takes 1, a_k and b_k of them.

    Attributes
    ----------
    exact
        For each server [r^s, (1 - epsilon) r^c, epsilon r^b], less what has been taken.
    rates
        For each job (1, a_k, b_k).
    near, near_rates
        (m, 3) and (p, 3): the doubles nearest to them.
    """

    def __init__(self, instance: Instance) -> None:
        share = instance.communication_share
        self.exact = [[s.storage, (1 - share) * s.compute, share * s.bandwidth] for s in instance.servers]
        self.rates = [(Fraction(1), job.compute_rate, job.bandwidth_rate) for job in instance.jobs]
        self.near = np.array(self.exact, dtype=float).reshape(-1, 3)
        self.near_rates = np.array(self.rates, dtype=float).reshape(-1, 3)

    def clear(self, server: np.ndarray, job: np.ndarray, data: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where doubles are sure that so much data of a job fits on a server alone, and where that not; (n, 3) each."""
        need, room = data[:, None] * self.near_rates[job], self.near[server]
        return need * (1 + CLEAR) <= room, need * (1 - CLEAR) > room

    def limit(self, server: int, job: int) -> Fraction:
        """The most GB of a job that fit on a server, exactly."""
        return min(room / rate for room, rate in zip(self.exact[server], self.rates[job], strict=True) if rate)

    def take(self, rows: Iterable[tuple[int, int, Fraction]]) -> int:
        """Less (server, job, GB); nothing is left of what is overfilled. Returns how many have just been overfilled."""
        touched = set()
        for j, k, data in rows:
            room = self.exact[j]
            for resource, rate in enumerate(self.rates[k]):
                room[resource] -= rate * data
            touched.add(j)
        overfilled = 0
        for j in touched:
            overfilled += sum(room < 0 for room in self.exact[j])
            self.exact[j] = [max(room, NOTHING) for room in self.exact[j]]
            self.near[j] = self.exact[j]
        return overfilled
