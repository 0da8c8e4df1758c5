"""The worst arrivals: against exact brute force, found again by the search, stopped and taken up, and their growth."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, UnknownName
from schedproof.experiments import arrival_trends
from schedproof.experiments.arrival_patterns import PATTERNS, phases
from schedproof.experiments.arrival_search import move, search, starving
from schedproof.experiments.arrival_trends import DUEL, draw_trends, slopes, trends
from schedproof.experiments.compare import draws
from schedproof.experiments.worst_arrivals import Opponent, Worst, draw_worst, exhaustive, linear_optimum, with_arrivals
from schedproof.instances import from_json
from schedproof.instances.multiserver import Instance
from schedproof.reference.multiserver import nothing
from schedproof.reference.multiserver_oga import constant, play
from schedproof.relaxations.multiserver.solver import StationarySolver
from tests.support import size

CLUSTER = from_json(DUEL)
CHOICE = sp.policy("oga_sched")
MIXED = from_json(
    DUEL
    | {
        "resources": ["cpu", "gpu"],
        "nodes": [{"name": "n", "capacity": {"cpu": 2, "gpu": 1}}, {"name": "m", "capacity": {"cpu": 1}}],
        "ports": [
            {"name": "p", "demand": {"cpu": 2, "gpu": 3}, "nodes": ["n", "m"]},
            {"name": "q", "demand": {"cpu": 1}, "nodes": ["m"]},
        ],
        "utilities": {"cpu": {"kind": "log", "alpha": 1}, "gpu": {"kind": "poly", "alpha": 2}},
        "overhead": {"cpu": Decimal("0.3"), "gpu": Decimal("0.4")},
    }
)


def arrivals(found: Worst) -> list[list[int]]:
    return found.instance.arrivals.tolist()


def test_all_trajectories_of_four_slots_in_rationals() -> None:
    # D = G = sqrt(2), T = 4: the step is 1/2, and linear utilities make the best point exact
    exact = max(
        play(instance, nothing(instance), constant(Fraction(1, 2))).least_regret
        for bits in product((0, 1), repeat=8)
        for instance in [with_arrivals(CLUSTER, np.array(bits, dtype=np.uint8).reshape(4, 2))]
    )
    found = exhaustive(CLUSTER, CHOICE, 4)
    assert found.lower <= exact == Fraction(7, 4) <= found.upper and found.upper - found.lower < 1e-6
    assert found.tried == 256 and found.complete
    assert found.bounds == pytest.approx({"printed": 4, "sharper": 4})
    again = sp.policy("oga_sched").run(found.instance).regret(points=2)
    assert again.lower[-1] <= exact <= again.upper[-1]


@pytest.mark.parametrize("step", ["constant", "printed53", "anytime", "decayed"])
def test_the_search_finds_what_trying_all_finds(step: str) -> None:
    choice = sp.policy("oga_sched", step=step)
    for cluster in (CLUSTER, MIXED)[: size(1, 2, 2)]:
        slots = size(2, 2, 3)
        best = exhaustive(cluster, choice, slots)
        found = search(cluster, choice, slots, trials=size(50, 50, 600))
        assert found.lower <= best.upper and found.upper >= best.lower - Fraction(1, 10**6)
        assert not found.complete and found.bounds == best.bounds
        assert best.bounds["sharper"] <= best.bounds["printed"]
        if step == "constant":
            assert float(best.upper) <= best.bounds["sharper"]


def test_one_seed_gives_one_result() -> None:
    first, second = (search(CLUSTER, CHOICE, 12, trials=40, seed=3) for _ in range(2))
    assert arrivals(first) == arrivals(second) and first.curve == second.curve
    assert first.lower > search(CLUSTER, CHOICE, 12, trials=0, seed=3).lower


def test_a_stopped_search_goes_on_to_the_same_result(tmp_path: Any) -> None:
    whole = search(CLUSTER, CHOICE, 10, trials=100, file=tmp_path / "whole.json")

    def stop(tried: int, regret: float) -> None:
        raise KeyboardInterrupt

    part = search(CLUSTER, CHOICE, 10, trials=100, file=tmp_path / "state.json", progress=stop)
    assert json.loads((tmp_path / "state.json").read_text())["trials"] == 50
    assert part.lower <= whole.lower
    told: list[int] = []
    rest = search(CLUSTER, CHOICE, 10, trials=100, file=tmp_path / "state.json", progress=lambda n, r: told.append(n))
    assert arrivals(rest) == arrivals(whole) and rest.curve == whole.curve and len(told) == 1
    done = search(CLUSTER, CHOICE, 10, trials=100, file=tmp_path / "state.json")
    assert arrivals(done) == arrivals(whole) and done.tried == whole.tried


def test_another_search_has_another_file(tmp_path: Any) -> None:
    search(CLUSTER, CHOICE, 4, trials=0, file=tmp_path / "state.json")
    with pytest.raises(InputError, match="this very search"):
        search(CLUSTER, CHOICE, 4, trials=0, seed=1, file=tmp_path / "state.json")
    with pytest.raises(InputError, match="this very search"):
        search(CLUSTER, CHOICE, 5, trials=0, file=tmp_path / "state.json")


def test_what_cannot_be_asked() -> None:
    with pytest.raises(InputError, match=r"slots=11: expected at most 1048576 trajectories, 2 ports make 2\^22"):
        exhaustive(CLUSTER, CHOICE, 11)
    with pytest.raises(InputError, match="zeros and ones"):
        with_arrivals(CLUSTER, np.array([[0, 2]]))
    with pytest.raises(InputError, match="zeros and ones"):
        with_arrivals(CLUSTER, np.array([[0, 1, 1]]))
    with pytest.raises(InputError, match="sees the arrivals"):
        Opponent(CLUSTER, sp.policy("drf"), 3)


def test_a_given_best_fixed_allocation_is_used() -> None:
    found = search(CLUSTER, CHOICE, 6, trials=50, best_fixed=lambda counts: float(counts.max()))
    assert float(found.lower) == pytest.approx(found.curve[-1][1], abs=1e-6)
    opponent = Opponent(CLUSTER, CHOICE, 4, best_fixed=lambda counts: 10.0)
    assert opponent.regret(np.zeros((4, 2), dtype=np.uint8)) == 10


def test_policies_without_a_fast_path_earn_the_same() -> None:
    class Slow:
        """The same policy, slot by slot."""

        protocol = "commits"

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def start(self, system: Any) -> None:
            self.inner.start(system)

        def decide(self, slot: int) -> np.ndarray:
            return self.inner.decide(slot)

        def observe(self, slot: int, seen: np.ndarray) -> None:
            self.inner.observe(slot, seen)

    opponent = Opponent(MIXED, CHOICE, 8)
    rows = [pattern(8, 2, np.random.default_rng(1)) for pattern in PATTERNS.values()]
    fast = [opponent.earned(x) for x in rows]
    opponent.policy = Slow(opponent.policy)
    assert [opponent.earned(x) for x in rows] == pytest.approx(fast, rel=1e-12)


def test_shapes() -> None:
    for pattern in PATTERNS.values():
        first, second = (pattern(50, 3, np.random.default_rng(2)) for _ in range(2))
        assert (first == second).all() and first.shape == (50, 3) and set(np.unique(first)) == {0, 1}
    assert phases(9, 2, np.random.default_rng(0)).argmax(axis=1).tolist() == [0] * 3 + [1] * 6
    assert phases(8, 3, np.random.default_rng(0)).argmax(axis=1).tolist() == [0] * 2 + [1] * 2 + [2] * 4


def test_a_move_changes_one_interval() -> None:
    rng = np.random.default_rng(0)
    base = PATTERNS["random"](40, 3, rng)
    lengths = set()
    for _ in range(size(100, 180, 3000)):
        changed = np.flatnonzero((move(base, rng) != base).any(axis=1))
        if changed.size:
            lengths.add(int(np.ptp(changed)) + 1)
    assert 1 in lengths and max(lengths) > 20


def test_the_starving_arrivals() -> None:
    # steps so long that the node belongs to the last that came: the other one comes, and nothing is ever earned
    choice = sp.policy("oga_sched", step="decayed", initial=25)
    for ahead in (False, True):
        opponent = Opponent(CLUSTER, choice, 9)
        rows = starving(opponent, ahead)
        assert rows.sum(axis=1).tolist()[1:] == [1] * 8 and (rows[2:] != rows[1:-1]).all()
        assert opponent.regret(rows) == pytest.approx(5, abs=1e-6)


def test_trends_are_resumed(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"horizons": [4, 9], "shapes": ["phases", "adversarial"], "trials": 20, "results": tmp_path / "cells"}
    done: list[int] = []
    table = trends(CLUSTER, [CHOICE], progress=lambda n, total, row: done.append(total), **asked)
    assert done == [4] * 4 and table["slots"].tolist() == [4, 9, 4, 9]
    assert table["shape"].tolist() == ["phases"] * 2 + ["adversarial"] * 2
    assert (table["regret_upper"] <= table["bound_sharper"]).all()
    assert (table["regret_lower"][2:].to_numpy() >= table["regret_upper"][:2].to_numpy() - 1e-6).all()
    monkeypatch.setattr(arrival_trends, "_cell", lambda *given: pytest.fail("run again"))
    pd.testing.assert_frame_equal(trends(CLUSTER, [CHOICE], **asked), table)
    with pytest.raises(UnknownName, match="unknown shape 'square'"):
        trends(CLUSTER, [CHOICE], horizons=[4], shapes=["square"])


def test_slopes_of_power_laws() -> None:
    slots = 2 ** np.arange(4, 14)

    def law(shape: str, power: float, factor: float) -> pd.DataFrame:
        regret = factor * slots**power
        columns = {"slots": slots, "regret_lower": regret, "regret_upper": regret}
        bounds = {"bound_printed": regret, "bound_sharper": regret}
        return pd.DataFrame({"policy": "p", "options": "", "shape": shape} | columns | bounds)

    found = slopes(pd.concat([law("a", 0.5, 1), law("b", 1, 2), law("c", 1, -1)]))
    assert found["slope"][:2].tolist() == pytest.approx([0.5, 1]) and found["points"].tolist() == [10, 10, 0]
    assert found["low"][0] <= 0.5 + 1e-9 and np.isnan(found["slope"].to_numpy(dtype=float)[2])


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert arrival_trends.main(["--longest", "64", "--step", "constant", "--shape", "random"]) == 0
    assert "| oga_sched | step=constant | random | 0." in capsys.readouterr().out
    assert arrival_trends.main(["--longest", "8"]) == 2
    assert capsys.readouterr().err.startswith("longest=8")


def test_the_same_ports_in_every_slot_hurt_at_most_as_much_as_the_worst() -> None:
    opponent = Opponent(CLUSTER, CHOICE, 4)
    every = [opponent.regret(np.tile(np.array(row, dtype=np.uint8), (4, 1))) for row in product((0, 1), repeat=2)]
    assert 0 < opponent.steady() == max(every) < float(exhaustive(CLUSTER, CHOICE, 4).upper)


def test_a_worst_trajectory_is_drawn_beside_the_regrets_of_others() -> None:
    found = exhaustive(CLUSTER, CHOICE, 3)
    matrix, beside = draw_worst(found, [0.0, 0.5, 0.5], steady=1.0).axes
    assert np.array_equal(matrix.collections[0].get_array(), found.instance.arrivals.T)
    assert sum(bar.get_height() for bar in beside.patches) == 3
    lines = [line.get_xdata()[0] for line in beside.lines]
    assert lines == pytest.approx([1 / found.bounds["sharper"], float(found.lower) / found.bounds["sharper"], 1])


def test_each_shape_has_its_line_and_regrets_that_are_not_positive_no_point() -> None:
    regrets = {"random": [1.0, 2.0, 4.0], "bursty": [3.0, -1.0, -2.0]}
    rows = [
        {"policy": "p", "options": "", "shape": shape, "slots": 10 * 4**n, "regret_lower": value, "regret_upper": value}
        | {"bound_printed": 20.0 * 2**n, "bound_sharper": 10.0 * 2**n}
        for shape, values in regrets.items()
        for n, value in enumerate(values)
    ]
    random, bursty, bound = draw_trends(pd.DataFrame(rows)).lines
    assert random.get_xdata().tolist() == [10, 40, 160] and random.get_ydata().tolist() == [1, 2, 4]
    assert bursty.get_ydata().tolist() == [3] and "negative at 2 of 3 horizons" in bursty.get_label()
    assert bound.get_ydata().tolist() == [10, 20, 40]


def market(**settings: object) -> Instance:
    (case,) = draws("default", family="multiserver", seeds=[1], nodes=3, ports=3, resources=2, **settings)
    instance: Instance = case.instance()
    return instance


def test_the_best_fixed_allocation_of_linear_gains_is_what_the_solver_finds() -> None:
    instance = market(utilities="linear", beta_low=0, beta_high=0, horizon=1)
    optimum, solver = linear_optimum(instance), StationarySolver(instance.graph, "node")
    for counts in np.random.default_rng(0).integers(0, 9, (5, 3)):
        assert optimum(counts) == pytest.approx(solver.solve(counts, 1e-9).value, rel=1e-6)


@pytest.mark.parametrize("settings", [{"utilities": "log", "beta_low": 0, "beta_high": 0}, {"utilities": "linear"}])
def test_other_gains_and_overheads_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InputError, match="linear utilities and no overhead"):
        linear_optimum(market(horizon=1, **settings))
