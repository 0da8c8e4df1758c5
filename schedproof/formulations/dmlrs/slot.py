"""The slot problem (19): the cheapest way of training v samples of a job in one slot at given prices, theta(t, v).

The samples need n = ceil(v c_i) workers where everything stands on one machine, and n = ceil(v c_e) otherwise. Beside
this exact program stand its relaxation by patterns and the printed (22) and (23), each made of groups of its own.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.group import Group, group
from schedproof.core.lazy import pyo
from schedproof.core.options import pick
from schedproof.core.program import Program
from schedproof.formulations.dmlrs.asked import Prices, asked, not_negative, read_prices, slot_number
from schedproof.formulations.dmlrs.patterns import PATTERNS
from schedproof.formulations.dmlrs.staircase import serving_rows, whole_row
from schedproof.instances.dmlrs import Instance


@group("variables", "(19)", r"w_h, s_h \in \mathbb{Z}_{\ge 0}")
def counts(block: Any, instance: Instance, *, job: str, slot: int, workload: Fraction, prices: Prices) -> None:
    """So many workers and parameter servers of the job stand on a machine in the slot."""
    case = block.case = asked(instance, job, slot, workload, prices)
    machines, most = [m.name for m in instance.machines], case.job.batch_size
    block.workers = pyo.Var(machines, domain=pyo.NonNegativeIntegers, bounds=(0, most))
    block.ps = pyo.Var(machines, domain=pyo.NonNegativeIntegers, bounds=(0, case.job.ps_needed(most)))


@group("variables", "Fact 1", r"z_h, z \in \{0,1\}")
def rate(block: Any, instance: Instance) -> None:
    """Everything stands on one machine, this one, or it may stand anywhere."""
    block.together = pyo.Var([m.name for m in instance.machines], domain=pyo.Binary)
    block.apart = pyo.Var(domain=pyo.Binary)


@group("objective", "(19)", r"\min \textstyle\sum_h (p_h^w w_h + p_h^s s_h)", needs=("counts",))
def slot_cost(block: Any, instance: Instance) -> None:
    """What the workers and parameter servers cost at the prices of their machines' resources."""
    here = block.model().counts
    block.term = pyo.quicksum(
        float(here.case.worker_price(m)) * here.workers[m.name] + float(here.case.ps_price(m)) * here.ps[m.name]
        for m in instance.machines
    )


@group(
    "constraints",
    "(20)",
    r"\textstyle\sum_h w_h \ge \lceil v c^{\mathrm{i}} \rceil \sum_h z_h + \lceil v c^{\mathrm{e}} \rceil z",
    needs=("counts", "rate"),
)
def slot_workload(block: Any, instance: Instance) -> None:
    """There are enough workers for the samples, at the rate of the slot."""
    here, rate = block.model().counts, block.model().rate
    needed = here.case.together * pyo.quicksum(rate.together.values()) + here.case.apart * rate.apart
    block.row = pyo.Constraint(expr=pyo.quicksum(here.workers.values()) >= needed)


@group("constraints", "(4), (25)", r"\textstyle\sum_h w_h \le F", needs=("counts",))
def slot_batch_size(block: Any, instance: Instance) -> None:
    """There are at most as many workers as the batch has samples."""
    here = block.model().counts
    block.row = pyo.Constraint(expr=pyo.quicksum(here.workers.values()) <= here.case.job.batch_size)


@group("constraints", "(2)", r"\textstyle\sum_h w_h \le \gamma \sum_h s_h", needs=("counts",))
def slot_parameter_servers(block: Any, instance: Instance) -> None:
    """At most gamma workers for each parameter server."""
    here = block.model().counts
    rows = serving_rows(here.case.job)
    workers, ps = pyo.quicksum(here.workers.values()), pyo.quicksum(here.ps.values())
    block.row = pyo.Constraint(range(len(rows)), rule=lambda _, n: rows[n][0] * workers + rows[n][1] * ps >= rows[n][2])


@group("constraints", "(18), (24)", r"\alpha^r w_h + \beta^r s_h \le \hat C_h^r", needs=("counts",))
def slot_capacity(block: Any, instance: Instance) -> None:
    """What stands on a machine fits what is not reserved of each resource; a row in integers."""
    here = block.model().counts
    job = here.case.job

    def fits(_: Any, h: int, r: str) -> Any:
        machine = instance.machines[h]
        (a, b), limit = whole_row(
            [job.worker.get(r, Fraction(0)), job.ps.get(r, Fraction(0))], here.case.free(machine, r)
        )
        return (
            a * here.workers[machine.name] + b * here.ps[machine.name] <= limit if a or b else pyo.Constraint.Feasible
        )

    block.row = pyo.Constraint(range(len(instance.machines)), list(instance.resources), rule=fits)


@group(
    "constraints",
    "Fact 1",
    r"w_h \le F (z_h + z), \; s_h \le \lceil F / \gamma \rceil (z_h + z), \; \textstyle\sum_h z_h + z = 1",
    needs=("counts", "rate"),
)
def slot_internal_if_on_one_machine(block: Any, instance: Instance) -> None:
    """At the internal rate nothing stands on any machine but the one."""
    here, rate = block.model().counts, block.model().rate
    machines = [m.name for m in instance.machines]
    block.one = pyo.Constraint(expr=pyo.quicksum(rate.together.values()) + rate.apart == 1)
    for name, count in (("workers", here.workers), ("ps", here.ps)):
        rows = pyo.Constraint(machines, rule=lambda _, h, v=count: v[h] <= v[h].ub * (rate.together[h] + rate.apart))
        block.add_component(name, rows)


# --- as printed ------------------------------------------------------------------------------------------------------


@group("constraints", "(26)", r"\textstyle\sum_h w_h \ge v c^{\mathrm{e}}", needs=("counts",))
def external_workload_as_printed(block: Any, instance: Instance, *, workload: Fraction) -> None:
    """There are enough workers for the samples at the external rate; no row asks for parameter servers."""
    here = block.model().counts
    needed = float(workload * here.case.job.external_time)
    block.row = pyo.Constraint(expr=pyo.quicksum(here.workers.values()) >= needed)


@group("variables", "(22)", r"s_h \in \mathbb{Z}_{\ge 0}")
def internal_counts_as_printed(
    block: Any, instance: Instance, *, job: str, slot: int, workload: Fraction, prices: Prices
) -> None:
    """So many parameter servers stand on a machine, with gamma workers each."""
    block.case = asked(instance, job, slot, workload, prices)
    block.ps = pyo.Var([m.name for m in instance.machines], domain=pyo.NonNegativeIntegers)


@group(
    "objective",
    "(22)",
    r"\min \textstyle\sum_{r,h} p_h^r s_h (\alpha^r \gamma + \beta^r)",
    needs=("internal_counts_as_printed",),
)
def internal_cost_as_printed(block: Any, instance: Instance) -> None:
    """What the parameter servers and their workers cost; without the workload the least is nothing at all."""
    here = block.model().internal_counts_as_printed
    case = here.case
    block.term = pyo.quicksum(
        float(case.worker_price(m) * case.job.workers_per_ps + case.ps_price(m)) * here.ps[m.name]
        for m in instance.machines
    )


@group(
    "constraints",
    "(22)",
    r"s_h (\alpha^r \gamma + \beta^r) \le \hat C_h^r",
    needs=("internal_counts_as_printed",),
)
def internal_capacity_as_printed(block: Any, instance: Instance) -> None:
    """The parameter servers of a machine and their workers fit what is not reserved of each resource."""
    here = block.model().internal_counts_as_printed
    job = here.case.job

    def fits(_: Any, h: int, r: str) -> Any:
        machine = instance.machines[h]
        each = job.worker.get(r, Fraction(0)) * job.workers_per_ps + job.ps.get(r, Fraction(0))
        if not each:
            return pyo.Constraint.Feasible
        return here.ps[machine.name] <= here.case.free(machine, r) // each

    block.row = pyo.Constraint(range(len(instance.machines)), list(instance.resources), rule=fits)


@group("constraints", "(22), (4)", r"\gamma s_h \le F", needs=("internal_counts_as_printed",))
def internal_batch_size_as_printed(block: Any, instance: Instance) -> None:
    """The workers on a machine are at most as many as the batch has samples."""
    here = block.model().internal_counts_as_printed
    most = here.case.job.batch_size // here.case.job.workers_per_ps
    block.row = pyo.Constraint([m.name for m in instance.machines], rule=lambda _, h: here.ps[h] <= most)


FORMS: dict[str, tuple[Group, ...]] = {
    "milp": (
        slot_cost,
        slot_workload,
        slot_batch_size,
        slot_parameter_servers,
        slot_capacity,
        slot_internal_if_on_one_machine,
        counts,
        rate,
    ),
    "pattern": PATTERNS,
    "printed22": (
        internal_cost_as_printed,
        internal_capacity_as_printed,
        internal_batch_size_as_printed,
        internal_counts_as_printed,
    ),
    "printed23": (slot_cost, slot_capacity, slot_batch_size, external_workload_as_printed, counts),
}


def slot(*, job: str, slot: str | int, workload: str | Fraction, prices: Any, form: str = "milp") -> Program:
    """The slot problem (19): theta(t, v), the least cost of training v samples of a job in slot t.

    Parameters
    ----------
    job, slot
        The job's name and the slot, not before its arrival.
    workload
        v, in samples.
    prices
        Per unit of a resource: a number for all of them, machine -> resource -> price, or a JSON file of that.
    form
        ``milp`` (exact), ``pattern`` (its LP over the corners of each machine's integer hull, a lower bound),
        ``printed22`` (the internal case) or ``printed23`` (the external case).
    """
    groups = pick("form", form, FORMS)
    return Program(
        id="dmlrs.slot",
        sense="minimize",
        groups=groups,
        integer=form != "pattern",
        parameters={
            "job": job,
            "slot": slot_number(slot),
            "workload": not_negative("workload", workload),
            "prices": read_prices(prices),
        },
    )
