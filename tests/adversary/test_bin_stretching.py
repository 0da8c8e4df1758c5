"""Bin stretching: known values, and those of a minimax search without pruning."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import schedproof as sp
from schedproof.adversary.bin_stretching import packing, survival
from schedproof.core.errors import NoSolution
from tests.support import size


def fits(items: tuple[int, ...], bins: int, capacity: int) -> bool:
    return any(
        all(sum(item for item, n in zip(items, places, strict=True) if n == b) <= capacity for b in range(bins))
        for places in product(range(bins), repeat=len(items))
    )


def stretched(bins: int, capacity: int) -> Fraction:
    @cache
    def value(loads: tuple[int, ...], items: tuple[int, ...]) -> int:
        worst = max(*loads, capacity)
        for item in range(1, capacity + 1):
            if fits((*items, item), bins, capacity):
                after = [tuple(load + item * (n == b) for n, load in enumerate(loads)) for b in range(bins)]
                worst = max(worst, min(value(each, (*items, item)) for each in after))
        return worst

    return Fraction(value((0,) * bins, ()), capacity)


@pytest.mark.parametrize(("bins", "capacity"), [(1, 3), (2, 2), (2, 3)])
def test_the_value_is_that_of_the_definition(bins: int, capacity: int) -> None:
    found = sp.game("bin_stretching", bins=bins, capacity=capacity)
    assert (found.value, found.best) == (stretched(bins, capacity), True)


@pytest.mark.parametrize(
    ("bins", "capacity", "above", "known"),
    [
        (2, 6, 0, Fraction(4, 3)),  # Azar and Regev 2001: tight for two bins
        (3, 14, 0, Fraction(19, 14)),  # Gabay, Brauner and Kotov 2017
        *([(4, 14, Fraction(9, 7), Fraction(19, 14))] * size(0, 0, 1)),  # Böhm, Sgall, van Stee and Veselý 2017
    ],
)
def test_the_known_values_are_reproduced(bins: int, capacity: int, above: Fraction | int, known: Fraction) -> None:
    assert sp.game("bin_stretching", bins=bins, capacity=capacity, above=above).value == known


def test_a_truncated_list_of_strategies_is_labelled() -> None:
    found = sp.game("bin_stretching", drop=2, above="9/7")
    assert (found.value, found.best) == (Fraction(19, 14), False)
    with pytest.raises(NoSolution, match="no strategy that forces a ratio above 9/7 exists"):
        sp.game("bin_stretching", drop=1, above="9/7")


def test_a_survivor_of_the_stronger_adversary_survives_the_weaker() -> None:
    assert survival(2, 6, 8)((0, 0), 0) and not survival(2, 6, 7)((0, 0), 0)
    with pytest.raises(NoSolution):
        sp.game("bin_stretching", bins=2, capacity=6, above="4/3")


def test_items_are_packed() -> None:
    held = packing((1, 2, 2, 3, 4), 3, 4)
    assert sorted(item for each in held for item in each) == [1, 2, 2, 3, 4]
    assert all(sum(each) <= 4 for each in held)
