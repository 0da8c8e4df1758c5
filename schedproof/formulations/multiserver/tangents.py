"""Concave gains on a linear solver: tangents from above, refined at the optimum.

Every gain becomes a variable below tangents of its utility, so the optimum is a bound. Where a variable exceeds its
utility, a tangent at the optimum's amount is added, and the program is solved again.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model, Value
from schedproof.core.programs.backends import pyomo_point
from schedproof.core.programs.program import Program
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers import pyomo_models
from schedproof.core.solvers.exact_check import broken_row
from schedproof.core.solvers.status import Outcome
from schedproof.instances.multiserver import Instance, Utility

FIRST = (0, 1, 4, 16, 64)  # amounts of every utility's initial tangents
EXCESS = 1e-7  # accepted excess of the linear program's value over the utilities; HiGHS' own gap is 1e-6
ROUNDS = 200
SCALE = 2.0**12  # scale of the tangents' rows: HiGHS satisfies a row to 1e-6, more than EXCESS


def by_tangents(
    instance: Instance, *, program: Program, gains: str, context: Context = USUAL, **parameters: Value
) -> Outcome:
    """Solve a Pyomo program whose objective sums concave gains and linear terms.

    ``gains`` is its objective group with a list of utilities and amounts. The outcome's objective is the value of the
    utilities, its bound that of the last linear program. The status is ``optimal`` if the bound exceeds the objective
    by at most `EXCESS` times the larger of the value and 1, and ``feasible`` after the time limit or `ROUNDS`.
    """
    linear = Tangents(program.where(**parameters), instance, gains)
    best = Outcome("time_limit")
    for _ in range(ROUNDS):
        outcome = pyomo_models.solve(linear.model, "highs", context)
        if not outcome.has_point:
            return best if outcome.status == "time_limit" else outcome
        if broken := broken_row(linear.model):
            return Outcome("solver_failed", message=f"highs says {outcome.status} {outcome.objective}, but {broken}")
        value, values = pyomo_point(linear.model)
        if best.objective is None or value > best.objective:
            best = Outcome("feasible", value, values=values)
        best = replace(best, bound=outcome.bound)
        context.keep(best)
        exact = outcome.objective is not None and outcome.objective - value <= EXCESS * max(1.0, abs(value))
        if exact or outcome.status == "feasible":
            return replace(best, status=outcome.status)
        linear.refine()
    return best


class Tangents:
    """A model with a linear objective; `pyomo_point` evaluates the utilities."""

    def __init__(self, program: Program, instance: Instance, gains: str) -> None:
        self.model = program.build(instance)
        self.gains: list[tuple[Utility, Model]] = self.model.component(gains).gains
        self.model.objective.deactivate()
        block = self.model._tangents = pyo.Block()
        block.gain = pyo.Var(range(len(self.gains)), domain=pyo.NonNegativeReals)
        block.row = pyo.ConstraintList()
        terms = [self.model.component(g.name).term for g in program.groups if g.role == "objective" and g.name != gains]
        block.objective = pyo.Objective(expr=pyo.quicksum(block.gain.values()) + sum(terms), sense=pyo.maximize)
        for n, (utility, _) in enumerate(self.gains):
            for at in FIRST if utility.kind != "linear" else FIRST[:1]:
                self._touch(n, Fraction(at))

    def refine(self) -> None:
        """Add a tangent at the present amount of every gain above its utility."""
        for n, (utility, amount) in enumerate(self.gains):
            at = Fraction(max(0.0, pyo.value(amount)))
            if self.model._tangents.gain[n].value > utility.value(at)[1]:
                self._touch(n, at)

    def _touch(self, n: int, at: Fraction) -> None:
        utility, amount = self.gains[n]
        height, slope = float(utility.value(at)[1]), float(utility.slope(at)[1])
        below = height + slope * (amount - float(at)) - self.model._tangents.gain[n]
        self.model._tangents.row.add(SCALE * below >= 0)
