"""The jrp file format: exact numbers, and one sentence for every bad input: file, path, value, expectation."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.files import write_json
from schedproof.core.reading import json_schema, parse
from schedproof.instances import from_json as any_family
from schedproof.instances.jrp import Instance, from_json, to_json
from schedproof.instances.jrp.file import InstanceRow
from tests.instances.broken import Change, drop, put, refused_by_commands, refused_by_read, text_of
from tests.instances.fuzz import at, mutated, paths, read_or_told, values
from tests.support import size
from tests.tiny.jrp import tiny_jrp

VALID = b"""{"version": 1, "family": "jrp", "communication_share": 0.3,
 "servers": [
   {"name": "s1", "storage": 150.5, "compute": 150, "bandwidth": 10},
   {"name": "s2", "storage": 100, "compute": 0, "bandwidth": 0}],
 "jobs": [
   {"name": "k1", "deadline": 5400, "epochs": 10, "minibatch_size": 0.006, "minibatch_work": 40,
    "parameter_size": 2, "sync_period": 5,
    "data_nodes": [{"name": "d1", "size": 0.25, "servers": ["s2", "s1"]}, {"name": "d2", "size": 0, "servers": []}]},
   {"name": "k2", "epochs": 1, "minibatch_size": 1, "minibatch_work": 0, "parameter_size": 0, "sync_period": 1,
    "data_nodes": []},
   {"name": "k3", "deadline": 0.5, "epochs": 1, "minibatch_size": 1, "minibatch_work": 1, "parameter_size": 1,
    "sync_period": 1, "data_nodes": [{"name": "d1", "size": 3, "servers": ["s1"]}]}]}"""


def valid() -> dict[str, Any]:
    value: dict[str, Any] = parse(VALID)
    return value


def of_job(key: str, new: Any, n: int = 0) -> Change:
    return put("jobs", n, key, new)


def of_node(key: str, new: Any, n: int = 0) -> Change:
    return put("jobs", 0, "data_nodes", n, key, new)


BETWEEN = "expected a number between 0 and 1, neither of the two"
AMOUNTS: dict[str, Change] = {  # each number that a file holds, and a change of it
    **{f"servers[1].{key}": put("servers", 1, key, -1) for key in ("storage", "compute", "bandwidth")},
    **{f"jobs[2].{key}": of_job(key, -1, 2) for key in ("minibatch_work", "parameter_size")},
    "jobs[0].data_nodes[1].size": of_node("size", -1, 1),
}
ABOVE_ZERO = ("minibatch_size", "deadline")
BAD: dict[str, tuple[Change, str, str]] = {  # the change, where it is told, what is told
    **{f"negative {path}": (change, f"{path} = -1", "expected a number >= 0") for path, change in AMOUNTS.items()},
    **{f"no {key}": (of_job(key, 0), f"jobs[0].{key} = 0", "expected a number > 0") for key in ABOVE_ZERO},
    **{f"negative {key}": (of_job(key, -1, 2), f"jobs[2].{key} = -1", "expected a number > 0") for key in ABOVE_ZERO},
    **{
        f"no {key}": (of_job(key, 0), f"jobs[0].{key} = 0", "expected an integer >= 1")
        for key in ("epochs", "sync_period")
    },
    **{
        f"no {key} at {path}": (drop(*steps, key), path, f"the object is missing the required field {key}")
        for path, steps, key in (
            ("$", (), "communication_share"),
            ("servers[1]", ("servers", 1), "bandwidth"),
            ("jobs[0]", ("jobs", 0), "epochs"),
            ("jobs[2].data_nodes[0]", ("jobs", 2, "data_nodes", 0), "size"),
        )
    },
    **{
        f"unknown {key} at {path}": (put(*steps, key, 2), path, f"the object contains unknown field {key}")
        for path, steps, key in (
            ("$", (), "horizon"),
            ("jobs[1]", ("jobs", 1), "speed"),
            ("jobs[0].data_nodes[0]", ("jobs", 0, "data_nodes", 0), "cell"),
        )
    },
    "another family": (put("family", "jpr"), "family = \"'jpr'\"", "expected one of "),
    "another version": (put("version", 2), "version = 2", "expected an integer <= 1"),
    "a share of 0": (put("communication_share", 0), "communication_share = 0", "expected a number > 0"),
    "a share of 1": (put("communication_share", 1), "communication_share = 1.0", BETWEEN),
    "a share above 1": (put("communication_share", "@1.5"), "communication_share = 1.5", BETWEEN),
    "null": (of_job("deadline", None), "jobs[0].deadline", "expected a number, got null"),
    "text for a number": (of_job("epochs", "3"), "jobs[0].epochs = '3'", "expected an integer, got a string"),
    "number for a text": (of_job("name", 3), "jobs[0].name = 3", "expected a string, got an integer"),
    "boolean for a number": (of_node("size", True), "jobs[0].data_nodes[0].size = True", "expected a number"),
    "list for an object": (put("servers", 0, []), "servers[0]", "expected an object, got an array"),
    "object for a list": (of_node("servers", {}), "jobs[0].data_nodes[0].servers", "expected an array, got an object"),
    "decimal for a count": (
        of_job("sync_period", "@1.5"),
        "jobs[0].sync_period = 1.5",
        "expected an integer, got a number",
    ),
    "nan": (of_job("minibatch_work", "@NaN"), "jobs[0].minibatch_work = nan", "expected a finite number"),
    "infinity": (of_job("deadline", "@Infinity"), "jobs[0].deadline = inf", "expected a finite number"),
    "1e999999999": (
        of_node("size", "@1e999999999"),
        "jobs[0].data_nodes[0].size = 1E+999999999",
        "expected a magnitude between 1e-18 and 1e18",
    ),
    "no servers": (put("servers", []), "servers", "expected at least one server"),
    "duplicate server": (
        put("servers", 1, "name", "s1"),
        "servers[1].name = 's1'",
        "expected a name of its own, servers[0] has it too",
    ),
    "duplicate job": (of_job("name", "k1", 2), "jobs[2].name = 'k1'", "expected a name of its own, jobs[0] has it too"),
    "duplicate data node": (
        of_node("name", "d1", 1),
        "jobs[0].data_nodes[1].name = 'd1'",
        "expected a name of its own, jobs[0].data_nodes[0] has it too",
    ),
    "empty name": (of_node("name", ""), "jobs[0].data_nodes[0].name = ''", "expected a string of length >= 1"),
    "an unknown server": (
        of_node("servers", ["s1", "s3"]),
        "jobs[0].data_nodes[0].servers[1] = 's3'",
        "expected the name of a server",
    ),
    "a server twice": (
        of_node("servers", ["s2", "s1", "s2"]),
        "jobs[0].data_nodes[0].servers[2] = 's2'",
        "expected each server once",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_exit_code_2_and_one_sentence(name: str, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    change, where, expected = BAD[name]
    value = valid()
    change(value)
    refused_by_commands(text_of(value), f"{where}: {expected}", tmp_path / "bad.json", capsys, monkeypatch)


FILES: dict[str, tuple[bytes, str]] = {
    "truncated": (VALID[:-40], "the file is truncated"),
    "duplicate key": (VALID.replace(b'"epochs": 10', b'"epochs": 2, "epochs": 3'), "the key 'epochs' stands twice"),
    "an endless exponent": (VALID.replace(b"0.25", b"1e99999999999999999999"), "the exponent of a number"),
    "a bare NaN": (VALID.replace(b"0.25", b"NaN"), "jobs[0].data_nodes[0].size = nan: expected a finite number"),
    "a line break in a name": (VALID.replace(b'["s1"]', b'["a\\nb"]'), "jobs[2].data_nodes[0].servers[0] = 'a\\nb'"),
    "a decimal of 10,000 digits": (VALID.replace(b"0.25", b"0." + b"1" * 10_000), "a number of at most 100 digits"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_instance_is_one_sentence(name: str, tmp_path: Path) -> None:
    content, expected = FILES[name]
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    refused_by_read(file, expected)


# --- what is read, exactly --------------------------------------------------------------------------------------------


def test_what_the_keys_mean() -> None:
    instance = from_json(valid())
    one, two = instance.servers
    assert (instance.family, instance.sense, instance.extent) == ("jrp", "maximize", (3, "job"))
    assert instance.communication_share == Fraction(3, 10)
    assert (one.storage, one.compute, one.bandwidth) == (Fraction(301, 2), 150, 10)
    assert (two.index, two.name, two.compute) == (1, "s2", 0)
    first, second, _ = instance.jobs
    assert [node.servers for node in first.nodes] == [(1, 0), ()], "in the order of the file"
    assert [(node.index, node.name, node.size) for node in first.nodes] == [(0, "d1", Fraction(1, 4)), (1, "d2", 0)]
    assert (second.deadline, second.nodes) == (None, ())


def test_the_rates_are_the_times_two_to_four_solved_for_the_resources() -> None:
    """With all of the deadline for computing, or for communicating: (2) and (3) are the deadline."""
    job = from_json(valid()).jobs[0]
    data = Fraction(7, 3)
    compute, bandwidth = job.need(data)
    iterations = data / job.minibatch_size
    assert job.epochs * iterations * job.minibatch_work / compute == job.deadline == 5400
    assert job.epochs * iterations / job.sync_period * job.parameter_size / bandwidth == job.deadline
    assert from_json(valid()).jobs[1].need(data) == (0, 0), "no deadline"


def same(one: Instance, other: Instance) -> bool:
    """Everything but identity."""
    return (one.communication_share, one.servers, one.jobs) == (other.communication_share, other.servers, other.jobs)


def test_json_there_and_back_keeps_everything() -> None:
    for seed in range(size(20, 150, 2000)):
        instance = from_json(tiny_jrp(seed, jobs=1 + seed % 5, servers=1 + seed % 4))
        again = from_json(parse(msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))))
        assert same(again, instance) and again.sha256 == instance.sha256, seed
    assert from_json(to_json(from_json(valid()))).sha256 == from_json(valid()).sha256


@given(st.decimals(min_value="1e-18", max_value=10**6, places=18, allow_nan=False) | st.integers(1, 10**6))
def test_any_decimal_there_and_back(number: Any) -> None:
    value = valid()
    value["jobs"][0]["minibatch_size"] = number
    instance = from_json(value)
    assert instance.jobs[0].minibatch_size == Fraction(number)
    assert from_json(parse(instance.canonical())).jobs[0].minibatch_size == Fraction(number)


def test_the_hash_is_of_the_content_and_not_of_its_spelling() -> None:
    spaced = VALID.replace(b"0.25", b"2.5e-1").replace(b": ", b" :\n ")
    assert from_json(parse(spaced)).sha256 == from_json(valid()).sha256
    for old, new in ((b"0.25", b"0.26"), (b"0.3", b"0.4"), (b'"s2", "s1"', b'"s1", "s2"')):
        assert from_json(parse(VALID.replace(old, new))).sha256 != from_json(valid()).sha256
    endless = valid()
    del endless["jobs"][0]["deadline"]
    assert from_json(endless).sha256 != from_json(valid()).sha256


def test_the_schema_admits_the_valid_files_and_refuses_those_of_another_shape() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema(InstanceRow))
    for seed in range(size(5, 20, 100)):
        validator.validate(json.loads(json.dumps(tiny_jrp(seed), default=float)))
    validator.validate(json.loads(VALID))
    shapes = ("no epochs at jobs[0]", "unknown speed at jobs[1]", "text for a number", "no epochs", "null")
    for name in (*shapes, "no deadline", *(f"negative {path}" for path in AMOUNTS)):
        value = json.loads(VALID)
        BAD[name][0](value)
        assert not validator.is_valid(value), name


def test_the_embedded_cells_are_valid_and_every_job_could_be_accepted(tmp_path: Path) -> None:
    instance = sp.embedded("cells")
    file = tmp_path / "cells.json"
    write_json(file, to_json(instance))
    assert sp.read(file).sha256 == instance.sha256
    assert instance.family == "jrp" and instance.unservable_jobs == {} and instance.notes() == ()
    assert (len(instance.servers), len(instance.jobs)) == (7, 8)


# --- fuzzing ----------------------------------------------------------------------------------------------------------

VALUES = values([10**5, "s1", "s2", "d1", ["s1"], []])


def assert_read_or_told(read: Callable[[Any], Any], value: Any) -> None:
    """And what is read can be asked everything that is asked before anything is solved."""
    if (instance := read_or_told(read, value)) is None:
        return
    assert len(instance.notes()) == bool(instance.unservable_jobs)
    assert len(instance.edges.node) == sum(len(node.servers) for job in instance.jobs for node in job.nodes)


NUMBERS = st.decimals(min_value="1e-18", max_value=10**18, allow_nan=False) | st.integers(1, 10**18)


@given(mutated(valid(), VALUES))
def test_any_change_of_a_valid_file_is_read_or_told(value: Any) -> None:
    assert_read_or_told(any_family, value)


@given(st.lists(st.tuples(st.sampled_from(paths(valid())), NUMBERS), min_size=1, max_size=8))
def test_any_numbers_that_the_format_takes_are_borne(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    """Extreme numbers where numbers stand: the products under the roots leave the range of doubles."""
    value = valid()
    for path, number in changes:
        *keys, last = path
        place = at(value, keys)
        if not isinstance(place[last], dict | list | str):
            place[last] = number
    assert_read_or_told(any_family, value)


@given(VALUES | st.fixed_dictionaries({"family": st.just("jrp")}, optional={"jobs": VALUES, "servers": VALUES}))
def test_any_value_at_all_is_read_or_told(value: Any) -> None:
    assert_read_or_told(any_family, value)


@given(st.integers(0, len(VALID)), st.integers(0, 20), st.binary(max_size=6))
def test_any_change_of_the_bytes_is_read_or_told(start: int, length: int, put_in: bytes) -> None:
    content = VALID[:start] + put_in + VALID[start + length :]
    assert_read_or_told(lambda content: any_family(parse(content)), content)
