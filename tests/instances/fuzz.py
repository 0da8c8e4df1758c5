"""Broken instance files: arbitrary values, and valid files with a few changes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import msgspec
from hypothesis import strategies as st

from schedproof.core.data.reading import parse
from schedproof.core.errors import InputError
from schedproof.instances import from_json


def values(words: Sequence[Any]) -> st.SearchStrategy[Any]:
    """Draw any JSON value; the given values are more frequent."""
    common = [0, 1, -1, 10**9, 10**18, 10**400, "", "a\nb", "\x00", *words]
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**12), 10**12)
        | st.sampled_from(common)
        | st.floats()
        | st.decimals(allow_nan=True, allow_infinity=True)
        | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        max_leaves=4,
    )


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values within a value."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [p for key, inner in items for p in paths(inner, (*path, key))]


def at(value: Any, keys: Sequence[Any]) -> Any:
    """Return the value at a path."""
    for key in keys:
        value = value[key]
    return value


@st.composite
def mutated(draw: Any, valid: Any, put_in: st.SearchStrategy[Any]) -> Any:
    """Return the valid file with one to three values replaced, removed, renamed or added."""
    value, places = copy.deepcopy(valid), st.sampled_from(paths(valid))
    for _ in range(draw(st.integers(1, 3))):
        *keys, last = draw(places)
        try:
            place = at(value, keys)
            kind = draw(st.sampled_from(["replace", "remove", "rename", "repeat", "add"]))
            if kind == "remove":
                del place[last]
            elif kind == "rename" and isinstance(place, dict):
                place[draw(st.text(max_size=3))] = place.pop(last)
            elif kind == "repeat" and isinstance(place, list):
                place.append(place[last])
            elif kind == "add" and isinstance(place, dict):
                place[draw(st.text(max_size=3))] = draw(put_in)
            else:
                place[last] = draw(put_in)
        except (KeyError, IndexError, TypeError):
            pass  # an earlier change took that place away
    return value


def read_or_told(read: Callable[[Any], Any], value: Any) -> Any:
    try:
        instance = read(value)
    except InputError as error:
        assert str(error) and str(error).isprintable()
        return None
    to_json = import_module(f"schedproof.instances.{instance.family}").to_json
    written = msgspec.json.Encoder(decimal_format="number").encode(to_json(instance))
    assert from_json(parse(written)).sha256 == instance.sha256
    return instance
