from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from gangs_start import draw_late, late, pair, panels, queue, ways

import schedproof as sp


def on_the_idle_worker(run: sp.Run) -> int:
    rows = {(row[4], *row[:2]) for row in run.schedule.intervals.rows()}
    busy = {worker for worker, job, _ in rows if job == 0}
    return sum(worker not in busy for worker, job, _ in rows if job == 1)


@pytest.mark.parametrize(("name", "column"), [("a_online", 0), ("gang_online", 1)])
def test_the_policies_minimise_their_costs_and_totals_are_as_listed(name: str, column: int) -> None:
    options = {"order": "residual"} if name == "a_online" else {}
    run, listed = sp.policy(name, **options).run(pair()), ways()
    alone = min(listed, key=lambda way: listed[way][column])
    assert run.feasible and on_the_idle_worker(run) == alone
    assert run.objective == listed[alone][2]


def test_the_least_total_listed_is_the_optimum() -> None:
    least = min(total for *_, total in ways().values())
    assert sp.program("preemptive.minlp2").solve(pair()).objective == pytest.approx(least)


def test_theta_0_counts_the_last_chunk_and_others_the_average() -> None:
    assert [whole for _, whole, _ in ways(Fraction(0)).values()] == [3 + 3, 6 + Fraction(3, 2), 9]


def test_at_load_1_work_arrives_as_fast_as_it_is_done() -> None:
    loads = []
    for seed in range(3):
        jobs = queue(seed, 1.0).jobs
        loads.append(sum(job.chunks * job.slots() for job in jobs) / 16 / max(job.arrival for job in jobs))
    assert 0.8 < np.mean(loads) < 1.2


def test_delays_add_up_to_the_difference_of_totals_and_are_drawn() -> None:
    two = pair()
    run, best = sp.policy("a_online", order="residual").run(two), sp.policy("gang_online").run(two)
    parts = late(run, best)
    assert parts == {"1": 0, "2 or 3": 3, "4 to 7": 0, "8 and more": 0}
    assert sum(parts.values()) == run.objective - best.objective
    ax = panels((4, 2))
    draw_late({"A_online": [parts, parts], "gang_online": [late(best, best)] * 2}, 22.0, ax)
    first, second = ax.containers
    assert [bar.get_height() for bar in first] == pytest.approx([0, 100 * 6 / 22, 0, 0])
    assert [bar.get_height() for bar in second] == [0, 0, 0, 0]
