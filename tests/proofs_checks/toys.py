"""A claim about numbers up to ten, varied by the tests of judging."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.cards.sources import Paper
from schedproof.core.claims.claim import Claim, Domain, FalseVariant, Finding, Proof, Reading, Regime


@dataclass(frozen=True)
class Case:
    """A number."""

    n: int


def bounded(case: Case) -> Finding:
    """n is at most 9."""
    return Finding(Fraction(case.n), Fraction(9))


def at_most_ten(case: Case) -> Finding:
    """n is at most 10, which holds for all numbers that the strategy draws."""
    return Finding(Fraction(case.n), Fraction(10))


def at_most_five(case: Case) -> Finding:
    """n is at most 5."""
    return Finding(Fraction(case.n), Fraction(5))


TEN = Proof("The strategy draws whole numbers from zero to ten.\n- *Ten as well?* Ten as well.")
ONE_DIGIT = Proof("Nine is the largest of the ten digits.\n- *Of all ten?* Of 0 to 9.")
BELIEVED = Proof("Somebody believed it.\n- *Who?* Nobody knows.")
NUMBERS = st.builds(Case, st.integers(0, 10))
ANY = Regime("any", lambda case: True)
FALSE = FalseVariant("at most 2", lambda case: Finding(Fraction(case.n), Fraction(2)))
DOMAIN = Domain(Case, NUMBERS, (ANY,))
NOWHERE = Paper("Nobody 1900", ("A. Nobody",), "On Numbers", "Journal", 1900).at("page 1")
PLAIN = Reading("plain", "", at_most_ten, TEN)
TOY = Claim("toy.number", NOWHERE, "n is small", DOMAIN, readings=[PLAIN], false_variants=[FALSE])
NINE = (Reading("nine", "", bounded),)
