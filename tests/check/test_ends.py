from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.check import bound
from schedproof.core.data.arrays import write_object
from schedproof.core.programs.exact.certificate import RowMultipliers, status_file
from schedproof.core.programs.exact.entries import Column
from schedproof.core.programs.exact.entries import Row as ListedRow
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.status import settle
from schedproof.core.programs.exact.tree import settle_integers
from tests.support import size
from tests.tiny.listings import KINDS, draw, end
from tests.tiny.user_programs import in_integers, of_all_points

Row = dict[str, Any]
DRAWS, CHANGED = range(size(12, 30, 500)), size(200, 300, 5000)


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


Change = Callable[[random.Random, Row], Row]


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


Make = Callable[[str, int, Anything], tuple[Listing, Row]]


def certificates(claim: str, make: Make, anything: Anything) -> Iterator[Row]:
    """Certificates that claim this end, or a bound, of programs of all kinds."""
    for seed in count():
        for kind in KINDS:
            _, row = make(kind, seed, anything)
            if claim == ("bound" if row["kind"] in ("lower", "upper") else row["kind"]):
                yield row


def tally(
    claim: str, make: Make, change: Change, true: Callable[[Row], bool], files: tuple[Anything, Path, Path]
) -> Counter[str]:
    """How many of the changed certificates are refused; every other one is true."""
    found, rng = Counter[str](), random.Random(claim)
    for honest in certificates(claim, make, files[0]):
        for row in (change(rng, honest) for _ in range(5)):
            found["changed"] += 1
            try:
                checked(row, *files[1:])
            except bound.Refused:
                found["refused"] += 1
                continue
            assert true(row), row
            found["true"] += 1
        if found["changed"] >= CHANGED:
            print(f"{claim}: {dict(found)}")
            return found
    raise AssertionError


def is_true(row: Row) -> bool:
    """Whether a claim agrees with elimination; every bound holds for a program without points."""
    ended, best = end(listed(row["multipliers"]))
    if row["kind"] in ("infeasible", "unbounded"):
        return bool(ended == row["kind"])
    sign = 1 if row["multipliers"]["sense"] == "minimize" else -1
    return ended == "infeasible" or (best is not None and sign * (best - Fraction(row["value"])) >= 0)


@pytest.mark.parametrize("claim", ["bound", "infeasible", "unbounded"])
def test_no_mutated_certificate_proves_a_false_statement(claim: str, files: tuple[Anything, Path, Path]) -> None:
    found = tally(claim, written, mutated, is_true, files)
    assert found["refused"] > found["changed"] / 5


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
    tree = proof.get("tree", [])  # none where the program is unbounded
    leaves = [node for node in tree if node and isinstance(node[0], list)]
    branches = [node for node in tree if node and isinstance(node[0], int)]
    if what == "leaf" and leaves:
        leaf = rng.choice(leaves)
        pair = rng.choice(leaf)
        pair[1] = altered(rng, pair[1]) or "0"
    elif what == "branch" and branches:
        node = rng.choice(branches)
        node[rng.randrange(2)] += rng.choice([-1, 1])
    elif what == "node" and tree:
        tree.pop(rng.randrange(len(tree)))
    elif what == "integers":
        proof["integers"].pop()
    elif what == "point" and proof.get("point"):
        pair = rng.choice(proof["point"])
        pair[1] = altered(rng, pair[1]) or "0"
    else:
        return mutated(rng, row)
    return changed


def open_integers(kind: str, seed: int, anything: Anything) -> tuple[Listing, Row]:
    """The same, and the columns have no ends but their own."""
    listing = draw(kind, seed)
    settled = settle_integers(listing, frozenset(range(len(listing.columns))))
    row = {} if settled is None else json.loads(json.dumps(status_file("toy.drawn", {}, anything, settled)))
    return listing, {"kind": None} | row


def is_true_of_integers(row: Row) -> bool:
    """Whether a claim agrees with its point and with all whole points near 0.

    Where fewer columns are integers, there are more points: the whole ones may not contradict the claim.
    """
    proof, listing = row["multipliers"], listed(row["multipliers"])
    if row["kind"] == "infeasible":
        return of_all_points(in_integers(listing)).status == "infeasible"
    point = [Fraction(0)] * len(listing.columns)
    for j, x in proof["point"]:
        point[j] = Fraction(x)
    sums = [(entry, sum(a * point[j] for j, a in entry.terms.items())) for entry in listing.rows]
    met = all(entry.allows(Fraction(at)) for entry, at in [*sums, *zip(listing.columns, point, strict=True)])
    if not met or any(point[j].denominator > 1 for j in proof["integers"]):
        return False
    if row["kind"] == "unbounded":
        return end(listing) == ("unbounded", None)
    sign, truth = 1 if proof["sense"] == "minimize" else -1, of_all_points(in_integers(listing))
    value = listing.constant + sum(c.cost * x for c, x in zip(listing.columns, point, strict=True))
    return value == Fraction(row["value"]) and (truth.status == "infeasible" or bool(sign * (truth.low - value) >= 0))


@pytest.mark.parametrize(
    ("claim", "make"), [("optimal", of_integers), ("infeasible", of_integers), ("unbounded", open_integers)]
)
def test_no_mutated_tree_proves_what_is_false(claim: str, make: Make, files: tuple[Anything, Path, Path]) -> None:
    found = tally(claim, make, mutated_tree, is_true_of_integers, files)
    assert found["refused"] > found["changed"] / 5


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


@pytest.mark.parametrize("change", [{"constant": None}, {"sense": "down"}, {"columns": "snow"}])
def test_a_malformed_cost_is_refused_where_no_cost_matters(change: Row, files: tuple[Anything, Path, Path]) -> None:
    seed = next(n for n in range(99) if end(draw("infeasible", n)) == ("infeasible", None))
    _, row = written("infeasible", seed, files[0])
    row["multipliers"]["columns"][0][1] = change.pop("columns", "0")
    row["multipliers"] |= change
    with pytest.raises(bound.Refused):
        checked(row, *files[1:])


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
