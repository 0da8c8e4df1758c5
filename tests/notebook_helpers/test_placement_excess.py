from __future__ import annotations

import numpy as np
import pytest
from placement_excess import draw_excess, draw_waiting


def test_excess_over_the_optimum_is_drawn_in_percent_with_mean_and_interval() -> None:
    excess = {"a": np.array([0.1, 0.2, 0.3]), "b": np.array([0.0, 0.0, 0.3])}
    ax = draw_excess(excess, {"a": "red", "b": "blue"}, -0.05)
    dots = {line.get_color(): line.get_xdata() for line in ax.lines if line.get_marker() == "."}
    assert dots["red"] == pytest.approx([10, 20, 30]) and dots["blue"] == pytest.approx([0, 0, 30])
    assert [text.get_text() for text in ax.texts] == ["20.0% ± 24.8%", "10.0% ± 43.0%"]
    optimum, bound = ax.lines[-2:]
    assert (optimum.get_xdata()[0], bound.get_xdata()[0]) == (0, -5)


def test_waiting_follows_running_on_the_same_bar() -> None:
    runs, waits = draw_waiting({"a": (1.0, 2.0), "b": (0.5, 4.0)}).containers
    assert [bar.get_width() for bar in runs] == [2, 4]
    assert [(bar.get_x(), bar.get_width()) for bar in waits] == [(2, 1), (4, 0.5)]
