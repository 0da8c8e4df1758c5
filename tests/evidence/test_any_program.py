"""Every program has a bound from its own rows, on the right side of the optimum."""

from __future__ import annotations

import any_program
import pytest

from tests.support import size

DRAWS = size(2, 3, 200)


def test_the_number_of_programs_equals_the_papers() -> None:
    assert len(any_program.programs()) == 25


@pytest.mark.parametrize("id", any_program.programs())
def test_the_bound_is_on_the_right_side_and_next_to_the_optimum(id: str) -> None:
    line = any_program.measure(id, DRAWS)
    assert line.wrong == [] and line.draws == DRAWS
    assert line.exact or id == "multiserver.gang"
    assert line.near >= 0.99
