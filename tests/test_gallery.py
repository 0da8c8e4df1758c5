"""The gallery's theorems: computed and theory agree, and certificates and short sequences confirm the ratios."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

from schedproof.check.ratio import check
from schedproof.core.cards.plug_ins import module_in
from tests import support

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/gallery_of_theorems.md").read_text()
gallery = module_in(ROOT / "examples/gallery/theorems.py")
THEOREMS = {theorem.__name__: theorem for theorem in gallery.theorems()}
SYSTEMS = [name for name, theorem in THEOREMS.items() if hasattr(theorem, "SYSTEM")]
GAMES = [
    (name, size)
    for name, theorem in THEOREMS.items()
    if hasattr(theorem, "GAME")
    for size in theorem.SIZES
    if (name, size) != ("nonpreemptive_lower_bound", {"n": 5})  # 20 s
]
CASES = [(name, size) for name in SYSTEMS for size in THEOREMS[name].SIZES]
STEPS = support.size(4_000, 4_000, 20_000)  # offline moves for each case, about


@pytest.mark.parametrize("name", THEOREMS)
def test_the_computed_values_agree_with_the_theory_and_the_page(name: str) -> None:
    theorem = THEOREMS[name]
    values = [gallery.computed(theorem, size) for size in theorem.SIZES]
    for size, value in zip(theorem.SIZES, values, strict=True):
        assert gallery.COMPARE[gallery.relation(theorem)](value, theorem.theory(**size))
    assert gallery.row(theorem, values) in PAGE


def test_the_page_has_no_row_without_a_file() -> None:
    assert PAGE.count("](../examples/gallery/") == len(THEOREMS) >= 40


@pytest.mark.parametrize("name", THEOREMS)
def test_the_drawing_is_that_of_the_worst_sequence(name: str) -> None:
    text, words = gallery.drawing(THEOREMS[name])
    assert (ROOT / "docs/pictures/theorems" / f"{name}.svg").read_text() == text
    assert f"![{words}](pictures/theorems/{name}.svg)" in PAGE


@pytest.mark.parametrize("name", [name for name in THEOREMS if name != "regret"])  # a difference
def test_the_totals_of_the_worst_sequence_have_the_computed_ratio(name: str) -> None:
    theorem = THEOREMS[name]
    for size in theorem.SIZES:
        assert gallery.ratio(gallery.worst(theorem, size)) == gallery.computed(theorem, size)


def test_the_drawings_are_small() -> None:
    pictures = [*(ROOT / "docs/pictures/theorems").iterdir()]
    assert sorted(path.stem for path in pictures) == sorted(THEOREMS)
    assert sum(path.stat().st_size for path in pictures) < 2**17


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_certificate_is_accepted(name: str, tmp_path: Path) -> None:
    theorem = THEOREMS[name]
    proof = gallery.prove(theorem, theorem.SIZES[0])
    proof.write(tmp_path / "proof.json")
    result = check(f"{theorem.__file__}:{theorem.SYSTEM.__name__}", str(tmp_path / "proof.json"))
    assert result["at_least"] == str(proof.least)
    assert proof.least == inf or result["at_most"] == str(proof.exact)


def after(system: Any, beliefs: dict[Any, Fraction], request: Any) -> tuple[dict[Any, Fraction], Fraction]:
    """The distribution of the algorithm's state after a request, and the expected cost."""
    found: defaultdict[Any, Fraction] = defaultdict(Fraction)
    cost = Fraction(0)
    for state, weight in beliefs.items():
        given = system.answer(state, request)
        for p, then, paid in [(1, *given)] if isinstance(given, tuple) and len(given) == 2 else given:
            if p:
                found[then] += weight * p
                cost += weight * p * paid
    return found, cost


def short_sequences(system: Any, adaptive: bool) -> Any:
    """Yield the algorithm's cost and the offline optimum of sequences, the shortest first."""
    best = max if system.gains else min
    todo = [({system.start(): Fraction(1)}, Fraction(0), {system.offline(): Fraction(0)})]
    steps = 0
    for beliefs, cost, offline in todo:  # grows while it is read
        yield cost, best(offline.values())
        if steps > STEPS:
            continue
        ways = defaultdict(dict)
        for state, paid in offline.items():
            for request in system.requests(state, *([*beliefs] if adaptive else [])):
                for then, more in system.moves(state, request):
                    steps += 1
                    ways[request][then] = best(ways[request].get(then, paid + more), paid + more)
        for request, others in ways.items():
            beliefs_then, paid = after(system, beliefs, request)
            todo.append((beliefs_then, cost + paid, others))


@pytest.mark.parametrize(("name", "size"), CASES)
def test_no_short_sequence_has_a_larger_ratio(name: str, size: dict[str, Any]) -> None:
    proof, system = gallery.prove(THEOREMS[name], size), THEOREMS[name].SYSTEM(**size)
    if proof.exact is None:
        pytest.skip("no ratio bounds the cost")
    values = [value for _, _, value in proof.potential] if system.constant else [Fraction(0)]
    slack = max(values) - min(values)
    for cost, optimum in short_sequences(system, proof.graph.asked.adaptive):
        large, small = (optimum, cost) if system.gains else (cost, optimum)
        assert large <= proof.exact * small + slack


@pytest.mark.parametrize(("name", "size"), GAMES)
def test_minimax_finds_the_value_of_the_game(name: str, size: dict[str, Any]) -> None:
    game = THEOREMS[name].GAME(**size)

    @cache
    def value(state: Any) -> Fraction | float:
        forced = (min(map(value, game.answers(state, move))) for move in game.moves(state))
        return max([game.payoff(state), *forced])

    assert value(game.start()) == gallery.computed(THEOREMS[name], size)
