"""Certified upper bounds on R-DMLRS and its LP: column generation, integer proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from schedproof.core.certificates.bound import Bound, bound_of
from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.files import writable
from schedproof.instances.dmlrs import Instance, Job
from schedproof.relaxations.dmlrs.certificate import LARGEST_FINENESS, PriceCertificate
from schedproof.relaxations.dmlrs.column_generation import Generated, column_generation
from schedproof.relaxations.dmlrs.least_cost import MOST_UNITS, Slots
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Wish, fineness_of
from schedproof.relaxations.dmlrs.progress import rate_ratio
from schedproof.relaxations.dmlrs.rates import rates_of

TARGETS = 9  # how many worker counts get tangents that make the bound tight
SLOPES = 15
SHARES = np.linspace(0.0, 1.0, 17)  # shares of a slope for the parameter servers


def rdmlrs_lp_bound(
    instance: Instance,
    *,
    gap: Fraction = Fraction(1, 10_000),
    fineness: Wish = "auto",
    resume: str | Path | None = None,
    context: Context = USUAL,
) -> Bound:
    started = perf_counter()
    generate = partial(column_generation, instance, gap=float(gap), fineness=fineness)
    shorter = context
    if context.interrupted is not None:
        begun = now()
        context.keep(_certify(instance, generate(context=replace(context, time_limit=0.0)), fineness, started))
        shorter = context.shorter(now() - begun)  # leaves time to prove the bound of better prices
    path = None if resume is None else writable(resume)
    return _certify(instance, generate(context=shorter.with_default_limit(60), resume=path), fineness, started)


def _certify(instance: Instance, found: Generated, fineness: Wish, started: float) -> Bound:
    details = {
        "lp_value": found.last.value,
        "ended": found.ended,
        "rounds": found.last.number,
        "columns": found.last.columns,
        "infeasible_alone": len(instance.unservable_jobs),
    }
    certificate = certify(instance, found, fineness)
    result = bound_of("dmlrs.rdmlrs_lp", certificate, instance, details, started=started)
    proven_gap = float(1 - Fraction(found.last.value) / result.exact) if result.exact else 0.0
    return replace(result, details={"gap": proven_gap, **result.details})


def certify(instance: Instance, found: Generated, wish: Wish) -> PriceCertificate:
    """Return the certificate of the best prices."""
    prices = MachineClasses.of_instance(instance).by_machine(found.best.prices)
    fineness = np.array([_fineness_count(job, wish) for job in instance.jobs], dtype=np.int64)
    bare = PriceCertificate(prices, found.best.bits, fineness, tangents(instance, prices))
    payoffs = bare.found_payoffs(instance)
    return replace(bare, payoffs=payoffs, rates=tuple(map(partial(rates_of, instance, bare), instance.jobs, payoffs)))


def _fineness_count(job: Job, wish: Wish) -> int:
    limit, counted = int(MOST_UNITS / (job.work * job.external_time)), fineness_of(job, wish)
    if counted == "exact":
        counted = rate_ratio(job).denominator
    return max(1, min(limit, LARGEST_FINENESS, counted))


def tangents(instance: Instance, prices: np.ndarray) -> np.ndarray:
    """Return rows (job, slot, lambda, mu) of jobs that can finish, (rows, 4), int64.

    Candidates are the machines' prices, and pairs with lambda + mu/gamma near a worker's cost on some machine, in
    several splits. A pair is kept if it gives the best bound on B(n) for some number n of workers.

    Parameters
    ----------
    prices
        As in the certificate: int64, shape (T, H, R).
    """
    unservable = {job.index for job in instance.unservable_jobs}
    result: list[np.ndarray] = []
    for job in instance.jobs:
        slots, gamma = Slots(instance, job), float(job.workers_per_ps)
        targets = np.unique(np.linspace(1, job.batch_size, TARGETS).astype(int))
        for t in range(job.arrival, instance.horizon if job.index not in unservable else 0):
            worker, ps = prices[t] @ slots.worker, prices[t] @ slots.ps
            if (worker != worker[0]).any() or (ps != ps[0]).any():
                slopes = np.quantile(worker + ps / gamma, np.linspace(0, 1, SLOPES))[:, None]
                pairs = np.stack([slopes * (1 - SHARES), slopes * SHARES * gamma], axis=2).reshape(-1, 2)
                whole = np.unique(np.concatenate([pairs.astype(np.int64), np.stack([worker, ps], axis=1)]), axis=0)
                best = np.unique(slots.lower_bounds(t, prices[t], whole)[:, targets].argmax(axis=0))
                result.append(np.insert(whole[best], 0, [[job.index], [t]], axis=1))
    return np.concatenate(result) if result else np.empty((0, 4), dtype=np.int64)
