"""Ranges of printed statements and of printed variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schedproof.core.base.untyped import Tree
from schedproof.core.errors import ProgramError
from schedproof.core.programs.notation import Set, Statement, Symbol, to_latex
from schedproof.core.programs.notation.printing import is_index


def require_letters(letters: Iterable[Tree]) -> None:
    """Raise an error if a row or a sum ranges over a name instead of an index."""
    for letter in letters:
        if isinstance(letter, Symbol) and not letter.scripts and not is_index(letter):
            raise ProgramError(f"{to_latex(letter)} is a name, expected an index")


def ranging(s: Statement) -> Iterator[Tree]:
    """Yield the indices that a statement ranges over."""
    yield from (c.sides[0] for c in s.conditions if not c.signs or c.signs[0] == r"\in")


def ends(s: Statement) -> tuple[Tree | None, Tree | None]:
    """Return the bounds of a printed domain."""
    match s:
        case Statement(_, r"\ge", low):
            return low, None
        case Statement(_, r"\in", Set(r"\mathbb{R}")):
            return None, None
        case Statement(_, r"\in", Set("[", (low, high))):
            return low, high
    raise ProgramError(f"{to_latex(s)}: expected a continuous range: x >= a, x in [a, b], or x in R")
