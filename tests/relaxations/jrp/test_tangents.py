from __future__ import annotations

from typing import Any

import pytest

from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp import tangents
from schedproof.relaxations.jrp.bounds import conic as sides
from schedproof.relaxations.jrp.bounds import split_free
from schedproof.relaxations.jrp.conic import conic
from schedproof.relaxations.jrp.dual import Dual
from schedproof.relaxations.jrp.matrix import MOST_NEED
from tests.relaxations.jrp.odd import FAR, ODD, outer_optimum
from tests.support import size
from tests.tiny.jrp import tiny_cells

CURVED = 24  # an instance that needs several tangents


def found(
    instance: Instance, relax: Any = sides, *, rounds: int = 60, context: Context = USUAL
) -> tangents.Optimum | None:
    return outer_optimum(instance, relax(instance), rounds, context)


def test_the_optimum_is_a_cone_solvers() -> None:
    needed = 0
    for seed in range(size(3, 8, 300)):
        instance = tiny_cells(seed, jobs=5)
        by_lp = found(instance)
        assert by_lp is not None
        for solver in ("clarabel", "scs"):
            assert by_lp.value == pytest.approx(conic().solve(instance, solver).objective, abs=1e-6), (seed, solver)
        assert by_lp.reached == pytest.approx(by_lp.value, rel=1e-6, abs=1e-9), seed
        assert Dual(instance, sides(instance)).value(by_lp.prices) == pytest.approx(by_lp.value, abs=1e-6), seed
        needed += by_lp.lps > 1
    assert needed > 0


def test_fewer_rounds_leave_a_reported_gap_and_prices_as_good_as_the_lp() -> None:
    apart = 0
    for seed in range(size(5, 8, 300)):
        instance = tiny_cells(seed, jobs=6)
        values = [found(instance, rounds=rounds) for rounds in (1, 3, 60)]
        first, third, last = (value for value in values if value is not None)
        assert first.value + 1e-7 >= third.value >= last.value - 1e-7, seed
        for each in (first, third):
            assert each.reached - 1e-7 <= last.value <= each.value + 1e-7, seed
            assert Dual(instance, sides(instance)).value(each.prices) <= each.value + 1e-6, seed
        apart += first.reached < first.value - 1e-3
    assert apart > 0


def test_a_linear_relaxation_needs_one_lp_and_no_tangents() -> None:
    for seed in range(size(2, 6, 100)):
        instance = tiny_cells(seed)
        linear = found(instance, split_free, rounds=9)
        assert linear is not None and (linear.lps, linear.tangents) == (1, 0) and linear.reached == linear.value


@pytest.mark.parametrize("name", ODD)
def test_extreme_instances(name: str) -> None:
    instance, accepted = ODD[name]
    by_lp = found(instance)
    assert by_lp is not None and by_lp.value == pytest.approx(float(accepted), abs=1e-7)


@pytest.mark.parametrize("name", FAR)
def test_numbers_far_from_1_are_solved_to_the_stated_accuracy(name: str) -> None:
    instance, accepted = FAR[name]
    by_lp = found(instance)
    assert by_lp is not None and by_lp.value == pytest.approx(float(accepted), abs=2 / MOST_NEED)


def test_at_the_time_limit_it_reports_its_result_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiny_cells(0, jobs=6)
    assert found(instance, context=Context(time_limit=60.0)) is not None
    truly, ends = tangents.Outer.solve, iter(["late", "in time", "late"])

    def stops(outer: tangents.Outer, context: Context) -> str:
        return truly(outer, context) if next(ends) == "in time" else "time_limit"

    monkeypatch.setattr(tangents.Outer, "solve", stops)
    assert found(tiny_cells(CURVED, jobs=6)) is None
    ended = found(tiny_cells(CURVED, jobs=6))
    assert ended is not None and ended.lps == 1


def test_it_reports_every_lp() -> None:
    told: list[str] = []
    by_lp = found(tiny_cells(CURVED, jobs=6), context=Context(progress=lambda *step: told.append(step[0])))
    assert by_lp is not None and len(told) == by_lp.lps > 1 and told[0].startswith("LP 1, 3 tangents: ")
