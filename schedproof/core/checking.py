"""What the checkers of all families share, none of it a rule: how a broken constraint is told, how many of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from schedproof.core.run import Violation

SHOWN = 100  # violations reported per constraint; more of the same kind add nothing
Rule = Callable[[Any, Any], Iterator[Violation]]  # of a schedule and its instance


def broken(constraint: str, where: str, by: int | Fraction = 1) -> Violation:
    """A broken constraint."""
    return Violation(constraint, where, Fraction(by))


def violations(schedule: Any, instance: Any, well_formed: Rule, rules: Iterable[Rule]) -> list[Violation]:
    """Every broken rule, `SHOWN` times at the most; where the rows themselves make no sense, only that."""
    found = list(islice(well_formed(schedule, instance), SHOWN))
    return found or [row for rule in rules for row in islice(rule(schedule, instance), SHOWN)]
