"""PD-ORS to the letter: Algorithm 3 by samples, Algorithm 4 with an LP for each.

It is the peer of `pd_ors.py`, written independently from the paper. Two readings in its favour make it feasible:
Theta(t, V) and theta(t, v) are stored within a job, and parameter servers get the covering row that (23) lacks.
"""

from __future__ import annotations

from functools import cache
from math import ceil, floor, inf
from typing import Any

import numpy as np
from scipy.optimize import linprog

from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs import Instance, Job
from schedproof.instances.dmlrs.extremes import extremes


class Literal:
    """The state of one run: what is used, and the prices (12)."""

    def __init__(self, instance: Instance, gain: float = 1.0, draws: int = 20, seed: int = 0) -> None:
        self.instance, self.gain, self.draws = instance, gain, draws
        self.random = np.random.default_rng(seed)
        self.names = instance.resources
        self.capacity = np.array([[float(m.capacity.get(r, 0)) for r in self.names] for m in instance.machines])
        self.used = np.zeros((instance.horizon, *self.capacity.shape))
        known = extremes(instance, "printed")
        self.low = known.log_lowest
        self.high = [known.log_highest.get(r) for r in self.names]

    def price(self, slot: int) -> np.ndarray:
        """Q(rho) = L (U/L)^(rho/C), shape (H, R)."""
        share = self.used[slot] / np.maximum(self.capacity, 1e-9)
        price = np.zeros(share.shape)
        for r, high in enumerate(self.high):
            if high is not None:
                price[:, r] = np.exp(self.low + share[:, r] * (high - self.low))
        return price

    def run(self) -> float:
        """Algorithm 1: the total utility of the accepted jobs."""
        total = 0.0
        for _, jobs in arrivals(self.instance.jobs):
            for job in jobs:
                total += self.decide(job)
        return total

    def decide(self, job: Job) -> float:
        """Algorithm 2: every completion slot; accept when the best payoff is positive."""
        alpha = np.array([float(job.worker.get(r, 0)) for r in self.names])
        beta = np.array([float(job.ps.get(r, 0)) for r in self.names])
        prices = [self.price(t) for t in range(self.instance.horizon)]
        inside, outside = float(job.internal_time), float(job.external_time)

        @cache
        def slot_cost(slot: int, samples: int) -> tuple[float, Any]:  # Algorithm 4
            left = self.capacity - self.used[slot]
            per_worker, per_ps = prices[slot] @ alpha, prices[slot] @ beta
            if samples == 0:
                return 0.0, None
            best: tuple[float, Any] = (inf, None)
            workers = ceil(samples * inside - 1e-9)
            servers = job.ps_needed(workers)
            for h in np.argsort(per_worker * float(job.workers_per_ps) + per_ps):
                if workers <= job.batch_size and (alpha * workers + beta * servers <= left[h] + 1e-9).all():
                    cost = per_worker[h] * workers + per_ps[h] * servers
                    best = (cost, [(h, workers, servers)])
                    break
            spread = self.rounded(job, alpha, beta, left, per_worker, per_ps, ceil(samples * outside - 1e-9))
            return spread if spread[0] < best[0] else best

        @cache
        def cheapest(slot: int, samples: int) -> tuple[float, tuple[Any, ...]]:  # Algorithm 3
            if samples == 0:
                return 0.0, ()
            if slot < job.arrival:
                return inf, ()
            best: tuple[float, tuple[Any, ...]] = (inf, ())
            for v in range(samples + 1):
                here, rows = slot_cost(slot, v)
                rest, plan = cheapest(slot - 1, samples - v)
                if here + rest < best[0]:
                    best = (here + rest, plan if rows is None else (*plan, (slot, rows)))
            return best

        payoff, chosen = 0.0, None
        for end in range(job.arrival, self.instance.horizon):
            cost, plan = cheapest(end, job.work)
            utility = float(job.utility.lower(end + 1 - job.arrival))
            if utility - cost > payoff:
                payoff, chosen = utility - cost, (utility, plan)
        if chosen is None:
            return 0.0
        for slot, rows in chosen[1]:
            for h, workers, servers in rows:
                self.used[slot, h] += alpha * workers + beta * servers
        return chosen[0]

    def rounded(
        self, job: Job, alpha: Any, beta: Any, left: Any, per_worker: Any, per_ps: Any, workers: int
    ) -> tuple[float, Any]:
        """The LP relaxation of (23), rounded at random (27)-(28) until a draw is feasible, at most S times."""
        machines = len(left)
        rows = [
            np.concatenate([np.where(np.arange(machines) == h, a, 0), np.where(np.arange(machines) == h, b, 0)])
            for h in range(machines)
            for a, b in zip(alpha, beta, strict=True)
        ]
        ones, none = np.ones(machines), np.zeros(machines)
        servers = job.ps_needed(workers)
        matrix = np.array(
            [*rows, np.concatenate([ones, none]), -np.concatenate([ones, none]), -np.concatenate([none, ones])]
        )
        sides = np.concatenate([left.ravel(), [job.batch_size, -workers, -servers]])
        solved = linprog(np.concatenate([per_worker, per_ps]), matrix, sides, method="highs")
        if solved.status != 0:
            return inf, None
        point = self.gain * solved.x
        for _ in range(self.draws):
            drawn = np.array([floor(x) + (self.random.random() < x - floor(x)) for x in point])
            w, s = drawn[:machines], drawn[machines:]
            fits = (np.outer(w, alpha) + np.outer(s, beta) <= left + 1e-9).all()
            if fits and workers <= w.sum() <= job.batch_size and s.sum() >= servers:
                placed = [(h, int(w[h]), int(s[h])) for h in range(machines) if w[h] or s[h]]
                return float(per_worker @ w + per_ps @ s), placed
        return inf, None
