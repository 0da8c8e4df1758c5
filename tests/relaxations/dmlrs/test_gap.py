from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schedproof as sp
from schedproof.instances import from_json
from schedproof.instances.dmlrs import Placement
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job
from schedproof.relaxations.dmlrs.certificate import PriceCertificate
from schedproof.workloads.dmlrs import generate
from tests.certificates import instance_of
from tests.gaps import adds_up, gap_of, ratios, refused
from tests.support import PROFILE, size


@settings(max_examples=size(5, 5, 1000))
@given(st.integers(0, 10**6))
def test_the_parts_are_nonnegative_and_add_up(seed: int) -> None:
    for ratio in ratios("dmlrs", seed):
        adds_up(ratio.gap)
        by_job = ratio.gap.by_job()
        done = ratio.run.schedule.completions(ratio.run.instance)
        for each in ratio.run.instance.jobs:
            assert by_job.loc[each.name, "served_worse"] == 0 or each.index in done
            assert by_job.loc[each.name, "turned_away"] == 0 or each.index not in done


def test_by_hand() -> None:
    # Two jobs compete for the machine in slot 0 or 1, at 2 and 1: one is served at once, the other never.
    first = job("a", 1, 5, {"gpu": 1}, utility={"kind": "table", "values": [5, 3]})
    second = job("b", 1, Decimal("2.5"), {"gpu": 1})
    instance = build_instance([{"gpu": 1}], [first, second], 2)
    witness = PriceCertificate(np.array([[[2]], [[1]]]), 0, np.array([1, 1]), np.empty((0, 4), dtype=np.int64))
    value = witness.value(instance)
    assert value == (2 + 1) + (5 - 2) + (Fraction(5, 2) - 1)
    bound = replace(sp.bound("rdmlrs_lp", instance), witness=witness, exact=value)
    run = sp.policy("dmlrs.fifo", workers=1).run(instance)
    alone = replace(run.schedule, placements=(Placement(0, 1, 0, 1, 1),))
    run = replace(run, schedule=alone, objective=alone.objective(instance))
    assert run.objective == 3 and alone.violations(instance) == []
    gap = run.ratio(bound).gap
    assert {part.name: part.amount for part in gap.parts} == {
        "unsold": 2,  # slot 0
        "turned_away": Fraction(3, 2),  # b, in slot 1
        "given_up": 0,
        "served_worse": 3 - (3 - 1),  # a, a slot too late
    }
    held = replace(alone, unfinished=frozenset([0]))
    told = replace(run, schedule=held, objective=Fraction(0))
    assert gap_of(told, bound)["given_up"].by_job == {"a": 3 + 1, "b": 0}


def test_another_schedule_or_other_prices_are_rejected() -> None:
    broken = 0
    for seed in range(8):
        instance = instance_of("dmlrs", seed)
        run, bound = sp.policy("dmlrs.drf").run(instance), sp.bound("rdmlrs_lp", instance)
        rows = run.schedule.placements
        if not rows or not bound.witness.prices.any():
            continue
        priced = [row for row in rows if bound.witness.prices[row.slot, row.machine].any()]
        if priced:
            crowd = tuple(replace(row, workers=row.workers + 10**6) if row == priced[0] else row for row in rows)
            refused(run, bound, schedule=replace(run.schedule, placements=crowd))
        worth = next(job.index for job in instance.jobs if job.index in run.schedule.completions(instance))
        fewer = tuple(row for row in rows if row.job != worth)
        refused(run, bound, schedule=replace(run.schedule, placements=fewer))
        for factor in (2, 0):
            witness = replace(bound.witness, prices=bound.witness.prices * factor, payoffs=(), rates=())
            if witness.value(instance) != bound.exact:
                refused(run, bound, witness=witness)
        broken += 1
    assert broken >= 3


@pytest.mark.skipif(PROFILE != "deep", reason="half a minute of column generation")
def test_figure9() -> None:
    instance = from_json(generate("figure9", 1, {"infeasible_alone": "redraw"}))
    run = sp.policy("pd_ors", span=12).run(instance)
    ratio = run.ratio(sp.bound("rdmlrs_lp", instance))
    adds_up(ratio.gap)
    found = [float(ratio.gap[name].amount) for name in ("unsold", "turned_away", "served_worse", "given_up")]
    assert found == pytest.approx([193.6, 322.4, 147.1, 0], abs=0.1)
    assert (float(run.objective), ratio.bound.value) == pytest.approx((1338.7, 2001.8), abs=0.1)
    assert ratio.value == pytest.approx(1.495, abs=1e-3)
