"""Codecs between file and memory, for example of entity names and positions."""

from __future__ import annotations

from collections.abc import Callable
from types import GenericAlias
from typing import NamedTuple

from msgspec import NODEFAULT

from schedproof.core.base.untyped import Json, Scope, Value
from schedproof.core.data.reading import Name
from schedproof.core.errors import InputError, expect

Names = tuple[str, ...]


def same(value: Json, *around: Json) -> Value:
    """Return a value unchanged."""
    return value


class Codec(NamedTuple):
    """Conversion of a value between file and memory.

    Attributes
    ----------
    form
        Type in the file, or None for a value that is not stored.
    read
        ``read(value, path, row, scope)``: ``row`` is the enclosing object; ``scope`` is the instance, or its fields
        read so far.
    write
        ``write(value, record, scope)``, the inverse. If it is the function `same`, reading only checks the value.
    default
        Value for a missing key.
    of
        The list in the scope whose entities the value names, if any.
    """

    form: Value
    read: Callable[..., Value] = same
    write: Callable[..., Json] = same
    default: Value = NODEFAULT
    of: str = ""


def derive(function: Callable[[Json, Scope], Value]) -> Codec:
    """Return a codec for a value computed from the file's object and the scope."""
    return Codec(None, lambda value, path, row, scope: function(row, scope))


def ref(entities: str) -> Codec:
    """Return a codec between an entity's name in the file and its position in a list."""
    return Codec(
        str,
        lambda name, path, row, scope: position(scope, entities, name, path),
        lambda index, record, scope: getattr(scope, entities)[index].name,
        of=entities,
    )


def refs(entities: str, form: Value = str) -> Codec:
    """Return a codec between names of distinct entities and their positions."""

    def read(names: Names, path: str, row: Json, scope: Scope) -> tuple[int, ...]:
        result: dict[int, None] = {}
        for n, name in enumerate(names):
            index = position(scope, entities, name, f"{path}[{n}]")
            expect(index not in result, f"expected each {_one_of(entities)} once", f"{path}[{n}]", name)
            result[index] = None
        return tuple(result)

    def write(indices: tuple[int, ...], record: Value, scope: Scope) -> Names:
        return tuple(getattr(scope, entities)[i].name for i in indices)

    return Codec(GenericAlias(tuple, (form, ...)), read, write, of=entities)


def position(scope: Scope, entities: str, name: str, path: str) -> int:
    """Return the position of a named entity in a list of the scope.

    Raises
    ------
    InputError
        If no entity has the name.
    """
    known: dict[str, dict[str, int]] = scope.__dict__.setdefault("_positions", {})
    if entities not in known:
        known[entities] = {entity.name: entity.index for entity in getattr(scope, entities)}
    if name not in known[entities]:
        raise InputError(f"expected the name of {_article(_one_of(entities))}", path=path, value=name)
    return known[entities][name]


def name_in(names: str) -> Codec:
    """Return a codec for a name in a list of the scope."""

    def read(name: str, path: str, row: Json, scope: Scope) -> str:
        if name not in getattr(scope, names):
            raise InputError(f"expected the name of {_article(_one_of(names))}", path=path, value=name)
        return name

    return Codec(str, read)


def _distinct(names: Names, path: str, row: Json, scope: Scope) -> Names:
    distinct = names and len(set(names)) == len(names)
    expect(bool(distinct), "expected distinct names, at least one", path, str(list(names)))
    return names


DISTINCT = Codec(tuple[Name, ...], _distinct)


def _one_of(names: str) -> str:
    return names.removesuffix("s")


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
