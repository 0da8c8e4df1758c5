"""The paper's letters in an instance, and the values of printed expressions.

A `Setting` defines each letter, and each variable's entry of the model.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

import numpy as np

from schedproof.core.programs import notation
from schedproof.core.programs.notation import (
    Enclosed,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Relation,
    Symbol,
    Total,
)

COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    r"\le": operator.le,
    r"\ge": operator.ge,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    r"\ne": operator.ne,
    r"\in": lambda a, b: a in b,
    r"\notin": lambda a, b: a not in b,
}
Env = dict[str, Any]


class UndefinedError(Exception):
    """An entry of the model that does not exist, or an undefined number."""


@dataclass
class Setting:
    """An instance in the paper's letters.

    Attributes
    ----------
    ranges
        Index letter -> its values, given those of the indices before it; outer indices first.
    symbols
        Name of a symbol (with its labels) -> its value, or a function of its indices.
    entries
        Name of a variable -> function of its indices: its entry in the model, or None.
    at
        Entry of a model -> its values at the random points.
    """

    ranges: dict[str, Callable[[Env], Any]]
    symbols: dict[str, Any]
    entries: dict[str, Callable[..., Any]] = field(default_factory=dict)
    at: Callable[[Any], Any] = lambda entry: entry

    def look_up(self, name: str) -> Any:
        """A symbol's value or function; a variable's function gives its values."""
        if name in self.entries:
            return lambda *indices: self._values(name, *indices)
        if name not in self.symbols:
            raise LookupError(f"no symbol '{name}' is known")
        return self.symbols[name]

    def _values(self, name: str, *indices: Any) -> Any:
        if (entry := self.entries[name](*indices)) is None:
            raise UndefinedError
        return self.at(entry)

    def bindings(self, letters: Mapping[str, Any], conditions: tuple[Relation, ...], env: Env) -> Iterator[Env]:
        """All values of some indices that satisfy the conditions."""
        unknown = letters.keys() - self.ranges.keys()
        if unknown:
            raise LookupError(f"no range of the indices {sorted(unknown)} is known")
        free = [name for name in self.ranges if name in letters]

        def extend(n: int, env: Env) -> Iterator[Env]:
            if n == len(free):
                if all(self.holds(c, env) for c in conditions if c.signs):
                    yield env
                return
            for each in self.ranges[free[n]](env):
                yield from extend(n + 1, {**env, free[n]: each})

        return extend(0, env)

    def holds(self, relation: Relation, env: Env) -> bool:
        """Whether a condition holds."""
        try:
            sides = [self.value(side, env) for side in relation.sides]
        except UndefinedError:
            return False
        pairs = zip(relation.signs, pairwise(sides), strict=True)
        return all(bool(np.all(COMPARE[sign](a, b))) for sign, (a, b) in pairs)

    def value(self, tree: Any, env: Env) -> Any:
        """The value of an expression: a number, or an array of one for each point."""
        match tree:
            case Number(text):
                return Fraction(text)
            case Symbol():
                return self._symbol(tree, env)
            case Total(terms):
                return _sum(sign * self.value(term, env) for sign, term in terms)
            case Product(factors):
                product: Any = Fraction(1)
                for factor in factors:
                    product = _times(product, self.value(factor, env))
                return product
            case Quotient(_, top, bottom):
                return _divided(self.value(top, env), self.value(bottom, env))
            case Power(base, exponent):
                return self.value(base, env) ** int(exponent)
            case Enclosed("[", relation):
                return int(self.holds(relation, env))
            case Enclosed(kind, body):
                rules: dict[str, Callable[[Any], Any]] = {
                    r"\lceil": ceil,
                    r"\lfloor": floor,
                    r"\lvert": abs,
                    r"\sqrt": _root,
                }
                return rules[kind](self.value(body, env))
            case Over(kind, indices, conditions, body):
                letters = {notation.to_latex(i): i for i in indices}
                added = list(self._terms(body, self.bindings(letters, conditions, env)))
                return _sum(added) if kind == r"\sum" else np.max(np.broadcast_arrays(*added), axis=0)
        raise LookupError(f"'{tree}' has no value")

    def _terms(self, body: Any, bindings: Iterator[Env]) -> Iterator[Any]:
        for env in bindings:
            try:
                yield self.value(body, env)
            except UndefinedError:
                continue

    def _symbol(self, tree: Symbol, env: Env) -> Any:
        text = notation.to_latex(tree)
        if text in env:
            return env[text]
        inner = [env[tree.head]] if tree.head in env else []
        found = self.look_up(tree.name)
        if callable(found):
            return found(*inner, *(self.value(each, env) for each in tree.arguments))
        assert not tree.arguments, f"{text} has no indices"
        return found


def _root(x: Any) -> Any:
    return np.sqrt(x) if isinstance(x, np.ndarray) else float(x) ** 0.5


def _sum(terms: Any) -> Any:
    total: Any = Fraction(0)
    for term in terms:
        total = (
            float(total) + term
            if isinstance(term, np.ndarray) and isinstance(total, Fraction)
            else total + _plain(term, total)
        )
    return total


def _plain(term: Any, beside: Any) -> Any:
    return float(term) if isinstance(term, Fraction) and isinstance(beside, np.ndarray) else term


def _times(a: Any, b: Any) -> Any:
    return _plain(a, b) * _plain(b, a)


def _divided(a: Any, b: Any) -> Any:
    if isinstance(b, int | float | Fraction):
        if not b:
            raise UndefinedError
        b = b if isinstance(b, float) else Fraction(b)
    return _plain(a, b) / _plain(b, a)
