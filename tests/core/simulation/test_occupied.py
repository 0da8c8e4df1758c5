from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
import pytest

from schedproof.core.simulation.occupied import Occupied, draw_gantt, lanes, totals
from tests.instances.schedules import schedules
from tests.support import FAMILIES

OF = schedules()
ROWS = [Occupied(0, 0, "gpu", 0, 3, 2), Occupied(1, 0, "gpu", 1, 2, 1), Occupied(1, 1, "gpu", 3, 4, 5)]


def loads(rows: Iterable[Occupied]) -> dict[tuple[int, str], list[tuple[int, Fraction | float]]]:
    changes: dict[tuple[int, str], dict[int, Fraction | float]] = defaultdict(lambda: defaultdict(Fraction))
    for row in rows:
        changes[row.place, row.resource][row.start] += row.amount
        changes[row.place, row.resource][row.end] -= row.amount
    moments = {key: sorted(steps) for key, steps in changes.items()}
    return {key: [*zip(at, accumulate(changes[key][t] for t in at), strict=True)] for key, at in moments.items()}


def test_sums_loads_and_lanes_by_hand() -> None:
    assert totals(ROWS, "job") == {(0,): 2, (1,): 6}
    assert totals(ROWS, "place", "resource") == {(0, "gpu"): 3, (1, "gpu"): 5}
    assert loads(ROWS) == {(0, "gpu"): [(0, 2), (1, 3), (2, 2), (3, 0)], (1, "gpu"): [(3, 5), (4, 0)]}
    assert lanes([(0, 3), (1, 2), (2, 4), (3, 5)]) == [0, 1, 1, 0]


def test_every_stay_is_a_bar_in_a_separate_lane() -> None:
    ax = draw_gantt(ROWS, ["a", "b"], ["one", "other"], arrivals=[0, 0])
    assert sorted((bar.get_x(), bar.get_width()) for bar in ax.patches) == [(0, 3), (1, 1), (3, 1)]
    assert len({bar.get_y() for bar in ax.patches}) == 3
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one", "other"]
    assert len(ax.collections) == 1, "b has waited"


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_have_existing_names_and_loads_end_at_zero(family: str) -> None:
    for seed in range(5):
        instance, schedule = OF[family].drawn(seed)
        rows = [*schedule.occupied(instance)]
        jobs = {"placement": "tasks", "multiserver": "ports"}.get(family, "jobs")
        assert all(0 <= row.job < len(getattr(instance, jobs)) and row.start < row.end for row in rows)
        assert all(row.amount >= 0 for row in rows)
        for steps in loads(rows).values():
            assert steps[-1][1] == pytest.approx(0, abs=1e-9) and all(
                one < other for (one, _), (other, _) in pairwise(steps)
            )
        assert sum(totals(rows, "place").values()) == pytest.approx(sum(totals(rows, "job").values()))


def test_no_more_than_the_capacity_is_held() -> None:
    for seed in range(8):
        instance, schedule = OF["dmlrs"].drawn(seed)
        for (place, resource), steps in loads(schedule.occupied(instance)).items():
            machine = instance.machines[place]
            assert all(load <= instance.free(t, machine, resource) for t, load in steps if t < instance.horizon)
        instance, schedule = OF["placement"].drawn(seed)
        for (place, resource), steps in loads(schedule.occupied(instance)).items():
            assert max(load for _, load in steps) <= instance.clusters[place].capacity.get(resource, 0)
        instance, schedule = OF["jrp"].drawn(seed)
        held = totals(schedule.occupied(instance), "place", "resource")
        assert all(amount <= getattr(instance.servers[j], name) for (j, name), amount in held.items())


def test_sums_equal_the_familys_numbers() -> None:
    for seed in range(5):
        instance, schedule = OF["preemptive"].drawn(seed)
        slots = sum(row.amount * (row.end - row.start) for row in schedule.occupied(instance))
        parts = (schedule.intervals, schedule.services)
        assert slots == sum(int((part.end - part.start).sum()) for part in parts)
        instance, schedule = OF["multiserver"].drawn(seed)
        frame, held = schedule.to_frame(instance), totals(schedule.occupied(instance), "job", "resource")
        for n, port in enumerate(instance.ports):
            for name in instance.resources:
                mean = float(held.get((n, name), Fraction(0))) / max(int(instance.arrivals[:, n].sum()), 1)
                assert np.isclose(frame[name][n], mean), port.name
