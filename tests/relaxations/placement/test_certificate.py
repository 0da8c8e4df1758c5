"""Prices of resources and starts: value by formula, never above the optimum."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.core.errors import InputError
from schedproof.instances.placement import Instance, fits
from schedproof.reference.placement import optimum
from schedproof.relaxations.placement.certificate import BITS, StartPrices
from tests.support import size
from tests.tiny.placement import tiny_instance


def by_formula(instance: Instance, prices: StartPrices) -> Fraction:
    mu, nu = (table.astype(object) for table in (prices.resources, prices.starts))
    end = nu.shape[1]
    total = -nu.sum() - sum(
        c * mu[n, r].sum() for n, box in enumerate(instance.clusters) for r, c in enumerate(box.amounts)
    )
    for task in instance.tasks:
        costs = []
        for n in task.clusters:
            for x, d in task.modes:
                for t in (
                    range(task.arrival, max(task.arrival, end) + 3) if fits(x, instance.clusters[n].amounts) else ()
                ):
                    held = sum(amount * mu[n, r, t : t + d].sum() for r, amount in enumerate(x))
                    costs.append(((t + d - task.arrival) << BITS) + held + (nu[n, t] if t < end else 0))
        total += min(costs)
    return Fraction(total, 1 << BITS)


def drawn(instance: Instance, rng: random.Random, most: int) -> StartPrices:
    """Random prices below a limit in units, most of them 0."""
    slots, clusters, resources = rng.randrange(12), len(instance.clusters), len(instance.resources)
    units = [rng.choice([0, 0, rng.randrange(most)]) for _ in range(clusters * (resources + 1) * slots)]
    table = np.array(units, dtype=np.int64).reshape(clusters, resources + 1, slots)
    return StartPrices(table[:, :-1], table[:, -1])


def near_best(instance: Instance, rng: random.Random) -> StartPrices:
    bound = sp.bound("placement.lp", instance)
    assert isinstance(bound.witness, StartPrices)
    tables = (bound.witness.resources, bound.witness.starts)
    return StartPrices(*((table * rng.choice([1, rng.uniform(0, 1.5)])).astype(np.int64) for table in tables))


def good(seed: int = 4) -> tuple[Instance, Bound, StartPrices]:
    instance = tiny_instance(seed, tasks=5, horizon=30)
    bound = sp.bound("placement.lp", instance)
    assert isinstance(bound.witness, StartPrices) and bound.verify(instance)
    assert bound.witness.resources.any() and bound.witness.starts.any()
    return instance, bound, bound.witness


@pytest.mark.parametrize("most", [1 << 22, 1 << 27, 1 << 62])
def test_the_value_is_that_of_the_formula(most: int) -> None:
    # Including prices beyond 63 bits.
    for seed in range(size(20, 36, 500)):
        instance = tiny_instance(seed)
        prices = drawn(instance, random.Random(seed), most)
        assert prices.value(instance) == by_formula(instance, prices), seed


def test_arbitrary_prices_never_prove_more_than_the_optimum() -> None:
    proven: set[bool] = set()
    for seed in range(size(40, 50, 1500)):
        rng = random.Random(seed)
        instance = tiny_instance(seed, tasks=2 + seed % 2, horizon=15)
        least = optimum(instance)
        prices = drawn(instance, rng, rng.choice([1 << 20, 1 << 23, 1 << 25])) if seed % 2 else near_best(instance, rng)
        assert least is not None and prices.value(instance) <= least, seed
        proven.add(prices.value(instance) > StartPrices.free(instance).value(instance))
    assert proven == {True, False}


def test_prices_of_0_prove_the_shortest_modes() -> None:
    for seed in range(20):
        instance = tiny_instance(seed)
        assert StartPrices.free(instance).value(instance) == sum(
            instance.shortest(task) or 0 for task in instance.tasks
        )


def test_a_changed_bound_or_price_is_rejected() -> None:
    instance, bound, prices = good()
    dearer, later = prices.resources.copy(), prices.starts.copy()
    dearer[np.nonzero(dearer)] += 1 << 2 * BITS
    later[np.nonzero(later)] += 1 << 2 * BITS
    for changed in (
        replace(bound, exact=bound.exact + Fraction(1, 10**12)),
        replace(bound, witness=StartPrices(dearer, prices.starts)),
        replace(bound, witness=StartPrices(prices.resources, later)),
        replace(bound, among=""),
        replace(bound, kind="upper"),
    ):
        assert not changed.verify(instance)


def test_prices_of_another_instance_are_rejected() -> None:
    instance, bound, prices = good()
    for other, why in (
        (StartPrices(prices.resources - 1, prices.starts), "negative"),
        (StartPrices(prices.resources, -prices.starts), "negative"),
        (StartPrices(prices.resources * 1.5, prices.starts), "integer multiples"),
        (StartPrices(prices.resources[:-1], prices.starts), "another instance"),
        (StartPrices(prices.resources[:, :-1], prices.starts), "another instance"),
        (StartPrices(prices.resources, prices.starts[:, :-1]), "another instance"),
    ):
        with pytest.raises(ValueError, match=why):
            other.value(instance)
        assert not replace(bound, witness=other).verify(instance)


def test_its_json_round_trips_and_other_values_are_rejected() -> None:
    instance, _, prices = good()
    row = prices.to_json()
    again = StartPrices.from_json(row, instance)
    assert again.value(instance) == prices.value(instance) and again.to_json() == row
    first = row["resources"][0]
    for name, rows in (
        ("resources", [*row["resources"], first]),  # twice
        ("resources", [[len(instance.clusters), *first[1:]]]),
        ("resources", [[0, len(instance.resources), 0, 1]]),
        ("resources", [[0, 0, 0, 0]]),
        ("resources", [[0, 0, 10**8, 1]]),
        ("resources", [[0, 0, 1]]),
        ("starts", [[0, -1, 1]]),
        ("starts", [[0, 0, 1.5]]),
        ("starts", [[0, 0, 2**63]]),
        ("starts", {}),
        ("unit", "1/2"),
        ("more", 1),
    ):
        with pytest.raises(InputError) as caught:
            StartPrices.from_json({**row, name: rows}, instance)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200
