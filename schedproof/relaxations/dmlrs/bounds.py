"""Certified upper bounds on R-DMLRS and its LP: generate columns, and prove what the best prices say in integers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter

import numpy as np

from schedproof.core.bound import Bound, certified
from schedproof.core.context import USUAL, Context
from schedproof.core.files import writable
from schedproof.instances.dmlrs import Instance, Job
from schedproof.relaxations.dmlrs.certificate import LARGEST_FINENESS, PriceCertificate
from schedproof.relaxations.dmlrs.column_generation import Generated, column_generation
from schedproof.relaxations.dmlrs.least_cost import MOST_UNITS
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Wish, fineness_of
from schedproof.relaxations.dmlrs.progress import rate_ratio
from schedproof.relaxations.dmlrs.tangents import tangents


def rdmlrs_lp_bound(
    instance: Instance,
    *,
    gap: Fraction = Fraction(1, 10_000),
    fineness: Wish = "auto",
    resume: str | Path | None = None,
    context: Context = USUAL,
) -> Bound:
    """A certified upper bound on the largest total utility, from R-DMLRS's LP."""
    started = perf_counter()
    found = column_generation(
        instance,
        time_limit=context.seconds(60),
        gap=float(gap),
        fineness=fineness,
        resume=None if resume is None else writable(resume),
        progress=lambda last: context.progress(str(last)),
    )
    details = {
        "lp_value": found.last.value,
        "ended": found.ended,
        "rounds": found.last.number,
        "columns": found.last.columns,
        "hopeless": len(instance.unservable_jobs),
    }
    certificate = certify(instance, found, fineness)
    result = certified("dmlrs.rdmlrs_lp", "upper", certificate, instance, details, started=started)
    proven_gap = float(1 - Fraction(found.last.value) / result.exact) if result.exact else 0.0
    return replace(result, details={"gap": proven_gap, **result.details})


def certify(instance: Instance, found: Generated, wish: Wish) -> PriceCertificate:
    """The certificate of the best prices."""
    prices = MachineClasses.of_instance(instance).by_machine(found.best.prices)
    fineness = np.array([_counted(job, wish) for job in instance.jobs], dtype=np.int64)
    return PriceCertificate(prices, found.best.bits, fineness, tangents(instance, prices))


def _counted(job: Job, wish: Wish) -> int:
    """The job's fineness as a whole number that the certificate can take."""
    most, counted = int(MOST_UNITS / (job.work * job.external_time)), fineness_of(job, wish)
    if counted == "exact":
        counted = rate_ratio(job).denominator
    return max(1, min(most, LARGEST_FINENESS, counted))
