from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.errors import ProgramError
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from tests.core.toys import Toy

A, B = Fraction(3, 10**7 + 19), Fraction(4, 10**7 + 79)


@group("variables", "(1b)", r"0 \le x, y \le 1")
def amounts(block: Any, instance: Toy, *, domain: str) -> None:
    """Two amounts up to 1."""
    block.x, block.y = (pyo.Var(domain=getattr(pyo, domain), bounds=(0, 1)) for _ in range(2))


@group("objective", "(1)", r"\max x")
def first(block: Any, instance: Toy, amounts: Any) -> Any:
    """The first amount."""
    return amounts.x


@group("constraints", "(1a)", r"a x + b y \ge a + b")
def least(block: Any, instance: Toy, amounts: Any) -> Any:
    """Both amounts are 1."""
    return scalar(10**7 * A) * amounts.x + scalar(10**7 * B) * amounts.y >= scalar(10**7 * (A + B))


def test_the_rounded_row_has_no_point() -> None:
    left, right = (Fraction(float(10**7 * a)) for a in (A, B))
    assert left + right < Fraction(float(10**7 * (A + B)))


@pytest.mark.parametrize("domain", ["Reals", "Integers"])
def test_a_row_made_infeasible_by_rounding_is_satisfied(domain: str) -> None:
    program = Program("toy.tight", "maximize", (first, least, amounts), parameters={"domain": domain})
    solution = program.solve(Toy())
    assert (solution.ended, solution.objective) == ("optimal", 1)
    if domain == "Reals":
        assert solution.exact == 1
    with pytest.raises(ProgramError, match="is feasible on this instance"):
        program.why_infeasible(Toy())


@group("variables", "(1b)", r"x \in \mathbb{Z}")
def whole(block: Any, instance: Toy, *, most: float) -> None:
    """A whole amount."""
    block.x = pyo.Var(domain=pyo.Integers, bounds=(0, most))


@group("objective", "(1)", r"\max x")
def amount(block: Any, instance: Toy, whole: Any) -> Any:
    """The amount."""
    return whole.x


@pytest.mark.parametrize(("most", "best"), [(1 - 1e-9, 0), (3 - 1e-12, 2), (1, 1)])
def test_an_integer_just_above_its_bound_is_no_optimum(most: float, best: int) -> None:
    solution = Program("toy.whole", "maximize", (amount, whole), parameters={"most": most}).solve(Toy())
    assert (solution.ended, solution.objective) == ("optimal", best)
