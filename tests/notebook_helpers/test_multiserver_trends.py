from __future__ import annotations

import runpy
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from multiserver_arrivals import DUEL, with_arrivals, worst_arrivals
from multiserver_projection import JUDGEMENTS, judge
from multiserver_trends import (
    constant_steps,
    diameter_and_steepest,
    draw_constant_steps,
    draw_decay,
    draw_trends,
    draw_worst,
    earned,
    fates,
    slopes,
    trends,
)

import schedproof as sp
from schedproof.experiments.compare import draws
from schedproof.instances import from_json
from schedproof.instances.multiserver import Instance
from schedproof.online.multiserver.projection import project_row

CLUSTER = from_json(DUEL)
CHOICE = sp.policy("oga_sched")
PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "multiserver_regret.py"
IN_TURN = with_arrivals(from_json(DUEL), np.eye(2, dtype=np.uint8)[np.arange(16) % 2])


def drawn(**settings: object) -> Instance:
    (case,) = draws("default", family="multiserver", seeds=[1], nodes=3, ports=3, resources=2, **settings)
    instance: Instance = case.instance()
    return instance


def test_the_regret_of_a_step_is_that_of_an_exact_run() -> None:
    table = constant_steps(IN_TURN, [0.5, 1, 4])
    for times, step, regret in table[["times", "step", "regret"]].itertuples(index=False):
        exact = sp.policy("oga_sched", initial=float(step)).run(IN_TURN).regret(points=2)
        assert float(exact.lower[-1]) - 1e-6 <= regret <= float(exact.upper[-1]) + 1e-6
        assert step == pytest.approx(times / 4)  # D = G = sqrt(2) on the duel, T = 16
    assert table["promised"][1] == pytest.approx(exact.bound()[-1]) == np.prod(diameter_and_steepest(IN_TURN)) * 4


def test_rewards_of_slots_add_up_to_the_run() -> None:
    instance = drawn(horizon=20)
    run = sp.policy("oga_sched", step="anytime").run(instance)
    assert earned(instance, step="anytime").sum() == pytest.approx(float(run.objective), rel=1e-6)


def test_the_pictures_have_both_curves_and_the_slots_with_steps_below_one() -> None:
    ax = draw_constant_steps(constant_steps(IN_TURN, [0.5, 1, 2]))
    promised, measured, proofs = ax.lines
    assert (promised.get_ydata() >= measured.get_ydata()).all() and set(proofs.get_xdata()) == {0.25}
    slots = np.array([1, 500, 1000])
    curve, frozen, still = draw_decay(slots, {"a": (np.array([2.0, -1, 500]), "red")}, (4, 0.99), 600).lines
    assert np.array_equal(curve.get_ydata(), [2, np.nan, 0.5], equal_nan=True)
    at, last = frozen.get_xdata()[0], still.get_xdata()[0]
    assert 4 * 0.99**at == pytest.approx(1)
    assert sum(4 * 0.99**n for n in range(int(last), 5000)) > 1 > sum(4 * 0.99**n for n in range(int(last) + 1, 5000))


def test_trends_have_a_row_for_each_shape_and_horizon() -> None:
    table = trends(CLUSTER, [CHOICE], horizons=[4, 9], shapes=["phases", "adversarial"], steps=20)
    assert table["slots"].tolist() == [4, 9, 4, 9]
    assert table["shape"].tolist() == ["phases"] * 2 + ["adversarial"] * 2
    assert (table["regret_upper"] <= table["bound_sharper"]).all()
    assert (table["regret_lower"][2:].to_numpy() >= table["regret_upper"][:2].to_numpy() - 1e-6).all()


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


def test_the_page_of_regret_has_a_row_for_each_step_and_shape(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(PAGE), "--longest", "64", "--step", "constant", "--shape", "random"])
    runpy.run_path(str(PAGE), run_name="__main__")
    assert "| oga_sched | step=constant | random | 0." in capsys.readouterr().out


def test_a_worst_trajectory_is_drawn_next_to_other_regrets() -> None:
    found = worst_arrivals(CHOICE, CLUSTER, 3)
    matrix, beside = draw_worst(found, [0.0, 0.5, 0.5], steady=1.0).axes
    assert np.array_equal(matrix.collections[0].get_array(), found.regret.instance.arrivals.T)
    assert sum(bar.get_height() for bar in beside.patches) == 3
    lines = [line.get_xdata()[0] for line in beside.lines]
    promised = found.regret.bound()[-1]
    assert lines == pytest.approx([1 / promised, float(found.regret.lower[-1]) / promised, 1])


def test_each_shape_has_its_line_and_nonpositive_regrets_are_omitted() -> None:
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


def test_the_printed_lines_fill_an_underloaded_node() -> None:
    # 1/4 more of 1 is asked for in each slot: too little three times, then as much as there is, then more
    assert fates(IN_TURN, 0.25, 5) == {"feasible, not the nearest": 3, "the nearest point": 2, "more than a demand": 0}


@pytest.mark.parametrize("step", [0.3, 2.0])
def test_the_outcomes_of_two_ports_agree_with_another_reading(step: float) -> None:
    ports = [{"name": name, "demand": {"gpu": most}, "nodes": ["node"]} for name, most in (("one", 3), ("other", 1))]
    cluster = from_json(DUEL | {"ports": ports, "nodes": [{"name": "node", "capacity": {"gpu": 3}}]})
    instance = with_arrivals(cluster, np.array([[1, 1], [1, 0], [0, 1]] * 3, dtype=np.uint8))
    y, judged = np.zeros(2), []
    for present in instance.arrivals:
        z = y + step * present
        judged.append(list(JUDGEMENTS)[judge((z[0], z[1]), (3.0, 1.0), 3.0)])
        y = project_row(z, np.array([3.0, 1.0]), 3.0)
    assert +fates(instance, step, 9) == Counter(judged)
    assert "more than a demand" in judged
