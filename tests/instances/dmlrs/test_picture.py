from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.simulation.pictures import JOB_COLOURS
from schedproof.instances.dmlrs import Instance, Schedule, from_json
from schedproof.instances.dmlrs.picture import FADED, LEGEND
from tests.instances.dmlrs.greedy import greedy
from tests.tiny.dmlrs import tiny_dmlrs


def cluster(seed: int = 1) -> tuple[Instance, Schedule]:
    instance = sp.embedded("cluster")
    return instance, greedy(instance, seed, give_up=1)


def bars(ax: Any) -> list[tuple[float, float, float, bool, bool]]:
    """Return (slot, bottom, workers, spread, given up) of every bar."""
    found = []
    for collection in ax.collections:
        if type(collection).__name__ == "PolyCollection":
            for path in collection.get_paths():
                (left, bottom), (_, top) = path.vertices[:4].min(axis=0), path.vertices[:4].max(axis=0)
                kind = collection.get_hatch() is not None, collection.get_alpha() == FADED
                found.append((np.floor(left), bottom, top - bottom, *kind))
    return found


def test_every_job_in_a_slot_is_a_bar_of_its_workers(tmp_path: Path) -> None:
    instance, schedule = cluster()
    ax = schedule.plot(instance)
    ax.figure.savefig(tmp_path / "slots.png")
    assert (tmp_path / "slots.png").stat().st_size > 5000
    expected = []
    height = dict.fromkeys(range(instance.horizon), 0)
    for slot in range(instance.horizon):
        for job in instance.jobs:
            mine = [p for p in schedule.placements if (p.job, p.slot) == (job.index, slot)]
            workers = sum(p.workers for p in mine)
            if workers:
                expected.append((slot, height[slot], workers, len(mine) > 1, job.index in schedule.unfinished))
                height[slot] += workers
    assert sorted(bars(ax)) == sorted(expected)
    assert {row[3] for row in expected} == {row[4] for row in expected} == {True, False}


def test_the_strip_shows_the_used_fraction() -> None:
    instance, schedule = cluster()
    strip, scale = schedule.plot(instance).child_axes
    shown = strip.images[0].get_array()
    for r, name in enumerate(instance.resources):
        for t in range(instance.horizon):
            used = sum(
                p.workers * instance.jobs[p.job].worker.get(name, 0) + p.ps * instance.jobs[p.job].ps.get(name, 0)
                for p in schedule.placements
                if p.slot == t
            )
            free = sum(instance.free(t, m, name) for m in instance.machines)
            assert shown[r, t] == pytest.approx(float(used / free))
    assert [label.get_text() for label in strip.get_yticklabels()] == list(instance.resources)
    assert [label.get_text() for label in scale.get_yticklabels()] == ["0 %", "100 % in use"]


def test_the_legend_names_jobs_and_resources() -> None:
    instance, schedule = cluster()
    names = [text.get_text() for text in schedule.plot(instance).get_legend().get_texts()]
    kinds = ["on one machine", "spread", "given up", "arrives", "arrives, does not finish"]
    assert names == [job.name for job in instance.jobs] + kinds
    done = len(schedule.completions(instance))
    title = schedule.plot(instance).get_title(loc="left")
    assert title == f"greedy: total utility {float(schedule.objective(instance)):.6g}, {done} of 6 jobs finish"


def test_hollow_triangles_are_jobs_that_do_not_finish() -> None:
    instance, schedule = cluster()
    hollow = full = 0
    for collection in schedule.plot(instance).collections:
        if type(collection).__name__ == "PathCollection":
            faces = collection.get_facecolors()
            hollow += sum(face[3] == 0 for face in faces) + (len(collection.get_offsets()) if not len(faces) else 0)
            full += sum(face[3] > 0 for face in faces)
    assert (full, hollow) == (len(schedule.completions(instance)), 6 - len(schedule.completions(instance)))


def test_many_jobs_are_named_in_their_bars() -> None:
    value = tiny_dmlrs(3, jobs=LEGEND + 4, machines=3, horizon=6, reserved=False)
    instance = from_json(value)
    schedule = greedy(instance, 3, give_up=1)
    ax = schedule.plot(instance)
    legend = {text.get_text() for text in ax.get_legend().get_texts()}
    named = [text.get_text() for text in ax.texts]
    assert named and len(set(named)) == len(named)
    assert set(named) <= {job.name for job in instance.jobs} and not legend & set(named)


def test_of_more_jobs_than_colours_use_queue_and_the_distribution_of_jct_are_drawn() -> None:
    instance = from_json(tiny_dmlrs(3, jobs=len(JOB_COLOURS) + 1, machines=3, horizon=6, reserved=True))
    run = sp.policy("fifo").run(instance)
    ax = run.plot()
    use, queue, _ = ax.child_axes
    done = run.schedule.completions(instance)
    assert f"{len(done)} of {len(instance.jobs)} jobs finish, the others count until" in ax.get_title(loc="left")
    assert {text.get_text() for text in use.get_legend().get_texts()} <= {*instance.resources}
    assert queue.patches[1].get_data().values.max() == run.measures["queue_max"]


def test_a_resource_without_capacity_is_drawn_as_unused() -> None:
    value = tiny_dmlrs(4, reserved=False)
    value["resources"].append("spare")
    instance = from_json(value)
    strip, _ = greedy(instance, 1).plot(instance).child_axes
    assert not strip.images[0].get_array()[-1].any()
