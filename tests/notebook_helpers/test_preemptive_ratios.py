from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

from preemptive_ratios import draw_premises, draw_ratios

from tests.core.simulation.test_pictures import ratio


def test_ratios_are_dots_and_guarantees_dotted_if_not_quoted() -> None:
    quoted, unquoted = ratio(Fraction(4), met=True), ratio(Fraction(3), met=False)
    ax = draw_ratios({"a": [quoted, quoted], "b": [unquoted], "c": [ratio(None, met=False)]}, chosen="b")
    dots = next(line for line in ax.lines if line.get_label() == "measured")
    assert [round(float(x)) for x in dots.get_xdata()] == [0, 0, 1, 2] and set(dots.get_ydata()) == {1.5}
    heights = {lines.get_label(): [path.vertices[0, 1] for path in lines.get_paths()] for lines in ax.collections}
    assert heights == {"promised, every premise met": [4, 4], "the theorem's value, a premise fails": [3]}
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    (ground,) = ax.patches
    assert ground.get_x() < 1 < ground.get_x() + ground.get_width()


def test_premises_are_counted_and_long_ones_wrapped() -> None:
    words = "a premise of which there is so much to say that no line can hold all of it"
    ratios = [SimpleNamespace(premises={"short": "yes", words: answer}) for answer in ("yes", "undetermined", "no")]
    texts = [text.get_text() for text in draw_premises(ratios).texts]
    assert texts[:3] == ["3 of 3", "short", "1 of 3"]
    assert texts[3].replace("\n", " ") == words and max(map(len, texts[3].split("\n"))) < 45
