"""The toy family's files, and where instances come from."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from schedproof.core.errors import InputError
from schedproof.core.options import pick
from schedproof.core.reading import Amount, Row, Version, as_file, convert, copy_fields, unique_names
from schedproof.instances.schedule_file import Header, header
from schedproof_toy.sack import Item, ItemRow, Packing, Sack

HEAVIEST = {"tiny": 4, "heavy": 9}


class SackRow(Row):
    version: Version
    family: str
    capacity: Amount
    items: Sequence[ItemRow]


class PackingFile(Header):
    items: list[str]


def from_json(value: Any) -> Sack:
    """An instance from a parsed JSON object."""
    row = convert(value, SackRow)
    unique_names([item.name for item in row.items], "items")
    return Sack(row.capacity, tuple(copy_fields(Item, item, index=i) for i, item in enumerate(row.items)))


def to_json(sack: Sack) -> dict[str, Any]:
    """The instance file's JSON object."""
    return as_file(SackRow(1, "toy", sack.capacity, [copy_fields(ItemRow, item) for item in sack.items]))


def packing_from_json(value: Any, sack: Sack) -> Packing:
    """A packing from a parsed JSON object."""
    file = PackingFile.read(value, sack)
    place = {item.name: item.index for item in sack.items}
    for n, name in enumerate(file.items):
        if name not in place:
            raise InputError("expected the name of an item", path=f"items[{n}]", value=name)
    return Packing(tuple(place[n] for n in file.items), file.instance_sha256, file.policy, file.options, file.seed)


def packing_to_json(packing: Packing, sack: Sack) -> dict[str, Any]:
    """The schedule file's JSON object."""
    return header(packing) | {"items": [sack.items[i].name for i in packing.items]}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Any]:
    """Random items."""
    heaviest, rng = pick("preset", preset, HEAVIEST), Random(seed)
    return _sack((f"i{n}", n // 2, rng.randint(1, 9), rng.randint(1, heaviest)) for n in range(5))


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Lines of name, arrival, value and weight."""
    rows = [line.split() for file in files for line in Path(file).read_text().splitlines()]
    return _sack((name, int(a), int(v), int(w)) for name, a, v, w in rows), {"lines": len(rows)}


def _sack(items: Iterable[tuple[str, int, int, int]]) -> dict[str, Any]:
    rows = [dict(zip(("name", "arrival", "value", "weight"), item, strict=True)) for item in items]
    return {"version": 1, "family": "toy", "capacity": 8, "items": rows}
