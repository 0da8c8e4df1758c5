"""What the checkers of all families share, none of it a rule: how a broken constraint is named, how many of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from schedproof.core.numbers import as_float
from schedproof.core.untyped import Json, OfFamily

LONGEST = 30  # characters of a rational that a sentence bears


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
        by = str(self.by)
        return f"{self.constraint} at {self.where} by {by if len(by) <= LONGEST else f'{as_float(self.by):.6g}'}"

    def to_json(self) -> dict[str, Json]:
        """The row that ``check --json`` prints."""
        return {"constraint": self.constraint, "where": self.where, "by": str(self.by)}


SHOWN = 100  # violations reported per constraint; more of the same kind add nothing
Rule = Callable[[OfFamily, OfFamily], Iterator[Violation]]  # of a schedule and its instance


def broken(constraint: str, where: str, by: int | Fraction = 1) -> Violation:
    """A broken constraint."""
    return Violation(constraint, where, Fraction(by))


def violations(schedule: OfFamily, instance: OfFamily, well_formed: Rule, rules: Iterable[Rule]) -> list[Violation]:
    """Every broken rule, `SHOWN` times at the most; where the rows themselves make no sense, only that."""
    found = list(islice(well_formed(schedule, instance), SHOWN))
    return found or [row for rule in rules for row in islice(rule(schedule, instance), SHOWN)]
