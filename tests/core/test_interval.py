"""The interval of the true ratio: schedules that the bound is not about enclose nothing."""

from __future__ import annotations

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, ProgramError
from schedproof.core.ratio import interval


def test_a_bound_on_some_schedules_only_is_refused() -> None:
    clusters = sp.embedded("clusters")
    run = sp.policy("minimum").run(clusters)
    ratio = run.ratio(sp.bound("placement.lp", clusters))
    with pytest.raises(ProgramError, match="is about the optimum among schedules without preemption"):
        interval(ratio, [run.schedule])


def test_schedules_of_a_faster_system_are_refused() -> None:
    day = sp.embedded("day")
    fast = sp.policy("srtf", speed=2).run(day)
    ratio = fast.ratio(sp.bound("preemptive.lp4", day, prices="free"))
    with pytest.raises(ProgramError, match="no schedule is known"):
        interval(ratio, [])
    with pytest.raises(InputError, match="not feasible by speed=1"):
        interval(ratio, [fast.schedule])
    slow = sp.policy("a_online").run(day)
    found = interval(ratio, [slow.schedule])
    assert found.known == slow.objective and found.low == fast.objective / slow.objective < found.high
