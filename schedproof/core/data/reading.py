"""JSON input: exact numbers; errors name file, JSON path, value and expectation."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from inspect import cleandoc
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec

from schedproof.core.base.numbers import KEPT, as_decimal, exact, kind_of
from schedproof.core.base.untyped import Json
from schedproof.core.data.file_kinds import of_bytes
from schedproof.core.errors import InputError, WrongFile, close_names, require
from schedproof.core.runtime.files import regular

T = TypeVar("T")
MOST = 10**9
MOST_BYTES, BLOCK = 1 << 28, 1 << 20  # largest text file, and bytes read at a time
HEAD = 4096  # bytes inspected first
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
AtLeastTwo = Annotated[int, msgspec.Meta(ge=2, le=MOST)]
Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]  # beyond any slot; sums fit in 63 bits
Version = Annotated[int, msgspec.Meta(ge=1, le=1)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
if TYPE_CHECKING:
    Amount = Fraction
    PositiveAmount = Fraction
else:

    class _OfFractions(type(Fraction)):
        """Metaclass of the two types below: every Fraction counts as an instance of them."""

        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, Fraction)

    class Amount(Fraction, metaclass=_OfFractions):
        """In a schema: an exact number >= 0, a Fraction after reading."""

    class PositiveAmount(Fraction, metaclass=_OfFractions):
        """In a schema: an exact number > 0, a Fraction after reading."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a JSON object in a file."""


GIT_LFS = b"version https://git-lfs.github.com/spec/v1"


def content_of(path: str | Path, refuse: Callable[[bytes], None] = lambda head: None, most: int | None = None) -> bytes:
    """Return the bytes of a file; ``refuse`` checks the first block before the rest.

    At most ``most`` bytes (default `MOST_BYTES`) are read.
    """
    most = MOST_BYTES if most is None else most
    require(path, (str, Path), "the name of a file")
    file = Path(path)
    try:
        with regular(file).open("rb") as stream:
            head = stream.read(HEAD)
            refuse(head)
            blocks = iter(lambda: stream.read(BLOCK), b"")  # one read of `most` bytes would allocate them all
            content = head + b"".join(islice(blocks, most // BLOCK + 1))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=str(file)) from None
    except ValueError as error:  # an invalid file name
        raise InputError(f"cannot be read: {error}", file=str(file)) from None
    if len(content) > most:
        raise InputError(f"expected at most {most >> 20} MiB; store large arrays in separate files", file=str(file))
    return content


def read_text(path: str | Path, *, opens_with: bytes = b"{", most: int | None = None) -> bytes:
    """Return the bytes of a JSON file; other files are rejected by their first bytes."""

    def refuse(head: bytes) -> None:
        if head.startswith(GIT_LFS):
            raise InputError("expected data, found a Git LFS pointer: fetch the file itself", file=str(path))
        if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(opens_with):
            what = "a JSON object" if opens_with == b"{" else "a JSON array"
            if kind := of_bytes(head):
                raise WrongFile(f"this is {kind}, expected {what}", file=str(path))
            empty = len(head) < HEAD and not head.strip()
            raise InputError(f"expected {what}" + ", found an empty file" * empty, file=str(path))

    return content_of(path, refuse, most).removeprefix(b"\xef\xbb\xbf")


def parse(content: bytes) -> Json:
    """Parse JSON with exact decimals; a repeated key is an error.

    Raises
    ------
    InputError
        For text that is not JSON, is truncated, repeats a key, or is nested too deeply.
    """
    try:
        text = content.decode()
        value = json.loads(text, parse_float=Decimal, object_pairs_hook=_no_repeated_key)
    except json.JSONDecodeError as error:
        if text[error.pos :].strip() == "" or error.msg.startswith("Unterminated"):
            raise InputError(f"the JSON text ends too early, at line {error.lineno}: the file is truncated") from None
        raise InputError(f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not JSON: byte {error.start} is not UTF-8 text") from None
    except RecursionError:
        raise InputError("is nested too deeply") from None
    except InputError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"is not JSON: {str(error).split(';')[0]}") from None
    except ArithmeticError:
        raise InputError("is not JSON: the exponent of a number is too large") from None
    if _HALF.search(text):
        _no_half_characters(value)
    return value


_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _no_half_characters(value: Json) -> None:
    rest = [value]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            rest += [*value, *value.values()]
        elif isinstance(value, list):
            rest += value
        elif isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            raise InputError(f"is not JSON: the string {value!r} contains an unpaired surrogate")


def convert(value: Json, schema: type[T]) -> T:
    """Convert a parsed JSON value to a msgspec struct; report the first mismatch."""
    try:
        return msgspec.convert(value, schema, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise _locate(str(error), value, schema) from None
    except RecursionError:
        raise InputError("is nested too deeply") from None


def _decode(kind: type, value: Json) -> Json:
    if kind not in (Fraction, Amount, PositiveAmount):
        raise NotImplementedError(kind)
    return _whole(kind, value) if type(value) is int else _within(kind, exact(value))  # most numbers are integers


@lru_cache(KEPT)
def _whole(kind: type, value: int) -> Fraction:
    return _within(kind, exact(value))


def _within(kind: type, number: Fraction) -> Fraction:
    sign = number.numerator
    if (kind is Amount and sign < 0) or (kind is PositiveAmount and sign <= 0):
        raise ValueError(f"expected a number {'>=' if kind is Amount else '>'} 0")
    return number


def as_file(row: Row) -> dict[str, Json]:
    """Return the JSON object of a file's rows; numbers are ints or exact Decimals."""
    result: dict[str, Json] = msgspec.to_builtins(row, enc_hook=as_decimal, builtin_types=(Decimal,))
    return result


def json_schema(schema: type[Row]) -> dict[str, Json]:
    """Return the JSON Schema of a format."""
    result = msgspec.json.schema(schema, schema_hook=_number_schema)
    for part in (result, *result.get("$defs", {}).values()):
        if "description" in part:  # a docstring; Python < 3.13 keeps its indentation
            part["description"] = cleandoc(part["description"])
    return result


def _number_schema(kind: type) -> dict[str, Json]:
    if kind in (Amount, PositiveAmount):
        return {"type": "number", "minimum" if kind is Amount else "exclusiveMinimum": 0}
    raise NotImplementedError(kind)


def unique_names(names: list[str], where: str) -> None:
    """Raise an error for a repeated name."""
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"expected a unique name, but {where}[{seen[name]}] has the same name",
                path=f"{where}[{i}].name",
                value=name,
            )
        seen[name] = i


def _no_repeated_key(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key '{twice}' is repeated in one object")
    return result


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_WORDS = {  # a type's name in msgspec or Python -> its JSON name
    "int": "an integer",
    "float": "a number",
    "decimal": "a number",
    "str": "a string",
    "bool": "a boolean",
    "null": "null",
    "array": "an array",
    "object": "an object",
    "NoneType": "null",
    "list": "an array",
    "dict": "an object",
}


def _locate(message: str, root: Json, schema: type) -> InputError:
    """Replace ``[...]`` in msgspec's message by the exact path, and add the value."""
    expected, _, where = message.partition(" - at `$")
    steps = [m.group(1) or m.group(2) for m in _STEP.finditer(where.rstrip("`"))]
    path, value = _walk(root, steps, expected) or (".".join(steps), None)
    if expected.startswith("Expected"):
        expected = re.sub(
            r"`([A-Za-z| ]+)`", lambda m: " or ".join(_WORDS.get(k, k) for k in m[1].split(" | ")), expected
        )
    expected = expected.replace("`", "").replace("Object missing", "the object is missing the")
    expected = expected.replace("Object contains", "the object contains").replace("Expected", "expected")
    if (unknown := re.search(r"contains unknown field (.*)", expected)) and (
        near := close_names(unknown[1], _keys(schema))
    ):
        expected += f"; did you mean {' or '.join(near)}?"
    return InputError(expected, path=path or "$", value=None if isinstance(value, dict | list) else value)


def _keys(schema: type) -> list[str]:
    names: set[str] = set()
    rest: list[Json] = [msgspec.json.schema(schema, schema_hook=lambda kind: {"type": "number"})]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            names |= {*node.get("properties", ())}
            rest += node.values()
        elif isinstance(node, list):
            rest += node
    return sorted(names)


def _walk(value: Json, steps: list[str], expected: str) -> tuple[str, Json] | None:
    """Follow msgspec's path; at an unnamed key take the first match of the message."""
    if not steps:
        return ("", value) if _mismatch(value, expected) else None
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        ways = [(f"[{step}]", inner) for inner in (value[int(step) :][:1] if step.isdigit() else ())]
    elif isinstance(value, dict) and step == "...":
        ways = [(f".{key}", inner) for key, inner in value.items()]
    elif isinstance(value, dict) and step in value:
        ways = [(f".{step}", value[step])]
    else:
        return None
    for name, inner in ways:
        if (deeper := _walk(inner, rest, expected)) is not None:
            dot = "." if deeper[0] and not deeper[0].startswith("[") else ""
            return name.removeprefix(".") + dot + deeper[0], deeper[1]
    return None


def _mismatch(value: Json, expected: str) -> bool:
    if field := re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", expected, re.DOTALL):
        return isinstance(value, dict) and (field[2] in value) == (field[1] == "contains unknown")
    if kinds := re.fullmatch(r"Expected `.*`, got `(\w+)`", expected):
        return _WORDS.get(kinds[1]) == ("an integer" if type(value) is int else kind_of(value))
    if bound := re.search(r"Expected `int` (>=|<=) (-?\d+)", expected):
        limit = int(bound[2])
        return type(value) is int and (value < limit if bound[1] == ">=" else value > limit)
    if expected.startswith("expected"):  # raised by `_decode`
        for kind in (Amount, PositiveAmount):
            try:
                _decode(kind, value)
            except ValueError as error:
                if str(error) == expected:
                    return True
        return False
    return not isinstance(value, dict | list)
