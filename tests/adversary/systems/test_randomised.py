"""The best randomised algorithm of a finite game: known values, certificates, refusals."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.systems import randomised
from schedproof.check.ratio import Refused, check, lines
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import encode
from tests.check.test_system import changed
from tests.support import size
from tests.tiny import random_games as tiny

SOURCE = str(tiny.__file__)
KNOWN = [
    (tiny.Rent(2), Fraction(4, 3)),
    (tiny.Rent(3), Fraction(27, 19)),
    (tiny.Rent(5), 1 / (1 - Fraction(4, 5) ** 5)),
    (tiny.Rent(10), 1 / (1 - Fraction(9, 10) ** 10)),
    (tiny.Makespan(), Fraction(4, 3)),
    (tiny.Trade(), Fraction(4, 7)),
]
each_known = pytest.mark.parametrize(("game", "value"), KNOWN)


@each_known
def test_the_value_is_the_known_one(game: Any, value: Fraction) -> None:
    assert sp.best_randomised(game).exact == value


def payoffs(game: Any, word: tuple[Any, ...], rows: dict[Any, Any]) -> Fraction:
    """The algorithm's expected payoff after a sequence of moves, by forward enumeration."""
    states = {game.start(): Fraction(1)}
    for n, move in enumerate(word):
        after: dict[Any, Fraction] = {}
        for state, weight in states.items():
            for then, p in rows[tuple(map(repr, word[:n])), state, repr(move)]:
                after[then] = after.get(then, Fraction(0)) + weight * p
        states = after
    return sum((weight * game.payoff(state) for state, weight in states.items()), Fraction(0))


@each_known
def test_the_algorithm_guarantees_the_value_on_every_sequence(game: Any, value: Fraction) -> None:
    found = sp.best_randomised(game)
    rows = {(word, state, move): after for word, state, move, after in found.algorithm}
    moves, longest = game.moves(game.start()), max(map(len, found.tree.words))
    words = [word for length in range(1, longest + 1) for word in product(moves, repeat=length)]
    assert (min if getattr(game, "gains", False) else max)(payoffs(game, word, rows) for word in words) == value


@each_known
def test_a_certificate_is_checked_from_the_source(game: Any, value: Fraction, tmp_path: Path) -> None:
    sp.best_randomised(game).write(tmp_path / "proof.json")
    result = check(f"{SOURCE}:{type(game).__name__}", str(tmp_path / "proof.json"))
    assert result["at_least"] == result["at_most"] == str(value)
    assert "the best expected payoff of a randomised algorithm" in lines(result)[0]


def test_the_commands_find_and_check(tmp_path: Path, cli: Any) -> None:
    certificate, name = tmp_path / "proof.json", f"{SOURCE}:Rent"
    code, out, _ = cli("best-ratio", name, "--option", "price=3", "--certificate", certificate)
    assert code == 0
    assert "a randomised algorithm in Rent (price=3) is 27/19" in out
    code, out, _ = cli("check-ratio", name, certificate)
    assert code == 0
    assert "proven: the best expected payoff of a randomised algorithm in Rent (price=3) is 27/19" in out
    code, out, _ = cli("check-ratio", f"{SOURCE}:Trade", certificate)
    assert code == 1
    assert "NOT proven" in out
    code, _, err = cli("best-ratio", name, "--store", tmp_path / "store.sqlite")
    assert code == 2
    assert "--store: not for a game" in err


@pytest.mark.parametrize("name", ["Rent", "Makespan", "Trade"])
def test_no_changed_certificate_proves_a_false_value(name: str, tmp_path: Path) -> None:
    found = sp.best_randomised(getattr(tiny, name)())
    rng, original = random.Random(name), found.to_file()
    path = tmp_path / "proof.json"
    refused = 0
    for _ in range(size(100, 120, 5000)):
        file = json.loads(encode(original))
        for _ in range(rng.randrange(1, 4)):
            file = changed(rng, file)
        path.write_bytes(encode(file))
        try:
            result = check(f"{SOURCE}:{name}", str(path))
        except Refused:
            refused += 1
            continue
        value = sp.best_randomised(getattr(tiny, name)(**{k: int(v) for k, v in file["options"].items()})).exact
        assert value is not None
        assert Fraction(result["at_least"]) <= value <= Fraction(result["at_most"]), file
    print(f"{name}: {refused} refused, all others true")
    assert refused > 0


@pytest.mark.parametrize(("field", "value"), [("at_most", "5/4"), ("at_least", "3/2")])
def test_a_better_value_is_refused(field: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(encode(sp.best_randomised(tiny.Rent()).to_file() | {field: value}))
    with pytest.raises(Refused, match="the value is proven to be at"):
        check(f"{SOURCE}:Rent", str(path))


def test_moves_that_depend_on_the_state_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="after the moves 2 the adversary's moves depend on the algorithm's state"):
        sp.best_randomised(tiny.Missing())
    first = [[], "(0, {0, 1}, 0)", "2", [["(1, {0, 2}, 1)", "1/2"], ["(1, {1, 2}, 1)", "1/2"]]]
    file = sp.best_randomised(tiny.Rent()).to_file() | {"game": "Missing", "options": {}, "algorithm": [first]}
    path = tmp_path / "proof.json"
    path.write_bytes(encode(file))
    with pytest.raises(Refused, match="the moves depend on the state of the algorithm"):
        check(f"{SOURCE}:Missing", str(path))


def test_a_large_game_is_enclosed_between_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(randomised, "settle", lambda *_: None)
    monkeypatch.setattr(randomised, "FINEST", 100)
    found = sp.best_randomised(tiny.Rent(5))
    assert found.exact is None
    assert found.least < 1 / (1 - Fraction(4, 5) ** 5) < found.most
    assert found.most - found.least < Fraction(1, 10)


class Wrong(tiny.Rent):
    def __init__(self, method: str, given: Any) -> None:
        super().__init__()
        setattr(self, method, lambda *_: given)


@pytest.mark.parametrize(
    ("method", "given", "sentence"),
    [
        ("moves", [], "the adversary has no move"),
        ("moves", None, "expected a list of moves"),
        ("payoff", None, "may never stop"),
        ("payoff", 0.5, "an integer or a Fraction, got 0.5"),
        ("answers", [], "expected at least one answer"),
        ("answers", [0.5], "expected numbers"),
    ],
)
def test_a_wrong_part_is_refused_in_a_sentence(method: str, given: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        sp.best_randomised(Wrong(method, given))


def test_another_object_is_no_game() -> None:
    with pytest.raises(InputError, match="is no game: expected the method start"):
        sp.best_randomised(object())
