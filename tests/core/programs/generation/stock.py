"""Cutting stock (Gilmore and Gomory 1961): an LP with a column per pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program

BETTER = 1e-9  # than nothing, that a pattern has to gain
Pattern = tuple[int, ...]


@dataclass(frozen=True)
class Stock:
    """Widths of at most a roll, and their demands."""

    roll: int
    widths: tuple[int, ...]
    wanted: tuple[int, ...]
    family: str = "toy"
    sha256: str = "0" * 64


def stocks() -> st.SearchStrategy[Stock]:
    """Up to four widths."""

    def of(count: int) -> st.SearchStrategy[Stock]:
        widths = st.lists(st.integers(2, 9), min_size=count, max_size=count, unique=True).map(tuple)
        return st.builds(Stock, st.integers(9, 14), widths, st.tuples(*[st.integers(1, 9)] * count))

    return st.integers(1, 4).flatmap(of)


def patterns(stock: Stock) -> Iterator[Pattern]:
    """All patterns that fit a roll."""

    def rest(width: int, n: int) -> Iterator[Pattern]:
        if n == len(stock.widths):
            yield ()
            return
        for count in range(width // stock.widths[n] + 1):
            for tail in rest(width - count * stock.widths[n], n + 1):
                yield (count, *tail)

    return rest(stock.roll, 0)


def one_width(stock: Stock) -> Iterator[Pattern]:
    for n, width in enumerate(stock.widths):
        yield tuple(stock.roll // width * (m == n) for m in range(len(stock.widths)))


def worth(prices: Mapping[int, Any], pattern: Pattern) -> Any:
    """The value of a pattern."""
    return sum(prices[n] * count for n, count in enumerate(pattern))


def most_valuable(stock: Stock, multipliers: dict[str, dict[Any, float]]) -> Iterator[Pattern]:
    prices = multipliers["demand.row"]
    best = max(patterns(stock), key=lambda pattern: worth(prices, pattern))
    if worth(prices, best) > 1 + BETTER:
        yield best


def at_least(stock: Stock, multipliers: dict[str, dict[Any, Fraction]]) -> Fraction:
    most = max(worth(multipliers["demand.row"], pattern) for pattern in patterns(stock))
    return min(Fraction(0), 1 - most) * sum(stock.wanted)


@group("variables", "(2b)", r"x_p \in \mathbb{Z}_{\ge 0}", price=most_valuable, rest=at_least, start=one_width)
def cut(block: Any, stock: Stock, *, columns: tuple[Pattern, ...]) -> None:
    """How many rolls are cut by a pattern."""
    block.patterns = columns
    block.x = pyo.Var(range(len(columns)), domain=pyo.NonNegativeIntegers)


@group("objective", "(2)", r"\min \textstyle\sum_p x_p", needs=("cut",))
def rolls(block: Any, stock: Stock) -> None:
    """The number of rolls."""
    block.term = pyo.quicksum(block.model().cut.x.values())


@group("constraints", "(2a)", r"\textstyle\sum_p a_{np} x_p \ge d_n", needs=("cut",))
def demand(block: Any, stock: Stock) -> None:
    """The patterns contain all demanded pieces."""
    own = block.model().cut
    block.row = pyo.Constraint(
        range(len(stock.widths)),
        rule=lambda _, n: (
            pyo.quicksum(pattern[n] * own.x[p] for p, pattern in enumerate(own.patterns)) + 0 * own.x[0]
            >= stock.wanted[n]
        ),
    )


def cutting(patterns: Any = cut) -> Program:
    """The fewest rolls."""
    return Program("toy.stock", "minimize", (rolls, demand, patterns))
