from __future__ import annotations

from fractions import Fraction as F
from math import erf, erfc, exp, factorial, pi, sqrt

import numpy as np
import pytest

from schedproof.core.claims.claim import Open, Outside
from schedproof.proofs_checks.jrp import (
    chernoff23,
    expectation27,
    full_server_wlog,
    kept24,
    normal25,
    normal_limit,
    normal_scale,
    variance26,
)
from schedproof.proofs_checks.jrp.kept_dmax import within_heaviest
from schedproof.proofs_checks.jrp.shared import enclosures, premises
from schedproof.proofs_checks.strategies import jrp_loads
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference import jrp_load as loads
from tests import witnesses
from tests.proofs_checks.jrp.servers import job, server, tail
from tests.support import size
from tests.tiny.jrp import drawn_cases

HALF = F(1, 2)
NANO = F(1, 10**9)
KNAPSACK = server(5, job(1, (1, 1), times=2), job(F(3, 4), (4, F(3, 4))))


def witness(name: str) -> ServerLoad:
    return witnesses.witness(f"jrp.{name}").case


def test_factors_are_enclosed_from_below():
    for eta in (1, 2, 7, 30):
        root = sqrt(2 * pi * eta)
        exact = 1 - 1 / (2 * eta) - 1 / root
        assert 0 <= exact - enclosures.printed_factor(eta) + 1e-15 <= 2 * NANO
        poisson = sum(min(k, eta) * exp(-eta) * (eta**k / factorial(k)) for k in range(100)) / eta
        assert 0 <= poisson - float(enclosures.poisson_factor(eta)) + 1e-12 <= 2e-9
        assert enclosures.poisson_factor(eta) > 1 - 1 / root
    assert enclosures.below(lambda ball: ball(F(1, 3))) == F(333333333, 10**9)
    assert enclosures.above(lambda ball: ball(F(1, 3))) == F(333333334, 10**9)


def test_chernoff_by_hand():
    case = tail(10, job(HALF, (10, HALF)), delta=F(9, 10))
    for finding, exponent in ((chernoff23.tail(case), 2.025), (chernoff23.tail_repaired(case), 0.2025)):
        assert finding.measured == HALF and 0 <= finding.claimed - F(exp(-exponent)) < 2 * NANO
    assert chernoff23.tail(case).violated and not chernoff23.tail_repaired(case).violated
    nothing = tail(10, job(HALF, (10, 0)), delta=HALF)
    assert (chernoff23.tail(nothing).measured, chernoff23.tail(nothing).claimed) == (0, 1)
    zero = tail(10, job(1, (0, 1)), delta=HALF)
    assert (chernoff23.tail_repaired(zero).measured, chernoff23.tail_repaired(zero).claimed) == (0, 1)


def test_the_level_itself_is_not_below():
    # D is 1 or 3, mu = 2: Pr(D < 1) = 0, as the level (1 - 1/2) mu is 1
    assert chernoff23.tail(tail(3, job(1, (1, 1)), job(HALF, (2, HALF)), delta=HALF)).measured == 0


def test_the_printed_tail_depends_on_the_unit_and_the_repaired_one_does_not():
    def scaled(unit):
        return tail(100 * unit, job(HALF, *[(8 * unit, HALF)] * 3), job(1, (unit, 1)), delta=HALF)

    printed, repaired = (
        [check(scaled(u)) for u in (F(1, 8), 1, 8)] for check in (chernoff23.tail, chernoff23.tail_repaired)
    )
    assert len({f.measured for f in printed + repaired}) == 1
    assert len({f.claimed for f in printed}) == 3 and len({f.claimed for f in repaired}) == 1
    assert [f.violated for f in printed] == [False, False, True]


def test_moments_by_hand():
    finding = variance26.chain(KNAPSACK, loads.worst_order_limit)
    assert (finding.measured, finding.claimed) == (20, F(25, 2))
    spread = witness("variance26-ends")
    assert loads.worst_order_limit(spread.load) == 8
    assert (
        variance26.ends(spread, loads.worst_order_limit).measured,
        variance26.ends(spread, loads.worst_order_limit).claimed,
    ) == (
        56,
        F(441, 8),
    )
    assert not premises.FULL.met(server(6, *KNAPSACK.jobs))  # mu < r
    assert normal_scale.variance(server(1, job(HALF, (1, HALF))), power=2).measured == 4
    assert not premises.SPREAD.met(server(1, job(1, (1, 1))))


def test_kept_data_by_hand():
    share = kept24.of_eta(loads.worst_order_limit)
    finding = kept24.each_draw(KNAPSACK, share)
    assert (finding.measured, finding.claimed) == (2, F(5, 2))
    finding = kept24.on_average(KNAPSACK, share)
    assert (finding.measured, finding.claimed) == (2, HALF + HALF * 5 * F(3, 4))
    assert kept24.each_draw(KNAPSACK).claimed == 1  # (1 - 4/5) 5
    largest = kept24.each_draw(KNAPSACK, kept24.of_eta(loads.of_largest))
    assert (largest.measured, largest.claimed) == (2, 0)  # floor(5/4) = 1
    assert within_heaviest(KNAPSACK).claimed == 1
    assert kept24.each_draw(server(6, job(1, (1, 1))), share) == Outside(premises.EXCEEDED)
    crowd = server(300, job(1, (1, 1), times=201))
    assert all(isinstance(check(crowd, share), Open) for check in (kept24.each_draw, kept24.on_average))


def test_equal_sizes_satisfy_the_printed_statement():
    seen = 0
    for case in drawn_cases(jrp_loads.loads(), size(80, 80, 3000), 1):
        if len({d for d, _ in case.load.nodes}) > 1:
            continue
        finding = kept24.each_draw(case, kept24.of_eta(loads.server_limit))
        assert isinstance(finding, Outside) or not finding.violated
        seen += not isinstance(finding, Outside)
    assert seen > 3


def test_steps_to_a_full_server_by_hand():
    case = server(2, job(1, (1, 1)), job(F(1, 4), (2, F(1, 4))))
    load = case.load
    assert full_server_wlog.less_storage(load).storage == F(3, 2)  # where 2 GB do not fit
    assert loads.kept_prefix(full_server_wlog.less_storage(load)).mean == loads.kept_prefix(load).mean == 1
    assert not full_server_wlog.NONE_ABOVE_1.met(case)
    assert full_server_wlog.one_more(load).mean == 2
    half = server(4, job(HALF, (1, HALF), times=4)).load
    assert full_server_wlog.less_storage(half).storage == 2
    assert [x for _, x in full_server_wlog.larger_chances(half).nodes] == [1] * 4
    finding = full_server_wlog.full_is_worst(full_server_wlog.OF_TWO, full_server_wlog.one_more)
    assert (finding.measured, finding.claimed) == (F(2, 3), F(11, 16))


def test_expectation_by_hand():
    case = server(20, job(1, (1, 1)), job(F(19, 20), (20, F(19, 20))))
    finding = expectation27.finite(case, loads.worst_order_limit)
    assert finding.measured == 1
    assert float(finding.claimed) == pytest.approx(20 * (HALF - 1 / sqrt(2 * pi)), abs=1e-7)
    assert expectation27.root_repaired(KNAPSACK).measured == 2
    assert float(expectation27.root_repaired(KNAPSACK).claimed) == pytest.approx(
        5 * (1 / 5 - sqrt(4 / 5) / 2), abs=1e-7
    )
    assert float(expectation27.poisson_repaired(KNAPSACK).claimed) == pytest.approx(-5 / sqrt(2 * pi), abs=1e-7)
    assert not expectation27.ETA_ONE.met(server(5, job(1, (4, HALF))))  # mu < max d


def truncated(mean: float, spread: float) -> float:
    """E max(0, min(N, mean)) for N normal, by the trapezoidal rule."""
    z = np.linspace(0, mean, 200_001)
    density = np.exp(-(((z - mean) / spread) ** 2) / 2) / (spread * sqrt(2 * pi))
    return float(np.trapezoid(z * density, z)) + mean / 2


@pytest.mark.parametrize("case", [KNAPSACK, server(2, job(HALF, (2, HALF)), job(HALF, (1, HALF), times=2))])
def test_the_normal_reading_is_an_integral(case):
    load = case.load
    expected = truncated(float(load.mean), sqrt(load.variance))
    assert float(expectation27.normal(case).measured) == pytest.approx(expected, abs=1e-6)
    assert erfc(float(load.mean) / sqrt(2 * load.variance)) > 1e-3  # values below 0 count here


@pytest.mark.parametrize("case", [KNAPSACK, server(2, job(HALF, (2, HALF)), job(HALF, (1, HALF), times=2))])
def test_the_right_side_of_24_is_an_integral(case):
    mean, spread = float(case.load.mean), sqrt(case.load.variance)
    for eta in (1, 2, 7):
        expected = truncated(mean, spread) - mean / 2 + (1 - 1 / eta) * mean / 2
        for side in (enclosures.above, enclosures.below):
            found = side(lambda ball, eta=eta: enclosures.right_side24(ball, case.load.mean, case.load.variance, eta))
            assert float(found) == pytest.approx(expected, abs=1e-6)
    finding = normal25.right_side(case)
    assert float(finding.claimed) == pytest.approx(
        mean * (1 - 0.5 / loads.worst_order_limit(case.load)) - spread / sqrt(2 * pi), abs=1e-8
    )
    assert normal25.right_side(case, loss=9).violated and not finding.violated


def test_the_normal_witness_agrees_with_the_exact_distribution():
    case = witness("expectation27-normal")
    load = case.load
    table = np.ones(1)
    for d, x in load.nodes:
        step = np.zeros(int(d) + 1)
        step[0], step[-1] = 1 - x, x
        table = np.convolve(table, step)
    amounts = np.arange(len(table))
    most = float(np.minimum(amounts, 1000) @ table)  # no rule keeps more than min(D, r)
    finding = expectation27.normal(case)
    assert most == pytest.approx(float(finding.measured), abs=0.2)  # a sum of whole numbers
    assert most < float(finding.claimed) - 14
    assert loads.worst_order_limit(load) == 110 and float(load.variance) == 20525
    assert max(d for d, _ in load.nodes) ** 2 * 9 < load.variance * 4  # no data node dominates


def test_the_distance_from_normal_by_hand():
    # one data node: D is 0 or 1, and the normal distribution function is 1/2 at 1/2 and Phi(1) at 1, from below 1/2
    load = server(1, job(HALF, (1, HALF))).load
    assert float(normal_limit.distance(load)) == pytest.approx(0.5 * (1 + erf(1 / sqrt(2))) - 0.5, abs=1e-8)
    assert normal_limit.berry_esseen(server(1, job(HALF, (1, HALF)))).claimed == F(112, 100) + NANO
    assert not premises.SPREAD.met(server(1, job(1, (1, 1))))
    assert not normal_limit.BOUNDED.met(server(1, job(HALF, (1, HALF), (0, HALF))))


def test_the_distance_stays_large_with_one_large_data_node():
    for count in (2, 5, 10):
        sizes = normal_limit.halves(count)
        assert max(sizes) == 1 and sum(sizes[1:]) <= F(1, 4)
        case = server(2, *[job(HALF, (d, HALF)) for d in sizes])
        finding = normal_limit.large_enough(normal_limit.ManyNodes(count))
        assert F(1, 4) < finding.measured <= normal_limit.distance(case.load) + NANO
        assert not normal_limit.berry_esseen(case).violated and not normal_limit.bounded_below(case).violated
    assert normal_limit.large_enough(normal_limit.ManyNodes(10**4)).violated
