"""What a printed statement ranges over, and between which ends a printed variable lies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schedproof.core.base.untyped import Tree
from schedproof.core.errors import ProgramError
from schedproof.core.programs.notation import Set, Statement, Symbol, to_latex
from schedproof.core.programs.notation.printing import is_index


def require_letters(letters: Iterable[Tree]) -> None:
    """Refuse a row for all of something, or a sum over it, whose letter is read as a name: the sum would be lost."""
    for letter in letters:
        if isinstance(letter, Symbol) and not letter.scripts and not is_index(letter):
            raise ProgramError(f"{to_latex(letter)} is a name, and no index")


def ranging(s: Statement) -> Iterator[Tree]:
    """What a statement is for all of."""
    yield from (c.sides[0] for c in s.conditions if not c.signs or c.signs[0] == r"\in")


def ends(s: Statement) -> tuple[Tree | None, Tree | None]:
    """The bounds of a printed domain."""
    match s:
        case Statement(_, r"\ge", low):
            return low, None
        case Statement(_, r"\in", Set(r"\mathbb{R}")):
            return None, None
        case Statement(_, r"\in", Set("[", (low, high))):
            return low, high
    raise ProgramError(f"{to_latex(s)} is no range of a continuous variable")
