"""Explicit comparison schedules: their cost bounds an optimum without a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.errors import expect
from schedproof.instances.preemptive import Instance, Intervals, Job, Schedule, Services
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options


@dataclass(frozen=True)
class Piece:
    """A chunk's runs on one worker at speed 1, and its time on this worker."""

    job: Job
    time: Fraction
    runs: tuple[tuple[Fraction, Fraction], ...]

    @property
    def end(self) -> Fraction:
        return self.runs[-1][1]

    @property
    def middle(self) -> Fraction:
        return sum((b - a) * (a + b) / 2 for a, b in self.runs) / self.time


def pieces(case: Online, whole_slots: bool) -> list[Piece]:
    """A feasible schedule at speed 1: the case's own plan, or A_online's."""
    if case.plan is not None:
        return plan_pieces(case.instance, case.plan)
    out = regimes.run(case.instance, Options(whole_slots=whole_slots, order="residual"))
    return [Piece(c.job, c.work, tuple(out.runs(c))) for c in out.chunks]


def plan_pieces(instance: Instance, plan: Sequence[tuple[int, int, int]]) -> list[Piece]:
    """The schedule of rows (job, server, start).

    A job's chunks start together, on the server's first workers.

    Raises
    ------
    InputError
        For an unknown job or server, and when the instance's checker finds a violation other than missing parameter
        servers.
    """
    found, rows = [], []
    fit = all(0 <= j < len(instance.jobs) and 0 <= s < len(instance.servers) for j, s, _ in plan)
    expect(fit, "expected rows (job, server, start) of jobs and servers of the instance", "plan")
    for j, s, start in plan:
        job, server = instance.jobs[j], instance.servers[s]
        end = start + job.slots(in_cloud=server.cloud)
        for chunk in range(job.chunks):
            rows.append((j, chunk, s, *((-1, -1) if server.cloud else (0, chunk)), start, end))
            found.append(Piece(job, Fraction(end - start), ((Fraction(start), Fraction(end)),)))
    schedule = Schedule.by("plan", instance, Intervals.of(rows), Services.of([]))
    wrong = [str(v) for v in schedule.violations(instance) if v.constraint != "served_while_running"]
    expect(not wrong, f"expected a feasible schedule: {wrong[:1]}", "plan")
    return found


def total_jct(schedule: Sequence[Piece]) -> Fraction:
    done: dict[int, Fraction] = {}
    for piece in schedule:
        done[piece.job.index] = max(done.get(piece.job.index, Fraction(0)), piece.end - piece.job.arrival)
    return sum(done.values(), Fraction(0))


def fractional_cost(
    schedule: Sequence[Piece], offset: Fraction = Fraction(0), speed: Fraction | None = None
) -> Fraction:
    """The cost (3) of a schedule in (4).

    The cost is the mean of t - r_j over each chunk's slots, weighted by 1/D_j.

    Parameters
    ----------
    offset
        A number that is added to the middle of each slot: -1/2 charges t - r_j (slot start), 1/2 charges t + 1 - r_j,
        0 is fluid.
    speed
        If given, the repaired cost: p_j/(1 + eps) more for each chunk.
    """
    return sum(
        ((p.middle + offset - p.job.arrival + (p.time / speed if speed else 0)) / p.job.chunks for p in schedule),
        Fraction(0),
    )
