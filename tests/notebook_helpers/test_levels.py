"""Bars from level to level."""

from __future__ import annotations

from levels import draw_levels


def test_levels_are_consecutive_bars() -> None:
    ax = draw_levels({"from": [0, 1], "first": [2, 1.5], "last": [5, 1.25]}, ["one", "other"])
    bars = [[(bar.get_x(), bar.get_width(), bar.get_y() + 0.4) for bar in container] for container in ax.containers]
    assert bars == [[(0, 2, 0)], [(1, 0.5, 1)], [(2, 3, 0)], [(1.5, 0, 1)]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["first", "last"]
    assert {"2", "3", "5", "1.25"} <= {text.get_text() for text in ax.texts}
