"""Lifting: extend a bad instance to a sequence, and find the limit of the ratios.

The ratio is computed exactly at several sizes of the family. A quotient of two polynomials of the lowest possible
degree is fitted to the first sizes, and accepted if it agrees with all others; its leading coefficients give the limit.
Limits at several values of a parameter are fitted by one small expression. Such a formula is not a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice, product
from math import inf

import flint

from schedproof.adversary.documents import Document, Number, Part, at, copy, in_words, is_number, parts, put, with_item
from schedproof.adversary.objective import Goal, Score
from schedproof.adversary.space import SETTLED
from schedproof.core.errors import SchedproofError
from schedproof.instances import from_json

CHECKED = 3  # least number of sizes that test a formula
LARGEST = 6  # coefficient in an expression
MOST_PAIRS = 200  # pairs of copies and a number, evaluated at the largest size
FINALISTS = 3  # pairs that are evaluated at all sizes
Member = Callable[[int], Document]  # a family: the document of each size


@dataclass(frozen=True)
class Formula:
    """A quotient of two polynomials with integer coefficients, in ascending degree.

    Attributes
    ----------
    fitted_on
        Number of sizes that the formula was fitted on.
    """

    top: tuple[int, ...]
    bottom: tuple[int, ...]
    fitted_on: int = 0

    def at(self, x: Fraction | int) -> Fraction | None:
        """Return the value at `x`, or None at a pole."""
        top, bottom = (sum(c * Fraction(x) ** n for n, c in enumerate(side)) for side in (self.top, self.bottom))
        return Fraction(top) / bottom if bottom else None

    @property
    def limit(self) -> Score:
        if len(self.top) > len(self.bottom):
            return inf
        return Fraction(self.top[-1], self.bottom[-1]) if len(self.top) == len(self.bottom) else Fraction(0)

    def words(self, letter: str = "k") -> str:
        """Return the formula as text: ``(1 + 2 k) / (3 + k)``."""
        top, bottom = (_polynomial(side, letter) for side in (self.top, self.bottom))
        return top if self.bottom == (1,) else f"({top}) / ({bottom})"


def _polynomial(coefficients: Sequence[int], letter: str) -> str:
    terms = [(c, "" if n == 0 else letter if n == 1 else f"{letter}^{n}") for n, c in enumerate(coefficients) if c]
    words = "".join(f" {'-' if c < 0 else '+'} {_term(abs(c), power)}" for c, power in terms)
    return words.removeprefix(" + ").replace(" - ", "-", 1) if words.startswith(" - ") else words.removeprefix(" + ")


def _term(factor: int, power: str) -> str:
    return f"{factor}" if not power else power if factor == 1 else f"{factor} {power}"


def fit(sizes: Sequence[int], values: Sequence[Fraction]) -> Formula | None:
    """Return the formula of the lowest degree that agrees with all values.

    At least `CHECKED` values must test it.
    """
    for degree in range(len(sizes)):
        needed = 2 * degree + 1
        if len(sizes) < needed + CHECKED:
            return None
        result = _through(sizes[:needed], values[:needed], degree)
        if result is not None and all(result.at(n) == value for n, value in zip(sizes, values, strict=True)):
            return result
    return None


def _through(sizes: Sequence[int], values: Sequence[Fraction], degree: int) -> Formula | None:
    columns = 2 * degree + 2
    entries = []
    for n, value in zip(sizes, values, strict=True):
        powers = [Fraction(n) ** k for k in range(degree + 1)]
        entries += [flint.fmpq(x.numerator, x.denominator) for x in (*powers, *(-value * p for p in powers))]
    reduced, rank = flint.fmpq_mat(len(sizes), columns, entries).rref()
    if rank < columns - 1:
        return None  # a formula of lower degree, tried before, agrees too
    pivots = [next(c for c in range(columns) if reduced[r, c]) for r in range(rank)]
    free = next(c for c in range(columns) if c not in pivots)
    solution = {pivot: -reduced[r, free] for r, pivot in enumerate(pivots)} | {free: flint.fmpq(1)}
    whole = flint.fmpz(1)
    for value in solution.values():
        whole = whole.lcm(value.q)
    numbers = [solution[c] * whole for c in range(columns)]
    top, bottom = (flint.fmpz_poly([x.p for x in side]) for side in (numbers[: degree + 1], numbers[degree + 1 :]))
    common = top.gcd(bottom)
    top, bottom = top // common, bottom // common
    sign = -1 if bottom[bottom.degree()] < 0 else 1
    over, under = (tuple(sign * int(c) for c in side.coeffs()) for side in (top, bottom))
    return Formula(over, under, len(sizes))


def expression(values: Mapping[Fraction, Fraction]) -> Formula | None:
    """Return the simplest (a + b x) / (c + d x) that agrees with all values, or None."""
    numbers = sorted(range(-LARGEST, LARGEST + 1), key=lambda c: (abs(c), c < 0))
    candidates = sorted(product(numbers, repeat=4), key=lambda row: sum(map(abs, row)))
    for a, b, c, d in candidates:
        if all((c + d * x) and (a + b * x) == value * (c + d * x) for x, value in values.items()):
            return Formula(_trim(a, b), _trim(c, d))
    return None


def _trim(constant: int, slope: int) -> tuple[int, ...]:
    return (constant, slope) if slope else (constant,)


@dataclass(frozen=True)
class Lift:
    """A family of instances, and the ratio along it.

    Attributes
    ----------
    words
        The growing part: ``k copies of jobs[0]``.
    sizes, values
        The sizes at which the ratio was computed, and the exact ratios.
    formula
        A formula that agrees with all values from size `since` on, or None if no formula of low degree does.
    """

    words: str
    sizes: tuple[int, ...]
    values: tuple[Fraction, ...]
    formula: Formula | None
    since: int = 0

    @property
    def sentence(self) -> str:
        if self.formula is None:
            return f"{self.words}: {float(self.values[-1]):.6g} at k = {self.sizes[-1]}, no formula fits all sizes"
        met = sum(size >= self.since for size in self.sizes) - self.formula.fitted_on
        formula = self.formula.words() + (f" from k = {self.since} on" if self.since > self.sizes[0] else "")
        limit = "grows without limit" if self.formula.limit == inf else f"limit {self.formula.limit}"
        fits = f"fitted on {self.formula.fitted_on} sizes, tested on {met} more"
        return f"{self.words}: {formula}, {limit} ({fits}, up to k = {self.sizes[-1]})"


def along(words: str, sizes: Sequence[int], value: Callable[[int], Fraction]) -> Lift:
    """Return the lift along a family; `value` returns the ratio at a size."""
    values = tuple(value(n) for n in sizes)  # may take long and be interrupted
    every = tuple(sizes)
    for first in range(len(every)):
        if (formula := fit(every[first:], values[first:])) is not None:
            return Lift(words, every, values, formula, every[first])
    return Lift(words, every, values, None)


def lifts(goal: Goal, document: Document, sizes: Sequence[int]) -> Iterator[Lift]:
    """Yield the families of an instance along which the ratio grows.

    A family grows copies of an item, a number, or both. If the family's instances exceed the horizon, the horizon grows
    too. A pair of growths is yielded only if its ratio exceeds that of each growth; at most `MOST_PAIRS` are evaluated.

    Parameters
    ----------
    sizes
        Ascending sizes; a size is the number of copies, or the value of the number.
    """
    largest = _value(goal, lambda _: document, sizes[-1])
    for words, member in (*_copied(document), *_grown(document)):
        lift = _lift(goal, words, member, sizes) or _lift(goal, *_stretched(words, member), sizes)
        if lift is not None and lift.values[-1] > lift.values[0]:
            largest = max(largest, lift.values[-1])
            yield lift
    pairs = ((_value(goal, member, sizes[-1]), words, member) for words, member in islice(_both(document), MOST_PAIRS))
    promising = sorted((pair for pair in pairs if pair[0] > largest), key=lambda pair: -pair[0])
    for _, words, member in promising[:FINALISTS]:
        lift = _lift(goal, words, member, sizes)
        if lift is not None:
            yield lift


def _value(goal: Goal, member: Member, size: int) -> Fraction:
    try:
        return _score(goal, member, size)
    except (SchedproofError, OverflowError):
        return Fraction(-1)


def _lift(goal: Goal, words: str, member: Member, sizes: Sequence[int]) -> Lift | None:
    try:
        return along(words, sizes, partial(_score, goal, member))
    except (SchedproofError, OverflowError):
        return None


def _score(goal: Goal, member: Member, size: int) -> Fraction:
    return Fraction(goal.judge(from_json(member(size))).score)


def _stretched(words: str, member: Member) -> tuple[str, Member]:
    def stretched(size: int) -> Document:
        document = copy(member(size))
        if not is_number(document.get("horizon")):
            raise SchedproofError("the instance has no horizon")
        return document | {"horizon": document["horizon"] * size}

    return f"{words}, k times the horizon", stretched


def _copied(document: Document) -> Iterator[tuple[str, Member]]:
    for part in parts(document):
        if isinstance(part.value, dict) and isinstance(part.place[-1], int):
            yield f"k copies of {in_words(part.place)}", partial(_copies, document, part)


def _grown(document: Document) -> Iterator[tuple[str, Member]]:
    for part in parts(document):
        if is_number(part.value) and part.pattern not in SETTLED:
            yield f"{in_words(part.place)} = k", partial(_with, document, part)


def _both(document: Document) -> Iterator[tuple[str, Member]]:
    items = [part for part in parts(document) if isinstance(part.value, dict) and isinstance(part.place[-1], int)]
    numbers = [part for part in parts(document) if is_number(part.value) and part.pattern not in SETTLED]
    for number, item in product(numbers, items):
        for times in dict.fromkeys((1, number.value or 1)):
            words = (
                f"k copies of {in_words(item.place)}, {in_words(number.place)} = {'' if times == 1 else f'{times} '}k"
            )
            yield words, partial(_copies_with, document, item, number, times)


def _copies_with(document: Document, item: Part, number: Part, times: Number, size: int) -> Document:
    return _copies(_with(document, number, times * size), item, size)


def _copies(document: Document, part: Part, count: int) -> Document:
    item = at(document, part.place)
    for _ in range(count - 1):
        document = with_item(document, part.place[:-1], item, item.get("name"))
    return document


def _with(document: Document, part: Part, value: Number) -> Document:
    answer = copy(document)
    put(answer, part.place, value)
    return answer
