from __future__ import annotations

import numpy as np
import pytest

from schedproof.core.runtime.pace import RARELY, TURN, Pace


def played(pace: Pace, each: list[float], total: float, noise: float = 0.0, seed: int = 0) -> tuple[float, list[float]]:
    """Simulate a time span; return the share of each way."""
    rng = np.random.default_rng(seed)
    units, spent = 0, [0.0] * len(each)
    while sum(spent) < total:
        way = pace.way()
        seconds = each[way] * (1 + noise * rng.standard_exponential())
        pace.took(seconds, 1)
        spent[way] += seconds
        units += 1
    return sum(spent) / units, spent


@pytest.mark.parametrize("noise", [0.0, 0.5])
@pytest.mark.parametrize("slower", [1.01, 2.4, 25.0])
@pytest.mark.parametrize("fast", [0, 1])
def test_a_slower_way_costs_a_tenth_at_most(fast: int, slower: float, noise: float) -> None:
    each = [0.003, 0.003]
    each[1 - fast] *= slower
    took, spent = played(Pace(2), each, 60.0, noise)
    assert took < 1.1 * (1 + noise) * 0.003 and spent[1 - fast] > 0


def test_a_way_that_becomes_faster_is_soon_used() -> None:
    pace = Pace(2)
    played(pace, [0.003, 0.008], 20.0)
    _, spent = played(pace, [0.003, 0.0016], 20.0)
    assert spent[1] > 0.8 * sum(spent)
    _, spent = played(pace, [0.003, 0.012], 20.0)
    assert spent[0] > 0.8 * sum(spent)


def test_a_way_is_kept_for_its_turn_and_may_be_the_only_one() -> None:
    pace, ways = Pace(3), []
    for _ in range(4 * (RARELY + 3)):
        ways.append(pace.way())
        pace.took(TURN / 4, 1)
    assert ways == [0] * 4 * RARELY + [1] * 4 + [2] * 4 + [0] * 4
    assert played(Pace(1), [0.01], 1.0)[1] == [pytest.approx(1.0, abs=0.02)]


def test_other_ways_are_tried_on_little_work() -> None:
    # A way that is 25 times slower gets at most 25/20 of a turn, for any block size.
    pace, spent, longest, alone = Pace(2), [0.0, 0.0], 0.0, 0.0
    while sum(spent) < 30:
        way, units = pace.way(), pace.units(50)
        alone = alone if spent[1] or way else spent[0]
        seconds = units * 0.0002 * (1, 25)[way]
        pace.took(seconds, units)
        spent[way] += seconds
        longest = max(longest, seconds if way else 0.0)
    assert 0 < longest <= 25 / RARELY * TURN * (1 + 1e-9) and spent[1] <= 0.06 * sum(spent)
    assert alone == pytest.approx(RARELY * TURN, rel=0.02), "the first way is alone at first"
