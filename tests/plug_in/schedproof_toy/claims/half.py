"""Greedy by density takes at least half of the optimum."""

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof_toy.card import DANTZIG57
from schedproof_toy.program import by_hand
from schedproof_toy.sack import Item, Sack


@dataclass(frozen=True)
class Packed:
    """A sack of 9, and items that fit it one by one."""

    instance: Sack


def _packed(items: list[tuple[int, int]]) -> Packed:
    rows = (Item(f"i{n}", 0, Fraction(v), Fraction(w), index=n) for n, (v, w) in enumerate(items))
    return Packed(Sack(Fraction(9), tuple(rows)))


ITEMS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4)
HALF = Claim(
    "toy.half",
    DANTZIG57.at("folklore"),
    "Greedy by density takes at least half of the optimum.",
    Domain.of(Packed, ITEMS.map(_packed), {"one item": lambda case: len(case.instance.items) == 1}),
    severity="false theorem",
)
REPAIRED = HALF.repair("The better of greedy and the best single item takes at least half of the optimum.", small=True)


@HALF.reading("until one does not fit", "Greedy stops there.")
@HALF.false_variant("greedy is optimal", share=Fraction(1))
def greedy_is_half(case: Packed, share: Fraction = Fraction(1, 2)) -> Finding:
    """Greedy by value over weight takes at least half of the largest value."""
    return Finding(greedy(case.instance), share * by_hand(case.instance).exact, "at least", "greedy, half")


BETTER_OF_TWO = """
Every item fits alone. Greedy's items and the first that it leaves out are worth the relaxed optimum at least.
- *And if greedy leaves none out?* Then it takes all, which is the optimum.
"""


@REPAIRED.reading("the better of two", "Every item fits alone.", BETTER_OF_TWO)
def better_of_two(case: Packed) -> Finding:
    """The better of greedy and the best single item takes half of the optimum."""
    single = max(item.value for item in case.instance.items)
    return Finding(max(single, greedy(case.instance)), by_hand(case.instance).exact / 2, "at least")


def greedy(sack: Sack) -> Fraction:
    """Take the densest items first, until one does not fit."""
    left, total = sack.capacity, Fraction(0)
    for item in sorted(sack.items, key=lambda item: -item.value / item.weight):
        if item.weight > left:
            break
        left, total = left - item.weight, total + item.value
    return total
