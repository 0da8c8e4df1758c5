"""The proven ratio of PD-ORS (claim ``dmlrs.theorem5_ratio_repaired``).

    OPT <= 2 eps P,    eps = max(1, max_r ((U^r/L)^(x/(1-x)) - 1)/x)

The ratio is for the repaired prices. Premises: no job can take more than the share x of a resource of a machine in a
slot; the best schedules are exact; a job that can finish has u_i(T - a_i) >= 2 D_0, where D_0 is the price of all free
capacity at the start.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, log

from schedproof.core.certificates.bound import Answer, Guarantee
from schedproof.instances.dmlrs.extremes import Extremes
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import NOTHING, Job

SOURCE = "dmlrs.theorem5_ratio_repaired"
LARGEST_LOG = 500  # ln of the largest quoted ratio
MARGIN = 1e-9  # rounds ratios and requirements up, because logarithms are doubles


def pd_ors_guarantee(instance: Instance, known: Extremes, repaired: bool, share: Fraction, exact: bool) -> Guarantee:
    """Return the repaired competitive ratio with its premises.

    Parameters
    ----------
    known
        The extremes U^r and L of the run.
    share
        The share x of the premise.
    """
    highs, low = known.log_highest.values(), known.log_lowest
    steep = 0.0 if low is None else max((high - low for high in highs), default=0.0)
    power = steep * float(share / (1 - share)) if share else 0.0
    small = all(_takes_at_most(instance, job, share) for job in instance.jobs)
    premises: dict[str, Answer] = {
        "repaired prices": _answer(repaired),
        "theta and best schedules exact": _answer(exact),
        "no job can take more than the share x of a machine": _answer(small),
        "a job that can finish is worth twice everything free at the start": _answer(
            small and _worth_twice(instance, known)
        ),
        "no U^r is below L": _answer(low is None or all(high >= low for high in highs)),
        f"(U/L)^(x/(1-x)) at most e^{LARGEST_LOG}": _answer(power <= LARGEST_LOG),
    }
    if not share or power > LARGEST_LOG:
        return Guarantee(None, SOURCE, premises)
    growth = (Fraction(exp(power) * (1 + MARGIN)) - 1) / share
    return Guarantee(2 * max(Fraction(1), growth), SOURCE, premises)


def _answer(holds: bool) -> Answer:
    return "yes" if holds else "no"


def _takes_at_most(instance: Instance, job: Job, share: Fraction) -> bool:
    servers = job.ps_needed(job.batch_size)
    for resource in instance.resources:
        amount = job.worker.get(resource, NOTHING) * job.batch_size + job.ps.get(resource, NOTHING) * servers
        sizes = (m.capacity.get(resource, NOTHING) for m in instance.machines)
        if any(share * size < amount for size in sizes if size):  # no job can take a resource without capacity
            return False
    return True


def _worth_twice(instance: Instance, known: Extremes) -> bool:
    """Return whether 2 D_0 <= u_i(T - a_i) for a job that can finish.

    Without reserved amounts, D_0 is L times the total capacity.
    """
    if known.log_lowest is None or not known.log_highest or instance.reserved:
        return False
    priced = sum((m.capacity.get(r, NOTHING) for m in instance.machines for r in known.log_highest), NOTHING)
    least = known.log_lowest + log(2 * instance.horizon * priced) + MARGIN
    able = (job for job in instance.jobs if job not in instance.unservable_jobs)
    return any(job.utility.log(instance.horizon - job.arrival) >= least for job in able)
