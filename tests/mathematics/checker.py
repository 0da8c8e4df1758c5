"""Compare a group's printed and built rows by evaluation at random points.

A printed row is expanded over its free indices. A row is the vector of its values (left minus right) at a few
random points, up to a positive factor; the printed and the built vectors have to be the same set.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any

import cvxpy
import numpy as np
import pyomo.environ as pyo
from pyomo.repn import generate_standard_repn
from scipy.spatial import cKDTree

from schedproof.core.programs import notation
from schedproof.core.programs.backends import Parts, _in_build_order
from schedproof.core.programs.group import Group
from schedproof.core.programs.notation import Number, Set, Statement, Symbol, Total
from schedproof.core.programs.program import Program
from tests.mathematics.evaluation import Env, Setting, UndefinedError

POINTS = 4
SAME = 1e-9  # of normed vectors of doubles that come from the same rationals
UNREAD = {  # groups that no reader of algebra can compare, and why
    "dmlrs: internal_if_on_one_machine": "a disjunction: Pyomo writes its linear rows",
}


# --- rows ------------------------------------------------------------------------------------------------------------


@dataclass
class Side:
    """A row as the values of an expression that is >= 0 (``>=``) or 0 (``=``)."""

    kind: str
    values: np.ndarray
    name: str

    @property
    def constant(self) -> bool:
        return float(np.ptp(self.values)) <= SAME * max(1.0, float(np.abs(self.values).max()))

    @property
    def true(self) -> bool:
        """Whether a constant row holds."""
        return bool(np.all(np.abs(self.values) <= SAME) if self.kind == "=" else np.all(self.values >= -SAME))

    @property
    def scale(self) -> float:
        """Return a divisor that normalises rows up to a positive factor."""
        size = float(np.abs(self.values).max())
        return size * (np.sign(self.values[0]) or 1.0) if self.kind == "=" else size


def printed_rows(statements: tuple[Statement, ...], setting: Setting) -> list[Side]:
    """Printed rows, expanded; a row with a missing entry outside a sum is skipped."""
    found = []
    for each in statements:
        assert each.sign in (r"\le", r"\ge", "="), f"a row has the sign {each.sign}"
        difference = Total(((1, each.left), (-1, each.right)))
        for env in setting.bindings(notation.indices(each), each.conditions, {}):
            try:
                values = np.asarray(setting.value(difference, env), dtype=float)
            except UndefinedError:
                continue
            values = np.broadcast_to(-values if each.sign == r"\le" else values, (POINTS,))
            index = ", ".join(f"{name}={getattr(at, 'name', at)}" for name, at in env.items())
            found.append(Side("=" if each.sign == "=" else ">=", values, f"{notation.to_latex(each)} for {index}"))
    return found


def pyomo_rows(block: Any, points: Points) -> list[Side]:
    found = []
    for row in block.component_data_objects(pyo.Constraint, active=True, descend_into=True):
        body = points.values(row.body)
        low, high = (None if side is None else float(pyo.value(side)) for side in (row.lower, row.upper))
        if row.equality:
            found.append(Side("=", body - high, row.name))
            continue
        if low is not None:
            found.append(Side(">=", body - low, row.name))
        if high is not None:
            found.append(Side(">=", high - body, row.name))
    return found


class Points:
    """Random values of a Pyomo model's variables, within fixed bounds."""

    def __init__(self, model: Any, seed: int) -> None:
        rng = random.Random(seed)
        self._entries = list(model.component_data_objects(pyo.Var, descend_into=True))
        self._values = {
            id(v): np.full(POINTS, float(v.value if v.fixed else v.lb))
            if v.fixed or (v.lb is not None and v.lb == v.ub)
            else np.array([rng.randint(1, 97) / 8 for _ in range(POINTS)])
            for v in self._entries
        }

    def give(self, values: dict[int, np.ndarray]) -> None:
        """Values that replace those of some entries, by id."""
        self._values |= values

    def at(self, entry: Any) -> Any:
        """An entry's values; those of an expression are computed."""
        if isinstance(entry, int | float | Fraction):
            return entry
        return self._values[id(entry)] if id(entry) in self._values else self.values(entry)

    def values(self, expression: Any) -> np.ndarray:
        """An expression's values."""
        linear = generate_standard_repn(expression)
        if linear.is_linear():
            entries = zip(linear.linear_coefs, linear.linear_vars, strict=True)
            return sum((float(c) * self._values[id(v)] for c, v in entries), np.full(POINTS, float(linear.constant)))
        found = []
        for n in range(POINTS):
            if not n or self._at != n:
                self._move(n)
            found.append(float(pyo.value(expression)))
        return np.array(found)

    _at = -1

    def _move(self, n: int) -> None:
        for v in self._entries:
            v.set_value(float(self._values[id(v)][n]), skip_validation=True)
        self._at = n


def differences(printed: list[Side], built: list[Side]) -> list[str]:
    """Rows of a kind that the other side lacks; true constant rows are ignored."""
    found = []
    for kind in ("=", ">="):
        mine, theirs = ([s for s in sides if s.kind == kind and not s.constant] for sides in (printed, built))
        for here, there, what in ((mine, theirs, "printed, not built"), (theirs, mine, "built, not printed")):
            for side, distance in zip(here, _distances(here, there), strict=True):
                if not distance <= SAME * POINTS:
                    found.append(f"{what}: {side.name}")
    wrong = [any(s.constant and not s.true for s in sides) for sides in (printed, built)]
    return found + (["a row without variables is false on one side only"] if wrong[0] != wrong[1] else [])


def _distances(here: list[Side], there: list[Side]) -> np.ndarray:
    if not here or not there:
        return np.full(len(here), np.inf)
    a, b = (np.array([s.values / s.scale for s in sides]) for sides in (here, there))
    distances: np.ndarray = cKDTree(b).query(a)[0]
    return distances


# --- a whole program -------------------------------------------------------------------------------------------------


Domain = tuple[float | None, float | None, bool]  # bounds, and whether it is a whole number


def domains(statements: tuple[Statement, ...], setting: Setting) -> dict[int, Domain]:
    """Entry of the model (by id) -> its printed domain."""
    found = {}
    for each in statements:
        if each.sign == "=":
            continue  # a definition
        for env in setting.bindings(notation.indices(each), each.conditions, {}):
            indices = [setting.value(i, env) for i in each.left.arguments]
            entry = setting.entries[each.left.name](*indices)
            found[id(entry)] = _domain(each.sign, each.right, setting, env)
    return found


def _domain(sign: str, right: Any, setting: Setting, env: Env) -> Domain:
    match right:
        case Set("{"):
            return 0.0, 1.0, True
        case Set(".." | "[" as kind, (low, high)):
            ends = float(setting.value(low, env)), float(setting.value(high, env))
            return ends[0], None if ends[1] == inf else ends[1], kind == ".."
        case Set(r"\mathbb{Z}_{\ge 0}"):
            return 0.0, None, True
        case Set(r"\mathbb{R}"):
            return None, None, False
    assert sign == r"\ge", f"{sign} {right} is no domain"
    return float(setting.value(right, env)), None, False


def definitions(statements: tuple[Statement, ...], setting: Setting) -> list[str]:
    """A row's definitions of variables that differ from the symbols."""
    found = printed_rows(tuple(s for s in statements if s.sign == "="), setting)
    return [f"defined, but not so: {s.name}" for s in found if not (s.constant and s.true)]


def pyomo_domains(block: Any) -> dict[int, Domain]:
    """Entry of a block (by id) -> its domain."""
    return {id(v): _built_domain(v) for v in block.component_data_objects(pyo.Var, descend_into=True)}


def _built_domain(v: Any) -> Domain:
    return (v.value, v.value, not v.is_continuous()) if v.fixed else (v.lb, v.ub, not v.is_continuous())


def pyomo_lies(program: Program, instance: Any, setting_of: Callable[[Any, Any, Any], Setting]) -> list[str]:
    model = program.build(instance)
    points = Points(model, 0)
    setting = setting_of(program, instance, model)
    setting.at = points.at
    lies = []
    for g in program.groups:
        if f"{program.family}: {g.name}" in UNREAD:
            continue
        block, latex = model.component(g.name), g.row(program.integer)
        lies += [f"{g.name}: {lie}" for lie in _lies(program, g, latex, block, setting, points)]
    return lies


def _lies(program: Program, g: Group, latex: str, block: Any, setting: Setting, points: Points) -> list[str]:
    row = notation.read(latex)
    if g.role == "constraints":
        built = pyomo_domains(block)
        auxiliary = tuple(s for s in row.statements if is_domain(s, setting, built))
        others = tuple(s for s in row.statements if s not in auxiliary)
        lies = [] if domains(auxiliary, setting) == built else ["its own variables have other domains"]
        return lies + differences(printed_rows(others, setting), pyomo_rows(block, points))
    if g.role == "variables":
        printed, built = domains(row.statements, setting), pyomo_domains(block)
        built = {e: d for e, d in built.items() if e in printed or d[:2] != (0, 0)}  # what is always 0 is not there
        names = {id(v): v.name for v in block.component_data_objects(pyo.Var, descend_into=True)}
        wrong = [e for e in printed.keys() | built.keys() if printed.get(e) != built.get(e)]
        told = [f"{names.get(e, 'no entry')}: printed {printed.get(e)}, built {built.get(e)}" for e in wrong]
        return told + definitions(row.statements, setting)
    value, term = setting.value(row.term, {}), points.values(block.term)
    value = np.broadcast_to(np.asarray(value, dtype=float), (POINTS,))
    lies = [] if np.allclose(value, term, rtol=SAME, atol=SAME) else [f"printed {value}, built {term}"]
    return lies + ([f"{row.sense} is printed"] if row.sense and not program.sense.startswith(row.sense) else [])


def is_domain(each: Statement, setting: Setting, built: dict[int, Domain]) -> bool:
    if each.right != Number("0") or not isinstance(each.left, Symbol) or each.left.name not in setting.entries:
        return False
    found = domains((each,), setting)
    return bool(found) and found.keys() <= built.keys()


# --- CVXPY -----------------------------------------------------------------------------------------------------------


def cvxpy_lies(program: Program, instance: Any, setting_of: Callable[..., Setting]) -> list[str]:
    """False statements of a CVXPY program; domains are compared as rows."""
    parts, rng = Parts(), np.random.default_rng(0)
    rows: dict[str, list[Any]] = {}
    terms: dict[str, Any] = {}
    for g, arguments in _in_build_order(program, instance):
        before, count = set(parts.constraints), len(parts.objective)
        g.build(parts, instance, **arguments)
        rows[g.name] = [row for name in parts.constraints.keys() - before for row in parts.constraints[name]]
        terms[g.name] = sum(parts.objective[count:])
    variables = {name: v for name, v in parts.variables.items() if isinstance(v, cvxpy.Variable)}
    values = {name: rng.integers(1, 97, (POINTS, *v.shape)) / 8 for name, v in variables.items()}
    values |= {n: np.broadcast_to(v.value, (POINTS, *v.shape)) for n, v in parts.variables.items() if n not in values}
    setting = setting_of(program, instance, values)

    def at_points(value: Callable[[], Any]) -> np.ndarray:
        found = []
        for n in range(POINTS):
            for name, v in variables.items():
                v.value = values[name][n]
            found.append(np.ravel(value()))
        return np.array(found, dtype=float).T  # a row for each entry

    lies = []
    for g in program.groups:
        row = notation.read(g.row(program.integer))
        if g.role == "objective":
            printed = np.broadcast_to(np.asarray(setting.value(row.term, {}), dtype=float), (POINTS,))
            (built,) = at_points(partial(_value, terms[g.name]))
            if not np.allclose(printed, built, rtol=SAME, atol=SAME):
                lies.append(f"{g.name}: printed {printed}, built {built}")
            if row.sense and not program.sense.startswith(row.sense):
                lies.append(f"{g.name}: {row.sense} is printed")
            continue
        built_rows = [
            Side(kind, each, f"{g.name}[{n}]")
            for constraint in rows[g.name]
            for kind, rule in _cvxpy_sides(constraint)
            for n, each in enumerate(at_points(rule))
        ]
        if g.role == "variables":
            mine = (
                values[n].reshape(POINTS, -1).T
                for n, v in variables.items()
                if g.name in _OWN.get(n, (n,)) and v.is_nonneg()
            )
            built_rows += [Side(">=", each, g.name) for entries in mine for each in entries]
        statements = tuple(s for each in row.statements for s in _as_rows(each))
        lies += [f"{g.name}: {lie}" for lie in differences(printed_rows(statements, setting), built_rows)]
    return lies


def _value(expression: Any) -> Any:
    return getattr(expression, "value", expression)


_OWN = {"compute": ("allocate",), "bandwidth": ("allocate",)}  # variables that are not named after their group


def _cvxpy_sides(constraint: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    if isinstance(constraint, cvxpy.SOC):
        yield ">=", lambda: constraint.args[0].value - np.linalg.norm(constraint.args[1].value, axis=0)
    elif isinstance(constraint, cvxpy.constraints.Equality):
        yield "=", lambda: constraint.expr.value
    else:
        assert isinstance(constraint, cvxpy.constraints.Inequality)
        yield ">=", lambda: -constraint.expr.value


def _as_rows(each: Statement) -> Iterator[Statement]:
    match each:
        case Statement(left, r"\in", Set("[", (low, high)), conditions):
            yield Statement(left, r"\ge", low, conditions)
            yield Statement(left, r"\le", high, conditions)
        case Statement(_, r"\in", Set(r"\mathbb{R}")):
            return
        case _:
            yield each
