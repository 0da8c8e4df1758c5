"""Program (1)-(8) as a CP-SAT model of optional intervals, without Pyomo rows."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from schedproof.core.base.untyped import Model
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.core.solvers import cpsat
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.placement.modes import pareto_modes
from schedproof.instances.placement import Instance, Mode, Schedule, Start, Task, fits

COLUMN_BYTES = 10_000.0  # measured: 7 to 10 kB, including rows and the solver's memory


def by_cpsat(instance: Instance, *, must_start: bool, longer: int, context: Context) -> Outcome:
    """Solve (1)-(8): a start per task, an interval per cluster and undominated mode.

    Parameters
    ----------
    must_start
        Whether every task has to start; (3) does not require it.
    longer
        The number of slots for which a task holds its allocation after its run.
    """
    ways_of = [_ways(instance, task) for task in instance.tasks]
    columns = sum(2 + len(ways) for ways in ways_of)
    model = cpsat.empty("placement.exact", columns, COLUMN_BYTES, context)
    chosen: list[tuple[Model, Start]] = []  # a literal each, with the slot still 0
    begins, costs = [], []
    launches: dict[int, list[Model]] = defaultdict(list)  # cluster -> intervals of one slot
    holds: dict[tuple[int, int], list[tuple[Model, int]]] = defaultdict(list)  # (cluster, resource) -> with the amount
    for task, its_ways in zip(instance.tasks, ways_of, strict=True):
        begin = model.new_int_var(task.arrival, instance.horizon, f"begin[{task.name}]")
        cost = model.new_int_var(0, instance.horizon, f"cost[{task.name}]")
        ways = []
        for n, mode in its_ways:
            here = model.new_bool_var(f"here[{task.name},{n},{mode.allocation}]")
            ways.append(here)
            model.add(begin + mode.slots <= instance.horizon).only_enforce_if(here)
            model.add(cost == begin + mode.slots - task.arrival).only_enforce_if(here)
            for start, end in instance.calendar.breaks[n]:
                before = model.new_bool_var("")
                model.add(begin + mode.slots <= start).only_enforce_if(here, before)
                model.add(begin >= end).only_enforce_if(here, ~before)
            launches[n].append(model.new_optional_fixed_size_interval_var(begin, 1, here, ""))
            hold = model.new_optional_fixed_size_interval_var(begin, mode.slots + longer, here, "")
            for r, amount in enumerate(mode.allocation):
                holds[n, r].append((hold, amount))
            chosen.append((here, Start(task.index, n, mode.allocation, 0)))
        model.add(sum(ways) == 1) if must_start else model.add_at_most_one(ways)
        begins.append(begin)
        costs.append(cost)
    for intervals in launches.values():
        model.add_no_overlap(intervals)
    for (n, r), pairs in holds.items():
        model.add_cumulative(*zip(*pairs, strict=True), instance.clusters[n].amounts[r])
    model.minimize(sum(costs))
    outcome, solver = cpsat.solve(model, context)
    if not outcome.has_point or outcome.objective is None:
        return outcome
    value = Fraction(round(outcome.objective))
    rows = [row._replace(slot=solver.value(begins[row.task])) for here, row in chosen if solver.value(here)]
    return Outcome(
        outcome.status,
        float(value),
        outcome.bound,
        exact=value if outcome.status == "optimal" else None,
        schedule=Schedule.of(rows, instance, DecidedBy("placement.exact", {}, 0)) if must_start else None,
    )


def _ways(instance: Instance, task: Task) -> list[tuple[int, Mode]]:
    modes, room = pareto_modes(task), instance.clusters
    return [(n, mode) for n in task.clusters for mode in modes if fits(mode.allocation, room[n].amounts)]
