"""The checker of systems accepts proofs, and no changed certificate proves a false ratio."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, inf
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check.ratio import Refused, check, lines
from schedproof.core.runtime.files import encode
from tests.support import size
from tests.tiny import systems as tiny

SOURCE = str(tiny.__file__)
CASES: dict[str, sp.System] = {
    "LRU": tiny.LRU(),
    "Marking": tiny.Marking(),
    "MoveToFront": tiny.MoveToFront(),
    "DoubleCoverage": tiny.DoubleCoverage(),
    "SkiRental": tiny.SkiRental(),
    "RandomisedSkiRental": tiny.RandomisedSkiRental(),
    "Reserve": tiny.Reserve(),
}
each = pytest.mark.parametrize("name", CASES)
File = dict[str, Any]


@cache
def written(name: str) -> str:
    return encode(sp.prove(CASES[name]).to_file()).decode()


def judged(name: str, file: File, folder: Path) -> dict[str, Any] | str:
    path = folder / "proof.json"
    path.write_bytes(encode(file))
    try:
        return check(f"{SOURCE}:{name}", str(path))
    except Refused as refused:
        return str(refused)


@each
def test_a_proof_is_accepted(name: str, tmp_path: Path) -> None:
    result = judged(name, json.loads(written(name)), tmp_path)
    assert isinstance(result, dict)
    assert result["at_least"] == result["at_most"] == str(sp.prove(CASES[name]).exact)
    assert lines(result)[0].startswith(f"proven: the competitive ratio of {name}")


def changed(rng: random.Random, value: Any) -> Any:
    """The same with one part changed, at a random place."""
    if isinstance(value, dict):
        key = rng.choice(list(value) or ["k"])
        return value | {key: changed(rng, value.get(key, "2"))}
    if isinstance(value, list):
        if not value or rng.random() < 0.1:
            return value[1:] if value and rng.random() < 0.5 else [*value, *value[:1]]
        place = rng.randrange(len(value))
        return [*value[:place], changed(rng, value[place]), *value[place + 1 :]]
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None, 1])
    if isinstance(value, int):
        return value + rng.choice([-1000, -1, 1, 1000, -value])
    number = rng.choice(["0", "1", "1/2", "2", "inf", "-1", "7/4", "snow", ""])
    return number if rng.random() < 0.5 else value[::-1]


TEXTBOOK: dict[str, Callable[..., Fraction]] = {  # the ratio by the options; for paging and servers with n = k + 1
    "LRU": lambda k, n: {1: Fraction(k)}[n - k],
    "Marking": lambda k, n: {1: sum((Fraction(1, i) for i in range(1, int(k) + 1)), Fraction(0))}[n - k],
    "MoveToFront": lambda n: 2 - Fraction(2, n + 1),
    "DoubleCoverage": lambda n, k: {1: Fraction(k)}[n - k],
    "SkiRental": lambda price: 1 + max(0, ceil(price) - 1) / price,
    "RandomisedSkiRental": lambda price: 1 / (1 - (1 - 1 / price) ** price),
    "Reserve": lambda: Fraction(4),
}


def is_true(name: str, file: File, result: dict[str, Any]) -> bool:
    ratio = TEXTBOOK[name](**{key: Fraction(value) for key, value in file["options"].items()})
    least = inf if result["at_least"] == "inf" else Fraction(result["at_least"])
    return least <= ratio and (result["at_most"] is None or ratio <= Fraction(result["at_most"]))


@each
def test_no_changed_certificate_proves_a_false_ratio(name: str, tmp_path: Path) -> None:
    rng, original = random.Random(name), json.loads(written(name))
    accepted = refused = 0
    for _ in range(size(100, 200, 5000)):
        file = copy.deepcopy(original)
        for _ in range(rng.randrange(1, 4)):
            file = changed(rng, file)
        result = judged(name, file, tmp_path)
        if isinstance(result, str):
            refused += 1
        else:
            accepted += 1
            assert is_true(name, file, result), file
    print(f"{name}: {refused + accepted} changed, {refused} refused, {accepted} accepted and true")
    assert refused > accepted


@each
@pytest.mark.parametrize("better", [Fraction(9, 10), Fraction(999, 1000)])
def test_a_smaller_upper_bound_is_refused(name: str, better: Fraction, tmp_path: Path) -> None:
    file = json.loads(written(name))
    file |= {"at_most": str(better * Fraction(file["at_most"])), "at_least": "0"}
    assert "a step violates the potential's inequality" in str(judged(name, file, tmp_path))


def test_a_changed_source_is_refused(tmp_path: Path) -> None:
    source, path = tmp_path / "systems.py", tmp_path / "proof.json"
    source.write_text(Path(SOURCE).read_text().replace("len(out)), (held", "len(out)), (held"))
    path.write_text(written("Marking"))
    assert check(f"{source}:Marking", str(path))["at_most"] == "3/2"
    source.write_text(source.read_text() + "\n")
    with pytest.raises(Refused, match="the certificate is for another version of the file"):
        check(f"{source}:Marking", str(path))


def test_the_steps_are_limited(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(written("MoveToFront"))
    with pytest.raises(Refused, match="more than 1000 steps"):
        check(f"{SOURCE}:MoveToFront", str(path), most_steps=1000)
