"""Reports of violated constraints, for the checkers of all families."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from schedproof.core.base.numbers import as_float, as_fraction
from schedproof.core.base.untyped import AnyFamily, Json

LONGEST, LONGEST_EXACT = 30, 4000  # digits of a rational in a message and in a file


@dataclass(frozen=True)
class Violation:
    """One violated constraint of a schedule.

    Attributes
    ----------
    constraint
        The constraint's name in the checker.
    where
        The job, chunk, worker, server and slot.
    by
        Amount of the violation, in the constraint's unit.
    """

    constraint: str
    where: str
    by: Fraction

    def __str__(self) -> str:
        return f"{self.constraint} at {self.where} by {_text(self.by, LONGEST, 6)}"

    def to_json(self) -> dict[str, Json]:
        """Return the row of ``check --json``."""
        return {"constraint": self.constraint, "where": self.where, "by": _text(self.by, LONGEST_EXACT, 17)}


def _text(value: Fraction, longest: int, digits: int) -> str:
    if max(abs(value.numerator), value.denominator) < 10**longest and len(text := str(value)) <= longest:
        return text
    return f"{as_float(value):.{digits}g}"


SHOWN = 100  # violations reported per constraint; more of the same kind add nothing
Rule = Callable[[AnyFamily, AnyFamily], Iterator[Violation]]  # takes a schedule and its instance


def violation(constraint: str, where: str, by: int | Fraction = 1) -> Violation:
    """Return a violation of a constraint."""
    return Violation(constraint, where, as_fraction(by))


def violations(schedule: AnyFamily, instance: AnyFamily, well_formed: Rule, rules: Iterable[Rule]) -> list[Violation]:
    """Return at most `SHOWN` violations per rule, or a malformed schedule's faults."""
    malformed = list(islice(well_formed(schedule, instance), SHOWN))
    return malformed or [row for rule in rules for row in islice(rule(schedule, instance), SHOWN)]
