"""Work functions without dominated states have the same least costs."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from schedproof.adversary.exact_ratio import automata
from schedproof.adversary.exact_ratio.automata import Automaton
from schedproof.adversary.exact_ratio.work_function import FAR, excess, work_functions
from schedproof.core.runtime.context import USUAL
from tests.support import size

ALL = 1000  # no cost is so far above the least


def plainly(schedule: Automaton[Any], costs: np.ndarray, move: int) -> np.ndarray:
    slot = move == len(schedule.arrive)
    found = np.full_like(costs, FAR)
    for before, cost in enumerate(costs):
        for then in (schedule.slots if slot else schedule.arrive[move])[:, before]:
            if then >= 0 and cost < FAR:
                found[then] = min(found[then], cost + slot * schedule.present[before])
    return found


def to_nothing(schedule: Automaton[Any], costs: np.ndarray) -> int:
    for _ in range(40):
        costs = plainly(schedule, costs, len(schedule.arrive))
    return int(costs[0])


@pytest.mark.parametrize(
    ("kind", "machines", "longest", "present"),
    [("migrating", 2, 3, 3), ("migrating", 1, 3, 3), ("pinned", 2, 2, 3), ("whole", 1, 2, 3)],
)
def test_the_least_cost_equals_that_of_all_states(kind: str, machines: int, longest: int, present: int) -> None:
    schedule = automata.schedules(kind, machines, range(1, longest + 1), present)
    functions = work_functions(schedule, excess(schedule, 8 * longest * present), ALL, USUAL)
    assert functions.whole
    rng = random.Random(3)
    for _ in range(size(20, 36, 1000)):
        number, paid, costs = 0, 0, np.array([0] + [FAR] * (len(schedule.states) - 1))
        for _ in range(12):
            move = rng.randrange(len(functions.after))
            ahead = plainly(schedule, costs, move)
            if (ahead == FAR).all():
                assert functions.after[move, number] < 0
                continue
            paid += int(functions.paid[number]) if move == len(schedule.arrive) else 0
            number, costs = int(functions.after[move, number]), ahead
        assert to_nothing(schedule, costs) == paid + to_nothing(schedule, functions.costs[number])


def test_following_costs_suffice() -> None:
    schedule = automata.migrating(2, range(1, 3), 3)
    following = excess(schedule, 60)
    for move, choices in enumerate((*schedule.arrive, schedule.slots)):
        slot = move == len(schedule.arrive)
        for mine, theirs in np.argwhere(following < FAR):
            price = slot * (schedule.present[mine] - schedule.present[theirs])
            for then in choices[:, theirs][choices[:, theirs] >= 0]:
                answers = choices[:, mine][choices[:, mine] >= 0]
                assert min(following[answers, then]) + price <= following[mine, theirs]
    assert following[0, 0] == 0 and (following < FAR).mean() > 0.3


def test_a_cut_leaves_fewer() -> None:
    schedule = automata.migrating(2, range(1, 4), 3)
    following = excess(schedule, 72)
    counts = [len(work_functions(schedule, following, widest, USUAL).costs) for widest in (0, 1, ALL)]
    assert counts == sorted(counts) and counts[0] < counts[-1]
    assert not work_functions(schedule, following, 0, USUAL).whole
