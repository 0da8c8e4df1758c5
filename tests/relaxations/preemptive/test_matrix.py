from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution
from schedproof.instances.preemptive import from_json
from schedproof.relaxations.preemptive.matrix import class_lp
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.relaxations.preemptive.literal import columns
from tests.relaxations.preemptive.test_lp4 import with_more_of_everything
from tests.support import size
from tests.tiny.preemptive import tiny_preemptive


def test_its_point_satisfies_the_pyomo_model_at_its_cost() -> None:
    for seed in range(size(5, 12, 300)):
        instance = with_more_of_everything(seed)
        program = sp.program("preemptive.lp4", speed=SPEEDS[seed % 4])
        solution = program.solve(instance, solver="matrix")
        if solution.ended != "optimal":
            continue
        model = program.build(instance)
        for variable in model.component_data_objects(pyo.Var, descend_into=True):
            variable.set_value(0)
        for name, entries in solution.values.items():
            for key, value in entries.items():
                model.find_component(name)[key].set_value(value)
        for row in model.component_data_objects(pyo.Constraint, descend_into=True):
            assert row.slack() >= -1e-6, (seed, row.name)
        assert pyo.value(model.objective) == pytest.approx(solution.objective, rel=1e-9)


def test_it_names_every_class_if_jobs_share_none() -> None:
    for seed in range(size(10, 24, 400)):
        instance, speed = micro_instance(seed, units=20, most_jobs=6, late=9), SPEEDS[seed % 4]
        lp = class_lp(instance, "half", "ceil_chunk", speed)
        wanted = [
            (job.index, place, t, cost)
            for job in instance.jobs
            for place, t, _, cost in columns(instance, job, 1, speed)
        ]
        assert lp.unpooled_columns == len(wanted), seed
        if (lp.pool < 0).all():
            place: list[Any] = [(q.server.name, q.type) for q in instance.classes] + [None]  # [-1] is the cloud
            found = [
                (j, place[q], t, Fraction(cost).limit_denominator(10**6))
                for j, q, t, cost in zip(
                    lp.job.tolist(), lp.worker_class.tolist(), lp.slot.tolist(), lp.costs, strict=True
                )
            ]
            assert sorted(found, key=str) == sorted(wanted, key=str), seed


def test_pools_save_columns_if_jobs_share_their_classes() -> None:
    value = tiny_preemptive(11, jobs=12, servers=6, cloud=False, storage=False)
    for row in value["jobs"]:
        row["upload_delay"] = {"*": 1}
    instance = from_json(value)
    lp = class_lp(instance, "half", "ceil_chunk", Fraction(1))
    assert (lp.pool >= 0).any() and lp.columns < lp.unpooled_columns


@pytest.mark.parametrize("block", [2, 3, 7])
def test_prices_of_merged_slots_prove_a_bound_that_is_never_above_the_lp(block: int) -> None:
    for seed in range(1000, 1000 + size(5, 9, 200)):
        instance = with_more_of_everything(seed)
        lp = sp.program("preemptive.lp4").solve(instance, solver="matrix")
        if lp.ended == "optimal":
            bound = sp.bound("preemptive.lp4", instance, block=block)
            assert bound.verify(instance) and bound.value <= lp.objective * (1 + 1e-9), seed


def test_an_infeasible_lp_gives_a_message() -> None:
    found = 0
    for seed in range(40):
        instance = micro_instance(seed, units=8, late=0)
        if sp.program("preemptive.lp4").solve(instance, solver="matrix").ended == "infeasible":
            found += 1
            with pytest.raises(NoSolution, match=r"the LP of \d+ columns ended as 'infeasible'"):
                sp.bound("preemptive.lp4", instance)
    assert found
