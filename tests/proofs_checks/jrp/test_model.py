"""The exact model: servers, optima, linear optima and bounds against other routes, by hand, and on wrong answers."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.optimize import linprog

from schedproof.core.claim import Case
from schedproof.instances.jrp import server_test, shares
from schedproof.instances.jrp.checker import violations
from schedproof.instances.jrp.schedule import Assignment, Placement, Schedule
from schedproof.proofs_checks.jrp import builders, linear, model, radicals, simplex
from schedproof.proofs_checks.strategies import jrp as strategies
from schedproof.proofs_checks.trials import draw
from tests.support import size
from tests.tiny.jrp import tiny_cells

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def cases(strategy, count: int = 40) -> list[Case]:
    found: list[Case] = []
    draw(strategy, size(count, count, 10 * count), 0, found.append)
    return found


# --- roots -----------------------------------------------------------------------------------------------------------


def test_signs_of_sums_of_roots():
    rng = random.Random(0)
    for _ in range(size(300, 300, 5000)):
        terms = [(Fraction(rng.randrange(-6, 7), 2), Fraction(rng.randrange(20), 3)) for _ in range(4)]
        value = sum(float(c) * sqrt(v) for c, v in terms)
        assert radicals.sign(terms) == (0 if abs(value) < 1e-12 else np.sign(value))


@pytest.mark.parametrize(
    ("terms", "sign"),
    [
        ([], 0),
        ([(1, 0)], 0),
        ([(1, 8), (-2, 2)], 0),
        ([(1, 12), (-2, 3), (1, 5), (-1, Fraction(20, 4))], 0),
        ([(1, 2), (1, 3), (-1, 10)], -1),  # 3.146 and 3.162
        ([(1, 10**40 + 1), (-1, 10**40)], 1),
        ([(-1, 10**40 + 1), (1, 10**40)], -1),
    ],
)
def test_signs_by_hand(terms, sign):
    assert radicals.sign([(Fraction(c), Fraction(v)) for c, v in terms]) == sign


# --- servers ---------------------------------------------------------------------------------------------------------


def test_a_server_agrees_with_the_test_of_the_instances():
    rng, both = random.Random(1), set()
    for _ in range(size(400, 400, 5000)):
        wanted = [(Fraction(rng.randrange(9), 2), Fraction(rng.randrange(9), 2)) for _ in range(rng.randrange(4))]
        compute, bandwidth = Fraction(rng.randrange(40), 2), Fraction(rng.randrange(40), 2)
        fits = model.in_time(compute, bandwidth, wanted)
        both.add(fits)
        assert fits == server_test.fits(compute, bandwidth, wanted)
    assert both == {True, False}


def test_a_server_by_hand():
    one, other = [(Fraction(4), ONE), (ONE, Fraction(4))], [(ONE, Fraction(2))]
    assert model.in_time(Fraction(9), Fraction(9), one)  # (6, 3) and (3, 6)
    assert not model.in_time(Fraction(9), Fraction(9) - Fraction(1, 10**12), one)
    assert model.in_time(Fraction(2), Fraction(4), other) and not model.in_time(Fraction(2), Fraction(3), other)
    assert not model.in_time(ONE, Fraction(10**9), other)  # no time is left for sending
    assert model.in_time(ZERO, ZERO, [(ZERO, ZERO)]) and model.in_time(ZERO, ONE, [(ZERO, ONE)])


def test_rates_are_those_of_the_instance():
    for seed in range(30):
        for job in tiny_cells(seed).jobs:
            assert model.rates(job) == (job.compute_rate, job.bandwidth_rate)


# --- optima ----------------------------------------------------------------------------------------------------------


def all_ways(instance, rule) -> int:
    """The optimum by every choice of a server or of none for each data node at once, judged by the checker."""
    nodes = [(job.index, node) for job in instance.jobs for node in job.nodes]
    best = -1
    for choice in product(*([None, *node.servers] for _, node in nodes)):
        rows = [Placement(k, n.index, j) for (k, n), j in zip(nodes, choice, strict=True) if j is not None]
        held = shares.data(rows, instance)
        wanted = {j: [instance.jobs[k].need(gb) for k, gb in here.items()] for j, here in held.items()}
        if all(rule.fits(instance.servers[j].compute, instance.servers[j].bandwidth, w) for j, w in wanted.items()):
            schedule = Schedule.of(Assignment(rows, shares.grants(held, instance, rule)), instance, "tried")
            if not violations(schedule, instance):
                best = max(best, int(schedule.objective(instance)))
    return best


@pytest.mark.parametrize("name", ["cone", "split"])
def test_optima_agree_with_all_ways_that_the_checker_admits(name):
    rule = {"cone": model.cone, "split": model.split}[name]
    for case in cases(strategies.cases(jobs=2)):
        instance = case.instance
        assert model.optimum(instance, rule) == all_ways(instance, shares.RULES[name](instance))
        rows = model.best(instance, rule)
        assert model.value(instance, rows, rule) == model.optimum(instance, rule)


def test_optima_are_ordered_and_all_orders_occur():
    seen = set()
    for case in cases(strategies.cases(), 150):
        rules = (model.split, model.cone, model.storage_only)
        values = [model.optimum(case.instance, rule) for rule in rules]
        assert values == sorted(values)
        seen |= {("split", values[0] < values[1]), ("cone", values[1] < values[2])}
    assert len(seen) == 4


def one_job(**more):
    return builders.build([builders.server(3, 2, 2), builders.server(3, 2, 2)], [builders.job((1, 1), 1, 1, **more)])


def test_tables_are_checked():
    instance = one_job(servers=[[0, 1], [0]])
    assert model.value(instance, [(0, 0, 1, ONE), (0, 1, 0, ONE)]) == 1
    assert model.value(instance, [(0, 0, 1, HALF), (0, 1, 0, HALF)], model.split) == HALF
    wrong = {
        "cannot serve": [(0, 0, 0, ONE), (0, 1, 0, ONE)],
        "add up to": [(0, 0, 0, HALF), (0, 0, 1, HALF), (0, 1, 0, HALF)],
        "on server 1": [(0, 0, 1, ONE), (0, 1, 1, ONE)],
        "x = -1": [(0, 0, 1, -ONE), (0, 1, 0, -ONE)],
    }
    for message, rows in wrong.items():
        with pytest.raises(ValueError, match=message):
            model.value(instance, rows)
    with pytest.raises(ValueError, match="cannot serve"):
        model.value(instance, [(0, 0, 1, ONE), (0, 1, 0, ONE)], model.split_at(Fraction(1, 4)))


def test_schedules_are_shown_to_the_checker():
    instance, rows = one_job(), [(0, 0, 0, 1), (0, 1, 1, 1)]
    assert model.shown(instance, rows, [(0, 0, 2, 2), (0, 1, 2, 2)]) == 1
    with pytest.raises(ValueError, match="completion"):
        model.shown(instance, rows, [(0, 0, 2, 2), (0, 1, 2, 1)])


def test_deadlines_are_met_or_not():
    job = one_job().jobs[0]
    assert model.meets(job, Fraction(2), Fraction(4), Fraction(4))
    assert not model.meets(job, Fraction(2), Fraction(4), Fraction(3))
    assert not model.meets(job, Fraction(2), Fraction(4), ZERO) and model.meets(job, ZERO, ZERO, ZERO)
    assert not model.meets(job, ZERO, ZERO, -ONE)  # (13)


# --- linear programs and bounds --------------------------------------------------------------------------------------


def scipy_value(instance, computing: float, sending: float) -> float:
    """The same linear program as scipy solves it, with (6) as equations."""
    jobs = [job for job in instance.jobs if job.nodes]
    edges = [(k, node, j) for k, job in enumerate(jobs) for node in job.nodes for j in node.servers]
    width = len(edges) + len(jobs)
    equal = []
    for k, job in enumerate(jobs):
        for node in job.nodes:
            equal.append(
                [float(e[0] == k and e[1] is node) for e in edges] + [-float(n == k) for n in range(len(jobs))]
            )
    rows, sides = [], []
    for server in instance.servers:
        per_gb = [(1.0, float(job.compute_rate), float(job.bandwidth_rate)) for job in jobs]
        for kind, side in enumerate((1.0, computing, sending)):
            amount = (server.storage, server.compute, server.bandwidth)[kind]
            rows.append([per_gb[k][kind] * float(n.size) * (j == server.index) for k, n, j in edges] + [0] * len(jobs))
            sides.append(side * float(amount))
    if not jobs:
        return float(len(instance.jobs))
    gains = [0.0] * len(edges) + [-1.0] * len(jobs)
    answer = linprog(gains, rows, sides, equal, [0.0] * len(equal), bounds=[(0, 1)] * width)
    return len(instance.jobs) - len(jobs) - answer.fun


def test_linear_optima_agree_with_another_solver_and_prove_themselves():
    for case in cases(strategies.cases()):
        instance, share = case.instance, case.instance.communication_share
        for solved, parts in ((linear.lp_i(instance), (1 - share, share)), (linear.split_free(instance), (ONE, ONE))):
            assert abs(float(solved.value) - scipy_value(instance, *map(float, parts))) < 1e-9
            assert linear.priced(instance, solved.prices, *parts) == solved.value
            assert sum(model.accepted(instance, solved.rows), ZERO) == solved.value
        assert model.value(instance, linear.lp_i(instance).rows, model.split) == linear.lp_i(instance).value


def test_the_best_share_is_the_best_of_all():
    for case in cases(strategies.timed(odd=False)):
        best, share = linear.best_share(case.instance)
        assert 0 <= share <= 1 and linear.linear(case.instance, 1 - share, share).value == best
        assert all(linear.at_share(case.instance, Fraction(n, 8)).value <= best for n in range(9))


def test_the_simplex_method_by_hand():
    point, multipliers = simplex.solve([ONE, ONE], [[Fraction(2), ONE], [ONE, Fraction(2)]], [Fraction(3), Fraction(3)])
    assert point == [1, 1] and multipliers == [Fraction(1, 3), Fraction(1, 3)]
    with pytest.raises(ArithmeticError, match="no optimum"):
        simplex.solve([ONE], [[-ONE]], [ONE])


def test_the_simplex_method_does_not_cycle():
    """Beale's example, on which the largest price cycles."""
    gains = [Fraction(3, 4), Fraction(-150), Fraction(1, 50), Fraction(-6)]
    rows = [[Fraction(1, 4), Fraction(-60), Fraction(-1, 25), Fraction(9)]]
    rows += [[HALF, Fraction(-90), Fraction(-1, 50), Fraction(3)], [ZERO, ZERO, ONE, ZERO]]
    point, _ = simplex.solve(gains, rows, [ZERO, ZERO, ONE])
    assert sum(c * x for c, x in zip(gains, point, strict=True)) == Fraction(1, 20)


def test_a_conic_bound_by_hand():
    """One server on which two jobs fit exactly, (4, 1) and (1, 4) on (9, 9): p = q = 1/16, w = 2 p sqrt(4) = 1/4."""
    instance = builders.build([builders.server(2, 9, 9)], [builders.job((1,), 4, 1), builders.job((1,), 1, 4)])
    prices = [[ZERO, Fraction(1, 16), Fraction(1, 16)]]
    assert linear.conic(instance, prices) == Fraction(18, 16) + 2 * (1 - Fraction(5, 16) - Fraction(1, 4)) == 2
    assert linear.priced(instance, prices) == Fraction(18, 16) + 2 * (1 - Fraction(5, 16)) == Fraction(5, 2)
    assert linear.conic(instance, prices, Fraction(2)) < 2 == model.optimum(instance)


def test_jobs_without_nodes_and_nodes_without_servers_in_a_bound():
    rows = [builders.job(()), builders.job((1,), servers=[[]]), builders.job((1,))]
    instance = builders.build([builders.server(1)], rows)
    assert linear.conic(instance, [[ZERO] * 3]) == linear.split_free(instance).value == model.optimum(instance) == 2
