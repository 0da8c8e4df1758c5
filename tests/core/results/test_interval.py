from __future__ import annotations

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, ProgramError
from schedproof.core.results.ratio import interval


def test_a_bound_on_some_schedules_only_is_refused() -> None:
    cells = sp.embedded("cells")
    run = sp.policy("greedy").run(cells)
    with pytest.raises(ProgramError, match="bounds only the optimum among schedules that split"):
        interval(run.ratio(sp.bound("jrp.lp_i", cells)), [run.schedule])


def test_a_bound_on_all_schedules_of_its_rules_has_two_sides() -> None:
    day = sp.embedded("day")
    best = sp.policy("offline").run(day)
    found = interval(sp.policy("srtf").run(day).ratio(sp.bound("preemptive.configuration_lp", day)), [best.schedule])
    assert found.known == best.objective and found.low * found.known_ratio == found.high
    assert found.known_ratio == best.ratio(found.ratio.bound).exact > 1


def test_schedules_of_a_faster_system_are_refused() -> None:
    day = sp.embedded("day")
    fast = sp.policy("srtf", speed=2).run(day)
    ratio = fast.ratio(sp.bound("preemptive.lp4", day, prices="free"))
    with pytest.raises(ProgramError, match="covers none of the known schedules"):
        interval(ratio, [])
    with pytest.raises(InputError, match="infeasible under speed=1"):
        interval(ratio, [fast.schedule])
    slow = sp.policy("a_online").run(day)
    found = interval(ratio, [slow.schedule])
    assert found.known == slow.objective and found.low == fast.objective / slow.objective < found.high
