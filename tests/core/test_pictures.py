"""The picture of a ratio: a guarantee nearby is a line, one far away an annotation."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.pictures import draw_ratio, save


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
def test_a_guarantee_is_drawn_where_it_leaves_room_for_the_bar(promised: int | None, lines: int, words: str) -> None:
    ax = draw_ratio(ratio(None if promised is None else Fraction(promised), met=True))
    assert len(ax.lines) == lines
    assert any(words in text.get_text() for text in ax.texts)
    assert 1.5 < ax.get_xlim()[1] < 10


def test_a_guarantee_whose_premise_fails_says_so_and_the_axis_names_its_side() -> None:
    upper, lower = (draw_ratio(ratio(Fraction(2), met=False, kind=kind)) for kind in ("upper", "lower"))
    assert any("a premise fails" in text.get_text() for text in upper.texts)
    assert upper.get_xlabel() == "certified upper bound / value"
    assert lower.get_xlabel() == "cost / certified lower bound"


def test_a_real_ratio_is_a_bar_of_its_own_length() -> None:
    day = sp.embedded("day")
    measured = sp.policy("a_online", speed=2).run(day).ratio(sp.bound("preemptive.lp4", day))
    ax = measured.plot()
    assert ax.patches[0].get_width() == measured.value
    assert measured.promised.value is not None and any(
        line.get_xdata()[0] == float(measured.promised.value) for line in ax.lines
    )


@pytest.mark.parametrize("kind", ["png", "svg", "pdf", "jpg"])
def test_a_picture_has_the_same_bytes_every_time(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second after the other, and by matplotlib's own means not: its SVG draws names, and its files tell the time."""
    day = sp.embedded("day")
    files = [tmp_path / f"{n}.{kind}" for n in range(2)]
    for seconds, file in enumerate(files):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(seconds))
        save(sp.policy("a_online").run(day).plot().figure, file)
    assert files[0].read_bytes() == files[1].read_bytes()
