"""What Lemma 3 and Theorem 2 share: A_online's schedule with a parameter server assignment, and when jobs collide."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from schedproof.core.claim import Answer, Domain, Finding, Regime, worst
from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services
from schedproof.instances.preemptive.premises import enough_parameter_servers
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options, ParameterServer, a_ps, open_to, phases

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
    """Line 6 draws any PS with o_jsp = 1: the probability that two jobs hold the same one is zero in every slot.

    A job's PS is uniform over those open to it, whenever it was drawn, and the draws are independent; jobs that may use
    the cloud are left out, as its parameter servers never run short.
    """
    found = []
    for slot, sets in choices(case.instance):
        draws = list(product(*sets))
        clash = Fraction(sum(len(set(pick)) < len(pick) for pick in draws), max(1, len(draws)))
        found.append(Finding(clash, Fraction(0), "at most", f"probability in slot {slot}"))
    return worst(found)


def choices(instance: Instance) -> Iterator[tuple[int, list[list[ParameterServer]]]]:
    """(slot, the parameter servers open to each running job that may not use the cloud) wherever that changes."""
    for slot, _, running in phases(regimes.run(instance, Options()).rows):
        needy = [instance.jobs[j] for j in running if instance.cloud_delay(instance.jobs[j]) is None]
        yield slot, [open_to(instance, job) for job in needy]


def broken(instance: Instance, hurried: bool = False) -> list[str]:
    """What the instance's own checker finds wrong with A_online's schedule, PS assignment included."""
    out = regimes.run(instance, Options())
    rows = [(*row[:5], row[5] - hurried, row[6] - hurried) for row in out.rows]
    services, _ = a_ps(instance, out.rows, out.all_in_cloud)
    schedule = Schedule(Intervals.of(rows), Services.of(services), instance.sha256, "a_online")
    return [str(v) for v in schedule.violations(instance)]
