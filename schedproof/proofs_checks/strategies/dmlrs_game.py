"""The game of an adversary who offers equal jobs of rising utility to one machine."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from schedproof.core.claims.cases import AtLeastOne
from schedproof.core.data.reading import Positive
from schedproof.core.errors import expect
from schedproof.proofs_checks.strategies.covering import fractions


@dataclass(frozen=True)
class Game:
    """A game in which a given number of jobs fills the machine.

    Attributes
    ----------
    rising
        Values from 1 on, in rising order. Each value is offered as often as jobs fit on the machine.
    ratio
        The ratio of the rule of rising prices.
    offers
        Utilities in the order of arrival, for the rule of rising prices.
    """

    size: Positive
    rising: tuple[AtLeastOne, ...]
    ratio: AtLeastOne
    offers: tuple[AtLeastOne, ...]

    def __post_init__(self) -> None:
        rises = self.rising[:1] == (Fraction(1),) and all(a < b for a, b in pairwise(self.rising))
        expect(rises and len(self.rising) > 1, "expected at least two values that rise from 1 on", "rising")


@st.composite
def games(draw: st.DrawFn) -> Game:
    """One to four jobs, grids of up to seven values, and offers.

    An offer is just below the rule's price, or arbitrary.
    """
    k = draw(st.integers(1, 4))
    steps = draw(st.lists(st.sampled_from(fractions("21/20 6/5 6/5 5/4 2")), min_size=1, max_size=6))
    rising = [Fraction(1)]
    for step in steps:
        rising.append(rising[-1] * step)
    ratio = draw(st.sampled_from(fractions("1 5/4 3/2 2 3 5")))
    prices = [Fraction(1)]  # what one more is worth to the rule, from 1 up to the largest spread that it can stand
    while len(prices) <= k:
        prices.append(max(Fraction(1), ratio / k * sum(prices)))
    below = [max(Fraction(1), p * Fraction(999, 1000)) for p in prices]
    rounds = draw(st.lists(st.sampled_from(prices + below), max_size=3 * k)) if draw(st.booleans()) else []
    return Game(k, tuple(rising), ratio, tuple(rounds or [p for p in below for _ in range(k)]))
