"""The answer of a check on a case: an exact comparison, or the reason for none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from math import inf
from numbers import Rational
from typing import Generic, Literal, TypeVar

from schedproof.core.base.numbers import as_fraction
from schedproof.core.base.untyped import Case, Value
from schedproof.core.errors import ProgramError

C = TypeVar("C", contravariant=True)  # the case type of a check: a check of all instances also checks this kind
Direction = Literal["at most", "at least", "equal"]


@dataclass(frozen=True)
class Finding:
    """An exact comparison: ``measured`` at most, at least or equal to ``claimed``.

    Attributes
    ----------
    relative
        Whether findings are ranked by the quotient of the two numbers, as for costs, instead of by their difference.
    optimum
        The integer optimum on the case's instance, if the comparison uses it.
    per
        Divisor of the printed numbers; none if it is missing or 0.
    """

    measured: Fraction
    claimed: Fraction
    direction: Direction = "at most"
    where: str = ""
    relative: bool = False
    optimum: Fraction | None = field(default=None, repr=False)
    per: Fraction | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name, number in (("measured", self.measured), ("claimed", self.claimed)):
            if not isinstance(number, Rational):
                kind = type(number).__name__
                raise ProgramError(f"expected an int or a Fraction in a finding, found the {kind} {number!r}")
            object.__setattr__(self, name, as_fraction(number))

    @property
    def excess(self) -> Fraction:
        """The violation of the statement; positive exactly if it is violated."""
        gap = self.measured - self.claimed
        return {"at most": gap, "at least": -gap, "equal": abs(gap)}[self.direction]

    @property
    def tightness(self) -> Fraction | float:
        """The excess, relative to ``claimed`` if `relative`."""
        if not self.relative:
            return self.excess
        if not self.claimed:  # 0 <= 0 has no quotient
            return inf if self.violated else -inf
        return self.excess / abs(self.claimed)

    @property
    def violated(self) -> bool:
        """Whether the case contradicts the statement."""
        return self.excess > 0

    def __str__(self) -> str:
        sign = {"at most": "<=", "at least": ">=", "equal": "="}[self.direction]
        met = "violated" if self.violated else "satisfied"
        measured, claimed = (side / (self.per or 1) for side in (self.measured, self.claimed))
        return f"{measured} {sign} {claimed} ({met}{f'; {self.where}' if self.where else ''})"


@dataclass(frozen=True, eq=False)
class Premise(Generic[C]):
    """A premise of a statement; two premises are equal only if they are one object.

    Attributes
    ----------
    met
        Whether a case satisfies it.
    """

    sentence: str
    met: Callable[[C], bool] = field(repr=False)


@dataclass(frozen=True)
class Outside:
    """The statement does not apply to the case, which violates this premise."""

    premise: Premise[Case]


@dataclass(frozen=True)
class Open:
    """The check reached a limit before it could answer.

    Attributes
    ----------
    reason
        The limited quantity.
    reached, limit
        The amount of the limited quantity, and the amount at which the check stops.
    """

    reason: str
    reached: int
    limit: int

    def __post_init__(self) -> None:
        if self.reached < self.limit:
            raise ValueError(f"{self.reason}: expected reached >= limit, got {self.reached} < {self.limit}")


# the premise missed by a check without a comparison: no statement may have it, so it blocks the reading
SOMETHING: Premise[Case] = Premise("there is something to compare", lambda case: False)
Answer = Finding | Outside | Open
Check = Callable[[C], Answer]


def worst(answers: Iterable[Answer]) -> Answer:
    """Return the finding with the largest violation, else the first answer.

    For no answers, return `Outside` with the premise `SOMETHING`.
    """
    every = list(answers)
    result = [answer for answer in every if isinstance(answer, Finding)]
    return max(result, key=lambda f: f.tightness) if result else next(iter(every), Outside(SOMETHING))


def violates(check: Check[C], case: C) -> bool:
    """Whether the case contradicts a check."""
    answer = check(case)
    return isinstance(answer, Finding) and answer.violated


def with_settings(check: Callable[..., Answer], **settings: Value) -> Check[Case]:
    """Return a check with some parameters fixed."""

    @wraps(check)
    def check_with(case: Case) -> Answer:
        return check(case, **settings)

    return check_with
