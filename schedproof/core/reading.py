"""Reading JSON: exact numbers, and errors that name the file, the JSON path, the value and what was expected."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from schedproof.core.errors import InputError
from schedproof.core.numbers import exact

T = TypeVar("T")
GIT_LFS = b"version https://git-lfs.github.com/spec/v1"


def read_text(path: str | Path, *, opens_with: bytes = b"{") -> bytes:
    """The bytes of a JSON file, refused early when they cannot be one.

    Only the first block is looked at before the rest is read, so that a huge file of garbage costs nothing.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            head = stream.read(4096)
            if head.startswith(GIT_LFS):
                raise InputError("expected data, found a Git LFS pointer: fetch the file itself", file=str(file))
            if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(opens_with):
                what = "a JSON object" if opens_with == b"{" else "a JSON array"
                raise InputError(f"expected {what}" + ("" if head.strip() else ", found an empty file"), file=str(file))
            return (head + stream.read()).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=str(file)) from None


def parse(content: bytes) -> Any:
    """JSON as Python values: decimals stay exact, a repeated key is an error.

    Raises
    ------
    InputError
        For text that is not JSON, is cut short, repeats a key, or nests too deeply.
    """
    try:
        return json.loads(content, parse_float=Decimal, object_pairs_hook=_no_repeated_key)
    except json.JSONDecodeError as error:
        if content[error.pos :].strip() == b"" or error.msg.startswith("Unterminated"):
            raise InputError(f"the JSON text ends too early, at line {error.lineno}: the file is truncated") from None
        raise InputError(f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not JSON: byte {error.start} is not UTF-8 text") from None
    except RecursionError:
        raise InputError("nests deeper than any instance does") from None
    except InputError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"is not JSON: {str(error).split(';')[0]}") from None


def convert(value: Any, schema: type[T]) -> T:
    """A parsed JSON value as a msgspec struct; the first mismatch is told with its path and value."""
    try:
        return msgspec.convert(value, schema, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise _located(str(error), value) from None
    except RecursionError:
        raise InputError("nests deeper than any instance does") from None


def _decode(kind: type, value: Any) -> Any:
    if kind is Fraction:
        return exact(value)
    raise NotImplementedError(kind)


def _no_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key '{twice}' stands twice in one object")
    return result


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def _located(message: str, root: Any) -> InputError:
    """Turn msgspec's message into one with the exact path (its ``[...]`` does not say which key) and the value."""
    expected, _, where = message.partition(" - at `$")
    steps = [m.group(1) or m.group(2) for m in _STEP.finditer(where.rstrip("`"))]
    path, value = _walk(root, steps, expected)
    expected = (
        expected.replace("`", "")
        .replace("Object missing", "the object is missing the")
        .replace("Object", "the object")
        .replace("Expected", "expected")
    )
    for python, plain in (("int", "an integer"), ("str", "a string"), ("decimal", "a number"), ("float", "a number")):
        expected = re.sub(rf"\b{python}\b(?! integer)", plain, expected)
    return InputError(expected, path=path or "$", value=None if isinstance(value, dict | list) else value)


def _walk(value: Any, steps: list[str], expected: str) -> tuple[str, Any]:
    path = ""
    for step in steps:
        if step == "...":
            key = next((k for k, v in value.items() if _mismatch(v, expected)), next(iter(value), ""))
            path, value = f"{path}.{key}", value[key]
        elif isinstance(value, list):
            path, value = f"{path}[{step}]", value[int(step)]
        else:
            path, value = f"{path}.{step}" if path else step, value[step]
    return path, value


def _mismatch(value: Any, expected: str) -> bool:
    """Whether this dictionary value is the one that msgspec's message is about."""
    if isinstance(value, bool) or not isinstance(value, int):
        return True
    bound = re.search(r"(>=|<=) (-?\d+)", expected)
    if bound is None:
        return False
    return value < int(bound[2]) if bound[1] == ">=" else value > int(bound[2])
