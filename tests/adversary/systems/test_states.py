"""States, requests and numbers of systems: equal values, sizes, and limits."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import schedproof as sp
from schedproof.adversary.systems import graph
from schedproof.adversary.walks.trials import TRIALS
from schedproof.core.data.store import Store
from schedproof.core.errors import InputError, NoSolution
from schedproof.core.runtime import deadline
from schedproof.core.runtime.provenance import code
from tests.command_line import Cli
from tests.tiny import systems as tiny


class Left(NamedTuple):
    place: int


class Right(NamedTuple):
    place: int


@pytest.mark.parametrize(
    ("first", "second"), [(1, True), (Fraction(1), 1), (0, False), (Left(1), Right(1)), ((1,), Left(1))]
)
def test_equal_states_and_requests_of_different_types_differ(first: Any, second: Any) -> None:
    assert first == second
    proof = sp.prove(tiny.Two(first, second))
    assert proof.exact == 3
    assert len(proof.graph.others) == 2


class Changed(tiny.SkiRental):
    """Ski rental with one method that returns something else."""

    def __init__(self, method: str, given: Any) -> None:
        super().__init__(2)
        setattr(self, method, lambda *_: given)


class Number(int):
    pass


class Labelled(tuple[int, ...]):
    """A tuple with attributes, which its text does not show."""


@pytest.mark.parametrize(
    ("method", "given", "sentence"),
    [
        ("requests", ["day", ["night"]], "expected numbers, texts, tuples and frozensets"),
        ("requests", None, "expected a list of requests"),
        ("requests", "day", "expected a list of requests"),
        ("requests", count(), "returned more than 1000000 entries"),
        ("moves", (("rent", n) for n in count()), "returned more than 1000000 entries"),
        ("moves", None, r"expected a list of \(next state, cost\)"),
        ("moves", [("rent", np.int64(1))], "expected an exact number"),
        ("moves", [("rent", 10**2000)], "a number has more than 1000 digits"),
        ("moves", [], "`requests` or `moves` returned none"),
        ("requests", [], "`requests` or `moves` returned none at the start"),
        ("start", Number(1), "expected numbers"),
        ("start", Labelled(()), "expected numbers"),
        ("start", 0.0, "expected numbers"),
        ("start", 10**2000, "a state has a number of more than 1000 digits"),
        ("answer", [], "add up to 1, got the sum 0"),
    ],
)
def test_a_wrong_part_is_refused_in_a_sentence(method: str, given: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        sp.prove(Changed(method, given))


def test_sums_of_numpy_integers_do_not_overflow() -> None:
    huge = Fraction(np.int64(2**62))
    system = Changed("answer", (0, 3 * 2**62))
    system.moves = lambda offline, request: [(offline, huge)]  # type: ignore[method-assign,assignment,return-value]
    assert sp.prove(system).exact == 3


class Growing(tiny.SkiRental):
    """An algorithm that remembers the past without end."""

    def answer(self, state: Any, request: str) -> Any:
        return self.grown(state), 1

    def grown(self, state: Any) -> Any:
        return state + 1


def test_the_limit_on_states_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph.Graph.__init__, "__defaults__", (100,))
    with pytest.raises(InputError, match="Growing has more than 100 states, the limit"):
        sp.prove(Growing())


def test_the_time_limit_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "grace", lambda _: 0.0)
    with pytest.raises(NoSolution, match=r"the time limit of 0\.1 s was reached before all states were listed"):
        sp.prove(Growing(), time_limit=0.1)


def test_deep_states_are_refused() -> None:
    class Nested(Growing):
        def grown(self, state: Any) -> Any:
            return (state,)

    with pytest.raises(InputError, match="nested too deeply"):
        sp.prove(Nested())


def test_endlessly_many_beliefs_are_refused() -> None:
    class Coin(Growing):
        def answer(self, state: Any, request: str) -> Any:
            return [(Fraction(1, 2), "bought", 1), (Fraction(1, 2), state, 1)]

    with pytest.raises(InputError, match="infinitely many distributions"):
        sp.prove(Coin())


def test_a_request_without_a_move_cannot_come() -> None:
    class Once(tiny.SkiRental):
        constant = False

        def requests(self, offline: Any) -> list[str]:
            return ["day", "night"]

        def moves(self, offline: Any, request: str) -> list[tuple[Any, int]]:
            return super().moves(offline, request) if request == "day" else []

    assert sp.prove(Once()).exact == sp.prove(tiny.SkiRental()).exact


def test_a_system_made_in_python_keeps_its_arguments(tmp_path: Path, cli: Any) -> None:
    certificate = tmp_path / "proof.json"
    sp.prove(tiny.LRU(3, 4)).write(certificate)
    code, out, _ = cli("check-ratio", f"{tiny.__file__}:LRU", certificate)
    assert code == 0
    assert "the competitive ratio of LRU (k=3, n=4) is 3" in out


def test_the_potential_proves_the_inequality() -> None:
    proof = sp.prove(tiny.DoubleCoverage(5))
    values = {(belief[0][0], offline): value for belief, offline, value in proof.potential}
    assert min(values.values()) == 0
    assert sp.check_potential(tiny.DoubleCoverage(5), lambda *pair: values[pair], 2).holds
    assert proof.inequality.startswith("cost <= 2 * optimum")


class Believed(tiny.DoubleCoverage):
    """Double coverage with the textbook potential."""

    factor = 2

    def potential(self, state: Any, offline: Any) -> Fraction:
        apart = sum(abs(x - y) for i, x in enumerate(state) for y in state[:i])
        return self.factor * sum(abs(x - y) for x, y in zip(state, offline, strict=True)) + apart


class Doubted(Believed):
    factor = 1


@pytest.mark.parametrize(
    ("system", "sentence"), [(Believed(), "the potential proves the ratio 2"), (Doubted(), "violated by")]
)
def test_the_potential_of_a_class_is_checked(system: sp.System, sentence: str) -> None:
    assert sentence in [*sp.prove(system).lines()][-1]


def test_a_failing_potential_is_refused_in_a_sentence() -> None:
    def broken(state: Any, offline: Any) -> int:
        raise KeyError(state)

    with pytest.raises(InputError, match=r"potential\(.*KeyError"):
        sp.check_potential(tiny.LRU(), broken, 2)
    with pytest.raises(InputError, match="ratio=snow: expected a number"):
        sp.check_potential(tiny.LRU(), broken, "snow")


def test_an_interrupted_search_keeps_its_ratio() -> None:
    def stop(message: str, done: float | None = None) -> None:
        if " at least " in message:
            raise KeyboardInterrupt

    with pytest.raises(deadline.Interrupted) as early:
        sp.prove(tiny.LRU(), progress=stop)
    assert early.value.best.exact is None
    assert early.value.best.least > 0
    assert "the search ended early" in "".join(early.value.best.lines())


def test_a_store_resumes_the_search_of_a_system(tmp_path: Path) -> None:
    whole, store = sp.prove(tiny.Marking(3, 4)), tmp_path / "trials.sqlite"
    messages: list[str] = []

    def stop(message: str, done: float | None = None) -> None:
        messages.append(message)
        if " at least " in message:
            raise KeyboardInterrupt

    for finished in range(2):
        messages.clear()
        with pytest.raises(deadline.Interrupted):
            sp.prove(tiny.Marking(3, 4), store=store, progress=stop)
        assert any("in round" in message for message in messages) == (not finished)
    assert sp.prove(tiny.Marking(3, 4), store=store).to_file() == whole.to_file()


def steps() -> Iterator[str]:
    yield "day"


def test_requests_may_be_a_generator() -> None:
    class Lazy(tiny.SkiRental):
        def requests(self, offline: Any) -> Any:
            yield from steps()

    assert sp.prove(Lazy()).exact == Fraction(7, 4)


class Gain(tiny.SkiRental):
    gain = True


class Postion(tiny.SkiRental):
    def postion(self, state: Any) -> Any:
        return state


class Text(tiny.SkiRental):
    gains: Any = "no"


@pytest.mark.parametrize(
    ("system", "sentence"),
    [
        (Gain, "Gain.gain is no setting; did you mean gains"),
        (Postion, "Postion.postion is no setting; did you mean position"),
        (Text, "Text.gains: expected True or False, got 'no'"),
    ],
)
def test_a_misspelt_or_wrong_setting_is_refused(system: type[Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        sp.prove(system())


RENT = """import schedproof as sp
from price_of import PRICE


class Rent(sp.System):
    def __init__(self, more=0):
        self.price = PRICE + more

    def start(self):
        return 0

    def offline(self):
        return "no skis"

    def requests(self, offline):
        return ["day"] if offline == "no skis" else ["day", "summer"]

    def answer(self, state, request):
        if request == "summer":
            return 0, 0
        return ("skis", 0) if state == "skis" else (state + 1, 1) if state < self.price - 1 else ("skis", self.price)

    def moves(self, offline, request):
        if request == "summer":
            return [("no skis", 0)]
        return [("skis", 0)] if offline == "skis" else [("no skis", 1), ("skis", self.price)]
"""


def test_a_changed_file_or_option_gives_no_stale_ratio(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def prove(*words: object) -> str:
        for name in ("rent_of", "price_of"):
            sys.modules.pop(name, None)
        code.cache_clear()
        ended, told, error = cli("prove", f"{tmp_path / 'rent_of.py'}:Rent", "--json", *words)
        assert (ended, error) == (0, "")
        return told

    told = set()
    changes: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        (RENT, "PRICE = 4", ()),
        (RENT, "PRICE = 4", ("--option", "more=1")),
        (RENT, "PRICE = 6", ()),
        (RENT.replace("more=0", "more=3"), "PRICE = 6", ()),
    )
    for text, price, words in changes:
        (tmp_path / "rent_of.py").write_text(text)
        (tmp_path / "price_of.py").write_text(price)
        told.add(prove(*words, "--store", tmp_path / "trials.sqlite"))
        assert prove(*words) in told
    assert len(told) == len(changes)
    with Store(TRIALS, tmp_path / "trials.sqlite") as store:
        kept = len(store.rows)
        prove(*words, "--store", tmp_path / "trials.sqlite")
        assert len(store.rows) == kept
