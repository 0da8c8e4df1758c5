"""Compare printed and built duals with their primals by independent code.

The Lagrangian has one value, summed by rows or by columns. For a minimization, at any x and mu,

    c x - sum of mu (a x - b) over the rows = q(mu) + sum of x (c - A^T mu) over the columns.

So the printed dual is evaluated with the printed primal. The built dual is compared with Pyomo's standard form.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
from pyomo.repn.plugins.standard_form import LinearStandardFormCompiler

from schedproof.core.base.lazy import pyo
from schedproof.core.programs import notation
from schedproof.core.programs.notation import Number, Set, Statement, Total, to_latex
from schedproof.core.programs.program import Program
from tests.mathematics.checker import SAME, Points, is_domain, pyomo_domains
from tests.mathematics.evaluation import Env, Setting, UndefinedError

ZERO = Number("0")
Rows = dict[str, list[Statement]]  # by the group that prints them


# --- as it is printed ------------------------------------------------------------------------------------------------


def printed_lies(program: Program, instance: Any, setting_of: Callable[..., Setting]) -> list[str]:
    model, dual = program.build(instance), program.dual()
    setting = setting_of(program, instance, model)
    setting.at = Points(model, 0).at
    said = {g.name: notation.read(g.latex) for g in dual.groups}
    rng, sign = random.Random(1), 1 if program.sense == "minimize" else -1
    lies = [] if dual.sense.startswith(said["dual_value"].sense) else [f"{said['dual_value'].sense} is printed"]
    columns, rows = _columns_and_rows(program, model, setting)
    costs = (notation.read(g.row(False)).term for g in program.groups if g.role == "objective")
    parts = [sign * _value(setting, term) for term in costs]  # they are to add up to 0

    values: dict[tuple[str, ...], float] = {}  # of the multipliers, by name and indices
    letters: dict[str, Callable[..., float]] = {}
    for group, statements in rows.items():
        for s, m in zip(statements, said[group].statements, strict=True):
            if (m.sign == r"\in") != (s.sign == "="):
                lies.append(f"{group}: {to_latex(m.left)} has another sign")
            letters[m.left.name] = _looked_up(m.left.name, values)
            upward = s.sign == r"\ge" or (s.sign == "=" and sign == 1)
            for env in setting.bindings(notation.indices(s), s.conditions, {}):
                slack = _value(setting, Total(((1, s.left), (-1, s.right))), env)
                if np.isfinite(slack).all():
                    mu = rng.randint(1, 97) / 8
                    values[m.left.name, *(_told(setting.value(i, env)) for i in m.left.arguments)] = mu
                    parts.append((-mu if upward else mu) * slack)

    symbols = setting.symbols | {name: setting.look_up(name) for name in setting.entries}
    there = Setting(setting.ranges, symbols, letters)
    parts.append(-sign * _value(there, said["dual_value"].term))
    equations = []  # either side of which may stand on the left
    for group, statements in columns.items():
        for s, row in zip(statements, said[f"{group}_rows"].statements, strict=False):  # definitions follow
            if [*map(to_latex, row.conditions)] != [*map(to_latex, s.conditions)]:
                lies.append(f"{group}: {to_latex(row)} has other conditions")
            if (row.sign == "=") == _is_nonnegative(s):
                lies.append(f"{group}: {to_latex(row)} has another sign")
            total: Any = 0.0
            for env in setting.bindings(notation.indices(s), s.conditions, {}):
                x = _value(setting, s.left, env)
                if np.isfinite(x).all():
                    total = total + x * _value(there, Total(((1, row.left), (-1, row.right))), env)
            (equations if row.sign == "=" else parts).append(-total if row.sign == r"\ge" else total)
    scale = sum(np.abs(part) for part in (*parts, *equations))
    for signs in product((1, -1), repeat=len(equations)):
        if np.all(np.abs(sum(parts) + sum(k * e for k, e in zip(signs, equations, strict=True))) <= SAME * scale):
            return lies
    return [*lies, "by rows and by columns, the Lagrangian is not the same"]


def _columns_and_rows(program: Program, model: Any, setting: Setting) -> tuple[Rows, Rows]:
    columns, rows = Rows(), Rows()
    for g in program.groups:
        if g.role == "objective":
            continue
        for s in notation.read(g.row(integer=False)).statements:
            if g.role == "constraints" and not is_domain(s, setting, pyomo_domains(model.component(g.name))):
                rows.setdefault(g.name, []).append(s)
            elif s.sign != "=":  # a definition
                columns.setdefault(g.name, []).append(s)
                for bound in _bounds(s):
                    rows.setdefault(f"{g.name}_bounds", []).append(bound)
    return columns, rows


def _bounds(s: Statement) -> Iterator[Statement]:
    low, high = s.right.items if isinstance(s.right, Set) and s.right.kind == "[" else (s.right, None)
    if high is not None:
        yield Statement(s.left, r"\le", high, s.conditions)
    if low != ZERO and not isinstance(low, Set):
        yield Statement(s.left, r"\ge", low, s.conditions)


def _is_nonnegative(s: Statement) -> bool:
    return (s.right.items[0] if isinstance(s.right, Set) and s.right.kind == "[" else s.right) == ZERO


def _value(setting: Setting, tree: Any, env: Env | None = None) -> Any:
    try:
        return np.asarray(setting.value(tree, env or {}), dtype=float)
    except UndefinedError:
        return np.inf


def _looked_up(name: str, values: dict[tuple[str, ...], float]) -> Callable[..., float]:
    return lambda *indices: values.get((name, *map(_told, indices)), 0.0)


def _told(value: Any) -> str:
    return repr(getattr(value, "name", int(value) if getattr(value, "denominator", 0) == 1 else value))


# --- as it is built --------------------------------------------------------------------------------------------------


def built_lies(program: Program, instance: Any) -> list[str]:
    model, dual = program.build(instance), program.dual().build(instance)
    sign = 1 if program.sense == "minimize" else -1
    costs, rows = _standard(model)
    sides = [(row.name, kind, b, entries) for row, kind, b, entries in rows]
    columns = [x for x in model.component_data_objects(pyo.Var, descend_into=True) if not x.fixed]
    for x in columns:
        sides += [(f"bound:{x.name}", kind, b, [(x, 1.0)]) for kind, b in _ends(x)]
    times = Counter(name for name, *_ in sides)
    wanted = {("", x.name): sign * c for x, c in costs}  # (side, column): entries; no side for costs, no column for b
    free = {x.name for x in columns if x.lb != 0 or x.lb == x.ub}
    for name, kind, b, entries in sides:
        side, way = name + {-1: ":lower", 0: "", 1: ":upper"}[kind] * (times[name] > 1), -1 if kind == 1 else 1
        wanted |= {(side, x.name): way * a for x, a in entries} | {(side, ""): sign * way * b}
        free |= {side} if kind == 0 else set()

    its_costs, its_rows = _standard(dual)
    found = {(m.index(), row.index()): a for row, _, _, entries in its_rows for m, a in entries if m.index()}
    used = {side for side, _ in found}  # others are of rows without variables
    found |= {("", row.index()): c for row, _, c, _ in its_rows if row.index()}
    found |= {(m.index(), ""): b for m, b in its_costs if m.index() in used}
    parts = [(row, kind == 0, "_rows") for row, kind, *_ in its_rows if row.index()]
    parts += [(m, m.lb is None, "_bounds") for *_, entries in its_rows for m, _ in entries if m.index()]
    wrong = [f"{part.name} has another sign" for part, equal, _ in parts if equal != (part.index() in free)]
    for part, _, ending in parts:
        home, _, name = part.index().removeprefix("bound:").partition(".")
        if part.name.partition(".")[0] != home + ending * (ending == "_rows" or part.index() != f"{home}.{name}"):
            wrong.append(f"{part.name} stands in another group")
    return wrong + [
        f"{key}: expected {wanted.get(key, 0.0)}, built {found.get(key, 0.0)}"
        for key in wanted.keys() | found.keys()
        if abs(wanted.get(key, 0.0) - found.get(key, 0.0)) > SAME * max(1.0, abs(wanted.get(key, 0.0)))
    ]


def _standard(model: Any) -> tuple[list[Any], list[Any]]:
    form = LinearStandardFormCompiler().write(model, mixed_form=True, set_sense=None)

    def line(matrix: Any, n: int) -> list[Any]:
        part = slice(*matrix.indptr[n : n + 2])
        return [(form.columns[k], a) for k, a in zip(matrix.indices[part], matrix.data[part], strict=True)]

    matrix = form.A.tocsr()
    rows = [
        (r.constraint, r.bound_type, b, line(matrix, n))
        for n, (r, b) in enumerate(zip(form.rows, form.rhs, strict=True))
    ]
    return line(form.c.tocsr(), 0), rows


def _ends(x: Any) -> Iterator[tuple[int, float]]:
    if x.lb is not None and x.lb == x.ub:
        yield 0, x.lb
        return
    if x.lb not in (None, 0):
        yield -1, x.lb
    if x.ub is not None:
        yield 1, x.ub
