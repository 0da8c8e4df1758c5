"""The preemptive file format: exact numbers, and one sentence for every bad input: file, path, value, expectation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.core.files import write_json
from schedproof.core.reading import json_schema, parse
from schedproof.instances import from_json as any_family
from schedproof.instances.preemptive import from_json, to_json
from schedproof.instances.preemptive.file import InstanceRow
from tests.instances.broken import Change, drop, put, refused_by_commands, text_of, told
from tests.instances.fuzz import mutated, read_or_told, values
from tests.support import size
from tests.tiny.preemptive import tiny_preemptive

VALID = b"""{"version": 1, "family": "preemptive", "horizon": 40,
 "servers": [
   {"name": "edge-1", "workers": {"gpu": 2, "cpu": 1}, "parameter_servers": 3, "storage": 200.0},
   {"name": "edge-2", "workers": {"tpu": 1}, "parameter_servers": {"a": 1, "b": 0}, "storage": 2.0},
   {"name": "cloud", "cloud": true}],
 "jobs": [
   {"name": "j1", "arrival": 0, "chunks": 3, "epochs": 2, "minibatches": 4, "worker_types": ["gpu"],
    "minibatch_time": 0.2, "update_time": 0.01, "gradient_size": 60.0, "bandwidth": 3000.0,
    "upload_delay": {"edge-1": 1, "cloud": 5}, "chunk_size": 1.5},
   {"name": "j2", "arrival": 3, "chunks": 1, "epochs": 1, "minibatches": 1, "worker_types": ["gpu", "tpu"],
    "minibatch_time": 1, "update_time": 0, "gradient_size": 0, "bandwidth": 1, "upload_delay": {"*": 2},
    "ps_types": ["a"]}]}"""


def valid() -> dict[str, Any]:
    value: dict[str, Any] = parse(VALID)
    return value


def job(value: dict[str, Any], n: int = 0) -> dict[str, Any]:
    row: dict[str, Any] = value["jobs"][n]
    return row


BAD: dict[str, tuple[Change, str]] = {  # the change, and where what is told
    "missing key": (drop("jobs", 0, "chunks"), "jobs[0]: the object is missing the required field chunks"),
    "missing server key": (
        drop("servers", 0, "workers"),
        "servers[0]: the object is missing the required field workers",
    ),
    "unknown key": (put("jobs", 1, "speed", 2), "jobs[1]: the object contains unknown field speed"),
    "unknown key at the top": (put("slots", 3), "$: the object contains unknown field slots"),
    "unknown key of the cloud": (
        put("servers", 2, "storage", 9),
        "servers[2].storage: expected no such key: the cloud is unlimited",
    ),
    "text for a number": (put("jobs", 0, "chunks", "3"), "jobs[0].chunks = '3': expected an integer, got a string"),
    "number for a text": (put("jobs", 0, "name", 3), "jobs[0].name = 3: expected a string, got an integer"),
    "boolean for a number": (
        put("jobs", 0, "bandwidth", True),
        "jobs[0].bandwidth = True: expected a number, got a boolean",
    ),
    "boolean for a count": (
        put("jobs", 0, "chunks", True),
        "jobs[0].chunks = True: expected an integer, got a boolean",
    ),
    "list for an object": (
        put("jobs", 0, "upload_delay", []),
        "jobs[0].upload_delay: expected an object, got an array",
    ),
    "text for a count or counts": (
        put("servers", 0, "parameter_servers", "3"),
        "servers[0].parameter_servers = '3': expected an integer or an object, got a string",
    ),
    "null": (put("horizon", None), "horizon: expected an integer, got null"),
    "null for an optional key": (put("servers", 0, "storage", None), "servers[0].storage: expected a number, got null"),
    "decimal for a count": (
        put("servers", 0, "workers", "gpu", "@1.5"),
        "servers[0].workers.gpu = 1.5: expected an integer, got a number",
    ),
    "another family": (put("family", "dmrls"), "family = \"'dmrls'\": expected one of "),
    "another version": (put("version", 2), "version = 2: expected an integer <= 1"),
    "nan": (put("jobs", 0, "minibatch_time", "@NaN"), "jobs[0].minibatch_time = nan: expected a finite number"),
    "infinity": (put("jobs", 0, "bandwidth", "@Infinity"), "jobs[0].bandwidth = inf: expected a finite number"),
    "nan for a count": (put("jobs", 0, "chunks", "@NaN"), "jobs[0].chunks = nan: expected an integer, got a number"),
    "1e999999999": (
        put("jobs", 0, "minibatch_time", "@1e999999999"),
        "jobs[0].minibatch_time = 1E+999999999: expected a magnitude between 1e-18 and 1e18",
    ),
    "negative size": (put("jobs", 0, "gradient_size", -1), "jobs[0].gradient_size = -1: expected a number >= 0"),
    "negative chunk size": (put("jobs", 0, "chunk_size", "@-0.5"), "jobs[0].chunk_size = -0.5: expected a number >= 0"),
    "negative storage": (put("servers", 0, "storage", -1), "servers[0].storage = -1: expected a number >= 0"),
    "negative count": (
        put("servers", 0, "workers", "cpu", -1),
        "servers[0].workers.cpu = -1: expected an integer >= 0",
    ),
    "negative arrival": (put("jobs", 0, "arrival", -1), "jobs[0].arrival = -1: expected an integer >= 0"),
    "negative delay": (
        put("jobs", 0, "upload_delay", "cloud", -2),
        "jobs[0].upload_delay.cloud = -2: expected an integer >= 0",
    ),
    "no bandwidth": (put("jobs", 0, "bandwidth", 0), "jobs[0].bandwidth = 0: expected a number > 0"),
    "no time": (
        lambda v: job(v).update(minibatch_time=0, update_time=0),
        "jobs[0].minibatch_time = 0.0: expected minibatch_time + update_time > 0",
    ),
    "no chunks": (put("jobs", 0, "chunks", 0), "jobs[0].chunks = 0: expected an integer >= 1"),
    "too many": (put("horizon", 10**9 + 1), "horizon = 1000000001: expected an integer <= 1000000000"),
    "too many to write down": (put("horizon", 10**30), f"horizon = {10**30}: expected an integer <= 1000000000"),
    "a chunk without end": (
        lambda v: job(v).update(epochs=10**9, minibatches=10**9),
        "jobs[0] = 'j1': expected a chunk that takes at most 1000000000000 slots",
    ),
    "dangling server": (
        put("jobs", 0, "upload_delay", "edge-3", 1),
        "jobs[0].upload_delay.edge-3 = 'edge-3': expected the name of a server, or '*'",
    ),
    "duplicate server": (
        put("servers", 1, "name", "edge-1"),
        "servers[1].name = 'edge-1': expected a name of its own, servers[0] has it too",
    ),
    "duplicate job": (
        put("jobs", 1, "name", "j1"),
        "jobs[1].name = 'j1': expected a name of its own, jobs[0] has it too",
    ),
    "empty name": (put("jobs", 0, "name", ""), "jobs[0].name = '': expected a string of length >= 1"),
    "a server called *": (
        put("servers", 1, "name", "*"),
        "servers[1].name = '*': '*' stands for every other server and cannot be a name",
    ),
    "a type called *": (
        put("servers", 0, "parameter_servers", {"*": 2}),
        "servers[0].parameter_servers.*: expected a type; write a plain count to serve every type",
    ),
    "no servers": (put("servers", []), "servers: expected at least one server"),
    "two clouds": (
        put("servers", 1, {"name": "c2", "cloud": True}),
        "servers[2].cloud = True: expected at most one cloud",
    ),
    "no worker types": (
        put("jobs", 0, "worker_types", []),
        "jobs[0].worker_types = '[]': expected a list of distinct types, at least one",
    ),
    "a type twice": (
        put("jobs", 0, "worker_types", ["gpu", "gpu"]),
        "jobs[0].worker_types = \"['gpu', 'gpu']\": expected a list of distinct types, at least one",
    ),
    "no ps types": (
        put("jobs", 1, "ps_types", []),
        "jobs[1].ps_types = '[]': expected a list of distinct types, at least one",
    ),
    "chunk larger than any storage": (
        lambda v: job(v, 1).update(chunk_size=201),
        "jobs[1].chunk_size = 201.0: expected a chunk that fits the storage of some server that can serve it",
    ),
    "chunk larger than the storage it can reach": (
        lambda v: job(v, 1).update(chunk_size=3, worker_types=["tpu"]),
        "jobs[1].chunk_size = 3.0: expected a chunk that fits the storage of some server that can serve it",
    ),
    "nobody has its worker type": (
        put("jobs", 1, "worker_types", ["fpga"]),
        "jobs[1] = 'j2': expected a server in upload_delay with workers of its worker_types",
    ),
    "nobody is reached": (
        put("jobs", 1, "upload_delay", {}),
        "jobs[1] = 'j2': expected a server in upload_delay with workers of its worker_types",
    ),
    "the type has no worker": (
        lambda v: (put("servers", 1, "workers", "tpu", 0)(v), job(v, 1).update(worker_types=["tpu"])),
        "jobs[1] = 'j2': expected a server in upload_delay with workers of its worker_types",
    ),
    "no parameter server": (
        lambda v: (put("servers", 0, "parameter_servers", 0)(v), job(v, 1).update(ps_types=["b"])),
        "jobs[1] = 'j2': expected a server in upload_delay with a parameter server for it",
    ),
    "horizon too short": (
        put("horizon", 5),
        "horizon = 5: expected a horizon of at least 6, when jobs[1] (j2) can complete at the earliest",
    ),
}


COMMANDS = (["run", "a_online", "FILE"], ["bound", "preemptive.lp4", "FILE"], ["solve", "preemptive.minlp2", "FILE"])


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_exit_code_2_and_one_sentence(name: str, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    change, expected = BAD[name]
    value = valid()
    change(value)
    refused_by_commands(text_of(value), expected, tmp_path / "bad.json", capsys, monkeypatch, COMMANDS)


FILES: dict[str, tuple[bytes, str]] = {
    "truncated": (VALID[:-40], "the file is truncated"),
    "truncated in a number": (VALID[: VALID.index(b"200.0") + 2], "the file is truncated"),
    "truncated in a key": (VALID[: VALID.index(b"horizon") + 3], "the file is truncated"),
    "empty": (b"", "expected a JSON object, found an empty file"),
    "garbage": (os.urandom(50_000).replace(b"{", b"!"), "expected a JSON object"),
    "garbage after a brace": (b"{" + bytes(range(128, 256)) * 400, "is not JSON: byte 1 is not UTF-8 text"),
    "not UTF-8": (VALID.replace(b"j1", b"j\xe9"), "is not UTF-8 text"),
    "UTF-16": (VALID.decode().encode("utf-16"), "expected a JSON object"),
    "half a character": (VALID.replace(b"j1", b"\\ud800"), "holds half a character"),
    "deeply nested": (b'{"a":' * 200_000, "nests deeper than any instance does"),
    "deeply nested list": (b'{"jobs": ' + b"[" * 200_000, "nests deeper than any instance does"),
    "LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "found a Git LFS pointer"),
    "a list": (b"[]", "expected a JSON object"),
    "duplicate key": (VALID.replace(b'"chunks": 3', b'"chunks": 3, "chunks": 4'), "the key 'chunks' stands twice"),
    "a number of 10,000 digits": (VALID.replace(b"0.01", b"9" * 10_000), "is not JSON: Exceeds the limit"),
    "a decimal of 10,000 digits": (
        VALID.replace(b"0.01", b"0." + b"1" * 10_000),
        "expected a number of at most 100 digits",
    ),
    "an endless exponent": (VALID.replace(b"0.01", b"1e99999999999999999999"), "the exponent of a number"),
    "a bare NaN": (VALID.replace(b"0.01", b"NaN"), "jobs[0].update_time = nan: expected a finite number"),
    "a comment": (VALID.replace(b"{", b"{ // hello\n", 1), "is not JSON"),
    "extra data": (VALID + b"{}", "is not JSON: Extra data"),
    "a line break in a name": (VALID.replace(b'"cloud": 5', b'"a\\nb": 5'), "jobs[0].upload_delay.a\\nb = 'a\\nb'"),
    "an endless name": (VALID.replace(b"j1", b"j" * 10**6), "expected a string of length <= 1000"),
    "no family": (b"{}", "family = 'None': expected one of "),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_instance_is_exit_code_2_and_one_sentence(
    name: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    content, expected = FILES[name]
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    code, error = told(capsys, monkeypatch, "run", "a_online", str(file))
    assert code == 2 and error.startswith(f"schedproof: {file}: ") and expected in error, error
    assert error.count("\n") == 1 and error.endswith("\n") and len(error) < 2000


def test_a_huge_sparse_file_is_refused_without_being_read(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    """It claims a terabyte; reading it would take minutes and all memory."""
    file = tmp_path / "huge.json"
    with file.open("wb") as stream:
        stream.truncate(2**40)
    code, error = told(capsys, monkeypatch, "check", str(file), str(file))
    assert (code, error) == (2, f"schedproof: {file}: expected a JSON object\n")


def test_a_file_that_is_not_there_or_a_folder(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    for file, why in ((tmp_path / "none.json", "No such file or directory"), (tmp_path, "Is a directory")):
        code, error = told(capsys, monkeypatch, "bound", "preemptive.lp4", str(file))
        assert (code, error) == (2, f"schedproof: {file}: cannot be read: {why}\n")


def test_the_real_command_says_the_same_without_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(VALID.replace(b'"edge-1": 1', b'"edge-9": 1'))
    done = subprocess.run(
        [sys.executable, "-m", "schedproof", "run", "a_online", str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    expected = "jobs[0].upload_delay.edge-9 = 'edge-9': expected the name of a server, or '*'"
    assert done.stderr == f"schedproof: {file}: {expected}\n"


# --- what is read, exactly --------------------------------------------------------------------------------------------


def test_numbers_are_the_rationals_that_the_file_says() -> None:
    instance = from_json(valid())
    first = instance.jobs[0]
    assert (first.minibatch_time, first.update_time) == (Fraction(1, 5), Fraction(1, 100))
    assert first.chunk_time == 8 * (Fraction(1, 5) + Fraction(1, 100) + 2 * Fraction(60, 3000)) == 2
    assert first.chunk_time_in_cloud == 8 * Fraction(21, 100)
    assert (first.slots(), first.slots(in_cloud=True), first.slots(speed=Fraction(3, 2))) == (2, 2, 2)
    assert from_json(parse(VALID.replace(b"0.01", b"0.1"))).jobs[0].update_time == Fraction("0.1") != 0.1


def test_what_the_keys_mean() -> None:
    instance = from_json(valid())
    one, two, cloud = instance.servers
    j1, j2 = instance.jobs
    assert (instance.cloud, instance.edges) == (cloud, (one, two))
    assert [(q.server.name, q.type, q.count) for q in instance.classes] == [
        ("edge-1", "gpu", 2),
        ("edge-1", "cpu", 1),
        ("edge-2", "tpu", 1),
    ]
    assert [j1.delay(s) for s in instance.servers] == [1, None, 5]
    assert [j2.delay(s) for s in instance.servers] == [2, 2, None]  # '*' stands for edge servers only
    assert [(q.type, delay) for q, delay in instance.qualified(j2)] == [("gpu", 2), ("tpu", 2)]
    assert [j2.opens(one, "*"), j2.opens(two, "a"), j2.opens(two, "b"), j2.opens(cloud, "*")] == [
        True,
        True,
        False,
        False,
    ]
    assert [j1.opens(one, "*"), j1.opens(two, "a"), j1.opens(cloud, "*")] == [True, False, True]
    assert (one.storage, cloud.storage, j2.chunk_size) == (200, None, 0)


def test_json_there_and_back_keeps_everything() -> None:
    for seed in range(size(20, 150, 2000)):
        value = tiny_preemptive(seed)
        instance = from_json(value)
        again = from_json(parse(msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))))
        assert again.jobs == instance.jobs and again.servers == instance.servers, seed
        assert again.horizon == instance.horizon and again.sha256 == instance.sha256


@given(st.decimals(min_value=0, max_value=10**6, places=18, allow_nan=False) | st.integers(0, 10**6))
def test_any_decimal_there_and_back(number: Any) -> None:
    value = valid()
    job(value)["update_time"] = number
    value["horizon"] = 10**9
    instance = from_json(value)
    assert instance.jobs[0].update_time == Fraction(number)
    assert from_json(parse(instance.canonical())).jobs[0].update_time == Fraction(number)


def test_the_hash_is_of_the_content_and_not_of_its_spelling() -> None:
    spaced = VALID.replace(b"0.2", b"2.0e-1").replace(b": ", b" :\n ")
    assert from_json(parse(spaced)).sha256 == from_json(valid()).sha256
    assert from_json(parse(VALID.replace(b"0.2", b"0.21"))).sha256 != from_json(valid()).sha256


def test_the_schema_admits_the_valid_files_and_refuses_those_of_another_shape() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema(InstanceRow))
    for seed in range(size(5, 20, 100)):
        validator.validate(json.loads(json.dumps(tiny_preemptive(seed), default=float)))
    validator.validate(json.loads(VALID))
    for name in (
        "missing key",
        "unknown key",
        "text for a number",
        "negative count",
        "no chunks",
        "null",
        "list for an object",
    ):
        value = json.loads(VALID)
        BAD[name][0](value)
        assert not validator.is_valid(value), name


def test_read_names_the_file_and_embedded_instances_are_valid(tmp_path: Path) -> None:
    instance = sp.embedded("day")
    file = tmp_path / "day.json"
    write_json(file, to_json(instance))
    assert sp.read(file).sha256 == instance.sha256
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        sp.embedded("none")


# --- fuzzing ----------------------------------------------------------------------------------------------------------

VALUES = values(["*", "gpu", "cpu", "edge-1", "cloud"])


@given(mutated(valid(), VALUES))
def test_any_change_of_a_valid_file_is_read_or_told(value: Any) -> None:
    read_or_told(any_family, value)


@given(VALUES | st.fixed_dictionaries({"family": st.just("preemptive")}, optional={"jobs": VALUES, "servers": VALUES}))
def test_any_value_at_all_is_read_or_told(value: Any) -> None:
    read_or_told(any_family, value)


@given(st.integers(0, len(VALID)), st.integers(0, 20), st.binary(max_size=6))
def test_any_change_of_the_bytes_is_read_or_told(start: int, length: int, put_in: bytes) -> None:
    content = VALID[:start] + put_in + VALID[start + length :]
    read_or_told(lambda content: any_family(parse(content)), content)
