from __future__ import annotations

import json
import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.data import reading
from schedproof.core.data.reading import convert, parse, read_text
from schedproof.core.errors import InputError


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    size: Fraction
    count: int = 1


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    inner: dict[str, Inner] = {}
    rows: list[Inner] = []
    lists: dict[str, list[int]] = {}


class Amounts(msgspec.Struct):
    amounts: dict[str, Fraction]


N: dict[str, Any] = {"name": "n"}


def sentence(value: Any) -> str:
    with pytest.raises(InputError) as caught:
        convert(value, Outer)
    return str(caught.value)


def test_decimals_stay_exact() -> None:
    value = parse(b'{"a": 0.1, "b": 1e-3, "c": 7, "d": 123456789.123456789012345678901234567890}')
    assert value == {"a": Decimal("0.1"), "b": Decimal("0.001"), "c": 7, "d": value["d"]}
    assert str(value["d"]) == "123456789.123456789012345678901234567890"
    assert convert({"name": "n", "rows": [{"size": value["a"]}]}, Outer).rows[0].size == Fraction(1, 10)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, "$: the object is missing the required field name"),
        ({"name": 3}, "name = 3: expected a string, got an integer"),
        ({"name": "n", "other": 1}, "$: the object contains unknown field other"),
        (N | {"rows": [{"size": 1}, {"size": "big"}]}, "rows[1].size = 'big': expected a number, got a string"),
        (N | {"rows": [{"size": 1, "count": 1.5}]}, "rows[0].count = 1.5: expected an integer, got a number"),
        (
            N | {"inner": {"a": {"size": 1}, "b.c[0]": {}}},
            "inner.b.c[0]: the object is missing the required field size",
        ),
        (N | {"inner": {"b": {"size": True}}}, "inner.b.size = True: expected a number, got a boolean"),
        (
            N | {"lists": {"a": [], "b": [1, "x"]}},  # the message does not say which list
            "lists.b[1] = 'x': expected an integer, got a string",
        ),
        (N | {"rows": {}}, "rows: expected an array, got an object"),
        ([], "$: expected an object, got an array"),
    ],
)
def test_a_mismatch_states_path_value_and_expectation(value: Any, expected: str) -> None:
    assert sentence(value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a": 1', "ends too early, at line 1: the file is truncated"),
        (b'{"a": "', "the file is truncated"),
        (b'{"a": 1}}', "is not JSON: Extra data at line 1, column 9"),
        (b'{"a": 01}', "is not JSON"),
        (b"{'a': 1}", "is not JSON: Expecting property name enclosed in double quotes at line 1, column 2"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "the key 'c' is repeated in one object"),
        (b'{"a": "\xff"}', "is not JSON: byte 7 is not UTF-8 text"),
        (b'{"a": ' + b"[" * 100_000, "is nested too deeply"),
        (b'{"a": ' * 100_000, "is nested too deeply"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "is not JSON: "),
        (b'{"a": 1e99999999999999999999}', "is not JSON: "),
        (b"", "the file is truncated"),
        (b'{"a": ["\\ud800"]}', "contains an unpaired surrogate"),
        (b'{"\\uDFff": 1}', "contains an unpaired surrogate"),
        (b'{"a": "\xed\xa0\x80"}', "is not JSON: byte 7 is not UTF-8 text"),
        ('{"a": "é'.encode(), "the file is truncated"),
    ],
)
def test_invalid_json_text_gives_a_message(text: bytes, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text)
    assert expected in str(caught.value) and "\n" not in str(caught.value)


def test_a_surrogate_pair_is_read_as_one_character() -> None:
    assert parse(b'{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_text(path)
    return str(caught.value)


def test_a_file_of_another_type_is_rejected_by_its_first_bytes(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as stream:
        stream.truncate(2**40)
    assert refusal(file) == f"{file}: expected a JSON object"
    file.write_bytes(random.Random(0).randbytes(10_000).replace(b"{", b"x"))
    assert refusal(file) == f"{file}: expected a JSON object"


def test_other_values_are_not_instances(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n")
    assert refusal(file) == f"{file}: expected data, found a Git LFS pointer: fetch the file itself"
    file.write_bytes(b"")
    assert refusal(file) == f"{file}: expected a JSON object, found an empty file"
    file.write_bytes(b" \n\t ")
    assert refusal(file) == f"{file}: expected a JSON object, found an empty file"
    file.write_bytes(b"[1]")
    assert refusal(file) == f"{file}: expected a JSON object"
    assert refusal(tmp_path) == f"{tmp_path}: cannot be read: expected a file, found a folder"
    assert "cannot be read: embedded null byte" in refusal(tmp_path / "no\0ne")
    assert refusal(tmp_path / "none") == f"{tmp_path / 'none'}: cannot be read: No such file or directory"


def test_a_byte_order_mark_and_leading_space_are_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(b'\xef\xbb\xbf \n {"a": 1}')
    assert parse(read_text(file)) == {"a": 1}
    file.write_bytes(b" " * 10_000 + b'{"a": 1}')
    assert refusal(file) == f"{file}: expected a JSON object"  # not called empty, and not searched to its end


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.binary(max_size=200) | st.builds(lambda text: b"{" + text, st.binary(max_size=60)))
def test_any_bytes_are_json_or_an_input_error(content: bytes) -> None:
    try:
        parse(content)
    except InputError as error:
        assert str(error) and "\n" not in str(error)


@given(JSON, st.integers(0, 400))
def test_any_json_cut_anywhere_is_json_or_an_input_error(value: Any, cut: int) -> None:
    text = json.dumps(value).encode()
    for content in (text, text[:cut]):
        try:
            parse(content)
        except InputError as error:
            assert str(error) and "\n" not in str(error)


ROWS = st.fixed_dictionaries({}, optional={"size": JSON, "count": JSON, "cou\nnt": JSON, "[0]": JSON})
OUTER = st.fixed_dictionaries({}, optional={"name": JSON, "inner": st.dictionaries(st.text(), ROWS | JSON, max_size=3),
                                            "rows": st.lists(ROWS | JSON, max_size=3), "x": JSON})  # fmt: skip


@given(OUTER | JSON)
def test_any_value_is_converted_or_rejected_on_one_line(value: Any) -> None:
    try:
        convert(value, Outer)
    except InputError as error:
        assert str(error) and "\n" not in str(error) and "\r" not in str(error)


def test_an_error_keeps_its_parts_and_names_its_file() -> None:
    error = InputError("expected a number", path="jobs[3].size", value="x" * 100)
    assert str(error) == f"jobs[3].size = '{'x' * 56}...: expected a number"
    assert str(error.in_file("day.json")) == f"day.json: {error}"
    assert (error.path, error.expected, error.exit_code) == ("jobs[3].size", "expected a number", 2)


def test_among_numbers_the_one_that_is_no_number_is_named() -> None:
    value = parse(b'{"amounts": {"cpu": 32, "gpu": NaN, "memory": 1e300}}')
    with pytest.raises(InputError, match=r"amounts\.gpu = nan: expected a finite number"):
        convert(value, Amounts)
    with pytest.raises(InputError, match=r"amounts\.memory = .*expected a magnitude"):
        convert({"amounts": {"cpu": 32, "memory": Decimal("1e300")}}, Amounts)


def test_a_file_that_never_ends_is_read_up_to_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 1 << 20)
    file = tmp_path / "long.json"
    file.write_bytes(b'{"a": "' + b"x" * (1 << 20) + b'"}')
    with pytest.raises(InputError, match=r"long\.json: expected at most 1 MiB; store large arrays in separate files"):
        read_text(file)
    file.write_bytes(b'{"a": "x"}')
    assert read_text(file) == b'{"a": "x"}'
