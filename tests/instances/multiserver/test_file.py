from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import InputError
from schedproof.instances.multiserver import Task, Utility, from_json, to_json
from schedproof.instances.multiserver.instance import MOST_ENTRIES, Instance
from tests.instances.broken import text_of
from tests.instances.multiserver.broken import FORMAT, VALID


def test_numbers_are_the_files_rationals() -> None:
    instance = from_json(FORMAT.value())
    assert instance.ports[0].demand["gpu"] == Fraction(1, 10) != 0.1
    assert instance.nodes[0].capacity == {"cpu": 32, "gpu": Fraction(9, 2)}
    assert instance.overhead == {"cpu": Fraction(3, 10), "gpu": 1}


def test_the_meaning_of_the_keys() -> None:
    instance = from_json(FORMAT.value())
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


def test_a_gang_starts_all_its_tasks_by_default() -> None:
    value = FORMAT.value()
    del value["ports"][1]["minimum_tasks"]
    assert from_json(value).ports[1].minimum_tasks == 2


# --- arrivals in a file of their own ----------------------------------------------------------------------------------

ARRIVALS = np.array(FORMAT.value()["arrivals"])
ARRAYS: dict[str, tuple[Any, str]] = {
    "too narrow": (ARRIVALS[:, :2], "arrivals = '(4, 2)': expected rows of 3 counts, one per port"),
    "flat": (ARRIVALS.ravel(), "arrivals = '(12,)': expected rows of 3 counts, one per port"),
    "a single number": (np.array(3), "arrivals = '()': expected rows of 3 counts, one per port"),
    "no slots": (ARRIVALS[:0], "arrivals: expected at least one slot"),
    "numbers with a point": (ARRIVALS.astype(float), "arrivals = 'float64': expected integers"),
    "booleans": (ARRIVALS > 0, "arrivals = 'bool': expected integers"),
    "text": (ARRIVALS.astype(str), "expected integers"),
    "records": (np.zeros((4, 3), dtype=[("a", "i4")]), "expected integers"),
    "negative": (ARRIVALS - 1, "arrivals = -1: expected counts from 0 to 1000000000"),
    "huge": (ARRIVALS.astype("u8") + 2**63, "arrivals = 9223372036854775811: expected counts from 0 to 1000000000"),
    "more jobs at once than fit": (ARRIVALS.astype("u4") * 10**8, f"arrivals: expected at most {MOST_ENTRIES} numbers"),
    "pickled": (ARRIVALS.astype(object), "arrivals.file = 'x.npy': expected an array: the file is not a complete .npy"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_a_bad_array_of_arrivals_gives_one_message(name: str, tmp_path: Path) -> None:
    array, expected = ARRAYS[name]
    file = tmp_path / "bad.json"
    np.save(tmp_path / "x.npy", array)
    file.write_bytes(text_of(FORMAT.value() | {"arrivals": {"file": "x.npy"}}))
    with pytest.raises(InputError) as caught:
        sp.read(file)
    assert str(caught.value).startswith(f"{file}: ") and expected in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_truncated_file_of_arrivals_gives_one_message(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", ARRIVALS)
    (tmp_path / "x.npy").write_bytes((tmp_path / "x.npy").read_bytes()[:-1])
    (tmp_path / "one.json").write_bytes(text_of(FORMAT.value() | {"arrivals": {"file": "x.npy"}}))
    with pytest.raises(InputError, match="the file is not a complete"):
        sp.read(tmp_path / "one.json")


def test_an_unread_file_is_not_opened_by_its_text() -> None:
    with pytest.raises(InputError, match="arrivals: expected the array of arrivals: read the instance from its file"):
        from_json(FORMAT.value() | {"arrivals": {"file": "x.npy"}})


@pytest.mark.parametrize("dtype", ["u1", "i1", ">i2", "u4", "i8", ">u8"])
def test_arrivals_of_any_integer_type_are_equal(dtype: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.asfortranarray(ARRIVALS.astype(dtype)))
    (tmp_path / "one.json").write_bytes(text_of(FORMAT.value() | {"arrivals": {"file": "x.npy"}}))
    instance, listed = sp.read(tmp_path / "one.json"), from_json(FORMAT.value())
    assert instance.sha256 == listed.sha256
    assert instance.copies == listed.copies and all(type(n) is int for n in instance.copies)
    assert np.array_equal(instance.arrivals, listed.arrivals)
    assert np.array_equal(instance.present(0, 4), listed.present(0, 4))
    assert to_json(instance)["arrivals"] == listed.arrivals.tolist()


def test_a_file_with_arrays_round_trips(tmp_path: Path) -> None:
    many = np.random.default_rng(0).integers(0, 4, size=(3000, 3), dtype=np.uint8)
    instance = from_json(FORMAT.value() | {"arrivals": many})
    write_object(tmp_path / "one.json", to_json(instance) | {"arrivals": instance.arrivals})
    again = sp.read(tmp_path / "one.json")
    assert isinstance(again.arrivals.base, np.memmap) and again.sha256 == instance.sha256
    assert not again.arrivals.flags.writeable


def test_the_schema_admits_arrivals_in_a_file() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    value = json.loads(VALID) | {"arrivals": {"file": "x.npy"}}
    jsonschema.Draft202012Validator(Instance.json_schema()).validate(value)
