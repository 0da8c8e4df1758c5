"""Exact ratios of small systems: the known values, and every short sequence."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.systems.graph import Graph
from schedproof.adversary.systems.proof import prove_system_in
from schedproof.adversary.systems.system import Asked
from schedproof.check.ratio import check
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.runtime.context import Context
from tests.support import size
from tests.tiny import systems as tiny

KNOWN = [
    (tiny.LRU(2, 3), 2),
    (tiny.LRU(3, 4), 3),
    (tiny.FIFO(2, 3), 2),
    (tiny.FIFO(3, 4), 3),
    (tiny.Marking(2, 3), Fraction(3, 2)),
    (tiny.Marking(3, 4), Fraction(11, 6)),
    (tiny.Marking(4, 5), Fraction(25, 12)),
    (tiny.Marking(2, 4), 2),
    (tiny.Marking(2, 5), 2),
    (tiny.Marking(3, 5), Fraction(8, 3)),
    (tiny.MoveToFront(2), Fraction(4, 3)),
    (tiny.MoveToFront(3), Fraction(3, 2)),
    (tiny.MoveToFront(4), Fraction(8, 5)),
    (tiny.DoubleCoverage(3), 2),
    (tiny.DoubleCoverage(5), 2),
    (tiny.DoubleCoverage(5, 3), 3),
    (tiny.SkiRental(2), Fraction(3, 2)),
    (tiny.SkiRental(4), Fraction(7, 4)),
    (tiny.SkiRental(6), Fraction(11, 6)),
    (tiny.RandomisedSkiRental(2), Fraction(4, 3)),
    (tiny.RandomisedSkiRental(4), Fraction(256, 175)),
    (tiny.RandomisedSkiRental(6), Fraction(46656, 31031)),
    (tiny.Reserve(), 4),
]
IDS = [f"{type(system).__name__}-{'-'.join(map(str, vars(system).values()))}" for system, _ in KNOWN]
each_known = pytest.mark.parametrize(("system", "ratio"), KNOWN, ids=IDS)


@each_known
def test_the_ratio_is_the_known_value(system: sp.System, ratio: Fraction) -> None:
    proof = sp.prove(system)
    assert proof.exact == ratio
    own, other = (sum(step[n] for step in proof.walk) for n in (2, 3))
    assert (other / own if system.gains else own / other) == ratio


def costs(system: Any, requests: tuple[Any, ...]) -> tuple[Fraction, Fraction]:
    """The algorithm's expected cost and the offline optimum of a sequence, by forward enumeration."""
    beliefs, cost = {system.start(): Fraction(1)}, Fraction(0)
    offline = {system.offline(): Fraction(0)}
    best = max if system.gains else min
    for request in requests:
        after: defaultdict[Any, Fraction] = defaultdict(Fraction)
        for state, weight in beliefs.items():
            given = system.answer(state, request)
            for p, then, paid in [(1, *given)] if isinstance(given, tuple) else given:
                if p:
                    after[then] += weight * p
                    cost += weight * p * paid
        beliefs, before = after, offline
        offline = {}
        for state, paid in before.items():
            for then, more in system.moves(state, request):
                offline[then] = best(offline.get(then, paid + more), paid + more)
    return cost, best(offline.values())


@each_known
def test_no_short_sequence_has_a_larger_ratio(system: sp.System, ratio: Fraction) -> None:
    requests = list(system.requests(system.offline()))
    slack = Fraction(0)
    if system.constant:
        slack = sp.prove(system).potential[0][2]
    length = {1: 12, 2: 7}.get(len(requests), size(4, 4, 6))
    for word in product(requests, repeat=length):
        cost, optimum = costs(system, word)
        large, small = (optimum, cost) if system.gains else (cost, optimum)
        assert large <= ratio * small + slack


def test_an_algorithm_that_never_serves_is_not_competitive() -> None:
    class Idle(tiny.SkiRental):
        def answer(self, state: Any, request: str) -> Any:
            return state, 1

    proof = sp.prove(Idle(3))
    assert proof.exact is None
    assert proof.least == inf
    assert "is infinite" in proof.sentence


def test_a_certificate_is_checked_from_the_source(tmp_path: Path, cli: Any) -> None:
    source, certificate = Path(tiny.__file__), tmp_path / "proof.json"
    code, out, _ = cli("prove", f"{source}:Marking", "--option", "k=2", "--option", "n=4", "--certificate", certificate)
    assert code == 0
    assert "is 2, up to an additive constant" in out
    code, out, _ = cli("check-ratio", f"{source}:Marking", certificate)
    assert code == 0
    assert "proven: the competitive ratio of Marking (k=2, n=4) is 2, up to an additive constant" in out
    code, out, _ = cli("check-ratio", f"{source}:LRU", certificate)
    assert code == 1
    assert "NOT proven: the certificate is for another system" in out


class Wrong(tiny.SkiRental):
    def __init__(self, given: Any) -> None:
        super().__init__(2)
        self.given = given

    def answer(self, state: Any, request: str) -> Any:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (0, r"expected \(next state, cost\), or a list of"),
        ((0, 0.5), "expected an exact number, an integer or a Fraction, got 0.5 of type float"),
        ([(1, 0, 0.5)], r"expected an exact number, an integer or a Fraction, got 0.5"),
        ((0, -1), "expected a number >= 0, got -1"),
        ([(Fraction(1, 2), 0, 1)], "expected probabilities >= 0 that add up to 1, got the sum 1/2"),
        (([1], 1), r"Wrong.start or answer returned \[1\]: expected numbers, texts, .* got \[1\] of type list"),
        (KeyError("snow"), r"Wrong.answer\(0, 'day'\): KeyError: 'snow' \(test_proof.py, line"),
    ],
)
def test_a_wrong_answer_is_refused_in_a_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        sp.prove(Wrong(given))


def test_the_requests_of_a_randomised_algorithm_do_not_look_at_its_state() -> None:
    class Peeking(tiny.Marking):
        def requests(self, offline: Any, state: Any = None) -> range:
            return range(self.n)

    with pytest.raises(InputError, match="an oblivious adversary does not see the state"):
        sp.prove(Peeking())


@pytest.mark.parametrize("given", [tiny.LRU, object()])
def test_another_object_is_no_system(given: Any) -> None:
    with pytest.raises(SchedproofError, match="is no system: expected"):
        sp.prove(given)


def test_a_textbook_potential_holds_at_k_and_not_below() -> None:
    def potential(state: Any, offline: Any) -> Fraction:
        apart = sum(abs(x - y) for i, x in enumerate(state) for y in state[:i])
        return 2 * sum(abs(x - y) for x, y in zip(state, sorted(offline), strict=True)) + apart

    system = tiny.DoubleCoverage(5)
    assert sp.check_potential(system, potential, 2).holds
    failed = sp.check_potential(system, potential, Fraction(3, 2))
    assert failed.violated is not None
    assert failed.steps == 935
    assert "> 3/2 * " in failed.sentence


def test_an_inexact_potential_is_refused() -> None:
    with pytest.raises(InputError, match=r"an integer or a Fraction, got 0\.5"):
        sp.check_potential(tiny.LRU(), lambda state, offline: 0.5, 2)  # type: ignore[arg-type,return-value]


def test_the_worst_walk_is_drawn_and_the_graph_is_written(tmp_path: Path) -> None:
    proof = sp.prove(tiny.Marking())
    assert len(proof.plot().patches) == 2 * len(proof.walk)
    proof.write_graph(tmp_path / "graph.graphml")
    assert proof.to_networkx().number_of_edges() == proof.graph.size[1]


class Fetch(tiny.LRU):
    """LRU whose cache is compared with the offline moves."""

    def position(self, state: Any) -> Any:
        return frozenset(state)


class Cheap(Fetch):
    """Half the price of a fault."""

    def answer(self, state: Any, request: int) -> tuple[Any, Any]:
        after, cost = super().answer(state, request)
        return after, Fraction(cost, 2)


class Twice(Fetch):
    """A cache with room for one more page."""

    def answer(self, state: Any, request: int) -> tuple[Any, int]:
        return (*state, request), int(request not in state)


def test_an_answer_is_one_of_the_offline_moves() -> None:
    assert sp.prove(Fetch()).exact == 2
    with pytest.raises(
        InputError, match=r"Cheap.answer\(\(0, 1\), 2\) moves from .* with cost 1/2; .* lists this move with 1"
    ):
        sp.prove(Cheap())
    with pytest.raises(InputError, match="does not list this move"):
        sp.prove(Twice())


class Flip(sp.System):
    """Coin flip: a page moves at the price D to the requesting node with the probability 1/(2D); Westbrook (1994)."""

    def __init__(self, price: int = 2) -> None:
        self.price = price

    def start(self) -> str:
        return "a"

    def requests(self, offline: str) -> list[str]:
        return [*"abc"]

    def answer(self, state: str, request: str) -> Any:
        p = Fraction(1, 2 * self.price)
        return (state, 0) if state == request else [(p, request, 1 + self.price), (1 - p, state, 1)]

    def moves(self, offline: str, request: str) -> list[tuple[str, int]]:
        return [(page, (offline != request) + self.price * (page != offline)) for page in "abc"]


def test_a_potential_proves_a_ratio_over_infinitely_many_distributions() -> None:
    def apart(state: str, offline: str) -> int:
        return 6 * (state != offline)

    assert sp.check_potential(Flip(), apart, 3).steps == 81
    with pytest.raises(InputError, match=r"\d+ distributions over 3 states of the algorithm with 3 offline states"):
        Graph(Asked(Flip()), Context(), 100)


class Trusting(tiny.SkiRental):
    """Ski rental that buys at once, if told so."""

    def __init__(self, price: int = 2, once: bool = False, weight: Fraction = Fraction(1)) -> None:
        super().__init__(price if not once else 1)
        self.once, self.weight = once, weight


@pytest.mark.parametrize(("once", "ratio"), [("false", Fraction(3, 2)), ("true", 1), ("True", 1)])
def test_a_truth_value_is_no_text(once: str, ratio: Fraction, tmp_path: Path) -> None:
    proof = prove_system_in(f"{__file__}:Trusting", {"once": once, "weight": "0.5"}, Context())
    assert proof.exact == ratio
    assert proof.options == {"once": once.lower() == "true", "weight": Fraction(1, 2)}
    proof.write(tmp_path / "proof.json")
    assert check(f"{__file__}:Trusting", str(tmp_path / "proof.json"))["at_most"] == str(ratio)


@pytest.mark.parametrize(("option", "expected"), [("once", "true or false"), ("price", "a number")])
def test_a_text_for_another_type_is_refused(option: str, expected: str) -> None:
    with pytest.raises(InputError, match=f"option {option}: expected {expected}, got 'no'"):
        prove_system_in(f"{__file__}:Trusting", {option: "no"}, Context())
