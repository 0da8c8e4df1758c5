"""Forged certificates with their own program: an accepted one proves its value."""

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.program import Program
from schedproof.core.runtime.files import encode, write_json
from schedproof.core.simulation.instance import Instance
from tests.certificates import Desk, instance_of
from tests.command_line import Cli
from tests.linear_programs import CONES, program_of
from tests.support import size

IDS = (
    "preemptive.ilp4",
    "dmlrs.rdmlrs",
    "jrp.split",
    "jrp.lp_i",
    "jrp.conic",
    "jrp.exact",
    "placement.exact",
    "multiserver.stationary",
)
WRITTEN = "differs from the program's|is no row of the program|than the program's"  # as the checker writes it
NEAR = Fraction(1, 10**5)  # of a bound from its optimum, relative
Row = dict[str, Any]


def honest(id: str) -> Iterator[tuple[Program, Instance, Row]]:
    for seed in range(10**6):
        instance = instance_of(id.partition(".")[0], seed)
        program = program_of(id, instance)
        try:
            row = sp.bound(program, instance).to_file()
        except SchedproofError:
            continue
        if row["multipliers"].get("multipliers") and len(row["multipliers"]["columns"]) <= size(400, 400, 10**5):
            yield program, instance, json.loads(encode(row))


def other(rng: random.Random, text: str | None) -> str | None:
    number = Fraction(text or 0)
    step = Fraction(rng.choice([-1, 1]), rng.choice([1, 2, 10, 10**4, 2**30]))
    return rng.choice([str(number + step), str(-number) if number else "1", str(number * 2 + step)])


def value(rng: random.Random, row: Row) -> None:
    row["value"] = (lambda x: f"{x.numerator}/{x.denominator}")(Fraction(other(rng, row["value"]) or 0))


def multiplier(rng: random.Random, row: Row) -> None:
    pairs = row["multipliers"]["multipliers"]
    n = rng.randrange(len(pairs))
    if rng.random() < 0.3:
        del pairs[n]
    elif rng.random() < 0.3:
        pairs[n][0] = rng.randrange(len(row["multipliers"]["rows"]))
    else:
        pairs[n][1] = other(rng, pairs[n][1])


def coefficient(rng: random.Random, row: Row) -> None:
    proof = row["multipliers"]
    terms = proof["rows"][rng.choice(proof["multipliers"])[0]][3]
    if terms:
        n = rng.randrange(len(terms))
        terms[n][rng.randrange(2)] = (
            other(rng, terms[n][1]) if rng.random() < 0.7 else rng.randrange(len(proof["columns"]))
        )


def side(rng: random.Random, row: Row) -> None:
    proof = row["multipliers"]
    chosen, place = proof["rows"][rng.choice(proof["multipliers"])[0]], rng.choice([1, 2])
    chosen[place] = None if chosen[place] is not None and rng.random() < 0.3 else other(rng, chosen[place])


def column(rng: random.Random, row: Row) -> None:
    chosen, place = rng.choice(row["multipliers"]["columns"]), rng.choice([1, 2, 3])
    chosen[place] = None if place > 1 and rng.random() < 0.3 else other(rng, chosen[place])


def listing(rng: random.Random, row: Row) -> None:
    proof = row["multipliers"]
    change = rng.randrange(5)
    if change == 0:
        proof["sense"] = rng.choice(["maximize", "minimize", "", None])
    elif change == 1:
        proof["constant"] = other(rng, proof["constant"])
    elif change == 2:
        del proof["rows"][rng.randrange(len(proof["rows"]))]
    elif change == 3:
        proof["columns"].pop()
    else:
        proof["rows"].insert(0, ["mine", "0", None, []])


def cone(rng: random.Random, row: Row) -> None:
    cones = row["multipliers"].setdefault("cones", [])
    if not cones or rng.random() < 0.2:
        cones.append([rng.choice(["second_order", "exponential", "no"]), [0, 1, 2][: rng.randrange(4)]])
        return
    n = rng.randrange(len(cones))
    change = rng.randrange(4)
    if change == 0:
        del cones[n]
    elif change == 1:
        cones[n][0] = "exponential" if cones[n][0] == "second_order" else "second_order"
    elif change == 2:
        rng.shuffle(cones[n][1])
    else:
        cones[n][1].append(rng.choice([cones[n][1][0], 0, -1, 10**6, None, True]))


def label(rng: random.Random, row: Row) -> None:
    key = rng.choice(["kind", "among", "version", "instance_sha256"])
    row[key] = rng.choice(["lower", "upper", "", 1, 3, None, "0" * 64])


FORGERIES: tuple[Callable[[random.Random, Row], None], ...] = (
    value,
    multiplier,
    coefficient,
    side,
    column,
    listing,
    cone,
    label,
)


def recomputed(proof: Row) -> Fraction | None:
    """Return the infimum of the Lagrangian, column by column; in doubles for cones."""
    sign = 1 if proof["sense"] == "minimize" else -1
    times = {i: sign * Fraction(text) for i, text in proof["multipliers"]}
    conic = {i for _, members in proof.get("cones", []) for i in members}
    total = sign * Fraction(proof["constant"])
    slope = [sign * Fraction(cost) for _, cost, _, _ in proof["columns"]]
    for i, y in times.items():
        _, low, up, terms = proof["rows"][i]
        end = low if y > 0 or i in conic else up
        if end is None and y:
            return None
        total += y * Fraction(end or 0)
        for j, text in terms:
            slope[j] -= y * Fraction(text)
    for kind, members in proof.get("cones", []):
        y = [times.get(i, Fraction(0)) for i in members]
        if kind == "second_order":
            if y[0] < 0 or sum(x * x for x in y[1:]) > y[0] ** 2:
                return None
        elif y[0] > 0 or (y[0] == 0 and min(y[1:]) < 0):
            return None
        elif y[0] < 0:
            low = float(-y[0]) * math.exp(min(700.0, float(y[1] / y[0]) - 1))
            if float(y[2]) < low * (1 - 1e-12):
                return None
    for d, (_, _, low, up) in zip(slope, proof["columns"], strict=True):
        end = low if d > 0 else up
        if d and end is None:
            return None
        total += d * Fraction(end or 0) if d else 0
    return sign * total


def same_program(row: Row, forged: Row) -> bool:
    one, other = row["multipliers"], forged["multipliers"]
    return all(one.get(part) == other.get(part) for part in one.keys() | other.keys() if part != "multipliers")


@pytest.mark.parametrize("id", IDS)
def test_no_accepted_forgery_proves_a_false_bound(id: str, tmp_path: Path) -> None:
    desk, rng, each, seen = Desk(tmp_path), random.Random(id), 16, Counter[str]()
    alike = [other for other in IDS if (other in CONES) == (id in CONES)]
    count = size(64, 64, 5000 // len(alike) + 16)
    for program, instance, row in honest(id):
        desk.put(instance)
        sign, best = 1 if row["kind"] == "lower" else -1, Fraction(row["value"])
        assert desk.refusals(instance, row) == ("", "")
        assert recomputed(row["multipliers"]) == Fraction(row["value"])
        for n in range(each):
            forge = FORGERIES[n % len(FORGERIES)]
            forged = copy.deepcopy(row)
            forge(rng, forged)
            if forged == row:
                continue
            seen["forged"] += 1
            first, second = desk.refusals(instance, forged)
            writes = re.search(WRITTEN, first)  # else it believes the listing, like the reader
            assert bool(first) == bool(second) or writes, (forge.__name__, first, second)
            seen["other rows"] += bool(writes)
            if not first:
                if id in bound.WRITERS or same_program(row, forged):
                    assert sign * (Fraction(forged["value"]) - best) <= NEAR * max(1, abs(best))
                seen["true of another listing"] += 1
                assert recomputed(forged["multipliers"]) == Fraction(forged["value"])
            write_json(tmp_path / "bound.json", forged)
            try:
                read_bound(tmp_path / "bound.json", instance, program).check(instance)
            except SchedproofError:
                continue
            assert recomputed(forged["multipliers"]) == Fraction(row["value"]) == Fraction(forged["value"])
            seen["another proof of the same"] += 1
        other_instance = instance_of(id.partition(".")[0], rng.randrange(10**6, 10**7))
        desk.put(other_instance)
        assert all("another instance" in words for words in desk.refusals(other_instance, row))
        if seen["forged"] >= count:
            break
    assert seen["forged"] >= count > 3 * seen["true of another listing"]
    print(f"{id}: {dict(seen)}")
    assert bool(seen["other rows"]) == (id in bound.WRITERS)


def fake(program: str, listing: Row, instance: Instance, **parameters: str) -> Row:
    """A file in which a constant of 10^9 is the bound."""
    row = {"version": 2, "program": program, "kind": "lower", "among": "", "parameters": parameters}
    empty = {"sense": "minimize", "constant": "1000000000", "columns": [["x", "1", "0", None]], "rows": []}
    listing = empty | {"multipliers": []} | listing
    return row | {"instance_sha256": instance.sha256, "value": "1000000000", "multipliers": listing}


def test_a_program_that_the_checker_does_not_write_is_proven_under_assumptions_alone(cli: Cli, tmp_path: Path) -> None:
    """Any constant is a bound of a listing with no rows; the certificate names a program all the same."""
    file, bound_file, instance = tmp_path / "ports.json", tmp_path / "bound.json", instance_of("multiserver", 1)
    write_object(file, instance.to_json())
    write_json(bound_file, fake("multiserver.stationary", {"columns": []}, instance))
    code, out, _ = cli("check-bound", file, bound_file)
    assert code == 1 and "the listed program has no columns" in out
    write_json(bound_file, fake("multiserver.stationary", {}, instance))
    unchecked = "the listed rows and columns are those of 'multiserver.stationary' for the instance"
    code, out, _ = cli("check-bound", file, bound_file)
    assert code == 0 and f"not checked: {unchecked}\n" in out
    assert out.startswith("proven if the assumptions below hold: ")
    found = json.loads(cli("check-bound", file, bound_file, "--json")[1])
    assert (found["proven"], found["assumptions"]) == ("under assumptions", [unchecked])


def test_a_fake_that_names_a_program_the_checker_writes_is_refused(cli: Cli, tmp_path: Path) -> None:
    day, file, words = (
        tmp_path / "day.json",
        tmp_path / "bound.json",
        {"cost": "half", "reading": "ceil_chunk", "speed": "1"},
    )
    write_json(day, sp.embedded("day").to_json())
    for parameters, listing, sentence in (
        ({}, {}, "expected the fields: cost reading speed"),
        (words, {"constant": "7"}, "certificate has another sense or constant than the program's"),
        (words, {"constant": "0"}, "the column 'x' differs from the program's"),
        (words | {"speed": "0"}, {"constant": "0"}, "parameters.speed: expected a number above 0"),
    ):
        write_json(file, fake("preemptive.lp4", listing, sp.embedded("day"), **parameters))
        code, out, _ = cli("check-bound", day, file)
        assert code == 1 and sentence in out
    honest = sp.bound(sp.program("preemptive.lp4"), sp.embedded("day"))
    write_bound(file, honest)
    found = json.loads(cli("check-bound", day, file, "--json")[1])
    assert (found["proven"], found["assumptions"]) == (True, [])
    row = json.loads(file.read_text())
    name, low, _, terms = row["multipliers"]["rows"][0]
    row["multipliers"]["rows"][0] = [name, str(Fraction(low) + 1), None, terms]
    write_json(file, row)
    code, out, _ = cli("check-bound", day, file)
    assert code == 1 and f"certificate's row '{name}' is no row of the program" in out


def first_row(proof: Row) -> Any:
    return next(row for row in proof["rows"] if len(row[3]) > 1)


def wrong_coefficient(proof: Row) -> None:
    first_row(proof)[3][0][1] = "1000000007/3"


def wrong_side(proof: Row) -> None:
    row = first_row(proof)
    row[1:3] = [side and str(Fraction(side) - Fraction(1, 10**30)) for side in row[1:3]]


def missing_term(proof: Row) -> None:
    first_row(proof)[3].pop()


def row_more(proof: Row) -> None:
    proof["rows"].append(["mine", "1", None, [[0, "1"], [1, "1"]]])


def wrong_cost(proof: Row) -> None:
    proof["columns"][0][1] = "7/3"


def wrong_end(proof: Row) -> None:
    proof["columns"][0][3] = "1/2"


def lost_column(proof: Row) -> None:
    proof["columns"].append(["mine", "0", "0", None])


def renamed_column(proof: Row) -> None:
    proof["columns"][0][0] += "_"


@pytest.mark.parametrize("id", bound.WRITERS)
def test_another_listing_of_a_program_the_checker_writes_is_refused(id: str, tmp_path: Path) -> None:
    """The bound of the other listing is claimed, so that its rows alone are wrong."""
    desk, refused = Desk(tmp_path), Counter[str]()
    for (_, instance, row), _ in zip(honest(id), range(size(3, 6, 50)), strict=False):
        desk.put(instance)
        assert desk.refusals(instance, row)[0] == ""
        changes = (wrong_coefficient, wrong_side, missing_term, row_more, wrong_cost, wrong_end, lost_column)
        for change in (*changes, renamed_column):
            forged = copy.deepcopy(row)
            change(forged["multipliers"])
            value = recomputed(forged["multipliers"])
            forged["value"] = str(value or 0)
            words = desk.refusals(instance, forged)[0]
            assert re.search(WRITTEN, words), (change.__name__, words)
            refused[change.__name__] += 1
    assert min(refused.values()) > 2


def test_an_optimum_needs_all_rows_and_integers_of_the_program(tmp_path: Path) -> None:
    cells = instance_of("jrp", 1)
    proof = sp.program("jrp.split").solve(cells, prove=True).proof
    assert proof is not None
    row = json.loads(encode(proof))
    desk = Desk(tmp_path)
    desk.put(cells)
    file, instance = str(tmp_path / "bound.json"), str(tmp_path / "instance.json")
    write_json(Path(file), row)
    assert bound.check(instance, file, most_steps=10**9)["assumptions"] == []
    for lost, sentence in (
        ("rows", "the program's row '.*' is not in the certificate"),
        ("integers", "the certificate lacks an integer column of the program"),
    ):
        fewer = copy.deepcopy(row)
        fewer["multipliers"][lost].pop()
        write_json(Path(file), fewer)
        with pytest.raises(bound.Refused, match=sentence):
            bound.check(instance, file, most_steps=10**9)
