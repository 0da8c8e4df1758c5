"""Instances as JSON documents of any family: places of values, and edits.

A place is a path into the document: ``("jobs", 2, "arrival")``, written ``jobs[2].arrival``. Similar places share a
pattern, ``jobs[*].arrival``: an index becomes ``[*]``, and a key that is the name of an item becomes ``*``.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.data.reading import parse
from schedproof.core.runtime.files import encode

Document = dict[str, Any]  # a parsed JSON object; numbers are ints or Decimals
Number = int | Decimal
Place = tuple[str | int, ...]


class Part(NamedTuple):
    """A value in a document, with its place."""

    place: Place
    pattern: str
    value: Any


def text(document: Document) -> str:
    """Return the document as one line of JSON."""
    return encode(document).decode()


def read(line: str) -> Document:
    document: Document = parse(line.encode())
    return document


def parts(document: Document) -> list[Part]:
    """Return every value inside the document; containers come before their content."""
    return list(_parts(document, (), "", set(_names(document))))


def _parts(value: Any, place: Place, pattern: str, names: set[str]) -> Iterator[Part]:
    if isinstance(value, dict):
        below = [
            (key, f"{pattern}.{'*' if key in names else key}".removeprefix("."), one) for key, one in value.items()
        ]
    elif isinstance(value, list):
        below = [(n, f"{pattern}[*]", one) for n, one in enumerate(value)]
    else:
        return
    for key, words, one in below:
        yield Part((*place, key), words, one)
        yield from _parts(one, (*place, key), words, names)


def _names(value: Any) -> Iterator[str]:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        yield value["name"]
    for one in below:
        yield from _names(one)


def in_words(place: Place) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place).removeprefix(".")


def is_number(value: Any) -> bool:
    """Return whether a value is a number; booleans are not."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def at(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def copy(value: Any) -> Any:
    """Return a mutable copy of a value; arrays and tuples become lists."""
    if isinstance(value, dict):
        return {key: copy(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [copy(one) for one in value] if isinstance(value, list | tuple) else value


def put(document: Document, place: Place, value: Any) -> None:
    at(document, place[:-1])[place[-1]] = value


def without(document: Document, place: Place) -> Document:
    """Return the document without an item of a list and the entries that name it."""
    answer = copy(document)
    gone = at(answer, place[:-1]).pop(place[-1])
    if isinstance(gone, dict) and isinstance(gone.get("name"), str):
        _forget(answer, gone["name"])
    return answer


def _forget(value: Any, name: str) -> None:
    if isinstance(value, dict):
        value.pop(name, None)
    elif isinstance(value, list) and name in value:
        value.remove(name)
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _forget(one, name)


def with_item(document: Document, place: Place, item: Any, like: str | None = None) -> Document:
    """Return the document with one more item at the end of a list, under a new name.

    Parameters
    ----------
    like
        The name of an item. Every list and mapping that names it gets the new name too, with the same values.
    """
    answer, item = copy(document), copy(item)
    known = at(answer, place)
    if isinstance(item, dict) and isinstance(item.get("name"), str):
        taken = {one.get("name") for one in known if isinstance(one, dict)}
        item["name"] = next(name for n in range(len(taken) + 1) if (name := f"{item['name'][:1]}{n + 1}") not in taken)
        if like is not None:
            _name_too(answer, like, item["name"])
    known.append(item)
    return answer


def _name_too(value: Any, name: str, other: str) -> None:
    if isinstance(value, dict):
        for one in value.values():
            _name_too(one, name, other)
        if name in value:
            value[other] = copy(value[name])
    elif isinstance(value, list):
        for one in value:
            _name_too(one, name, other)
        if name in value:
            value.append(other)
