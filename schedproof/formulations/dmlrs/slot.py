"""The slot problem (19): theta(t, v), the least cost of v samples in a slot.

The samples need n = ceil(v c_i) workers on one machine, and n = ceil(v c_e) otherwise. The module also has the
relaxation by patterns and the printed (22) and (23), each with separate groups.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model, Value
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program
from schedproof.formulations.dmlrs.patterns import PATTERNS
from schedproof.formulations.dmlrs.slot_query import Prices, read_prices, slot_query
from schedproof.formulations.dmlrs.staircase import serving_rows, whole_row
from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.job import NOTHING


@group("variables", "(19)", r"w_h \in \{0, \dots, F\}, \; s_h \in \{0, \dots, \lceil F / \gamma \rceil\}")
def counts(block: Model, instance: Instance, *, job: str, slot: int, workload: Fraction, prices: Prices) -> None:
    """w_h workers and s_h parameter servers of the job are on machine h in the slot."""
    query = block.query = slot_query(instance, job, slot, workload, prices)
    machines, limit = [m.name for m in instance.machines], query.job.batch_size
    block.workers = pyo.Var(machines, domain=pyo.NonNegativeIntegers, bounds=(0, limit))
    block.ps = pyo.Var(machines, domain=pyo.NonNegativeIntegers, bounds=(0, query.job.ps_needed(limit)))


@group("variables", "Fact 1", r"z_h, z \in \{0,1\}")
def rate(block: Model, instance: Instance) -> None:
    """The job is on machine h only (z_h = 1), or it may be anywhere (z = 1)."""
    block.together = pyo.Var([m.name for m in instance.machines], domain=pyo.Binary)
    block.apart = pyo.Var(domain=pyo.Binary)


@group("objective", "(19)", r"\min \textstyle\sum_h (p_h^{\mathrm{w}} w_h + p_h^{\mathrm{s}} s_h)")
def slot_cost(block: Model, instance: Instance, counts: Model) -> Model:
    """The cost of the workers and parameter servers at their machines' prices."""
    query, workers, ps = counts.query, counts.workers, counts.ps
    return pyo.quicksum(
        scalar(query.worker_price(m)) * workers[m.name] + scalar(query.ps_price(m)) * ps[m.name]
        for m in instance.machines
    )


@group(
    "constraints",
    "(20)",
    r"\textstyle\sum_h w_h \ge \lceil v c^{\mathrm{i}} \rceil \sum_h z_h + \lceil v c^{\mathrm{e}} \rceil z",
)
def slot_workload(block: Model, instance: Instance, counts: Model, rate: Model) -> Model:
    """The workers train the v samples at the chosen rate, internal or external."""
    internal, external = counts.query.internal_workers, counts.query.external_workers
    needed = internal * pyo.quicksum(rate.together.values()) + external * rate.apart
    return pyo.quicksum(counts.workers.values()) >= needed


@group("constraints", "(4), (25)", r"\textstyle\sum_h w_h \le F")
def slot_batch_size(block: Model, instance: Instance, counts: Model) -> Model:
    """There are at most as many workers as the batch has samples."""
    return pyo.quicksum(counts.workers.values()) <= counts.query.job.batch_size


@group("constraints", "(2)", r"\phi_m \textstyle\sum_h w_h + \chi_m \sum_h s_h \ge \psi_m")
def slot_parameter_servers(block: Model, instance: Instance, counts: Model) -> Model:
    """At most gamma workers per parameter server: n <= gamma s in integer rows m."""
    workers, ps = pyo.quicksum(counts.workers.values()), pyo.quicksum(counts.ps.values())
    return {n: phi * workers + chi * ps >= psi for n, (phi, chi, psi) in enumerate(serving_rows(counts.query.job))}


@group(
    "constraints",
    "(18), (24)",
    r"\alpha^r w_h + \beta^r s_h \le g^r \lfloor \hat C_h^r / g^r \rfloor",
)
def slot_capacity(block: Model, instance: Instance, counts: Model) -> Model:
    """Placements fit the free capacity; g is the common divisor of alpha and beta."""
    query, rows = counts.query, {}
    for machine, r in product(instance.machines, instance.resources):
        demand = [query.job.worker.get(r, NOTHING), query.job.ps.get(r, NOTHING)]
        (a, b), limit = whole_row(demand, query.free(machine, r))
        if a or b:
            rows[machine.index, r] = a * counts.workers[machine.name] + b * counts.ps[machine.name] <= limit
    return rows


@group(
    "constraints",
    "Fact 1",
    r"w_h \le F (z_h + z), \; s_h \le \lceil F / \gamma \rceil (z_h + z), \; \textstyle\sum_h z_h + z = 1",
)
def slot_internal_if_on_one_machine(block: Model, instance: Instance, counts: Model, rate: Model) -> Model:
    """At the internal rate all other machines are empty."""
    together, apart = rate.together, rate.apart
    return {
        "one": pyo.quicksum(together.values()) + apart == 1,
        "workers": {h: w <= w.ub * (together[h] + apart) for h, w in counts.workers.items()},
        "ps": {h: s <= s.ub * (together[h] + apart) for h, s in counts.ps.items()},
    }


# --- as printed ------------------------------------------------------------------------------------------------------


@group("constraints", "(26)", r"\textstyle\sum_h w_h \ge v c^{\mathrm{e}}")
def external_workload_as_printed(block: Model, instance: Instance, counts: Model, *, workload: Fraction) -> Model:
    """The workers suffice at the external rate; no row requires parameter servers."""
    return pyo.quicksum(counts.workers.values()) >= scalar(workload * counts.query.job.external_time)


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
)
def internal_cost_as_printed(block: Model, instance: Instance, internal_counts_as_printed: Model) -> Model:
    """The cost of parameter servers and their workers; its minimum is 0, with none."""
    query, ps = internal_counts_as_printed.query, internal_counts_as_printed.ps
    return pyo.quicksum(
        scalar(query.worker_price(m) * query.job.workers_per_ps + query.ps_price(m)) * ps[m.name]
        for m in instance.machines
    )


@group(
    "constraints",
    "(22)",
    r"s_h \le \lfloor \hat C_h^r / (\alpha^r \gamma + \beta^r) \rfloor \quad \forall \alpha^r \gamma + \beta^r > 0",
)
def internal_capacity_as_printed(block: Model, instance: Instance, internal_counts_as_printed: Model) -> Model:
    """A machine's parameter servers and their workers fit its unreserved resources."""
    query, ps = internal_counts_as_printed.query, internal_counts_as_printed.ps
    worker, server, gamma = query.job.worker, query.job.ps, query.job.workers_per_ps
    each = {r: worker.get(r, NOTHING) * gamma + server.get(r, NOTHING) for r in instance.resources}
    return {
        (machine.index, r): ps[machine.name] <= query.free(machine, r) // amount
        for machine, (r, amount) in product(instance.machines, each.items())
        if amount
    }


@group("constraints", "(22), (4)", r"s_h \le \lfloor F / \gamma \rfloor")
def internal_batch_size_as_printed(block: Model, instance: Instance, internal_counts_as_printed: Model) -> Model:
    """A machine has at most as many workers as the batch has samples."""
    job, ps = internal_counts_as_printed.query.job, internal_counts_as_printed.ps
    return {h: servers <= job.batch_size // job.workers_per_ps for h, servers in ps.items()}


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
