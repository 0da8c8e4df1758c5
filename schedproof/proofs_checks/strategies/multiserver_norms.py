"""Cases on gradient norms under the any-time step, and their strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Annotated

import msgspec
from hypothesis import strategies as st

from schedproof.core.data.reading import MOST, Positive

FEW = 300  # slots that are looked at one by one


@dataclass(frozen=True)
class Slots:
    slots: Annotated[int, msgspec.Meta(ge=118, le=MOST)]


@dataclass(frozen=True)
class Rising:
    """Gradients of rising norm: k = 2 m^2 short gradients, then longer gradients.

    The longer gradients begin with ``unit`` gradients of norm 1.

    Attributes
    ----------
    rise
        The number m; the squares of the first k norms are m^2 (2 i - 1)/k^2.
    unit
        The number n of gradients of norm 1 after the first k.
    """

    rise: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    unit: Positive

    @property
    def first(self) -> int:
        """The number k of short gradients."""
        return 2 * self.rise**2

    @property
    def squares(self) -> int:
        """The sum S of the squares of the first k + n norms."""
        return self.rise**2 + self.unit

    @property
    def straight(self) -> int:
        """The number of slots that lead straight to the best point."""
        return isqrt(2 * self.squares)

    @property
    def slots(self) -> int:
        """The number T of slots."""
        return self.first + self.unit + self.straight

    @property
    def norms(self) -> Iterator[Fraction]:
        yield from (Fraction(self.rise**2 * (2 * i - 1), self.first**2) for i in range(1, self.first + 1))
        yield from (Fraction(1) for _ in range(self.unit + self.straight))


def slots() -> st.SearchStrategy[Slots]:
    return st.builds(Slots, st.sampled_from((118, 119, 400, 10**4, 10**6)) | st.integers(118, 3000))


def rising() -> st.SearchStrategy[Rising]:
    few = st.builds(Rising, st.integers(1, 6), st.integers(1, 150))
    return few | st.builds(lambda m: Rising(m, m**6), st.integers(3, 24))
