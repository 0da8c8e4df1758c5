from __future__ import annotations

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.formulations.multiserver.optima import slot_optimum, stationary
from schedproof.instances.multiserver import from_json
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports


def test_it_is_the_stationary_optimum_of_one_slot() -> None:
    for seed in range(size(2, 5, 100)):
        gain = ("node", "total")[seed % 2]
        value = tiny_multiserver(seed, copies=2, horizon=3)
        instance = from_json(value)
        values = []
        for slot, row in enumerate(value["arrivals"]):
            found = slot_optimum(slot=slot, gain=gain).solve(instance)
            alone = from_json(value | {"arrivals": [row]})
            expected = stationary(gain=gain).solve(alone, solver="scs")
            assert found.objective == pytest.approx(expected.objective, rel=1e-7, abs=1e-7), seed
            values.append(found.objective)
        assert sum(values) >= stationary(gain=gain).solve(instance).objective - 1e-7, seed


def test_its_schedule_is_zero_in_other_slots() -> None:
    instance = tiny_ports(1, horizon=4)
    slot = int(np.argmax(instance.arrivals.sum(axis=1)))
    found = slot_optimum(slot=slot, gain="total").solve(instance)
    schedule = found.schedule()
    assert schedule.violations(instance) == [] and schedule.options == {"slot": slot, "gain": "total"}
    assert float(schedule.objective(instance)) == pytest.approx(found.objective, rel=1e-8) and found.objective > 0.1
    given = [y.any() for block in schedule.blocks() for y in block]
    assert given == [t == slot for t in range(4)]


def test_a_slot_after_the_horizon_gives_a_message() -> None:
    with pytest.raises(InputError, match=r"slot=5: expected a slot from 0 to 4"):
        slot_optimum(slot=5).solve(tiny_ports(0))


def test_the_rows_are_those_of_the_stationary_optimum_but_for_the_presence() -> None:
    rows, others = (program.latex().splitlines() for program in (slot_optimum(slot=0), stationary()))
    assert [row for row in rows if row not in others] == [r"& n_l = x_l(t) && \text{(8)} \\"]
