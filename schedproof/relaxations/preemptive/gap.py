"""Gap between a total JCT and a price bound: last slot, dear slots, idleness.

The certificate proves D = sum_j w_j - sum_q W_q sum_t beta_q(t). Here w_j, D_j (alpha_j - sum_t delta_j(t)) rounded
down, is at most the cost plus payment of any slots that complete the job. Of a chunk's slots, only the first slots
count, as many as the bound's system needs; a chunk is done there no later than in the schedule. With c_j for the cost
of these slots in (4), the mean of t - r_j [+ (p + 1)/2], and b_j for the prices of the slots on workers of a class,

    total JCT - D = sum_j (C_j - r_j - c_j) + sum_j (c_j + b_j - w_j) + sum_q sum_t beta_q(t) (W_q - used_q(t)).

All terms are >= 0: the first because p slots before C_j are on average no later than C_j - (p + 1)/2, the second by
the dual's rows, delta_j(t) >= (alpha_j - D_j charge) / p - beta_q(t) and delta_j(t) >= 0, and (4e), the third by
capacity. The rows end with the job's last slot in the bound's program. For a job that may use the cloud this loses
nothing, because the last slots have room. A job without the cloud that runs later, in cheaper slots, may have a
negative second term; then the gap has no breakdown. Only alpha and beta are taken from the certificate.

If the bound counts a job until its last chunk is done (`configuration`), w_j is at most C_j - r_j + b_j, and

    total JCT - D = sum_j (C_j - r_j + b_j - w_j) + sum_q sum_t beta_q(t) (W_q - used_q(t)).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import ZERO, Part, certificate
from schedproof.core.errors import ProgramError
from schedproof.instances.preemptive import Instance, Job, Schedule
from schedproof.relaxations.preemptive.prices import BITS, FINE_BITS, PriceCertificate, in_breaks, rounded_down

LAST_SLOT = "the objective counts each job's last slot, the bound's program only its average slot"
DEAR_SLOTS = "jobs run in later slots or on more expensive workers than the best choice at the bound's prices"
LATE_OR_DEAR = "jobs finish later or run on more expensive workers than the best choice at the bound's prices"
IDLE_WORKERS = "idle workers in slots with a positive price"
BY_COMPLETION = ("preemptive.configuration_lp", "preemptive.floating_configuration_lp")
LARGEST = 2**62  # keeps products within int64
Row = Callable[[tuple[int, ...]], np.ndarray]  # classes -> their lowest price in each priced slot


def parts(schedule: Schedule, instance: Instance, bound: Bound) -> tuple[Part, ...]:
    """Account for the gap: last slot, dear slots, idle workers.

    A bound by completion has two parts: late or dear jobs, and idle workers.

    Raises
    ------
    ProgramError
        For another certificate, or a schedule that is infeasible or whose work differs from that of the bound.
    """
    if bound.program in BY_COMPLETION:
        return _by_completion(schedule, instance, bound)
    proof = certificate(bound, PriceCertificate)
    half, speed = int(bound.parameters["cost"] == "half"), bound.parameters["speed"]
    beta, values = proof.prices.units, proof.values.tolist()
    use = _Use(schedule, instance, half, speed, beta)

    @cache
    def lowest(classes: tuple[int, ...]) -> np.ndarray:
        return beta[list(classes)].min(axis=0)

    last, dear = {}, {}
    for job in instance.jobs:
        cost, rent = use.cost[job.index], Fraction(use.rent[job.index], 1 << BITS)
        last[job.name] = use.end[job.index] - job.arrival - cost
        dear[job.name] = cost + rent - _worth(instance, job, lowest, values[job.index], half, speed)
    return Part.of("last_slot", LAST_SLOT, last), Part.of("dear_slots", DEAR_SLOTS, dear), _idle(instance, use, beta)


def _by_completion(schedule: Schedule, instance: Instance, bound: Bound) -> tuple[Part, ...]:
    from schedproof.relaxations.preemptive.configuration import (
        ConfigurationCertificate,
    )  # imported here: it loads compiled kernels

    proof: ConfigurationCertificate = certificate(bound, ConfigurationCertificate)
    speed, beta = bound.parameters["speed"], proof.prices.units
    use, worth = _Use(schedule, instance, 1, speed, beta), proof.worth(instance, speed).tolist()
    late = {
        job.name: use.end[job.index] - job.arrival + Fraction(use.rent[job.index] - worth[job.index], 1 << BITS)
        for job in instance.jobs
    }
    return Part.of("late_or_dear", LATE_OR_DEAR, late), _idle(instance, use, beta)


def _idle(instance: Instance, use: _Use, beta: np.ndarray) -> Part:
    counts = np.array([q.count for q in instance.classes], dtype=object)[:, None]
    if instance.breaks:
        counts = np.where(in_breaks(instance, beta.shape[1]), 0, counts)
    idle = beta.astype(object) * (counts - use.workers)
    return Part.of("idle_workers", IDLE_WORKERS, others=[Fraction(x, 1 << BITS) for x in idle[idle != 0].tolist()])


class _Use:
    """A schedule's use of the slots that count.

    Attributes
    ----------
    end, cost, rent
        C_j, c_j and b_j of each job; b_j is in units of 2^-BITS.
    workers
        Busy workers of each class in each priced slot, shape as ``beta``.
    """

    def __init__(self, schedule: Schedule, instance: Instance, half: int, speed: Fraction, beta: np.ndarray) -> None:
        jobs = len(instance.jobs)
        self.end, self.cost, self.rent = [0] * jobs, [ZERO] * jobs, [0] * jobs
        self.workers = np.zeros(beta.shape, dtype=np.int64)
        number = {(q.server.index, list(q.server.workers).index(q.type)): q.index for q in instance.classes}
        paid = np.concatenate([np.zeros((len(beta), 1), dtype=object), np.cumsum(beta.astype(object), axis=1)], axis=1)
        rest: dict[tuple[int, int], int] = {}  # (job, chunk) -> slots that the bound's system still needs
        slots = [(job.slots(speed=speed), job.slots(in_cloud=True, speed=speed)) for job in instance.jobs]
        for j, d, server, kind, worker, start, end in sorted(schedule.intervals.rows(), key=lambda row: row[5]):
            job, cloud = instance.jobs[j], worker < 0
            self.end[j] = max(self.end[j], end)
            takes = slots[j][cloud]
            counted = min(end - start, rest.setdefault((j, d), takes))
            rest[j, d] -= counted
            waited = 2 * (start - job.arrival) + counted - 1 + half * (takes + 1)  # twice the mean
            self.cost[j] += Fraction(counted * waited, 2 * job.chunks * takes)
            if not cloud:
                q = number[server, kind]
                first, last = min(start, beta.shape[1]), min(start + counted, beta.shape[1])
                self.rent[j] += paid[q, last] - paid[q, first]
                self.workers[q, first:last] += 1
        for job in instance.jobs:
            if any(rest.get((job.index, d), 1) for d in range(job.chunks)):
                raise ProgramError(
                    f"no account of the gap: job '{job.name}' has a chunk that runs for fewer slots than the bound's "
                    f"system, at speed {speed}, needs for it"
                )


def _worth(instance: Instance, job: Job, lowest: Row, alpha: int, half: int, speed: Fraction) -> Fraction:
    chunks, delay, unit = job.chunks, instance.cloud_delay(job), 2 << BITS
    takes, takes_in_cloud = job.slots(speed=speed), job.slots(in_cloud=True, speed=speed)
    ways = instance.qualified(job)
    end = min(instance.last_slot(job, speed=speed) + 1 - job.arrival, (alpha * chunks >> BITS) + 1)
    starts = sorted({d for _, d in ways} | (set() if delay is None else {delay}))
    rents = 0  # in multiples of 1 / (unit p p')
    for start, stop in pairwise([*(s for s in starts if s < end), end] if end > 0 else []):
        waited = np.arange(start, stop, dtype=np.int64)
        here, both = tuple(q.index for q, d in ways if d <= start), []
        price = np.zeros_like(waited)
        if here:
            priced = lowest(here)[job.arrival + start : job.arrival + stop]
            price[: priced.size] = priced
        largest = 2 * chunks * (alpha + takes * int(price.max(initial=0))) + unit * (end + takes)
        if largest * max(takes, takes_in_cloud) >= LARGEST:
            waited, price = waited.astype(object), price.astype(object)
        rest = 2 * chunks * alpha - unit * waited
        if here:
            both.append((rest - half * (takes + 1) * (unit // 2) - 2 * chunks * takes * price) * takes_in_cloud)
        if delay is not None and delay <= start:
            both.append((rest - half * (takes_in_cloud + 1) * (unit // 2)) * takes)
        limit = np.max(both, axis=0)
        rents += sum(limit[limit > 0].tolist())
    both_take = takes * takes_in_cloud
    return Fraction(rounded_down(2 * chunks * alpha * both_take - rents, unit * both_take), 1 << FINE_BITS)
