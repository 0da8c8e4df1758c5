from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Rectangle

import schedproof as sp
from schedproof.core.simulation.schedule_pictures import MOST_DELAYS, MOST_POINTS, draw_beside, draw_timeline
from schedproof.core.simulation.timeline import Timeline


def bars(ax: Any) -> list[tuple[float, float]]:
    return [(bar.get_x(), bar.get_width()) for bar in ax.patches if isinstance(bar, Rectangle)]


def test_each_job_has_a_bar_as_long_as_its_delay() -> None:
    day = sp.embedded("day")
    optimum = sp.program("preemptive.minlp2").solve(day).schedule()
    policy = sp.policy("a_online").run(day).schedule
    above, below, delays = draw_beside(day, {"one": policy, "other": optimum}).figure.axes
    done = [schedule.timeline(day).end for schedule in (policy, optimum)]
    assert bars(delays) == list(zip(done[1].tolist(), (done[0] - done[1]).tolist(), strict=True))
    assert "+3 slots in total" in delays.get_title(loc="left")
    assert above.get_title(loc="left").startswith("one: total JCT 34 slots")
    assert above.get_xlim() == below.get_xlim() == delays.get_xlim()
    assert above.get_legend() is not None and below.get_legend() is None


def test_of_many_jobs_those_with_the_largest_delays_are_drawn() -> None:
    instance = sp.generate("preemptive", "testbed", seed=1, jobs=MOST_DELAYS + 5)
    slow, fast = (sp.policy(name).run(instance).schedule for name in ("srtf", "a_online"))
    delays = draw_beside(instance, {"slow": slow, "fast": fast}).figure.axes[2]
    later = slow.timeline(instance).end - fast.timeline(instance).end
    assert sorted(width for _, width in bars(delays)) == sorted(sorted(later.tolist(), key=abs)[-MOST_DELAYS:])
    assert f"the {MOST_DELAYS} largest of {MOST_DELAYS + 5}" in delays.get_title(loc="left")


def test_schedules_without_time_are_drawn_next_to_each_other() -> None:
    cells = sp.embedded("cells")
    plans = {name: sp.policy(name).run(cells).schedule for name in ("greedy", "random")}
    figure = draw_beside(cells, plans).figure
    assert [ax.get_title().partition(":")[0] for ax in figure.axes] == ["greedy", "random"]


def test_an_infeasible_schedule_is_labelled_next_to_another() -> None:
    day = sp.embedded("day")
    good = sp.policy("srtf").run(day).schedule
    rows = good.intervals
    early = replace(good, intervals=replace(rows, start=rows.start - 1, end=rows.end - 1))
    above, below, _ = draw_beside(day, {"good": good, "early": early}).figure.axes
    marks = [[text.get_text() for text in ax.texts if "NOT feasible" in text.get_text()] for ax in (above, below)]
    assert marks[0] == [] and len(marks[1]) == 1


def test_a_line_of_many_steps_is_drawn_by_means() -> None:
    count = 3 * MOST_POINTS
    runs = [(0, 2 * t, 2 * t + 1) for t in range(count)]
    use = {"the machine": [(start, end, 1) for _, start, end in runs]}
    line = Timeline.of([0], [2 * count], runs, use=use, room={"the machine": [(0, 2 * count, 1)]})
    (drawn,) = draw_timeline(line, "half of the time").child_axes[0].patches
    values, edges, _ = drawn.get_data()
    assert len(values) == MOST_POINTS and values == pytest.approx(np.full(MOST_POINTS, 0.5))
    assert (edges[0], edges[-1]) == (0, 2 * count)
