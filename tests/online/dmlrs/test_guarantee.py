from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import schedproof as sp
from schedproof.instances.dmlrs import Instance
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job
from tests.support import size


def crowd(seed: int, capacity: int = 8, **more: Any) -> Instance:
    rng = random.Random(seed)
    rows = []
    for n in range(3 * capacity):
        utility = {"kind": "linear", "value": rng.randrange(2, 40), "slope": rng.randrange(2)}
        rows.append(job(f"j{n}", 1, 0, {"gpu": 1}, utility=utility) | more)
    return build_instance([{"gpu": capacity}], rows, horizon=2)


@pytest.mark.parametrize("seed", range(size(3, 8, 100)))
def test_a_quoted_guarantee_holds(seed: int) -> None:
    instance = crowd(seed)
    run = sp.policy("pd_ors", bounds="repaired", share="1/8").run(instance)
    assert set(run.guarantee.premises.values()) == {"yes"}
    best = assigned(instance)
    assert run.guarantee.value is not None
    assert run.objective * run.guarantee.value >= best >= run.objective


def assigned(instance: Instance) -> Fraction:
    """Return the optimum of a crowd: each job in the first slot, the second, or none."""
    places = [1 + n % 2 for n in range(16)]
    worth = np.array([[int(job.utility.lower(time)) for time in places] for job in instance.jobs])
    return Fraction(int(worth[linear_sum_assignment(worth, maximize=True)].sum()))


def test_the_guarantees_value_by_hand() -> None:
    # U = 10, mu = 16, L = 10/32: U/L = 32 and x = 1/8, so eps = (32^(1/7) - 1) 8.
    instance = crowd(0, utility={"kind": "constant", "value": 10})
    value = sp.policy("pd_ors", bounds="repaired", share="1/8").run(instance).guarantee.value
    growth = value / 2 / 8 + 1
    assert growth**7 >= 32 > (growth - Fraction(1, 10**6)) ** 7


@pytest.mark.parametrize(
    ("options", "more", "fails"),
    [
        ({}, {}, ["repaired prices", "no job can take more"]),
        ({"bounds": "repaired", "share": "1/9"}, {}, ["no job can take more", "a job that can finish"]),
        ({"bounds": "repaired", "share": "1/8", "span": "1/10"}, {}, ["a job that can finish"]),
        ({"bounds": "repaired", "share": "1/8", "span": 9000}, {}, ["(U/L)^(x/(1-x))"]),
        ({"bounds": "repaired", "share": "1/8", "theta": "lp_rounding"}, {}, ["theta and best"]),
        (
            {"bounds": "repaired", "share": "1/8", "fineness": 1},
            {"model_size": 1, "bandwidth_internal": 3},
            ["theta and best"],
        ),
    ],
)
def test_the_guarantee_is_withheld_if_a_premise_fails(
    options: dict[str, Any], more: dict[str, Any], fails: list[str]
) -> None:
    run = sp.policy("pd_ors", **options).run(crowd(1, **more))
    failing = [premise for premise, answer in run.guarantee.premises.items() if answer != "yes"]
    assert all(any(premise.startswith(start) for premise in failing) for start in fails), failing


def test_reservations_and_zero_utilities_withhold_the_guarantee() -> None:
    instance = crowd(2)
    held = Instance(2, instance.resources, instance.machines, instance.jobs, {(0, 0, "gpu"): Fraction(1)})
    nobody = crowd(2, utility={"kind": "constant", "value": 0})
    for case in (held, nobody):
        premises = sp.policy("pd_ors", bounds="repaired", share="1/8").run(case).guarantee.premises
        assert premises["a job that can finish is worth twice everything free at the start"] == "no"


def test_a_span_without_utilities_does_not_crash() -> None:
    nobody = crowd(2, utility={"kind": "constant", "value": 0})
    run = sp.policy("pd_ors", bounds="repaired", share="1/8", span=5).run(nobody)
    assert run.objective == 0
    assert "no" in run.guarantee.premises.values()


def test_oasis_has_no_guarantee() -> None:
    run = sp.policy("oasis", bounds="repaired", share="1/8").run(crowd(3))
    assert run.guarantee.premises["theta and best schedules exact"] == "no"
