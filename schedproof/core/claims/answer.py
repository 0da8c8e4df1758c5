"""What a check answers on a case: two exact numbers and how they should stand to each other, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from math import inf
from typing import Generic, Literal, TypeVar

from schedproof.core.base.untyped import Case, Value
from schedproof.core.errors import ProgramError

C = TypeVar("C", contravariant=True)  # of what is asked of a case: what works for every instance works for this kind
Direction = Literal["at most", "at least", "equal"]


@dataclass(frozen=True)
class Finding:
    """One comparison of a check: ``measured`` should be at most, at least or equal to ``claimed``, both exact.

    Attributes
    ----------
    relative
        Whether their quotient counts, as of two costs, when findings are compared with each other.
    optimum
        That of the family's integer program on the case's instance, where it is what is compared.
    """

    measured: Fraction
    claimed: Fraction
    direction: Direction = "at most"
    where: str = ""
    relative: bool = False
    optimum: Fraction | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for number in (self.measured, self.claimed):
            if isinstance(number, float):
                raise ProgramError(f"a finding compares whole numbers and fractions, {number!r} is a double")

    @property
    def excess(self) -> Fraction:
        """By how much the statement is missed; positive exactly when it is violated."""
        gap = Fraction(self.measured) - Fraction(self.claimed)
        return {"at most": gap, "at least": -gap, "equal": abs(gap)}[self.direction]

    @property
    def tightness(self) -> Fraction | float:
        """The excess, of what is claimed where the quotient counts: 0 beside 0 says nothing of that."""
        if not self.relative:
            return self.excess
        if not self.claimed:
            return inf if self.violated else -inf
        return self.excess / abs(Fraction(self.claimed))

    @property
    def violated(self) -> bool:
        """Whether the case contradicts the statement."""
        return self.excess > 0

    def __str__(self) -> str:
        sign = {"at most": "<=", "at least": ">=", "equal": "="}[self.direction]
        met = "violated" if self.violated else "satisfied"
        return f"{self.measured} {sign} {self.claimed} ({met}{f'; {self.where}' if self.where else ''})"


@dataclass(frozen=True, eq=False)
class Premise(Generic[C]):
    """What a statement supposes of a case, in a sentence; two of them are the same only if they are one object.

    Attributes
    ----------
    met
        Whether a case meets it.
    """

    sentence: str
    met: Callable[[C], bool] = field(repr=False)


@dataclass(frozen=True)
class Outside:
    """The statement does not speak about the case: the premise that it misses."""

    premise: Premise[Case]


@dataclass(frozen=True)
class Open:
    """The check reached a limit before it could compare anything on a case that the statement speaks about.

    Attributes
    ----------
    reason
        What there was too much of.
    reached, limit
        How much of it, and from how much on the check gives up.
    """

    reason: str
    reached: int
    limit: int

    def __post_init__(self) -> None:
        if self.reached < self.limit:
            raise ValueError(f"{self.reason}: expected a limit that was reached, {self.reached} is below {self.limit}")


# of a check that compares nothing: no statement may suppose it, so that a reading which meets it is blocked
SOMETHING: Premise[Case] = Premise("there is something to compare", lambda case: False)
Answer = Finding | Outside | Open
Check = Callable[[C], Answer]


def worst(answers: Iterable[Answer]) -> Answer:
    """The finding that misses its statement by most; without any the first answer, which of nothing is `SOMETHING`."""
    every = list(answers)
    result = [answer for answer in every if isinstance(answer, Finding)]
    return max(result, key=lambda f: f.tightness) if result else next(iter(every), Outside(SOMETHING))


def violates(check: Check[C], case: C) -> bool:
    """Whether the case contradicts what a check states."""
    answer = check(case)
    return isinstance(answer, Finding) and answer.violated


def with_settings(check: Callable[..., Answer], **settings: Value) -> Check[Case]:
    """A check with some of its parameters fixed."""

    @wraps(check)
    def check_with(case: Case) -> Answer:
        return check(case, **settings)

    return check_with
