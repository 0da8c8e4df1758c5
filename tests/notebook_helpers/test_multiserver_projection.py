from __future__ import annotations

import numpy as np
import pytest
from multiserver_projection import JUDGEMENTS, draw_projection, draw_protocols, judge, judgements

from schedproof.online.multiserver.projection import project_row
from schedproof.reference.multiserver_projection import Interpretation

DEMAND, KEPT = (3.0, 1.0), Interpretation(zeroed=False)


@pytest.mark.parametrize(
    ("point", "fate"),
    [((1.5, 0.3), "feasible, not the nearest"), ((2.6, 2.2), "more than a demand"), ((2.5, -1.5), "a negative amount")],
)
def test_points_are_judged_as_the_page_shows(point: tuple[float, float], fate: str) -> None:
    assert list(JUDGEMENTS)[judge(point, DEMAND, 3.0, KEPT)] == fate


def test_the_picture_marks_both_answers() -> None:
    point = (2.6, 2.2)
    ax = draw_projection(point, DEMAND, 3.0, KEPT)
    marks = {line.get_label(): line.get_xydata()[0] for line in ax.lines if not line.get_label().startswith("_")}
    assert marks["z"] == pytest.approx(point)
    assert marks["nearest"] == pytest.approx(project_row(np.array(point), np.array(DEMAND), 3.0)) == [2, 1]
    assert marks["printed"][1] > DEMAND[1]  # the slip that the claim is about


def test_the_legend_counts_the_colours_of_the_plane() -> None:
    ax = draw_projection((1.0, 1.0), DEMAND, 3.0, judged=True)
    fate = judgements(DEMAND, 3.0)
    (mesh,) = ax.collections
    assert np.array_equal(mesh.get_array(), fate)
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [f"{np.mean(fate == n):.0%} {name}" in words for n, name in enumerate(JUDGEMENTS)] == [True] * 4
    assert 0 < np.mean(fate == 0) < 1


def test_rewards_are_two_coloured_bars_by_policy() -> None:
    rewards = {("a", "commits"): 3.0, ("b", "commits"): 2.0, ("b", "responds"): 5.0}
    ax = draw_protocols(rewards, 4)
    commits, responds = ax.containers
    assert [bar.get_width() for bar in commits] == [3, 2] and [bar.get_width() for bar in responds] == [5]
    assert [round(bar.get_y() + bar.get_height() / 2) for bar in (*commits, *responds)] == [0, 1, 1]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
