"""What the checkers of all families share, none of it a rule: how a broken constraint is named, how many of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from schedproof.core.base.numbers import as_float
from schedproof.core.base.untyped import AnyFamily, Json

LONGEST, LONGEST_EXACT = 30, 4000  # digits of a rational that a sentence bears, and a file


@dataclass(frozen=True)
class Violation:
    """One broken constraint of a schedule.

    Attributes
    ----------
    constraint
        Its name in the checker.
    where
        The job, chunk, server and slot concerned, in words.
    by
        By how much it is broken, in the constraint's own unit.
    """

    constraint: str
    where: str
    by: Fraction

    def __str__(self) -> str:
        return f"{self.constraint} at {self.where} by {_text(self.by, LONGEST, 6)}"

    def to_json(self) -> dict[str, Json]:
        """The row that ``check --json`` prints."""
        return {"constraint": self.constraint, "where": self.where, "by": _text(self.by, LONGEST_EXACT, 17)}


def _text(value: Fraction, longest: int, digits: int) -> str:
    """A rational of at most so many digits above or below the line; so many significant ones of any other."""
    if max(abs(value.numerator), value.denominator) < 10**longest and len(text := str(value)) <= longest:
        return text
    return f"{as_float(value):.{digits}g}"


SHOWN = 100  # violations reported per constraint; more of the same kind add nothing
Rule = Callable[[AnyFamily, AnyFamily], Iterator[Violation]]  # of a schedule and its instance


def violation(constraint: str, where: str, by: int | Fraction = 1) -> Violation:
    """A broken constraint."""
    return Violation(constraint, where, Fraction(by))


def violations(schedule: AnyFamily, instance: AnyFamily, well_formed: Rule, rules: Iterable[Rule]) -> list[Violation]:
    """Every broken rule, `SHOWN` times at the most; where the rows themselves make no sense, only that."""
    malformed = list(islice(well_formed(schedule, instance), SHOWN))
    return malformed or [row for rule in rules for row in islice(rule(schedule, instance), SHOWN)]
