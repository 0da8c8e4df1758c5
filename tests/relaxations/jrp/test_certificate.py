from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from schedproof.core.programs.named import program as named
from schedproof.instances.jrp import Instance
from schedproof.reference import jrp_linear as linear
from schedproof.relaxations.jrp.certificate import ConicPrices, Prices, SplitFreePrices, SplitPrices
from tests.relaxations.jrp.odd import ODD, instance_of, job
from tests.support import size
from tests.tiny.jrp import tiny_cells

TINY = Fraction(1, 2**40)
KINDS = [ConicPrices, SplitFreePrices, SplitPrices]


def some_prices(rng: random.Random, servers: int) -> tuple[tuple[Fraction, ...], ...]:
    """Random prices of any size and denominator, many of them 0."""
    amounts = [0, 0, 1, 2, 3]
    return tuple(
        tuple(Fraction(rng.choice(amounts), rng.choice([7, 30, 64, 1000])) for _ in range(servers)) for _ in range(3)
    )


def literally(kind: type[Prices], instance: Instance, prices: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    share, rows = instance.communication_share, tuple(zip(*prices, strict=True))
    if kind is ConicPrices:
        return linear.conic(instance, rows, bits=300)
    return linear.dual_bound(instance, rows, *((1 - share, share) if kind is SplitPrices else ()))


@pytest.mark.parametrize("kind", KINDS)
def test_the_value_equals_the_proofs_rounded_up(kind: type[Prices]) -> None:
    for seed in range(size(5, 24, 500)):
        instance = tiny_cells(seed, jobs=5)
        prices = some_prices(random.Random(seed), len(instance.servers))
        apart = kind(*prices).value(instance) - literally(kind, instance, prices)
        rounded = Fraction(len(instance.jobs) + len(instance.servers), 2**64)
        # w on its grid of 1 / (unit scale), for prices whose unit is as small as here
        slack = Fraction(1, 10) if kind is ConicPrices else rounded
        assert 0 <= apart <= slack, seed


def test_a_fine_unit_reproduces_the_doubles_w() -> None:
    for seed in range(size(5, 24, 500)):
        instance = tiny_cells(seed, jobs=5)
        prices = some_prices(random.Random(seed), len(instance.servers))
        fine = tuple(tuple(Fraction(int(price * 2**80), 2**80) for price in row) for row in prices)
        apart = ConicPrices(*fine).value(instance) - literally(ConicPrices, instance, fine)
        assert 0 <= apart <= TINY, seed


@pytest.mark.parametrize(
    ("kind", "program"), [(ConicPrices, "jrp.exact"), (SplitFreePrices, "jrp.exact"), (SplitPrices, "jrp.split")]
)
def test_any_prices_prove_a_bound(kind: type[Prices], program: str) -> None:
    tight = 0
    for seed in range(size(5, 36, 600)):
        instance, rng = tiny_cells(seed, split=seed % 2 == 0), random.Random(seed)
        best = named(program).solve(instance, "brute").exact
        assert best is not None
        for _ in range(4):
            value = kind(*some_prices(rng, len(instance.servers))).value(instance)
            assert value >= best, seed
            tight += value < best + 1
    assert tight > 0


def test_the_conic_one_is_never_worse_than_the_split_free_one_with_the_same_prices() -> None:
    better = 0
    for seed in range(size(5, 24, 500)):
        instance = tiny_cells(seed)
        prices = some_prices(random.Random(seed), len(instance.servers))
        conic, free = ConicPrices(*prices).value(instance), SplitFreePrices(*prices).value(instance)
        assert conic <= free, seed
        better += conic < free
    assert better > 0


def test_by_hand() -> None:
    # One server of compute and bandwidth 4: two jobs of 2 GB with a = b = 1 just do not fit together.
    instance = instance_of([("99", "4", "4")], job([("2", [0])]), job([("2", [0])]), job([("2", [0])]))
    eighth = Fraction(1, 8)
    prices = (Fraction(0),), (eighth,), (eighth,)
    assert ConicPrices(*prices).value(instance) == 1  # 2 GB cost 2 (1/8 + 1/8 + 2/8) = 1
    assert SplitFreePrices(*prices).value(instance) == Fraction(5, 2)  # 2 GB cost 1/2
    assert SplitPrices(*prices).value(instance) == 2  # the same, of half as much
    double = replace(ConicPrices(*prices), compute=(2 * eighth,))
    assert double.value(instance) == Fraction(3, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_invalid_prices_are_rejected(kind: type[Prices]) -> None:
    instance = tiny_cells(0)
    good: Any = kind(*some_prices(random.Random(1), 3))
    good.value(instance)
    for name in ("storage", "compute", "bandwidth"):
        row = getattr(good, name)
        for wrong in (Fraction(-1, 10**30), 0.5, float("nan"), float("inf"), 1, None):
            with pytest.raises(ValueError, match="negative or not rational"):
                replace(good, **{name: (*row[:2], wrong)}).value(instance)
        for other in (row[:2], (*row, Fraction(0)), ()):
            with pytest.raises(ValueError, match="belongs to another instance"):
                replace(good, **{name: other}).value(instance)


@pytest.mark.parametrize("name", ODD)
def test_extreme_instances(name: str) -> None:
    instance, accepted = ODD[name]
    nothing = (Fraction(0),) * len(instance.servers)
    for kind in KINDS:
        free = kind(nothing, nothing, nothing).value(instance)
        assert free == sum(all(node.servers for node in each.nodes) for each in instance.jobs) >= accepted


def test_it_is_written_exactly() -> None:
    prices = some_prices(random.Random(3), 3)
    for kind in KINDS:
        told = msgspec.json.decode(msgspec.json.encode(kind(*prices).to_json()))
        assert kind.from_json(told, tiny_cells(0)) == kind(*prices)
