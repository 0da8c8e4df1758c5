"""Repair of a constant: from the worst case at each value of a parameter to the smallest simple expression above it.

An inequality that fails has a right-hand side that is too small. Along a parameter (slots, jobs, a speed) the worst
that was found is a curve; an expression of few terms with small coefficients that is nowhere below it is a candidate
for a true right-hand side. It is fitted to the first values of the parameter and counts only if it is not below the
last ones either, all of it compared exactly. A candidate that meets every value it was tried on is no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import ceil, isqrt, sqrt
from typing import NamedTuple, TypeVar

import numpy as np

from schedproof.core.base.radicals import sign
from schedproof.core.claims.claim import Answer, Finding
from schedproof.core.errors import InputError

C = TypeVar("C", bound=Hashable)
Point = tuple[Fraction, Fraction]  # a parameter's value, and the worst that is known there
Curve = Sequence[Point]
CHECKED = 1 / 4  # of the curve: the last values, to which nothing is fitted
LARGEST, FINEST = 6, 10  # of a coefficient's numerator and denominator
TERMS = 2  # at most
FINE = 1 << 40  # of a rational beside a value that is none


class Term(NamedTuple):
    """A function of the parameter by its square, which is rational: ``sqrt(T)`` by T."""

    name: str
    square: Callable[[Fraction], Fraction]


USUAL = (
    Term("1", lambda x: Fraction(1)),
    Term("T", lambda x: x**2),
    Term("sqrt(T)", lambda x: x),
    Term("1/T", lambda x: 1 / x**2),
    Term("1/sqrt(T)", lambda x: 1 / x),
)
COEFFICIENTS = sorted({Fraction(p, q) for p in range(-LARGEST, LARGEST + 1) for q in range(1, FINEST + 1)} - {0})


@dataclass(frozen=True)
class Candidate:
    """An expression that is nowhere below a curve.

    Attributes
    ----------
    coefficients
        Of the terms, none of them 0.
    excess
        By how much it is above the curve, at most, as a share of the curve.
    """

    terms: tuple[Term, ...]
    coefficients: tuple[Fraction, ...]
    excess: float

    @property
    def complexity(self) -> int:
        """How much there is to write: numerators and denominators, and one for each term."""
        return sum(1 + abs(c.numerator) + c.denominator for c in self.coefficients)

    def upper(self, x: Fraction) -> Fraction:
        """A rational that is at least its value, by less than 10^-11 for each term of moderate size."""
        total = Fraction(0)
        for c, term in zip(self.coefficients, self.terms, strict=True):
            square = c**2 * term.square(x) * FINE**2
            root = isqrt(square.numerator // square.denominator)
            total += root + (root**2 < square) if c > 0 else -root
        return total / FINE

    def above(self, x: Fraction, value: Fraction) -> bool:
        """Whether it is at least a value, exactly."""
        sides = zip(self.coefficients, (term.square(x) for term in self.terms), strict=True)
        return sign([*sides, (-value, Fraction(1))]) >= 0

    def __str__(self) -> str:
        words = " ".join(_word(c, term.name) for c, term in zip(self.coefficients, self.terms, strict=True))
        return words.removeprefix("+ ") if words.startswith("+") else words.replace("- ", "-", 1)


def _word(c: Fraction, name: str) -> str:
    size = "" if abs(c) == 1 and name != "1" else str(abs(c)) if name == "1" else f"{abs(c)} "
    return f"{'+' if c > 0 else '-'} {size}{'' if name == '1' else name}"


def worst_curve(check: Callable[[C], Answer], cases: Iterable[C], parameter: Callable[[C], Fraction | int]) -> Curve:
    """The largest factor by which any of some cases misses what a check claims, at each value of a parameter.

    What the check does not speak about is left out, and so are values that are not positive.
    """
    result: dict[Fraction, Fraction] = {}
    for case in cases:
        keep(result, point(check, case, parameter))
    return sorted(result.items())


def point(check: Callable[[C], Answer], case: C, parameter: Callable[[C], Fraction | int]) -> Point | None:
    """The parameter's value and the factor by which a case misses what is claimed; None unless both are positive."""
    answer = check(case)
    if not isinstance(answer, Finding) or answer.direction == "equal":
        return None
    small, large = Fraction(answer.claimed), Fraction(answer.measured)
    small, large = (large, small) if answer.direction == "at least" else (small, large)
    x = Fraction(parameter(case)) if small > 0 and large > 0 else Fraction(0)
    return (x, large / small) if x > 0 else None


def keep(known: dict[Fraction, Fraction], found: Point | None) -> None:
    """Take a point where its factor is the worst that is known at its value."""
    if found is not None:
        known[found[0]] = max(known.get(*found), found[1])


def above(curve: Curve, terms: Sequence[Term] = USUAL) -> list[Candidate]:
    """The candidates: each is nearer to the curve than all that are simpler, or as simple.

    Raises
    ------
    InputError
        For a curve of fewer than four values, or one that is not positive.
    """
    if len(curve) < 4 or any(x <= 0 or value <= 0 for x, value in curve):
        raise InputError("expected a curve of at least four values, all of them positive")
    result = sorted(_fit(curve, terms), key=lambda one: (one.complexity, one.excess))
    nearer: list[Candidate] = []
    for one in result:
        if (not nearer or one.excess < nearer[-1].excess) and all(one.above(x, value) for x, value in curve):
            nearer.append(one)
    return nearer


def _fit(curve: Curve, terms: Sequence[Term]) -> Iterator[Candidate]:
    """Of each few terms and all coefficients but the last, the least last one with which no first value is above."""
    fitted = len(curve) - max(1, ceil(CHECKED * len(curve)))
    values = np.array([float(value) for _, value in curve])
    sizes = {term.name: np.array([sqrt(term.square(x)) for x, _ in curve]) for term in terms}
    for count in range(1, TERMS + 1):
        for chosen in combinations(terms, count):
            for before in product(COEFFICIENTS, repeat=count - 1):
                known = sum((float(c) * sizes[t.name] for c, t in zip(before, chosen, strict=False)), 0 * values)
                least = np.max(((values - known) / sizes[chosen[-1].name])[:fitted])
                last = next((c for c in COEFFICIENTS if c >= least - 1e-9), None)  # judged exactly later
                if last is not None:
                    excess = float(np.max((known + float(last) * sizes[chosen[-1].name]) / values) - 1)
                    yield Candidate(chosen, (*before, last), excess)
