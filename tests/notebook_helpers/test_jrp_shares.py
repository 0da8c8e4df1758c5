from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest
from jrp_shares import PROGRAMS, draw_means, draw_relaxations, draw_time_shares, time_shares

import schedproof as sp

CELLS = sp.embedded("cells")
SHARES = [Fraction(1, 8), Fraction(7, 16)]


def test_each_share_is_a_separate_instance() -> None:
    table = time_shares(CELLS, SHARES)
    assert list(table["share"]) == SHARES and table["lp_i"].nunique() == 2
    for share, linear, accepted in table.itertuples(index=False):
        at = replace(CELLS, communication_share=share)
        assert linear == pytest.approx(sp.program("jrp.lp_i").solve(at).objective)
        assert accepted == len(sp.policy("jrp_rounding").run(at).schedule.accepted_jobs(at)) <= linear + 1e-6


def test_the_picture_has_both_curves_the_ceiling_and_the_share_of_the_instance() -> None:
    table = pd.DataFrame({"share": SHARES, "lp_i": [3.5, 4.5], "accepted": [3.0, 4.0]})
    linear, accepted, ceiling, own = draw_time_shares(table, CELLS, 6, "optimum").lines
    assert linear.get_xydata() == pytest.approx(pd.DataFrame({"x": [0.125, 0.4375], "y": [3.5, 4.5]}).to_numpy())
    assert accepted.get_ydata().tolist() == [3, 4]
    assert (ceiling.get_ydata()[0], own.get_xdata()[0]) == (6, float(CELLS.communication_share))


def test_relaxations_are_drawn_in_units_of_the_optimum() -> None:
    optima = {program: [2.0 * n, 8.0] for n, program in enumerate(PROGRAMS, start=1)}
    lines = {line.get_label(): line.get_xydata().tolist() for line in draw_relaxations(optima, ["a", "b"]).lines}
    assert lines == {name: [[n / 3, 0], [1, 1]] for n, (name, *_) in enumerate(PROGRAMS.values(), start=1)}


def test_means_are_lines_with_hollow_marks_for_infeasible_schedules() -> None:
    columns = ("policy", "options", "jobs", "objective", "feasible")
    rows = [("a", "", 1, 2.0, True), ("a", "", 1, 4.0, True), ("a", "", 2, 5.0, True)]
    rows += [("a", "x=1", 1, 7.0, True), ("a", "x=1", 2, 8.0, False)]
    plain, other, hollow = draw_means(pd.DataFrame(rows, columns=columns), "jobs").lines
    assert [plain.get_label(), other.get_label()] == ["a", "a (x=1)"]
    assert list(plain.get_ydata()) == [3, 5] and list(other.get_ydata()) == [7, 8]
    assert list(hollow.get_xdata()) == [2] and hollow.get_markerfacecolor() == "white"
