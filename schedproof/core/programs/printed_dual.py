"""The dual in the paper's notation, derived from the parsed LaTeX of the rows.

The dual row of a variable sums the variable's coefficients in each row over the row's free indices, under the row's
conditions. So the dual uses the paper's letters. The multiplier of a row that does not exist is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from schedproof.core.base.untyped import Tree
from schedproof.core.errors import ProgramError
from schedproof.core.programs.group import Group
from schedproof.core.programs.notation import (
    Label,
    Number,
    Over,
    Product,
    Quotient,
    Relation,
    Script,
    Statement,
    Symbol,
    Total,
    children,
    indices,
    read,
    substitute,
    symbol,
    to_latex,
)
from schedproof.core.programs.notation.algebra import (
    ONE,
    ZERO,
    innermost,
    is_plain,
    overs,
    prime,
    solve_for,
    sum_over,
    total,
)
from schedproof.core.programs.notation.ranges import ends, ranging, require_letters

Key = tuple[str, int]  # a symbol's name and its number of indices


class NonlinearError(ProgramError):
    """A group with products of variables."""

    def __init__(self, group: str) -> None:
        super().__init__(
            f"the group '{group}' is not linear, but only linear programs have a dual here; drop or replace it"
        )


class Term(NamedTuple):
    """A summand: its sums, its coefficient, and its variable (or None)."""

    sign: int
    overs: tuple[Over, ...]  # sums and maxima from the outermost to the innermost, without bodies
    factors: tuple[Tree, ...]
    divisors: tuple[Tree, ...]
    variable: Symbol | None


@dataclass(frozen=True)
class Column:
    """Printed variables: symbol with indices, conditions, sign and group."""

    symbol: Symbol
    conditions: tuple[Relation, ...]
    nonnegative: bool
    group: str


@dataclass(frozen=True)
class Line:
    """Printed rows or bounds with their multiplier; terms are left minus right."""

    multiplier: Symbol
    statement: Statement
    terms: tuple[Term, ...]
    indices: tuple[Symbol, ...]
    group: str
    bound: bool


@dataclass
class PrintedDual:
    """A dual's rows: objective, rows by group of variables, multipliers by group.

    The rows are the dual if the ``functions`` of variables are linear; a function f occurs as its slope f(1).
    """

    objective: str
    rows: dict[str, str] = field(default_factory=dict)
    multipliers: dict[str, str] = field(default_factory=dict)
    bounds: dict[str, str] = field(default_factory=dict)
    functions: tuple[str, ...] = ()


def printed_dual(groups: Iterable[Group], sense: str) -> PrintedDual:
    """Return the dual of a relaxed program's groups.

    Raises
    ------
    NonlinearError
        For a nonlinear group.
    ProgramError
        For a group that is not algebraic.
    """
    return _Transposer(list(groups), sense).dual()


class _Transposer:
    def __init__(self, groups: list[Group], sense: str) -> None:
        self.least = sense == "minimize"
        self.rows = {g.name: read(g.row(integer=False)) for g in groups}
        self.groups = groups
        statements = [(g, s) for g in groups if g.role == "variables" for s in self.rows[g.name].statements]
        domains = [(g, s) for g, s in statements if s.sign != "="]
        self.variables = {_key(s.left) for _, s in domains}
        self.definitions = {
            _key(s.left): s for _, s in statements if s.sign == "=" and _key(s.left) not in self.variables
        }
        own = [(g, s) for g in groups if g.role == "constraints" for s in self.rows[g.name].statements]
        own = [(g, s) for g, s in own if self._declares(s)]  # variables declared in a group of constraints
        self.variables |= {_key(s.left) for _, s in own}
        domains += own
        self.columns: list[Column] = []
        self.lines: list[Line] = []
        self.labels: set[str] = set()
        self.functions: set[str] = set()
        for g, s in domains:
            self._column(g, s)
        for g in groups:
            if g.role == "constraints":
                for s in self.rows[g.name].statements:
                    if (g, s) not in own:
                        self._line(g, s)
        self.costs = [t for g in groups if g.role == "objective" for t in self._cost(g.name)]

    # --- the primal -----------------------------------------------------------------------------------------------

    def _declares(self, s: Statement) -> bool:
        return s.sign == r"\ge" and s.right == ZERO and isinstance(s.left, Symbol) and not self._varies(s.left)

    def _column(self, g: Group, s: Statement) -> None:
        require_letters(ranging(s))
        if not all(is_plain(i) for i in s.left.arguments):
            raise ProgramError(f"the indices of {to_latex(s.left)} are not letters")
        low, high = ends(s)
        if high is not None:
            self._line(g, Statement(s.left, r"\le", high, s.conditions))
        if low not in (None, ZERO):
            self._line(g, Statement(s.left, r"\ge", low, s.conditions))
        self.columns.append(Column(s.left, s.conditions, low == ZERO, g.name))

    def _line(self, g: Group, s: Statement) -> None:
        require_letters(ranging(s))
        if s.sign not in (r"\le", r"\ge", "="):
            raise ProgramError(f"{to_latex(s)} is neither an inequality nor an equation")
        bound, free = g.role == "variables", tuple(indices(s).values())
        terms = tuple(_cancel(self._terms(Total(((1, s.left), (-1, s.right))), g.name)))
        multiplier = symbol(g.multiplier) if g.multiplier and not bound else self._multiplier(g.source, free)
        if {to_latex(i) for i in free} != {to_latex(i) for i in indices(multiplier).values()}:
            raise ProgramError(f"the multiplier {to_latex(multiplier)} of '{g.name}' lacks the indices of its row")
        self.lines.append(Line(multiplier, s, terms, free, g.name + "_bounds" * bound, bound))

    def _multiplier(self, source: str, free: tuple[Symbol, ...]) -> Symbol:
        number = re.search(r"\(([\w-]+)\)", source)
        label = number[1] if number else re.sub(r"[^\w-]", "", source)
        label = next(x for n in count(1) if (x := label + f".{n}" * (n > 1)) not in self.labels)
        self.labels.add(label)
        scripts = [Script("^", "", (Label(rf"\mathrm{{{label}}}"),))]
        if free:
            scripts.append(Script("_", "," if any(i.scripts for i in free) else "", free))
        return Symbol(r"\mu", tuple(scripts))

    def _cost(self, name: str) -> Iterator[Term]:
        if self.rows[name].term is None:
            raise ProgramError(f"the row of '{name}' is not an objective")
        return self._terms(self.rows[name].term, name)

    def _terms(self, tree: Tree, home: str) -> Iterator[Term]:
        match tree:
            case Symbol():
                if _key(tree) in self.definitions:
                    yield from self._terms(self._definition(tree), home)
                elif _key(tree) in self.variables:
                    yield Term(1, (), (), (), tree)
                elif self._varies(tree):  # a function; if it is linear, f(z) = f(1) z
                    *scripts, last = tree.scripts
                    if last.mark != "(" or len(last.items) != 1:
                        raise ProgramError(f"'{home}': expected functions of one variable")
                    self.functions.add(tree.head)
                    slope = Symbol(tree.head, (*scripts, Script("(", "", (ONE,))))
                    yield from (t._replace(factors=(slope, *t.factors)) for t in self._terms(last.items[0], home))
                else:
                    yield Term(1, (), (tree,), (), None)
            case Number("0"):
                return
            case _ if not self._varies(tree):
                yield Term(1, (), (tree,), (), None)
            case Total(terms):
                for sign, part in terms:
                    yield from (t._replace(sign=sign * t.sign) for t in self._terms(part, home))
            case Product(factors):
                varying = [f for f in factors if self._varies(f)]
                if len(varying) > 1:
                    raise NonlinearError(home)
                others = tuple(f for f in factors if f is not varying[0])
                for t in self._terms(varying[0], home):
                    yield t._replace(factors=others + t.factors)
            case Quotient(_, top, bottom) if not self._varies(bottom):
                yield from (t._replace(divisors=(bottom, *t.divisors)) for t in self._terms(top, home))
            case Over(r"\sum", letters, _, body):
                require_letters(letters)
                yield from (t._replace(overs=(tree, *t.overs)) for t in self._terms(body, home))
            case _:
                raise NonlinearError(home)

    def _varies(self, tree: Tree) -> bool:
        if isinstance(tree, Symbol) and _key(tree) in self.variables:
            return True
        if isinstance(tree, Symbol) and _key(tree) in self.definitions:
            return self._varies(self.definitions[_key(tree)].right)
        return any(map(self._varies, children(tree)))

    def _definition(self, tree: Symbol) -> Tree:
        definition = self.definitions[_key(tree)]
        inner = {to_latex(i): prime(i) for over in overs(definition.right) for i in over.indices}
        outer = {to_latex(a): b for a, b in zip(definition.left.arguments, tree.arguments, strict=True)}
        return substitute(definition.right, inner | outer)

    # --- the dual -------------------------------------------------------------------------------------------------

    def dual(self) -> PrintedDual:
        dual = PrintedDual(self._objective(), functions=tuple(sorted(self.functions)))
        for column in self.columns:
            row = to_latex(self._row(column))
            dual.rows[column.group] = _append(dual.rows.get(column.group), row)
        for g in self.groups:
            for s in self.rows[g.name].statements if g.name in dual.rows else ():
                if s.sign == "=" and _key(s.left) in self.definitions and not self._varies(s.right):
                    dual.rows[g.name] += rf"; \; {to_latex(s)}"
        for line in self.lines:
            domain = r"\in \mathbb{R}" if line.statement.sign == "=" else r"\ge 0"
            forall = _forall(line.statement.conditions)
            home = dual.bounds if line.bound else dual.multipliers
            home[line.group] = _append(home.get(line.group), f"{to_latex(line.multiplier)} {domain}{forall}")
        dual.rows = {name: _in_text_style(row) for name, row in dual.rows.items()}
        return dual

    def _direction(self, line: Line) -> int:
        return 1 if line.statement.sign == "=" or (line.statement.sign == r"\ge") == self.least else -1

    def _objective(self) -> str:
        terms: list[tuple[int, Tree]] = []
        for line in self.lines:
            for t in line.terms:
                if t.variable is None:
                    over = [i for o in t.overs for i in o.indices]
                    conditions = [c for o in t.overs for c in o.conditions]
                    if any(indices(f) for f in (*t.factors, *t.divisors)):  # undefined outside the conditions
                        conditions = [*line.statement.conditions, *conditions]
                    body = sum_over((*line.indices, *over), conditions, t.factors, t.divisors, line.multiplier)
                    terms.append((-self._direction(line) * t.sign, body))
        for t in self.costs:
            if t.variable is None:
                over = [i for o in t.overs for i in o.indices]
                terms.append(
                    (t.sign, sum_over(over, [c for o in t.overs for c in o.conditions], t.factors, t.divisors))
                )
        kept: list[tuple[int, Tree]] = []
        for sign, tree in terms:
            if (-sign, tree) in kept:
                kept.remove((-sign, tree))
            else:
                kept.append((sign, tree))
        return _in_text_style(rf"\{'max' if self.least else 'min'} {to_latex(total(kept))}")

    def _row(self, column: Column) -> Statement:
        terms = [
            (self._direction(line) * t.sign, self._entry(column, t, line))
            for line in self.lines
            for t in line.terms
            if t.variable is not None and _key(t.variable) == _key(column.symbol) and self._owns(line, column)
        ]
        costs = [
            (t.sign, self._entry(column, t, None))
            for t in self.costs
            if t.variable is not None and _key(t.variable) == _key(column.symbol)
        ]
        least = self.least
        if all(sign < 0 for sign, _ in terms):
            terms, costs, least = [(1, t) for _, t in terms], [(-sign, t) for sign, t in costs], not least
        sign = "=" if not column.nonnegative else r"\le" if least else r"\ge"
        return Statement(total(terms), sign, total(costs), column.conditions)

    def _owns(self, line: Line, column: Column) -> bool:
        return not line.bound or line.statement.conditions == column.conditions

    def _entry(self, column: Column, term: Term, line: Line | None) -> Tree:
        assert term.variable is not None
        free = list(line.indices) if line else []
        bound = [i for o in term.overs for i in o.indices]
        conditions = [c for o in term.overs for c in o.conditions]
        apart = {to_latex(i): prime(i, "''''") for i in (*free, *bound) if not i.scripts}
        known: dict[str, Tree] = {}  # index of the row, renamed -> expression in the column's letters
        fixed: list[Relation] = []
        for a, i in zip(term.variable.arguments, column.symbol.arguments, strict=True):
            a = substitute(a, apart)
            inner = innermost(a)
            if inner is None or to_latex(inner) in known:
                fixed.append(Relation((i, substitute(a, known)), ("=",)))
            elif isinstance(a, Symbol):
                known[to_latex(inner)] = innermost(i) or i
            else:
                known[to_latex(inner)] = solve_for(a, inner, i)
        mine = {to_latex(x) for x in indices(column.symbol).values()}
        given = dict.fromkeys(text.rstrip("'") for text in known)
        unbound = [x for x in (*free, *bound) if not x.scripts and to_latex(apart[to_latex(x)]) not in known]
        spare = [x for x in given if x not in mine]
        names = dict(known)
        for x in unbound:
            base = x.head.rstrip("'")
            if base in mine:
                base = spare.pop() if spare else base + "'"
            while base in mine:
                base += "'"
            mine.add(base)
            names[to_latex(apart[to_latex(x)])] = Symbol(base)

        def move(tree: Tree) -> Tree:
            return substitute(substitute(tree, apart), names)

        arguments = {to_latex(a) for a in term.variable.arguments}
        remaining = [move(x) for x in (*free, *bound) if x in unbound or (x.scripts and to_latex(x) not in arguments)]
        letters = {to_latex(x) for x in remaining}
        implied = {to_latex(c) for c in column.conditions}
        wanted = [move(c) for c in conditions]
        wanted = [*fixed, *(c for c in wanted if to_latex(c) not in implied)]
        rows = [move(c) for c in line.statement.conditions] if line else []
        wanted += [c for c in rows if letters & indices(c).keys() and c not in wanted]
        factors = tuple(map(move, term.factors))
        divisors = tuple(map(move, term.divisors))
        multiplier = move(line.multiplier) if line else None
        return sum_over(remaining, wanted, factors, divisors, multiplier)


# --- pieces ----------------------------------------------------------------------------------------------------------


def _key(tree: Tree) -> Key:
    if not isinstance(tree, Symbol):
        raise ProgramError(f"{to_latex(tree)} is not a variable")
    return tree.name, len(tree.arguments)


def _cancel(terms: Iterable[Term]) -> list[Term]:
    kept: list[Term] = []
    for t in terms:
        twin = next((k for k in kept if t.variable is None and k == t._replace(sign=-t.sign)), None)
        if twin is None:
            kept.append(t)
        else:
            kept.remove(twin)
    return kept


def _forall(conditions: tuple[Relation, ...]) -> str:
    return r" \quad \forall " * bool(conditions) + ", ".join(map(to_latex, conditions))


def _append(before: str | None, row: str) -> str:
    return row if before is None else rf"{before}; \; {row}"


def _in_text_style(row: str) -> str:
    return row.replace(r"\sum", r"\textstyle\sum", 1)
