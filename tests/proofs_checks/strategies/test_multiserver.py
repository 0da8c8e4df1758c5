from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.core.claims.claim import Regime
from schedproof.instances.multiserver import from_json, to_json
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as strategies
from schedproof.proofs_checks.strategies.multiserver_runs import compared_cases
from schedproof.proofs_checks.trials import draw
from schedproof.reference.multiserver import excess, nothing, present
from schedproof.reference.multiserver_projection import clip, distance
from tests.support import size

SIZE = size(60, 60, 120)


def cases(strategy, count: int = SIZE):
    found = []
    draw(strategy, count, 0, found.append)
    return found


@pytest.mark.parametrize(
    "settings",
    [{}, {"count": 3}, {"full": True}, {"full": False}, {"busy": True}, {"kinds": ("poly",), "resources": 3}],
    ids=str,
)
def test_every_drawn_object_is_a_valid_tiny_instance(settings):
    found = []
    draw(strategies.objects(**settings), SIZE, 1, found.append)
    for value in found:
        instance = from_json(value)
        assert from_json(to_json(instance)).sha256 == instance.sha256
        assert sum(instance.copies) <= 3 * settings.get("count", 1) and len(instance.nodes) <= 2
        assert len(instance.resources) <= settings.get("resources", 2)
        if settings.get("full") or settings.get("full") is False:
            whole = all(len(port.nodes) == len(instance.nodes) for port in instance.ports)
            assert whole or not settings["full"]
        if "busy" in settings:
            assert instance.arrivals.min() > 0 and min(instance.overhead.values()) > 0
            assert all(min(row.demand.values()) > 0 for row in instance.ports)
        if "kinds" in settings:
            assert {f.kind for f in instance.utilities.values()} == {"poly"}
    assert len({str(value) for value in found}) > SIZE // 2


def test_every_regime_is_reached():
    of_rows = regimes.ROWS
    of_runs = (*regimes.RUNS, *regimes.MANY, regimes.MANY_PORTS, regimes.CURVED, regimes.LENGTHS)
    named = [regime for regime in vars(regimes).values() if isinstance(regime, Regime)]
    of_points = (*regimes.KINDS, *(regime for regime in named if regime not in (*of_rows, *of_runs)))
    assert len(of_points) > 12
    for group, strategy in (
        (of_rows, strategies.any_rows()),
        (of_runs, compared_cases()),
        (of_points, strategies.pairs_of_points()),
    ):
        drawn = cases(strategy)
        assert [regime.name for regime in group if not any(map(regime.reached, drawn))] == []


def test_allocations_are_points_of_y():
    for case in cases(strategies.two_placed(count=2), 60):
        assert all(excess(case.instance, y) == 0 for y in case.ys)
    for case in cases(strategies.corners(count=2), 60):
        assert all(excess(case.instance, y) == 0 for y in case.ys)
    apart = [distance(*rows) for case in cases(strategies.corners(), 60) for rows in zip(*case.ys, strict=True)]
    assert max(apart) > 1


def test_points_of_idle_are_0_and_those_of_pairs_often():
    assert all(case.y == nothing(case.instance) for case in cases(strategies.idle(), 20))
    starts = [case.ys[0] == nothing(case.instance) for case in cases(strategies.pairs_of_points())]
    assert SIZE // 4 < sum(starts) < SIZE


def test_points_to_project_have_all_signs():
    values = {v for case in cases(strategies.pointed_cases()) for row in case.z for v in row}
    assert min(values) < 0 < max(values) and 0 in values


def test_settings_of_rows_have_their_effect():
    for case in cases(strategies.rows(tight=True)):
        z, a, c = (case.z, case.a, case.c)
        assert min(a) >= c and sum(max(v, Fraction(0)) for v in z) >= c
    for case in cases(strategies.rows(5, crowded=True)):
        z, a, c = (case.z, case.a, case.c)
        assert 3 <= len(z) <= 5 and min(a) > 0
        assert c < sum(clip(z, a)) or not sum(clip(z, a))


def test_slots_have_and_have_no_jobs():
    slots = [present(instance, 0) for instance in cases(strategies.instances())]
    assert any(0 in row for row in slots) and any(1 in row for row in slots)
