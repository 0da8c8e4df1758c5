from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import log

import pytest

from schedproof.instances.dmlrs import Instance, from_json
from schedproof.instances.dmlrs.drive import system
from schedproof.instances.dmlrs.extremes import extremes
from schedproof.reference import dmlrs as reference
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster, tiny_dmlrs


@pytest.mark.parametrize("variant", ["printed", "repaired"])
def test_the_extremes_are_those_of_the_reference(variant: str) -> None:
    priced = 0
    for seed in range(size(30, 120, 2000)):
        instance = tiny_cluster(seed, jobs=1 + seed % 4)
        found = extremes(instance, variant)
        tops = {r: reference.highest(instance, r, variant == "printed") for r in reference.demanded_resources(instance)}
        assert found.log_highest == {r: pytest.approx(log(top), abs=1e-12) for r, top in tops.items() if top}
        lowest = reference.lowest(instance)
        assert (found.log_lowest is None) == (lowest is None), seed
        if lowest is not None:
            assert found.log_lowest == pytest.approx(log(lowest), abs=1e-12)
            priced += 1
    assert priced


def two_jobs() -> Instance:
    """V = 8 and 6, c_i = 1/2, c_e = 1, F = 2; 10 GPUs and 5 of an unused resource."""
    value = tiny_dmlrs(0, jobs=2, machines=1, horizon=5, reserved=False)
    value["resources"] = ["gpu", "spare"]
    value["machines"] = [{"name": "m", "capacity": {"gpu": 10, "spare": 5}}]
    for n, job in enumerate(value["jobs"]):
        job |= {"arrival": n, "epochs": 2, "samples": 4 - n, "batch_size": 2, "workers_per_ps": 1}
        job |= {"sample_time": Decimal("0.25"), "model_size": Decimal("0.75")}
        job |= {"bandwidth_internal": 3, "bandwidth_external": 1, "worker": {"gpu": 2}, "ps": {"gpu": 1}}
    value["jobs"][0]["utility"] = {"kind": "table", "values": [12, 9, 6, 3, 1]}
    value["jobs"][1]["utility"] = {"kind": "constant", "value": 4}
    return from_json(value)


def test_a_case_by_hand() -> None:
    instance = two_jobs()
    first = instance.jobs[0]
    assert (first.internal_time, first.external_time) == (Fraction(1, 2), Fraction(1))
    printed, repaired = extremes(instance, "printed"), extremes(instance, "repaired")
    # fastest: ceil(8/2/2) = 2 and ceil(6/2/2) = 2; printed arguments max(0, 2 - 1) + 1 = 2 and max(0, 2 - 2) + 1 = 1
    assert printed.log_highest == {"gpu": pytest.approx(log(9 / 3))}
    assert repaired.log_highest == {"gpu": pytest.approx(log(9 / 1))}, "the smallest positive demand is the server's"
    # least use: 8 (2 + 1) = 24 and 18; the spare resource is used by nobody: mu = 5 * 10 / 18
    mu = 50 / 18
    assert printed.log_lowest == repaired.log_lowest == pytest.approx(log(min(1 / (2 * mu * 24), 4 / (2 * mu * 18))))
    assert printed.left_out == ()


def test_a_job_without_utility_at_the_horizon_is_omitted_and_named() -> None:
    value = tiny_dmlrs(4, jobs=3, horizon=4, reserved=False)
    value["jobs"][0]["utility"] = {"kind": "linear", "value": 1, "slope": 1}
    value["jobs"][1]["utility"] = {"kind": "constant", "value": 2}
    value["jobs"][2]["utility"] = {"kind": "constant", "value": 3}
    found = extremes(from_json(value), "printed")
    assert found.left_out == ("job-0",) and found.log_lowest is not None
    for job in value["jobs"]:
        job["utility"] = {"kind": "constant", "value": 0}
    found = extremes(from_json(value), "printed")
    assert found.log_lowest is None and found.left_out == ("job-0", "job-1", "job-2")
    assert found.log_highest == {}, "nobody earns anything with any resource"


def test_without_capacity_or_jobs_there_are_no_prices() -> None:
    value = tiny_dmlrs(4, reserved=False)
    for machine in value["machines"]:
        machine["capacity"] = {}
    assert extremes(from_json(value), "repaired").log_lowest is None
    value["jobs"] = []
    empty = extremes(from_json(value), "repaired")
    assert (empty.log_highest, empty.log_lowest, empty.left_out) == ({}, None, ())


def test_a_steep_sigmoid_does_not_underflow() -> None:
    value = tiny_dmlrs(4, jobs=1, horizon=80, reserved=False)
    value["jobs"][0] |= {
        "arrival": 0,
        "utility": {"kind": "sigmoid", "theta1": 100, "theta2": 1000, "theta3": 1},
        "worker": {"gpu": 1},
        "ps": {"gpu": 1},
    }
    lowest = extremes(from_json(value), "printed").log_lowest
    assert lowest is not None and -80_000 < lowest < -78_000, "ln u(80) is about -79,000; u(80) itself is 0 as a double"


def test_a_policy_gets_them_and_no_jobs() -> None:
    instance = tiny_cluster(1)
    seen = system(instance)
    assert seen.extremes("printed") == extremes(instance, "printed")
    assert seen.cluster.jobs == () and seen.cluster.machines == instance.machines
