"""A price of weight bounds the value of every packing: p W + sum max(0, v - p w)."""

from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any

from schedproof.core.bound import Bound, certified
from schedproof.core.numbers import as_text
from schedproof_toy.sack import Sack


@dataclass(frozen=True)
class PriceOfWeight:
    """The price."""

    price: Fraction

    def value(self, instance: Sack) -> Fraction:
        """What it proves."""
        if self.price < 0:
            raise ValueError("a price is not negative")
        gains = (max(Fraction(0), item.value - self.price * item.weight) for item in instance.items)
        return self.price * instance.capacity + sum(gains, Fraction(0))

    def to_json(self) -> dict[str, Any]:
        return {"price": as_text(self.price)}

    @classmethod
    def from_json(cls, row: Any, instance: Sack) -> "PriceOfWeight":
        return cls(Fraction(row["price"]))


def fractional(instance: Sack) -> Bound:
    """A certified upper bound from a price of weight."""
    started = perf_counter()
    densities = {item.value / item.weight for item in instance.items} | {Fraction(0)}
    best = min((PriceOfWeight(price) for price in densities), key=lambda price: price.value(instance))
    return certified("toy.knapsack", best, instance, {"prices": len(densities)}, started=started)
