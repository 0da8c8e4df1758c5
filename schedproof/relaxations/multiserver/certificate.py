"""An upper bound on the reward of any fixed allocation, from prices and weights.

For prices p >= 0 of the rows (node, resource), weights w >= 0 of each copy's overheads with sum_k w = 1, and slopes
sigma > 0, weak duality and max_k b_k >= sum_k w_k b_k give for all y in Y

    sum_c n_c [gain_c(y) - max_k beta_k T_(c,k)]
        <= sum p c + sum n_c f*(sigma) + sum over edges and resources of m (n_c sigma - n_c w beta - p)^+

where n_c counts the slots with copy c, m = min(a, c), f*(sigma) = max over y >= 0 of f(y) - sigma y. A utility is of
each channel (gain per node: sigma is the best slope, max(f'(m), cost / n_c)) or of each port's total (gain per total:
sigma is part of the certificate). All roundings are upwards, so the result is a rigorous bound. This module shares no
code with the solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from schedproof.core.data.reading import Row, convert
from schedproof.core.errors import InputError
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.utility import LINEAR, slopes
from schedproof.relaxations.multiserver.enclosures import DOWN, UP, conjugates
from schedproof.relaxations.multiserver.exact import Numbers, above, largest_sum

BITS = 48  # weights are multiples of 2^-BITS
UNITS = 1 << BITS  # the sum of the weights of a copy's overheads
SMALLEST_PRICE, LARGEST_PRICE = 2.0**-300, 2.0**300  # range of slopes
Units = Annotated[int, msgspec.Meta(ge=0, le=UNITS)]


class MultiplierRow(Row, frozen=True):
    resources: Annotated[int, msgspec.Meta(ge=1, le=10**6)]
    unit: Literal["1/281474976710656"]
    weights: list[list[Units]]
    prices: list[list[float]]
    slopes: list[list[float]]


class SlotRow(Row, frozen=True):
    patterns: list[MultiplierRow]


@dataclass(frozen=True, eq=False)
class Multipliers:
    """The proof of a bound for a vector of counts.

    Attributes
    ----------
    prices
        (R, K) p, doubles that are 0 or from 2^-300 to 2^300.
    weights
        (C, K) w in units of 2^-48, int64, each row summing to 2^48.
    slopes
        (C, K) sigma, doubles from 2^-300 to 2^300, for the gain per total; a linear utility's alpha replaces its entry.
        (0, K) for the gain per node.
    """

    prices: np.ndarray
    weights: np.ndarray
    slopes: np.ndarray

    def bound(self, numbers: Numbers, counts: np.ndarray) -> Fraction:
        """Return an upper bound on a fixed allocation's reward at the copies' counts."""
        gains, filled = self.terms(numbers, counts)
        return Fraction(above(self._stock(numbers.instance) + largest_sum(gains) + largest_sum(filled)))

    def terms(self, numbers: Numbers, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return upper bounds on n_c f*(sigma), (E, K) or (C, K), and m (...)^+, (E, K)."""
        self._check(numbers)
        times = counts.astype(float)[:, None]
        weight = self.weights / UNITS
        cost = (times * numbers.overheads(round_up=False) * weight)[numbers.copy] + self.prices[numbers.node]
        cost *= DOWN  # at most the true cost
        if numbers.by_node:
            times = times[numbers.copy]
            slope = self._best_slopes(numbers, cost, times)
            surplus = times * slope * UP - cost
        else:
            slope = _of_linear(numbers, self.slopes)
            surplus = (times * slope * UP)[numbers.copy] - cost
        kind, alpha, _ = numbers.curves
        gains = times * conjugates(kind, alpha, slope) * UP
        return gains, numbers.most * np.maximum(surplus, 0) * UP

    def _best_slopes(self, numbers: Numbers, cost: np.ndarray, times: np.ndarray) -> np.ndarray:
        kind, alpha, _ = numbers.curves
        alone = np.divide(cost * (1 - 2.0**-48), times, out=np.full_like(cost, SMALLEST_PRICE), where=times > 0)
        return _of_linear(numbers, np.maximum(alone, slopes(kind, alpha, numbers.most) * (1 + 2.0**-40)))

    def _stock(self, instance: Instance) -> Fraction:
        total = Fraction(0)
        for node, row in zip(instance.nodes, self.prices.tolist(), strict=True):
            for name, price in zip(instance.resources, row, strict=True):
                if price:
                    total += Fraction(price) * node.capacity.get(name, Fraction(0))
        return total

    def _check(self, numbers: Numbers) -> None:
        copies, resources = numbers.shape
        shapes = (len(numbers.instance.nodes), resources), numbers.shape, (0 if numbers.by_node else copies, resources)
        if (self.prices.shape, self.weights.shape, self.slopes.shape) != shapes:
            raise ValueError("the certificate belongs to another instance or reading of the gain")
        if not (self.prices.dtype == self.slopes.dtype == np.float64 and self.weights.dtype == np.int64):
            raise ValueError("expected doubles for the certificate's prices and slopes, integers for its weights")
        if not ((self.prices == 0) | _in_range(self.prices)).all():
            raise ValueError("a price of the certificate is negative, not a number, too large or too small")
        if not _in_range(self.slopes).all():
            raise ValueError("a slope of the certificate is not positive, not a number, too large or too small")
        if not ((self.weights >= 0) & (self.weights <= UNITS)).all() or (self.weights.sum(axis=1) != UNITS).any():
            raise ValueError("the weights of a copy's overheads are not shares that sum to 1")

    def to_json(self) -> dict[str, Any]:
        return {
            "resources": self.prices.shape[1],
            "unit": f"1/{UNITS}",
            "weights": self.weights.tolist(),
            "prices": self.prices.tolist(),
            "slopes": self.slopes.tolist(),
        }

    @classmethod
    def of_row(cls, row: MultiplierRow) -> Multipliers:
        return cls(
            _table(row.prices, row.resources, np.float64),
            _table(row.weights, row.resources, np.int64),
            _table(row.slopes, row.resources, np.float64),
        )


def _table(rows: Sequence[Sequence[Any]], width: int, kind: type) -> np.ndarray:
    if any(len(row) != width for row in rows):
        raise InputError(f"expected rows of {width} numbers, one per resource", path="multipliers")
    return np.array(rows, dtype=kind).reshape(len(rows), width)


def _in_range(values: np.ndarray) -> np.ndarray:
    return (values >= SMALLEST_PRICE) & (values <= LARGEST_PRICE)


def _of_linear(numbers: Numbers, slope: np.ndarray) -> np.ndarray:
    kind, alpha, _ = numbers.curves
    return np.where(kind == LINEAR, alpha, slope)


@dataclass(frozen=True, eq=False)
class StationaryCertificate:
    """An upper bound on any fixed allocation's reward in all slots."""

    multipliers: Multipliers

    def value(self, instance: Instance, gain: str) -> Fraction:
        return self.multipliers.bound(Numbers(instance, gain), instance.counts())

    def to_json(self) -> dict[str, Any]:
        return self.multipliers.to_json()

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> StationaryCertificate:
        return cls(Multipliers.of_row(convert(row, MultiplierRow)))


@dataclass(frozen=True, eq=False)
class SlotCertificate:
    """An upper bound on the sum of the slots' best rewards.

    Attributes
    ----------
    multipliers
        The multipliers of each arrival pattern that occurs, in the order of `patterns`.
    """

    multipliers: tuple[Multipliers, ...]

    def value(self, instance: Instance, gain: str) -> Fraction:
        rows, times = patterns(instance)
        if len(rows) != len(self.multipliers):
            raise ValueError("the certificate belongs to an instance with other arrivals")
        numbers = Numbers(instance, gain)
        bounds = (each.bound(numbers, row) for each, row in zip(self.multipliers, rows, strict=True))
        return sum((bound * n for bound, n in zip(bounds, times.tolist(), strict=True)), Fraction(0))

    def to_json(self) -> dict[str, Any]:
        return {"patterns": [each.to_json() for each in self.multipliers]}

    @classmethod
    def from_json(cls, row: Any, instance: Instance) -> SlotCertificate:
        return cls(tuple(Multipliers.of_row(each) for each in convert(row, SlotRow).patterns))


def patterns(instance: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct presence rows (P, C), sorted, and their slot counts (P,)."""
    result: dict[bytes, int] = {}
    for block in instance.blocks():
        rows, times = np.unique(block, axis=0, return_counts=True)
        for row, n in zip(rows, times.tolist(), strict=True):
            result[row.tobytes()] = result.get(row.tobytes(), 0) + n
    keys = sorted(result)
    rows = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), sum(instance.copies))
    return rows, np.array([result[key] for key in keys], dtype=np.int64)
