"""The schedule: its JSON there and back, every bad file one sentence, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.arrays import write_object
from schedproof.core.errors import InputError
from schedproof.core.reading import parse
from schedproof.instances.jrp import Assignment, Grant, Instance, Placement, Schedule
from schedproof.instances.jrp.schedule_file import from_json
from tests.instances.jrp.greedy import greedy
from tests.support import size
from tests.tiny.jrp import schedule_of, tiny_cells, written

F = Fraction


def drawn(seed: int) -> tuple[Instance, Schedule]:
    instance = tiny_cells(seed, jobs=5)
    schedule = greedy(instance, seed, "cone" if seed % 2 else "split")
    return instance, replace(schedule, trace=({"round": 1, "accepted": seed},) if seed % 3 else ())


def as_parsed(schedule: Schedule, instance: Instance) -> Any:
    """What reading the written file gives."""
    return parse(msgspec.json.Encoder(decimal_format="number").encode(schedule.to_json(instance)))


def test_json_there_and_back() -> None:
    for seed in range(size(20, 100, 1000)):
        instance, schedule = drawn(seed)
        again = from_json(as_parsed(schedule, instance), instance)
        assert again == schedule, seed
        assert again.violations(instance) == []


def test_a_file_there_and_back(tmp_path: Path) -> None:
    instance = sp.embedded("cells")
    schedule = greedy(instance, 1)
    write_object(tmp_path / "plan.json", schedule.to_json(instance))
    assert sp.read_schedule(tmp_path / "plan.json", instance) == schedule


def of_one_grant(compute: Fraction, bandwidth: Fraction) -> tuple[Instance, Schedule]:
    instance = sp.embedded("cells")
    return instance, schedule_of(Assignment([], [Grant(0, 0, compute, bandwidth)]), instance)


NUMBERS = st.builds(
    lambda n, d, power: F(n, d) * F(10) ** power,
    st.integers(-(10**30), 10**30),
    st.sampled_from([1, 3, 2**40, 10**9]) | st.integers(1, 10**9),
    st.integers(-60, 60),
)


@given(NUMBERS, NUMBERS)
def test_any_rational_grant_there_and_back(compute: Fraction, bandwidth: Fraction) -> None:
    """Far beyond what an instance's own numbers may be."""
    instance, schedule = of_one_grant(compute, bandwidth)
    assert from_json(as_parsed(schedule, instance), instance) == schedule


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
    assert from_json(parse(content), instance).grants[0].compute == amount


def test_the_file_says_what_the_format_says() -> None:
    instance = sp.embedded("cells")
    schedule = greedy(instance, 1)
    value = as_parsed(schedule, instance)
    usual = {"version", "family", "instance_sha256", "policy", "options", "seed", "software", "nodes", "resources"}
    assert value.keys() == usual
    assert (value["version"], value["family"], value["instance_sha256"]) == (1, "jrp", instance.sha256)
    assert all(row.keys() == {"job", "node", "server"} for row in value["nodes"])
    assert all(row.keys() == {"job", "server", "compute", "bandwidth"} for row in value["resources"])
    assert {row["server"] for row in value["nodes"]} <= {server.name for server in instance.servers}
    traced = as_parsed(replace(schedule, trace=({"round": 1},)), instance)
    assert traced.keys() == usual | {"trace"} and traced["trace"] == [{"round": 1}]


def test_options_are_told_exactly() -> None:
    instance, _ = drawn(1)
    options: dict[str, Any] = {"share": F(1, 3), "resources": "cone", "batches": 3}
    schedule = schedule_of(Assignment([], []), instance, seed=5, **options)
    value = as_parsed(schedule, instance)
    assert value["options"] == {"share": "1/3", "resources": "cone", "batches": 3} and value["seed"] == 5


def node(value: Any) -> Any:
    return value["nodes"][0]


def grant(value: Any) -> Any:
    return value["resources"][0]


RATIO = "expected a number, or num/den"
BAD: dict[str, tuple[str, Callable[[Any], object]]] = {
    "job": ("nodes[0].job = 'nobody': expected the name of a job", lambda v: node(v).update(job="nobody")),
    "node": ("nodes[0].node = 'd99': expected a data node of ", lambda v: node(v).update(node="d99")),
    "server": ("nodes[0].server = 'x': expected the name of a server", lambda v: node(v).update(server="x")),
    "grant's job": ("resources[0].job = 'x': expected the name of a job", lambda v: grant(v).update(job="x")),
    "grant's server": ("resources[0].server = 'x': expected the name", lambda v: grant(v).update(server="x")),
    "family": ("family = 'dmlrs': expected jrp", lambda v: v.update(family="dmlrs")),
    "version": ("version = 2: expected an integer <= 1", lambda v: v.update(version=2)),
    "another instance": ("this very instance", lambda v: v.update(instance_sha256="0" * 64)),
    "missing key": ("the object is missing the required field resources", lambda v: v.pop("resources")),
    "missing key of a row": (
        "resources[0]: the object is missing the required field compute",
        lambda v: grant(v).pop("compute"),
    ),
    "unknown key": ("the object contains unknown field colour", lambda v: v.update(colour="red")),
    "unknown key of a row": ("nodes[0]: the object contains unknown field cell", lambda v: node(v).update(cell=3)),
    "wrong type": ("nodes[0].server = 0: expected a string", lambda v: node(v).update(server=0)),
    "a list of rows": ("expected an array", lambda v: v.update(nodes={})),
    "a trace that is no list": ("expected an array", lambda v: v.update(trace={})),
    "words": (f"resources[0].compute = 'much': {RATIO}", lambda v: grant(v).update(compute="much")),
    "nothing": (f"resources[0].bandwidth = '': {RATIO}", lambda v: grant(v).update(bandwidth="")),
    "an endless exponent": (f"'1e999999999': {RATIO}", lambda v: grant(v).update(compute="1e999999999")),
    "no denominator": ("'1/0': expected a denominator above 0", lambda v: grant(v).update(compute="1/0")),
    "null": ("resources[0].compute: expected a number, got null", lambda v: grant(v).update(compute=None)),
    "boolean": ("= True: expected a number, got a boolean", lambda v: grant(v).update(compute=True)),
    "object": ("expected a number, got an object", lambda v: grant(v).update(compute={})),
    "nan": ("resources[0].compute = nan: expected a finite number", lambda v: grant(v).update(compute=float("nan"))),
    "an endless ratio": ("Exceeds the limit", lambda v: grant(v).update(compute="9" * 9999 + "/1")),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_one_sentence(what: str) -> None:
    instance, schedule = next((i, s) for i, s in map(drawn, range(99)) if s.grants)
    parsed = as_parsed(schedule, instance)
    from_json(parsed, instance)
    expected, spoil = BAD[what]
    spoil(parsed)
    with pytest.raises(InputError) as error:
        from_json(parsed, instance)
    assert expected in str(error.value) and str(error.value).isprintable()


def test_accepted_is_all_of_a_jobs_data_nodes() -> None:
    """A job without data nodes is accepted, one of which a part is placed is not, a placement twice counts once."""
    instance = written([(9, 0, 0)], [(0, 0, [(1, (0,))] * count) for count in (0, 2, 3)])

    def accepted(*nodes: tuple[int, int]) -> list[int]:
        rows = [Placement(k, i, 0) for k, i in nodes]
        return schedule_of(Assignment(rows, []), instance).accepted(instance)

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
        assert frame.index[frame.accepted].tolist() == schedule.accepted(instance)
        assert frame.accepted.sum() == schedule.objective(instance)
        for job in instance.jobs:
            mine = [grant for grant in schedule.grants if grant.job == job.index]
            assert frame.data_nodes[job.index] == len(job.nodes)
            assert frame.data[job.index] == pytest.approx(float(sum(n.size for n in job.nodes)))
            assert frame.servers[job.index] == len({p.server for p in schedule.placements if p.job == job.index})
            for what in ("compute", "bandwidth"):
                assert frame[what][job.index] == pytest.approx(float(sum(getattr(g, what) for g in mine)))


def test_utilisation_is_the_mean_share_of_storage() -> None:
    """Section V-A: not the share of all storage; a server without storage counts as 0."""
    instance = written([(10, 0, 0), (2, 0, 0), (0, 0, 0)], [(0, 0, [(1, (0, 1, 2))] * 3)])
    schedule = schedule_of(Assignment([Placement(0, i, j) for i, j in enumerate((0, 1, 0))], []), instance)
    assert schedule.stored(instance) == [2, 1, 0]
    assert schedule.utilisation(instance) == (F(1, 5) + F(1, 2) + 0) / 3


def test_an_empty_schedule() -> None:
    instance = tiny_cells(7)
    nothing = schedule_of(Assignment([], []), instance)
    assert nothing.objective(instance) == sum(not job.nodes for job in instance.jobs)
    assert nothing.violations(instance) == [] and nothing.utilisation(instance) == 0
    assert from_json(as_parsed(nothing, instance), instance) == nothing
    assert not nothing.to_frame(instance).servers.any()


def test_remarks_sum_up_the_trace() -> None:
    rows = (
        {"batch": 1, "solved": True, "overfilled": 0},
        {"batch": 1, "solved": False, "overfilled": 2, "ended": "no jobs left"},
        {"batch": 2, "solved": True, "ended": "1 jobs left"},
    )
    _, schedule = drawn(0)
    assert replace(schedule, trace=rows).remarks == (
        "batch 1: iterations: 2, linear programs solved: 1, resources of servers overfilled: 2; no jobs left",
        "batch 2: iterations: 1, linear programs solved: 1; 1 jobs left",
    )
    assert schedule.remarks == ()
