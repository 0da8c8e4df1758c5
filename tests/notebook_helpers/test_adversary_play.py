from __future__ import annotations

from fractions import Fraction

from adversary_play import LongestFirst, of_pool, play_against, with_chunks

import schedproof as sp


def test_a_family_has_its_number_of_chunks_and_pools_the_ratio_of_the_formula() -> None:
    assert {job.chunks for job in with_chunks(sp.embedded("day"), 4).jobs} == {4}
    n = 3  # the formula for eps = 1, found on other sizes
    top, bottom = 54 + 81 * n + 27 * n**2 + 81 * n**3 + 81 * n**4, 126 + 108 * n + 52 * n**2 + 297 * n**3 + 27 * n**4
    assert of_pool(1, n) == Fraction(top, bottom)


def test_the_strategy_forces_the_stated_ratio() -> None:
    strategy = sp.game("preemptive.arrivals")
    run = play_against(strategy, sp.policy(LongestFirst()))
    least = sp.program("preemptive.minlp2").solve(run.instance).schedule().objective(run.instance)
    assert run.feasible and run.objective / least >= strategy.value > 1
