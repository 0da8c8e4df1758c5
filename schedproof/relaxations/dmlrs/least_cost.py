"""Lower bounds on the cost of a job's schedules, in integers.

*  In a slot n workers cost at least A(n) on one machine together, and on any machines at least

       B(n) >= lambda n + mu S(n) - sum_h max over (w, s) that fit machine h of (lambda - p_w) w + (mu - p_s) s

   for any multipliers lambda, mu >= 0 of the rows sum w >= n and sum s >= S(n). With the lowest p_w and p_s among the
   machines as lambda and mu the sum is 0, and the bound is tight if the machines' prices are equal.
* A finished job has ceil(k V c_e) units of progress if n internal workers make ceil(n k c_e/c_i) units and n external
   workers n k units. The least cost of these units is a lower bound, for any whole number k.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.instances.dmlrs import Instance, Job

INFEASIBLE_COST = 2**61  # above any feasible cost
MOST_UNITS = 10**7
IMPOSSIBLE = -(2**61)  # so many workers leave no room


class Slots:
    """Lower bounds on the cost of a job's workers in a slot."""

    def __init__(self, instance: Instance, job: Job) -> None:
        self.grid, self.count = instance.grid, np.arange(job.batch_size + 1)
        self.worker, self.ps = instance.grid.worker(job), instance.grid.ps(job)
        self.needed = np.array(list(map(job.ps_needed, self.count.tolist())), dtype=np.int64)
        self.known: dict[bytes, tuple[np.ndarray, int]] = {}

    def costs(self, slot: int, prices: np.ndarray, tangents: np.ndarray) -> np.ndarray:
        """Return the costs of 0, ..., F workers on one machine and anywhere, (2, F + 1).

        Parameters
        ----------
        prices
            Shape (H, R), int64.
        tangents
            Pairs (lambda, mu), shape (pairs, 2), int64.
        """
        room, limit = self._room(self.grid.at(slot))
        price = np.stack([prices @ self.worker, prices @ self.ps], axis=1)
        width = room.shape[1]
        whole = self.count[:width] * price[:, :1] + self.needed[:width] * price[:, 1:]
        result = np.full((2, self.count.size), INFEASIBLE_COST)
        result[0, :width] = np.where(room >= self.needed[:width], whole, INFEASIBLE_COST).min(axis=0)
        pairs = np.concatenate([price.min(axis=0, keepdims=True), tangents])
        result[1, : limit + 1] = self._lower_bounds(room, price, pairs).max(axis=0)[: limit + 1]
        return np.maximum(result, 0)

    def lower_bounds(self, slot: int, prices: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        """Return the bounds of each pair on B(0), ..., B(F), shape (pairs, F + 1)."""
        price = np.stack([prices @ self.worker, prices @ self.ps], axis=1)
        return self._lower_bounds(self._room(self.grid.at(slot))[0], price, pairs)

    def _lower_bounds(self, room: np.ndarray, price: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        over = pairs[:, None, :] - price  # (pairs, H, 2)
        gained = over[:, :, :1] * self.count[: room.shape[1]] + np.maximum(over[:, :, 1:], 0) * room
        most_gained = np.where(room >= 0, gained, 0).max(axis=2).sum(axis=1)
        return pairs @ np.stack([self.count, self.needed]) - most_gained[:, None]

    def _room(self, free: np.ndarray) -> tuple[np.ndarray, int]:
        key = free.tobytes()
        if key not in self.known:
            rest = free[:, None, :] - self.count[:, None] * self.worker  # (H, F + 1, R)
            with_ps = self.ps > 0
            room = np.minimum(self.needed[-1], (rest[:, :, with_ps] // self.ps[with_ps]).min(axis=2, initial=2**62))
            room[(rest < 0).any(axis=2)] = -1
            room = room[:, : max(1, int((room >= 0).sum(axis=1).max()))]
            before = np.maximum(np.subtract.outer(self.count, self.count[: room.shape[1]]), -1)
            total = np.full(self.count.size + 1, IMPOSSIBLE)  # on all machines, by workers; the last entry is never set
            total[0] = 0
            for row in np.where(room >= 0, room, IMPOSSIBLE):
                total[:-1] = (total[before] + row).max(axis=1)
            self.known[key] = room, int(np.flatnonzero(total[:-1] >= self.needed).max())
        return self.known[key]


class Progress:
    """A dynamic program over slots: the least cost of at least 0, 1, ... units so far."""

    def __init__(self, job: Job, fineness: int, slots: int) -> None:
        step, counts = fineness * job.external_time / job.internal_time, range(job.batch_size + 1)
        gains = [-(-n * step.numerator // step.denominator) for n in counts] + [n * fineness for n in counts]
        self.need = ceil(fineness * job.work * job.external_time)
        self.gains = np.array(gains, dtype=np.int64)
        self.possible = max(gains) * slots >= self.need
        if not self.possible:
            return
        if self.need > MOST_UNITS:
            raise ValueError(f"a fineness of the certificate needs more than {MOST_UNITS} units of progress")
        self.falling = np.argsort(-self.gains, kind="stable")
        self.pad = max(gains)  # padding before entry 0, so that no gain leaves the row
        self.reach = 0
        self.row = np.zeros(self.pad + self.need + 1, dtype=np.int64)
        self.row[self.pad + 1 :] = INFEASIBLE_COST
        self.sums = np.empty(self.need, dtype=np.int64)

    def after(self, costs: np.ndarray) -> int:
        """Add a slot with these costs by number of workers; return the completion cost."""
        gains, price = self.gains[self.falling], costs.ravel()[self.falling]
        cheaper = np.concatenate(
            [[INFEASIBLE_COST], np.minimum.accumulate(price)[:-1]]
        )  # cheaper than any option with as much gain
        useful = (gains > 0) & (price < cheaper)
        gains, price = gains[useful], price[useful]
        self.reach = min(self.need, self.reach + int(gains.max(initial=0)))
        first, last = self.pad + 1, self.pad + 1 + self.reach
        old, row, sums = self.row, self.row.copy(), self.sums[: self.reach]
        for gain, cost in zip(gains.tolist(), price.tolist(), strict=True):
            np.add(old[first - gain : last - gain], cost, out=sums)
            np.minimum(row[first:last], sums, out=row[first:last])
        self.row = row
        return int(row[-1])
