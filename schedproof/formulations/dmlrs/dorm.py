"""Dorm's program: the worker counts of a slot that maximise utilisation.

Section V names the three ingredients: "an MILP resource utilization maximization problem with fairness and
adjustment overhead constraints". The formulation is ours:

====================  ==================================================================================================
capacity              of all machines together; placement is a separate step, because a variable for each job and
                      machine would take minutes a slot
dominant resource     of a job: the one with the largest share used by one worker and 1/gamma of a parameter server
share                 of a job: its fraction of the total capacity of its dominant resource
fair share            its share after progressive filling of the pooled capacity
fairness loss         the sum of all distances from the fair share, at most theta1 times the maximal sum 2m
                      (m resources; the shares of all jobs add up to at most m)
adjustment            a change in a job's number of workers; at most ceil(theta2 k) of the k jobs with workers change
utilisation           the sum over resources of the used fraction, in steps of 1/200 of the jobs' maximal use. Values
                      above 99 % count as 99 % unless all jobs' maxima fit: the last thousandths of a full cluster
                      are a subset-sum problem and may take minutes
====================  ==================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import ceil, scalar
from schedproof.core.base.untyped import Model
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.instances.dmlrs.dominant_share import parts, progressive_filling, totals
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import NOTHING, Job

STEPS, FULL = 200, 198  # utilisation steps, and their maximum unless all jobs' maximal numbers of workers fit
Workers = Mapping[str, int]  # by the job's name


class Moment:
    """The jobs of a slot and their limits, made by the group ``allocation``.

    Attributes
    ----------
    jobs
        The jobs that have arrived.
    most
        Job -> its maximal number of workers: F or fewer, at least its current number.
    total, free
        Resource -> total capacity, and the unreserved part in the slot. ``total`` omits resources without capacity, but
        their use is bounded too.
    wished
        Resource -> the jobs' use if each has its maximal number of workers.
    """

    def __init__(self, instance: Instance, slot: int, held: Workers, limit: Workers) -> None:
        self.jobs = [job for job in instance.jobs if job.arrival <= slot]
        self.most = {j.name: max(limit.get(j.name, j.batch_size), held.get(j.name, 0)) for j in self.jobs}
        self.total = totals(instance)
        self.free = {
            r: sum((instance.free(slot, machine, r) for machine in instance.machines), NOTHING)
            for r in instance.resources
        }
        self.wished = {r: sum((need(j, self.most[j.name], r) for j in self.jobs), NOTHING) for r in instance.resources}

    def dominant(self, job: Job) -> str | None:
        """The job's dominant resource, the first in a tie; None for a job without needs."""
        size = {r: worker + ps / job.workers_per_ps for r, (worker, ps) in parts(job, self.total).items()}
        return max(size, key=size.__getitem__) if any(size.values()) else None

    def fair_workers(self) -> dict[str, int]:
        """Return each job's workers after progressive filling of the pooled capacity."""
        rest = dict(self.free)
        has = dict.fromkeys((job.index for job in self.jobs), 0)

        def one_more(job: Job) -> bool:
            n = has[job.index]
            more = {r: need(job, n + 1, r) - need(job, n, r) for r in rest}
            if any(more[r] > rest[r] for r in rest):
                return False
            has[job.index] = n + 1
            for r, amount in more.items():
                rest[r] -= amount
            return True

        progressive_filling(self.jobs, {job.index: self.most[job.name] for job in self.jobs}, self.total, one_more)
        return {job.name: has[job.index] for job in self.jobs}


def need(job: Job, workers: int, resource: str) -> Fraction:
    """Amount of a resource that these workers and their parameter servers use."""
    return job.worker.get(resource, NOTHING) * workers + job.ps.get(resource, NOTHING) * job.ps_needed(workers)


@group("variables", "V", r"n_i \in \{0, \dots, \bar n_i\}, \; s_i \in \mathbb{Z}_{\ge 0}")
def allocation(block: Model, instance: Instance, *, slot: int, held: Workers, most: Workers) -> None:
    """The numbers of workers (at most the maximum) and parameter servers of each job."""
    now = block.now = Moment(instance, slot, held, most)
    bound = now.most
    block.workers = pyo.Var(list(bound), domain=pyo.NonNegativeIntegers, bounds=lambda _, j: (0, bound[j]))
    block.ps = pyo.Var(list(bound), domain=pyo.NonNegativeIntegers)


@group("variables", "V", r"r_i \in \{0,1\} \quad \forall i \in \mathcal{H}")
def adjustment(block: Model, instance: Instance, *, held: Workers) -> None:
    """Whether a job in H, which holds workers, gets another number of workers."""
    block.adjusted = pyo.Var(list(held), domain=pyo.Binary)


@group(
    "variables",
    "V",
    r"l_i \ge 0, \; \sigma_i = (\alpha_i^{d_i} n_i + \beta_i^{d_i} s_i) / C^{d_i} \quad \forall i \in \mathcal{D}",
)
def distance(block: Model, instance: Instance, allocation: Model) -> None:
    """The distance of each job's share of its dominant resource from its fair share."""
    now = allocation.now
    block.loss = pyo.Var([job.name for job in now.jobs if now.dominant(job)], domain=pyo.NonNegativeReals)


@group("variables", "V", r"u \in \{0, \dots, \bar u\}")
def level(block: Model, instance: Instance, allocation: Model) -> None:
    """The utilisation in steps: up to 200 if all jobs' maxima fit, otherwise 198."""
    now = allocation.now
    everyone = all(now.wished[r] <= now.free[r] for r in now.free)
    block.steps = pyo.Var(domain=pyo.NonNegativeIntegers, bounds=(0, STEPS if everyone else FULL))


@group("objective", "V", r"\max u")
def utilisation(block: Model, instance: Instance, level: Model) -> Model:
    """The resource utilisation, in steps."""
    return level.steps


@group(
    "constraints",
    "V",
    r"\hat U u \le 200 \textstyle\sum_{r,i} (\alpha_i^r n_i + \beta_i^r s_i) / C^r \quad \forall \hat U > 0;"
    r" \; u = 0 \quad \forall \hat U = 0",
)
def utilisation_in_steps(block: Model, instance: Instance, allocation: Model, level: Model) -> Model:
    """The number of steps is at most 200 times the use, relative to the maximal use."""
    now, steps = allocation.now, level.steps
    reach = sum((min(now.free[r], now.wished[r]) / c for r, c in now.total.items()), NOTHING)
    used = pyo.quicksum(_part(allocation, job, r) for job in now.jobs for r in now.total)
    return scalar(reach) * steps <= STEPS * used if reach else steps == 0


@group(
    "constraints",
    "(5)",
    r"\textstyle\sum_i (\alpha_i^r n_i + \beta_i^r s_i) \le \sum_h \hat C_h^r",
)
def pooled_capacity(block: Model, instance: Instance, allocation: Model) -> Model:
    """All jobs together use at most the free capacity of all machines together."""
    now, workers, ps = allocation.now, allocation.workers, allocation.ps

    def use_of(r: str) -> Model:
        rows = ((job.name, scalar(job.worker.get(r, NOTHING)), scalar(job.ps.get(r, NOTHING))) for job in now.jobs)
        return pyo.quicksum(a * workers[j] + b * ps[j] for j, a, b in rows if a or b)

    return {r: use_of(r) <= scalar(now.free[r]) for r, amount in now.wished.items() if amount}


@group("constraints", "(2)", r"n_i / \gamma_i \le s_i \le n_i / \gamma_i + 1 - 1 / N_i")
def parameter_servers(block: Model, instance: Instance, allocation: Model) -> Model:
    """n workers have ceil(n/gamma) parameter servers; N is the numerator of gamma."""
    workers, ps = allocation.workers, allocation.ps
    gamma = {job.name: job.workers_per_ps for job in instance.jobs if job.name in workers}
    return {
        "enough": {j: g.numerator * ps[j] >= g.denominator * workers[j] for j, g in gamma.items()},
        "no_more": {j: g.numerator * ps[j] - g.numerator <= g.denominator * workers[j] - 1 for j, g in gamma.items()},
    }


@group(
    "constraints",
    "V",
    r"l_i \ge \sigma_i - \hat{\sigma}_i, \; l_i \ge \hat{\sigma}_i - \sigma_i,"
    r" \; \textstyle\sum_i l_i \le 2 m \theta_1",
)
def fairness_loss(block: Model, instance: Instance, allocation: Model, distance: Model, *, theta1: Fraction) -> Model:
    """The distances from the fair shares sum to at most theta1 times the maximal sum."""
    now, loss = allocation.now, distance.loss
    fair, at = now.fair_workers(), {j.name: (j, r) for j in now.jobs if (r := now.dominant(j))}
    target = {j: scalar(need(job, fair[j], r) / now.total[r]) for j, (job, r) in at.items()}
    rows: dict[str, Model] = {
        "above": {j: loss[j] >= _part(allocation, *at[j]) - target[j] for j in at},
        "below": {j: loss[j] >= target[j] - _part(allocation, *at[j]) for j in at},
    }
    if at:
        rows["row"] = pyo.quicksum(loss.values()) <= scalar(theta1 * 2 * len(now.total))
    return rows


@group(
    "constraints",
    "V",
    r"n_i - n_i^- \le (\bar n_i - n_i^-) r_i, \; n_i^- - n_i \le n_i^- r_i,"
    r" \; \textstyle\sum_i r_i \le \lceil k \theta_2 \rceil",
)
def adjustment_overhead(
    block: Model, instance: Instance, allocation: Model, adjustment: Model, *, theta2: Fraction, held: Workers
) -> Model:
    """At most ceil(theta2 k) of the k jobs with workers change their number."""
    workers, adjusted = allocation.workers, adjustment.adjusted
    rows: dict[str, Model] = {
        "more": {j: workers[j] - n <= (workers[j].ub - n) * adjusted[j] for j, n in held.items()},
        "fewer": {j: n - workers[j] <= n * adjusted[j] for j, n in held.items()},
    }
    if held:
        rows["row"] = pyo.quicksum(adjusted.values()) <= ceil(theta2 * len(held))
    return rows


def _part(allocation: Model, job: Job, resource: str) -> Model:
    worker, ps = parts(job, allocation.now.total)[resource]
    return scalar(worker) * allocation.workers[job.name] + scalar(ps) * allocation.ps[job.name]


def dorm(*, theta1: Fraction = Fraction(1, 10), theta2: Fraction = Fraction(1, 10), slot: int = 0) -> Program:
    """Set the parameters ``held`` and ``most`` with `Program.where`.

    The parameters map a job's name to the current and the maximal number of workers. By default no job holds workers,
    and the maximum is F.
    """
    return Program(
        id="dmlrs.dorm",
        sense="maximize",
        groups=(
            utilisation,
            utilisation_in_steps,
            pooled_capacity,
            parameter_servers,
            fairness_loss,
            adjustment_overhead,
            allocation,
            adjustment,
            distance,
            level,
        ),
        parameters={"theta1": theta1, "theta2": theta2, "slot": slot, "held": {}, "most": {}},
    )
