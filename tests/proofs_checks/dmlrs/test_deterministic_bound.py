from __future__ import annotations

from fractions import Fraction as F

from schedproof.core.claims.claim import Finding
from schedproof.proofs_checks.dmlrs.better_price import in_grains, later_price
from schedproof.proofs_checks.dmlrs.deterministic_bound import (
    none_is_better,
    one_attains_it,
    policies,
    spread,
    worst_stop,
)
from schedproof.proofs_checks.dmlrs.theorem7 import degree
from schedproof.proofs_checks.strategies.dmlrs_game import Game
from schedproof.proofs_checks.strategies.dmlrs_ratio import whole_climb


def test_every_policy_is_enumerated():
    assert sorted(policies(1, 2)) == [(0, 0), (0, 1), (1, 0)]
    assert len(set(policies(3, 4))) == 35


def test_the_worst_stop_of_a_policy():
    assert worst_stop(2, (F(1), F(3)), (1, 1)) == 2
    assert worst_stop(2, (F(1), F(3)), (2, 0)) == 3
    assert worst_stop(2, (F(1), F(3)), (0, 2)) is None  # nothing is earned when the adversary stops at 1


def test_a_single_job_can_lose_only_the_whole_spread():
    finding = none_is_better(Game(1, (F(1), F(7)), F(7), (F(1),)))
    assert (finding.measured, finding.claimed) == (7, 7)


def test_two_jobs():
    # r = 3/2: both copies of 1 must be taken, nothing is left for more: phi = 3/2. r = 2: one, then one at 1; phi = 2
    assert spread(2, F(3, 2)) == F(3, 2) and spread(2, F(2)) == 2 and spread(2, F(3)) == F(15, 4)
    late = one_attains_it(Game(2, (F(1), F(2)), F(3), (F(1), F(149, 100), F(149, 100), F(15, 4))))
    assert isinstance(late, Finding) and late.measured == F(149, 100) + F(15, 4) and not late.violated


def test_prices_for_equal_jobs_are_almost_met():
    for jobs, base in ((3, 1000), (4, 100)):
        case = whole_climb(jobs, base)
        finding = later_price(case)
        assert in_grains(case)
        assert isinstance(finding, Finding) and F(97, 100) < finding.measured / finding.claimed <= 1


def test_degrees_are_read_off_differences():
    assert degree([n**3 - n for n in range(6)]) == 3
    assert degree([5] * 4) == 0 and degree([0] * 4) == -1
