from __future__ import annotations

from fractions import Fraction as F
from math import ceil, exp, log, sqrt, tanh

import pytest

from schedproof.proofs_checks.placement import synthetic_2_17, table1_ranges
from schedproof.proofs_checks.placement.shared import figures, gradients, rule11
from schedproof.proofs_checks.placement.shared.dual import Dual, exponentials, total
from schedproof.proofs_checks.placement.shortcut_reach import neighbours, within
from schedproof.proofs_checks.strategies.placement_agents import Contest, contests
from schedproof.proofs_checks.strategies.placement_network import Game, Graph, games
from schedproof.proofs_checks.trials import draw

CONTEST = Contest(((1, 3), (1, 1)), (1, 0), ((2, 4), (3, 1)), ((1, 2), (1, 1)))


def test_rule_11_by_hand():
    # Rooms 2 and 0 for task 0, which needs (1, 2); 2 and 1 for task 1.
    assert [CONTEST.room(n, j) for j in (0, 1) for n in (0, 1)] == [2, 0, 2, 1]
    assert rule11.conditional(CONTEST, 1, rule11.by_score) == [F(3, 4), F(1, 4)]
    assert rule11.first(CONTEST, 0, rule11.by_score) == [0] and CONTEST.choosers(0) == [1]
    assert rule11.conditional(CONTEST, 0, rule11.by_choice) == []  # agent 1 chose it and has no room
    tie = Contest(((1,), (1,)), (0, 0), ((1,), (1,)), ((1,),))
    assert rule11.largest(tie, 0, rule11.by_choice) == [0, 1] and rule11.first(tie, 0, rule11.by_choice) == [0]


def test_conditional_probabilities_sum_to_1_or_are_absent():
    seen: list[Contest] = []
    draw(contests(), 60, 0, seen.append)
    found = [rule11.conditional(case, j, rule11.by_score) for case in seen for j in range(len(case.needs))]
    assert {sum(row) for row in found} == {0, 1}


def test_derivatives_by_hand_and_by_differences():
    number = Dual(F(3), F(1))
    assert number.times(number) == (9, 6) and Dual(F(1)).over(number) == (F(1, 3), F(-1, 9))
    assert number.plus(Dual(F(1), F(5))) == (4, 6)
    weights, step = (2, 3, 5), 1e-6
    for k in range(3):
        numbers = exponentials(weights, k)
        exact = float(numbers[0].over(total(numbers)).slope)
        moved = [exp(log(w) + step * (i == k)) for i, w in enumerate(weights)]
        assert exact == pytest.approx((moved[0] / sum(moved) - 0.2) / step, abs=1e-5)


def test_the_true_gradient_by_differences():
    seen: list[Game] = []
    draw(games(), 3, 0, seen.append)

    def mean(game: Game, moved: tuple[int, ...], step: float) -> float:
        def chance(row, logit, k):
            weights = [w * exp(step * ((*logit, i) == moved)) for i, w in enumerate(row)]
            return weights[k] / sum(weights)

        result = 0.0
        for actions in game.actions():
            share = float(game.outcome(actions))
            for n, (j, x) in enumerate(actions):
                share *= chance(game.select[n], (n,), j) * chance(game.allocate[n][j], (n, j), x)
            result += share
        return result

    for game in seen:
        for logit in game.logits():
            slope = (mean(game, logit, 1e-6) - mean(game, logit, -1e-6)) / 2e-6
            assert float(gradients.true_gradient(game, logit, game.outcome)) == pytest.approx(slope, abs=1e-6)


def test_hops_by_hand():
    graph = Graph(2, ((0,), (1,)), (1,), (0, 0, 0, 0, 0))
    assert neighbours(graph)["n1"] == {"p1", "o0", "shortcut"} and within(graph).measured == 4
    assert within(graph, shortcut=False).violated  # the two clusters have no task in common


def test_printed_percentages_are_those_of_the_means():
    assert round(100 * (1 - F(1232, 1644)), 1) == F("25.1") and round(100 * (1 - F(5, 7)), 1) == F("28.6")
    for printed in figures.PRINTED:
        if printed.quantity == "average" and printed.experiment in figures.MEANS:
            low, high = figures.reduction(printed.experiment, "Optimus")
            assert low - F(1, 20) <= printed.percent <= high + F(1, 20)
    assert figures.mean("Fig. 5", "Minimum") == F("12.89")


def test_timesteps_against_floating_point():
    for gpus in range(1, 17):
        assert synthetic_2_17.timesteps(synthetic_2_17.steady, gpus) == ceil(1 / tanh(gpus / 16))
        progress, count = 0.0, 0
        while progress < 1:
            progress, count = progress + tanh(gpus / 16) * sqrt(1.2 - progress), count + 1
        assert synthetic_2_17.timesteps(synthetic_2_17.released_curve, gpus) == count


def test_table_1_of_two_cores_has_one_end_that_differs():
    wrong = [case for case in table1_ranges.every() if table1_ranges.agrees(case).violated]
    assert wrong == [table1_ranges.End("image classification", True)]
