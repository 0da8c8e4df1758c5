from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from schedproof.core.programs.exact import status
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.scaling import Scaled, neglected
from schedproof.core.programs.exact.simplex import Simplex
from schedproof.core.programs.exact.status import Settled, settle
from schedproof.core.programs.exact.tree import settle_integers
from tests.support import size
from tests.tiny.listings import KINDS, draw, end

DRAWS = range(size(25, 25, 1000))


@pytest.mark.parametrize("kind", KINDS)
def test_every_status_agrees_with_elimination(kind: str) -> None:
    ends = set()
    for seed in DRAWS:
        listing = draw(kind, seed)
        settled, (expected, value) = settle(listing), end(listing)
        assert settled is not None and settled.check().status == expected, (kind, seed)
        assert expected != "optimal" or settled.value == value, (kind, seed)
        ends.add(expected)
    assert ("infeasible" in ends) if "infeasible" in kind else ("optimal" in ends)


@pytest.mark.parametrize("kind", KINDS)
def test_results_without_the_simplex_method_are_correct(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: Any) -> Settled:
        raise ValueError

    monkeypatch.setattr(status, "_by_simplex", too_large)
    found = [(settle(draw(kind, seed)), end(draw(kind, seed))) for seed in DRAWS]
    settled = [(one, expected) for one, expected in found if one is not None]
    assert len(settled) >= 0.8 * len(found)
    for one, (expected, value) in settled:
        assert one.status == expected and (value is None or one.value == value)


@pytest.mark.parametrize("kind", KINDS)
def test_any_first_basis_leads_to_the_same_end(kind: str) -> None:
    for seed in DRAWS:
        listing, rng = draw(kind, seed), random.Random(seed)
        if listing.crossed is not None:
            continue
        wide = len(listing.columns)
        some = [[k for k in range(wide + len(listing.rows)) if rng.random() < 0.5] for _ in range(2)]
        simplex = Simplex(listing, *some)
        if simplex.contradiction() is not None:
            assert end(listing)[0] == "infeasible"
        else:
            assert end(listing)[0] == ("optimal" if simplex.ray() is None else "unbounded")


@pytest.mark.parametrize("seed", range(size(60, 60, 2000)))
def test_small_integer_programs_agree_with_enumeration(seed: int) -> None:
    listing = draw("boxed", seed)
    settled = settle_integers(listing, frozenset(range(len(listing.columns))))
    assert settled is not None
    points = [
        point
        for point in product(range(-4, 5), repeat=len(listing.columns))
        if all(c.allows(Fraction(x)) for c, x in zip(listing.columns, point, strict=True))
        and all(row.allows(sum((a * point[j] for j, a in row.terms.items()), Fraction(0))) for row in listing.rows)
    ]
    values = [sum((c.cost * x for c, x in zip(listing.columns, x, strict=True)), listing.constant) for x in points]
    if not values:
        assert settled.status == "infeasible"
    else:
        best = min(values) if listing.sense == "minimize" else max(values)
        assert (settled.status, settled.value) == ("optimal", best)


def test_an_unbounded_integer_program_has_a_point_and_a_ray() -> None:
    columns = Column("x", Fraction(1, 2), None, Fraction(1)), Column("y", None, Fraction(0), Fraction(1))
    listing = Listing("maximize", Fraction(0), columns, (Row("r", None, Fraction(0), {0: 1, 1: 2}),))
    settled = settle_integers(listing, frozenset({0}))
    assert settled is not None and settled.status == "unbounded" and settled.point[0] == int(settled.point[0]) >= 1


@pytest.mark.parametrize("kind", ["tiny", "huge"])
def test_scaling_is_exact_and_brings_numbers_near_one(kind: str) -> None:
    changed = 0
    for seed in DRAWS:
        listing = draw(kind, seed)
        scaled, (expected, value) = Scaled.of(listing), end(listing)
        other, its = end(scaled.listing)
        assert other == expected and (value is None or its == value * Fraction(2) ** scaled.goal)
        changed += bool(neglected(listing)) and scaled.listing != listing
    assert changed


def test_wrong_proofs_are_refused() -> None:
    for kind, seed in product(KINDS, range(8)):
        settled = settle(draw(kind, seed))
        assert settled is not None
        wrong = [replace(settled, status=s) for s in ("optimal", "infeasible", "unbounded") if s != settled.status]
        if settled.status == "unbounded":
            wrong += [replace(settled, ray=tuple(-x for x in settled.ray)), replace(settled, ray=())]
        if settled.status == "infeasible" and settled.multipliers:
            wrong.append(replace(settled, multipliers={i: -y for i, y in settled.multipliers.items()}))
            wrong.append(replace(settled, multipliers={}))
        for one in wrong:
            if one.listing.crossed is None:
                with pytest.raises(ValueError, match=r"."):
                    one.check()
