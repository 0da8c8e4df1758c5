"""Exact upper bounds on the number of accepted jobs, from prices.

Let sigma_j, p_j, q_j >= 0 be prices of a server's storage, compute and bandwidth, and D_jk the GB of job k on server j.
If a point satisfies (6) and (7), and its servers' capacities satisfy, for some numbers w_jk >= 0,

    p_j (C_j - sum_k a_k D_jk) + q_j (B_j - sum_k b_k D_jk) >= sum_k w_jk D_jk                    (*)

then adding sigma_j (S_j - sum_k D_jk) >= 0 and (*) for all servers to sum y, and collecting the terms of x_i^j,

    sum y <= sum_j (sigma_j S_j + p_j C_j + q_j B_j) + sum_k (y_k - sum_{i in C_k} sum_{j in A_i} c_ij x_i^j),
    c_ij = d_i (sigma_j + p_j a_k + q_j b_k + w_jk).

By (6) a data node pays at least y_k times its cheapest server, and 0 <= y_k <= 1, so the last sum is at most

    sum_k max(0, 1 - sum_{i in C_k} min_{j in A_i} c_ij),

where a job that has a data node without servers adds 0, because y_k = 0. The three certificates differ in C_j, B_j and
w_jk, and each proves (*). The proof does not require integral x and y or optimal prices.

Prices are multiples of a common unit, and jobs' rates are multiples of another unit, so the sums are integers. Each
server's and each job's term is rounded up to a multiple of 2^-64, which keeps the common denominator small.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Annotated, Any, Self

import msgspec

from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.data.reading import Row, convert
from schedproof.instances.jrp import Instance, Job, Server

BITS = 64
Price = Annotated[str, msgspec.Meta(pattern="^[0-9]{1,1000}/[1-9][0-9]{0,999}$")]


class PriceRow(Row, frozen=True):
    storage: list[Price]
    compute: list[Price]
    bandwidth: list[Price]


@dataclass(frozen=True)
class Prices(ABC):
    """Prices of the servers' resources, in accepted jobs per GB, GFLOP/s and Gbit/s.

    Attributes
    ----------
    storage, compute, bandwidth
        The rationals sigma, p and q of each server.
    """

    storage: tuple[Fraction, ...]
    compute: tuple[Fraction, ...]
    bandwidth: tuple[Fraction, ...]

    def value(self, instance: Instance) -> Fraction:
        """Return the bound that the prices prove, exactly.

        Raises
        ------
        ValueError
            For invalid prices, or another instance's certificate.
        """
        prices = self.storage, self.compute, self.bandwidth
        if any(len(row) != len(instance.servers) for row in prices):
            raise ValueError("the certificate belongs to another instance")
        if not all(isinstance(price, Fraction) and price >= 0 for row in prices for price in row):
            raise ValueError("a price of the certificate is negative or not rational")
        unit = lcm(*(price.denominator for row in prices for price in row))
        whole = [tuple(int(price * unit) for price in here) for here in zip(*prices, strict=True)]
        total = sum(self._rent(instance, server) for server in instance.servers)
        return Fraction(total + sum(self._surplus(job, whole, unit) for job in instance.jobs), 1 << BITS)

    def to_json(self) -> dict[str, Any]:
        rows = {"storage": self.storage, "compute": self.compute, "bandwidth": self.bandwidth}
        return {name: [as_text(price) for price in row] for name, row in rows.items()}

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> Self:
        given = convert(row, PriceRow)
        return cls(*(tuple(map(from_text, prices)) for prices in (given.storage, given.compute, given.bandwidth)))

    def _rent(self, instance: Instance, server: Server) -> int:
        compute, bandwidth = self._sides(instance, server)
        j = server.index
        return _up(self.storage[j] * server.storage + self.compute[j] * compute + self.bandwidth[j] * bandwidth)

    def _surplus(self, job: Job, prices: list[tuple[int, ...]], unit: int) -> int:
        if not all(node.servers for node in job.nodes):
            return 0
        scale = lcm(job.compute_rate.denominator, job.bandwidth_rate.denominator)
        a, b = int(job.compute_rate * scale), int(job.bandwidth_rate * scale)
        cost = {}  # cost of a GB on each server, in multiples of 1 / (unit scale)
        for j in {j for node in job.nodes for j in node.servers}:
            storage, compute, bandwidth = prices[j]
            cost[j] = storage * scale + compute * a + bandwidth * b + self._surcharge(compute * a, bandwidth * b)
        paid = sum((node.size * min(cost[j] for j in node.servers) for node in job.nodes), Fraction(0))
        return max(0, _up(1 - paid / (unit * scale)))

    @abstractmethod
    def _sides(self, instance: Instance, server: Server) -> tuple[Fraction, Fraction]:
        """Return the limits C_j and B_j of a server."""

    @abstractmethod
    def _surcharge(self, compute: int, bandwidth: int) -> int:
        """Return w_jk from p_j a_k and q_j b_k, in their unit."""


def _up(value: Fraction) -> int:
    return -((-value.numerator << BITS) // value.denominator)


class SplitFreePrices(Prices):
    """A bound on all schedules: (10) gives r^c >= a D and r^b >= b D, (*) with w = 0."""

    def _sides(self, instance: Instance, server: Server) -> tuple[Fraction, Fraction]:
        return server.compute, server.bandwidth

    def _surcharge(self, compute: int, bandwidth: int) -> int:
        return 0


class ConicPrices(SplitFreePrices):
    """A stronger bound on all schedules: w_jk is the largest with w^2 <= 4 p q a b.

    With u = C - sum a D and v = B - sum b D, `instances.jrp.server_feasibility` requires u, v >= 0 and sqrt(u v) >=
    sum_k sqrt(a_k b_k) D_jk. So p u + q v >= 2 sqrt(p q u v) >= sum_k 2 sqrt(p q a_k b_k) D_jk, which is (*). Points of
    the conic relaxation also pass that test, by the Cauchy-Schwarz inequality.
    """

    def _surcharge(self, compute: int, bandwidth: int) -> int:
        return isqrt(4 * compute * bandwidth)


class SplitPrices(SplitFreePrices):
    """A bound on schedules that split their time: (16) and (17) give (*) with w = 0.

    Here epsilon = ``communication_share``, C_j = (1 - epsilon) r_j^c and B_j = epsilon r_j^b. Schedules that meet (10)
    otherwise may accept more jobs.
    """

    def _sides(self, instance: Instance, server: Server) -> tuple[Fraction, Fraction]:
        share = instance.communication_share
        return (1 - share) * server.compute, share * server.bandwidth
