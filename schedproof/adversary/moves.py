"""Moves from a document to a similar one, for any family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.adversary.documents import Document, Part, at, copy, is_number, parts, put, with_item, without
from schedproof.adversary.space import Documents, nearest

Rng = np.random.Generator
Move = Callable[[Documents, Document, Rng], Document | None]


def _one(found: list[Part], rng: Rng) -> Part | None:
    return found[int(rng.integers(len(found)))] if found else None


def _free(space: Documents, document: Document) -> list[Part]:
    return [part for part in parts(document) if len(space.domain(part)) > 1]


def _resizable_lists(space: Documents, document: Document, least: int) -> list[Part]:
    return [part for part in parts(document) if part.pattern in space.lists and len(part.value) >= least]


def change(space: Documents, document: Document, rng: Rng) -> Document | None:
    part = _one(_free(space, document), rng)
    return part and _with(document, [part], lambda _: space.domain(part)[int(rng.integers(len(space.domain(part))))])


def nudge(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Change a number to the next larger or smaller of its values."""
    part, step = _one(_free(space, document), rng), int(rng.choice([-1, 1]))
    return part and _with(document, [part], lambda one: _step(space, one, step))


def shift(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Shift all numbers of one kind by the same number of values."""
    return _all_alike(space, document, rng, lambda part, step: _step(space, part, step))


def scale(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Double or halve all numbers of one kind, rounded to their values."""

    def resize(part: Part, step: int) -> Any:
        wanted = Fraction(part.value) * (2 if step > 0 else Fraction(1, 2))
        return nearest(space.domain(part), wanted)

    return _all_alike(space, document, rng, resize)


def level(space: Documents, document: Document, rng: Rng) -> Document | None:
    chosen = _one(_free(space, document), rng)
    return chosen and _all_alike(space, document, rng, lambda *_: chosen.value, chosen.pattern)


def _all_alike(
    space: Documents,
    document: Document,
    rng: Rng,
    becomes: Callable[[Part, int], Any],
    pattern: str | None = None,
) -> Document | None:
    free = _free(space, document)
    chosen = _one(free, rng)
    if chosen is None:
        return None
    step = int(rng.choice([-2, -1, 1, 2]))
    alike = [part for part in free if part.pattern == (pattern or chosen.pattern)]
    return _with(document, alike, lambda part: becomes(part, step))


def _step(space: Documents, part: Part, step: int) -> Any:
    values = space.domain(part)
    now = min(range(len(values)), key=lambda n: abs(values[n] - part.value))
    return values[min(max(now + step, 0), len(values) - 1)]


def _with(document: Document, changed: list[Part], value: Callable[[Part], Any]) -> Document:
    answer = copy(document)
    for part in changed:
        put(answer, part.place, value(part))
    return answer


def drop(space: Documents, document: Document, rng: Rng) -> Document | None:
    part = _one(_resizable_lists(space, document, 2), rng)
    return part and without(document, (*part.place, int(rng.integers(len(part.value)))))


def duplicate(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Duplicate an item of a list; in a full list it replaces another item."""
    part = _one(_resizable_lists(space, document, 1), rng)
    if part is None:
        return None
    item = part.value[int(rng.integers(len(part.value)))]
    return _with_more(space, document, part, item, rng, item.get("name") if isinstance(item, dict) else None)


def add(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Add an item from one of the starts; in a full list it replaces another item."""
    part = _one(_resizable_lists(space, document, 0), rng)
    item = None if part is None else _other(space, part, rng)
    return None if part is None or item is None else _with_more(space, document, part, item, rng)


def _with_more(
    space: Documents, document: Document, part: Part, item: Any, rng: Rng, like: str | None = None
) -> Document | None:
    if len(part.value) >= space.lists[part.pattern]:
        gone = int(rng.integers(len(part.value)))
        if part.value[gone] is item:
            return None
        document = without(document, (*part.place, gone))
    return with_item(document, part.place, item, like)


def exchange(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Replace an item by an item of one of the starts, and keep its name."""
    part = _one(_resizable_lists(space, document, 1), rng)
    item = None if part is None else _other(space, part, rng)
    if part is None or item is None:
        return None
    answer, place = copy(document), (*part.place, int(rng.integers(len(part.value))))
    old = at(answer, place)
    item = copy(item)
    if isinstance(old, dict) and "name" in old:
        item["name"] = old["name"]
    put(answer, place, item)
    return answer


def _other(space: Documents, part: Part, rng: Rng) -> Any:
    start = space.starts[int(rng.integers(len(space.starts)))]
    same = _one([one for one in parts(start) if one.pattern == part.pattern and one.value], rng)
    return None if same is None else same.value[int(rng.integers(len(same.value)))]


def merge(space: Documents, document: Document, rng: Rng) -> Document | None:
    """Merge two items of a list and add up one of their numbers."""
    part = _one([one for one in _resizable_lists(space, document, 2) if isinstance(one.value[0], dict)], rng)
    if part is None:
        return None
    kept, gone = (int(n) for n in rng.choice(len(part.value), 2, replace=False))
    domains = {one.place: space.domain(one) for one in parts(document) if is_number(one.value)}
    mine, other = part.value[kept], part.value[gone]
    totals = {key: mine[key] + other[key] for key in mine.keys() & other.keys() if (*part.place, kept, key) in domains}
    fitting = sorted(key for key, total in totals.items() if total in domains[*part.place, kept, key])
    if not fitting:
        return None
    key = fitting[int(rng.integers(len(fitting)))]
    answer = copy(document)
    put(answer, (*part.place, kept, key), totals[key])
    return without(answer, (*part.place, gone))


MOVES: tuple[Move, ...] = (change, nudge, nudge, shift, scale, level, drop, duplicate, add, exchange, merge)


def neighbour(space: Documents, document: Document, rng: Rng, moves: Sequence[Move] = MOVES) -> Document:
    """Return a document of the space that is one or more moves away."""
    for _ in range(int(rng.geometric(0.5))):
        for _ in range(10):  # not every move is possible
            move = moves[int(rng.integers(len(moves)))]
            moved = move(space, document, rng)
            if moved is not None:
                document = moved
                break
    return document
