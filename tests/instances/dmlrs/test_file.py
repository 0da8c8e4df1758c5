"""The dmlrs file format: exact numbers, and one sentence for every bad input: file, path, value, expectation."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.files import write_json
from schedproof.core.reading import json_schema, parse
from schedproof.instances import from_json as any_family
from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs import from_json, to_json
from schedproof.instances.dmlrs.extremes import extremes
from schedproof.instances.dmlrs.file import LONGEST_HORIZON, MOST_PS, InstanceRow
from schedproof.instances.dmlrs.job import LARGEST_BATCH
from schedproof.instances.dmlrs.utility import Constant, Linear, Sigmoid, Table
from tests.instances.broken import Change, drop, put, refused_by_commands, refused_by_read, text_of
from tests.instances.fuzz import at, mutated, paths, read_or_told, values
from tests.support import size
from tests.tiny.dmlrs import tiny_dmlrs

VALID = b"""{"version": 1, "family": "dmlrs", "horizon": 3, "resources": ["gpu", "cpu"],
 "machines": [
   {"name": "m1", "capacity": {"gpu": 4, "cpu": 16.5}},
   {"name": "m2", "capacity": {"cpu": 8}}],
 "jobs": [
   {"name": "j1", "arrival": 0, "epochs": 2, "samples": 5, "batch_size": 4, "workers_per_ps": 2,
    "sample_time": 0.1, "model_size": 6.0, "bandwidth_internal": 60.0, "bandwidth_external": 20.0,
    "worker": {"gpu": 1, "cpu": 2}, "ps": {"cpu": 1.5},
    "utility": {"kind": "sigmoid", "theta1": 50, "theta2": 0.5, "theta3": 6}},
   {"name": "j2", "arrival": 1, "epochs": 1, "samples": 1, "batch_size": 1, "workers_per_ps": 1.5,
    "sample_time": 1, "model_size": 0, "bandwidth_internal": 1, "bandwidth_external": 1,
    "worker": {"cpu": 1}, "ps": {}, "utility": {"kind": "linear", "value": 7, "slope": 0.25}},
   {"name": "j3", "arrival": 2, "epochs": 1, "samples": 1, "batch_size": 1, "workers_per_ps": 1,
    "sample_time": 1, "model_size": 0, "bandwidth_internal": 2, "bandwidth_external": 1,
    "worker": {"gpu": 1}, "ps": {"cpu": 1}, "utility": {"kind": "table", "values": [3, 2.5]}},
   {"name": "j4", "arrival": 0, "epochs": 1, "samples": 1, "batch_size": 1, "workers_per_ps": 1,
    "sample_time": 1, "model_size": 0, "bandwidth_internal": 2, "bandwidth_external": 1,
    "worker": {}, "ps": {"cpu": 1}, "utility": {"kind": "constant", "value": 1}}],
 "reserved": [[{"gpu": 1}, {}], [{}, {"cpu": 8}], [{"cpu": 0}, {"cpu": 0.5}]]}"""


def valid() -> dict[str, Any]:
    value: dict[str, Any] = parse(VALID)
    return value


def where(*path: Any) -> str:
    """A path as an error names it."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def bad(*path: Any, new: Any, says: str) -> tuple[Change, str, str]:
    """Another value at a path: the change, the path that is named, what the error says."""
    shown = new.removeprefix("@") if isinstance(new, str) and new.startswith("@") else repr(new)
    return put(*path, new), f"{where(*path)} = {shown}", says


def missing(*path: Any) -> tuple[Change, str, str]:
    """A key is missing."""
    return drop(*path), where(*path[:-1]), f"the object is missing the required field {path[-1]}"


JOB, UTILITY = ("jobs", 0), ("jobs", 0, "utility")
NOT_NEGATIVE = [
    ("machines", 0, "capacity", "gpu"),
    (*JOB, "worker", "cpu"),
    (*JOB, "ps", "cpu"),
    (*JOB, "model_size"),
    (*UTILITY, "theta1"),
    (*UTILITY, "theta2"),
    (*UTILITY, "theta3"),
    ("jobs", 1, "utility", "slope"),
    ("jobs", 3, "utility", "value"),
    ("reserved", 0, 0, "cpu"),
]
POSITIVE = [(*JOB, key) for key in ("workers_per_ps", "sample_time", "bandwidth_internal", "bandwidth_external")]
WITHOUT = [("jobs", 0, "epochs"), ("machines", 1, "capacity"), (*UTILITY, "theta3"), (*UTILITY, "kind")]
DANGLING = [("machines", 0, "capacity"), (*JOB, "worker"), ("jobs", 3, "ps"), ("reserved", 0, 0)]
BAD: dict[str, tuple[Change, str, str]] = {  # the change, the path that is named, what the error says
    **{f"no {where(*path)}": missing(*path) for path in WITHOUT},
    **{f"negative {where(*path)}": bad(*path, new=-1, says="expected a number >= 0") for path in NOT_NEGATIVE},
    **{f"zero {where(*path)}": bad(*path, new=0, says="expected a number > 0") for path in POSITIVE},
    **{
        f"tpu in {where(*path)}": (
            put(*path, "tpu", 1),
            f"{where(*path)}.tpu = 'tpu'",
            "expected the name of a resource",
        )
        for path in DANGLING
    },
    **{
        f"zero {key}": bad(*JOB, key, new=0, says="expected an integer >= 1")
        for key in ("epochs", "samples", "batch_size")
    },
    **{f"version {n}": bad("version", new=n, says=f"expected an integer {'><'[n // 2]}= 1") for n in (0, 2)},
    "unknown key": (put("jobs", 1, "speed", 2), "jobs[1]", "the object contains unknown field speed"),
    "unknown key at the top": (put("slots", 3), "$", "the object contains unknown field slots"),
    "another kind's key": (
        put("jobs", 1, "utility", "theta1", 3),
        "jobs[1].utility",
        "the object contains unknown field theta1",
    ),
    "another family": (put("family", "dmrls"), "family = \"'dmrls'\"", "expected one of "),
    "no horizon": bad("horizon", new=0, says="expected an integer >= 1"),
    "a very long horizon": bad("horizon", new=LONGEST_HORIZON + 1, says=f"expected an integer <= {LONGEST_HORIZON}"),
    "null": (put("horizon", None), "horizon", "expected an integer, got null"),
    "text for a number": bad(*JOB, "epochs", new="3", says="expected an integer, got a string"),
    "number for a text": bad(*JOB, "name", new=3, says="expected a string, got an integer"),
    "boolean for a number": bad(*JOB, "bandwidth_internal", new=True, says="expected a number, got a boolean"),
    "boolean for a count": bad(*JOB, "samples", new=True, says="expected an integer, got a boolean"),
    "list for an object": (put(*JOB, "worker", []), "jobs[0].worker", "expected an object, got an array"),
    "decimal for a count": bad(*JOB, "batch_size", new="@1.5", says="expected an integer, got a number"),
    "nan": (put(*JOB, "sample_time", "@NaN"), "jobs[0].sample_time = nan", "expected a finite number"),
    "infinity": (put(*JOB, "model_size", "@Infinity"), "jobs[0].model_size = inf", "expected a finite number"),
    "1e999999999": (
        put(*JOB, "sample_time", "@1e999999999"),
        "jobs[0].sample_time = 1E+999999999",
        "expected a magnitude between 1e-18 and 1e18",
    ),
    "no resources": (put("resources", []), "resources = '[]'", "expected distinct names, at least one"),
    "a resource twice": (
        put("resources", ["gpu", "gpu"]),
        "resources = \"['gpu', 'gpu']\"",
        "expected distinct names, at least one",
    ),
    "an empty resource": bad("resources", 1, new="", says="expected a string of length >= 1"),
    "no machines": (put("machines", []), "machines", "expected at least one machine"),
    "duplicate machine": bad(
        "machines", 1, "name", new="m1", says="expected a name of its own, machines[0] has it too"
    ),
    "duplicate job": bad("jobs", 1, "name", new="j1", says="expected a name of its own, jobs[0] has it too"),
    "empty name": bad(*JOB, "name", new="", says="expected a string of length >= 1"),
    "negative demand of half a unit": bad(*JOB, "worker", "cpu", new="@-0.5", says="expected a number >= 0"),
    "negative arrival": bad(*JOB, "arrival", new=-1, says="expected an integer >= 0"),
    "an arrival at the horizon": bad(*JOB, "arrival", new=3, says="expected a slot before the horizon, 3"),
    "too many workers": bad(*JOB, "batch_size", new=LARGEST_BATCH + 1, says=f"expected an integer <= {LARGEST_BATCH}"),
    "too many parameter servers": (
        put(*JOB, "workers_per_ps", "@0.0000039"),
        "jobs[0].workers_per_ps = 3.9e-06",
        f"expected so much that 4 workers need at most {MOST_PS} parameter servers",
    ),
    "negative time": bad(*JOB, "sample_time", new="@-0.1", says="expected a number > 0"),
    "a link faster than a machine": (
        put(*JOB, "bandwidth_external", 61),
        "jobs[0].bandwidth_internal = 60.0",
        "expected at least bandwidth_external, 61.0: a machine is no slower than a link",
    ),
    "an unknown kind of utility": bad(*UTILITY, "kind", new="cubic", says="Invalid value 'cubic'"),
    "an empty table": (put("jobs", 2, "utility", "values", []), "jobs[2].utility.values = 0", "expected 1 to 3 values"),
    "a table beyond the horizon": (
        put("jobs", 2, "utility", "values", [4, 3, 2, 1]),
        "jobs[2].utility.values = 4",
        "expected 1 to 3 values",
    ),
    "an increasing table": (
        put("jobs", 2, "utility", "values", [3, 2, 4]),
        "jobs[2].utility.values[2] = 4.0",
        "expected no more than the value before",
    ),
    "a negative value in a table": bad("jobs", 2, "utility", "values", 1, new=-1, says="expected a number >= 0"),
    "reserved for too few slots": (drop("reserved", 2), "reserved = 2", "expected one row for each of the 3 slots"),
    "reserved for too few machines": (
        drop("reserved", 1, 0),
        "reserved[1]",
        "expected one object for each of the 2 machines",
    ),
    "more reserved than there is": bad("reserved", 1, 1, "cpu", new="@8.5", says="expected at most the capacity"),
    "reserved of what a machine has not": (
        put("reserved", 0, 1, "gpu", 1),
        "reserved[0][1].gpu = 1.0",
        "expected at most the capacity",
    ),
    "amounts without a common unit": (
        put("machines", 0, "capacity", "cpu", "@1000000.0000001"),
        "resources",
        "expected amounts of 'cpu' with fewer digits: in their common unit, 1/10000000, they exceed 1099511627776",
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
    "truncated in a utility": (VALID[: VALID.index(b"theta2") + 3], "the file is truncated"),
    "duplicate key": (VALID.replace(b'"epochs": 2', b'"epochs": 2, "epochs": 3'), "the key 'epochs' stands twice"),
    "an endless exponent": (VALID.replace(b"0.25", b"1e99999999999999999999"), "the exponent of a number"),
    "a bare NaN": (VALID.replace(b"0.25", b"NaN"), "jobs[1].utility.slope = nan: expected a finite number"),
    "a line break in a name": (
        VALID.replace(b'{"cpu": 8}', b'{"a\\nb": 8}', 1),
        "machines[1].capacity.a\\nb = 'a\\nb'",
    ),
    "a decimal of 10,000 digits": (VALID.replace(b"0.25", b"0." + b"1" * 10_000), "a number of at most 100 digits"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_instance_is_one_sentence(name: str, tmp_path: Path) -> None:
    content, expected = FILES[name]
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    refused_by_read(file, expected)


# --- what is read, exactly --------------------------------------------------------------------------------------------


def test_numbers_are_the_rationals_that_the_file_says() -> None:
    job = from_json(valid()).jobs[0]
    assert (job.sample_time, job.work, job.batch_size, job.arrival) == (Fraction(1, 10), 10, 4, 0)
    assert job.internal_time == Fraction("0.1") + Fraction(2, 4) * 2 * 6 / 60
    assert job.external_time == Fraction("0.1") + Fraction(2, 4) * 2 * 6 / 20
    assert from_json(parse(VALID.replace(b'"sample_time": 0.1', b'"sample_time": 0.3'))).jobs[0].sample_time != 0.3


def test_what_the_keys_mean() -> None:
    instance = from_json(valid())
    one, two = instance.machines
    assert (instance.family, instance.sense, instance.horizon) == ("dmlrs", "maximize", 3)
    assert instance.resources == ("gpu", "cpu")
    assert [instance.free(t, one, "gpu") for t in range(3)] == [3, 4, 4]
    assert [instance.free(t, two, "cpu") for t in range(3)] == [8, 0, Fraction(15, 2)]
    assert instance.free(0, two, "gpu") == 0, "a resource that a machine does not name"
    assert [type(job.utility) for job in instance.jobs] == [Sigmoid, Linear, Table, Constant]
    assert [instance.jobs[1].ps_needed(n) for n in range(5)] == [0, 1, 2, 2, 3], "gamma = 1.5"
    assert [(t, [job.name for job in jobs]) for t, jobs in arrivals(instance.jobs)] == [
        (0, ["j1", "j4"]),
        (1, ["j2"]),
        (2, ["j3"]),
    ]


def test_done_is_decided_in_rationals() -> None:
    """10 samples at 0.2 and 0.4 slots per sample of one worker: 5 and 2.5 of them in a worker's slot."""
    job = from_json(valid()).jobs[0]
    assert (job.internal_time, job.external_time) == (Fraction(1, 5), Fraction(2, 5))
    assert job.done(2, 0) and not job.done(1, 1) and job.done(1, 2) and job.done(0, 4) and not job.done(0, 3)


def test_json_there_and_back_keeps_everything() -> None:
    for seed in range(size(20, 150, 2000)):
        value = tiny_dmlrs(seed, exact_utilities=seed % 2 == 0, jobs=1 + seed % 5)
        instance = from_json(value)
        again = from_json(parse(instance.canonical()))
        assert again.jobs == instance.jobs and again.machines == instance.machines, seed
        assert (again.horizon, again.resources, again.reserved) == (
            instance.horizon,
            instance.resources,
            instance.reserved,
        )
        assert again.sha256 == instance.sha256
    value = valid()
    assert from_json(to_json(from_json(value))).sha256 == from_json(value).sha256


@given(st.decimals(min_value="1e-18", max_value=10**6, places=18, allow_nan=False) | st.integers(1, 10**6))
def test_any_decimal_there_and_back(number: Any) -> None:
    value = valid()
    value["jobs"][0]["sample_time"] = number
    instance = from_json(value)
    assert instance.jobs[0].sample_time == Fraction(number)
    assert from_json(parse(instance.canonical())).jobs[0].sample_time == Fraction(number)


def test_the_hash_is_of_the_content_and_not_of_its_spelling() -> None:
    spaced = VALID.replace(b"0.25", b"2.5e-1").replace(b": ", b" :\n ")
    assert from_json(parse(spaced)).sha256 == from_json(valid()).sha256
    assert from_json(parse(VALID.replace(b"0.25", b"0.26"))).sha256 != from_json(valid()).sha256
    assert from_json(parse(VALID.replace(b'"cpu": 0.5', b'"cpu": 0.75'))).sha256 != from_json(valid()).sha256
    nothing = {**valid(), "reserved": [[{}, {"cpu": 0}] for _ in range(3)]}
    without = {key: entry for key, entry in valid().items() if key != "reserved"}
    assert from_json(nothing).sha256 == from_json(without).sha256, "nothing reserved is nothing said"


def test_the_schema_admits_the_valid_files_and_refuses_those_of_another_shape() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema(InstanceRow))
    for seed in range(size(5, 20, 100)):
        validator.validate(json.loads(json.dumps(tiny_dmlrs(seed, exact_utilities=False), default=float)))
    validator.validate(json.loads(VALID))
    for name in ("no jobs[0].epochs", "unknown key", "text for a number", "negative arrival", "zero epochs", "null"):
        value = json.loads(VALID)
        BAD[name][0](value)
        assert not validator.is_valid(value), name


def test_the_embedded_cluster_is_valid_and_every_job_could_finish(tmp_path: Path) -> None:
    instance = sp.embedded("cluster")
    file = tmp_path / "cluster.json"
    write_json(file, to_json(instance))
    assert sp.read(file).sha256 == instance.sha256
    assert instance.family == "dmlrs" and instance.unservable_jobs == () and instance.notes() == ()


# --- fuzzing ----------------------------------------------------------------------------------------------------------

VALUES = values([10**5, "gpu", "cpu", "sigmoid"])


def assert_read_or_told(read: Callable[[Any], Any], value: Any) -> None:
    """And everything that is computed before anything is solved can be computed from it."""
    if (instance := read_or_told(read, value)) is None:
        return
    assert len(instance.notes()) == bool(instance.unservable_jobs)
    for variant in ("printed", "repaired"):
        extremes(instance, variant)
    for job in instance.jobs:
        for time in (1, instance.horizon):
            assert 0 <= job.utility.lower(time) <= job.utility.upper(time)


NUMBERS = st.decimals(min_value="1e-18", max_value=10**18, allow_nan=False) | st.integers(1, 10**18)


@given(mutated(valid(), VALUES))
def test_any_change_of_a_valid_file_is_read_or_told(value: Any) -> None:
    assert_read_or_told(any_family, value)


@given(st.sampled_from([path for path in paths(valid()) if path[0] != "horizon"]), NUMBERS)
def test_any_number_that_the_format_takes_is_borne(path: tuple[Any, ...], number: Any) -> None:
    """Extreme numbers where numbers are: magnitudes of a utility, of work, of demands, of workers."""
    value = valid()
    *keys, last = path
    place = at(value, keys)
    if isinstance(place[last], dict | list | str):
        return
    place[last] = number
    assert_read_or_told(any_family, value)


@given(VALUES | st.fixed_dictionaries({"family": st.just("dmlrs")}, optional={"jobs": VALUES, "machines": VALUES}))
def test_any_value_at_all_is_read_or_told(value: Any) -> None:
    assert_read_or_told(any_family, value)


@given(st.integers(0, len(VALID)), st.integers(0, 20), st.binary(max_size=6))
def test_any_change_of_the_bytes_is_read_or_told(start: int, length: int, put_in: bytes) -> None:
    content = VALID[:start] + put_in + VALID[start + length :]
    assert_read_or_told(lambda content: any_family(parse(content)), content)
