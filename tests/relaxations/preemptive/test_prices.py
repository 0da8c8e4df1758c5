"""Price certificates: value by the dual's rows, never above the optimum."""

from __future__ import annotations

import random
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.instances import from_json
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.bounds import bound_from_prices
from schedproof.relaxations.preemptive.prices import BITS, PriceCertificate, Prices, certify
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.formulations.preemptive.test_minlp import answer
from tests.relaxations.preemptive.literal import worth_of_prices
from tests.relaxations.preemptive.test_lp4 import with_more_of_everything
from tests.support import size

COSTS = ["printed", "half"]  # by how many halves of the processing time they add
Asked = dict[str, Any]  # the bound's parameters
USUAL: Asked = {"cost": "half", "speed": Fraction(1)}


def by_rows(instance: Instance, certificate: PriceCertificate, asked: Asked = USUAL) -> Fraction:
    place = [(q.server.name, q.type) for q in instance.classes]
    units: dict[Any, int] = {(place[q], t): int(n) for (q, t), n in np.ndenumerate(certificate.prices.units) if n}
    values = [int(v) for v in certificate.values]
    return worth_of_prices(instance, units, values, COSTS.index(asked["cost"]), asked["speed"])


def drawn(instance: Instance, rng: random.Random, largest: int, slots: int = 12) -> tuple[PriceCertificate, Asked]:
    """A certificate with random prices and values, up to a size in units of 2^-BITS."""

    def some() -> int:
        return rng.choice([0, rng.randrange(1 + largest), rng.randrange(1 + largest) >> BITS << BITS])

    units = np.array([[some() for _ in range(slots)] for _ in instance.classes], dtype=np.int64)
    values = np.array([some() for _ in instance.jobs], dtype=np.int64)
    return PriceCertificate(Prices(units), values), {"cost": rng.choice(COSTS), "speed": rng.choice(SPEEDS)}


@pytest.mark.parametrize("bits", [BITS + 1, BITS + 4, 40, 61], ids=["1", "8", "2^16", "2^37"])
def test_its_value_equals_that_of_its_rows(bits: int) -> None:
    # Including prices whose sums and products exceed 63 bits.
    for seed in range(size(10, 24, 500)):
        rng = random.Random(seed)
        instance = micro_instance(seed, units=8, late=9)
        certificate, asked = drawn(instance, rng, 2**bits - 1)
        assert certificate.value(instance, **asked) == by_rows(instance, certificate, asked), seed


def test_its_value_equals_that_of_its_rows_for_a_long_window() -> None:
    # Each product fits 63 bits, their sum does not.
    for seed in range(size(3, 6, 50)):
        instance = micro_instance(seed, units=40, most_jobs=20, cloud=False, late=40)
        for bits in range(52, 62):
            values = np.full(len(instance.jobs), 2**bits - 1, dtype=np.int64)
            certificate = PriceCertificate(Prices(np.zeros((len(instance.classes), 0), dtype=np.int64)), values)
            assert certificate.value(instance, **USUAL) == by_rows(instance, certificate), (seed, bits)


def test_arbitrary_prices_never_prove_more_than_the_optimum() -> None:
    for seed in range(size(10, 24, 500)):
        rng = random.Random(seed)
        instance = micro_instance(seed, cloud=False, units=8, late=9)
        certificate, asked = drawn(instance, rng, 3 << BITS)
        program = sp.program("preemptive.lp4", **asked)
        lp = program.solve(instance, solver="flow")
        if lp.exact is not None:
            assert certificate.value(instance, **asked) <= lp.exact, seed


@given(data=st.data())
def test_the_best_values_for_any_prices_never_prove_more_than_the_optimum(data: st.DataObject) -> None:
    # Exact without a cloud; with a cloud against the exact optimum of program (2).
    instance = micro_instance(data.draw(st.integers(0, 10**6)), late=6)
    beta = data.draw(
        st.lists(
            st.lists(st.floats(-1, 4, allow_nan=False), min_size=8, max_size=8),
            min_size=len(instance.classes),
            max_size=len(instance.classes),
        )
    )
    bound = bound_from_prices(instance, np.array(beta).reshape(-1, 8), cost="half")
    assert bound.verify(instance)
    if instance.cloud is None:
        exact = sp.program("preemptive.lp4").solve(instance, solver="flow").exact
    else:
        jct = answer(sp.program("preemptive.minlp2").solve(instance, solver="cpsat"))
        exact = None if jct is None else Fraction(jct)
    assert exact is None or bound.exact <= exact


@pytest.mark.parametrize("cost", COSTS)
def test_the_lps_own_prices_prove_its_optimum_up_to_rounding(cost: str) -> None:
    # Prices and values are rounded to 2^-24, each once per worker slot: at most their number times 2^-24 is lost.
    compared = 0
    for seed in range(size(5, 18, 400)):
        instance, speed = with_more_of_everything(seed), SPEEDS[seed % 4]
        lp = sp.program("preemptive.lp4", cost=cost, speed=speed).solve(instance, solver="matrix")
        if lp.objective is None:
            continue
        bound = sp.bound("preemptive.lp4", instance, cost=cost, speed=speed)
        lost = 1e-9 * max(1.0, lp.objective) + 2.0**-BITS * instance.horizon * sum(q.count for q in instance.classes)
        lost += 2.0**-BITS * sum(j.chunks * instance.horizon for j in instance.jobs)
        assert lp.objective - lost <= bound.value <= lp.objective + 1e-9 * max(1.0, lp.objective), seed
        assert bound.verify(instance)
        compared += 1
    assert compared


def test_bounds_are_below_the_exact_optimum_of_program_2() -> None:
    compared = 0
    for seed in range(1000, 1000 + size(5, 10, 400)):
        instance, speed = micro_instance(seed, late=8), SPEEDS[seed % 4]
        jct = answer(sp.program("preemptive.minlp2", speed=speed).solve(instance))
        if jct is not None:
            for prices in ("lp", "free"):
                assert sp.bound("preemptive.lp4", instance, speed=speed, prices=prices).exact <= jct, seed
            compared += 1
    assert compared


def test_zero_prices_prove_every_jobs_minimal_need() -> None:
    instance = micro_instance(3, cloud=False, late=9)
    alone = Fraction(0)
    for job in instance.jobs:
        first = min(delay for _, delay in instance.qualified(job))
        p = job.slots()
        alone += first + Fraction(p - 1, 2) + Fraction(p + 1, 2)  # the average slot it needs, plus half processing
    lost = Fraction(sum(job.chunks for job in instance.jobs), 2**BITS) * instance.horizon
    assert alone - lost <= sp.bound("preemptive.lp4", instance, prices="free").exact <= alone


def test_a_very_long_delay_takes_no_memory() -> None:
    value = next(i for i in map(micro_instance, range(99)) if len(i.edges) > 1 and i.cloud is not None).to_json()
    for job in value["jobs"]:
        job["upload_delay"][value["servers"][0]["name"]] = 999_999_999
    instance = from_json(value)
    assert max(delay for job in instance.jobs for _, delay in instance.qualified(job)) > 10**8
    tracemalloc.start()
    sp.bound("preemptive.lp4", instance, prices="free")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 << 20


def good(seed: int = 5) -> tuple[Instance, Bound]:
    instance = micro_instance(seed, units=10, late=9)
    return instance, sp.bound("preemptive.lp4", instance)


def test_a_changed_bound_price_value_cost_or_speed_is_rejected() -> None:
    instance, bound = good()
    certificate = bound.witness
    assert isinstance(certificate, PriceCertificate) and bound.verify(instance)
    dearer, units = certificate.values.copy(), certificate.prices.units.copy()
    dearer[0] += 1 << BITS
    units[0, 0] += 1 << BITS
    changed = [
        replace(bound, exact=bound.exact + Fraction(1, 10**12)),
        replace(bound, witness=replace(certificate, values=dearer)),
        replace(bound, witness=replace(certificate, prices=Prices(units))),
        replace(bound, parameters=USUAL | {"cost": "printed"}),
        replace(bound, parameters=USUAL | {"speed": Fraction(2)}),
    ]
    assert [b.verify(instance) for b in changed] == [False] * len(changed)


def test_a_negative_price_or_value_is_rejected() -> None:
    instance, bound = good()
    certificate = bound.witness
    assert isinstance(certificate, PriceCertificate)
    for units, values in (
        (certificate.prices.units - 1, certificate.values),
        (certificate.prices.units, -certificate.values),
    ):
        with pytest.raises(ValueError, match="negative"):
            PriceCertificate(Prices(units), values).value(instance, **USUAL)


def test_a_certificate_of_another_size_is_rejected() -> None:
    instance, bound = good()
    certificate = bound.witness
    assert isinstance(certificate, PriceCertificate)
    smaller = [
        replace(certificate, values=certificate.values[:-1]),
        replace(certificate, prices=Prices(certificate.prices.units[:-1])),
    ]
    for other in smaller:
        with pytest.raises(ValueError, match="another instance"):
            other.value(instance, **USUAL)
        assert not replace(bound, witness=other).verify(instance)


def test_prices_changed_in_place_are_seen() -> None:
    changed = 0
    for seed in range(size(5, 12, 100)):
        instance = micro_instance(seed, units=10, late=9)
        certificate = certify(instance, Prices(np.full((len(instance.classes), 30), 1 << BITS, dtype=np.int64)))
        before = certificate.value(instance, **USUAL)
        certificate.prices.units[:] = 0
        assert certificate.value(instance, **USUAL) == by_rows(instance, certificate), seed
        changed += certificate.value(instance, **USUAL) != before
    assert changed


def test_prices_that_are_not_integer_units_are_rejected() -> None:
    instance, bound = good()
    certificate = bound.witness
    assert isinstance(certificate, PriceCertificate)
    for other in (
        replace(certificate, values=certificate.values + 0.5),
        replace(certificate, prices=Prices(certificate.prices.units * 1.5)),
    ):
        assert not replace(bound, witness=other).verify(instance)


def test_huge_prices_are_an_error_and_never_a_wrong_number() -> None:
    instance = micro_instance(5, units=10, late=9)
    with pytest.raises(OverflowError, match="too large"):
        bound_from_prices(instance, np.full((len(instance.classes), 5), 1e30))
    for value in (2.0**30, 2.0**36, 1.9 * 2.0**37):
        bound = bound_from_prices(instance, np.full((len(instance.classes), 30), value))
        certificate = bound.witness
        assert isinstance(certificate, PriceCertificate)
        assert bound.exact == by_rows(instance, certificate) and bound.exact < 10**6
