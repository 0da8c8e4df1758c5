"""The remaining capacity of each server under a time split, exactly.

Doubles decide clear comparisons, rationals the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from schedproof.instances.jrp import Instance
from schedproof.instances.jrp.entities import NOTHING

CLEAR = 1e-9  # relative margin, larger than the rounding error of the sums


class ResidualCapacity:
    """Each server's storage and shares of the split; a GB of job k takes 1, a_k, b_k.

    Attributes
    ----------
    exact
        For each server [r^s, (1 - epsilon) r^c, epsilon r^b] minus the taken amounts.
    rates
        For each job (1, a_k, b_k).
    approx, approx_rates
        (m, 3) and (p, 3): the doubles nearest to ``exact`` and ``rates``.
    """

    def __init__(self, instance: Instance) -> None:
        share = instance.communication_share
        self.exact = [[s.storage, (1 - share) * s.compute, share * s.bandwidth] for s in instance.servers]
        self.rates = [(Fraction(1), job.compute_rate, job.bandwidth_rate) for job in instance.jobs]
        self.approx = np.array(self.exact, dtype=float).reshape(-1, 3)
        self.approx_rates = np.array(self.rates, dtype=float).reshape(-1, 3)

    def clear(self, server: np.ndarray, job: np.ndarray, data: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return where job data clearly fit on a server, and clearly do not; (n, 3) each."""
        need, rest = data[:, None] * self.approx_rates[job], self.approx[server]
        return need * (1 + CLEAR) <= rest, need * (1 - CLEAR) > rest

    def limit(self, server: int, job: int) -> Fraction:
        """Return the largest GB of a job that fits on a server, exactly."""
        return min(left / rate for left, rate in zip(self.exact[server], self.rates[job], strict=True) if rate)

    def take(self, rows: Iterable[tuple[int, int, Fraction]]) -> int:
        """Subtract (server, job, GB); return the number of newly overfilled resources.

        An overfilled resource has 0 left.
        """
        touched = set()
        for j, k, data in rows:
            for resource, rate in enumerate(self.rates[k]):
                self.exact[j][resource] -= rate * data
            touched.add(j)
        overfilled = 0
        for j in touched:
            overfilled += sum(left < 0 for left in self.exact[j])
            self.exact[j] = [max(left, NOTHING) for left in self.exact[j]]
            self.approx[j] = self.exact[j]
        return overfilled
