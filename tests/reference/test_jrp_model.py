from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from schedproof.instances.jrp import Assignment, Placement, shares
from schedproof.proofs_checks.strategies import jrp as strategies
from schedproof.proofs_checks.strategies.jrp import build
from schedproof.reference import jrp_linear as linear
from schedproof.reference import jrp_model as model
from schedproof.reference import simplex
from schedproof.reference.jrp import cone, split, split_at, storage_only
from schedproof.relaxations.jrp.matrix import linear_program
from tests.support import size
from tests.tiny.jrp import drawn_cases, schedule_of

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def drawn(strategy, count: int = 40):
    return drawn_cases(strategy, size(count, count, 10 * count))


# --- optima ----------------------------------------------------------------------------------------------------------


def all_ways(instance, rule) -> int:
    nodes = [(job.index, node) for job in instance.jobs for node in job.nodes]
    best = -1
    for choice in product(*([None, *node.servers] for _, node in nodes)):
        rows = [Placement(k, n.index, j) for (k, n), j in zip(nodes, choice, strict=True) if j is not None]
        held = shares.data(rows, instance)
        wanted = {j: [instance.jobs[k].need(gb) for k, gb in here.items()] for j, here in held.items()}
        if all(rule.fits(instance.servers[j].compute, instance.servers[j].bandwidth, w) for j, w in wanted.items()):
            schedule = schedule_of(Assignment(rows, shares.grants(held, instance, rule)), instance)
            if not schedule.violations(instance):
                best = max(best, int(schedule.objective(instance)))
    return best


@pytest.mark.parametrize("name", ["cone", "split"])
def test_optima_agree_with_all_ways_that_the_checker_admits(name):
    rule = {"cone": cone, "split": split}[name]
    for instance in drawn(strategies.instances(jobs=2)):
        assert model.optimum(instance, rule) == all_ways(instance, shares.RULES[name](instance))
        rows = model.best(instance, rule)
        assert model.value(instance, rows, rule) == model.optimum(instance, rule)


def test_optima_are_ordered_and_all_orders_occur():
    seen = set()
    for instance in drawn(strategies.instances(), 150):
        values = [model.optimum(instance, rule) for rule in (split, cone, storage_only)]
        assert values == sorted(values)
        seen |= {("split", values[0] < values[1]), ("cone", values[1] < values[2])}
    assert len(seen) == 4


def one_job(second=(0, 1)):
    return build([(1, 1, [(1, (0, 1)), (1, second)])], [(3, 2, 2)] * 2)


def test_tables_are_checked():
    instance = one_job(second=(0,))
    assert model.value(instance, [(0, 0, 1, ONE), (0, 1, 0, ONE)]) == 1
    assert model.value(instance, [(0, 0, 1, HALF), (0, 1, 0, HALF)], split) == HALF
    wrong = {
        "cannot serve": [(0, 0, 0, ONE), (0, 1, 0, ONE)],
        "expected equal totals": [(0, 0, 0, HALF), (0, 0, 1, HALF), (0, 1, 0, HALF)],
        "on server 1": [(0, 0, 1, ONE), (0, 1, 1, ONE)],
        "x = -1": [(0, 0, 1, -ONE), (0, 1, 0, -ONE)],
    }
    for message, rows in wrong.items():
        with pytest.raises(ValueError, match=message):
            model.value(instance, rows)
    with pytest.raises(ValueError, match="cannot serve"):
        model.value(instance, [(0, 0, 1, ONE), (0, 1, 0, ONE)], split_at(Fraction(1, 4)))


def test_deadlines_are_met_or_not():
    job = one_job().jobs[0]
    assert model.meets(job, Fraction(2), Fraction(4), Fraction(4))
    assert not model.meets(job, Fraction(2), Fraction(4), Fraction(3))
    assert not model.meets(job, Fraction(2), Fraction(4), ZERO) and model.meets(job, ZERO, ZERO, ZERO)
    assert not model.meets(job, ZERO, ZERO, -ONE)  # (13)


# --- linear programs and bounds --------------------------------------------------------------------------------------


def test_linear_optima_agree_with_another_solver_and_are_certified():
    for instance in drawn(strategies.instances()):
        share = instance.communication_share
        for solved, parts in ((linear.lp_i(instance), (1 - share, share)), (linear.split_free(instance), (ONE, ONE))):
            sides = float(parts[0]) * instance.edges.compute, float(parts[1]) * instance.edges.bandwidth
            assert float(solved.value) == pytest.approx(-linear_program(instance, *sides).solve().objective, abs=1e-7)
            assert linear.dual_bound(instance, solved.prices, *parts) == solved.value
            assert sum(model.levels(instance, solved.rows), ZERO) == solved.value
        assert model.value(instance, linear.lp_i(instance).rows, split) == linear.lp_i(instance).value


def test_the_best_share_is_the_best_of_all():
    for instance in drawn(strategies.deadline_instances(odd=False)):
        best, share = linear.best_share(instance)
        assert 0 <= share <= 1 and linear.linear(instance, 1 - share, share).value == best
        assert all(linear.at_share(instance, Fraction(n, 8)).value <= best for n in range(9))


def test_the_simplex_method_by_hand():
    point, multipliers = simplex.solve([ONE, ONE], [[Fraction(2), ONE], [ONE, Fraction(2)]], [Fraction(3), Fraction(3)])
    assert point == [1, 1] and multipliers == [Fraction(1, 3), Fraction(1, 3)]
    with pytest.raises(ArithmeticError, match="no optimum"):
        simplex.solve([ONE], [[-ONE]], [ONE])


def test_the_simplex_method_does_not_cycle():
    gains = [Fraction(3, 4), Fraction(-150), Fraction(1, 50), Fraction(-6)]
    rows = [[Fraction(1, 4), Fraction(-60), Fraction(-1, 25), Fraction(9)]]
    rows += [[HALF, Fraction(-90), Fraction(-1, 50), Fraction(3)], [ZERO, ZERO, ONE, ZERO]]
    point, _ = simplex.solve(gains, rows, [ZERO, ZERO, ONE])
    assert sum(c * x for c, x in zip(gains, point, strict=True)) == Fraction(1, 20)


def test_a_conic_bound_by_hand():
    # One server on which two jobs fit exactly, (4, 1) and (1, 4) on (9, 9). P = q = 1/16, w = 2 p sqrt(4) = 1/4.
    instance = build([(4, 1, [(1, (0,))]), (1, 4, [(1, (0,))])], [(2, 9, 9)])
    prices = [[ZERO, Fraction(1, 16), Fraction(1, 16)]]
    assert linear.conic(instance, prices) == Fraction(18, 16) + 2 * (1 - Fraction(5, 16) - Fraction(1, 4)) == 2
    assert linear.dual_bound(instance, prices) == Fraction(18, 16) + 2 * (1 - Fraction(5, 16)) == Fraction(5, 2)
    assert linear.conic(instance, prices, Fraction(2)) < 2 == model.optimum(instance)


def test_jobs_without_nodes_and_nodes_without_servers_in_a_bound():
    instance = build([(0, 0, []), (0, 0, [(1, ())]), (0, 0, [(1, (0,))])], [(1, 100, 100)])
    assert linear.conic(instance, [[ZERO] * 3]) == linear.split_free(instance).value == model.optimum(instance) == 2
