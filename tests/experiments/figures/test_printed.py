from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from schedproof.core.cards import registry
from schedproof.core.errors import InputError
from schedproof.experiments.figures import plan, printed
from schedproof.experiments.figures.make import compare_with_paper
from schedproof.experiments.figures.plan import Curve, Figure, Panel
from schedproof.experiments.figures.printed import CONTRADICTED, ORDER, REPRODUCED, Fact

FIGURE = Figure(
    "preemptive", "fig9", "A picture.", "Nothing.", (Panel(curves=(Curve("a", policy="srtf"), Curve("b", policy="x"))),)
)

HALF = 0.4  # of an interval


def means(**curves: dict[float, float]) -> pd.DataFrame:
    return pd.DataFrame(
        [(0, curve, x, y, y - HALF, y + HALF) for curve, points in curves.items() for x, y in points.items()],
        columns=["panel", "curve", "x", "y", "low", "high"],
    )


def fact(kind: str, **more: Any) -> Fact:
    return Fact(**{"figures": ("fig9",), "place": "", "says": "it is so", "kind": kind, "curve": "a", **more})


@pytest.mark.parametrize("family", registry.families())
def test_every_fact_is_about_a_figure_and_its_curves(family: str) -> None:
    figures = {figure.name: figure for figure in plan.of_family(family)}
    for known in printed.facts(family):
        assert known.says and known.place and len(known.x) >= len(known.values)
        for name in known.figures:
            labels = {curve.label for curve in figures[name].panels[known.panel].curves}
            other, _, beside = known.of.rpartition(printed.OF_FIGURE)
            assert {known.curve, "" if other else known.of, *known.among} - {""} <= labels
            assert not other or beside in {curve.label for curve in figures[other].panels[known.panel].curves}
            if known.kind == "values":
                assert set(known.x) <= set(figures[name].panels[known.panel].values)


@pytest.mark.parametrize(
    ("told", "a", "b", "verdict"),
    [
        (fact("below", of="b", value=40), {1: 6, 2: 9}, {1: 10, 2: 10}, REPRODUCED),
        (fact("below", of="b", value=20), {1: 6, 2: 9}, {1: 10, 2: 10}, ORDER),
        (fact("below", of="b", value=40), {1: 11}, {1: 10}, CONTRADICTED),
        (fact("above", of="b", value=25), {1: 25}, {1: 20}, REPRODUCED),
        (fact("above", of="b", value=25), {1: 19}, {1: 20}, CONTRADICTED),
        (fact("above", of="b", value=25, at_end=True), {1: 25, 2: 21}, {1: 20, 2: 20}, ORDER),
        (fact("at_most", value=1.7), {1: 1.6, 2: 1.1}, {}, REPRODUCED),
        (fact("at_most", value=1.7), {1: 1.6, 2: 1.8}, {}, CONTRADICTED),
        (fact("at_least", of="b", value=0.9), {1: 9}, {1: 10}, REPRODUCED),
        (fact("at_least", of="b", value=0.9), {1: 8}, {1: 10}, CONTRADICTED),
        (fact("lowest"), {1: 1, 2: 1, 3: 1}, {1: 2, 2: 2, 3: 2}, REPRODUCED),
        (fact("lowest"), {1: 1, 2: 1, 3: 2.5}, {1: 2, 2: 2, 3: 2}, REPRODUCED),
        (fact("lowest"), {1: 1, 2: 1, 3: 3}, {1: 2, 2: 2, 3: 2}, CONTRADICTED),
        (fact("highest"), {1: 1.9, 2: 1.5}, {1: 2, 2: 2}, CONTRADICTED),
        (fact("highest", among=("b",)), {1: 3}, {1: 2}, REPRODUCED),
        (fact("highest"), {1: 2.1, 2: 1.9, 3: 2.1}, {1: 2, 2: 2, 3: 2}, ORDER),
        (fact("lowest_on_average"), {1: 1, 2: 4}, {1: 3, 2: 3}, REPRODUCED),
        (fact("lowest_on_average"), {1: 3, 2: 4}, {1: 3, 2: 3}, CONTRADICTED),
        (fact("ends", of="b", value=0.5), {0: 1, 1: 1, 2: 0}, {0: 1, 1: 1, 2: 2}, REPRODUCED),
        (fact("ends", of="b", value=0.8), {0: 1, 1: 1, 2: 0}, {0: 1, 1: 1, 2: 2}, ORDER),
        (fact("ends", of="b", value=0.8), {0: 1, 1: 1, 2: 3}, {0: 1, 1: 1, 2: 0}, CONTRADICTED),
        (fact("rises"), {1: 1, 2: 0, 3: 2}, {}, REPRODUCED),
        (fact("falls"), {1: 1, 2: 0, 3: 2}, {}, CONTRADICTED),
        (fact("falls", x=("1", "2")), {1: 1, 2: 0, 3: 2}, {}, REPRODUCED),
        (fact("rises", of="b"), {1: 1, 2: 2}, {1: 1, 2: 4}, CONTRADICTED),
        (fact("lowest_at", x=("2",)), {1: 1, 2: 0.5}, {}, REPRODUCED),
        (fact("highest_at", x=("2",)), {1: 1, 2: 0.5}, {}, CONTRADICTED),
        (fact("values", x=("1", "2"), values=(10, 20)), {1: 10.5, 2: 19}, {}, REPRODUCED),
        (fact("values", x=("1", "2"), values=(10, 20)), {1: 1, 2: 2}, {}, ORDER),
        (fact("values", x=("1", "2"), values=(10, 20)), {1: 2, 2: 1}, {}, CONTRADICTED),
        (fact("values", x=("1", "2"), values=(10, 20)), {1: 2, 2: 1.5}, {}, ORDER),
        (fact("at_most", of="fig8: b", value=1), {1: 1}, {}, printed.NOT_COMPARED),
        (fact("median_below", of="b", value=50), {0: 0, 1: 0.6, 2: 1}, {0: 0, 1: 0.1, 2: 1}, REPRODUCED),
        (fact("mean_below", of="b", value=25), {0: 0, 1: 0.5, 2: 1}, {0: 0, 1: 0, 2: 1}, REPRODUCED),
        (fact("mean_below", of="b", value=25), {0: 0, 1: 0, 2: 1}, {0: 0, 1: 0.5, 2: 1}, CONTRADICTED),
        (fact("not_compared"), {1: 1}, {}, printed.NOT_COMPARED),
    ],
)  # fmt: skip
def test_a_verdict_follows_from_the_means(
    told: Fact, a: dict[float, float], b: dict[float, float], verdict: str
) -> None:
    assert printed.judge(told, FIGURE, means(a=a, b=b)).verdict == verdict


def test_a_percentage_states_its_maximum_and_its_last_value() -> None:
    rows = means(a={1: 12, 2: 15, 3: 11}, b={1: 10, 2: 10, 3: 10})
    assert printed.judge(fact("above", of="b", value=50), FIGURE, rows).ours == (
        "50 % at 2, the largest of 3 points; 10 % at the last"
    )
    last = fact("above", of="b", value=10, at_end=True)
    assert printed.judge(last, FIGURE, rows).ours == "10 %"


def test_a_curve_is_compared_with_that_of_another_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "of_figure", lambda figure: [fact("at_most", of="fig8: a", value=1)])
    means(a={1: 9, 2: 11}).to_csv(tmp_path / "fig9.csv", index=False)
    (alone,) = compare_with_paper(FIGURE, tmp_path / "fig9.csv")
    means(a={1: 10, 2: 10}).to_csv(tmp_path / "fig8.csv", index=False)
    (judgement,) = compare_with_paper(FIGURE, tmp_path / "fig9.csv")
    assert (alone.verdict, judgement.verdict, judgement.ours) == (printed.NOT_COMPARED, CONTRADICTED, "1.1 at most")


def test_a_fact_about_an_unknown_curve_is_reported() -> None:
    with pytest.raises(InputError, match="no curve 'c'"):
        printed.judge(fact("rises", of="c"), FIGURE, means(a={1: 1, 2: 2}))


@pytest.mark.parametrize("line", ['kind = "beauty"', 'kind = "rises"\nsize = 3', 'kind = "rises"'])
def test_an_invalid_fact_is_rejected_with_its_place(tmp_path: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "HERE", tmp_path)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "printed.toml").write_text(f"[[fact]]\n{line}\n")
    with pytest.raises(InputError, match=r"fact\[0\]"):
        printed.facts("toy")
