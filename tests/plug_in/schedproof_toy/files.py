"""Sources of the toy family's instances."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from schedproof.core.data.options import pick

HEAVIEST = {"tiny": 4, "heavy": 9}


def generate(preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Any]:
    """Random items."""
    heaviest, rng = pick("preset", preset, HEAVIEST), Random(seed)
    return _sack((f"i{n}", n // 2, rng.randint(1, 9), rng.randint(1, heaviest)) for n in range(5))


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Lines of name, arrival, value and weight."""
    rows = [line.split() for file in files for line in Path(file).read_text().splitlines()]
    return _sack((name, int(a), Fraction(v), int(w)) for name, a, v, w in rows), {"lines": len(rows)}


def _sack(items: Iterable[tuple[str, int, int | Fraction, int]]) -> dict[str, Any]:
    rows = [dict(zip(("name", "arrival", "value", "weight"), item, strict=True)) for item in items]
    return {"version": 1, "family": "toy", "capacity": 8, "items": rows}
