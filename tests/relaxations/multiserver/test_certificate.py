from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from schedproof.instances.multiserver import Instance
from schedproof.relaxations.multiserver.bounds import multipliers, slot_optimum_bound, stationary_bound
from schedproof.relaxations.multiserver.certificate import (
    UNITS,
    Multipliers,
    SlotCertificate,
    StationaryCertificate,
    patterns,
)
from schedproof.relaxations.multiserver.exact import Numbers, earnings
from schedproof.relaxations.multiserver.solver import StationarySolver
from tests.relaxations.multiserver import literal
from tests.support import size
from tests.tiny.multiserver import tiny_ports

GAINS = ("node", "total")


def drawn(instance: Instance, rng: np.random.Generator, gain: str) -> Multipliers:
    """Random multipliers, some of them 0 or equal."""
    nodes, (copies, resources) = len(instance.nodes), instance.graph.demand.shape
    prices = rng.choice([0.0, 1.0, rng.random()], size=(nodes, resources)) * rng.random((nodes, resources))
    weights = (rng.dirichlet(np.ones(resources), copies) * UNITS).astype(np.int64)
    weights[:, 0] += UNITS - weights.sum(axis=1)
    slopes = rng.choice([1e-3, 0.1, 1.0, 5.0], size=(copies if gain == "total" else 0, resources))
    return Multipliers(prices, weights, slopes)


@pytest.mark.parametrize("gain", GAINS)
def test_any_multipliers_prove_the_formula_which_bounds_every_allocation(gain: str) -> None:
    for seed in range(size(5, 18, 500)):
        instance, rng = tiny_ports(seed, copies=1 + seed % 3), np.random.default_rng(seed)
        any_ones, counts = drawn(instance, rng, gain), instance.counts()
        bound = any_ones.bound(Numbers(instance, gain), counts)
        low, high = literal.proven(instance, counts, any_ones, gain)
        assert low <= bound <= high * (1 + Fraction(1, 10**11)) + Fraction(1, 10**12), seed
        for _ in range(5):
            allocation = literal.drawn_allocation(instance, rng)
            assert literal.feasible(instance, allocation)
            assert literal.earned(instance, counts, allocation, gain)[1] <= bound, seed


@pytest.mark.parametrize("gain", GAINS)
def test_earnings_are_enclosed_from_below(gain: str) -> None:
    for seed in range(size(5, 18, 300)):
        instance, rng = tiny_ports(seed, copies=1 + seed % 3), np.random.default_rng(seed)
        allocation, counts = literal.drawn_allocation(instance, rng), instance.counts()
        low, high = literal.earned(instance, counts, allocation, gain)
        found = earnings(Numbers(instance, gain), counts, allocation)
        assert found <= high
        assert found >= low - (abs(low) + 100) * Fraction(1, 10**11), seed


@pytest.mark.parametrize("gain", GAINS)
def test_prefixes_have_separate_bounds(gain: str) -> None:
    instance = tiny_ports(4, horizon=7)
    solver, numbers, last = StationarySolver(instance.graph, gain), Numbers(instance, gain), Fraction(0)
    for slots in range(8):
        found = solver.solve(instance.counts(slots))
        value = multipliers(found, numbers, instance.counts(slots)).bound(numbers, instance.counts(slots))
        assert value >= last * (1 - Fraction(1, 10**6)) and (value == 0) == (slots == 0)
        last = value


def test_a_stored_bound_is_verified_and_a_smaller_one_rejected() -> None:
    for compute, read in ((stationary_bound, StationaryCertificate), (slot_optimum_bound, SlotCertificate)):
        for gain in GAINS:
            instance = tiny_ports(3)
            found = compute(instance, gain=gain)
            row = json.loads(json.dumps(found.to_json()))
            bound = replace(found, witness=read.from_json(row["witness"], instance), exact=Fraction(row["exact"]))
            assert bound.verify(instance)
            assert not replace(bound, exact=bound.exact * (1 - Fraction(1, 10**12))).verify(instance)
            assert not bound.verify(tiny_ports(4))


WRONG: dict[str, Callable[[Multipliers], Multipliers]] = {
    "negative price": lambda m: replace(m, prices=_with(m.prices, -1e-9)),
    "price that is no number": lambda m: replace(m, prices=_with(m.prices, np.nan)),
    "price without end": lambda m: replace(m, prices=_with(m.prices, np.inf)),
    "price too small for doubles": lambda m: replace(m, prices=_with(m.prices, 1e-300)),
    "prices of another shape": lambda m: replace(m, prices=m.prices[1:]),
    "prices in single precision": lambda m: replace(m, prices=m.prices.astype(np.float32)),
    "weights below one whole": lambda m: replace(m, weights=_with(m.weights, 0, (0, int(m.weights[0].argmax())))),
    "weights above one whole": lambda m: replace(m, weights=_with(m.weights, UNITS + 1)),
    "weight below 0": lambda m: replace(m, weights=_with(_with(m.weights, -1), UNITS + 1, (0, 1))),
    "weights that are no whole numbers": lambda m: replace(m, weights=m.weights.astype(float)),
    "weights of fewer copies": lambda m: replace(m, weights=m.weights[1:]),
    "slope of 0": lambda m: replace(m, slopes=_with(m.slopes, 0.0)),
    "slope that is no number": lambda m: replace(m, slopes=_with(m.slopes, np.nan)),
    "no slopes": lambda m: replace(m, slopes=m.slopes[:0]),
}


def _with(array: np.ndarray, value: float, where: tuple[int, int] = (0, 0)) -> np.ndarray:
    changed = array.copy()
    changed[where] = value
    return changed


@pytest.mark.parametrize("wrong", WRONG)
def test_invalid_multipliers_are_rejected(wrong: str) -> None:
    instance = tiny_ports(0)
    good = stationary_bound(instance, gain="total")
    bad = replace(good.witness, multipliers=WRONG[wrong](good.witness.multipliers))
    with pytest.raises(ValueError, match=r"certificate|weights"):
        bad.value(instance, "total")
    assert good.verify(instance)
    assert not replace(good, witness=bad).verify(instance)


def test_a_certificate_holds_for_its_reading_and_its_arrivals() -> None:
    instance = tiny_ports(0)
    with pytest.raises(ValueError, match="certificate"):
        stationary_bound(instance, gain="total").witness.value(instance, "node")
    some = slot_optimum_bound(instance).witness
    assert isinstance(some, SlotCertificate)
    with pytest.raises(ValueError, match="other arrivals"):
        replace(some, multipliers=some.multipliers[1:]).value(instance, "node")


def test_too_low_a_price_proves_more_than_the_optimum_and_not_less() -> None:
    for seed in range(size(3, 6, 100)):
        instance, rng = tiny_ports(seed), np.random.default_rng(seed)
        for gain in GAINS:
            good = stationary_bound(instance, gain=gain)
            best = Fraction(good.details["value"])
            parts = good.witness.multipliers
            changed = replace(
                parts,
                prices=parts.prices * rng.choice([0.0, 0.5, 1.0, 2.0], size=parts.prices.shape),
                weights=parts.weights[:, rng.permutation(parts.weights.shape[1])],
            )
            value = replace(good.witness, multipliers=changed).value(instance, gain)
            assert value >= best * (1 - Fraction(1, 10**12)), (seed, gain)


def test_patterns_are_those_of_all_slots() -> None:
    instance = tiny_ports(1, horizon=40, copies=2)
    rows, times = patterns(instance)
    slots = [tuple(row) for row in instance.present(0, 40).tolist()]
    assert [tuple(row) for row in rows.tolist()] == sorted(set(slots))
    assert times.tolist() == [slots.count(tuple(row)) for row in rows.tolist()]
