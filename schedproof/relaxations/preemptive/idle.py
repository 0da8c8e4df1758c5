"""Prices from a shorter instance without slots in which no job can be present."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from schedproof.core.errors import ProgramError
from schedproof.instances.preemptive import Instance, Job
from schedproof.relaxations.preemptive.prices import MOST_ENTRIES, Prices


class Shortened(NamedTuple):
    """An instance without its idle stretches.

    Attributes
    ----------
    instance
        The shorter instance.
    begin, length
        The slot of the shorter instance at which each stretch was removed, and the stretch's length, (stretches,).
    """

    instance: Instance
    begin: np.ndarray
    length: np.ndarray

    def whole(self, units: np.ndarray, kinds: np.ndarray) -> Prices:
        """Convert the shorter instance's prices (kinds, slots) to the whole instance's.

        Raises
        ------
        ProgramError
            If these are too many.
        """
        slot = np.arange(np.flatnonzero(units.any(axis=0)).max(initial=-1) + 1)
        place = slot + np.concatenate([[0], self.length.cumsum()])[np.searchsorted(self.begin, slot, side="right")]
        slots = int(place.max(initial=-1)) + 1
        if kinds.size * slots > MOST_ENTRIES:
            raise ProgramError(
                f"{kinds.size:,} classes of workers have too many prices in {slots:,} slots; take longer slots"
            )
        result = np.zeros((kinds.size, slots), dtype=units.dtype)
        result[:, place] = units[kinds, : slot.size]
        return Prices(result)


def unchanged(instance: Instance) -> Shortened:
    """Return the instance with all its slots, not shortened."""
    return Shortened(instance, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def without_idle(instance: Instance, speed: Fraction) -> Shortened:
    """Shorten each run of slots in which no job can be present to one slot.

    Any prices prove a bound. With these slots removed the program has the same optimum. An instance
    with breaks keeps its slots.
    """
    if instance.breaks:
        return unchanged(instance)
    done = cut = 0  # in slots of the shorter instance
    stretches, arrival = list[tuple[int, int]](), dict[int, int]()
    for job in sorted(instance.jobs, key=lambda job: job.arrival):
        if (idle := job.arrival - cut - done - 1) > 0:  # in the last idle slot all prices are 0
            stretches.append((done + 1, idle))
            cut += idle
        arrival[job.index] = job.arrival - cut
        done = max(done, arrival[job.index]) + _alone(instance, job, speed)
    if not cut:
        return unchanged(instance)
    jobs = tuple(msgspec.structs.replace(job, arrival=arrival[job.index]) for job in instance.jobs)
    begin, length = np.array(stretches, dtype=np.int64).T
    return Shortened(replace(instance, jobs=jobs, horizon=instance.horizon - cut), begin, length)


def _alone(instance: Instance, job: Job, speed: Fraction) -> int:
    """Return an upper bound on a job's JCT if its chunks run one by one."""
    latest = max([*instance.workers_by_delay(job), instance.cloud_delay(job) or 0])
    return latest + job.chunks * max(job.slots(in_cloud=cloud, speed=speed) for cloud in (False, True))
