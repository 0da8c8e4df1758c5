"""Sums and products of trees, and their indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from schedproof.core.base.untyped import Tree
from schedproof.core.errors import ProgramError
from schedproof.core.programs.notation.printing import children, indices, is_index, to_latex
from schedproof.core.programs.notation.trees import Enclosed, Number, Over, Product, Quotient, Relation, Symbol, Total

ZERO, ONE = Number("0"), Number("1")


def is_plain(index: Tree) -> bool:
    """Whether an index is a letter, not an expression."""
    return is_index(index) and (not index.scripts or index.head == r"\pi")


def prime(index: Symbol, primes: str = "'") -> Symbol:
    """Return an index renamed with primes."""
    return replace(index, head=index.head + primes) if not index.scripts else index


def innermost(tree: Tree) -> Symbol | None:
    r"""Return an index's letter: i of ``\pi_i``, t of ``t + 1``, None for a constant."""
    if isinstance(tree, Symbol):
        if tree.scripts:
            return innermost(tree.arguments[0]) if tree.head == r"\pi" else None
        return tree if is_index(tree) else None
    candidates = [x for child in children(tree) if (x := innermost(child)) is not None]
    return candidates[0] if len(candidates) == 1 else None


def solve_for(shifted: Tree, index: Symbol, value: Tree) -> Tree:
    """Return the index at which a shifted index has ``value``: t - 1 for t + 1."""
    match shifted:
        case Total(terms) if (1, index) in terms:
            return Total(((1, value), *((-sign, t) for sign, t in terms if t != index)))
    raise ProgramError(f"{to_latex(shifted)} cannot be solved for {to_latex(index)}")


def overs(tree: Tree) -> Iterator[Over]:
    """Yield the sums and maxima in a tree."""
    if isinstance(tree, Over):
        yield tree
    for child in children(tree):
        yield from overs(child)


def sum_over(
    over: Iterable[Symbol],
    conditions: Iterable[Relation],
    factors: tuple[Tree, ...],
    divisors: tuple[Tree, ...],
    multiplier: Symbol | None = None,
) -> Tree:
    """Return the sum over indices of a coefficient times a multiplier.

    A condition without any of these indices becomes an Iverson bracket.
    """
    over, letters = tuple(over), {to_latex(i) for i in over}
    inside = tuple(c for c in conditions if c.signs and letters & {*indices(c), *_plain_sides(c)})
    brackets = tuple(Enclosed("[", c) for c in conditions if c.signs and c not in inside)
    top: tuple[Tree, ...] = tuple(f for f in factors if f != ONE)
    if divisors:
        top = (Quotient(r"\tfrac", product(top), product(divisors)),)
    body = product((*top, *brackets, *((multiplier,) if multiplier else ())))
    return Over(r"\sum", over, inside, body) if over else body


def _plain_sides(c: Relation) -> Mapping[str, Symbol]:
    return {to_latex(s): s for s in c.sides if isinstance(s, Symbol)}


def product(factors: tuple[Tree, ...]) -> Tree:
    flat = tuple(f for each in factors for f in (each.factors if isinstance(each, Product) else (each,)))
    return flat[0] if len(flat) == 1 else Product(flat) if flat else ONE


def total(terms: list[tuple[int, Tree]]) -> Tree:
    """Return terms with signs as one tree, positive terms first."""
    ordered = sorted(terms, key=lambda t: -t[0])
    if not ordered:
        return ZERO
    return ordered[0][1] if len(ordered) == 1 and ordered[0][0] == 1 else Total(tuple(ordered))
