from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.base.display import LONGEST, Tabled
from schedproof.core.cards import registry
from schedproof.core.cards.family import Measure

EMBEDDED = {
    "preemptive": ("day", "a_online"),
    "dmlrs": ("cluster", "pd_ors"),
    "multiserver": ("ports", "oga_sched"),
    "jrp": ("cells", "greedy"),
    "placement": ("clusters", "optimus"),
}


class Cells(HTMLParser):
    """The tags and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def is_one_line(value: object) -> bool:
    text = repr(value)
    return text.isprintable() and len(text) < 120 and text.startswith(f"{type(value).__name__}(")


def is_a_table(value: Any) -> bool:
    cells = Cells(value._repr_html_())
    return set(cells.tags) <= {"table", "caption", "b", "tbody", "tr", "th", "td"} and cells.tags.count("td") > 1


@pytest.mark.parametrize("family", EMBEDDED)
def test_instances_runs_and_schedules_of_every_family(family: str) -> None:
    name, policy = EMBEDDED[family]
    instance = sp.embedded(name)
    run = sp.policy(policy).run(instance)
    assert all(map(is_one_line, (instance, run, run.schedule)))
    assert is_a_table(instance) and is_a_table(run)
    number, unit = instance.extent
    assert f"{unit}s={number}" in repr(instance) or f"arrivals={number}" in repr(instance)
    assert instance.measure.amount(run.objective) in Cells(run._repr_html_()).texts and "=feasible" in repr(run)
    assert "feasible" in Cells(run._repr_html_()).texts


def test_bounds_ratios_solutions_claims_and_results() -> None:
    day = sp.embedded("day")
    bound = sp.bound("preemptive.lp4", day)
    ratio = sp.policy("a_online").run(day).ratio(bound)
    solution = sp.program("preemptive.lp4").solve(day)
    claim = sp.claim("preemptive.lemma2")
    (result,) = sp.verify("preemptive.lemma2")
    regret = sp.policy("oga_sched").run(sp.embedded("ports")).regret(points=2)
    for value in (bound, ratio, solution, claim, result, regret):
        assert is_one_line(value) and is_a_table(value), value
    assert "lower bound=29.19" in repr(bound) and " slots" in repr(bound)
    assert {ratio.sides, "1.1644"} <= {*Cells(ratio._repr_html_()).texts} and claim.statement in Cells(
        claim._repr_html_()
    ).texts
    assert ratio.sentence.startswith("certified ratio <= 1.1644 (34 / 29.19") and ratio.sentence.endswith(" slots)")
    assert ratio.promise == "no proven guarantee for this policy"
    assert Fraction("1.1643") < ratio.exact <= Fraction("1.1644"), "rounded up"


@pytest.mark.parametrize("id", sorted(registry.entries("program")))
def test_a_program_is_a_line_at_a_prompt_and_mathematics_in_a_notebook(id: str) -> None:
    _, entry = registry.find("program", id)
    if any(option.usual == "required" for option in entry.options):
        pytest.skip("it has no usual form")
    program = sp.program(id)
    shown = program._repr_latex_()
    assert is_one_line(program) and f"id={id}" in repr(program)
    assert not hasattr(program, "_repr_html_"), "a notebook prefers it to mathematics"
    assert shown.startswith("$$\\begin{aligned}\n") and shown.endswith("\n\\end{aligned}$$")
    rows = shown.splitlines()[1:-1]
    assert len(rows) == len(program.groups) and all(row.startswith("& ") and row.endswith(" \\\\") for row in rows)
    for row in rows:
        bare = row.replace("\\{", "").replace("\\}", "")
        assert bare.count("{") == bare.count("}") and len(re.findall(r"\\left\b", row)) == len(
            re.findall(r"\\right\b", row)
        )


def test_text_of_a_file_is_escaped_in_a_table() -> None:
    name = "<script>alert('x')</script>&<b>"
    run = replace(sp.policy("a_online").run(sp.embedded("day")), policy=name)
    cells = Cells(run._repr_html_())
    assert "script" not in cells.tags and name in "".join(cells.texts)
    assert is_one_line(replace(run, policy="a\nb\x1b[31m" + "x" * 200))


def test_unknown_values_are_omitted_and_a_long_line_is_cut() -> None:
    class Thing(Tabled):
        def facts(self) -> dict[str, Any]:
            return {"a": None, "b": "", "c": {}, "d": {"e": Fraction(1, 2)}, "f": "g" * 200}

    text = repr(Thing())
    assert text.startswith("Thing(d=e=1/2, f=ggg") and text.endswith("...)") and len(text) == LONGEST
    assert "<th style" in Thing()._repr_html_() and "g" * 200 in Thing()._repr_html_()


@pytest.mark.parametrize(
    ("measure", "size", "amounts"),
    [
        (Measure("total JCT", "slots", "mean JCT", "slots"), 3, {"total JCT": "251 slots", "mean JCT": "83.67 slots"}),
        (Measure("total JCT", "slots", "mean JCT", "slots"), 0, {"total JCT": "251 slots"}),
        (Measure(), 3, {"objective": "251"}),
    ],
)
def test_an_objective_has_its_unit_and_its_mean(measure: Measure, size: int, amounts: dict[str, str]) -> None:
    assert measure.amounts(Fraction(251), size) == amounts
