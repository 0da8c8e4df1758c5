from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from schedproof.core.errors import InputError
from schedproof.instances.dmlrs import from_json, to_json
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.strategies import dmlrs as strategies
from schedproof.proofs_checks.strategies.dmlrs_numbers import Growth
from schedproof.proofs_checks.trials import draw
from schedproof.reference.dmlrs_schedules import plans
from tests.support import size

SIZE = size(75, 75, 150)
INSTANCES = (
    *regimes.SHAPES,
    regimes.LATE,
    regimes.BROKEN_RATE,
    regimes.RESERVED,
    regimes.UNFINISHABLE,
    regimes.WORTHLESS_END,
)


def cases(strategy: st.SearchStrategy[Any]) -> list[Any]:
    found: list[Any] = []
    draw(strategy, SIZE, 0, found.append)
    return found


def test_inputs_with_too_many_steps_are_rejected():
    with pytest.raises(InputError, match="at most 50"):
        Growth("slots", 51)
    assert Growth("slots", 50).n == 50


def test_every_regime_is_reached():
    drawn = cases(strategies.cases())
    assert [r.name for r in INSTANCES if not any(map(r.reached, drawn))] == []
    assert [r.name for r in regimes.of_run("printed") if sum(map(r.reached, drawn)) < 5] == []
    capped = cases(strategies.within_caps())
    assert [r.name for r in regimes.of_run("repaired") if sum(map(r.reached, capped)) < 5] == []


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"reserved": True},
        {"reserved": False, "lasting": True},
        {"roomy": True},
        {"scenes": ("swallow", "sliver")},
        {"scenes": ("sliver",), "spare": 1},
        {"scenes": ("slow",)},
    ],
    ids=str,
)
def test_every_drawn_instance_is_tiny_and_can_be_written(settings):
    for instance in cases(strategies.instances(**settings)):
        assert from_json(to_json(instance)).sha256 == instance.sha256
        assert all(len(plans(instance, job)) < 1000 for job in instance.jobs)


def test_settings_have_their_effect():
    assert all(case.instance.reserved == {} for case in cases(strategies.cases(reserved=False)))
    for case in cases(strategies.cases(lasting=True)):
        horizon = case.instance.horizon
        assert all(job.utility.lower(horizon - job.arrival) > 0 for job in case.instance.jobs)
    for case in cases(strategies.cases(scenes=("sliver",), spare=1, reserved=False)):
        size = case.instance.machines[0].capacity["gpu"]
        first, second = (job.batch_size for job in case.instance.jobs)
        assert max(first, second) < size < first + second
    for case in cases(strategies.within_caps()):
        assert 0 < case.cap < 1 <= case.slack
    for case in cases(strategies.slot_priced()):
        assert case.samples > 0 and all(price >= 0 for price in case.price)
        assert all(isinstance(price, Fraction) for price in case.price)
