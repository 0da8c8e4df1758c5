"""Given prices: what a case's ``price`` means, and what things cost then."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case
from schedproof.proofs_checks.dmlrs.literal import spots
from schedproof.proofs_checks.dmlrs.schedules import Use

ZERO = Fraction(0)


def fees(case: Case) -> Use:
    """The case's prices, dealt in turn to its slots, machines and resources."""
    price = case.data["price"]
    return {spot: price[n % len(price)] for n, spot in enumerate(spots(case.instance))}


def bill(use: Use, fee: Use) -> Fraction:
    """The cost of what is used."""
    return sum((amount * fee[spot] for spot, amount in use.items()), ZERO)


def worth(case: Case) -> Fraction:
    """The sum of p C, C being what is not reserved."""
    machines = case.instance.machines
    return sum((p * case.instance.free(s[0], machines[s[1]], s[2]) for s, p in fees(case).items()), ZERO)
