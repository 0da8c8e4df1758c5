"""Shared by Lemma 3 and Theorem 2: A_online's schedule with parameter servers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from schedproof.core.claims.claim import Answer, Domain, Finding, Regime, worst
from schedproof.instances.preemptive import Instance, Intervals, Job, Schedule, Services
from schedproof.instances.preemptive.premises import enough_parameter_servers
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options, Outcome, Row
from schedproof.reference.preemptive_parameter_servers import a_ps, has_landed, landings, open_to, phases

SERVED = Domain(
    Online,
    draw.at_speed_1(typed=True),
    (
        regimes.SCARCE,
        regimes.PREEMPTION,
        regimes.MIXED,
        regimes.CLOUD_FREE,
        regimes.CLOUD,
        regimes.SINGLE_CHUNK,
        regimes.SEVERAL_CHUNKS,
        Regime("parameter servers of several types", lambda case: any(j.ps_types for j in case.instance.jobs)),
        Regime("enough parameter servers", lambda case: enough_parameter_servers(case.instance)),
    ),
)


def collision(case: Online) -> Answer:
    """With probability 0, two jobs hold one PS in a slot, or a job has a PS too early.

    Line 6 draws any PS with o_jsp = 1. A job's PS is uniform over the edge PSs open to it, whenever it was drawn, and
    the draws are independent. A cloud PS violates (4h) before the job's upload to the cloud ends, and not afterwards.
    Too early means before the upload ends. The check assumes that no cloud PS is drawn before the upload ends, and
    ignores the job afterwards. Both assumptions favour the statement.
    """
    result = []
    for slot, needy in choices(case.instance):
        draws = list(product(*(open_to(case.instance, job) for job in needy)))
        good = product(*(open_to(case.instance, job, slot) for job in needy))
        fine = sum(len(set(pick)) == len(pick) for pick in good)
        bad = 1 - Fraction(fine, len(draws)) if draws else Fraction(1)
        result.append(Finding(bad, Fraction(0), "at most", f"probability in slot {slot}"))
    return worst(result)


def choices(instance: Instance) -> Iterator[tuple[int, list[Job]]]:
    """Slot and running jobs whose upload to the cloud is not over, at each change.

    Jobs that may not use the cloud are included.
    """
    for slot, _, running in phases(regimes.run(instance, Options()).rows, landings(instance)):
        jobs = [instance.jobs[j] for j in running]
        yield slot, [job for job in jobs if instance.cloud is None or not has_landed(job, instance.cloud, slot)]


def violations(instance: Instance, hurried: bool = False) -> list[str]:
    """The violations of A_online's schedule, with PSs, by the instance's checker."""
    out = regimes.run(instance, Options())
    rows = [(*row[:5], row[5] - hurried, row[6] - hurried) for row in out.rows]
    schedule = Schedule.by("a_online", instance, Intervals.of(rows), Services.of(served_rows(instance, out)))
    return [str(v) for v in schedule.violations(instance)]


def served_rows(instance: Instance, out: Outcome) -> list[Row]:
    return a_ps(instance, out.rows, out.all_in_cloud)[0]
