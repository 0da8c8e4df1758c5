from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.check import bound
from schedproof.core.data.arrays import write_object
from schedproof.core.programs.exact.certificate import RowMultipliers, status_file
from schedproof.core.programs.exact.listing import Column, Listing
from schedproof.core.programs.exact.listing import Row as ListedRow
from schedproof.core.programs.exact.status import settle
from tests.support import size
from tests.tiny.listings import KINDS, draw, end

Row = dict[str, Any]
DRAWS = range(size(12, 30, 500))


class Anything:
    """An instance of a family that the checker does not know."""

    def __init__(self, file: Path) -> None:
        file.write_text('{"family": "toy"}')
        self.sha256 = bound.identity(bound.read(str(file)))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Anything, Path, Path]:
    instance, certificate = tmp_path / "instance.json", tmp_path / "certificate.json"
    return Anything(instance), instance, certificate


def written(kind: str, seed: int, anything: Anything) -> tuple[Listing, Row]:
    settled = settle(draw(kind, seed))
    assert settled is not None
    return settled.listing, json.loads(json.dumps(status_file("toy.drawn", {}, anything, settled)))


def checked(row: Row, instance: Path, certificate: Path) -> str:
    certificate.write_text(json.dumps(row))
    return bound.lines(bound.check(str(instance), str(certificate)))[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_end_has_a_certificate_that_passes(kind: str, files: tuple[Anything, Path, Path]) -> None:
    for seed in DRAWS:
        listing, row = written(kind, seed, files[0])
        expected, value = end(listing)
        says = {"optimal": "proven: "}.get(expected, f"proven {expected}: toy.drawn, instance ")
        assert checked(row, *files[1:]).startswith(says) and (row["value"] is None) == (value is None)


def altered(rng: random.Random, text: str | None) -> str | None:
    old = Fraction(text or 0)
    new = rng.choice([-old, old + 1, old - 1, old / 2, Fraction(0), old + Fraction(1, 10**9)])
    return None if text is not None and rng.random() < 0.1 else str(new)


def mutated(rng: random.Random, row: Row) -> Row:
    row = json.loads(json.dumps(row))
    proof = row["multipliers"]
    lists = [name for name in ("multipliers", "point", "ray") if proof.get(name)]
    what = rng.choice([*lists * 4, "drop", "rows", "columns", "kind", "sense", "value"])
    if what in lists:
        pair = rng.choice(proof[what])
        pair[1] = altered(rng, pair[1]) or "0"
    elif what == "drop" and lists:
        pairs = proof[rng.choice(lists)]
        pairs.pop(rng.randrange(len(pairs)))
    elif what == "rows":
        listed = rng.choice(proof["rows"])
        at = rng.choice([1, 2])
        listed[at] = altered(rng, listed[at])
    elif what == "columns":
        listed = rng.choice(proof["columns"])
        at = rng.choice([1, 2, 3])
        listed[at] = altered(rng, listed[at]) if at > 1 else altered(rng, listed[at]) or "0"
    elif what == "kind":
        row["kind"] = rng.choice(["infeasible", "unbounded", "lower", "upper"])
    elif what == "sense":
        proof["sense"] = "maximize" if proof["sense"] == "minimize" else "minimize"
    else:
        row["value"] = "7"
    return row


def listed(proof: Row) -> Listing:
    side = lambda text: None if text is None else Fraction(text)  # noqa: E731
    columns = tuple(Column(name, side(low), side(up), Fraction(cost)) for name, cost, low, up in proof["columns"])
    rows = tuple(
        ListedRow(name, side(low), side(up), {j: Fraction(a) for j, a in terms})
        for name, low, up, terms in proof["rows"]
    )
    return Listing(proof["sense"], Fraction(proof["constant"]), columns, rows)


@pytest.mark.parametrize("kind", KINDS)
def test_no_mutated_certificate_proves_a_false_statement(kind: str, files: tuple[Anything, Path, Path]) -> None:
    refused, rng = 0, random.Random(kind)
    for seed in DRAWS:
        _, honest = written(kind, seed, files[0])
        for _ in range(5):
            row = mutated(rng, honest)
            try:
                line = checked(row, *files[1:])
            except bound.Refused:
                refused += 1
                continue
            claim = line.removeprefix("proven ").partition(":")[0]
            if claim in ("infeasible", "unbounded"):
                assert end(listed(row["multipliers"]))[0] == claim, (kind, seed, row)
    assert refused > len(DRAWS)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"value": "0"}, "value: expected null for a program without an optimum"),
        ({"kind": "unbounded"}, "malformed|expected the fields"),
        ({"kind": "nowhere"}, "expected kind lower"),
    ],
)
def test_other_labels_are_rejected(change: Row, sentence: str, files: tuple[Anything, Path, Path]) -> None:
    seed = next(n for n in range(99) if end(draw("infeasible", n)) == ("infeasible", None))
    _, row = written("infeasible", seed, files[0])
    row["multipliers"]["sense"] = "minimize"
    with pytest.raises(bound.Refused, match=sentence):
        checked(row | change, *files[1:])


def test_an_unbounded_program_needs_all_its_rows(files: tuple[Anything, Path, Path], tmp_path: Path) -> None:
    listing = Listing("maximize", Fraction(0), (Column("x", Fraction(0), None, Fraction(1)),), ())
    settled = settle(listing)
    assert settled is not None and settled.status == "unbounded"
    files[2].write_text(json.dumps(status_file("toy.drawn", {}, files[0], settled)))
    rows = tmp_path / "rows.json"
    for added, passes in ((), True), ((ListedRow("r", None, Fraction(1), {0: 1}),), False):
        rows.write_text(json.dumps(RowMultipliers(replace(listing, rows=added), {}).to_json()))
        if passes:
            bound.check(str(files[1]), str(files[2]), str(rows))
        else:
            with pytest.raises(bound.Refused, match="a row of ROWS is not in the certificate"):
                bound.check(str(files[1]), str(files[2]), str(rows))


@sp.group("constraints", "mine", "", needs=("class_use",))
def less_than_nothing(block: Any, instance: Any) -> None:
    """The total use of all edges is negative."""
    block.row = pyo.Constraint(expr=sum(block.model().class_use.edge.values()) <= -1)


def test_check_bound_reads_the_output_of_solve(tmp_path: Path) -> None:
    instance, program = sp.embedded("day"), sp.program("preemptive.lp4").add(less_than_nothing)
    solution = program.solve(instance, prove=True)
    assert solution.status == "infeasible" and solution.proven and solution.proof is not None
    file, certificate = tmp_path / "day.json", tmp_path / "proof.json"
    write_object(file, instance.to_json())
    certificate.write_text(json.dumps(solution.proof))
    result = bound.check(str(file), str(certificate), most_steps=10**9)
    assert bound.lines(result)[0].startswith("proven infeasible: preemptive.lp4 (with less_than_nothing)")
