"""Sums of terms by index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Value


def sums(terms: Iterable[tuple[Hashable, Value]]) -> defaultdict[Hashable, Value]:
    """Return the sum of the terms of each index; an index without terms has the sum 0.

    Parameters
    ----------
    terms
        Pairs of an index and a term: a number or an expression of a program.

    Examples
    --------
    >>> import schedproof as sp
    >>> held = sp.sums((n % 2, n) for n in (1, 2, 5))
    >>> held[1], held[0], held[7]
    (6, 2, 0)
    """
    found: dict[Hashable, list[Value]] = {}
    for index, term in terms:
        found.setdefault(index, []).append(term)
    return defaultdict(int, {index: pyo.quicksum(those) for index, those in found.items()})
