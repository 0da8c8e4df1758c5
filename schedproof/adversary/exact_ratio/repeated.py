"""The instances of a proof's cycle: its arrivals so many times, and the other schedule of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path

from schedproof.adversary.exact_ratio.automata import Left, slots_and_weight
from schedproof.adversary.exact_ratio.proof import Move, Proof
from schedproof.core import registry
from schedproof.core.arrays import write_object
from schedproof.core.errors import InputError
from schedproof.core.homes import load
from schedproof.core.instance import Instance, Schedule
from schedproof.core.run import Run, policy


@dataclass
class Job:
    """A job of the other schedule.

    Attributes
    ----------
    arrival, slots
        When it comes, and for how long it runs.
    machine, landing
        On which, and when it may.
    when
        The slots in which it has run.
    """

    arrival: int
    slots: int
    machine: int
    landing: int
    when: list[int] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The slots that are left."""
        return self.slots - len(self.when)


@dataclass(frozen=True)
class Repeated:
    """An instance whose arrivals are those of the way to the cycle, and of the cycle so many times."""

    times: int
    instance: Instance
    better: Schedule
    run: Run

    @cached_property
    def ratio(self) -> Fraction:
        """The policy's objective over that of the other schedule, exactly."""
        return Fraction(self.run.objective) / Fraction(self.better.objective(self.instance))

    @property
    def sentence(self) -> str:
        """What it comes to."""
        mean = f"{self.ratio} = {float(self.ratio):.6g}"
        return f"{self.times} times, {len(self.better.instance.jobs)} jobs: a ratio of at least {mean}"


def repeated(proof: Proof, times: int) -> Repeated:
    """The arrivals of a cycle so many times: an instance, a schedule of it, and the policy's run.

    Raises
    ------
    InputError
        For a rule in a file, which is of no family, and for a proof without a cycle.
    """
    rule, family = proof.rule, proof.rule.name.partition(".")[0]
    card = registry.families().get(family)
    if card is None or not card.timetable or not rule.pinned:
        raise InputError(f"the rule {rule.name} is of no family whose instances could be written")
    if not proof.cycle:
        raise InputError("there is no cycle yet")
    jobs = [*_schedule(rule.delays, [*proof.way, *chain.from_iterable([proof.cycle] * times)])]
    rows = [(job.arrival, job.slots, job.machine, job.when) for job in jobs]
    instance, better = load(card.timetable)(rule.delays, rows)
    run = policy(rule.name, speed=rule.speed, **rule.options).run(instance)
    return Repeated(times, instance, better, run)


def write(proof: Proof, folder: Path, largest: int = 64) -> Iterator[Repeated]:
    """Write ``instance_N.json`` and ``better_N.json`` for N = 1, 4, 16, ... up to the largest."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", file=str(folder)) from None
    times = 1
    while times <= largest:
        one = repeated(proof, times)
        write_object(folder / f"instance_{times}.json", one.instance.to_json())
        write_object(folder / f"better_{times}.json", one.better.to_json(one.instance))
        yield one
        times *= 4


def _schedule(delays: Sequence[int], moves: Sequence[Move]) -> list[Job]:
    """The jobs that arrive, as the other schedule runs them: each where its state says, the least work first."""
    jobs: list[Job] = []
    slot = 0
    near = sum(delay == 0 for delay in delays)

    def lines(extra: Job | None = None) -> list[list[Job]]:
        there = [*(job for job in jobs if job.left), *([extra] if extra else [])]
        return [[job for job in there if job.machine == machine] for machine in range(len(delays))]

    def left(job: Job) -> int | tuple[int, ...]:
        return (job.left, 1, max(0, job.landing - slot)) if any(delays) else job.left

    def state(new: Job) -> tuple[Left, ...]:
        there = [tuple(sorted(map(left, line))) for line in lines(new)]
        return (*sorted(there[:near]), *sorted(there[near:]))

    def run() -> None:
        for line in lines():
            if landed := [job for job in line if job.landing <= slot]:
                min(landed, key=lambda job: job.left).when.append(slot)

    for kind, after in moves:
        if kind:
            size = slots_and_weight(kind)[0]
            new = (Job(slot, size, machine, slot + delay) for machine, delay in enumerate(delays))
            jobs.append(next(job for job in new if state(job) == after))
        else:
            run()
            slot += 1
    while any(job.left for job in jobs):
        run()
        slot += 1
    return jobs
