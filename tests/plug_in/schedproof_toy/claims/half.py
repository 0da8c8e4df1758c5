"""Greedy by density takes at least half of what could be taken."""

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Regime, Repair
from schedproof_toy.card import DANTZIG57
from schedproof_toy.sack import Item, Sack


@dataclass(frozen=True)
class Packed:
    """A sack to be filled."""

    instance: Sack


def greedy_is_half(case: Packed, share: Fraction = Fraction(1, 2)) -> Finding:
    """Greedy by value over weight takes at least half of the largest value."""
    return Finding(greedy(case.instance), share * optimum(case.instance), "at least", "greedy, half of the optimum")


def better_of_two(case: Packed) -> Finding:
    """The better of greedy and the most valuable item that fits takes at least half of the largest value.

    Proof
    -----
    Greedy's items and the first that it leaves out are worth at least the relaxed optimum, as they fill the sack with
    the densest. One of the two, greedy's items or that single item, is worth at least half of it; where greedy takes
    all that fit alone, it is the optimum. Items that do not fit alone are no part of either.
    """
    single = max((item.value for item in _able(case.instance)), default=Fraction(0))
    return Finding(max(single, greedy(case.instance)), optimum(case.instance) / 2, "at least")


def greedy(sack: Sack) -> Fraction:
    """Densest first, until one does not fit."""
    left, total = sack.capacity, Fraction(0)
    for item in sorted(_able(sack), key=lambda item: -item.value / item.weight):
        if item.weight > left:
            break
        left, total = left - item.weight, total + item.value
    return total


def optimum(sack: Sack) -> Fraction:
    """The best value by total weight, item after item."""
    best = {Fraction(0): Fraction(0)}
    for item in sack.items:
        more = {w + item.weight: v + item.value for w, v in best.items() if w + item.weight <= sack.capacity}
        best |= {w: max(v, best.get(w, v)) for w, v in more.items()}
    return max(best.values())


def _able(sack: Sack) -> list[Item]:
    return [item for item in sack.items if item.weight <= sack.capacity]


def _packed(capacity: int, items: list[tuple[int, int]]) -> Packed:
    rows = [Item(f"i{n}", 0, Fraction(v), Fraction(w), index=n) for n, (v, w) in enumerate(items)]
    return Packed(Sack(Fraction(capacity), tuple(rows)))


ITEMS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4)
HALF = Claim(
    id="toy.half",
    source=DANTZIG57.at("folklore"),
    statement="Greedy by density takes at least half of the optimum.",
    readings=(Reading("until one does not fit", "Greedy stops there.", greedy_is_half),),
    domain=Domain(
        Packed,
        st.builds(_packed, st.integers(1, 9), ITEMS),
        (Regime("one item", lambda case: len(case.instance.items) == 1),),
    ),
    false_variants=(FalseVariant("greedy is optimal", lambda case: greedy_is_half(case, Fraction(1))),),
    repair=Repair(
        statement="The better of greedy and the best single item takes at least half of the optimum.",
        readings=(Reading("the better of two", "Of those that fit.", better_of_two),),
        small=True,
    ),
)
