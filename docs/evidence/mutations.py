"""Changed certificates: how many does each checker refuse, and does an accepted one prove anything false?

``python docs/evidence/mutations.py --count 2000`` prints a table. One place of an honest certificate is changed at a
time. An accepted file is false if its claim excludes the number that the honest certificates prove.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import schedproof as sp
from schedproof.check import bound, optimum, ratio, regret
from schedproof.core.programs.exact import compact
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.runtime.files import encode, write_json
from schedproof.instances import embedded

OPTIMUM = 31  # of the embedded instance `day`, which `solve` proves
Subject = tuple[str, Path, Callable[[str], bool]]
INTEGER = {"preemptive.minlp2": "day", "placement.exact": "clusters", "jrp.exact": "cells", "dmlrs.exact": "cluster"}
NEAR = Fraction(1, 10**5)  # of a solver's optimum
RULE = Path(__file__).parents[2] / "examples" / "migrating_srtf.py"


def contains(number: Fraction, low: str | None, high: str | None) -> bool:
    """Whether the stated ends enclose the number; a missing end states nothing."""
    return (low is None or Fraction(low) <= number) and (high is None or number <= Fraction(high))


def subjects(folder: Path) -> Iterator[Subject]:
    """Yield a checker's name, the honest file, and whether the claim of an accepted file is true."""
    day, files = folder / "day.json", {name: folder / f"{name}.json" for name in ("bound", "ratio", "best", "regret")}
    write_json(day, embedded("day").to_json())
    write_json(files["bound"], sp.bound("preemptive.lp4", embedded("day")).to_file())
    proof, best = sp.prove(RULE, machines=2, sizes=2, present=3), sp.best_ratio(machines=2, sizes=2, present=3)
    proof.write(files["ratio"])
    best.write(files["best"])
    worst = sp.worst_regret("multiserver", step="constant", slots=3)
    worst.write(files["regret"])
    low = Fraction(regret.check(str(files["regret"]))["lower"])
    yield "check-bound", files["bound"], lambda file: Fraction(bound.check(str(day), file)["value"]) <= OPTIMUM
    for name, exact, words in (("ratio", proof.exact, [str(RULE)]), ("best", best.exact, [])):
        assert exact is not None

        def true(file: str, exact: Fraction = exact, words: list[str] = words) -> bool:
            told = ratio.check(*words, file)
            return contains(exact, told["at_least"], told["at_most"])

        yield f"check-{name}", files[name], true
    yield "check-regret", files["regret"], lambda file: Fraction(regret.check(file)["upper"]) >= low
    yield listed(folder, day)
    yield compact_form(folder)
    yield conic(folder)
    for program, name in INTEGER.items():
        yield integer(folder, program, name)


def listed(folder: Path, day: Path) -> Subject:
    """Return a certificate that lists its program, whose rows the checker writes."""
    proof = sp.program("preemptive.lp4").solve(embedded("day"), prove=True).proof
    assert proof is not None and proof["version"] == 2
    file, best = folder / "listed.json", Fraction(proof["value"])
    write_json(file, proof)
    return "check-bound, version 2", file, lambda file: Fraction(bound.check(str(day), file)["value"]) <= best


def compact_form(folder: Path) -> Subject:
    """Return a compact certificate, whose rows the checker writes."""
    cells, file, instance = embedded("cells"), folder / "compact.json", str(folder / "cells.json")
    write_json(Path(instance), cells.to_json())
    best = sp.bound("jrp.split", cells)
    assert isinstance(best.witness, RowMultipliers)
    stated = {"version": 3, "multipliers": compact.to_json(best.witness.listing, best.witness.multipliers)}
    file.write_bytes(compact.as_bytes(best.to_file() | stated))
    return "check-bound, version 3", file, lambda file: Fraction(bound.check(instance, file)["value"]) >= best.exact


def conic(folder: Path) -> Subject:
    """Return the certificate of a program with cones."""
    cells, file, instance = embedded("cells"), folder / "conic.json", str(folder / "cells.json")
    found = sp.program("jrp.conic").solve(cells).objective
    assert found is not None
    best = Fraction(found) - NEAR
    write_json(Path(instance), cells.to_json())
    write_json(file, sp.bound("jrp.conic", cells).to_file())
    return "check-bound, conic", file, lambda file: Fraction(bound.check(instance, file)["value"]) >= best


def integer(folder: Path, program: str, name: str) -> Subject:
    """Return the branching tree of an integer program."""
    about, file, instance = embedded(name), folder / f"{program}.json", str(folder / f"{name}.json")
    proof = sp.program(program).solve(about, prove=True).proof
    assert proof is not None
    write_json(Path(instance), about.to_json())
    write_json(file, proof)
    return f"check-optimum, {program}", file, lambda file: optimum.check(instance, file)["value"] == proof["value"]


def changed(rng: random.Random, row: Any) -> Any:
    """Return a copy of a JSON value with another number, text or length at one place."""
    before, row = encode(row), copy.deepcopy(row)
    while encode(row) == before:
        place, key = row, rng.choice(sorted(row))
        while isinstance(place[key], dict | list) and place[key] and rng.random() < 0.95:
            place = place[key]
            key = rng.choice(sorted(place)) if isinstance(place, dict) else rng.randrange(len(place))
        place[key] = other(rng, place[key])
    return row


def other(rng: random.Random, value: Any) -> Any:
    """Return another value in place of this one."""
    if isinstance(value, list):
        return rng.choice([value[1:], value[:-1], value[::-1]])
    if isinstance(value, bool) or not isinstance(value, int | str):
        return rng.choice([None, 0, "1"])
    try:
        near = Fraction(value) + rng.choice([Fraction(-1), Fraction(1), Fraction(1, 7), Fraction(-1, 1000)])
    except ValueError:
        return f"{value}x"
    return str(near) if isinstance(value, str) else int(near) if near.denominator == 1 else value - 1


def as_file(row: Any) -> bytes:
    """Return a certificate's text; in the compact form with one block on each line."""
    multipliers = row.get("multipliers")
    blocks = multipliers.get("blocks") if isinstance(multipliers, dict) else None
    return compact.as_bytes(row) if isinstance(blocks, list) else encode(row)


def tally(file: Path, true: Callable[[str], bool], count: int, seed: int) -> Counter[str]:
    """Return how many changed certificates are refused, and accepted with a true and a false claim."""
    row, rng, found = json.loads(file.read_text()), random.Random(seed), Counter[str]()
    target = file.with_suffix(".changed")
    for _ in range(count):
        target.write_bytes(as_file(changed(rng, row)))
        try:
            found["true" if true(str(target)) else "false"] += 1
        except (bound.Refused, optimum.Refused, ratio.Refused, regret.Refused):
            found["refused"] += 1
    return found


def main(words: Sequence[str] | None = None) -> None:
    """Print one row per checker."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="changed certificates of each checker")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    print("| checker | changed | refused | accepted, claim true | accepted, claim false |\n|---|---|---|---|---|")
    with TemporaryDirectory() as folder:
        for name, file, true in subjects(Path(folder)):
            found = tally(file, true, asked.count, asked.seed)
            print(f"| `{name}` | {asked.count} | {found['refused']} | {found['true']} | {found['false']} |", flush=True)


if __name__ == "__main__":
    main()
