from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.patches import Rectangle

import schedproof as sp
from schedproof.core.simulation.occupied import lanes_needed
from schedproof.instances.placement.picture import MOST_LANES
from tests.instances.placement.schedules import good


@pytest.mark.parametrize("seed", range(6))
def test_every_run_is_a_bar_and_no_two_overlap(seed: int, tmp_path: Path) -> None:
    instance, schedule = good(seed)
    ax = schedule.plot(instance)
    ax.figure.savefig(tmp_path / "gantt.png")
    assert (tmp_path / "gantt.png").stat().st_size > 3000
    bars = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert sorted(bar.get_x() for bar in bars) == sorted(row.slot for row in schedule.starts)
    ends = schedule.completions(instance)
    until = [row.until if row.until is not None else ends[row.task] for row in schedule.starts]
    assert sorted(bar.get_x() + bar.get_width() for bar in bars) == sorted(until)
    lanes = [(bar.get_y(), bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars]
    for n, (lane, start, end) in enumerate(lanes):
        assert all(other != lane or stop <= start or begin >= end for other, begin, stop in lanes[n + 1 :])
    assert [label.get_text() for label in ax.get_yticklabels()] == [cluster.name for cluster in instance.clusters]


def test_many_tasks_are_drawn_as_use_queue_and_jct_distribution(tmp_path: Path) -> None:
    instance = sp.generate("placement", "testbed6", seed=1, tasks=200)
    schedule = sp.policy("minimum").run(instance).schedule
    assert lanes_needed(schedule.occupied(instance)) > MOST_LANES
    use, queue, jct = schedule.plot(instance).child_axes
    assert [text.get_text() for text in use.get_legend().get_texts()] == list(instance.resources)
    assert queue.get_ylabel() == "jobs" and [text.get_text()[:4] for text in jct.texts] == [" p50", " p95", " p99"]
    use.figure.savefig(tmp_path / "many.png")
