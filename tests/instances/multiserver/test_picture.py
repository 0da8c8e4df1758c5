from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from schedproof.instances.multiserver import Schedule
from tests.instances.multiserver import exact
from tests.instances.multiserver.allocations import feasible
from tests.tiny.multiserver import tiny_ports


def test_the_line_is_the_average_so_far(tmp_path: Path) -> None:
    instance = tiny_ports(6, horizon=8)
    array = feasible(instance, 6)
    ax = Schedule.of(array, instance, "hand").plot(instance)
    ax.figure.savefig(tmp_path / "average.png")
    assert (tmp_path / "average.png").stat().st_size > 5000
    (line,) = ax.lines
    assert line.get_xdata().tolist() == list(range(1, 9))
    for slots, average in zip(range(1, 9), line.get_ydata(), strict=True):
        low, high = exact.reward(instance, array, "node", range(slots))
        assert average == pytest.approx(float(low + high) / 2 / slots)


def test_the_title_names_the_policy_and_its_options() -> None:
    instance = tiny_ports(6)
    array = feasible(instance, 6)
    plain = Schedule.of(array, instance, "hand").plot(instance)
    assert plain.get_title() == "hand"
    told = Schedule.of(array, instance, "hand", options={"gain": "total", "step": Fraction(1, 2)}).plot(instance)
    assert told.get_title() == "hand, gain total, step 1/2"
    assert (told.get_xlabel(), told.get_ylabel()) == ("time (slots)", "average reward per slot")
