from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.instances.preemptive import Instance, from_json
from schedproof.relaxations.preemptive import ascent, configuration
from schedproof.relaxations.preemptive.ascent_kernels import configuration_use
from schedproof.relaxations.preemptive.configuration import ConfigurationCertificate, FloatingCertificate
from schedproof.relaxations.preemptive.prices import BITS, PriceCertificate, Prices
from tests.formulations.preemptive.literal import landing, times
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.formulations.preemptive.test_minlp import answer
from tests.relaxations.preemptive.test_ascent import busy, some_prices
from tests.relaxations.preemptive.test_lp4 import with_more_of_everything
from tests.support import size
from tests.tiny.preemptive import job as row


def by_definition(instance: Instance, units: np.ndarray, speed: Fraction, moves: bool = False) -> Fraction:
    """Every job's best completion with its cheapest slots, minus the rent.

    With ``moves`` a slot in which the job has landed in the cloud is free.
    """
    total = Fraction(0)
    number = {(q.server.name, q.type): q.index for q in instance.classes}
    for job in instance.jobs:
        p, in_cloud = times(job, speed)
        ways = {
            number[s.name, kind]: lands
            for s in instance.edges
            for kind in s.workers
            for lands in [landing(instance, job, s.name)]
            if lands is not None and kind in job.worker_types and (s.name, kind) in number
        }
        costs = []
        cloud = None if instance.cloud is None else landing(instance, job, instance.cloud.name)
        if cloud is not None:
            costs.append(Fraction(cloud + in_cloud - job.arrival))
        for end in range(job.arrival + 1, units.shape[1] + instance.horizon + p):
            slots = [
                0
                if moves and cloud is not None and cloud <= t
                else min(int(units[q, t]) if t < units.shape[1] else 0 for q, lands in ways.items() if lands <= t)
                for t in range(job.arrival, end)
                if any(lands <= t for lands in ways.values()) or (moves and cloud is not None and cloud <= t)
            ]
            if len(slots) >= p:
                costs.append(end - job.arrival + Fraction(job.chunks * sum(sorted(slots)[:p]), 1 << BITS))
        total += min(costs)
    return total - sum(
        (q.count * Fraction(int(units[q.index].sum()), 1 << BITS) for q in instance.classes), Fraction(0)
    )


def test_its_value_equals_the_definition() -> None:
    compared = differ = 0
    for seed in range(size(8, 20, 600)):
        rng, speed = random.Random(seed), SPEEDS[seed % 4]
        instance = micro_instance(seed, units=12, most_jobs=5, late=9)
        try:
            market, kinds = ascent.market(instance, speed)
        except ProgramError:
            continue
        prices = [some_prices(rng, market.count.size, 8) for _ in range(2)]
        worth, used = [], []
        for units in prices:
            values = [
                proof(Prices(units[kinds])).value(instance, speed)
                for proof in (ConfigurationCertificate, FloatingCertificate)
            ]
            assert values == [by_definition(instance, units[kinds], speed, moves) for moves in (False, True)], seed
            assert values[1] <= values[0], seed
            differ += values[1] < values[0]
            used.append(np.zeros(units.shape))
            whole = units / 2.0**BITS
            worth.append(configuration_use(whole, market, 1.0, seed % 2 == 1, np.zeros(len(instance.jobs)), used[-1]))
        for n, m in ((0, 1), (1, 0)):
            assert worth[m] <= worth[n] + np.vdot(used[n], prices[m] - prices[n]) / 2.0**BITS + 1e-9, seed
        compared += 1
    assert compared and differ


def test_classes_of_a_kind_may_have_separate_prices() -> None:
    for seed in range(size(6, 10, 300)):
        instance = micro_instance(seed, units=12, most_jobs=5, late=9)
        units = some_prices(random.Random(seed), len(instance.classes), 9)
        assert ConfigurationCertificate(Prices(units)).value(instance, Fraction(1)) == by_definition(
            instance, units, Fraction(1)
        ), seed


def test_with_the_lps_prices_it_is_at_least_the_lp() -> None:
    more = 0
    for seed in range(size(5, 12, 200)):
        instance, speed = with_more_of_everything(seed), SPEEDS[seed % 4]
        try:
            lp = sp.bound("preemptive.lp4", instance, speed=speed)
        except (NoSolution, ProgramError):
            continue
        assert isinstance(lp.witness, PriceCertificate)
        value = ConfigurationCertificate(lp.witness.prices).value(instance, speed)
        assert value >= lp.exact, seed
        more += value > lp.exact + Fraction(1, 100)
    assert more


def test_it_is_below_the_optimum_of_program_2() -> None:
    compared = tight = 0
    for seed in range(size(6, 12, 500)):
        instance, speed = micro_instance(seed, late=8, units=8), SPEEDS[seed % 4]
        jct = answer(sp.program("preemptive.minlp2", speed=speed).solve(instance, solver="cpsat"))
        if jct is not None:
            bound = sp.bound("preemptive.configuration_lp", instance, speed=speed, steps=40)
            assert bound.verify(instance) and bound.exact <= jct, seed
            compared, tight = compared + 1, tight + (bound.exact > jct - Fraction(1, 10))
    assert compared and tight


def test_bounds_on_floating_chunks_are_below_their_optimum() -> None:
    # lp4 and floating_configuration_lp against enumeration, with clouds and without.
    compared = 0
    for seed in range(size(8, 24, 1500)):
        instance, speed = micro_instance(seed, late=8, units=6), SPEEDS[seed % 4]
        program = sp.program("preemptive.minlp2", chunks="floating", speed=speed, ps_release="none")
        if (jct := answer(program.solve(instance, solver="brute"))) is None:
            continue
        for name, options in (("lp4", {}), ("floating_configuration_lp", {"steps": 40})):
            bound = sp.bound(f"preemptive.{name}", instance, speed=speed, **options)
            assert bound.verify(instance) and bound.exact <= jct, (name, seed)
        compared += 1
    assert compared


def test_a_chunk_that_moves_to_the_cloud_beats_the_bound_of_chunks_that_stay() -> None:
    jobs = [
        row("a", minibatch_time=3, upload_delay={"e": 1, "sky": 3}),
        row("b", chunks=2, minibatch_time=4, upload_delay={"e": 0, "sky": 4}),
    ]
    cloud = {"name": "sky", "cloud": True}
    value = {"version": 1, "family": "preemptive", "horizon": 20, "jobs": jobs}
    value["servers"] = [{"name": "e", "workers": {"gpu": 2}, "parameter_servers": 9}, cloud]
    instance = from_json(value)
    optimum = answer(sp.program("preemptive.minlp2", chunks="floating").solve(instance))
    names = ("preemptive.configuration_lp", "preemptive.floating_configuration_lp")
    stays, moves = (sp.bound(name, instance, steps=100).exact for name in names)
    assert optimum == 9 and moves <= 9 < stays


@pytest.mark.parametrize("cloud", [False, True])
def test_it_is_above_the_lp_on_a_busy_day(cloud: bool) -> None:
    instance = busy(1, cloud=cloud)
    lp = sp.bound("preemptive.lp4", instance, prices="ascent", steps=100)
    assert sp.bound("preemptive.configuration_lp", instance, steps=100).exact > lp.exact


def test_a_certificate_of_another_size_sign_or_type_is_rejected() -> None:
    instance = busy(1, cloud=False)
    units = np.ones((len(instance.classes), 5), dtype=np.int64)
    for wrong, sentence in (
        (units[:-1], "another instance"),
        (units * 1.5, "another instance"),
        (-units, "negative"),
        (units << 60, "too large"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ConfigurationCertificate(Prices(wrong)).value(instance, Fraction(1))


def test_prices_that_would_leave_63_bits_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = busy(1, cloud=False)
    usual = sp.bound("preemptive.configuration_lp", instance, steps=5)
    monkeypatch.setattr(configuration, "LARGEST_PRODUCT", (2 * instance.horizon + 2 * 80) << 24)
    cut = sp.bound("preemptive.configuration_lp", instance, steps=5)
    assert configuration.dearest(instance, Fraction(1)) < usual.witness.prices.units.max()
    assert cut.verify(instance) and 0 < cut.exact < usual.exact
