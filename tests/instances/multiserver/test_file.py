"""The multiserver file format: exact numbers, and one sentence for every bad input: file, path, value, expectation."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.arrays import write_object
from schedproof.core.errors import InputError
from schedproof.core.reading import json_schema, parse
from schedproof.instances import from_json as any_family
from schedproof.instances.multiserver import Task, Utility, from_json, to_json
from schedproof.instances.multiserver.file import MOST_ENTRIES, InstanceRow
from tests.instances.broken import Change, drop, put, refused_by_commands, refused_by_read, text_of
from tests.instances.fuzz import at, mutated, paths, read_or_told, values
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver

VALID = b"""{"version": 1, "family": "multiserver", "resources": ["cpu", "gpu"],
 "nodes": [
   {"name": "n1", "capacity": {"cpu": 32, "gpu": 4.5}},
   {"name": "n2", "capacity": {"cpu": 8}},
   {"name": "n3", "capacity": {}}],
 "ports": [
   {"name": "p1", "demand": {"cpu": 8, "gpu": 0.1}, "nodes": ["n2", "n1"]},
   {"name": "p2", "demand": {"cpu": 2.5}, "nodes": ["n1"],
    "tasks": [{"demand": {"cpu": 1}, "minimum": {"cpu": 0.5}}, {"demand": {"gpu": 1}, "minimum": {"gpu": 1}}],
    "minimum_tasks": 1},
   {"name": "p3", "demand": {}, "nodes": []}],
 "utilities": {"cpu": {"kind": "log", "alpha": 1.2}, "gpu": {"kind": "linear", "alpha": 1.0}},
 "node_utilities": {"n1": {"gpu": {"kind": "poly", "alpha": 1.1}}, "n2": {"cpu": {"kind": "reciprocal", "alpha": 2}}},
 "overhead": {"cpu": 0.3, "gpu": 1},
 "arrivals": [[1, 0, 2], [0, 1, 0], [3, 1, 0], [0, 0, 0]]}"""


def valid() -> dict[str, Any]:
    value: dict[str, Any] = parse(VALID)
    return value


def dotted(*path: str | int) -> str:
    """A path as errors say it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".") or "$"


RESOURCE, NODE = "expected the name of a resource", "expected the name of a node"
CPU, CAPACITY, DEMAND = ("utilities", "cpu"), ("nodes", 0, "capacity", "cpu"), ("ports", 0, "demand", "gpu")
LOG = {"kind": "log", "alpha": 1}
MISSING: list[tuple[str | int, ...]] = [
    ("overhead",),
    ("utilities",),
    ("nodes", 1, "capacity"),
    ("ports", 0, "nodes"),
    ("utilities", "gpu", "alpha"),
    ("ports", 1, "tasks", 0, "minimum"),
]
UNKNOWN: list[tuple[str | int, ...]] = [("horizon",), ("ports", 0, "speed"), (*CPU, "beta"), ("arrivals", "offset")]
VALUES_REFUSED: list[tuple[tuple[str | int, ...], Any, str, str]] = [  # the path, the value, as it is said, why
    (("version",), 2, "2", "expected an integer <= 1"),
    (("family",), "multi", "\"'multi'\"", "expected one of "),
    (("nodes",), None, "", "expected an array, got null"),
    (CAPACITY, "32", "'32'", "expected a number, got a string"),
    (("overhead", "cpu"), True, "True", "expected a number, got a boolean"),
    (("ports", 0, "name"), 3, "3", "expected a string, got an integer"),
    (("ports", 0, "name"), "", "''", "expected a string of length >= 1"),
    (("utilities",), [], "", "expected an object, got an array"),
    ((*CPU, "alpha"), "@NaN", "nan", "expected a finite number"),
    (CAPACITY, "@Infinity", "inf", "expected a finite number"),
    (DEMAND, "@1e-19", "1E-19", "expected a magnitude between 1e-18 and 1e18"),
    (("resources",), [], "'[]'", "expected distinct names, at least one"),
    (("resources",), ["cpu", "cpu"], "\"['cpu', 'cpu']\"", "expected distinct names, at least one"),
    (("nodes", 1, "name"), "n1", "'n1'", "expected a name of its own, nodes[0] has it too"),
    (("ports", 2, "name"), "p1", "'p1'", "expected a name of its own, ports[0] has it too"),
    (("ports", 0, "nodes", 1), "n9", "'n9'", NODE),
    (("ports", 0, "nodes", 1), "n2", "'n2'", "expected each node once"),
    (CAPACITY, -1, "-1", "expected a number >= 0"),
    (DEMAND, "@-0.5", "-0.5", "expected a number >= 0"),
    ((*CPU, "kind"), "cubic", "'cubic'", "expected one of linear, log, reciprocal, poly"),
    (("node_utilities", "n1", "gpu", "kind"), "cubic", "'cubic'", "expected one of linear, log, reciprocal, poly"),
    (("node_utilities", "n2", "cpu", "alpha"), 0, "0", "expected a number > 0"),
    ((*CPU, "alpha"), "@-1.2", "-1.2", "expected a number > 0"),
    (("overhead", "cpu"), "@1.01", "1.01", "expected a number in [0, 1]"),
    (("overhead", "cpu"), "@-0.1", "-0.1", "expected a number >= 0"),
    (("ports", 1, "minimum_tasks"), 3, "3", "expected at most the 2 tasks"),
    (("ports", 0, "minimum_tasks"), 1, "1", "expected at most the 0 tasks"),
    (("arrivals",), [], "", "expected at least one slot"),
    (("arrivals",), 3, "3", "expected an object or an array, got an "),
    (("arrivals", 0), 1, "1", "expected an array, got an integer"),
    (("arrivals", 1, 1), "@0.5", "0.5", "expected an integer, got a number"),
    (("arrivals", 1, 1), True, "True", "expected an integer, got a boolean"),
    (("arrivals", 1, 1), -1, "-1", "expected an integer >= 0"),
    (("arrivals", 1, 1), 10**10, "10000000000", "expected an integer <= 10000000"),
]
BAD: dict[str, tuple[Change, str, str]] = {  # the change, where it is told, what is told
    **{
        f"no {dotted(*path)}": (drop(*path), dotted(*path[:-1]), f"the object is missing the required field {path[-1]}")
        for path in MISSING
    },
    **{
        f"another {dotted(*path)}": (
            put("arrivals", {"file": "x.npy", "offset": 3}) if path[0] == "arrivals" else put(*path, 3),
            dotted(*path[:-1]),
            f"the object contains unknown field {path[-1]}",
        )
        for path in UNKNOWN
    },
    **{
        f"{dotted(*path)} = {value}": (put(*path, value), dotted(*path) + (said and f" = {said}"), why)
        for path, value, said, why in VALUES_REFUSED
    },
    **{
        f"tpu in {where}": (put(*path, "tpu", value), f"{where} = 'tpu'", RESOURCE)
        for path, where, value in (
            (("nodes", 0, "capacity"), "nodes[0].capacity", 1),
            (("ports", 2, "demand"), "ports[2].demand", 1),
            (("ports", 1, "tasks", 1, "minimum"), "ports[1].tasks[1].minimum", 1),
            (("utilities",), "utilities", LOG),
            (("node_utilities", "n1"), "node_utilities.n1", LOG),
            (("overhead",), "overhead", 0),
        )
    },
    **{
        f"{key}.{name} is missing": (drop(key, name), key, f"expected an entry for the resource '{name}'")
        for key, name in (("utilities", "gpu"), ("overhead", "cpu"))
    },
    "a utility of a dangling node": (put("node_utilities", "n9", {"cpu": LOG}), "node_utilities = 'n9'", NODE),
    "a task that needs nothing": (
        put("ports", 1, "tasks", 0, "minimum", {"cpu": 0}),
        "ports[1].tasks[0].minimum",
        "expected a positive amount: a started task gets something",
    ),
    "arrivals of the wrong width": (put("arrivals", 2, [1, 0]), "arrivals[2] = 2", "expected 3 counts, one per port"),
    **{
        f"more jobs at port {port} than fit": (
            put("arrivals", 1, port, 10**9),
            "arrivals",
            f"expected at most {MOST_ENTRIES} numbers in a slot's allocation, these counts make ",
        )
        for port in (1, 2)  # the last has no nodes
    },
    **{
        f"{key} in a file that is not there": (
            put(key, {"file": "x.npy"}),
            f"{key}.file = 'x.npy'",
            "expected an array: the file is not there",
        )
        for key in ("arrivals", "nodes")
    },
    "arrivals in a file elsewhere": (
        put("arrivals", {"file": "../x.npy"}),
        "arrivals.file = \"'../x.npy'\"",
        "expected the name of an .npy file in the same folder",
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
    "truncated in a utility": (VALID[: VALID.index(b"alpha") + 3], "the file is truncated"),
    "duplicate key": (VALID.replace(b'"kind": "log"', b'"kind": "log", "kind": "log"'), "the key 'kind' stands twice"),
    "an endless exponent": (VALID.replace(b"4.5", b"1e99999999999999999999"), "the exponent of a number"),
    "a bare NaN": (VALID.replace(b"32", b"NaN"), "nodes[0].capacity.cpu = nan: expected a finite number"),
    "a line break in a name": (VALID.replace(b'{"cpu": 8}', b'{"a\\nb": 8}', 1), "nodes[1].capacity = 'a\\nb'"),
    "a decimal of 10,000 digits": (VALID.replace(b"4.5", b"0." + b"1" * 10_000), "a number of at most 100 digits"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_instance_is_one_sentence(name: str, tmp_path: Path) -> None:
    content, expected = FILES[name]
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    refused_by_read(file, expected)


# --- arrivals in a file of their own ----------------------------------------------------------------------------------

ARRIVALS = np.array(valid()["arrivals"])
ARRAYS: dict[str, tuple[Any, str]] = {
    "too narrow": (ARRIVALS[:, :2], "arrivals = '(4, 2)': expected rows of 3 counts, one per port"),
    "flat": (ARRIVALS.ravel(), "arrivals = '(12,)': expected rows of 3 counts, one per port"),
    "a single number": (np.array(3), "arrivals = '()': expected rows of 3 counts, one per port"),
    "no slots": (ARRIVALS[:0], "arrivals: expected at least one slot"),
    "numbers with a point": (ARRIVALS.astype(float), "arrivals = 'float64': expected whole numbers"),
    "booleans": (ARRIVALS > 0, "arrivals = 'bool': expected whole numbers"),
    "text": (ARRIVALS.astype(str), "expected whole numbers"),
    "records": (np.zeros((4, 3), dtype=[("a", "i4")]), "expected whole numbers"),
    "negative": (ARRIVALS - 1, "arrivals = -1: expected counts from 0 to 1000000000"),
    "huge": (ARRIVALS.astype("u8") + 2**63, "arrivals = 9223372036854775811: expected counts from 0 to 1000000000"),
    "more jobs at once than fit": (ARRIVALS.astype("u4") * 10**8, f"arrivals: expected at most {MOST_ENTRIES} numbers"),
    "pickled": (ARRIVALS.astype(object), "arrivals.file = 'x.npy': expected an array: the file is not a whole .npy"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_a_bad_array_of_arrivals_is_one_sentence(name: str, tmp_path: Path) -> None:
    array, expected = ARRAYS[name]
    file = tmp_path / "bad.json"
    np.save(tmp_path / "x.npy", array)
    file.write_bytes(text_of(valid() | {"arrivals": {"file": "x.npy"}}))
    refused_by_read(file, expected)


def test_a_truncated_file_of_arrivals_is_one_sentence(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", ARRIVALS)
    (tmp_path / "x.npy").write_bytes((tmp_path / "x.npy").read_bytes()[:-1])
    (tmp_path / "one.json").write_bytes(text_of(valid() | {"arrivals": {"file": "x.npy"}}))
    with pytest.raises(InputError, match="the file is not a whole"):
        sp.read(tmp_path / "one.json")


def test_a_file_that_was_not_read_is_not_opened_by_its_text() -> None:
    with pytest.raises(InputError, match="arrivals: expected the array itself: read the file, not its text"):
        from_json(valid() | {"arrivals": {"file": "x.npy"}})


@pytest.mark.parametrize("dtype", ["u1", "i1", ">i2", "u4", "i8", ">u8"])
def test_arrivals_of_any_whole_type_are_the_same_instance(dtype: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.asfortranarray(ARRIVALS.astype(dtype)))
    (tmp_path / "one.json").write_bytes(text_of(valid() | {"arrivals": {"file": "x.npy"}}))
    instance, listed = sp.read(tmp_path / "one.json"), from_json(valid())
    assert instance.sha256 == listed.sha256
    assert instance.copies == listed.copies and all(type(n) is int for n in instance.copies)
    assert np.array_equal(instance.arrivals, listed.arrivals)
    assert np.array_equal(instance.present(0, 4), listed.present(0, 4))
    assert to_json(instance)["arrivals"] == listed.arrivals.tolist()


# --- what is read, exactly --------------------------------------------------------------------------------------------


def test_numbers_are_the_rationals_that_the_file_says() -> None:
    instance = from_json(valid())
    assert instance.ports[0].demand["gpu"] == Fraction(1, 10) != 0.1
    assert instance.nodes[0].capacity == {"cpu": 32, "gpu": Fraction(9, 2)}
    assert instance.overhead == {"cpu": Fraction(3, 10), "gpu": 1}


def test_what_the_keys_mean() -> None:
    instance = from_json(valid())
    assert (instance.family, instance.sense, instance.horizon) == ("multiserver", "maximize", 4)
    assert instance.resources == ("cpu", "gpu")
    assert [port.nodes for port in instance.ports] == [(1, 0), (0,), ()]
    assert instance.utility(0, "cpu") == instance.utility(2, "cpu") == Utility("log", Fraction(6, 5))
    assert instance.utility(0, "gpu") == Utility("poly", Fraction(11, 10))
    assert instance.utility(1, "cpu") == Utility("reciprocal", Fraction(2))
    gang = instance.ports[1]
    assert gang.tasks[0] == Task({"cpu": Fraction(1)}, {"cpu": Fraction(1, 2)}) and gang.minimum_tasks == 1
    assert [port.minimum_tasks for port in instance.ports] == [0, 1, 0]
    assert instance.copies == (3, 1, 2)


def test_a_gang_starts_all_its_tasks_if_nothing_else_is_said() -> None:
    value = valid()
    del value["ports"][1]["minimum_tasks"]
    assert from_json(value).ports[1].minimum_tasks == 2


def test_json_there_and_back_keeps_everything() -> None:
    for seed in range(size(20, 150, 2000)):
        instance = from_json(tiny_multiserver(seed, copies=1 + seed % 3, ports=seed % 5, nodes=seed % 4))
        again = from_json(parse(msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))))
        for key in ("resources", "nodes", "ports", "utilities", "node_utilities", "overhead", "copies"):
            assert getattr(again, key) == getattr(instance, key), (seed, key)
        assert np.array_equal(again.arrivals, instance.arrivals)
        assert again.sha256 == instance.sha256
    value = valid()
    assert from_json(to_json(from_json(value))).sha256 == from_json(value).sha256


def test_a_file_with_its_arrays_there_and_back(tmp_path: Path) -> None:
    many = np.random.default_rng(0).integers(0, 4, size=(3000, 3), dtype=np.uint8)
    instance = from_json(valid() | {"arrivals": many})
    write_object(tmp_path / "one.json", to_json(instance) | {"arrivals": instance.arrivals})
    again = sp.read(tmp_path / "one.json")
    assert isinstance(again.arrivals.base, np.memmap) and again.sha256 == instance.sha256
    assert not again.arrivals.flags.writeable


@given(st.decimals(min_value="1e-18", max_value=10**6, places=18, allow_nan=False) | st.integers(1, 10**6))
def test_any_decimal_there_and_back(number: Any) -> None:
    value = valid()
    value["ports"][0]["demand"]["cpu"] = number
    again = from_json(parse(msgspec.json.Encoder(decimal_format="number").encode(to_json(from_json(value)))))
    assert again.ports[0].demand["cpu"] == Fraction(number)


def test_the_hash_is_of_the_content_and_not_of_its_spelling() -> None:
    spaced = VALID.replace(b"4.5", b"45e-1").replace(b": ", b" :\n ")
    usual = from_json(valid()).sha256
    assert from_json(parse(spaced)).sha256 == usual
    changes = [(b"4.5", b"4.6"), (b"[3, 1, 0]", b"[2, 1, 0]"), (b'"n2", "n1"', b'"n1", "n2"'), (b"poly", b"log")]
    changes += [(b'"minimum_tasks": 1', b'"minimum_tasks": 2'), (b", [0, 0, 0]]", b"]"), (b"[0, 1, 0]", b"[1, 0, 0]")]
    others = {from_json(parse(VALID.replace(old, new))).sha256 for old, new in changes}
    assert len(others | {usual}) == len(changes) + 1


def test_the_schema_admits_the_valid_files_and_refuses_those_of_another_shape() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema(InstanceRow))
    for seed in range(size(5, 20, 100)):
        validator.validate(json.loads(json.dumps(tiny_multiserver(seed, copies=2), default=float)))
    validator.validate(json.loads(VALID))
    validator.validate(json.loads(VALID) | {"arrivals": {"file": "x.npy"}})
    for name in (
        "no overhead",
        "another ports[0].speed",
        "nodes[0].capacity.cpu = 32",
        "arrivals[1][1] = -1",
        "utilities.cpu.kind = cubic",
    ):
        value = json.loads(VALID)
        BAD[name][0](value)
        assert not validator.is_valid(value), name


# --- fuzzing ----------------------------------------------------------------------------------------------------------

VALUES = values([0.5, "cpu", "gpu", "n1", "p1", "log", [[1, 0, 1]]])


def assert_read_or_told(read: Callable[[Any], Any], value: Any) -> None:
    """And what is read can be asked everything that is asked before anything is solved."""
    if (instance := read_or_told(read, value)) is None:
        return
    assert all(isinstance(note, str) for note in instance.notes())
    if sum(instance.copies) > 10_000:
        return
    graph = instance.graph
    assert graph.shape == (len(graph.edge_node), len(instance.resources))
    assert instance.counts().sum() == instance.arrivals.sum()
    for utility in (*instance.utilities.values(), *instance.node_utilities.values()):
        for amount in (Fraction(0), Fraction(1), *instance.overhead.values()):
            assert utility.value(amount)[0] <= utility.value(amount)[1]
            assert 0 <= utility.slope(amount)[0] <= utility.slope(amount)[1]


NUMBERS = st.decimals(min_value="1e-18", max_value=10**18, allow_nan=False) | st.integers(1, 10**18)


@given(mutated(valid(), VALUES))
def test_any_change_of_a_valid_file_is_read_or_told(value: Any) -> None:
    assert_read_or_told(any_family, value)


@given(st.sampled_from(paths(valid())), NUMBERS)
def test_any_number_that_the_format_takes_is_borne(path: tuple[Any, ...], number: Any) -> None:
    """Extreme numbers where numbers stand: demands, capacities, alphas, counts."""
    value = valid()
    *keys, last = path
    place = at(value, keys)
    if isinstance(place[last], dict | list | str):
        return
    place[last] = number
    assert_read_or_told(any_family, value)


@given(VALUES | st.fixed_dictionaries({"family": st.just("multiserver")}, optional={"ports": VALUES, "nodes": VALUES}))
def test_any_value_at_all_is_read_or_told(value: Any) -> None:
    assert_read_or_told(any_family, value)


@given(st.integers(0, len(VALID)), st.integers(0, 20), st.binary(max_size=6))
def test_any_change_of_the_bytes_is_read_or_told(start: int, length: int, put_in: bytes) -> None:
    content = VALID[:start] + put_in + VALID[start + length :]
    assert_read_or_told(lambda content: any_family(parse(content)), content)
