from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

import schedproof as sp
from schedproof.core.simulation.pictures import (
    COLOURS,
    JOB_COLOURS,
    caption,
    draw_ratios,
    job_colour,
    panels,
    save,
    title,
)


def ratio(promised: Fraction | None, met: bool, kind: str = "upper") -> Any:
    """The attributes of a ratio of 3/2 that the picture uses."""
    run = SimpleNamespace(policy="toy.policy", options={})
    return SimpleNamespace(
        value=1.5,
        exact=Fraction(3, 2),
        bound=SimpleNamespace(kind=kind, program="toy.lp"),
        promised=SimpleNamespace(value=promised),
        guarantee=promised if met else None,
        run=run,
    )


@pytest.mark.parametrize(("promised", "lines", "words"), [(None, 2, ""), (4, 3, "promised"), (10**40, 2, "1e+40")])
def test_a_guarantee_is_drawn_if_it_leaves_room_for_the_point(promised: int | None, lines: int, words: str) -> None:
    ax = draw_ratios([(ratio(None if promised is None else Fraction(promised), met=True), None)])
    assert len(ax.lines) == lines
    assert any(words in text.get_text() for text in ax.texts)
    assert 1.5 < ax.get_xlim()[1] < 10


def test_a_guarantee_with_a_failed_premise_is_labelled() -> None:
    upper, lower = (draw_ratios([(ratio(Fraction(2), met=False, kind=kind), None)]) for kind in ("upper", "lower"))
    assert any("a premise fails" in text.get_text() for text in upper.texts)
    assert upper.get_xlabel() == "optimum / objective"
    assert lower.get_xlabel() == "objective / optimum"


def test_a_ratio_has_a_bar_down_to_the_ratio_to_the_best_known_schedule() -> None:
    day = sp.embedded("day")
    bound, optimum = sp.bound("preemptive.lp4", day), sp.program("preemptive.minlp2").solve(day).schedule()
    fast, usual = (sp.policy("a_online", speed=speed).run(day).ratio(bound) for speed in (2, 1))
    ax = fast.plot(known=[optimum], beside=[usual])
    bars = {tuple(line.get_xdata()) for line in ax.lines}
    assert {(fast.value,), (usual.value,), (34 / 31, usual.value)} <= bars
    assert fast.promised.value is not None and (float(fast.promised.value),) * 2 in bars
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A_online, speed 2", "A_online"]
    assert "[1.096, 1.165]" in {text.get_text() for text in ax.texts}


@pytest.mark.parametrize("kind", ["png", "svg", "pdf", "jpg"])
def test_a_picture_has_the_same_bytes_every_time(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day = sp.embedded("day")
    files = [tmp_path / f"{n}.{kind}" for n in range(2)]
    for seconds, file in enumerate(files):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(seconds))
        save(sp.policy("a_online").run(day).plot().figure, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def lab(colour: str) -> np.ndarray:
    """CIELAB of an sRGB colour under D65; a distance of 2.3 is just visible."""
    return lab_of(linear(colour))


def lab_of(light: np.ndarray) -> np.ndarray:
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    )
    x, y, z = (
        t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29
        for t in to_xyz @ light / [0.95047, 1, 1.08883]
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_forty_jobs_have_distinguishable_colours() -> None:
    seen = [lab(colour) for colour in JOB_COLOURS]
    assert len(seen) == 40 and JOB_COLOURS[: len(COLOURS)] == COLOURS
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 25
    assert min(np.linalg.norm(lab("#ffffff") - a) for a in seen) > 20
    assert [job_colour(n) for n in (0, 39, 40)] == [JOB_COLOURS[0], JOB_COLOURS[39], JOB_COLOURS[0]]


# what readers without green or red cones see, on linear RGB, at severity 1: Machado, Oliveira and Fernandes 2009,
# "A physiologically-based model for simulation of color vision deficiency"
WITHOUT = {
    "any cone": np.eye(3),
    "green cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "red cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
}


def linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def ciede2000(one: np.ndarray, other: np.ndarray) -> float:
    """The distance of two CIELAB colours (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    light, chroma, hue = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360
    t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * cos(turn / 2 - 90) / (1 + 0.015 * chroma * t)
    twist = cos(60 * np.exp(-(((hue - 275) / 25) ** 2)) - 90)
    return float(np.sqrt(dl**2 + dc**2 + dh**2 - 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * twist * dc * dh))


def cos(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


def test_the_difference_of_colours_is_that_of_the_published_pairs() -> None:
    # Pairs 1, 7, 17 and 25 of the test data of Sharma, Wu and Dalal.
    for one, other, difference in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ):
        assert ciede2000(np.array(one), np.array(other)) == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("cones", WITHOUT)
def test_twelve_colours_are_distinguishable_in_colour_blindness(cones: str) -> None:
    # The least distances are 15.8, 13.3 and 13.6.
    seen = [lab_of(np.clip(WITHOUT[cones] @ linear(colour), 0, 1)) for colour in COLOURS]
    assert min(ciede2000(a, b) for a, b in combinations(seen, 2)) > 13


def test_a_policys_label_is_the_cards_name_with_unusual_options() -> None:
    assert title("dmlrs.pd_ors", {"span": 12}) == "PD-ORS, span 12"
    assert title("preemptive.minlp2", {"chunks": "pinned", "speed": "1"}) == "MINLP (2)"
    assert title("jrp.jrp_rounding") == "jrp rounding" and title("my.own_rule", {"k": 3}) == "own_rule, k 3"


def test_a_notebook_shows_a_figure_that_pyplot_did_not_make() -> None:
    png, _ = DisplayFormatter().format(panels((2, 1)).figure)
    assert png["image/png"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a$x^$", r"a\$x^\$"),
        ("<b>&", "<b>&"),
        ("a\nb\x1b", r"a\nb\x1b"),
        ("\u202eabc", r"\u202eabc"),
        ("日", r"\u65e5"),
        ("n" * 50, "n" * 39 + "…"),
    ],
)
def test_a_name_is_shown_literally(name: str, words: str) -> None:
    assert caption(name) == words
