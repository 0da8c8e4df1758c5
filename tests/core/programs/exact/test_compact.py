"""Compact certificates: both readers agree, and no accepted forgery proves a false bound."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound as checker
from schedproof.core.certificates.bound import Unproven
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.certificates.program_bound import ProgramBound
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.exact import compact
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.solving import multipliers
from schedproof.core.runtime.files import encode
from tests.command_line import Cli, written
from tests.support import size

CELLS = sp.embedded("cells")
OTHERS = ("jrp.split", "jrp.split_free_lp")  # programs whose rows the checker writes


@pytest.fixture(autouse=True)
def _all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "LARGE", 0)
    monkeypatch.setattr(compact, "ENTRIES", 3)


def drawn(rng: random.Random) -> RowMultipliers:
    """The optimal multipliers of a random program with fractions in all places."""

    def number() -> Fraction:
        return Fraction(rng.randint(1, 9), rng.choice([1, 1, 2, 3, 10]))

    def terms() -> dict[int, Fraction | int]:
        return {j: number() for j in sorted(rng.sample(range(5), rng.randint(1, 4)))}

    columns = tuple(Column(f"x[{j}]", Fraction(0), number() if j % 2 else None, number()) for j in range(5))
    rows = tuple(Row(f"cover.row[{i},a]", number(), None if i % 3 else Fraction(90), terms()) for i in range(4))
    listing = Listing("minimize", number(), columns, rows)
    try:
        return RowMultipliers(listing, multipliers(listing)[0])
    except SchedproofError:  # no feasible point
        return drawn(rng)


def bound_of(witness: RowMultipliers) -> ProgramBound:
    return ProgramBound("jrp.mine", "lower", {}, CELLS.sha256, witness.value(CELLS), witness, {})


def test_a_file_is_read_back_and_checked(tmp_path: Path) -> None:
    rng, cells = random.Random(48), written("cells", tmp_path)
    for _ in range(size(20, 20, 500)):
        bound, file = bound_of(drawn(rng)), tmp_path / "bound.json"
        write_bound(file, bound)
        row = json.loads(file.read_text())  # it is one JSON object, too
        assert row["version"] == 3 and len(file.read_text().splitlines()) == 2 + len(row["multipliers"]["blocks"])
        again = read_bound(file, CELLS)
        assert (again.witness, again.exact) == (bound.witness, bound.exact)
        again.check(CELLS)
        assert Fraction(checker.check(str(cells), str(file))["value"]) == bound.exact
        with pytest.raises(checker.Refused, match="the multipliers prove"):
            write_bound(file, replace(bound, exact=bound.exact + Fraction(1, 10**9)))
            checker.check(str(cells), str(file))


def test_the_steps_are_known_from_the_first_line(tmp_path: Path) -> None:
    cells, file = written("cells", tmp_path), tmp_path / "bound.json"
    write_bound(file, bound_of(drawn(random.Random(1))))
    steps = checker.Steps(10**6)
    checker.proven(str(cells), str(file), "", steps)
    alone = checker.Steps(10**6)
    alone.count_values(checker.read(str(cells)))
    both = checker.needed(str(file)) + alone.most - alone.left
    assert 0.9 * both <= steps.most - steps.left <= 1.1 * both
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + b"never read")
    with pytest.raises(checker.Refused, match="takes more than 60 steps; allow more with --steps=N"):
        checker.Blocks(checker.certificate(str(file), 10**6)["multipliers"], checker.Steps(60))


Forgery = Callable[[random.Random, Any], None]


def number(rng: random.Random, row: Any) -> None:
    """Another integer in a block."""
    block = rng.choice(row["multipliers"]["blocks"])
    place = rng.choice([n for n, part in enumerate(block) if n != 2 and n])
    other = rng.choice([-1, 1, 0, None, 10**9])
    if isinstance(block[place], list) and block[place]:
        n = rng.randrange(len(block[place]))
        block[place][n] = other if other is None or block[place][n] is None else block[place][n] + other
    else:
        block[place] = other if other is None or not isinstance(block[place], int) else block[place] + other


def length(rng: random.Random, row: Any) -> None:
    """A list of another length."""
    block = rng.choice(row["multipliers"]["blocks"])
    place = rng.choice([n for n, part in enumerate(block) if n])
    part = block[place] if isinstance(block[place], list) else [block[place]]
    block[place] = rng.choice([part[1:], part[:-1], part[::-1], part * 2, part[0] if part else 0])


def order(rng: random.Random, row: Any) -> None:
    """Other blocks."""
    blocks = row["multipliers"]["blocks"]
    n = rng.randrange(len(blocks))
    row["multipliers"]["blocks"] = rng.choice([blocks[::-1], blocks[1:], blocks[:-1], [*blocks, blocks[n]]])


def head(rng: random.Random, row: Any) -> None:
    """Another number before the blocks."""
    name = rng.choice(["unit", "scale", "digits", "sizes", "constant", "sense", "value"])
    place = row if name == "value" else row["multipliers"]
    if name == "sizes":
        place[name] = [n + rng.choice([-1, 0, 1]) for n in place[name]]
    elif name == "sense":
        place[name] = "maximize"
    elif isinstance(place[name], int):
        place[name] = rng.choice([place[name] + 1, place[name] - 1, place[name] * 2, -place[name], 0])
    else:
        place[name] = str(Fraction(place[name]) + rng.choice([1, -1, Fraction(1, 10**6)]))


def name(rng: random.Random, row: Any) -> None:
    """Another name."""
    block = rng.choice(row["multipliers"]["blocks"])
    block[2][rng.randrange(len(block[2]))] = rng.choice(["", "y", 7, "x" * 2000])


FORGERIES: tuple[Forgery, ...] = (number, length, order, head, name)


def test_no_accepted_forgery_proves_a_false_bound(tmp_path: Path) -> None:
    """An accepted forgery is the true bound of another listing, whose optimum HiGHS finds."""
    rng, cells, seen, file = random.Random(7), written("cells", tmp_path), Counter[str](), tmp_path / "bound.json"
    for n in range(size(300, 300, 5000)):
        bound = bound_of(drawn(rng))
        row = json.loads(encode(bound.to_file()))
        forge = FORGERIES[n % len(FORGERIES)]
        forge(rng, row)
        if row == json.loads(encode(bound.to_file())):
            continue
        seen["forged"] += 1
        file.write_bytes(compact.as_bytes(row))
        try:
            told = checker.check(str(cells), str(file))
        except checker.Refused:
            continue
        seen[f"accepted {forge.__name__}"] += 1
        found = read_bound(file, CELLS)
        found.check(CELLS)
        assert found.exact == Fraction(told["value"])
        assert isinstance(found, ProgramBound)
        try:
            best = multipliers(found.witness.listing)[1]
        except SchedproofError:  # infeasible: any bound holds
            continue
        assert found.exact <= best + Fraction(1, 10**5) * max(1, abs(best))
    print(dict(seen))
    assert seen["forged"] > 2 * sum(seen.values()) / 3


@pytest.mark.parametrize("id", OTHERS)
def test_a_forged_listing_of_a_program_that_the_checker_writes_is_refused(id: str, tmp_path: Path) -> None:
    rng, cells, seen, file = random.Random(id), written("cells", tmp_path), Counter[str](), tmp_path / "bound.json"
    program = sp.program(id).relaxed()
    bound = sp.bound(program, CELLS)
    write_bound(file, bound)
    assert checker.check(str(cells), str(file))["assumptions"] == []
    honest = json.loads(encode(bound.to_file()))
    for n in range(size(60, 60, 5000)):
        row = json.loads(json.dumps(honest))
        FORGERIES[n % len(FORGERIES)](rng, row)
        if row == honest:
            continue
        seen["forged"] += 1
        file.write_bytes(compact.as_bytes(row))
        try:
            told = checker.check(str(cells), str(file))
        except checker.Refused:
            continue
        seen["accepted"] += 1
        assert Fraction(told["value"]) >= bound.exact - Fraction(1, 10**6)  # an upper bound
        try:
            read_bound(file, CELLS, bound.of).check(CELLS)
        except Unproven:
            seen["other rows"] += 1
    print(dict(seen))
    assert 10 * seen["accepted"] < seen["forged"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("]}}\n", ""), "the file is truncated"),
        (lambda text: text + "{}", "expected the end of the file"),
        (lambda text: text.replace('"blocks":[\n', '"blocks":['), 'expected "blocks":\\[ at the end of the first line'),
        (lambda text: text.replace('["rows"', '["row"', 1), "expected blocks of rows, then of columns"),
        (lambda text: text.replace('"version":3', '"version":3,"version":3'), "a key occurs twice"),
    ],
)
def test_another_layout_is_refused(change: Callable[[str], str], words: str, tmp_path: Path) -> None:
    cells, file = written("cells", tmp_path), tmp_path / "bound.json"
    write_bound(file, bound_of(drawn(random.Random(3))))
    file.write_text(change(file.read_text()))
    with pytest.raises(checker.Refused, match=words):
        checker.check(str(cells), str(file))


def test_a_large_certificate_is_announced_with_its_steps(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells, file = written("cells", tmp_path), tmp_path / "bound.json"
    assert not cli("bound", "jrp.split", cells, "--certificate", file)[2]
    monkeypatch.setattr(checker, "MOST_STEPS", 100)
    _, _, said = cli("bound", "jrp.split", cells, "--certificate", file)
    assert "steps, more than the default 100: schedproof check-bound INSTANCE" in said
    steps = said.split()[-1]
    assert cli("check-bound", cells, file, "--steps", 100)[0] == 1
    assert cli("check-bound", cells, file, "--steps", steps)[0] == 0


def test_cones_and_small_programs_are_listed_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sp.bound(sp.program("jrp.conic"), CELLS).to_file()["version"] == 2
    monkeypatch.setattr(compact, "LARGE", 20_000)
    file = sp.bound("jrp.split", CELLS).to_file()
    assert file["version"] == 2
