"""The class LP of (4) and dual values of prices, in rationals, without the package."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from schedproof.instances.preemptive import Instance, Job
from tests.formulations.preemptive.literal import landing, times

UNIT = Fraction(1, 2**24)  # prices and values are stored in these
Place = tuple[str, str] | None  # (server, worker type); None in the cloud


def last_slot(instance: Instance, job: Job, speed: Fraction) -> int:
    """r + Delta + p1 - 1 with a cloud, max(r + Delta) + sum D p0 - 1 without."""
    in_cloud = None if instance.cloud is None else landing(instance, job, instance.cloud.name)
    if in_cloud is not None:
        return min(instance.horizon, in_cloud + times(job, speed)[1]) - 1
    landings = [
        lands
        for j in instance.jobs
        for s in instance.servers
        if not s.cloud and any(s.workers.get(kind, 0) for kind in j.worker_types)
        for lands in [landing(instance, j, s.name)]
        if lands is not None
    ]
    enough = max(landings, default=0) + sum(j.chunks * times(j, speed)[0] for j in instance.jobs)
    return min(instance.horizon, enough) - 1


def columns(instance: Instance, job: Job, half: int, speed: Fraction) -> Iterator[tuple[Place, int, int, Fraction]]:
    """A job's columns: place, slot, slots p of a chunk there, and cost."""
    p0, p1 = times(job, speed)
    last = last_slot(instance, job, speed)
    for server in instance.servers:
        lands = landing(instance, job, server.name)
        if lands is None:
            continue
        kinds: list[Place] = [(server.name, k) for k, n in server.workers.items() if n and k in job.worker_types]
        p = p1 if server.cloud else p0
        for place in [None] if server.cloud else kinds:
            for t in range(lands, last + 1):
                yield place, t, p, (t - job.arrival + half * Fraction(p + 1, 2)) / (job.chunks * p)


def worth_of_prices(
    instance: Instance, units: dict[tuple[Place, int], int], values: list[int], half: int, speed: Fraction
) -> Fraction:
    """sum D (alpha - sum_t delta(t)) - sum W beta, rounded by job.

    The least delta_j(t) >= 0 meets the rows alpha_j / p - beta_q(t) - delta_j(t) <= cost of the columns of job j in
    class q and slot t.
    """
    total = Fraction(0)
    for job, value in zip(instance.jobs, values, strict=True):
        alpha, rent = value * UNIT, {}
        for place, t, p, cost in columns(instance, job, half, speed):
            beta = Fraction(0) if place is None else units.get((place, t), 0) * UNIT
            rent[t] = max(rent.get(t, Fraction(0)), alpha / p - beta - cost)
        total += Fraction(floor(job.chunks * (alpha - sum(rent.values(), Fraction(0))) * 2**64), 2**64)
    count = {(s.name, kind): n for s in instance.servers for kind, n in s.workers.items()}
    return total - sum((count[place] * n * UNIT for (place, _), n in units.items() if place is not None), Fraction(0))
