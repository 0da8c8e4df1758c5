"""Exact checker of packings, independent of models and policies."""

from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.data import checking
from schedproof.core.data.checking import Violation, violation
from schedproof_toy.sack import Packing, Sack


def violations(packing: Packing, sack: Sack) -> list[Violation]:
    """Every broken constraint."""
    return checking.violations(packing, sack, once, (fits,))


def once(packing: Packing, sack: Sack) -> Iterator[Violation]:
    """An item is taken once."""
    for i in sorted(set(packing.items)):
        if packing.items.count(i) > 1:
            yield violation("once", sack.items[i].name, packing.items.count(i) - 1)


def fits(packing: Packing, sack: Sack) -> Iterator[Violation]:
    """The taken items fit into the sack."""
    over = sum((sack.items[i].weight for i in packing.items), Fraction(0)) - sack.capacity
    if over > 0:
        yield violation("fits", "the sack", over)
