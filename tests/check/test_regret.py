from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.check import regret as checker
from schedproof.check.regret import Refused, at_least, at_most, check, complete, semidefinite, squares
from schedproof.core.runtime.files import encode
from tests.support import size

UNIT = 1 << checker.UNIT
GAMES: tuple[dict[str, Any], ...] = (
    {"step": "constant", "slots": 4},
    {"step": "constant", "slots": 3, "initial": "7/3"},
    {"step": "decayed", "slots": 5},
    {"step": "anytime", "slots": 5},
    {"step": "printed53", "slots": 4},
)
Forgery = Callable[[random.Random, dict[str, Any]], None]


@cache
def honest(game: int) -> str:
    return encode(sp.worst_regret("multiserver", **GAMES[game]).to_file()).decode()


def refusal(row: Any, folder: Path) -> str:
    file = folder / "certificate.json"
    file.write_bytes(encode(row))
    try:
        check(str(file))
    except Refused as refused:
        return str(refused)
    return ""


# --- whatever may be changed ------------------------------------------------------------------------------------------


def another_claim(rng: random.Random, row: dict[str, Any]) -> None:
    side = rng.choice(("lower", "upper"))
    row[side] = str(Fraction(row[side]) + rng.choice((-1, 1)) * Fraction(1, rng.choice((1 << 64, 10**6, 3))))


def another_step(rng: random.Random, row: dict[str, Any]) -> None:
    row["step"] = rng.choice([step for step in checker.STEPS if step != row["step"]] + ["", "largest"])


def other_slots(rng: random.Random, row: dict[str, Any]) -> None:
    row["slots"] += rng.choice((-1, 1, 100, 0.5))


def other_options(rng: random.Random, row: dict[str, Any]) -> None:
    row["options"] = rng.choice(({"initial": "5/2"}, {"initial": "0"}, {"decay": "1"}, {"initial": "1", "decay": "2"}))


def another_multiplier(rng: random.Random, row: dict[str, Any]) -> None:
    """Change a positive multiplier slightly, or set it to a large value or 0."""
    proof = rng.choice(row["proofs"])
    name = rng.choice(("moves", "distances", "projections"))
    place = rng.randrange(len(proof[name]))
    if name == "projections":
        proof[name][place] = rng.choice((-1 - proof[name][place], proof[name][place] + UNIT))
    else:
        proof[name][place] += rng.choice((-1, 1)) * rng.choice((1 << 20, UNIT // 8, UNIT))


def no_projection(rng: random.Random, row: dict[str, Any]) -> None:
    for proof in row["proofs"]:
        proof["projections"] = [0 for _ in proof["projections"]]


def another_place(rng: random.Random, row: dict[str, Any]) -> None:
    rows = row["points"][1:] if (points := rng.random() < 0.5) else row["moves"]
    chosen = rng.choice(rows)
    place = max(range(len(chosen)), key=lambda n: abs(chosen[n])) if not points else 0
    chosen[place] += rng.choice((-1, 1)) * rng.choice((1 << 30, UNIT // 64, UNIT // 4))


def all_larger(rng: random.Random, row: dict[str, Any]) -> None:
    factor = rng.choice((2, 3, -1))
    for points in row["points"]:
        points[:] = [factor * x for x in points]


def another_order(rng: random.Random, row: dict[str, Any]) -> None:
    name = rng.choice(("points", "moves"))
    row[name] = row[name][::-1]


def other_slots_paid(rng: random.Random, row: dict[str, Any]) -> None:
    place = rng.randrange(row["slots"])
    row["paid"] = row["paid"][:place] + ("0" if row["paid"][place] == "1" else "1") + row["paid"][place + 1 :]


def a_case_less(rng: random.Random, row: dict[str, Any]) -> None:
    row["proofs"].remove(rng.choice(row["proofs"]))


def a_case_twice(rng: random.Random, row: dict[str, Any]) -> None:
    row["proofs"].append(copy.deepcopy(rng.choice(row["proofs"])))


def another_case(rng: random.Random, row: dict[str, Any]) -> None:
    proof = rng.choice(row["proofs"])
    proof["paid"] = proof["paid"][::-1] if proof["paid"] != proof["paid"][::-1] else "0" * row["slots"]


def another_shape(rng: random.Random, row: dict[str, Any]) -> None:
    proof = rng.choice(row["proofs"])
    proof[rng.choice(("moves", "distances", "projections"))].append(0)


def no_integer(rng: random.Random, row: dict[str, Any]) -> None:
    rng.choice(row["moves"])[0] = rng.choice((0.5, "1", None, [1], True, 1 << 200))


def another_field(rng: random.Random, row: dict[str, Any]) -> None:
    if rng.random() < 0.5:
        row["version"] = rng.choice((0, 2, "1", None))
    else:
        row.pop(rng.choice(list(row)))


FORGERIES: tuple[Forgery, ...] = (
    *(another_claim, another_step, other_slots, other_options, another_multiplier, no_projection, another_place),
    *(all_larger, another_order, other_slots_paid, a_case_less, a_case_twice, another_case, another_shape, no_integer),
    another_field,
)


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_valid_proofs_are_accepted(game: int, tmp_path: Path) -> None:
    assert refusal(json.loads(honest(game)), tmp_path) == ""


def test_changed_strategies_are_rejected(tmp_path: Path) -> None:
    for n in range(size(100, 200, 1000)):
        rng, forge, game = random.Random(n), FORGERIES[n % len(FORGERIES)], n // len(FORGERIES) % len(GAMES)
        row = json.loads(honest(game))
        forge(rng, row)
        why = refusal(row, tmp_path)
        assert why and "\n" not in why and len(why) < 300, (n, forge.__name__, GAMES[game], why)


def test_every_kind_of_change_has_its_own_message(tmp_path: Path) -> None:
    said = set()
    for n, forge in enumerate(FORGERIES):
        for game in range(len(GAMES)):
            row = json.loads(honest(game))
            forge(random.Random(n), row)
            said.add(refusal(row, tmp_path).split(",")[0][:30])
    for words in (
        "the multipliers prove at",
        "the multipliers of",
        "proofs: expected each choice o",
        "the move of slot",
        "a point is farther",
    ):
        assert any(found.startswith(words) for found in said), (words, said)


def test_invalid_json_gives_a_message(tmp_path: Path) -> None:
    for text in ("", "[]", "{", "7", '{"version": 1}'):
        (tmp_path / "certificate.json").write_text(text)
        with pytest.raises(Refused):
            check(str(tmp_path / "certificate.json"))


# --- its parts, on what can be told by hand ---------------------------------------------------------------------------


def test_semidefinite_agrees_with_eigenvalues() -> None:
    rng = np.random.default_rng(0)
    for n in range(size(100, 300, 3000)):
        factor = rng.integers(-3, 4, (rng.integers(1, 7), rng.integers(1, 7)))
        form = factor @ factor.T  # of any rank
        assert semidefinite(form.tolist())
        place, off = rng.integers(len(form), size=2), int(rng.integers(1, 5)) * (-1) ** n
        form[place[0], place[1]] += off
        form[place[1], place[0]] += off * (place[0] != place[1])
        least = np.linalg.eigvalsh(form)[0]
        if abs(least) > 1e-9:
            assert semidefinite(form.tolist()) == (least > 0), form


def test_a_regret_by_hand() -> None:
    # On [0, 1] with a step of 1/2: the best point is 1, and the ascent is at 0, 1/2: 1 + 1/2.
    half = UNIT // 2
    lengths = squares("constant", 2, {"initial": Fraction(1, 2)})
    assert lengths == [Fraction(1, 4)] * 2
    points, moves = [[0], [half], [UNIT]], [[half], [half]]
    assert at_least(lengths, "11", points, moves) == Fraction(3, 2)
    assert at_least(lengths, "10", points, moves) == 1
    with pytest.raises(Refused, match="not the nearest"):
        at_least(lengths, "11", [[0], [half + 1], [UNIT]], moves)
    with pytest.raises(Refused, match="longer than its step"):
        at_least(lengths, "11", points, [[half], [half + 1]])
    with pytest.raises(Refused, match="farther than D"):
        at_least(lengths, "11", [[0], [half], [UNIT + 1]], moves)


def test_a_proof_by_hand() -> None:
    # One slot with a step of 1: |g (y - y(1))| is at most |g|^2/2 + |y - y(1)|^2/2, which is 1.
    half, one = UNIT // 2, [Fraction(1)]
    with pytest.raises(Refused, match="semidefinite"):  # 1/eta is rounded up
        at_most(one, "1", [half], [half], [])
    assert 0 < at_most(one, "1", [half + 1], [half], []) - 1 < Fraction(1, 1 << 40)
    assert at_most(one, "0", [0], [0], []) < Fraction(1, 1 << 60)
    with pytest.raises(Refused, match=">= 0"):
        at_most(one, "0", [-1], [0], [])


def test_cases_are_complete_or_not() -> None:
    assert complete(["??"], 2) and complete(["1?", "00", "01"], 2)
    for patterns in (
        [],
        ["1?"],
        ["1?", "0?", "01"],
        ["?1", "?0"],
        ["1?", "00"],
        ["1?", "0"],
        ["1?", "1?"],
        ["2?", "0?"],
    ):
        assert not complete(patterns, 2), patterns


def test_too_large_inputs_are_rejected_with_their_size(tmp_path: Path) -> None:
    row = json.loads(honest(4))
    many = row | {"slots": 20, "paid": "1" * 20, "proofs": row["proofs"][:1] * 33}
    assert refusal(many, tmp_path) == "33 proofs of 20 slots are too many to check"
    wide = row | {"points": [[0] * 101] * 5, "moves": [[0] * 101] * 4}
    assert refusal(wide, tmp_path) == "points: expected at most 100 coordinates"
    long = row | {"step": "constant", "options": {"initial": "1/" + "3" * 99}}
    assert refusal(long, tmp_path) == "options: expected at most 100 digits"
