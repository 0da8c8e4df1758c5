from __future__ import annotations

from fractions import Fraction
from math import exp, inf, isclose, log
from typing import Any

import numpy as np
import pytest
from msgspec import structs

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.formulations.dmlrs.schedules import plans
from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs import Instance, Job, from_json, to_json
from schedproof.instances.dmlrs.drive import system
from schedproof.instances.dmlrs.utility import Constant
from schedproof.online.dmlrs.oasis import Oasis
from schedproof.online.dmlrs.pd_ors import PdOrs, usual_fineness
from schedproof.online.dmlrs.prices import scale_costs
from schedproof.proofs_checks.strategies import dmlrs_builders as builders
from schedproof.rounding import dmlrs as rounding
from schedproof.workloads.dmlrs import generate
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster

CHOICES: list[dict[str, Any]] = [
    {},
    {"bounds": "repaired"},
    {"bounds": "repaired", "share": "1/2"},
    {"theta": "lp_rounding"},
    {"theta": "lp_rounding", "gain": "workload", "delta": "1/4"},
    {"theta": "lp_rounding", "gain": "resources"},
    {"theta": "lp_rounding_shrunk"},
    {"fineness": 2},
    {"span": 5},
]


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_every_variant_decides_feasible_schedules(options: dict[str, Any]) -> None:
    for seed in range(size(5, 15, 300)):
        instance = tiny_cluster(seed, exact_utilities=False)
        run = sp.policy("pd_ors", **options).run(instance, seed=seed)
        assert run.feasible, (seed, run.violations)
        assert not run.schedule.unfinished


def test_workers_beyond_the_demand_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    instances = [from_json(generate("figure6", seed, {"jobs": "3"})) for seed in (5, 7)]
    policy = sp.policy("pd_ors", theta="lp_rounding_shrunk")
    assert all(policy.run(instance).feasible for instance in instances)
    monkeypatch.setattr(rounding._Slot, "_without_excess", lambda self, point, demand: point)
    assert not any(policy.run(instance).feasible for instance in instances)


def best_by_trying(instance: Instance, job: Job, policy: PdOrs) -> float:
    """Return the largest payoff over every schedule that fits; 0 to reject."""
    prices, scale = policy.prices.seen_from(job.arrival)
    worker, ps = instance.grid.worker(job), instance.grid.ps(job)
    best = 0.0
    for plan in plans(instance, job):
        amounts = [(p, worker * p.workers + ps * p.ps) for p in plan.placements]
        if all((used <= policy.prices.free(p.slot)[p.machine]).all() for p, used in amounts):
            cost = sum(float(prices[p.slot - job.arrival, p.machine] @ used) for p, used in amounts) * exp(scale)
            best = max(best, float(plan.utility) - cost)
    return best


@pytest.mark.parametrize("bounds", ["printed", "repaired"])
def test_each_decision_is_the_best_of_all_schedules(bounds: str) -> None:
    decided = 0
    for seed in range(size(10, 36, 600)):
        instance = tiny_cluster(seed, jobs=4, horizon=3, most_workers=3)
        policy = PdOrs(bounds=bounds, share=None if bounds == "printed" else Fraction(3, 4))
        policy.start(system(instance))
        for time, jobs in arrivals(instance.jobs):
            for job in jobs:
                prices, scale = policy.prices.seen_from(job.arrival)
                rows = policy.best(job)
                worker, ps = instance.grid.worker(job), instance.grid.ps(job)
                cost = sum(
                    float(prices[p.slot - job.arrival, p.machine] @ (worker * p.workers + ps * p.ps)) for p in rows
                ) * exp(scale)
                end = max((p.slot + 1 for p in rows if p.workers), default=None)
                got = 0.0 if end is None else float(job.utility.lower(end - job.arrival)) - cost
                wanted = best_by_trying(instance, job, policy)
                assert isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12), (seed, job.name)
                decided += end is not None
                policy.arrive(time, [job])
    assert decided > 10


def one_machine(capacity: int, utilities: list[int], arrival: int = 0) -> Instance:
    jobs = [builders.job(f"j{n}", 1, value, {"gpu": 1}, arrival=arrival) for n, value in enumerate(utilities)]
    return builders.build_instance([{"gpu": capacity}], jobs, horizon=arrival + 1)


def test_prices_rise_from_l_to_u_as_the_machine_fills() -> None:
    instance = one_machine(4, [8, 2])  # mu = T C / 1 = 4, L = 2 / (2 mu) = 1/4, U = 8
    policy = PdOrs()
    policy.start(system(instance))
    seen = []
    for _ in range(5):
        prices, scale = policy.prices.seen_from(0)
        seen.append(float(prices[0, 0, 0]) * exp(scale))
        policy.prices.take(0, 0, np.array([1]))
    assert [round(price, 9) for price in seen] == [round(0.25 * 32 ** (n / 4), 9) for n in range(5)]


def test_early_low_utility_jobs_are_rejected_for_future_jobs() -> None:
    instance = one_machine(2, [5, 5, 1, 100])  # L = 1/4, U = 100: 0.25, 5 and 100 in turn
    run = sp.policy("pd_ors").run(instance)
    assert sorted(run.schedule.completions(instance)) == [0, 3]  # the second job of 5 does not exceed the price 5


def test_a_full_resource_blocks_at_any_utility() -> None:
    run = sp.policy("pd_ors").run(one_machine(1, [10, 10**6]))
    assert list(run.schedule.completions(run.instance)) == [0]


def test_a_share_caps_a_jobs_use_of_a_machine() -> None:
    instance = tiny_cluster(4)
    policy = PdOrs(bounds="repaired", share=Fraction(1, 2))
    policy.start(system(instance))
    assert (policy.prices.free(0) <= instance.grid.capacity // 2).all()


def test_reservations_count_as_used() -> None:
    seed = next(s for s in range(100) if tiny_cluster(s, reserved=True).reserved)
    instance = tiny_cluster(seed, reserved=True)
    policy = PdOrs()
    policy.start(system(instance))
    for slot in range(instance.horizon):
        assert (policy.prices.free(slot) == instance.grid.at(slot)).all()


def test_utilities_that_vanish_at_the_horizon_are_excluded_from_l() -> None:
    value = one_machine(2, [5, 5])
    jobs = tuple(structs.replace(job, utility=Constant(Fraction(5 * n))) for n, job in enumerate(value.jobs))
    instance = Instance(1, value.resources, value.machines, jobs, {})
    assert system(instance).extremes("printed").left_out == ("j0",)
    assert sp.policy("pd_ors").run(instance).objective == 5
    nobody = Instance(1, value.resources, value.machines, jobs[:1], {})
    assert sp.policy("pd_ors").run(nobody).objective == 0


def test_prices_that_span_e_to_the_500_are_distinguished() -> None:
    instance = tiny_cluster(3)
    sharp = {"kind": "sigmoid", "theta1": 50, "theta2": 200, "theta3": 1}
    value = to_json(instance)
    value["jobs"] = [row | {"utility": sharp, "arrival": 0} for row in value["jobs"]]
    late = from_json(value)
    extremes = system(late).extremes("printed")
    assert extremes.log_lowest is not None and extremes.log_lowest < -500
    assert sp.policy("pd_ors").run(late).feasible


def test_a_span_that_is_set_raises_l() -> None:
    instance = one_machine(4, [8, 2])
    policy = PdOrs(span=Fraction(2))
    policy.start(system(instance))
    prices, scale = policy.prices.seen_from(0)
    assert isclose(float(prices[0, 0, 0]) * exp(scale), 8 * exp(-2))


def test_costs_beyond_all_doubles_reject_and_zeros_stay() -> None:
    assert scale_costs(np.array([0.0, 1.0, inf]), 800.0).tolist() == [0.0, inf, inf]
    assert scale_costs(np.array([0.0, 2.0]), log(3.0)).tolist() == pytest.approx([0.0, 6.0])


def test_equal_seeds_give_equal_runs_and_other_seeds_others() -> None:
    def rows(seed: int) -> list[Any]:
        return [
            sp.policy("pd_ors", theta="lp_rounding", draws=1).run(tiny_cluster(s), seed=seed).schedule.placements
            for s in range(30)
        ]

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_oasis_separates_workers_and_parameter_servers() -> None:
    placed = 0
    for seed in range(size(10, 24, 300)):
        instance = tiny_cluster(seed, machines=3)
        run = sp.policy("oasis").run(instance)
        assert run.feasible
        for p in run.schedule.placements:
            placed += 1
            assert (p.workers == 0) if p.machine == 2 else (p.ps == 0)
    assert placed > 10


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"theta": "magic"}, "exact, lp_rounding"),
        ({"bounds": "hoped"}, "printed, repaired"),
        ({"share": "1/2"}, r"expected only with bounds=repaired"),
        ({"bounds": "repaired", "share": 1}, r"number in \(0, 1\)"),
        ({"fineness": "coarse"}, "an integer >= 1"),
        ({"span": 0}, "number > 0"),
        ({"gain": "none"}, "number > 0"),
        ({"delta": 2}, r"number in \(0, 1\]"),
        ({"draws": 0}, "an integer from 1 to 10000"),
    ],
)
def test_bad_options_give_one_message(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        sp.policy("pd_ors", **options).run(one_machine(1, [1]))


def test_the_sweep_is_exact_for_small_jobs_and_bounded_for_large_ones() -> None:
    job = tiny_cluster(1).jobs[0]
    assert usual_fineness(job) == "exact"
    assert usual_fineness(structs.replace(job, samples=10**6, sample_time=Fraction(1), external_time=Fraction(1))) == 1
    assert usual_fineness(structs.replace(job, epochs=1, samples=2000, external_time=Fraction(1))) == 16


def test_oasis_with_one_machine_has_nowhere_for_parameter_servers() -> None:
    policy = Oasis()
    instance = tiny_cluster(1, machines=1)
    policy.start(system(instance))
    assert all(not policy.best(job) for job in instance.jobs)
