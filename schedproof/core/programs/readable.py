"""Refuse models with parts that are not read, since no part may be ignored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from schedproof.core.base.lazy import cvxpy, pyo
from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError, short
from schedproof.core.programs.group import Group
from schedproof.core.solvers import cvx

UNREAD = ("complex", "imag", "hermitian", "diag", "sparsity")  # attributes of CVXPY's variables


def require_readable(model: Model) -> None:
    """Refuse unread components, domains and ends, and columns fixed outside them."""
    read = {pyo.Block, pyo.Var, pyo.Constraint, pyo.Expression, pyo.Param, pyo.Set, pyo.RangeSet, pyo.Suffix}
    for part in model.component_objects(active=True, descend_into=True):
        if part.ctype not in read:
            raise ProgramError(f"{part.name} is a Pyomo {part.ctype.__name__}, which is not read; write it as rows")
    intervals: dict[int, bool] = {}
    for column in model.component_data_objects(pyo.Var, descend_into=True):
        domain = column.domain
        if not intervals.setdefault(id(domain), intervals.get(id(domain)) or _is_interval(domain)):
            raise ProgramError(
                f"{column.name} has the domain {domain}, which is not read; use an interval of reals or integers, or "
                "write it by rows with binary variables"
            )
        try:
            value, lower, upper = column.value, column.lb, column.ub
        except ValueError:
            raise ProgramError(
                f"{column.name} has a bound that is no finite number; use None for an open side"
            ) from None
        if (
            column.fixed
            and value is not None
            and not (
                (lower is None or lower <= value)
                and (upper is None or value <= upper)
                and (not column.is_integer() or value == round(value))
            )
        ):
            raise ProgramError(f"{column.name} is fixed at {value}, which its bounds or its domain exclude")


def require_named_integers(groups: Sequence[Group], model: Model) -> None:
    """Refuse integer variables of a continuous program if its LaTeX names none."""
    for g in groups:
        stated = "[" in g.latex or r"\mathbb{R}" in g.latex or g.row() != g.row(integer=False)
        if g.role == "variables" and not stated:
            for column in model.component(g.name).component_data_objects(pyo.Var, descend_into=True):
                if column.is_integer():
                    raise ProgramError(
                        f"{column.name} is integer, but the LaTeX of its group names no integers, so the program "
                        r"is continuous: write \in \mathbb{Z} or \in \{0,1\} there, or integer = True in the program"
                    )


def _is_interval(domain: Model) -> bool:
    """Whether a domain is all reals, or all integers, between its ends."""
    low, high, step = domain.get_interval()
    whole = step == 1 and all(end is None or end == round(end) for end in (low, high))
    return (step == 0 or whole) and (low is None or high is None or low <= high)


def require_constraints(name: str, rows: Model) -> None:
    if not isinstance(rows, list | tuple):
        raise ProgramError(f"{name} is {short(rows)}, expected a list of constraints")
    for n, row in enumerate(rows):
        if isinstance(row, cvxpy.FiniteSet):
            raise ProgramError(f"{name}[{n}] is a FiniteSet, whose variables are integer; {cvx.NO_INTEGERS}")
        if not isinstance(row, bool | cvxpy.Constraint):
            raise ProgramError(f"{name}[{n}] is {short(row)}, expected a constraint")


def require_read(problem: Model) -> None:
    """Refuse parameters without values, shared names and unread attributes."""
    for parameter in problem.parameters():
        if parameter.value is None:
            raise ProgramError(f"the parameter {parameter.name()} has no value; set its attribute `value`")
    names = set[str]()
    for variable in problem.variables():
        name = variable.name()
        if name in names:
            raise ProgramError(f"two variables have the name {name}; give each its own with the argument `name`")
        names.add(name)
        if unread := [word for word in UNREAD if variable.attributes.get(word)]:
            raise ProgramError(
                f"the variable {name} is {unread[0]}, which is not read; write it by real dense variables"
            )


def require_finite(name: str, parts: Iterable[Model]) -> None:
    if not all(_is_finite(constant.value) for part in parts for constant in _constants(part)):
        raise ProgramError(f"{name} has NaN or infinity, expected finite numbers")


def _constants(part: Model) -> Iterable[Model]:
    return part.constants() if hasattr(part, "constants") else [cvxpy.Constant(part)]


def _is_finite(values: Model) -> bool:
    return bool(np.isfinite(values.data if hasattr(values, "tocsr") else values).all())
