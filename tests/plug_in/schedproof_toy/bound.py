"""A price of weight bounds the value of every packing: p W + sum max(0, v - p w)."""

from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any

from schedproof.core.certificates.bound import Bound, bound_of
from schedproof_toy.sack import Sack


@dataclass(frozen=True)
class PriceOfWeight:
    price: Fraction

    def value(self, instance: Sack) -> Fraction:
        if self.price < 0:
            raise ValueError("a price is not negative")
        return sum((max(0, i.value - self.price * i.weight) for i in instance.items), self.price * instance.capacity)

    def to_json(self) -> dict[str, Any]:
        return {"price": str(self.price)}

    @classmethod
    def from_json(cls, row: Any, instance: Sack) -> "PriceOfWeight":
        return cls(Fraction(row["price"]))


def fractional(instance: Sack) -> Bound:
    started, zero = perf_counter(), PriceOfWeight(Fraction(0))
    prices = [zero, *(PriceOfWeight(item.value / item.weight) for item in instance.items)]
    best = min(prices, key=lambda price: price.value(instance))
    return bound_of("toy.knapsack", best, instance, {"prices": len(prices)}, started=started)
