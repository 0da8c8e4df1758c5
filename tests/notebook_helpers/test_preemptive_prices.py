from __future__ import annotations

import numpy as np
import pytest
from preemptive_prices import draw_prices, rents, weights

import schedproof as sp
from schedproof.relaxations.preemptive.bounds import bound_from_prices


def test_the_rents_are_the_prices_that_prove_the_bound() -> None:
    day = sp.embedded("day")
    bound = sp.bound("preemptive.lp4", day)
    assert bound_from_prices(day, rents(bound, day)).value == pytest.approx(bound.value, rel=1e-6)


def test_a_chunk_counts_on_its_class_from_arrival_to_end() -> None:
    day = sp.embedded("day")
    run = sp.policy("a_online").run(day)
    beta = weights(run.schedule, day)
    number = {place: q for q in day.classes for place in q.places}
    total = 0.0
    ends: dict[tuple[int, int], tuple[int, int]] = {}
    for job, chunk, server, kind, worker, _, end in run.schedule.intervals.rows():
        if (server, kind, worker) in number:
            ends[job, chunk] = max(ends.get((job, chunk), (0, 0)), (end, number[server, kind, worker].count))
    for (job, _), (end, count) in ends.items():
        total += (end - day.jobs[job].arrival) / day.jobs[job].chunks / count
    assert beta.sum() == pytest.approx(total) and (beta >= 0).all()


def test_every_class_has_axes_with_both_lines() -> None:
    day = sp.embedded("day")
    bound, run = sp.bound("preemptive.lp4", day), sp.policy("a_online").run(day)
    every = draw_prices(run.schedule, day, bound).axes
    assert len(every) == len(day.classes)
    last = int(run.schedule.intervals.end.max())
    for q, ax in zip(day.classes, every, strict=True):
        of_run, of_lp = (np.asarray(line.get_ydata()) for line in ax.lines)
        assert of_run == pytest.approx(weights(run.schedule, day)[q.index, :last])
        assert of_lp == pytest.approx(rents(bound, day)[q.index, :last])
