from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.data.reading import parse
from schedproof.core.errors import InputError, UnknownName
from schedproof.core.runtime.files import encode, write_json
from schedproof.instances import from_json
from tests.instances.broken import Format, formats, other_shapes, steps, text_of, told, with_change
from tests.instances.fuzz import at, mutated, paths, read_or_told, values
from tests.support import FAMILIES, size

FORMATS = formats()
COMMANDS = {  # each reads the file first; of the other families, as `check` does
    "preemptive": (
        ["run", "a_online", "FILE"],
        ["bound", "preemptive.lp4", "FILE"],
        ["solve", "preemptive.minlp2", "FILE"],
    )
}
EMBEDDED = {"day": "preemptive", "cluster": "dmlrs", "ports": "multiserver", "cells": "jrp", "clusters": "placement"}
NOT_IN_SCHEMA = ("expected a finite number", "expected a magnitude between 1e-18 and 1e18")
each_family = pytest.mark.parametrize("family", FAMILIES)


def named(part: object) -> str:
    return "a change" if callable(part) else str(part)[:40]


# --- one sentence for every bad input -------------------------------------------------------------------------------


@each_family
def test_a_missing_unknown_or_mistyped_key_gives_one_message(family: str) -> None:
    for value, sentence in other_shapes(FORMATS[family]):
        with pytest.raises(InputError) as caught:
            from_json(value)
        assert str(caught.value) == sentence


@each_family
def test_optional_keys_may_be_omitted(family: str) -> None:
    form = FORMATS[family]
    for *above, last in paths(form.value()):
        if last in form.optional - form.together:
            value = form.value()
            del at(value, above)[last]
            assert from_json(value).sha256 != from_json(form.value()).sha256, (above, last)


REFUSED = [(name, *row) for name, form in FORMATS.items() for row in form.refused]


@pytest.mark.parametrize(("family", "path", "new", "says"), REFUSED, ids=named)
def test_invalid_values_give_exit_code_2_and_one_message(
    family: str, path: str, new: Any, says: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    file = tmp_path / "bad.json"
    value, sentence = with_change(FORMATS[family].value(), path, new, says)
    file.write_bytes(text_of(value))
    for command in COMMANDS.get(family, (["check", "FILE", "FILE"],)):
        code, error = told(capsys, monkeypatch, *[str(file) if word == "FILE" else word for word in command])
        assert code == 2 and error.startswith(f"schedproof: {file}: {sentence}"), error
        assert error.count("\n") == 1 and error.endswith("\n")


Content = Callable[[Format], bytes]
# what no reading at all survives is told in tests/core/data/test_reading.py
NO_INSTANCE: dict[str, tuple[Content, str]] = {
    "truncated": (lambda f: f.valid[:-40], "the file is truncated"),
    "truncated in a number": (lambda f: f.valid[: f.valid.index(f.number[0].encode()) + 1], "the file is truncated"),
    "truncated in a key": (lambda f: f.valid[: f.valid.rindex(b"name") + 3], "the file is truncated"),
    "garbage after a brace": (lambda f: b"{" + bytes(range(128, 256)) * 400, "is not JSON: byte 1 is not UTF-8 text"),
    "UTF-16": (lambda f: f.valid.decode().encode("utf-16"), "expected a JSON object"),
    "deeply nested": (lambda f: b'{"a":' * 200_000, "is nested too deeply"),
    "duplicate key": (lambda f: f.with_text('"version"', '"version": 1, "version"'), "the key 'version' is repeated"),
    "a number of 10,000 digits": (lambda f: f.with_text(f.number[0], "9" * 10_000), "is not JSON: Exceeds the limit"),
    "a decimal of 10,000 digits": (
        lambda f: f.with_text(f.number[0], "0." + "1" * 10_000),
        "expected a number of at most 100 digits",
    ),
    "an endless exponent": (lambda f: f.with_text(f.number[0], "1e99999999999999999999"), "the exponent of a number"),
    "a comment": (lambda f: f.valid.replace(b"{", b"{ // hello\n", 1), "is not JSON"),
    "an endless name": (lambda f: f.with_text(f.name, "j" * 10**6), "expected a string of length <= 1000"),
    "no family": (lambda f: b"{}", "family: expected one of "),
    "another family": (lambda f: f.with_text('"family": "', '"family": "x'), "expected one of "),
}


@each_family
@pytest.mark.parametrize("name", NO_INSTANCE)
def test_a_file_without_an_instance_gives_exit_code_2_and_one_message(
    family: str, name: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    content, expected = NO_INSTANCE[name]
    file = tmp_path / "bad.json"
    file.write_bytes(content(FORMATS[family]))
    code, error = told(capsys, monkeypatch, "check", str(file), str(file))
    if name == "a decimal of 10,000 digits" and not FORMATS[family].decimals:
        expected = "expected an integer, got a number"
    assert code == 2 and error.startswith(f"schedproof: {file}: ") and expected in error, error
    assert error.count("\n") == 1 and error.endswith("\n") and len(error) < 2000


@each_family
def test_nan_and_line_breaks_in_names_are_reported_with_their_path(family: str, tmp_path: Path) -> None:
    form, file = FORMATS[family], tmp_path / "bad.json"
    number, path = form.number
    old, new, sentence = form.line_break
    nan = "expected a finite number" if form.decimals else "expected an integer, got a number"
    for content, expected in (
        (form.with_text(number, "NaN"), f"{path} = nan: {nan}"),
        (form.with_text(old, new), sentence),
    ):
        file.write_bytes(content)
        with pytest.raises(InputError) as caught:
            sp.read(file)
        assert str(caught.value).startswith(f"{file}: {expected}") and str(caught.value).isprintable()


def test_a_missing_file_or_a_folder(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    wrong = {tmp_path / "none.json": "No such file or directory", tmp_path: "expected a file, found a folder"}
    for file, why in wrong.items():
        code, error = told(capsys, monkeypatch, "bound", "preemptive.lp4", str(file))
        assert (code, error) == (2, f"schedproof: {file}: cannot be read: {why}\n")


def test_the_installed_command_gives_the_same_message(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(FORMATS["preemptive"].with_text('"edge-1": 1', '"edge-9": 1'))
    done = subprocess.run(
        [sys.executable, "-m", "schedproof", "run", "a_online", str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    expected = "jobs[0].upload_delay.edge-9 = 'edge-9': expected the name of a server, or '*'"
    assert done.stderr == f"schedproof: {file}: {expected}\n"


# --- what is read, exactly ------------------------------------------------------------------------------------------


@each_family
def test_a_file_round_trips(family: str) -> None:
    form = FORMATS[family]
    for value in (form.value(), *map(form.tiny, range(size(20, 20, 2000)))):
        instance = from_json(value)
        again = from_json(parse(encode(instance.to_json())))
        for field in dataclasses.fields(instance):
            one, other = (getattr(each, field.name) for each in (instance, again))
            assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other, field.name
        assert again.sha256 == instance.sha256 == from_json(instance.to_json()).sha256
        assert again.canonical() == instance.canonical()


@each_family
@given(number=st.decimals(min_value="1e-18", max_value=10**6, places=18, allow_nan=False) | st.integers(1, 10**6))
def test_any_decimal_round_trips(family: str, number: Any) -> None:
    form = FORMATS[family]
    path = steps(form.number[1])
    value = form.value()
    number = number if form.decimals else 1 + int(number)
    at(value, path[:-1])[path[-1]] = number
    instance = from_json(value)
    for written in (instance.to_json(), parse(instance.canonical())):
        assert Fraction(at(written, path)) == Fraction(number)


@each_family
def test_the_hash_depends_on_the_content_only(family: str) -> None:
    form = FORMATS[family]
    number = form.number[0]
    usual = from_json(form.value()).sha256
    other = f"{int(Decimal(number).scaleb(3))}e-3" if form.decimals else number
    spelled = form.with_text(number, other).replace(b": ", b" :\n ")
    assert from_json(parse(spelled)).sha256 == usual
    others = {from_json(parse(form.with_text(*change))).sha256 for change in form.others}
    assert len(others - {usual}) == len(form.others) > 0


@each_family
def test_the_schema_accepts_valid_files_and_rejects_other_shapes(family: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    form = FORMATS[family]
    validator = jsonschema.Draft202012Validator(registry.family(family).load("instance").json_schema())

    def admits(value: Any) -> bool:
        return bool(validator.is_valid(json.loads(json.dumps(value, default=float))))

    for value in (form.value(), *map(form.tiny, range(size(5, 5, 100)))):
        assert admits(value)
    for value, sentence in other_shapes(form):
        if not sentence.endswith(NOT_IN_SCHEMA + form.not_in_schema):
            assert not admits(value), sentence


@pytest.mark.parametrize(("name", "family"), EMBEDDED.items())
def test_the_embedded_instances_are_valid_and_without_notes(name: str, family: str, tmp_path: Path) -> None:
    instance = sp.embedded(name)
    write_json(tmp_path / "one.json", instance.to_json())
    assert sp.read(tmp_path / "one.json").sha256 == instance.sha256
    assert instance.family == family and instance.notes() == ()


def test_a_name_that_is_not_embedded_gives_one_message() -> None:
    with pytest.raises(UnknownName, match=r"unknown embedded instance 'none'; available: cells, cluster, clusters"):
        sp.embedded("none")


# --- fuzzing --------------------------------------------------------------------------------------------------------


def assert_read_or_told(family: str, read: Callable[[Any], Any], value: Any) -> None:
    if (instance := read_or_told(read, value)) is not None:
        FORMATS[family].ask(instance)


@each_family
@given(data=st.data())
def test_any_change_of_a_valid_file_is_read_or_rejected(family: str, data: st.DataObject) -> None:
    form = FORMATS[family]
    assert_read_or_told(family, from_json, data.draw(mutated(form.value(), values(form.words))))


SIZES = st.decimals(min_value="1e-18", max_value=10**18, allow_nan=False) | st.integers(1, 10**18)


@each_family
@given(data=st.data())
def test_extreme_numbers_of_the_format_are_handled(family: str, data: st.DataObject) -> None:
    value = FORMATS[family].value()
    places = [path for path in paths(value) if isinstance(at(value, path), int | Decimal) and path != ("horizon",)]
    for path in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=8)):
        at(value, path[:-1])[path[-1]] = data.draw(SIZES)
    assert_read_or_told(family, from_json, value)


@each_family
@given(data=st.data())
def test_any_value_is_read_or_rejected(family: str, data: st.DataObject) -> None:
    form = FORMATS[family]
    any_value = values(form.words)
    keys = [key for key, value in form.value().items() if isinstance(value, list)]
    rows = st.fixed_dictionaries({"family": st.just(family)}, optional=dict.fromkeys(keys, any_value))
    assert_read_or_told(family, from_json, data.draw(any_value | rows))


@each_family
@given(start=st.integers(0, 2000), length=st.integers(0, 20), put_in=st.binary(max_size=6))
def test_any_change_of_the_bytes_is_read_or_rejected(family: str, start: int, length: int, put_in: bytes) -> None:
    content = FORMATS[family].valid
    start %= len(content) + 1
    content = content[:start] + put_in + content[start + length :]
    assert_read_or_told(family, lambda content: from_json(parse(content)), content)
