"""The class LP as a VIPR file states it is the Pyomo program, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core import vipr
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.instances.preemptive import Instance
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.support import size
from tests.vipr import assert_same, of_model, proven


def numbered(instance: Instance, component: Any) -> str:
    """``class_capacity[1,7]`` for the row of the second class in slot 7."""
    block, kind = component.parent_block().local_name, component.parent_component().local_name
    index = component.index() if isinstance(component.index(), tuple) else (component.index(),)
    places = [(q.server.name, q.type) for q in instance.classes]
    numbers = [] if block == "class_capacity" else [[job.name for job in instance.jobs].index(index[0])]
    if kind == "edge" or block == "class_capacity":
        numbers.append(places.index(index[-3:-1]))
    if block != "class_work":
        numbers.append(index[-1])
    return f"{kind if kind in ('edge', 'cloud') else block}[{','.join(map(str, numbers))}]"


@pytest.mark.parametrize("cost", ["printed", "half"])
def test_it_is_the_program(cost: str, tmp_path: Path) -> None:
    compared = 0
    for seed in range(size(12, 24, 400)):
        instance, options = micro_instance(seed, units=8, late=9), {"cost": cost, "speed": SPEEDS[seed % 4]}
        try:
            bound = sp.bound("preemptive.lp4", instance, **options)
        except (NoSolution, ProgramError):  # a horizon that is too short
            continue
        vipr.write_vipr(tmp_path / "a.vipr", bound, vipr.listed("lp4", instance, options))
        stated, *_ = proven((tmp_path / "a.vipr").read_text())
        model = sp.program("preemptive.lp4", **options).build(instance)
        assert_same(stated, of_model(model, lambda component, instance=instance: numbered(instance, component)))
        compared += 1
    assert compared
