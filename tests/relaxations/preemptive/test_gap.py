from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.certificates.gap import account
from schedproof.core.errors import ProgramError
from schedproof.instances import from_json
from schedproof.instances.preemptive import Intervals, Services
from schedproof.relaxations.preemptive.prices import PriceCertificate, Prices
from schedproof.workloads.preemptive import generate
from tests.certificates import instance_of
from tests.gaps import adds_up, gap_of, ratios, refused
from tests.support import size
from tests.tiny.preemptive import instance_of as instance_by_hand
from tests.tiny.preemptive import job


@settings(max_examples=size(5, 6, 1000))
@given(st.integers(0, 10**6))
def test_the_parts_are_nonnegative_and_add_up(seed: int) -> None:
    for ratio in ratios("preemptive", seed):
        gap, why_not = ratio.gap_or_why_not()
        if gap is None:
            assert ratio.run.options["speed"] == "2" and "fewer slots than the bound's system" in why_not
        else:
            adds_up(gap)
            of_the_lp = ratio.bound.program == "preemptive.lp4"
            names = {"last_slot", "dear_slots"} if of_the_lp else {"late_or_dear"}
            assert {part.name for part in gap.parts} == names | {"idle_workers"}


def test_by_hand() -> None:
    # Two jobs of one chunk of two slots on one worker, with a price of 1/4 in slot 1 and the values 3 and 4.
    instance = instance_by_hand(job("a"), job("b"), horizon=10)
    run = sp.policy("a_online").run(instance)
    assert run.objective == 2 + 4
    bound = sp.bound("lp4", instance, prices="free")
    unit = 1 << 24
    prices = Prices.from_entries(instance, *map(np.array, ([0], [1], [0.25])))
    witness = PriceCertificate(prices, np.array([3 * unit, 4 * unit]))
    value = witness.value(instance, cost="half", speed=Fraction(1))
    # slot t charges t + 3/2: worth 3, a chunk buys slot 0 for 3/4; worth 4, slots 0, 1, 2 for 5/4, 1/2 and 1/4
    assert value == (3 - Fraction(3, 4)) + (4 - Fraction(5, 4) - Fraction(1, 2) - Fraction(1, 4)) - Fraction(1, 4)
    gap = run.ratio(replace(bound, witness=witness, exact=value)).gap
    first, second = gap["last_slot"].by_job, gap["dear_slots"].by_job
    assert first == {"a": 2 - 2, "b": 4 - 4}  # in one piece, the last slot is the mean and half the time
    assert second == {"a": 2 + Fraction(1, 4) - Fraction(9, 4), "b": 4 - 2}
    assert gap["idle_workers"].amount == 0 and gap.total == 2


def test_another_schedule_or_other_prices_are_rejected() -> None:
    broken = 0
    for seed in range(6):
        instance = instance_of("preemptive", seed)
        run, bound = sp.policy("a_online").run(instance), sp.bound("lp4", instance)
        if not run.feasible:
            continue
        rows = run.schedule.intervals.rows()
        last = max(range(len(rows)), key=lambda n: rows[n][-1])
        moved = [(*row[:-1], row[-1] + 1) if n == last else row for n, row in enumerate(rows)]
        moved[last] = (*moved[last][:-2], moved[last][-2] + 1, moved[last][-1])
        refused(run, bound, schedule=replace(run.schedule, intervals=Intervals.of(moved)))
        shorter = [row for n, row in enumerate(rows) if n != last]
        refused(run, bound, schedule=replace(run.schedule, intervals=Intervals.of(shorter)))
        units = bound.witness.prices.units.copy()
        if units.size:
            units[0, 0] += 1 << 26
            refused(run, bound, witness=PriceCertificate(Prices(units), bound.witness.values))
        refused(run, bound, witness=PriceCertificate(bound.witness.prices, bound.witness.values // 2))
        broken += 1
    assert broken >= 3


def test_numbers_beyond_63_bits_are_accounted_for() -> None:
    # With excessive values the bound is far below 0, and its account is still exact.
    for seed in range(8):
        instance = instance_of("preemptive", seed)
        run, bound = sp.policy("a_online").run(instance), sp.bound("lp4", instance)
        if run.feasible and all(instance.cloud_delay(job) is None for job in instance.jobs):
            witness = PriceCertificate(bound.witness.prices, bound.witness.values + (1 << 58))
            value = witness.value(instance, **bound.parameters)
            assert value < 0
            adds_up(account(run.schedule, instance, run.objective, replace(bound, witness=witness, exact=value)))


def test_a_slot_beyond_the_programs_horizon_may_have_no_breakdown() -> None:
    # The program ends the job in slot 0 at any cost; the job waits for slot 5, which has no price.
    instance = instance_by_hand(job("a", minibatch_time=1), horizon=9)
    bound, unit = sp.bound("lp4", instance, prices="free"), 1 << 24
    witness = PriceCertificate(Prices(np.array([[100 * unit]])), np.array([101 * unit]))
    assert witness.value(instance, **bound.parameters) == bound.exact == 1
    run = sp.policy("a_online").run(instance)
    adds_up(gap_of(run, bound, witness=witness))
    intervals = Intervals.of([(*row[:-2], 5, 6) for row in run.schedule.intervals.rows()])
    services = Services.of([(*row[:-2], 5, 6) for row in run.schedule.services.rows()])
    late = replace(run, schedule=replace(run.schedule, intervals=intervals, services=services), objective=Fraction(6))
    assert late.schedule.violations(instance) == [] and late.schedule.objective(instance) == 6
    assert gap_of(late, bound).total == 5
    with pytest.raises(ProgramError, match="the share of a in dear_slots is -95"):
        gap_of(late, bound, witness=witness)


def test_a_real_day() -> None:
    instance = from_json(generate("testbed", 1, {}))
    adds_up(sp.policy("a_online").run(instance).ratio(sp.bound("lp4", instance)).gap)
