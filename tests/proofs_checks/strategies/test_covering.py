"""The strategies draw programs whose points are optimal, and reach every situation that the claims name."""

from __future__ import annotations

import pytest

from schedproof.core.claim import Case
from schedproof.proofs_checks.dmlrs import rounding_regimes, rounding_slots
from schedproof.proofs_checks.dmlrs.rounding_lemma1 import HALF
from schedproof.proofs_checks.dmlrs.rounding_model import read
from schedproof.proofs_checks.strategies import covering as strategies
from schedproof.proofs_checks.trials import draw
from tests.support import size


def cases(strategy, count: int = 80) -> list[Case]:
    found: list[Case] = []
    draw(strategy, size(count, count, 20 * count), 0, found.append)
    return found


@pytest.mark.parametrize("settings", [{}, {"wide": True}], ids=str)
def test_every_drawn_point_is_optimal(settings):
    drawn = cases(strategies.programs(**settings))
    assert all(read(case) is not None for case in drawn)
    assert len({repr(case.data) for case in drawn}) > len(drawn) // 2


def test_every_regime_is_reached():
    drawn = cases(strategies.programs_and_crowds())
    regimes = [regime for name, regime in vars(rounding_regimes).items() if name.isupper()]
    assert len(regimes) > 10
    assert [regime.name for regime in regimes if not any(map(regime.reached, drawn))] == []


def test_settings_do_what_they_say():
    assert all(case.data["copies"] == 100 for case in cases(strategies.crowds(), 10))
    wide = cases(strategies.programs(wide=True))
    assert sum(map(HALF.met, wide)) > len(wide) // 3
    for case in cases(strategies.slots(whole=True)):
        assert int(case.data["workload"]) == case.data["workload"]
    for above_one in (False, True):
        for case in cases(strategies.pairs(above_one), 10):
            assert case.data["gain"] >= 1 if above_one else case.data["gain"] <= 1
            assert all(read(Case(None, data)) is not None for data in case.data["programs"])


def test_slot_problems_have_the_points_that_they_claim():
    drawn = cases(strategies.slots())
    assert sum(rounding_slots.printed(case) is not None for case in drawn) == len(drawn)
    served = cases(strategies.served_slots())
    assert sum(rounding_slots.served(case) is not None for case in served) == len(served)
    full = next(case for case in served if case.data["full"])
    tight = full.data | {"free": [[c / 2 for c in row] for row in full.data["free"]]}
    assert rounding_slots.served(Case(None, tight)) is None
