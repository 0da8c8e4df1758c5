from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.data.reading import parse
from schedproof.instances.jrp import Assignment, Grant, Instance, Placement, Schedule
from tests.instances.jrp.greedy import greedy
from tests.tiny.jrp import schedule_of, tiny_cells, written

F = Fraction


def drawn(seed: int) -> tuple[Instance, Schedule]:
    instance = tiny_cells(seed, jobs=5)
    schedule = greedy(instance, seed, "cone" if seed % 2 else "split")
    return instance, replace(schedule, trace=({"round": 1, "accepted": seed},) if seed % 3 else ())


def as_parsed(schedule: Schedule, instance: Instance) -> Any:
    return parse(msgspec.json.Encoder(decimal_format="number").encode(schedule.to_json(instance)))


def of_one_grant(compute: Fraction, bandwidth: Fraction) -> tuple[Instance, Schedule]:
    instance = sp.embedded("cells")
    return instance, schedule_of(Assignment([], [Grant(0, 0, compute, bandwidth)]), instance)


NUMBERS = st.builds(
    lambda n, d, power: F(n, d) * F(10) ** power,
    st.integers(-(10**30), 10**30),
    st.sampled_from([1, 3, 2**40, 10**9]) | st.integers(1, 10**9),
    st.integers(-60, -12),
)


@given(NUMBERS, NUMBERS)
def test_any_rational_grant_round_trips(compute: Fraction, bandwidth: Fraction) -> None:
    instance, schedule = of_one_grant(compute, bandwidth)
    assert Schedule.from_json(as_parsed(schedule, instance), instance) == schedule


@pytest.mark.parametrize(
    ("amount", "written"),
    [
        (F(0), b"0"),
        (F(150), b"150"),
        (F(-5, 4), b"-1.25"),
        (F(12345678901234567), b"12345678901234567"),
        (F(123456789012345678), b'"123456789012345678/1"'),
        (F(1, 3), b'"1/3"'),
        (F(1, 2**60), b'"1/1152921504606846976"'),
        (F(7, 10**18), b"7E-18"),
        (F(1, 10**19), b'"1/10000000000000000000"'),
    ],
)
def test_short_decimals_are_numbers_and_others_ratios(amount: Fraction, written: bytes) -> None:
    instance, schedule = of_one_grant(amount, F(1))
    content = msgspec.json.Encoder(decimal_format="number").encode(schedule.to_json(instance))
    assert b'"compute":' + written + b"," in content
    assert Schedule.from_json(parse(content), instance).grants[0].compute == amount


def test_accepted_is_all_of_a_jobs_data_nodes() -> None:
    instance = written([(9, 0, 0)], [(0, 0, [(1, (0,))] * count) for count in (0, 2, 3)])

    def accepted(*nodes: tuple[int, int]) -> list[int]:
        rows = [Placement(k, i, 0) for k, i in nodes]
        return schedule_of(Assignment(rows, []), instance).accepted_jobs(instance)

    both = (1, 0), (1, 1)
    assert accepted() == [0]
    assert accepted(*both) == accepted(*both, (2, 0), (2, 1)) == [0, 1]
    assert accepted((2, 0), (2, 1), (2, 1)) == [0]
    assert accepted(*both, (2, 0), (2, 1), (2, 2)) == [0, 1, 2]


def test_the_frame_has_a_row_per_job() -> None:
    for seed in range(10):
        instance, schedule = drawn(seed)
        frame = schedule.to_frame(instance)
        assert frame.job.tolist() == [job.name for job in instance.jobs]
        assert frame.index[frame.accepted].tolist() == schedule.accepted_jobs(instance)
        assert frame.accepted.sum() == schedule.objective(instance)
        for job in instance.jobs:
            mine = [grant for grant in schedule.grants if grant.job == job.index]
            assert frame.data_nodes[job.index] == len(job.nodes)
            assert frame.data[job.index] == pytest.approx(float(sum(n.size for n in job.nodes)))
            assert frame.servers[job.index] == len({p.server for p in schedule.placements if p.job == job.index})
            for what in ("compute", "bandwidth"):
                assert frame[what][job.index] == pytest.approx(float(sum(getattr(g, what) for g in mine)))


def test_utilisation_is_the_mean_share_of_storage() -> None:
    # Section V-A: not the share of all storage; a server without storage counts as 0.
    instance = written([(10, 0, 0), (2, 0, 0), (0, 0, 0)], [(0, 0, [(1, (0, 1, 2))] * 3)])
    schedule = schedule_of(Assignment([Placement(0, i, j) for i, j in enumerate((0, 1, 0))], []), instance)
    assert schedule.storage_use(instance) == [2, 1, 0]
    assert schedule.utilisation(instance) == (F(1, 5) + F(1, 2) + 0) / 3


def test_an_empty_schedule() -> None:
    instance = tiny_cells(7)
    nothing = schedule_of(Assignment([], []), instance)
    assert nothing.objective(instance) == sum(not job.nodes for job in instance.jobs)
    assert nothing.utilisation(instance) == 0 and not nothing.to_frame(instance).servers.any()


def test_the_file_holds_a_trace_if_there_is_one() -> None:
    instance, schedule = drawn(1)
    rows = ({"round": 1},)
    assert as_parsed(replace(schedule, trace=rows), instance)["trace"] == [{"round": 1}]
    assert "trace" not in as_parsed(replace(schedule, trace=()), instance)


def test_remarks_sum_up_the_trace() -> None:
    rows = (
        {"batch": 1, "solved": True, "overfilled": 0},
        {"batch": 1, "solved": False, "overfilled": 2, "ended": "no jobs left"},
        {"batch": 2, "solved": True, "ended": "1 job left"},
    )
    _, schedule = drawn(0)
    assert replace(schedule, trace=rows).remarks == (
        "batch 1: iterations: 2, linear programs solved: 1, resources of servers overfilled: 2; no jobs left",
        "batch 2: iterations: 1, linear programs solved: 1; 1 job left",
    )
    assert schedule.remarks == ()
