"""Records: classes whose fields define reader, writer and JSON Schema of a file.

A record is a msgspec struct, a dataclass or a NamedTuple. Each field is a key of its JSON object:

- with the value of its type: a type of `reading`, a record, or a tuple or dict of these;
- omitted if the default is None or a Fraction and the value is the default;
- converted by a `codecs.Codec` in the type's annotation, for example `ref` and `refs` for names of entities.

Entities in a tuple have distinct names. Their ``index`` is the position in the tuple and is not stored.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import cache, reduce
from operator import is_, or_
from types import GenericAlias, NoneType, SimpleNamespace
from typing import NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, Struct, UnsetType

from schedproof.core.base.numbers import as_fraction
from schedproof.core.base.untyped import Json, Scope, Value
from schedproof.core.data.codecs import Codec, same
from schedproof.core.data.reading import Row, convert, unique_names
from schedproof.core.errors import expect

R = TypeVar("R", bound=Row)
PLAIN = {int, str, bool, float, NoneType}  # values of these types stay as they are


class Entity(Row, frozen=True, dict=True, kw_only=True):
    """A record with a name, by which others refer to it, and a position in its list."""

    index: int = -1


def numbered(rows: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return entities with positions as ``index``; the same tuple if unchanged."""
    if all(not isinstance(row, Entity) or row.index == i for i, row in enumerate(rows)):
        return rows
    return tuple(msgspec.structs.replace(plain(row), index=i) for i, row in enumerate(rows))


def plain(value: Value) -> Value:
    """Return a value with Python's numbers in place of NumPy's.

    NumPy's overflow, and JSON has none.
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is Fraction:
        return value if type(value.numerator) is type(value.denominator) is int else as_fraction(value)
    if isinstance(value, Struct):
        inner = [(name, getattr(value, name)) for name in kind.__struct_fields__]
        changed = {name: new for name, old in inner if type(old) not in PLAIN and (new := plain(old)) is not old}
        return msgspec.structs.replace(value, **changed) if changed else value
    if kind is dict:
        if PLAIN.issuperset(map(type, value)) and PLAIN.issuperset(map(type, value.values())):
            return value
        items = tuple(value.items())
        return value if (new := plain(items)) is items else dict(new)
    if isinstance(value, tuple) and not PLAIN.issuperset(map(type, value)):
        inner = [plain(each) for each in value]
        if all(map(is_, inner, value)):
            return value
        return value._make(inner) if hasattr(value, "_make") else tuple(inner)
    return value.item() if getattr(value, "shape", None) == () else value


@cache
def entities(kind: Value) -> dict[str, Value]:
    """Return a dataclass's fields with tuples of entities, and the entities' class."""
    inner = {name: get_args(hint) for name, hint in get_type_hints(kind).items() if name in kind.__dataclass_fields__}
    return {
        name: given[0]
        for name, given in inner.items()
        if given[1:] == (...,) and isinstance(given[0], type) and issubclass(given[0], Entity)
    }


class Field(NamedTuple):
    """A field of a record: its name in memory, its key in the file, and its codec."""

    name: str
    key: str
    codec: Codec


@cache
def fields(kind: Value) -> tuple[Field, ...]:
    """Return the fields of a record except its index."""
    if issubclass(kind, Struct):
        rows = [(f.name, f.encode_name, f.default) for f in msgspec.structs.fields(kind)]
    elif dataclasses.is_dataclass(kind):
        rows = [(f.name, f.metadata.get("key", f.name), f.default) for f in dataclasses.fields(kind)]
    else:
        rows = [(name, name, kind._field_defaults.get(name, NODEFAULT)) for name in kind._fields]
    hints = get_type_hints(kind, include_extras=True)
    return tuple(Field(name, key, _codec(hints[name], default)) for name, key, default in rows if name != "index")


def _codec(hint: Value, default: Value) -> Codec:
    if default is None or isinstance(default, Fraction):
        kinds = [kind for kind in get_args(hint) if kind is not NoneType] if default is None else [hint]
        codec = codec_of(reduce(or_, kinds))
        return Codec(
            codec.form | UnsetType,
            lambda value, *around: default if value is UNSET else codec.read(value, *around),
            lambda value, *around: UNSET if value is default or value == default else codec.write(value, *around),
            UNSET,
        )
    codec = codec_of(hint)
    bare = codec.default is NODEFAULT and default not in (NODEFAULT, dataclasses.MISSING)
    return codec._replace(default=default) if bare else codec


def codec_of(hint: Value) -> Codec:
    """Return the codec of a type."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Codec):
            return mark
    origin: Value = get_origin(hint)
    inner = get_args(hint)
    if origin is tuple and inner[1:] == (...,):
        return _tuple(inner[0])
    if origin is dict:
        return _dict(*map(codec_of, inner))
    if isinstance(hint, type) and (issubclass(hint, Row) or dataclasses.is_dataclass(hint) or hasattr(hint, "_fields")):
        return _record(hint)
    return Codec(hint)


def _record(kind: Value) -> Codec:
    codecs = [field.codec for field in fields(kind)]
    if issubclass(kind, Row) and not issubclass(kind, Entity) and all(codec.write is same for codec in codecs):

        def check(row: Json, path: str, around: Json, scope: Scope) -> Value:
            values(kind, row, path, scope)
            return row

        return Codec(kind) if all(codec.read is same for codec in codecs) else Codec(kind, check)

    whole = form(kind)

    def read(row: Json, path: str, around: Json, scope: Scope) -> Value:
        return kind(**values(kind, row, path, scope))

    def write(record: Value, around: Value, scope: Scope) -> Json:
        return whole(**objects(record, scope))

    return Codec(whole, read, write)


def _tuple(kind: Value) -> Codec:
    one = codec_of(kind)
    entity = isinstance(kind, type) and issubclass(kind, Entity)

    def read(rows: Json, path: str, *around: Json) -> Value:
        if not entity:
            return tuple(one.read(row, f"{path}[{i}]", *around) for i, row in enumerate(rows))
        unique_names([row.name for row in rows], path)
        return tuple(kind(**values(kind, row, f"{path}[{i}]", around[1]), index=i) for i, row in enumerate(rows))

    def write(those: Value, *around: Value) -> Json:
        return tuple(one.write(value, *around) for value in those)

    whole = GenericAlias(tuple, (one.form, ...))
    return Codec(whole, same if one.read is same else read, same if one.write is same else write)


def some(kind: type[Entity]) -> Codec:
    """Return the codec of a nonempty tuple of entities."""
    codec = _tuple(kind)

    def read(rows: Json, path: str, *around: Json) -> Value:
        expect(len(rows) > 0, f"expected at least one {kind.__name__.lower()}", path)
        return codec.read(rows, path, *around)

    return codec._replace(read=read)


def _dict(key: Codec, value: Codec) -> Codec:
    def read(given: Json, path: str, *around: Json) -> Value:
        if value.read is same:
            return {key.read(k, f"{path}.{k}", *around): v for k, v in given.items()}
        places = ((k, v, f"{path}.{k}") for k, v in given.items())
        return {key.read(k, place, *around): value.read(v, place, *around) for k, v, place in places}

    def write(given: Value, *around: Value) -> Json:
        return {key.write(k, *around): value.write(v, *around) for k, v in given.items()}

    whole = GenericAlias(dict, (key.form, value.form))
    reads, writes = (key.read, value.read), (key.write, value.write)
    return Codec(whole, same if reads == (same, same) else read, same if writes == (same, same) else write)


@cache
def form(kind: Value, head: type[Row] = Row) -> Value:
    """Return the struct of a record's JSON object, derived from its file kind's head."""
    rows = [field for field in fields(kind) if field.codec.form and field.name not in head.__struct_fields__]
    return msgspec.defstruct(
        f"{kind.__name__}Row",
        [(name, codec.form, codec.default) for name, _, codec in rows],
        bases=(head,),
        frozen=True,
        kw_only=True,
        rename={name: key for name, key, _ in rows},
        namespace={"__doc__": kind.__doc__ if head is Row else None},
    )


def read(kind: Value, value: Json, head: type[R]) -> R:
    """Read a file's object as the struct of a record; arrays are kept unchanged."""
    given = value if isinstance(value, dict) else {}
    arrays = {name: key for name, key, _ in fields(kind) if hasattr(given.get(key), "dtype")}
    row: R = convert(value | {key: [] for key in arrays.values()} if arrays else value, form(kind, head))
    for name, key in arrays.items():
        msgspec.structs.force_setattr(row, name, value[key])
    return row


def values(kind: Value, row: Json, path: str = "", scope: Scope = None) -> dict[str, Value]:
    """Return a record's fields from its file object.

    Without a scope, the fields read so far are the scope.
    """
    alike, others = _by_change(kind, "read")
    result = {name: getattr(row, name) for name in alike}
    known = SimpleNamespace(**result) if scope is None else scope
    for name, key, codec in others:
        result[name] = codec.read(getattr(row, name, None), f"{path}.{key}" if path else key, row, known)
        if scope is None:
            setattr(known, name, result[name])
    return result


def objects(record: Value, scope: Scope) -> dict[str, Json]:
    """Return a record's fields as stored in a file, by their names in memory."""
    kind: Value = type(record)
    alike, others = _by_change(kind, "write")
    result = {name: getattr(record, name) for name in alike}
    for name, _, codec in others:
        result[name] = codec.write(getattr(record, name), record, scope)
    return result


@cache
def _by_change(kind: Value, way: str) -> tuple[tuple[str, ...], tuple[Field, ...]]:
    rows = [field for field in fields(kind) if field.codec.form or way == "read"]
    others = tuple(field for field in rows if getattr(field.codec, way) is not same)
    return tuple(field.name for field in rows if field not in others), others
