from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution
from schedproof.instances.preemptive import from_json
from schedproof.relaxations.preemptive.matrix import class_lp, size_of
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


def test_it_names_every_class_if_no_two_are_alike_and_jobs_share_none() -> None:
    compared = 0
    for seed in range(size(10, 24, 400)):
        instance, speed = micro_instance(seed, units=20, most_jobs=6, late=9), SPEEDS[seed % 4]
        lp = class_lp(instance, "half", "ceil_chunk", speed)
        wanted = [
            (job.index, place, t, cost)
            for job in instance.jobs
            for place, t, _, cost in columns(instance, job, 1, speed)
        ]
        if (lp.pool < 0).all() and len(set(lp.kinds.tolist())) == len(lp.kinds):
            compared += 1
            place: list[Any] = [(q.server.name, q.type) for q in instance.classes] + [None]  # [-1] is the cloud
            found = [
                (j, place[q], t, Fraction(cost).limit_denominator(10**6))
                for j, q, t, cost in zip(lp.job.tolist(), lp.kind.tolist(), lp.slot.tolist(), lp.costs, strict=True)
            ]
            assert sorted(found, key=str) == sorted(wanted, key=str), seed
    assert compared


def test_pools_save_columns_if_jobs_share_their_classes() -> None:
    value = tiny_preemptive(11, jobs=12, servers=6, cloud=False, storage=False)
    for row in value["jobs"]:
        row["upload_delay"] = {server["name"]: place for place, server in enumerate(value["servers"])}
    instance = from_json(value)
    lp = class_lp(instance, "half", "ceil_chunk", Fraction(1))
    unpooled = sum(1 for job in instance.jobs for _ in columns(instance, job, 1, Fraction(1)))
    assert (lp.pool >= 0).any() and lp.columns < unpooled
    assert lp.columns == size_of(instance, Fraction(1))


@pytest.mark.parametrize("closed", [False, True], ids=["open", "breaks"])
def test_machines_alike_are_one_kind(closed: bool) -> None:
    value = tiny_preemptive(11, jobs=12, servers=1, cloud=False, storage=False)
    value["breaks"] = [{"machine": value["servers"][0]["name"], "start": 3, "end": 5}] if closed else []
    for row in value["jobs"]:
        row["upload_delay"] = {"*": 1}
    (server,) = value["servers"]
    four: dict[str, Any] = {"servers": [], "breaks": []}
    for n in range(4):
        four["servers"].append(server | {"name": f"s{n}"})
        four["breaks"] += [row | {"machine": f"s{n}"} for row in value["breaks"]]
    server["workers"] = {kind: 4 * count for kind, count in server["workers"].items()}
    one, many = from_json(value), from_json(value | four)
    lps = [class_lp(instance, "half", "ceil_chunk", Fraction(1)) for instance in (one, many)]
    assert lps[1].kinds.tolist() == 4 * lps[0].kinds.tolist() and lps[1].columns < 2 * lps[0].columns
    pooled, apart = (sp.bound("preemptive.lp4", instance) for instance in (one, many))
    assert apart.verify(many) and apart.value == pytest.approx(pooled.value, rel=1e-5)


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
