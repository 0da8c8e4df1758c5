"""`dualise`: a linear Pyomo model in, its dual out, rows named after columns.

Every multiplier is nonnegative (free for equations), as the papers write them:

=================  ==============  ===================  =====================================
primal (minimize)  multiplier      in the dual's sum    dual row of a column x, cost c
=================  ==============  ===================  =====================================
a x >= b           u >= 0          + b u                + a u
a x <= b           u >= 0          - b u                - a u
a x  = b           u free          + b u                + a u
x >= 0                                                  sum <= c
x free                                                  sum  = c
=================  ==============  ===================  =====================================

A ``maximize`` primal is read as the minimization of its negative, and the dual is then a minimization.
"""

from __future__ import annotations

from schedproof.core.errors import ProgramError
from schedproof.core.untyped import Model


def dualise(model: Model) -> Model:
    """The linear program dual to a Pyomo model.

    Parameters
    ----------
    model
        A Pyomo model, linear, continuous; variables free or bounded below by 0. Any other bound must be a constraint.

    Returns
    -------
    pyomo.ConcreteModel
        ``multiplier[row]`` and ``row[column]``, indexed by the full names of the primal's rows and columns.

    Raises
    ------
    ProgramError
        For an integer variable, a nonlinear row, a variable bound other than x >= 0, or a missing objective.
    """
    import pyomo.environ as pyo
    from pyomo.repn import generate_standard_repn

    columns = list(model.component_data_objects(pyo.Var, descend_into=True))
    for column in columns:
        if not column.is_continuous():
            raise ProgramError(
                f"the dual of '{column.name}' is undefined: it is an integer variable; relax the program"
            )
        if column.lb not in (None, 0) or column.ub is not None:
            raise ProgramError(f"the bounds of '{column.name}' must be rows: only x >= 0 and free columns dualise")
    objective = next(model.component_data_objects(pyo.Objective, active=True), None)
    if objective is None:
        raise ProgramError(f"{model.name} has no objective: there is nothing to take the dual of")
    sign = 1 if objective.sense == pyo.minimize else -1
    costs = _linear(generate_standard_repn(objective.expr), "the objective")

    rows: dict[str, tuple[float, float, bool]] = {}  # name -> (sign in the sums, right side, is an equation)
    entries: dict[str, list[tuple[float, str]]] = {column.name: [] for column in columns}
    for constraint in model.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        repn = generate_standard_repn(constraint.body)
        coefficients = _linear(repn, constraint.name)
        for name, direction, side in _sides(constraint):
            rows[name] = (direction, side - repn.constant, constraint.equality)
            for column, value in coefficients.items():
                entries[column].append((direction * value, name))

    dual = pyo.ConcreteModel(name=f"{model.name}:dual")
    nothing: Model = None
    if not all(entries.values()):  # a column in no row has a dual row all the same: 0 <= cost, which may be impossible
        nothing = dual.nothing = pyo.Var()
        dual.nothing_is_zero = pyo.Constraint(expr=nothing == 0)
    dual.multiplier = pyo.Var(list(rows), domain=lambda _, r: pyo.Reals if rows[r][2] else pyo.NonNegativeReals)

    def row(_: Model, column: str) -> Model:
        body = pyo.quicksum(value * dual.multiplier[r] for value, r in entries[column]) if entries[column] else nothing
        cost = sign * costs.get(column, 0.0)
        return body == cost if free[column] else body <= cost

    free = {column.name: column.lb is None for column in columns}
    dual.row = pyo.Constraint([column.name for column in columns], rule=row)
    total = pyo.quicksum(direction * side * dual.multiplier[r] for r, (direction, side, _) in rows.items())
    constant = generate_standard_repn(objective.expr).constant
    dual.objective = pyo.Objective(expr=sign * total + constant, sense=pyo.maximize if sign == 1 else pyo.minimize)
    return dual


def _linear(repn: Model, name: str) -> dict[str, float]:
    if not repn.is_linear():
        raise ProgramError(f"{name} is not linear: only linear programs dualise")
    return {v.name: c for v, c in zip(repn.linear_vars, repn.linear_coefs, strict=True)}


def _sides(constraint: Model) -> list[tuple[str, float, float]]:
    """(name, +1 for >= and =, -1 for <=, right side) of each side of a row."""
    import pyomo.environ as pyo

    if constraint.equality:
        return [(constraint.name, 1.0, pyo.value(constraint.upper))]
    sides = []
    both = constraint.has_lb() and constraint.has_ub()
    if constraint.has_lb():
        sides.append((constraint.name + ":lower" * both, 1.0, pyo.value(constraint.lower)))
    if constraint.has_ub():
        sides.append((constraint.name + ":upper" * both, -1.0, pyo.value(constraint.upper)))
    return sides
