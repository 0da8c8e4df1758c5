"""Certified upper bounds on R-DMLRS and its LP: generate columns, and prove what the best prices say in integers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from time import perf_counter

import numpy as np

from schedproof.core.bound import Bound
from schedproof.core.errors import InputError
from schedproof.core.files import writable
from schedproof.core.options import seconds, whole
from schedproof.instances.dmlrs import Instance, Job
from schedproof.relaxations.dmlrs.certificate import FINEST, PriceCertificate
from schedproof.relaxations.dmlrs.column_generation import Generated, Report, column_generation
from schedproof.relaxations.dmlrs.least_cost import MOST_UNITS
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Wish, fineness_of
from schedproof.relaxations.dmlrs.progress import worth
from schedproof.relaxations.dmlrs.tangents import tangents


def rdmlrs_lp_bound(
    instance: Instance,
    *,
    time_limit: float | str | None = 60,
    gap: float | str = 0.0001,
    fineness: int | str = "auto",
    resume: str | Path | None = None,
    progress: Report = lambda _: None,
) -> Bound:
    """A certified upper bound on the largest total utility, from R-DMLRS's LP.

    Parameters
    ----------
    time_limit
        Seconds for column generation; what it has proven by then is the bound.
    gap
        Between the LP over the generated schedules and the bound, relative to the bound, at which it stops.
    fineness
        Progress of a job is counted in 1/fineness of an external worker-slot; ``auto`` fits that to the job's work,
        ``exact`` is for small jobs.
    resume
        A file that keeps the state; an interrupted or timed-out computation goes on from it.
    progress
        Told of every round.
    """
    limit, goal, wish = seconds("time_limit", time_limit), _share("gap", gap), _wish("fineness", fineness)
    state = None if resume is None else writable(resume)
    if not callable(progress):
        raise InputError(f"progress={progress}: expected a function, it cannot be given in words")
    started = perf_counter()
    found = column_generation(instance, time_limit=limit, gap=goal, fineness=wish, resume=state, progress=progress)
    generated = perf_counter()
    certificate = certify(instance, found, wish)
    exact = certificate.value(instance)
    details = {
        "lp_value": found.last.value,
        "gap": float(1 - Fraction(found.last.value) / exact) if exact else 0.0,
        "ended": found.ended,
        "rounds": found.last.number,
        "columns": found.last.columns,
        "hopeless": len(instance.hopeless),
        "seconds": round(generated - started, 3),
        "certify_seconds": round(perf_counter() - generated, 3),
    }
    return Bound("dmlrs.rdmlrs_lp", "dmlrs", "upper", exact, certificate, details)


def certify(instance: Instance, found: Generated, wish: Wish) -> PriceCertificate:
    """The certificate of the best prices."""
    prices = MachineClasses.of_instance(instance).by_machine(found.best.prices)
    fineness = np.array([_counted(job, wish) for job in instance.jobs], dtype=np.int64)
    return PriceCertificate(prices, found.best.bits, fineness, tangents(instance, prices))


def _counted(job: Job, wish: Wish) -> int:
    """The job's fineness as a whole number that the certificate can take."""
    most, counted = int(MOST_UNITS / (job.work * job.external_time)), fineness_of(job, wish)
    if counted == "exact":
        counted = worth(job).denominator
    return max(1, min(most, FINEST, counted))


def _share(name: str, value: str | float) -> float:
    """A number from 0 to below 1."""
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1:
        raise InputError(f"{name}={value}: expected a number from 0 to below 1, like 0.01")
    return number


def _wish(name: str, value: str | int) -> Wish:
    """A fineness: a word or a whole number."""
    if value == "auto" or value == "exact":
        return value  # type: ignore[return-value]
    if not str(value).isdecimal():
        raise InputError(f"{name}={value}: expected a whole number >= 1, auto or exact")
    return whole(name, value)
