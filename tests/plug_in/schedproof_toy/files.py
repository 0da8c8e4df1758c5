"""The toy family's files, and where instances come from."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from schedproof.core.errors import InputError
from schedproof.core.options import pick
from schedproof.instances.schedule_file import Header, header
from schedproof_toy.sack import Packing, Sack

HEAVIEST = {"tiny": 4, "heavy": 9}


class PackingFile(Header):
    items: list[str]


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
