from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from msgspec.structs import replace

from schedproof.core.claims import claims
from schedproof.instances.jrp import Assignment, Grant, Instance, Placement
from schedproof.proofs_checks.jrp import evaluation_pareto, mkp_special_case, server_test, split_equivalent, time23
from schedproof.proofs_checks.jrp.shared import time_split
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp import build
from schedproof.proofs_checks.strategies.jrp_model import ServerNeeds, Sizes
from schedproof.reference import jrp_linear as linear
from schedproof.reference.jrp_model import meets, optimum
from tests.support import size
from tests.tiny.jrp import drawn_cases, schedule_of

ZERO, ONE = Fraction(0), Fraction(1)


# --- multiple knapsack -----------------------------------------------------------------------------------------------


def test_3_partition_on_every_small_instance():
    tried, partitions = 0, 0
    for many, bound, sizes in ((1, 16, range(5, 8)), (2, 16, range(5, 8)), (2, 20, range(6, 10))):
        for chosen in combinations_with_replacement(sizes, 3 * many):
            if sum(chosen) == many * bound:
                finding = mkp_special_case.three_partition(Sizes(chosen, bound))
                assert not finding.violated
                tried, partitions = tried + 1, partitions + (finding.claimed == 1)
    assert 0 < partitions < tried


def test_partitions_by_hand():
    assert mkp_special_case.in_triples([5, 5, 6, 5, 5, 6], 16) and mkp_special_case.in_triples([], 16)
    assert not mkp_special_case.in_triples([5, 5, 5, 5, 5, 7], 16)


# --- the split of time -----------------------------------------------------------------------------------------------


def test_the_letters_match_the_model():
    # (10) of a case is (10) of a job on a server, and (16) and (17) are its needs against shares of what it gets.
    (any_job,) = build([(1, 1, [(1, (0,))])], [(9, 9, 9)]).jobs
    for case in drawn_cases(draw.on_servers(), size(200, 200, 2000)):
        work, sent = case.work / case.tau, case.traffic / case.tau
        letters = {"epochs": int(case.T), "minibatch_size": case.f, "minibatch_work": case.g, "parameter_size": case.h}
        job = replace(any_job, deadline=case.tau, sync_period=int(case.lambda_), **letters)
        assert time_split.holds10(case) == meets(job, case.D, case.r_c, case.r_b)
        assert time_split.holds16(case, case.epsilon) == (sent <= case.epsilon * case.r_b)
        assert time_split.holds17(case, case.epsilon) == (work <= (1 - case.epsilon) * case.r_c)
        shares = [Fraction(n, 60) for n in range(61)]
        some = any(time_split.holds16(case, share) and time_split.holds17(case, share) for share in shares)
        assert not some or split_equivalent.own_closed(case).measured == 1


# --- bounds ----------------------------------------------------------------------------------------------------------


def throughput(instance: Instance, jobs: int, *grants: tuple[int, int]) -> Fraction:
    given = [Grant(k, 0, Fraction(c), Fraction(b)) for k, (c, b) in enumerate(grants)]
    schedule = schedule_of(Assignment([Placement(k, 0, 0) for k in range(jobs)], given), instance)
    assert schedule.violations(instance) == []
    return schedule.objective(instance)


def test_the_schedules_of_the_witnesses_are_feasible():
    # The pages show them: (10, 10) for the job that computes most of its time; (6, 3) and (3, 6) for the two.
    two, one = claims.find("jrp.lp_i_upper_bound").witnesses()
    assert throughput(one.case.instance, 1, (10, 10)) == 1
    assert throughput(two.case.instance, 2, (6, 3), (3, 6)) == 2
    assert linear.best_share(two.case.instance)[0] == linear.lp_i(two.case.instance).value == Fraction(9, 5)


def test_divided_lp_i_cannot_be_divided_by_less():
    # A job that does nothing but compute: LP_I is 1 - epsilon, and 1/2 of two jobs at the best epsilon.
    jobs = [(1, 0, [(1, (0,))]), (0, 1, [(1, (0,))])]
    alone, both = (build(jobs[:n], [(2, 1, 1)]) for n in (1, 2))
    assert linear.at_share(alone, Fraction(3, 4)).value == Fraction(1, 4) and optimum(alone) == 1
    assert linear.best_share(both)[0] == 1 and optimum(both) == 2


def test_a_server_is_decided_by_explicit_resources_or_a_slope():
    case = ServerNeeds(Fraction(9), Fraction(9), ((Fraction(4), ONE), (ONE, Fraction(4))))
    less = ServerNeeds(case.compute, case.bandwidth - Fraction(1, 1000), case.needs)
    given = server_test.grants(case, 16)
    assert given == [(6, 3), (3, 6)] and server_test.enough(case, given)
    assert not server_test.enough(case, [(6, 3), (3, Fraction(11, 2))])
    assert not server_test.enough(case, [(6, 3), (4, 6)])
    assert not server_test.enough(ServerNeeds(case.compute, case.bandwidth, ((ZERO, ZERO),)), [(-ONE, ZERO)])
    assert server_test.refuses(less, ONE, 32) and not server_test.refuses(case, ONE, 32)
    assert server_test.is_feasible(case) and not server_test.is_feasible(less)


def test_trials_reach_irrational_servers_of_both_sorts():
    irrational = [case for case in drawn_cases(draw.servers(), 250) if len(server_test.merged_roots(case)) > 1]
    assert {server_test.closed_test(case).claimed for case in irrational} == {0, 1}


# --- (2), (3) and section V ------------------------------------------------------------------------------------------


def test_mini_batches_and_transfers_by_hand():
    two, three = Fraction(2), Fraction(3)
    case = draw.OnServer(T=ONE, f=two, g=ONE, h=ONE, tau=ONE, lambda_=three, D=three, r_c=ONE, r_b=ONE, epsilon=ONE / 2)
    assert time23.whole_iterations(case).excess == ONE / 2  # two, not 3/2
    assert time23.operations(case).measured == three / 2 and time23.operations(case, padded=True).claimed == 2
    assert (time23.both_ways(case).measured, time23.both_ways(case).claimed) == (ONE / 2, ONE)


def test_pareto_sizes_are_mostly_smaller():
    rng = np.random.default_rng(0)
    pareto = 2 / np.sqrt(rng.random(10**6))
    uniform, normal = rng.uniform(2, 8, 10**6), rng.normal(5, 1, 10**6)
    assert float(evaluation_pareto.beyond(Fraction(5))) == pytest.approx((pareto > 5).mean(), abs=2e-3)
    chances = [float(evaluation_pareto.exceeds(evaluation_pareto.Other(name))) for name in ("uniform", "normal")]
    assert chances[0] == pytest.approx((pareto > uniform).mean(), abs=2e-3)
    assert (pareto > normal).mean() < chances[1] < 0.5
