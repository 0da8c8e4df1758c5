from __future__ import annotations

import gc
import weakref
from io import BytesIO
from typing import Any

import pytest
from ipywidgets import SelectionSlider, ToggleButtons
from matplotlib.image import imread
from sliders import sliders

from schedproof.core.simulation.pictures import panels


def bars(places: list[tuple[int, str]]) -> Any:
    def draw(number: int = 2, colour: str = "red") -> Any:
        places.append((number, colour))
        ax = panels((2, 1))
        ax.bar(range(number), 1, color=colour)
        return ax.figure

    return draw


def test_texts_are_buttons_and_numbers_are_sliders_at_the_default() -> None:
    box = sliders(bars([]), number=[1, 2, 3], colour=["red", "blue"])
    number, colour, busy, picture = box.children
    assert isinstance(number, SelectionSlider) and isinstance(colour, ToggleButtons)
    assert (number.value, colour.value, number.description) == (2, "red", "number")
    assert imread(BytesIO(bytes(picture.value))).shape[:2] == (90, 180)
    assert busy.value == ""


def test_a_setting_is_drawn_once_and_then_shown_from_the_cache() -> None:
    places: list[tuple[int, str]] = []
    number, colour, _, picture = sliders(bars(places), number=[1, 2, 3], colour=["red", "blue"]).children
    first = bytes(picture.value)
    number.value = 3
    second = bytes(picture.value)
    number.value = 2
    assert first == bytes(picture.value) != second
    colour.value = "blue"
    assert places == [(2, "red"), (3, "red"), (2, "blue")]


def test_the_status_line_shows_drawing_and_clears_on_failure() -> None:
    said: list[str] = []

    def draw(number: int = 1) -> Any:
        said.append(busy.value if number > 1 else "")
        if number == 3:
            raise ArithmeticError
        return panels((2, 1)).figure

    number, busy, _ = sliders(draw, number=[1, 2, 3]).children
    number.value = 2
    with pytest.raises(ArithmeticError):
        number.value = 3
    assert said == ["", "drawing …", "drawing …"] and busy.value == ""


def test_axes_keep_still_when_labels_change() -> None:
    found = []

    def draw(digits: int = 1) -> Any:
        ax = panels((3, 1))
        ax.set_ylabel("y\n" * digits)
        found.append(ax)
        return ax.figure

    digits, *_ = sliders(draw, digits=[1, 3]).children
    digits.value = 3
    assert found[0].get_position().bounds == found[1].get_position().bounds


class Knot:
    """An object in a reference cycle, freed only by garbage collection."""

    def __init__(self) -> None:
        self.itself = self


def test_a_picture_leaves_no_garbage_and_older_objects_are_not_scanned() -> None:
    new: list[Any] = []

    def draw(number: int = 1) -> Any:
        figure = panels((2, 1)).figure
        new.extend(map(weakref.ref, (Knot(), figure)))
        return figure

    number, *_ = sliders(draw, number=[1, 2]).children
    gc.collect()  # none is due while the next lines run
    frozen = gc.get_freeze_count()  # not 0 in Python 3.12, which keeps what lives for ever there
    old = weakref.ref(Knot())
    number.value = 2
    assert [reference() for reference in new] == [None] * 4
    assert old() is not None
    gc.collect()
    assert old() is None and gc.get_freeze_count() == frozen
