"""The job-level baselines and SRPT for jobs on any workers, exactly.

They are slow, for tiny instances. Rows are (job, server, kind, worker, slot), one for each slot in which a worker
trains a job.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from schedproof.instances.preemptive import Instance
from schedproof.reference.preemptive import Gang, Row, progress


@dataclass
class Roaming(Gang):
    """A job that runs on any workers.

    Attributes
    ----------
    places
        Slot -> the workers on which the job ran.
    """

    width: int = 0
    places: dict[int, list[Row]] = field(default_factory=dict)
    done: int = 0  # rounds
    in_round: list[int] = field(default_factory=list)  # the slots in which it ran

    @property
    def needs(self) -> int:
        """Return how many workers this round's chunks need."""
        return min(self.width, self.job.chunks - self.done * self.width)

    def begins_a_round(self) -> bool:
        return not self.in_round

    def unfinished_slots(self, now: int) -> Counter[Row]:
        """Return all slots in which it must still run, in the form for one worker."""
        later = -(-self.job.chunks // self.width) - self.done - 1
        left: Counter[Row] = Counter({(): later * self.slots + self.left(self.in_round, now)})
        return +left

    def run_on(self, slot: int, places: list[Row]) -> None:
        for chunk in range(self.done * self.width, self.done * self.width + len(places)):
            self.trained[chunk].append(slot)
        self.places[slot] = places
        self.in_round.append(slot)
        if not self.left(self.in_round, slot + 1):
            self.done, self.in_round = self.done + 1, []


def job_level_anywhere(
    instance: Instance, order: Callable[[Gang, int], tuple[object, ...]], speed: Fraction
) -> set[Row]:
    """Run a job-level rule for jobs on any workers.

    A job keeps its workers until a round ends or the first number of its order grows. It takes its last workers if
    idle, then the first idle workers. If these are too few, jobs at the end of the order are preempted if this frees
    enough.
    """
    everywhere = [place for q in instance.classes for place in q.places]
    able = [{place: delay for q, delay in instance.qualified(job) for place in q.places} for job in instance.jobs]
    gangs: list[Roaming] = []
    ranks: dict[int, Any] = {}  # numbers, of which an order has the first
    slot = 0
    while len(gangs) < len(instance.jobs) or any(gang.unfinished_slots(slot) for gang in gangs):
        for job in (job for job in instance.jobs if job.arrival == slot):
            trained: list[list[int]] = [[] for _ in range(job.chunks)]
            gangs.append(Roaming(job, job.slots(speed=speed), instance.restart, trained=trained))
            gangs[-1].width = min(job.chunks, len(able[job.index]))
            gangs[-1].landed = slot + sorted(able[job.index].values())[gangs[-1].width - 1]
        ready = [gang for gang in gangs if gang.unfinished_slots(slot) and gang.landed <= slot]
        line = sorted(ready, key=lambda g: (order(g, slot), g.job.arrival, g.job.index))
        first = {gang.job.index: order(gang, slot)[0] for gang in line}
        having = {
            gang.job.index: gang.places[slot - 1]
            for gang in line
            if slot - 1 in gang.places and not gang.begins_a_round() and first[gang.job.index] <= ranks[gang.job.index]
        }
        ranks = first
        for at, gang in enumerate(line):
            if gang.job.index in having:
                continue
            open_to = {p for p, delay in able[gang.job.index].items() if gang.job.arrival + delay <= slot}
            behind = [other.job.index for other in line[at + 1 :] if open_to & {*having.get(other.job.index, [])}]
            free = open_to - {place for places in having.values() for place in places}
            if len(free | {p for n in behind for p in having[n] if p in open_to}) < gang.needs:
                continue
            while len(free) < gang.needs:
                free |= open_to & {*having.pop(behind.pop())}
            last = gang.places[max(gang.places)] if gang.places else []
            chosen = sorted(free, key=lambda p: (p not in last, everywhere.index(p)))
            having[gang.job.index] = sorted(chosen[: gang.needs])
        for gang in line:
            if gang.job.index in having:
                gang.run_on(slot, having[gang.job.index])
        slot += 1
    return {(g.job.index, *place, slot) for g in gangs for slot, places in g.places.items() for place in places}


def srpt_anywhere(instance: Instance, speed: Fraction) -> set[Row]:
    """Run SRPT: jobs by remaining work, each on as many free workers as it can use.

    A chunk that leaves a worker continues on the job's next new worker; further new workers take the first chunks
    without a worker.
    """
    everywhere: list[Row] = [place for q in instance.classes for place in q.places]
    need = {job.index: job.chunks * job.slots(speed=speed) for job in instance.jobs}
    work = need.copy()
    trained: dict[int, list[list[int]]] = {job.index: [[] for _ in range(job.chunks)] for job in instance.jobs}
    on: dict[int, dict[Row, int]] = {job.index: {} for job in instance.jobs}  # the chunk on each of its workers
    had: dict[int, list[Row]] = {}
    result: set[Row] = set()
    slot = 0
    while any(work.values()):
        had = {j: places for j, places in had.items() if work[j]}
        untaken = everywhere.copy()
        idle = [place for place in everywhere if not any(place in places for places in had.values())]
        has: dict[int, list[Row]] = {}
        present = [job for job in instance.jobs if job.arrival <= slot and work[job.index]]
        for job in sorted(present, key=lambda job: (work[job.index], job.index not in had, job.arrival, job.index)):
            landed: set[Row] = {
                p for q, delay in instance.qualified(job) if job.arrival + delay <= slot for p in q.places
            }
            mine = had.get(job.index, [])
            line = sorted(landed & {*untaken}, key=lambda p: (p not in mine, p not in idle, everywhere.index(p)))
            if line:
                has[job.index] = [*line[: min(job.chunks, work[job.index])]]
                untaken = [place for place in untaken if place not in has[job.index]]
        for j, before in on.items():
            places = has.get(j, [])
            moving = [chunk for place, chunk in sorted(before.items()) if place not in places]
            others = [chunk for chunk in range(len(trained[j])) if chunk not in before.values()]
            new = iter(moving + others)
            on[j] = {place: before[place] if place in before else next(new) for place in sorted(places)}
            for chunk in on[j].values():
                trained[j][chunk].append(slot)
            work[j] = need[j] - sum(progress(slots, instance.restart) for slots in trained[j])
            result |= {(j, *place, slot) for place in places}
        had = has
        slot += 1
    return result
