"""Instances that repeat a proof's cycle, with the other schedule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from schedproof.adversary.exact_ratio.automata import slots_and_weight, width
from schedproof.adversary.exact_ratio.proof import Move, Proof
from schedproof.adversary.exact_ratio.prove import named
from schedproof.core.base.loader import load
from schedproof.core.base.untyped import Json
from schedproof.core.cards import registry
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import InputError
from schedproof.core.results.run import Run, policy
from schedproof.core.simulation.instance import Instance, Schedule


@dataclass(eq=False)
class Job:
    """A job of the other schedule.

    Attributes
    ----------
    arrival, slots, chunks
        The job's arrival, the slots of each chunk, and the number of chunks.
    machine, landing
        The machine of a pinned job (None: any machine in any slot), and the first slot after its upload.
    ran
        The machines and slots in which it has run.
    """

    arrival: int
    slots: int
    chunks: int
    machine: int | None
    landing: int
    ran: list[tuple[int, int]] = field(default_factory=list)

    @property
    def left(self) -> int:
        return self.slots * self.chunks - len(self.ran)

    @property
    def row(self) -> tuple[int, int, list[list[tuple[int, int]]]]:
        """The job's row of a timetable; its chunks run in turn."""
        return self.arrival, self.slots, [self.ran[chunk :: self.chunks] for chunk in range(self.chunks)]


@dataclass(frozen=True)
class Repeated:
    """An instance with the arrivals of the path and of several rounds of the cycle."""

    times: int
    instance: Instance
    better: Schedule
    run: Run

    @cached_property
    def ratio(self) -> Fraction:
        return Fraction(self.run.objective) / Fraction(self.better.objective(self.instance))

    @property
    def sentence(self) -> str:
        mean = f"{self.ratio} = {float(self.ratio):.6g}"
        return f"{self.times} rounds, {len(self.better.instance.jobs)} jobs: a ratio of at least {mean}"


def repeated(proof: Proof, times: int) -> Repeated:
    """Repeat a proof's cycle: return the instance, a schedule, and the policy's run.

    Raises
    ------
    InputError
        For a rule in a file, which has no family, and for a proof without a cycle.
    """
    rule, family = proof.rule, proof.rule.name.partition(".")[0]
    card = registry.families().get(family)
    if card is None or not card.timetable:
        raise InputError(f"the rule {rule.name} has no family; instances can be written for a family's policies only")
    if not proof.cycle:
        raise InputError("the search has found no cycle yet")
    jobs = _schedule(proof, [*proof.way, *chain.from_iterable([proof.cycle] * times)])
    instance, better = load(card.timetable)(rule.delays, [job.row for job in jobs])
    id, _, chosen = named(rule.name)
    run = policy(id, speed=rule.speed, **chosen, **rule.options).run(instance)
    return Repeated(times, instance, better, run)


def write(proof: Proof, folder: Path, largest: int = 64) -> Iterator[Repeated]:
    """Write ``instance_N.json`` and ``better_N.json`` for N = 1, 4, 16, ..., 64."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot create the folder: {error.strerror or error}", file=str(folder)) from None
    times = 1
    while times <= largest:
        one = repeated(proof, times)
        write_object(folder / f"instance_{times}.json", one.instance.to_json())
        write_object(folder / f"better_{times}.json", one.better.to_json(one.instance))
        yield one
        times *= 4


def _schedule(proof: Proof, moves: Sequence[Move]) -> list[Job]:
    delays, pinned, several = proof.rule.delays, proof.rule.pinned, proof.chunks > 1
    near, machines = sum(delay == 0 for delay in delays), len(delays)
    jobs: list[Job] = []
    slot = 0

    def lines(present: Sequence[Job]) -> list[list[Job]]:
        return [[job for job in present if job.left and job.machine == machine] for machine in range(machines)]

    def left(job: Job, runs: Sequence[Job] = ()) -> int | tuple[int, ...]:
        work = job.left - runs.count(job)
        if several:
            return work, 1, min(work, job.chunks, machines)
        return (work, 1, max(0, job.landing - slot)) if any(delays) else work

    def state(present: Sequence[Job], runs: Sequence[Job] = ()) -> tuple[Any, ...]:
        if not pinned:
            return tuple(sorted(left(job, runs) for job in present if job.left > runs.count(job)))
        there = [tuple(sorted(map(left, line))) for line in lines(present)]
        return (*sorted(there[:near]), *sorted(there[near:]))

    def running(present: Sequence[Job], after: Json) -> Sequence[Job]:
        if pinned:
            landed = ([job for job in line if job.landing <= slot] for line in lines(present))
            return [min(line, key=lambda job: job.left) for line in landed if line]
        turns = [job for job in present for _ in range(min(job.left, job.chunks))]
        choices = combinations(turns, min(machines, len(turns)))
        return next(runs for runs in choices if after is None or state(present, runs) == after)

    def run(after: Json) -> None:
        for n, job in enumerate(running([job for job in jobs if job.left], after)):
            job.ran.append((n if job.machine is None else job.machine, slot))

    for kind, after in moves:
        if kind:
            where = [*enumerate(delays)] if pinned else [(None, 0)]
            size = slots_and_weight(kind)[0], width(kind)
            new = (Job(slot, *size, machine, slot + delay) for machine, delay in where)
            jobs.append(next(job for job in new if state([*jobs, job]) == after))
        else:
            run(after)
            slot += 1
    while any(job.left for job in jobs):
        run(None)
        slot += 1
    return jobs
