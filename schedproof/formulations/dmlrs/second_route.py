"""DMLRS as a CP-SAT model with Fact 1, without the rows of the Pyomo groups.

The rate is internal if and only if exactly one machine holds the job's workers and parameter servers of the slot. A
table of the least b for each a decides whether worker-slots (a internal, b external) finish a job. Then no conditional
row has a coefficient above 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd

from schedproof.core.base.numbers import ceil, common_denominator
from schedproof.core.base.untyped import Model
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers import cpsat
from schedproof.core.solvers.status import Outcome
from schedproof.instances.dmlrs import Instance, Job, Placement, Schedule

COLUMN_BYTES = 40_000.0  # measured: 37 kB, including rows and the solver's memory
LARGEST_TOTAL = 2**50  # limit of a total utility in the solver's units: below it the solver's doubles are exact


def by_cpsat(instance: Instance, *, context: Context = USUAL, transformation: str = "hull") -> Outcome:
    """Return the optimum of DMLRS; ``transformation`` has no effect here.

    Notes
    -----
    Rational utilities are scaled to integers by their common denominator, and ``exact`` is then the optimum. Sigmoids,
    and denominators that are too large, are scaled by a power of two and rounded down: the schedule is optimal up to
    one unit for each job, which ``bound`` includes, and ``exact`` is None.
    """
    model = cpsat.empty("dmlrs.exact", _columns(instance), COLUMN_BYTES, context)
    unit, rounded = _unit(instance)
    counts: dict[tuple[int, int, int], tuple[Model, Model]] = {}  # (job, slot, machine) -> workers, parameter servers
    gains = [_job(model, instance, job, unit, counts) for job in instance.jobs]
    _capacity(model, instance, counts)
    model.maximize(sum(gains))
    outcome, solver = cpsat.solve(model, context)
    off = len(instance.jobs) if rounded else 0
    bound = None if outcome.bound is None else float((round(outcome.bound) + off) / unit)
    if not outcome.has_point:
        return Outcome(outcome.status, bound=bound, message=outcome.message)
    schedule = Schedule.of(
        (Placement(*key, *(int(solver.value(v)) for v in pair)) for key, pair in counts.items()), instance, "cpsat"
    )
    value = schedule.objective(instance)
    exact = value if outcome.status == "optimal" and not rounded else None
    return Outcome(outcome.status, float(value), bound, exact=exact, schedule=schedule)


def _columns(instance: Instance) -> int:
    slots = sum(max(0, instance.horizon - job.arrival) for job in instance.jobs)
    return 5 * len(instance.jobs) + slots * (5 + 3 * len(instance.machines))


def _unit(instance: Instance) -> tuple[Fraction, bool]:
    values = [
        (u.lower(x), u.upper(x))
        for job in instance.jobs
        for u in (job.utility,)
        for x in range(1, instance.horizon - job.arrival + 1)
    ]
    total = len(instance.jobs) * max((high for _, high in values), default=Fraction(0)) or Fraction(1)
    common = common_denominator(low for low, _ in values)
    if all(low == high for low, high in values) and common * total <= LARGEST_TOTAL:
        return Fraction(common), False
    return Fraction(2) ** floor_log2(LARGEST_TOTAL / total), True


def floor_log2(value: Fraction) -> int:
    """Return the largest integer e with 2^e <= value."""
    e = value.numerator.bit_length() - value.denominator.bit_length()
    return e if Fraction(2) ** e <= value else e - 1


def _job(
    model: Model, instance: Instance, job: Job, unit: Fraction, counts: dict[tuple[int, int, int], Model]
) -> Model:
    slots = range(job.arrival, instance.horizon)
    inside, spread, ends = [], [], [0]
    for t in slots:
        workers, internal = _slot(model, instance, job, t, counts)
        busy = model.new_bool_var(f"busy[{job.name},{t}]")
        model.add(workers >= 1).only_enforce_if(busy)
        model.add(workers == 0).only_enforce_if(~busy)
        inside.append(internal)
        spread.append(workers - internal)
        ends.append((t + 1 - job.arrival) * busy)
    time = model.new_int_var(0, len(slots), f"training_time[{job.name}]")  # 0: not admitted
    model.add_max_equality(time, ends)
    _finishes(model, job, inside, spread, time)
    gain = [0, *(floor(job.utility.lower(x) * unit) for x in range(1, len(slots) + 1))]
    utility = model.new_int_var(0, max(gain), f"utility[{job.name}]")
    model.add_element(time, gain, utility)
    return utility


def _slot(
    model: Model, instance: Instance, job: Job, t: int, counts: dict[tuple[int, int, int], Model]
) -> tuple[Model, Model]:
    limit, most_ps = job.batch_size, job.ps_needed(job.batch_size)
    here = []
    for machine in instance.machines:
        where = f"[{job.name},{t},{machine.name}]"
        w, s = model.new_int_var(0, limit, f"workers{where}"), model.new_int_var(0, most_ps, f"ps{where}")
        in_use = model.new_bool_var(f"in_use{where}")
        model.add(w + s >= 1).only_enforce_if(in_use)
        model.add(w + s == 0).only_enforce_if(~in_use)
        counts[job.index, t, machine.index] = w, s
        here.append((w, s, in_use))
    workers = model.new_int_var(0, limit, f"workers[{job.name},{t}]")  # (4)
    model.add(workers == sum(w for w, _, _ in here))
    servers = model.new_int_var(0, most_ps, f"ps[{job.name},{t}]")
    model.add_element(workers, [job.ps_needed(n) for n in range(limit + 1)], servers)  # (2): exactly ceil(n / gamma)
    model.add(servers == sum(s for _, s, _ in here))
    one = model.new_bool_var(f"one_machine[{job.name},{t}]")
    model.add(sum(in_use for _, _, in_use in here) == 1).only_enforce_if(one)
    model.add(sum(in_use for _, _, in_use in here) != 1).only_enforce_if(~one)
    internal = model.new_int_var(0, limit, f"internal[{job.name},{t}]")
    model.add(internal == workers).only_enforce_if(one)
    model.add(internal == 0).only_enforce_if(~one)
    return workers, internal


def _finishes(model: Model, job: Job, inside: list[Model], spread: list[Model], time: Model) -> None:
    """Add (3): a table of the external worker-slots needed beyond the internal."""
    limit = job.batch_size * len(inside)
    needed = [
        min(limit + 1, max(0, ceil((job.work - a / job.internal_time) * job.external_time))) for a in range(limit + 1)
    ]
    internal = model.new_int_var(0, limit, f"internal[{job.name}]")
    model.add(internal == sum(inside))
    least = model.new_int_var(0, limit + 1, f"needed[{job.name}]")
    model.add_element(internal, needed, least)
    admitted = model.new_bool_var(f"admitted[{job.name}]")
    model.add(time >= 1).only_enforce_if(admitted)
    model.add(time == 0).only_enforce_if(~admitted)
    model.add(sum(spread) >= least).only_enforce_if(admitted)


def _capacity(model: Model, instance: Instance, counts: dict[tuple[int, int, int], Model]) -> None:
    grid = instance.grid
    demands = [(grid.worker(job).tolist(), grid.ps(job).tolist()) for job in instance.jobs]
    by_place: dict[tuple[int, int], list[tuple[int, Model, Model]]] = {}
    for (j, t, h), (w, s) in counts.items():
        by_place.setdefault((t, h), []).append((j, w, s))
    for (t, h), users in by_place.items():
        for r, free in enumerate(grid.at(t)[h].tolist()):
            divisor = gcd(*(demands[j][kind][r] for j, _, _ in users for kind in (0, 1))) or 1
            used = sum(demands[j][0][r] // divisor * w + demands[j][1][r] // divisor * s for j, w, s in users)
            model.add(used <= free // divisor)
