from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F

import pytest

from schedproof.core.claims.claim import Finding
from schedproof.core.errors import InputError
from schedproof.proofs_checks.dmlrs.shared.optimum import at_most_optimum, best_packing, packing, total_utility
from schedproof.proofs_checks.dmlrs.theorem5 import repaired_ratio, repaired_sum
from schedproof.proofs_checks.strategies.dmlrs import Priced
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job
from schedproof.proofs_checks.strategies.dmlrs_ratio import climb
from schedproof.reference.dmlrs import run, spots
from schedproof.reference.dmlrs_given_prices import capacity_value
from schedproof.reference.dmlrs_schedules import plans

SMALL_LARGE = build_instance([{"gpu": 2}], [job("small", 1, 1, {"gpu": 1}), job("large", 2, 16, {"gpu": 1}, batch=2)])


def test_a_comparison_schedule_is_checked():
    assert total_utility(SMALL_LARGE, [[1, 0, 0, 2, 1]]) == 16
    assert at_most_optimum(SMALL_LARGE, [[0, 0, 0, 1, 1]]) == 1 and at_most_optimum(SMALL_LARGE, None) == 16
    for wrong in ([[1, 0, 0, 3, 2]], [[1, 0, 0, 1, 1]], [[1, 0, 0, 2, 1], [0, 0, 0, 1, 1]]):
        with pytest.raises(InputError, match="expected a feasible schedule"):
            total_utility(SMALL_LARGE, wrong)


def test_a_packing_sums_the_given_values():
    values = zip(SMALL_LARGE.jobs, (5, 3), strict=True)
    menus = [[(F(value), plan) for plan in plans(SMALL_LARGE, one)] for one, value in values]
    assert packing(SMALL_LARGE, menus) == 5
    assert packing(SMALL_LARGE, [menus[0]]) == 5 and packing(SMALL_LARGE, []) == 0


def test_decimal_values_stay_exact():
    instance = build_instance([{"gpu": 1}], [job("j", 1, Decimal("1e-18"), {"gpu": 1})])
    assert best_packing(instance) == F(1, 10**18)


def test_prices_are_assigned_cyclically():
    instance = build_instance([{"gpu": 2}, {"gpu": 3}], [job("j", 1, 1, {"gpu": 1})], horizon=2)
    assert spots(instance) == [(0, 0, "gpu"), (0, 1, "gpu"), (1, 0, "gpu"), (1, 1, "gpu")]
    given = Priced(instance, (F(1), F(2), F(5))).prices
    assert list(given.values()) == [1, 2, 5, 1]
    assert capacity_value(instance, given) == 2 + 6 + 10 + 3


def test_the_repaired_bound_is_almost_met():
    for jobs, base in ((3, 1000), (4, 100)):
        finding, ratio = repaired_sum(climb(jobs, base)), repaired_ratio(climb(jobs, base))
        assert isinstance(finding, Finding) and F(97, 100) < finding.measured / finding.claimed <= 1
        assert isinstance(ratio, Finding) and not ratio.violated
    # climb(4, 20): met are 1/8, 20/8, 400/8; the jobs earn 1, 2.525, 50.5 and then 1000 each
    values = [one.utility.lower(1) for one in climb(4, 20).instance.jobs]
    assert values == [1, F("2.525"), F("50.5"), 1000, 1000, 1000, 1000]
    out = run(climb(4, 20).instance, "repaired", F(1, 4))
    assert out is not None and out.primal == F("54.025")
