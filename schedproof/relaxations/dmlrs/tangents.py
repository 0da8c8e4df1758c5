"""Multipliers for a price certificate: they make its bound on B tight where machines differ in price."""

from __future__ import annotations

import numpy as np

from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs.least_cost import Slots

TARGETS = 9  # numbers of workers at which the bound is to be tight
SLOPES = 15
SHARES = np.linspace(0.0, 1.0, 17)  # of a slope that may be for the parameter servers


def tangents(instance: Instance, prices: np.ndarray) -> np.ndarray:
    """Rows (job, slot, lambda, mu) for the jobs that can finish, shape (rows, 4), int64.

    One more worker, with its share of a parameter server, costs lambda + mu/gamma: about what it costs on some machine.
    The machines' own prices are tried, and such sums with several shares of the two; those pairs are kept that prove
    most of B for some number of workers.

    Parameters
    ----------
    prices
        As those of the certificate: int64, shape (T, H, R).
    """
    unservable = {job.index for job in instance.unservable_jobs}
    found: list[np.ndarray] = []
    for job in instance.jobs:
        slots, gamma = Slots(instance, job), float(job.workers_per_ps)
        targets = np.unique(np.linspace(1, job.batch_size, TARGETS).astype(int))
        for t in range(job.arrival, instance.horizon if job.index not in unservable else 0):
            worker, ps = prices[t] @ slots.worker, prices[t] @ slots.ps
            if (worker != worker[0]).any() or (ps != ps[0]).any():
                slopes = np.quantile(worker + ps / gamma, np.linspace(0, 1, SLOPES))[:, None]
                pairs = np.stack([slopes * (1 - SHARES), slopes * SHARES * gamma], axis=2).reshape(-1, 2)
                whole = np.unique(np.concatenate([pairs.astype(np.int64), np.stack([worker, ps], axis=1)]), axis=0)
                best = np.unique(slots.proven(t, prices[t], whole)[:, targets].argmax(axis=0))
                found.append(np.insert(whole[best], 0, [[job.index], [t]], axis=1))
    return np.concatenate(found) if found else np.empty((0, 4), dtype=np.int64)
