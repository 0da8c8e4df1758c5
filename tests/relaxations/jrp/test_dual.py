from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.runtime.context import Context
from schedproof.relaxations.jrp.bounds import conic, rationals, split, split_free
from schedproof.relaxations.jrp.certificate import ConicPrices, SplitFreePrices, SplitPrices
from schedproof.relaxations.jrp.dual import Dual
from schedproof.relaxations.jrp.quasi_newton import minimum
from tests.relaxations.jrp.odd import ODD, outer_optimum
from tests.support import size
from tests.tiny.jrp import tiny_cells

KINDS = [(conic, ConicPrices), (split_free, SplitFreePrices), (split, SplitPrices)]


@pytest.mark.parametrize(("relaxation", "kind"), KINDS)
def test_it_equals_the_certificates_value(relaxation: type, kind: type) -> None:
    for seed in range(size(5, 18, 300)):
        instance, rng = tiny_cells(seed), np.random.default_rng(seed)
        prices = rng.choice([0.0, 0.01, 0.1, 1.0], (3, len(instance.servers))) * rng.random((3, len(instance.servers)))
        exact = kind(*(rationals(row, np.ones(1)) for row in prices)).value(instance)
        assert Dual(instance, relaxation(instance)).value(prices) == pytest.approx(float(exact), abs=1e-10), seed


@pytest.mark.parametrize(("relaxation", "kind"), KINDS)
def test_the_smooth_function_is_above_it_with_the_stated_slopes(relaxation: type, kind: type) -> None:
    for seed in range(size(3, 9, 200)):
        instance, rng = tiny_cells(seed, jobs=6), np.random.default_rng(seed)
        dual = Dual(instance, relaxation(instance))
        prices, way = rng.random((2, 3, len(instance.servers))) + 0.1
        for temperature in (1.0, 0.1):
            value, slopes = dual.smooth(prices, temperature)
            ahead, behind = (dual.smooth(prices + step * way, temperature)[0] for step in (1e-6, -1e-6))
            assert (slopes * way).sum() == pytest.approx((ahead - behind) / 2e-6, rel=1e-7, abs=1e-7), seed
            assert value >= dual.value(prices), seed
        assert dual.smooth(prices, 1e-6)[0] == pytest.approx(dual.value(prices), abs=1e-5)


@pytest.mark.parametrize(("relaxation", "kind"), KINDS)
def test_the_descent_ends_near_the_linear_programs_value(relaxation: type, kind: type) -> None:
    for seed in range(size(3, 5, 300)):
        instance = tiny_cells(seed, jobs=5, split=seed % 2 == 0)
        side = relaxation(instance)
        found = outer_optimum(instance, side)
        dual = Dual(instance, side)
        assert found is not None and -1e-9 <= dual.value(dual.descend(1e-5)) - found.value <= 1e-5, seed


def test_the_descent_reports_every_temperature() -> None:
    told: list[str] = []
    instance = tiny_cells(1)
    Dual(instance, conic(instance)).descend(1e-5, Context(progress=lambda message, done=None: told.append(message)))
    assert told[0].startswith("temperature 1e-01: at most ")


def test_a_price_of_zero_can_increase_again() -> None:
    # At 0 the slopes in the root of a price are 0: a descent stuck there ends 0.02 above the optimum here.
    instance = tiny_cells(58)
    dual = Dual(instance, conic(instance))
    found = outer_optimum(instance, conic(instance))
    assert found is not None and dual.value(dual.descend(1e-5)) == pytest.approx(found.value, abs=1e-5)


@pytest.mark.parametrize("name", ODD)
def test_extreme_instances(name: str) -> None:
    instance, accepted = ODD[name]
    dual = Dual(instance, conic(instance))
    assert dual.value(dual.descend(1e-5)) == pytest.approx(float(accepted), abs=1e-9)


def test_on_an_empty_server_a_prohibitive_price_rejects_every_job() -> None:
    for name in ("no storage", "no compute", "no bandwidth", "nothing of anything"):
        instance, accepted = ODD[name]
        dual = Dual(instance, conic(instance))
        assert dual.value(dual.best()) == accepted, name
        assert ConicPrices(*(rationals(row, np.ones(1)) for row in dual.best())).value(instance) == accepted


def test_the_best_prices_prove_the_most_and_at_least_the_trivial_bound() -> None:
    instance = tiny_cells(7)
    dual = Dual(instance, conic(instance))
    good, bad = dual.descend(1e-5), np.full((3, len(instance.servers)), 9.0)
    assert dual.value(dual.best(bad, good, bad)) == dual.value(good) < dual.value(bad)
    assert not dual.best(bad).any()


def test_the_minimiser_finds_the_bottom_of_a_bent_valley() -> None:
    def valley(x: np.ndarray) -> tuple[float, np.ndarray]:
        bent = x[1:] - x[:-1] ** 2
        slopes = np.zeros_like(x)
        slopes[1:] += 200 * bent
        slopes[:-1] += -400 * x[:-1] * bent - 2 * (1 - x[:-1])
        return float(100 * bent @ bent + ((1 - x[:-1]) ** 2).sum()), slopes

    assert minimum(valley, np.full(10, -0.5), 1000) == pytest.approx(np.ones(10), abs=1e-5)
    few, more = (valley(minimum(valley, np.full(10, -0.5), steps))[0] for steps in (5, 50))
    assert more < few < valley(np.full(10, -0.5))[0]


def test_prices_are_rounded_within_the_tolerance() -> None:
    amounts = np.array([0.0, 3.0, 1e12])
    for price, rational in zip([0.0, 1 / 3, 1e-13], rationals(np.array([0.0, 1 / 3, 1e-13]), amounts), strict=True):
        assert abs(rational - Fraction(price)) * 10**12 <= Fraction(1, 10**15)
        assert rational.denominator & (rational.denominator - 1) == 0
