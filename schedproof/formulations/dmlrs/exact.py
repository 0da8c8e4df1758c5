"""DMLRS (3)-(7), exact: a disjunction per job and slot sets the rate (Fact 1).

Either one machine holds the whole job (one disjunct per machine) and its workers train at 1/c_i, or the job may be
anywhere and they train at 1/c_e. Pyomo.GDP linearises the disjunction by ``hull`` or ``bigm``.

HiGHS satisfies rows to 1e-6; the checker is exact. So the rows of (3) and (2) are facets of hulls (`staircase`),
and capacities are integers without a common divisor: a violated row is violated by at least 1. An irrational (sigmoid)
utility is rounded down.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product

from schedproof.core.base.lazy import Lazy, pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model, Value
from schedproof.core.programs.exact.point import Values
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.formulations.dmlrs.packing import by_packing
from schedproof.formulations.dmlrs.second_route import by_cpsat
from schedproof.formulations.dmlrs.staircase import finishing_rows, serving_rows, whole_row
from schedproof.instances.dmlrs import Instance, Placement, Schedule

gdp: Model = Lazy("pyomo.gdp")


@group(
    "variables",
    "(5)",
    r"w_{ih}[t] \in \{0, \dots, F_i\}, \; s_{ih}[t] \in \{0, \dots, \lceil F_i / \gamma_i \rceil\}",
)
def placement(block: Model, instance: Instance) -> None:
    """w_ih workers and s_ih parameter servers of job i are on machine h in a slot."""
    limit = {job.name: job.batch_size for job in instance.jobs}
    most_ps = {job.name: job.ps_needed(job.batch_size) for job in instance.jobs}
    machines, slots = [m.name for m in instance.machines], range(instance.horizon)
    block.workers = pyo.Var(
        list(limit), machines, slots, domain=pyo.NonNegativeIntegers, bounds=lambda _, i, h, t: (0, limit[i])
    )
    block.ps = pyo.Var(
        list(limit), machines, slots, domain=pyo.NonNegativeIntegers, bounds=lambda _, i, h, t: (0, most_ps[i])
    )


@group("variables", "(6)", r"e_i[t] \in \{0,1\} \quad \forall t \ge a_i; \; x_i = \textstyle\sum_t e_i[t]")
def completion(block: Model, instance: Instance) -> None:
    """Whether a job ends in the slot (e = 1); a job that never ends has x = 0."""
    block.last = pyo.Var(
        [(job.name, t) for job in instance.jobs for t in range(job.arrival, instance.horizon)], domain=pyo.Binary
    )
    block.admitted = {job.name: pyo.quicksum(block.last[job.name, :]) for job in instance.jobs}


@group("variables", "(1)", r"n^{\mathrm{i}}_i[t], n^{\mathrm{e}}_i[t] \in [0, F_i]")
def rates(block: Model, instance: Instance) -> None:
    """The numbers of a job's workers at the internal and external rate in a slot."""
    limit = {job.name: job.batch_size for job in instance.jobs}
    slots = range(instance.horizon)
    block.internal = pyo.Var(list(limit), slots, domain=pyo.NonNegativeReals, bounds=lambda _, i, t: (0, limit[i]))
    block.external = pyo.Var(list(limit), slots, domain=pyo.NonNegativeReals, bounds=lambda _, i, t: (0, limit[i]))


@group(
    "objective",
    "DMLRS",
    r"\max \textstyle\sum_{i,t} u_i(t + 1 - a_i)\, e_i[t]",
)
def total_utility(block: Model, instance: Instance, completion: Model) -> Model:
    """The total utility of the jobs that complete."""
    jobs = {job.name: job for job in instance.jobs}
    return pyo.quicksum(
        scalar(jobs[i].utility.lower(t + 1 - jobs[i].arrival)) * chosen for (i, t), chosen in completion.last.items()
    )


@group(
    "constraints",
    "(3)",
    r"\phi_{im} \textstyle\sum_t n^{\mathrm{i}}_i[t] + \chi_{im} \sum_t n^{\mathrm{e}}_i[t] \ge \psi_{im} x_i",
)
def workload(block: Model, instance: Instance, rates: Model, completion: Model) -> Model:
    """An admitted job trains E K samples: n^i/c^i + n^e/c^e >= E K in integer rows m."""

    def row(i: str, phi: int, chi: int, psi: int) -> Model:
        internal, external = (pyo.quicksum(v[i, :]) for v in (rates.internal, rates.external))
        return phi * internal + chi * external >= psi * completion.admitted[i]

    return {
        (job.name, m): row(job.name, *numbers)
        for job in instance.jobs
        for m, numbers in enumerate(finishing_rows(job, job.batch_size * instance.horizon))
    }


@group("constraints", "(4)", r"\textstyle\sum_h w_{ih}[t] \le x_i F_i")
def batch_size(block: Model, instance: Instance, placement: Model, completion: Model) -> Model:
    """An admitted job has at most F workers in a slot; other jobs have none."""
    workers, admitted = placement.workers, completion.admitted
    return {
        (job.name, t): pyo.quicksum(workers[job.name, :, t]) <= job.batch_size * admitted[job.name]
        for job, t in product(instance.jobs, range(instance.horizon))
    }


@group(
    "constraints",
    "(2)",
    r"\phi'_{im} \textstyle\sum_h w_{ih}[t] + \chi'_{im} \sum_h s_{ih}[t] \ge \psi'_{im}",
)
def parameter_servers(block: Model, instance: Instance, placement: Model) -> Model:
    """At most gamma workers per parameter server: n <= gamma s in integer rows m."""
    workers, ps = placement.workers, placement.ps
    return {
        (job.name, m, t): phi * pyo.quicksum(workers[job.name, :, t]) + chi * pyo.quicksum(ps[job.name, :, t]) >= psi
        for job in instance.jobs
        for m, (phi, chi, psi) in enumerate(serving_rows(job))
        for t in range(instance.horizon)
    }


@group("constraints", "(2) as printed", r"\textstyle\sum_h w_{ih}[t] = \gamma_i \sum_h s_{ih}[t]")
def parameter_servers_as_printed(block: Model, instance: Instance, placement: Model) -> Model:
    """(2) as printed: a job has exactly gamma workers per parameter server."""
    ratio = {job.name: job.workers_per_ps for job in instance.jobs}
    return {
        (i, t): gamma.denominator * pyo.quicksum(placement.workers[i, :, t])
        == gamma.numerator * pyo.quicksum(placement.ps[i, :, t])
        for (i, gamma), t in product(ratio.items(), range(instance.horizon))
    }


@group(
    "constraints",
    "(5)",
    r"\textstyle\sum_i (\alpha_i^r w_{ih}[t] + \beta_i^r s_{ih}[t]) \le g^r \lfloor \hat C_h^r[t] / g^r \rfloor",
)
def capacity(block: Model, instance: Instance, placement: Model) -> Model:
    """Placements fit the free capacity; g is the common divisor of alpha and beta."""
    kinds = [
        (job.name, *of) for job in instance.jobs for of in ((job.worker, placement.workers), (job.ps, placement.ps))
    ]
    wanted = {
        r: [(amount, count, i) for i, demand, count in kinds if (amount := demand.get(r))] for r in instance.resources
    }
    rows = {}
    for t, machine, (r, users) in product(range(instance.horizon), instance.machines, wanted.items()):
        if users:
            each, limit = whole_row([amount for amount, _, _ in users], instance.free(t, machine, r))
            used = (c * count[i, machine.name, t] for c, (_, count, i) in zip(each, users, strict=True))
            rows[t, machine.index, r] = pyo.quicksum(used) <= limit
    return rows


@group(
    "constraints",
    "(6)",
    r"\textstyle\sum_h w_{ih}[t] \ge e_i[t], \; \sum_h w_{ih}[t] \le F_i \sum_{k: k \ge t} e_i[k]"
    r" \quad \forall t \ge a_i; \; x_i \le 1",
)
def completes_at_its_last_slot(block: Model, instance: Instance, placement: Model, completion: Model) -> Model:
    """A job has workers in its last slot, none later, and at most one last slot."""
    last, end = completion.last, instance.horizon
    limit = {job.name: job.batch_size for job in instance.jobs}
    return {
        "some": {(i, t): pyo.quicksum(placement.workers[i, :, t]) >= last[i, t] for i, t in last},
        "none_after": {
            (i, t): pyo.quicksum(placement.workers[i, :, t])
            <= limit[i] * pyo.quicksum(last[i, k] for k in range(t, end))
            for i, t in last
        },
        "one": {i: admitted <= 1 for i, admitted in completion.admitted.items()},
    }


@group("constraints", "(7)", r"w_{ih}[t], s_{ih}[t] = 0 \quad \forall t < a_i")
def after_arrival(block: Model, instance: Instance, placement: Model) -> Model:
    """Nothing is placed for a job before its arrival."""
    arrival = {job.name: job.arrival for job in instance.jobs}
    return {
        name: {(i, h, t): count == 0 for (i, h, t), count in counts.items() if t < arrival[i]}
        for name, counts in (("workers", placement.workers), ("ps", placement.ps))
    }


@group(
    "constraints",
    "(1)",
    r"n^{\mathrm{i}}_i[t] + n^{\mathrm{e}}_i[t] = \textstyle\sum_h w_{ih}[t]",
)
def every_worker_has_a_rate(block: Model, instance: Instance, placement: Model, rates: Model) -> Model:
    """Every worker trains at one of the two rates."""
    return {
        (i, t): internal + rates.external[i, t] == pyo.quicksum(placement.workers[i, :, t])
        for (i, t), internal in rates.internal.items()
    }


@group(
    "constraints",
    "Fact 1",
    r"\Bigl[\textstyle\bigvee_h \bigl(n^{\mathrm{e}}_i[t] = 0,\;"
    r" w_{ih'}[t] = s_{ih'}[t] = 0\ \forall h' \ne h\bigr)\Bigr] \vee \bigl(n^{\mathrm{i}}_i[t] = 0\bigr)",
)
def internal_if_on_one_machine(
    block: Model, instance: Instance, placement: Model, rates: Model, *, transformation: str
) -> None:
    """The rate is internal if one machine holds everything, otherwise external."""
    jobs, machines = [j.name for j in instance.jobs], [m.name for m in instance.machines]
    slots = range(instance.horizon)

    @block.Disjunct(jobs, slots, machines)
    def together(disjunct: Model, i: str, t: int, h: str) -> None:
        disjunct.rate = pyo.Constraint(expr=rates.external[i, t] == 0)
        elsewhere = [k for k in machines if k != h]
        disjunct.workers = pyo.Constraint(elsewhere, rule=lambda _, k: placement.workers[i, k, t] == 0)
        disjunct.ps = pyo.Constraint(elsewhere, rule=lambda _, k: placement.ps[i, k, t] == 0)

    @block.Disjunct(jobs, slots)
    def anywhere(disjunct: Model, i: str, t: int) -> None:
        disjunct.rate = pyo.Constraint(expr=rates.internal[i, t] == 0)

    block.either = gdp.Disjunction(
        jobs, slots, rule=lambda _, i, t: [*(block.together[i, t, h] for h in machines), block.anywhere[i, t]]
    )
    pyo.TransformationFactory(TRANSFORMATIONS[transformation]).apply_to(block, targets=[block.either])


def placed_schedule(model: Model, instance: Instance) -> Schedule:
    """Schedule of a solved DMLRS; drops parameter servers without workers."""
    place, jobs = model.placement, {job.name: job.index for job in instance.jobs}
    machines = {machine.name: machine.index for machine in instance.machines}
    busy = {(i, t) for (i, _, t), workers in place.workers.items() if workers.value}
    return Schedule.of(
        (
            Placement(jobs[i], t, machines[h], round(workers.value or 0), round(place.ps[i, h, t].value or 0))
            for (i, h, t), workers in place.workers.items()
            if (i, t) in busy
        ),
        instance,
        model.local_name,
    )


def to_point(schedule: Schedule, instance: Instance, **parameters: Value) -> Values:
    """Return the placements and rates of the jobs that finish, in each slot."""
    ends, placed = schedule.completions(instance), defaultdict[tuple[int, int], list[Placement]](list)
    for row in schedule.placements:
        if row.job in ends:
            placed[row.job, row.slot].append(row)
    workers, ps, rates = dict[Model, int](), dict[Model, int](), {"internal": dict[Model, int](), "external": {}}
    for (j, t), rows in placed.items():
        job = instance.jobs[j].name
        rates["internal" if len(rows) == 1 else "external"][job, t] = sum(row.workers for row in rows)
        for row in rows:
            place = job, instance.machines[row.machine].name, t
            workers[place], ps[place] = row.workers, row.ps
    return {
        "placement.workers": workers,
        "placement.ps": ps,
        "completion.last": {(instance.jobs[j].name, end - 1): 1 for j, end in ends.items()},
        **{f"rates.{name}": amounts for name, amounts in rates.items()},
    }


TRANSFORMATIONS = {"hull": "gdp.hull", "bigm": "gdp.bigm"}
RATIOS = {"at_least": parameter_servers, "printed": parameter_servers_as_printed}
ROUTES = {"cpsat": Route(by_cpsat, "cpsat"), "packing": Route(by_packing, EXHAUSTIVE)}


def exact(*, transformation: str = "hull", ratio: str = "at_least") -> Program:
    return Program(
        id="dmlrs.exact",
        column_bytes=60_000.0,  # the disjunctions have been transformed
        sense="maximize",
        groups=(
            total_utility,
            workload,
            batch_size,
            RATIOS[ratio],
            capacity,
            completes_at_its_last_slot,
            after_arrival,
            every_worker_has_a_rate,
            internal_if_on_one_machine,
            placement,
            completion,
            rates,
        ),
        parameters={"transformation": transformation},
        routes=ROUTES if ratio == "at_least" else {},
        to_schedule=placed_schedule,
        to_point=to_point,
        provable=ratio == "at_least",
    )
