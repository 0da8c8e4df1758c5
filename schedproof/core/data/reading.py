"""Reading JSON: exact numbers, and errors that name the file, the JSON path, the value and what was expected."""

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

T = TypeVar("T")
MOST = 10**9
MOST_BYTES, BLOCK = 1 << 28, 1 << 20  # of a file of text, and of what is read at a time
HEAD = 4096  # bytes that are looked at first
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
AtLeastTwo = Annotated[int, msgspec.Meta(ge=2, le=MOST)]
Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]  # beyond any slot, and sums stay within 63 bits
Version = Annotated[int, msgspec.Meta(ge=1, le=1)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
if TYPE_CHECKING:
    Amount = Fraction
    PositiveAmount = Fraction
else:

    class _OfFractions(type(Fraction)):
        """The type of the two types below: every Fraction is one of theirs, and they have no values of their own."""

        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, Fraction)

    class Amount(Fraction, metaclass=_OfFractions):
        """In a schema: an exact number >= 0, a Fraction once it is read."""

    class PositiveAmount(Fraction, metaclass=_OfFractions):
        """In a schema: an exact number > 0, a Fraction once it is read."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an object in a file says."""


GIT_LFS = b"version https://git-lfs.github.com/spec/v1"


def content_of(path: str | Path, refuse: Callable[[bytes], None] = lambda head: None, most: int | None = None) -> bytes:
    """The bytes of a file, of which ``refuse`` is shown the first block before the rest is read.

    Of a pipe or device that never ends, no more than ``most`` are read, which are `MOST_BYTES` if not given.
    """
    most = MOST_BYTES if most is None else most
    require(path, (str, Path), "the name of a file")
    file = Path(path)
    try:
        with file.open("rb") as stream:
            head = stream.read(HEAD)
            refuse(head)
            blocks = iter(lambda: stream.read(BLOCK), b"")  # a read of so much at once would take that much memory
            content = head + b"".join(islice(blocks, most // BLOCK + 1))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=str(file)) from None
    except ValueError as error:  # a name that no file can have
        raise InputError(f"cannot be read: {error}", file=str(file)) from None
    if len(content) > most:
        raise InputError(f"expected at most {most >> 20} MiB, large arrays beside it", file=str(file))
    return content


def read_text(path: str | Path, *, opens_with: bytes = b"{", most: int | None = None) -> bytes:
    """The bytes of a JSON file, refused early when they cannot be one: a huge file of garbage costs nothing."""

    def refuse(head: bytes) -> None:
        if head.startswith(GIT_LFS):
            raise InputError("expected data, found a Git LFS pointer: fetch the file itself", file=str(path))
        if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(opens_with):
            what = "a JSON object" if opens_with == b"{" else "a JSON array"
            if sort := of_bytes(head):
                raise WrongFile(f"this is {sort}, expected {what}", file=str(path))
            empty = len(head) < HEAD and not head.strip()
            raise InputError(f"expected {what}" + ", found an empty file" * empty, file=str(path))

    return content_of(path, refuse, most).removeprefix(b"\xef\xbb\xbf")


def parse(content: bytes) -> Json:
    """JSON as Python values: decimals stay exact, a repeated key is an error.

    Raises
    ------
    InputError
        For text that is not JSON, is cut short, repeats a key, or nests too deeply.
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
        raise InputError("nests deeper than any instance does") from None
    except InputError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"is not JSON: {str(error).split(';')[0]}") from None
    except ArithmeticError:
        raise InputError("is not JSON: the exponent of a number is beyond all bounds") from None
    if _HALF.search(text):
        _no_half_characters(value)
    return value


_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _no_half_characters(value: Json) -> None:
    """Refuse an escaped half of a character that stands alone: no file could hold it again."""
    rest = [value]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            rest += [*value, *value.values()]
        elif isinstance(value, list):
            rest += value
        elif isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            raise InputError(f"is not JSON: the string {value!r} holds half a character")


def convert(value: Json, schema: type[T]) -> T:
    """A parsed JSON value as a msgspec struct; the first mismatch is an error with its path and value."""
    try:
        return msgspec.convert(value, schema, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise _locate(str(error), value, schema) from None
    except RecursionError:
        raise InputError("nests deeper than any instance does") from None


def _decode(kind: type, value: Json) -> Json:
    if kind not in (Fraction, Amount, PositiveAmount):
        raise NotImplementedError(kind)
    return _whole(kind, value) if type(value) is int else _within(kind, exact(value))  # nearly all of a trace are whole


@lru_cache(KEPT)
def _whole(kind: type, value: int) -> Fraction:
    return _within(kind, exact(value))


def _within(kind: type, number: Fraction) -> Fraction:
    sign = number.numerator
    if (kind is Amount and sign < 0) or (kind is PositiveAmount and sign <= 0):
        raise ValueError(f"expected a number {'>=' if kind is Amount else '>'} 0")
    return number


def as_file(row: Row) -> dict[str, Json]:
    """The JSON object of a file's rows; numbers are ints or exact Decimals."""
    result: dict[str, Json] = msgspec.to_builtins(row, enc_hook=as_decimal, builtin_types=(Decimal,))
    return result


def json_schema(schema: type[Row]) -> dict[str, Json]:
    """The JSON Schema of a format."""
    result = msgspec.json.schema(schema, schema_hook=_number_schema)
    for part in (result, *result.get("$defs", {}).values()):
        if "description" in part:  # a docstring, from which Python takes the indentation from 3.13 on
            part["description"] = cleandoc(part["description"])
    return result


def _number_schema(kind: type) -> dict[str, Json]:
    if kind in (Amount, PositiveAmount):
        return {"type": "number", "minimum" if kind is Amount else "exclusiveMinimum": 0}
    raise NotImplementedError(kind)


def unique_names(names: list[str], where: str) -> None:
    """Refuse a list of rows with a repeated name."""
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"expected a name of its own, {where}[{seen[name]}] has it too", path=f"{where}[{i}].name", value=name
            )
        seen[name] = i


def _no_repeated_key(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key '{twice}' stands twice in one object")
    return result


_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_WORDS = {  # msgspec's name of a kind, or Python's where it says that -> JSON's
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
    """Turn msgspec's message into one with the exact path (its ``[...]`` does not say which key) and the value."""
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
    """Every key that a format knows, at whatever place."""
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
    """Follow msgspec's path; where it does not name the key, take the first whose end is what the message is about."""
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
    """Whether this value is the one that msgspec's message is about."""
    if field := re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", expected, re.DOTALL):
        return isinstance(value, dict) and (field[2] in value) == (field[1] == "contains unknown")
    if kinds := re.fullmatch(r"Expected `.*`, got `(\w+)`", expected):
        return _WORDS.get(kinds[1]) == ("an integer" if type(value) is int else kind_of(value))
    if bound := re.search(r"Expected `int` (>=|<=) (-?\d+)", expected):
        limit = int(bound[2])
        return type(value) is int and (value < limit if bound[1] == ">=" else value > limit)
    if expected.startswith("expected"):  # an error of `_decode`
        for kind in (Amount, PositiveAmount):
            try:
                _decode(kind, value)
            except ValueError as error:
                if str(error) == expected:
                    return True
        return False
    return not isinstance(value, dict | list)
