from __future__ import annotations

import copy
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.catalogue import games
from schedproof.adversary.games import Strategy
from schedproof.check import game as checker
from schedproof.check.game import Refused, check
from schedproof.core.runtime.files import encode, write_json
from tests.command_line import Cli, told
from tests.support import size

SMALL: dict[str, dict[str, Any]] = {  # options of a game that is solved at once
    "bin_stretching": {"drop": 2},
    "dmlrs.offers": {"fits": 3, "values": range(3, 13)},
    "preemptive.arrivals": {},
    "multiserver.regret": {},
    "placement.starts": {},
}
File = dict[str, Any]


@cache
def solved(name: str) -> Strategy:
    return sp.game(name, **SMALL[name])


def strategy(name: str) -> str:
    return encode(solved(name).to_file()).decode()


def refusal(file: Any, folder: Path) -> str:
    """Return why a strategy is rejected; empty if it is accepted."""
    write_json(folder / "strategy.json", file)
    try:
        check(str(folder / "strategy.json"))
    except Refused as refused:
        return str(refused)
    return ""


def numbers(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if type(value) is int:
        return [place]
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, each in inside for found in numbers(each, (*place, key))]


def another_number(rng: random.Random, file: File) -> None:
    row = rng.choice(file["moves"])
    free = ("offer", "draws")  # another move may do as well
    *way, last = rng.choice([place for place in numbers(row) if place[0] not in free])
    for key in way:
        row = row[key]
    row[last] = max(0, row[last] + rng.choice((-1, 1))) if row[last] else 1


def one_less(rng: random.Random, file: File) -> None:
    del file["moves"][rng.randrange(len(file["moves"]))]


def one_twice(rng: random.Random, file: File) -> None:
    file["moves"].append(rng.choice(file["moves"]))


def another_order(rng: random.Random, file: File) -> None:
    file["moves"].insert(0, file["moves"].pop(rng.randrange(1, len(file["moves"]))))


def a_little_more(rng: random.Random, file: File) -> None:
    file["value"] = str(Fraction(file["value"]) + Fraction(1, rng.randrange(100, 10**9)))


def no_proof(rng: random.Random, file: File) -> None:
    if "draws" in file["moves"][0]:
        draw = rng.choice(rng.choice(file["moves"])["draws"])
        draw["probability"] = str(Fraction(draw["probability"]) * Fraction(rng.choice((-1, 3)), 2))
        return
    rows = [(row, key) for row in file["moves"] for key in ("packing", "schedule", "starts") if key in row]
    if not rows:  # the payoff needs no more than the position
        return another_number(rng, file)
    row, key = rng.choice(rows)
    if rng.random() < 0.5 or key == "starts":
        row[key] = row[key][1:]
    else:
        row[key] = [[item for held in row[key] for item in held]]


FORGERIES = (another_number, one_less, one_twice, another_order, a_little_more, no_proof)


def test_the_checker_knows_every_game() -> None:
    assert games().keys() == checker.GAMES.keys() == SMALL.keys()


@pytest.mark.parametrize("name", games())
def test_found_strategies_are_accepted(name: str, tmp_path: Path) -> None:
    (tmp_path / "strategy.json").write_text(strategy(name))
    found = solved(name)
    checked = check(str(tmp_path / "strategy.json"))
    assert (checked["game"], checked["value"], checked["positions"]) == (name, str(found.value), len(found.rows))


@pytest.mark.parametrize("name", games())
def test_changed_strategies_are_rejected(name: str, tmp_path: Path) -> None:
    honest: File = checker.read(_written(tmp_path, strategy(name)))
    rng = random.Random(name)
    for n in range(size(60, 60, 1000)):
        file, forge = copy.deepcopy(honest), FORGERIES[n % len(FORGERIES)]
        forge(rng, file)
        assert file != honest and refusal(file, tmp_path), (n, forge.__name__)


def _written(folder: Path, text: str) -> str:
    (folder / "honest.json").write_text(text)
    return str(folder / "honest.json")


def test_an_invalid_strategy_gives_a_message(tmp_path: Path) -> None:
    honest: File = checker.read(_written(tmp_path, strategy("bin_stretching")))
    for change, words in (
        ({"moves": []}, "expected at least one position, and each position once"),
        ({"moves": 3}, "malformed"),
        ({"game": "chess"}, "game: expected one of bin_stretching"),
        ({"game": []}, "game: expected one of bin_stretching"),
        ({"setting": {"bins": 10**9, "capacity": 14}}, "a whole number from 1 to 1000"),
        ({"setting": {"bins": 3}}, "expected the fields"),
        ({"value": "4.5"}, "a rational"),
        ({"moves": [{"loads": [0, 0], "items": [], "send": 4}]}, "a load for each bin"),
    ):
        assert words in refusal(honest | change, tmp_path)


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "strategy.json")
    small = ("bin_stretching", "--option", "bins=2", "--option", "capacity=3")
    assert told(cli("game", *small, "--out", file, "--json"))["value"] == "4/3"
    assert told(cli("check-game", file, "--json"))["value"] == "4/3"
    assert [page["id"] for page in told(cli("game", "--json"))["games"]] == list(games())
    assert "number of jobs that fill the machine" in cli("game")[1]
    shown = {row["id"]: row["kind"] for row in told(cli("show", "preemptive", "--json"))["shown"][-1]["rows"]}
    assert shown["preemptive.arrivals"] == "game"
    code, out, _ = cli("check-game", file)
    assert (code, out.splitlines()[-1]) == (0, "5 positions")
    assert cli("game", *small, "--above", "4/3")[0] == 3
    assert cli("game", "chess")[0] == cli("game", *small, "--above", "x")[0] == 2
    (tmp_path / "strategy.json").write_text((tmp_path / "strategy.json").read_text().replace("4/3", "5/3"))
    code, out, _ = cli("check-game", file)
    assert code == 1 and out.startswith("NOT proven: position")


def test_too_many_steps_or_digits_are_rejected(tmp_path: Path) -> None:
    row = {"slot": 0, "arrived": [], "left": [], "paid": 0, "arrive": [1] * 2000}
    jobs = {"version": 1, "game": "preemptive.arrivals", "setting": {"workers": 1000}, "value": "1/1", "moves": [row]}
    primes = [n for n in range(2, 9000) if all(n % k for k in range(2, int(n**0.5) + 1))]
    draws = [{"probability": f"1/{prime}", "comes": [1, 0]} for prime in primes]
    pools = [{"gain": "1", "capacity": "1", "demand": ["1", "1"]}]
    regret = jobs | {"game": "multiserver.regret", "setting": {"slots": 2, "pools": pools}}
    regret["moves"] = [{"slot": 0, "came": [0, 0], "draws": draws}]
    after = {"slot": 1, "arrived": [[0, 1]] * 2000, "left": [1] * 1000, "paid": 2000, "arrive": []}
    assert "takes more than" in refusal(jobs | {"moves": [row, after]}, tmp_path)
    assert "expected numbers of at most" in refusal(regret, tmp_path)
