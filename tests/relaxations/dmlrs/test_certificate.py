from __future__ import annotations

import json
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.instances import dmlrs
from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs.bounds import certify, rdmlrs_lp_bound, tangents
from schedproof.relaxations.dmlrs.certificate import COST_LIMIT, PriceCertificate
from schedproof.relaxations.dmlrs.column_generation import column_generation
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Pricing
from schedproof.relaxations.dmlrs.progress import rate_ratio
from tests.relaxations.dmlrs.prices import cheapest
from tests.relaxations.dmlrs.test_column_generation import scarce, short_jobs
from tests.support import size

NONE = np.empty((0, 4), dtype=np.int64)


def drawn(instance: Instance, rng: random.Random, bits: int, alike: bool) -> PriceCertificate:
    top = rng.choice([1, 2, 5]) << max(bits, 0)
    shape = (instance.horizon, 1 if alike else len(instance.machines), len(instance.resources))
    prices = np.array([rng.choice([0, rng.randrange(top + 1)]) for _ in range(int(np.prod(shape)))], dtype=np.int64)
    everywhere = np.broadcast_to(prices.reshape(shape), (shape[0], len(instance.machines), shape[2])).copy()
    fineness = np.array([rate_ratio(job).denominator for job in instance.jobs], dtype=np.int64)
    return PriceCertificate(everywhere, bits, fineness, NONE)


def truth(instance: Instance, certificate: PriceCertificate) -> Fraction:
    unit = Fraction(2) ** -certificate.bits
    value = Fraction(0)
    for t, h, r in np.ndindex(certificate.prices.shape):
        free = instance.free(t, instance.machines[h], instance.resources[r]) * instance.grid.per_unit[r]
        value += int(certificate.prices[t, h, r]) * unit * free
    for job in instance.jobs:
        costs = cheapest(instance, job, [row.astype(float) for row in certificate.prices[job.arrival :]])
        paid = [job.utility.upper(x + 1) - cost * unit for x, cost in enumerate(costs) if cost is not None]
        value += max(Fraction(0), *paid, Fraction(0))
    return value


@pytest.mark.parametrize("bits", [-1, 0, 3, 40])
def test_its_value_is_exact_if_the_machines_prices_are_equal(bits: int) -> None:
    for seed in range(size(3, 6, 200)):
        instance = scarce(seed, jobs=3)
        certificate = drawn(instance, random.Random(seed), bits, alike=True)
        assert certificate.value(instance) == truth(instance, certificate), seed


def test_its_value_is_never_below_the_true_value() -> None:
    loose = tighter = 0
    for seed in range(size(5, 18, 500)):
        rng, instance = random.Random(seed), scarce(seed, jobs=3, machines=2 + seed % 2)
        bare = drawn(instance, rng, rng.choice([0, 10]), alike=False)
        least, top = truth(instance, bare), int(bare.prices.max()) * 4 + 2
        rows = [
            (rng.randrange(len(instance.jobs)), rng.randrange(instance.horizon), rng.randrange(top), rng.randrange(top))
            for _ in range(60)
        ]
        any_rows = replace(bare, tangents=np.array(rows, dtype=np.int64))
        made = replace(bare, tangents=tangents(instance, bare.prices))
        coarse = replace(bare, fineness=np.array([rng.randrange(1, 4) for _ in instance.jobs], dtype=np.int64))
        values = [certificate.value(instance) for certificate in (bare, any_rows, made, coarse)]
        assert min(values) >= least, seed
        assert max(values[1:3]) <= values[0] <= values[3], seed
        loose += values[0] > least
        tighter += values[2] < values[0]
    assert loose and tighter


def test_irrational_utilities_are_rounded_up() -> None:
    for seed in range(size(3, 6, 100)):
        instance = scarce(seed, exact_utilities=False, jobs=3)
        certificate = drawn(instance, random.Random(seed), 5, alike=True)
        assert 0 <= certificate.value(instance) - truth(instance, certificate) < 2.0**-38


def test_the_smallest_utilities_count() -> None:
    value = short_jobs(7, machines=2, jobs=3)
    value["jobs"][0]["utility"] = {"kind": "constant", "value": Decimal("1e-15")}
    value["jobs"][1]["utility"] = {"kind": "table", "values": [Decimal("1e-9"), Decimal("1e-13"), Decimal("1e-16")]}
    instance = dmlrs.from_json(value)
    assert not {0, 1} & {job.index for job in instance.unservable_jobs}
    bare = drawn(instance, random.Random(0), 60, alike=True)
    certificate = replace(bare, prices=np.zeros_like(bare.prices))
    assert certificate.value(instance) >= truth(instance, certificate)
    assert column_generation(instance).best.bound >= sp.program("dmlrs.rdmlrs").solve(instance, solver="packing").exact


def test_the_best_prices_prove_the_bound_of_column_generation() -> None:
    for seed in range(size(5, 12, 200)):
        instance = scarce(seed)
        found = column_generation(instance, fineness="exact")
        certificate = certify(instance, found, "exact")
        assert certificate.value(instance) == pytest.approx(found.best.bound, rel=1e-9, abs=1e-9), seed


def test_prices_that_differ_by_machine_lose_little() -> None:
    for seed in range(size(3, 6, 50)):
        rng, instance = random.Random(seed), scarce(seed, machines=3, most_workers=4)
        classes = MachineClasses.of_instance(instance)
        prices = np.array([1 + rng.random() for _ in range(classes.capacity.size)]).reshape(classes.capacity.shape)
        priced = Pricing(instance, classes)(prices, "exact")
        by_machine = classes.by_machine(priced.prices)
        fineness = np.array([rate_ratio(job).denominator for job in instance.jobs], dtype=np.int64)
        certificate = PriceCertificate(by_machine, priced.bits, fineness, tangents(instance, by_machine))
        assert 0.999999 <= float(certificate.value(instance) / priced.bound) < 1.02, seed


def good() -> tuple[Instance, Bound, PriceCertificate]:
    instance = scarce(13)
    bound = rdmlrs_lp_bound(instance)
    certificate = bound.witness
    assert isinstance(certificate, PriceCertificate) and certificate.prices.any() and bound.verify(instance)
    return instance, bound, certificate


def changed(numbers: np.ndarray, value: int) -> np.ndarray:
    result = numbers.copy()
    result.flat[0] = value
    return result


def test_a_malformed_certificate_is_rejected() -> None:
    instance, bound, c = good()
    row = np.array([[0, 0, 1, 1]], dtype=np.int64)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("negative", {"prices": changed(c.prices, -1)}),
        ("negative", {"tangents": changed(row, -1)}),
        ("negative", {"tangents": -row}),
        ("another", {"prices": c.prices[1:]}),
        ("another", {"prices": c.prices[:, 1:]}),
        ("another", {"prices": c.prices[:, :, :0]}),
        ("another", {"fineness": c.fineness[1:]}),
        ("another", {"tangents": row[:, :3]}),
        ("another", {"tangents": row[0]}),
        ("integers", {"prices": c.prices.astype(float)}),
        ("integers", {"fineness": c.fineness / 2}),
        ("integers", {"tangents": row.astype(object)}),
        ("integers", {"bits": 1.5}),
        ("fineness", {"fineness": changed(c.fineness, 0)}),
        ("fineness", {"fineness": changed(c.fineness, 2**40)}),
        ("unknown job", {"tangents": changed(row, len(instance.jobs))}),
        ("unknown job", {"tangents": np.array([[0, instance.horizon, 1, 1]], dtype=np.int64)}),
        ("large", {"prices": changed(c.prices, COST_LIMIT)}),
        ("large", {"prices": np.full_like(c.prices, 2**62)}),
        ("large", {"tangents": np.array([[0, 0, COST_LIMIT, 1]], dtype=np.int64)}),
        ("unit", {"bits": 5000}),
    ]
    for words, parts in wrong:
        forged = replace(c, **parts)
        with pytest.raises(ValueError, match=words):
            forged.value(instance)
        assert not replace(bound, witness=forged).verify(instance)


def test_a_bound_not_proven_by_its_certificate_is_rejected() -> None:
    instance, bound, certificate = good()
    assert not replace(bound, exact=bound.exact - Fraction(1, 10**9)).verify(instance)
    assert not replace(bound, witness=replace(certificate, prices=certificate.prices * 0)).verify(instance)
    assert not replace(bound, witness=replace(certificate, bits=certificate.bits - 1)).verify(instance)
    assert not bound.verify(scarce(11))


def test_its_value_is_restored_after_an_array_is_changed_back() -> None:
    instance, bound, certificate = good()
    certificate.prices[certificate.prices > 0] += 1
    assert not bound.verify(instance)
    certificate.prices[certificate.prices > 0] -= 1
    assert bound.verify(instance)


def test_it_is_written_with_all_its_prices() -> None:
    instance, _, certificate = good()
    value = json.loads(json.dumps(certificate.to_json()))
    prices = np.zeros_like(certificate.prices)
    for t, first, last, *row in value["prices"]:
        prices[t, first : last + 1] = row
    assert (prices == certificate.prices).all()
    assert Fraction(value["unit"]) == Fraction(2) ** -certificate.bits
    assert value["fineness"] == certificate.fineness.tolist()
    assert value["tangents"] == certificate.tangents.tolist()
    again = PriceCertificate.from_json(value, instance)
    assert again.to_json() == certificate.to_json() and again.value(instance) == certificate.value(instance)
