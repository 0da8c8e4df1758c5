from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import schedproof as sp
from schedproof.instances.preemptive import Instance, Schedule, from_json
from schedproof.instances.preemptive.picture import LEGEND, MOST_ROWS
from tests.tiny.preemptive import tiny_instance, tiny_preemptive


def preempted() -> tuple[Instance, Schedule]:
    for seed in range(100):
        instance = tiny_instance(seed, cloud=False)
        schedule = sp.policy("srtf").run(instance).schedule
        if schedule.preemptions():
            return instance, schedule
    raise AssertionError


def points(ax: object) -> list[np.ndarray]:
    return [path.vertices for path in ax.collections[0].get_paths()]  # type: ignore[attr-defined]


def test_every_interval_is_a_bar_and_interruptions_are_torn(tmp_path: Path) -> None:
    instance, schedule = preempted()
    ax = schedule.plot(instance)
    ax.figure.savefig(tmp_path / "gantt.png")
    assert (tmp_path / "gantt.png").stat().st_size > 5000
    spans = sorted((p[:, 0].min(), p[:, 0].max()) for p in points(ax))
    expected = zip(schedule.intervals.start.tolist(), schedule.intervals.end.tolist(), strict=True)
    assert spans == sorted(expected)
    torn = sum(len(set(p[:7, 0])) > 1 for p in points(ax)), sum(len(set(p[7:14, 0])) > 1 for p in points(ax))
    assert torn == (schedule.preemptions(), schedule.preemptions())
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == [*(job.name for job in instance.jobs), "arrives", "interrupted", "resumed"]


def test_the_clouds_chunks_are_one_bar_per_job_with_their_number() -> None:
    instance = tiny_instance(4, cloud=True)
    schedule = sp.policy("batch_sche").run(instance).schedule
    inside = [job for job in instance.jobs if "cloud" in job.upload_delay]
    ax = schedule.plot(instance)
    edge = int((schedule.intervals.worker >= 0).sum())
    assert len(points(ax)) == edge + len(inside)
    assert {t.get_text() for t in ax.texts} == {f"×{job.chunks}" for job in inside if job.chunks > 1}
    assert "cloud" in [label.get_text() for label in ax.get_yticklabels()]


def test_of_a_large_system_use_queue_and_the_distribution_of_jct_are_drawn(tmp_path: Path) -> None:
    value = tiny_preemptive(3, cloud=False, storage=False, jobs=LEGEND + 4, servers=2)
    value["servers"][0]["workers"] = {"gpu": MOST_ROWS + 30}
    instance = from_json(value)
    run = sp.policy("srtf").run(instance)
    ax = run.plot()
    use, queue, jct = ax.child_axes
    assert ax.get_title(loc="left").startswith("SRTF: total JCT")
    assert [text.get_text() for text in use.get_legend().get_texts()] == ["the workers"]
    assert [text.get_text() for text in queue.get_legend().get_texts()] == [
        "jobs present",
        "of these, without resources",
    ]
    present, waiting = (line.get_data() for line in queue.patches)
    assert waiting.values.max() == run.measures["queue_max"] <= present.values.max()
    area = (use.patches[0].get_data().values * np.diff(use.patches[0].get_data().edges)).sum()
    start, end = run.timeline.period
    assert area / (end - start) == pytest.approx(run.measures["utilisation"])
    p50, p95, p99 = (run.measures[f"jct_p{p}"] for p in (50, 95, 99))
    assert [text.get_text().rstrip() for text in jct.texts] == [
        f" p50: {p50:.0f}",
        f" p95: {p95:.0f}",
        f" p99: {p99:.0f}",
    ]
    ax.figure.savefig(tmp_path / "large.png")
