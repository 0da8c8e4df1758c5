"""Forged certificates with their own program: an accepted one proves its value."""

from __future__ import annotations

import copy
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.program import Program
from schedproof.core.runtime.files import encode, write_json
from schedproof.core.simulation.instance import Instance
from tests.certificates import Desk, instance_of
from tests.command_line import Cli
from tests.linear_programs import program_of
from tests.support import size

IDS = (
    "preemptive.ilp4",
    "dmlrs.rdmlrs",
    "jrp.split",
    "jrp.conic",
    "jrp.exact",
    "placement.exact",
    "multiserver.stationary",
)
Row = dict[str, Any]


def honest(id: str) -> Iterator[tuple[Program, Instance, Row]]:
    for seed in range(10**6):
        instance = instance_of(id.partition(".")[0], seed)
        program = program_of(id, instance)
        try:
            row = sp.bound(program, instance).to_file()
        except SchedproofError:
            continue
        if row["multipliers"]["multipliers"] and len(row["multipliers"]["columns"]) <= size(400, 400, 10**5):
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


@pytest.mark.parametrize("id", IDS)
def test_no_accepted_forgery_proves_a_false_bound(id: str, tmp_path: Path) -> None:
    desk, rng, each, seen = Desk(tmp_path), random.Random(id), 16, Counter[str]()
    count = size(64, 64, 5008 // len(IDS) + 16)
    for program, instance, row in honest(id):
        desk.put(instance)
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
            assert bool(first) == bool(second), (forge.__name__, first, second)
            if not first:  # of the program as it is listed then
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


def test_a_listing_that_names_a_program_is_proven_under_assumptions_alone(cli: Cli, tmp_path: Path) -> None:
    """Any constant is a bound of a listing with no rows; the certificate names `preemptive.lp4` all the same."""
    day, file = tmp_path / "day.json", tmp_path / "bound.json"
    write_json(day, sp.embedded("day").to_json())
    listing = {"sense": "minimize", "constant": "1000000000", "columns": [], "rows": [], "multipliers": []}
    row = {"version": 2, "program": "preemptive.lp4", "kind": "lower", "among": "", "parameters": {}}
    row |= {"instance_sha256": sp.embedded("day").sha256, "value": "1000000000", "multipliers": listing}
    file.write_text(json.dumps(row))
    code, out, _ = cli("check-bound", day, file)
    assert code == 1 and "the listed program has no columns" in out
    listing["columns"] = [["x", "1", "0", None]]
    file.write_text(json.dumps(row))
    unchecked = "the listed rows and columns are those of 'preemptive.lp4' for the instance"
    code, out, _ = cli("check-bound", day, file)
    assert (
        code == 0 and out.startswith("proven if the assumptions below hold: ") and f"not checked: {unchecked}\n" in out
    )
    found = json.loads(cli("check-bound", day, file, "--json")[1])
    assert (found["proven"], found["assumptions"]) == ("under assumptions", [unchecked])
    write_bound(file, sp.bound("preemptive.lp4", sp.embedded("day")))
    found = json.loads(cli("check-bound", day, file, "--json")[1])
    assert (found["proven"], found["assumptions"]) == (True, [])
