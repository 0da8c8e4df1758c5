"""Gap between accepted jobs and a price bound, by jobs and resources.

Let sigma, p, q be the prices of a server's storage, compute and bandwidth, f and g the fractions of compute and
bandwidth that the bound counts, s_k = max(0, 1 - sum_i d_i min_j c_ij) the surplus of job k, and D_jk its GB on server
j. Then

    D - P = sum_j [sigma (S - sum_k D_jk) + p f (C - sum_k r^c_jk) + q g (B - sum_k r^b_jk)]            unsold
          + sum_jk [p (f r^c_jk - a_k D_jk) + q (g r^b_jk - b_k D_jk) - w_jk D_jk]                      misfit
          + sum of s_k over the rejected jobs                                                           turned away
          + sum of s_k - 1 + sum_i d_i c_ij over the accepted ones, i on j                              placed dearer

plus the rounding of the bound D. The first line is >= 0 by (7)-(9). The last two lines are >= 0 because s_k >= 0 and
s_k >= 1 - sum of any costs. For the second line, if f = g = 1, (10) gives (r^c - a D)(r^b - b D) >= a b D^2, so p (r^c
- a D) +
q (r^b - b D) >= 2 sqrt(p q a b) D >= w D. LP_I has w = 0, and (16)-(17) make both brackets >= 0 for the schedules that
its bound covers. Only the prices are taken from the certificate.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import isqrt, lcm

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import ZERO, Part, certificate
from schedproof.core.errors import ProgramError
from schedproof.instances.jrp import Instance, Schedule
from schedproof.relaxations.jrp.certificate import ConicPrices, Prices, SplitFreePrices, SplitPrices

UNSOLD = {
    "storage": "storage of the servers that holds no data, at its price",
    "compute": "compute of the servers that is not granted, at its price",
    "bandwidth": "bandwidth of the servers that is not granted, at its price",
}
MISFIT = "compute and bandwidth granted in proportions or amounts other than the cheapest"
TURNED_AWAY = "rejected jobs whose value exceeds the cost of their data at these prices"
PLACED_DEARER = "accepted jobs whose data cost more than on the cheapest servers, or more than the job's value"
ROUNDING = "rounding of the bound"
GRID = 1 << 64  # the bound rounds each server's and each job's amount up to a multiple of 1 / GRID


def parts(schedule: Schedule, instance: Instance, bound: Bound) -> tuple[Part, ...]:
    """Return the parts of the gap: the terms of D - P for each resource, and rounding.

    Raises
    ------
    ProgramError
        For another certificate, or a schedule that is infeasible or not covered by the bound.
    """
    prices, share, whole = certificate(bound, SplitFreePrices), instance.communication_share, Fraction(1)
    costs = _Costs(prices, instance)
    compute, bandwidth = (1 - share, share) if isinstance(prices, SplitPrices) else (whole, whole)
    held: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    placed: dict[int, Fraction] = defaultdict(Fraction)  # data cost of each job
    for k, i, j in schedule.placements:
        size = instance.jobs[k].nodes[i].size
        held[k, j] += size
        placed[k] += size * costs.of_job(k)[j]
    rest = [[server.storage, compute * server.compute, bandwidth * server.bandwidth] for server in instance.servers]
    rounded = []
    for row, of_server in zip(rest, costs.prices, strict=True):
        rounded.append(_lift(sum((price * amount for price, amount in zip(of_server, row, strict=True)), ZERO)))
    for (_, j), data in held.items():
        rest[j][0] -= data
    granted = {(grant.job, grant.server): (grant.compute, grant.bandwidth) for grant in schedule.grants}
    misfit = {job.name: ZERO for job in instance.jobs}
    for k, j in sorted(held.keys() | granted.keys()):
        job, (c, b) = instance.jobs[k], granted.get((k, j), (ZERO, ZERO))
        c, b, data = compute * c, bandwidth * b, held.get((k, j), ZERO)
        rest[j][1] -= c
        rest[j][2] -= b
        over, over_bandwidth = c - job.compute_rate * data, b - job.bandwidth_rate * data
        if min(over, over_bandwidth) < 0:
            where = f"{job.name} on {instance.servers[j].name}"
            raise ProgramError(
                f"no account of the gap: {bound.program} covers only {bound.among or 'feasible schedules'}, "
                f"and {where} is not covered"
            )
        _, p, q = costs.prices[j]
        misfit[job.name] += p * over + q * over_bandwidth - costs.surcharge(k, j) * data
    accepted, dearer, turned_away = set(schedule.accepted_jobs(instance)), {}, {}
    for job in instance.jobs:
        worth = max(ZERO, 1 - costs.lower_bound(job.index))
        rounded.append(_lift(worth))
        dearer[job.name] = worth - 1 + placed[job.index] if job.index in accepted else ZERO
        turned_away[job.name] = ZERO if job.index in accepted else worth
    unsold = (
        Part.of(f"unsold_{name}", sentence, others=[costs.prices[j][n] * row[n] for j, row in enumerate(rest)])
        for n, (name, sentence) in enumerate(UNSOLD.items())
    )
    return (
        *unsold,
        Part.of("misfit", MISFIT, misfit),
        Part.of("turned_away", TURNED_AWAY, turned_away),
        Part.of("placed_dearer", PLACED_DEARER, dearer),
        Part.of("rounding", ROUNDING, others=rounded),
    )


def _lift(value: Fraction) -> Fraction:
    return Fraction(-(-value.numerator * GRID // value.denominator), GRID) - value


class _Costs:
    """The cost c_ij / d_i of a GB by server and job, at prices (sigma, p, q)."""

    def __init__(self, prices: Prices, instance: Instance) -> None:
        self.prices = list(zip(prices.storage, prices.compute, prices.bandwidth, strict=True))
        self._instance, self._conic = instance, isinstance(prices, ConicPrices)
        self._unit = lcm(*(price.denominator for row in self.prices for price in row))
        self._known: dict[int, dict[int, Fraction]] = {}

    def surcharge(self, k: int, j: int) -> Fraction:
        if not self._conic:
            return ZERO
        a, b = self._instance.jobs[k].compute_rate, self._instance.jobs[k].bandwidth_rate
        grid, (_, p, q) = self._unit * lcm(a.denominator, b.denominator), self.prices[j]
        return Fraction(isqrt(int(4 * p * a * q * b * grid**2)), grid)

    def of_job(self, k: int) -> dict[int, Fraction]:
        if k not in self._known:
            job, result = self._instance.jobs[k], {}
            for j in {j for node in job.nodes for j in node.servers}:
                sigma, p, q = self.prices[j]
                result[j] = sigma + p * job.compute_rate + q * job.bandwidth_rate + self.surcharge(k, j)
            self._known[k] = result
        return self._known[k]

    def lower_bound(self, k: int) -> Fraction:
        """Return the least cost of the job's data; its value if a data node has no server."""
        nodes, costs = self._instance.jobs[k].nodes, self.of_job(k)
        if not all(node.servers for node in nodes):
            return Fraction(1)
        return sum((node.size * min(costs[j] for j in node.servers) for node in nodes), ZERO)
