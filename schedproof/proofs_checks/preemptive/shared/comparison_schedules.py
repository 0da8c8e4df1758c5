"""Explicit comparison schedules: an upper bound on an optimum needs no solver, only a schedule and its cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from schedproof.instances.preemptive import Instance, Job
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options


@dataclass(frozen=True)
class Piece:
    """A chunk's runs on one worker at speed 1, and its chunk time there."""

    job: Job
    time: Fraction
    runs: tuple[tuple[Fraction, Fraction], ...]

    @property
    def end(self) -> Fraction:
        """When it completes."""
        return self.runs[-1][1]

    @property
    def middle(self) -> Fraction:
        """The mean of t over the time in which it runs."""
        return sum((b - a) * (a + b) / 2 for a, b in self.runs) / self.time


def pieces(case: Online, whole_slots: bool) -> list[Piece]:
    """A feasible schedule at speed 1: the case's own plan, or what A_online does at that speed."""
    if case.plan is not None:
        return planned(case.instance, case.plan)
    out = regimes.run(case.instance, Options(whole_slots=whole_slots, order="residual"))
    return [Piece(c.job, c.work, tuple(out.runs(c))) for c in out.chunks]


def planned(instance: Instance, plan: Sequence[tuple[int, int, int]]) -> list[Piece]:
    """The schedule of rows (job, server, start): one chunk per job, in one piece, on the server's only worker.

    Raises
    ------
    ValueError
        When it is not feasible for (7): a job left out, an early start, two chunks on one worker, too little storage.
    """
    found = []
    for j, s, start in plan:
        job, server = instance.jobs[j], instance.servers[s]
        delay, slots = job.delay(server), job.slots(in_cloud=server.cloud)
        if job.chunks > 1 or delay is None or start < job.arrival + delay:
            raise ValueError(f"{job.name} cannot start at {start} on {server.name}")
        found.append(Piece(job, Fraction(slots), ((Fraction(start), Fraction(start + slots)),)))
    if sorted(row[0] for row in plan) != list(range(len(instance.jobs))):
        raise ValueError("the plan does not name every job once")
    for server in instance.edges:
        mine = [piece for piece, row in zip(found, plan, strict=True) if row[1] == server.index]
        for (_, end), (begin, _) in pairwise(sorted(p.runs[0] for p in mine)):
            if begin < end:
                raise ValueError(f"two chunks run at {begin}")
        for time in (p.job.arrival for p in mine):
            kept = sum((p.job.chunk_size for p in mine if p.job.arrival <= time < p.end), Fraction(0))
            if server.storage is not None and kept > server.storage:
                raise ValueError(f"{server.name} stores {kept} GB in slot {time}")
    return found


def total_jct(schedule: Sequence[Piece]) -> Fraction:
    """Sum of c_j - r_j."""
    done: dict[int, Fraction] = {}
    for piece in schedule:
        done[piece.job.index] = max(done.get(piece.job.index, Fraction(0)), piece.end - piece.job.arrival)
    return sum(done.values(), Fraction(0))


def fractional_cost(
    schedule: Sequence[Piece], offset: Fraction = Fraction(0), speed: Fraction | None = None
) -> Fraction:
    """The cost (3) of a schedule in (4): the mean of t - r_j over each chunk's slots, weighted by 1/D_j.

    Parameters
    ----------
    offset
        What is added to the middle of each slot: -1/2 charges t - r_j (slot start), 1/2 charges t + 1 - r_j, 0 is
        fluid.
    speed
        If given, the repaired cost: p_j/(1 + eps) more for each chunk.
    """
    return sum(
        ((p.middle + offset - p.job.arrival + (p.time / speed if speed else 0)) / p.job.chunks for p in schedule),
        Fraction(0),
    )
