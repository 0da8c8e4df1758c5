from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

from schedproof.core.claims.claim import Regime
from schedproof.proofs_checks.dmlrs.lemma1 import at_least_half
from schedproof.proofs_checks.dmlrs.shared import lemmas
from schedproof.proofs_checks.strategies import covering as strategies
from schedproof.proofs_checks.strategies import dmlrs_slots
from schedproof.proofs_checks.trials import draw
from tests.support import size


def cases(strategy: st.SearchStrategy[Any], count: int = 80) -> list[Any]:
    found: list[Any] = []
    draw(strategy, size(count, count, 20 * count), 0, found.append)
    return found


def test_every_regime_is_reached():
    drawn = cases(strategies.programs_and_crowds())
    assert len(set(drawn)) > len(drawn) // 2
    regimes = [value for value in vars(lemmas).values() if isinstance(value, Regime)]
    assert len(regimes) > 10
    assert [regime.name for regime in regimes if not any(map(regime.reached, drawn))] == []


def test_settings_have_their_effect():
    assert all(case.copies == 100 for case in cases(strategies.crowds(), 10))
    wide = cases(strategies.programs(wide=True))
    assert sum(map(at_least_half, wide)) > len(wide) // 3
    assert all(slot.workload.denominator == 1 for slot in cases(dmlrs_slots.slots(whole=True)))
    for above_one in (False, True):
        for case in cases(strategies.pairs(above_one), 10):
            assert case.gain >= 1 if above_one else case.gain <= 1


def test_a_slot_with_less_free_is_no_case():
    served = cases(dmlrs_slots.served_slots())
    full = next(case for case in served if case.full)
    with pytest.raises(ValueError, match="expected a point"):
        replace(full, free=tuple(tuple(c / Fraction(2) for c in row) for row in full.free))


def test_a_program_without_a_packing_entry_has_no_width():
    block = cases(strategies.programs(), 10)[0]
    with pytest.raises(ValueError, match="expected a packing entry above 0"):
        replace(block, packing=tuple((Fraction(0),) * len(row) for row in block.packing))
