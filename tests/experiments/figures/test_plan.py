from __future__ import annotations

from pathlib import Path

import pytest

from schedproof.core.cards import registry
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.experiments.figures import plan

EVALUATIONS = {
    "preemptive": [f"fig{n}" for n in range(7, 14)],
    "dmlrs": [f"fig{n}" for n in range(5, 18)],
    "multiserver": [*(f"fig{n}" for n in range(2, 8)), "table3"],
    "jrp": [f"fig{n}" for n in range(4, 10)],
    "placement": [f"fig{n}" for n in range(4, 9)],
}
GOOD = """
caption = "A picture."
differs = "Nothing does."
preset = "tiny"
values = [2, 3]
settings = { jobs = "{x}" }
curves = [{ label = "SRTF", policy = "srtf" }, { label = "bound", bound = "preemptive.lp4" }]
"""


def figure(folder: Path, text: str) -> plan.Figure:
    path = folder / "preemptive" / "fig9.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return plan.read(path)


@pytest.mark.parametrize("family", EVALUATIONS)
def test_every_figure_uses_existing_names(family: str) -> None:
    figures = plan.of_paper(family)
    assert [figure.name for figure in figures] == EVALUATIONS[family]
    for found in figures:
        plan.check(found)
        labels = [[curve.label for curve in panel.curves] for panel in found.panels]
        assert all(len(set(names)) == len(names) for names in labels)
        assert found.differs.endswith(".") and found.caption


def test_a_paper_is_named_by_its_family_or_its_number() -> None:
    number = registry.family("preemptive").paper
    assert number is not None
    assert plan.find(f"{number.number}:fig9") == plan.find("preemptive:fig9")
    assert plan.find("multiserver:table3").title == "Table 3"


@pytest.mark.parametrize("name", ["fig9", "preemptive:fig99", "999:fig9", "preemptive:printed"])
def test_an_unknown_figure_is_reported(name: str) -> None:
    with pytest.raises((InputError, UnknownName)):
        plan.find(name)


def test_settings_above_the_panels_hold_for_all_panels(tmp_path: Path) -> None:
    found = figure(tmp_path, GOOD + '[[panels]]\ntitle = "a"\n[[panels]]\nvalues = [5]\n')
    assert [panel.values for panel in found.panels] == [("2", "3"), ("5",)]
    assert {panel.preset for panel in found.panels} == {"tiny"} and found.panels[0].title == "a"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("preset", "presets"), "panels[0].presets"),
        (("caption", "title"), "caption"),
        (('policy = "srtf"', 'policy = "srtf", bound = "preemptive.lp4"'), "curves[0]"),
        (('policy = "srtf"', 'polcy = "srtf"'), "curves[0]"),
        (("values", 'kind = "pie"\nvalues'), "panels[0].kind"),
        (("values", 'middle = "mode"\nvalues'), "panels[0].middle"),
        (("caption =", "caption"), "cannot be read"),
        (("curves", "lines"), "panels[0].lines"),
        (("values = [2, 3]", ""), "panels[0].values"),
    ],
)
def test_an_invalid_figure_is_rejected_with_its_place(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    with pytest.raises(InputError) as error:
        figure(tmp_path, GOOD.replace(*change))
    assert told in str(error.value)


@pytest.mark.parametrize(
    "change",
    [
        ('"srtf"', '"fastest"'),
        ('"preemptive.lp4"', '"preemptive.lp5"'),
        ('"tiny"', '"huge"'),
        ("values", 'quantity = "beauty"\nvalues'),
        ("values", 'relative_to = "fastest"\nvalues'),
        ("values", 'per = "machines"\nvalues'),
        ("values", 'ratio_to = "fastest"\nvalues'),
        ("values", 'trace = "fastest"\nvalues'),
    ],
)
def test_names_unknown_to_all_cards_are_rejected(tmp_path: Path, change: tuple[str, str]) -> None:
    plan.check(figure(tmp_path, GOOD))
    with pytest.raises(SchedproofError):
        plan.check(figure(tmp_path, GOOD.replace(*change, 1)))
