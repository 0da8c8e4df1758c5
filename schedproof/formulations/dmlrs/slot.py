"""The slot problem (19): the cheapest way of training v samples of a job in one slot at given prices, theta(t, v).

The samples need n = ceil(v c_i) workers where everything is on one machine, and n = ceil(v c_e) otherwise. Beside
this exact program there are its relaxation by patterns and the printed (22) and (23), each made of groups of its own.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model, Value
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program
from schedproof.formulations.dmlrs.patterns import PATTERNS
from schedproof.formulations.dmlrs.slot_query import Prices, read_prices, slot_query
from schedproof.formulations.dmlrs.staircase import serving_rows, whole_row
from schedproof.instances.dmlrs import Instance


@group("variables", "(19)", r"w_h \in \{0, \dots, F\}, \; s_h \in \{0, \dots, \lceil F / \gamma \rceil\}")
def counts(block: Model, instance: Instance, *, job: str, slot: int, workload: Fraction, prices: Prices) -> None:
    """w_h workers and s_h parameter servers of the job are placed on machine h in the slot."""
    query = block.query = slot_query(instance, job, slot, workload, prices)
    machines, limit = [m.name for m in instance.machines], query.job.batch_size
    block.workers = pyo.Var(machines, domain=pyo.NonNegativeIntegers, bounds=(0, limit))
    block.ps = pyo.Var(machines, domain=pyo.NonNegativeIntegers, bounds=(0, query.job.ps_needed(limit)))


@group("variables", "Fact 1", r"z_h, z \in \{0,1\}")
def rate(block: Model, instance: Instance) -> None:
    """Everything is on one machine, this one, or it may be anywhere."""
    block.together = pyo.Var([m.name for m in instance.machines], domain=pyo.Binary)
    block.apart = pyo.Var(domain=pyo.Binary)


@group("objective", "(19)", r"\min \textstyle\sum_h (p_h^{\mathrm{w}} w_h + p_h^{\mathrm{s}} s_h)", needs=("counts",))
def slot_cost(block: Model, instance: Instance) -> None:
    """What the workers and parameter servers cost at the prices of their machines' resources."""
    here = block.model().counts
    block.term = pyo.quicksum(
        scalar(here.query.worker_price(m)) * here.workers[m.name] + scalar(here.query.ps_price(m)) * here.ps[m.name]
        for m in instance.machines
    )


@group(
    "constraints",
    "(20)",
    r"\textstyle\sum_h w_h \ge \lceil v c^{\mathrm{i}} \rceil \sum_h z_h + \lceil v c^{\mathrm{e}} \rceil z",
    needs=("counts", "rate"),
)
def slot_workload(block: Model, instance: Instance) -> None:
    """There are enough workers for the samples, at the rate of the slot."""
    here, rate = block.model().counts, block.model().rate
    internal, external = here.query.internal_workers, here.query.external_workers
    needed = internal * pyo.quicksum(rate.together.values()) + external * rate.apart
    block.row = pyo.Constraint(expr=pyo.quicksum(here.workers.values()) >= needed)


@group("constraints", "(4), (25)", r"\textstyle\sum_h w_h \le F", needs=("counts",))
def slot_batch_size(block: Model, instance: Instance) -> None:
    """There are at most as many workers as the batch has samples."""
    here = block.model().counts
    block.row = pyo.Constraint(expr=pyo.quicksum(here.workers.values()) <= here.query.job.batch_size)


@group("constraints", "(2)", r"\phi_m \textstyle\sum_h w_h + \chi_m \sum_h s_h \ge \psi_m", needs=("counts",))
def slot_parameter_servers(block: Model, instance: Instance) -> None:
    """At most gamma workers for each parameter server, as the rows m of the whole numbers for which this is so."""
    here = block.model().counts
    rows = serving_rows(here.query.job)
    workers, ps = pyo.quicksum(here.workers.values()), pyo.quicksum(here.ps.values())
    block.row = pyo.Constraint(range(len(rows)), rule=lambda _, n: rows[n][0] * workers + rows[n][1] * ps >= rows[n][2])


@group(
    "constraints",
    "(18), (24)",
    r"\alpha^r w_h + \beta^r s_h \le g^r \lfloor \hat C_h^r / g^r \rfloor",
    needs=("counts",),
)
def slot_capacity(block: Model, instance: Instance) -> None:
    """What is placed on a machine fits what is not reserved, in multiples of g, the divisor of alpha and beta."""
    here = block.model().counts
    job = here.query.job

    def fits(_: Model, h: int, r: str) -> Model:
        machine = instance.machines[h]
        (a, b), limit = whole_row(
            [job.worker.get(r, Fraction(0)), job.ps.get(r, Fraction(0))], here.query.free(machine, r)
        )
        return a * here.workers[machine.name] + b * here.ps[machine.name] <= limit if a or b else pyo.Constraint.Skip

    block.row = pyo.Constraint(range(len(instance.machines)), list(instance.resources), rule=fits)


@group(
    "constraints",
    "Fact 1",
    r"w_h \le F (z_h + z), \; s_h \le \lceil F / \gamma \rceil (z_h + z), \; \textstyle\sum_h z_h + z = 1",
    needs=("counts", "rate"),
)
def slot_internal_if_on_one_machine(block: Model, instance: Instance) -> None:
    """At the internal rate nothing is on any machine but the one."""
    here, rate = block.model().counts, block.model().rate
    machines = [m.name for m in instance.machines]
    block.one = pyo.Constraint(expr=pyo.quicksum(rate.together.values()) + rate.apart == 1)
    for name, count in (("workers", here.workers), ("ps", here.ps)):
        rows = pyo.Constraint(machines, rule=lambda _, h, v=count: v[h] <= v[h].ub * (rate.together[h] + rate.apart))
        block.add_component(name, rows)


# --- as printed ------------------------------------------------------------------------------------------------------


@group("constraints", "(26)", r"\textstyle\sum_h w_h \ge v c^{\mathrm{e}}", needs=("counts",))
def external_workload_as_printed(block: Model, instance: Instance, *, workload: Fraction) -> None:
    """There are enough workers for the samples at the external rate; no row asks for parameter servers."""
    here = block.model().counts
    needed = scalar(workload * here.query.job.external_time)
    block.row = pyo.Constraint(expr=pyo.quicksum(here.workers.values()) >= needed)


@group("variables", "(22)", r"s_h \in \mathbb{Z}_{\ge 0}")
def internal_counts_as_printed(
    block: Model, instance: Instance, *, job: str, slot: int, workload: Fraction, prices: Prices
) -> None:
    """s_h parameter servers are placed on machine h, with gamma workers each."""
    block.query = slot_query(instance, job, slot, workload, prices)
    block.ps = pyo.Var([m.name for m in instance.machines], domain=pyo.NonNegativeIntegers)


@group(
    "objective",
    "(22)",
    r"\min \textstyle\sum_{r,h} p_h^r s_h (\alpha^r \gamma + \beta^r)",
    needs=("internal_counts_as_printed",),
)
def internal_cost_as_printed(block: Model, instance: Instance) -> None:
    """What the parameter servers and their workers cost; without the workload the least is nothing at all."""
    here = block.model().internal_counts_as_printed
    query = here.query
    block.term = pyo.quicksum(
        scalar(query.worker_price(m) * query.job.workers_per_ps + query.ps_price(m)) * here.ps[m.name]
        for m in instance.machines
    )


@group(
    "constraints",
    "(22)",
    r"s_h \le \lfloor \hat C_h^r / (\alpha^r \gamma + \beta^r) \rfloor \quad \forall \alpha^r \gamma + \beta^r > 0",
    needs=("internal_counts_as_printed",),
)
def internal_capacity_as_printed(block: Model, instance: Instance) -> None:
    """The parameter servers of a machine and their workers fit what is not reserved of each resource."""
    here = block.model().internal_counts_as_printed
    job = here.query.job

    def fits(_: Model, h: int, r: str) -> Model:
        machine = instance.machines[h]
        each = job.worker.get(r, Fraction(0)) * job.workers_per_ps + job.ps.get(r, Fraction(0))
        if not each:
            return pyo.Constraint.Skip
        return here.ps[machine.name] <= here.query.free(machine, r) // each

    block.row = pyo.Constraint(range(len(instance.machines)), list(instance.resources), rule=fits)


@group("constraints", "(22), (4)", r"s_h \le \lfloor F / \gamma \rfloor", needs=("internal_counts_as_printed",))
def internal_batch_size_as_printed(block: Model, instance: Instance) -> None:
    """The workers on a machine are at most as many as the batch has samples."""
    here = block.model().internal_counts_as_printed
    limit = here.query.job.batch_size // here.query.job.workers_per_ps
    block.row = pyo.Constraint([m.name for m in instance.machines], rule=lambda _, h: here.ps[h] <= limit)


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


def slot(*, job: str, slot: int, workload: Fraction, prices: Value, form: str = "milp") -> Program:
    return Program(
        id="dmlrs.slot",
        sense="minimize",
        groups=FORMS[form],
        integer=form != "pattern",
        parameters={"job": job, "slot": slot, "workload": workload, "prices": read_prices(prices)},
    )
