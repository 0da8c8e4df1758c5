from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.instances.placement import Instance, Mode, Start
from schedproof.online.placement.optimus import fit_durations
from tests.tiny.placement import by_hand


def test_a_curve_of_the_models_form_is_recovered() -> None:
    for a, b, c, d, e in ((90, 0, 0, 0, 0), (0, 7, 0, 0, 0), (60, 3, 20, 0, 0), (120, 0, 0, 2, 1)):
        grid = list(product(range(1, 7), range(1, 7)))
        exact = {(p, w): a / w + b + c * w / p + d * w + e * p for p, w in grid}
        found = fit_durations([Mode(key, slots) for key, slots in exact.items()], 1, 0)  # type: ignore[arg-type]
        assert list(found) == grid and list(found.values()) == pytest.approx(list(exact.values()), rel=1e-6, abs=1e-9)


def test_no_coefficient_is_negative_and_the_squares_are_least() -> None:
    rng = np.random.default_rng(1)
    modes = [Mode((p, w), int(rng.integers(1, 30))) for p, w in product(range(1, 5), range(1, 5))]
    found = fit_durations(modes, 1, 0)
    terms = np.array([[1 / w, 1, w / p, w, p] for (p, w), _ in modes])
    slots = np.array([mode.slots for mode in modes])
    best = sum((found[m.allocation] - m.slots) ** 2 for m in modes)
    for _ in range(3000):
        trial = terms @ (rng.exponential(5, 5) * rng.integers(0, 2, 5))
        assert best <= ((trial - slots) ** 2).sum() + 1e-9


def instance(*tasks: tuple[int, int], gpus: int = 8, most: int = 8, horizon: int = 200) -> Instance:
    """Return tasks (arrival, work) of duration ceil(work / g) on one cluster."""
    rows = [(arrival, [(g, -(-work // g)) for g in range(1, most + 1)]) for arrival, work in tasks]
    return by_hand(*rows, capacity=gpus, horizon=horizon, resource="gpu", minimum=1)


def starts(case: Instance, **options: Any) -> list[Start]:
    run = sp.policy("placement.optimus", **options).run(case)
    assert run.feasible
    return list(run.schedule.starts)


def test_a_single_task_gets_all_useful_gpus() -> None:
    (row,) = starts(instance((0, 840)))
    assert row == Start(0, 0, (8,), 0)


def test_free_gpus_go_where_they_save_most() -> None:
    first, second = starts(instance((0, 840), (0, 84)))
    assert first.allocation[0] + second.allocation[0] == 8, "both were planned in slot 0"
    saved = {(work, g): work / g - work / (g + 1) for work in (840, 84) for g in range(1, 8)}
    mine = first.allocation[0]
    assert saved[840, mine - 1] >= saved[84, 8 - mine], "the last unit was worth more there"


def test_a_task_that_gains_no_speed_stays_at_its_minimum() -> None:
    value = by_hand((0, [(g, 5) for g in range(1, 9)]), capacity=8, horizon=50, resource="gpu", minimum=1)
    assert starts(value) == [Start(0, 0, (1,), 0)]


def test_it_reallocates_only_where_allowed() -> None:
    case = instance((0, 400), (5, 400))
    kept, changed = starts(case), starts(case, preemption="allowed")
    assert [row.until for row in kept] == [None, None] and kept[1].slot == 50, "it waits for the first one's eight"
    assert changed[0] == Start(0, 0, (8,), 0, 5), "it gives some of them away"
    assert changed[1].task == 0 and changed[1].slot == 5 and changed[1].allocation < (8,)
    assert (changed[2].task, changed[2].slot) == (1, 6)
    assert changed[-1].allocation == (8,) and len(changed) == 4, "who is left gets all of it again"
