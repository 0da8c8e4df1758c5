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
from schedproof.core.programs.exact.tree import settle_integers
from tests.support import size
from tests.tiny.listings import KINDS, draw, end
from tests.tiny.user_programs import in_integers, of_all_points

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
            ended, best = end(listed(row["multipliers"]))
            if claim in ("infeasible", "unbounded"):
                assert ended == claim, (kind, seed, row)
            elif ended != "infeasible":  # every bound holds for a program without points
                minimal = row["multipliers"]["sense"] == "minimize"
                assert best is not None, (kind, seed, row)
                assert Fraction(row["value"]) <= best if minimal else Fraction(row["value"]) >= best, (kind, seed, row)
    print(f"{kind}: {refused} refused")
    assert refused > len(DRAWS)


def of_integers(kind: str, seed: int, anything: Anything) -> tuple[Listing, Row]:
    """The certificate of a program whose columns are whole, between -4 and 4."""
    listing = in_integers(draw(kind, seed))
    settled = settle_integers(listing, frozenset(range(len(listing.columns))))
    assert settled is not None
    return listing, json.loads(json.dumps(status_file("toy.drawn", {}, anything, settled)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_end_of_an_integer_program_has_a_tree_that_passes(kind: str, files: tuple[Anything, Path, Path]) -> None:
    for seed in DRAWS:
        listing, row = of_integers(kind, seed, files[0])
        truth = of_all_points(listing)
        assert checked(row, *files[1:]).startswith("proven infeasible" if truth.status == "infeasible" else "proven: ")
        assert row["value"] is None or Fraction(row["value"]) == truth.low


def mutated_tree(rng: random.Random, row: Row) -> Row:
    """The same with one part of the tree or the point changed, or another part as in `mutated`."""
    changed = json.loads(json.dumps(row))
    proof, what = changed["multipliers"], rng.choice(["leaf", "leaf", "branch", "node", "integers", "point", "other"])
    leaves = [node for node in proof["tree"] if node and isinstance(node[0], list)]
    branches = [node for node in proof["tree"] if node and isinstance(node[0], int)]
    if what == "leaf" and leaves:
        leaf = rng.choice(leaves)
        pair = rng.choice(leaf)
        pair[1] = altered(rng, pair[1]) or "0"
    elif what == "branch" and branches:
        node = rng.choice(branches)
        node[rng.randrange(2)] += rng.choice([-1, 1])
    elif what == "node":
        proof["tree"].pop(rng.randrange(len(proof["tree"])))
    elif what == "integers":
        proof["integers"].pop()
    elif what == "point" and proof.get("point"):
        pair = rng.choice(proof["point"])
        pair[1] = altered(rng, pair[1]) or "0"
    else:
        return mutated(rng, row)
    return changed


@pytest.mark.parametrize("kind", KINDS)
def test_no_mutated_tree_proves_what_is_false(kind: str, files: tuple[Anything, Path, Path]) -> None:
    refused, true, rng = 0, 0, random.Random(kind)
    for seed in DRAWS:
        _, honest = of_integers(kind, seed, files[0])
        for _ in range(5):
            row = mutated_tree(rng, honest)
            try:
                checked(row, *files[1:])
            except bound.Refused:
                refused += 1
                continue
            true += 1
            # where fewer columns are whole, there are more points: no whole one may contradict the claim
            truth, sign = (
                of_all_points(listed(row["multipliers"])),
                1 if row["multipliers"]["sense"] == "minimize" else -1,
            )
            if row["kind"] == "infeasible":
                assert truth.status == "infeasible", (kind, seed, row)
            elif row["kind"] == "optimal":
                assert truth.low == Fraction(row["value"]), (kind, seed, row)
            elif truth.status == "optimal":
                assert sign * (truth.low - Fraction(row["value"])) >= 0, (kind, seed, row)
    print(f"{kind}: {refused} refused, {true} still true")
    assert refused > len(DRAWS)


def test_the_tree_of_a_huge_file_is_refused_by_its_steps(files: tuple[Anything, Path, Path]) -> None:
    _, row = of_integers("boxed", 1, files[0])
    row["multipliers"]["tree"] *= 1000
    files[2].write_text(json.dumps(row))
    with pytest.raises(bound.Refused, match=r"takes more than|more parts"):
        bound.check(str(files[1]), str(files[2]), most_steps=5000)


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
            with pytest.raises(bound.Refused, match="the program's row 'r' is not in the certificate"):
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
