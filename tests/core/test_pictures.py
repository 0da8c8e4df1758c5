"""The picture of a ratio: a near promise is a line, a far one only told."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from schedproof.core.pictures import draw_ratio


def ratio(promised: Fraction | None, met: bool, kind: str = "upper") -> Any:
    """What the picture reads of a ratio of 3/2."""
    run = SimpleNamespace(policy="toy.policy", options={})
    return SimpleNamespace(
        value=1.5,
        bound=SimpleNamespace(kind=kind, program="toy.lp"),
        promised=SimpleNamespace(value=promised),
        guarantee=promised if met else None,
        run=run,
    )


@pytest.mark.parametrize(("promised", "lines", "words"), [(None, 1, ""), (4, 2, "guaranteed"), (10**40, 1, "1e+40")])
def test_a_promise_is_drawn_where_it_leaves_room_for_the_bar(promised: int | None, lines: int, words: str) -> None:
    ax = draw_ratio(ratio(None if promised is None else Fraction(promised), met=True))
    assert len(ax.lines) == lines
    assert any(words in text.get_text() for text in ax.texts)
    assert 1.5 < ax.get_xlim()[1] < 10


def test_a_promise_whose_premise_fails_says_so_and_the_axis_names_its_side() -> None:
    upper, lower = (draw_ratio(ratio(Fraction(2), met=False, kind=kind)) for kind in ("upper", "lower"))
    assert any("a premise fails" in text.get_text() for text in upper.texts)
    assert upper.get_xlabel() == "certified upper bound / value"
    assert lower.get_xlabel() == "cost / certified lower bound"
