from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.formulations.dmlrs.patterns import patterns
from schedproof.formulations.dmlrs.slot_query import slot_query
from schedproof.instances.dmlrs import Instance, Job
from schedproof.reference.dmlrs_given_prices import cost as cost_of
from schedproof.reference.dmlrs_given_prices import theta
from schedproof.reference.dmlrs_schedules import Use, placements
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster

ROUNDING = 1e-6  # of a solver's objective


def drawn(instance: Instance, slot: int, seed: int) -> tuple[Use, dict[str, dict[str, Fraction]]]:
    """Random integer prices of a slot, some 0: by position, and in the option's form."""
    rng = random.Random(seed)
    price = {(slot, m.index, r): Fraction(rng.randrange(6)) for m in instance.machines for r in instance.resources}
    return price, {m.name: {r: price[slot, m.index, r] for r in instance.resources} for m in instance.machines}


def cost(instance: Instance, job: Job, t: int, samples: Any, prices: Any, form: str = "milp") -> float | None:
    options = {"job": job.name, "slot": t, "workload": samples, "prices": prices, "form": form}
    solution = sp.program("dmlrs.slot", **options).solve(instance)
    if solution.ended == "infeasible":
        return None
    assert solution.ended == "optimal", solution
    return solution.objective


def cases(first: int, count: int) -> Any:
    """(instance, job, slot, samples) of tiny clusters."""
    for seed in range(first, first + count):
        instance = tiny_cluster(seed, machines=2 + seed % 2, most_workers=3)
        job = instance.jobs[seed % len(instance.jobs)]
        rng = random.Random(seed)
        yield seed, instance, job, rng.randrange(job.arrival, instance.horizon), Fraction(rng.randrange(9), 2)


def test_the_program_equals_enumeration() -> None:
    seen = set()
    for seed, instance, job, t, samples in cases(0, size(10, 22, 600)):
        price, prices = drawn(instance, t, seed)
        least = theta(instance, job, t, samples, price)
        found = cost(instance, job, t, samples, prices)
        assert found == (None if least is None else pytest.approx(float(least), abs=ROUNDING)), seed
        seen.add(None if least is None else least > 0)
    assert seen == {None, False, True}


def test_the_patterns_are_a_lower_bound_and_usually_tight() -> None:
    compared, equal = 0, 0
    for seed, instance, job, t, samples in cases(1000, size(10, 18, 500)):
        _, prices = drawn(instance, t, seed)
        exactly, below = (cost(instance, job, t, samples, prices, form) for form in ("milp", "pattern"))
        if exactly is not None:
            assert below is not None and below <= exactly + ROUNDING, seed
            compared += 1
            equal += below > exactly - ROUNDING
    assert equal > compared / 2 > 0


def test_a_mixture_of_patterns_may_be_cheaper_than_any_integer_point() -> None:
    # Three workers of 3 GPUs and a PS of 2 on machines of 3, 7 and 4 GPUs at 0, 4 and 1 each. A worker goes to the
    # first machine and one to the last, the rest to the second: 0 + 3 + 20. Mixed, the last machine holds half a worker
    # and one PS, (3 + 4) / 2, and the second one and a half workers, 18.
    job = job_row("a", samples=3, batch_size=6, workers_per_ps=3, worker={"gpu": 3}, ps={"gpu": 2})
    instance = cluster(job, machines=(3, 7, 4))
    prices = {"m1": {"gpu": 4}, "m2": {"gpu": 1}}
    assert cost(instance, instance.jobs[0], 0, 3, prices) == pytest.approx(23)
    assert cost(instance, instance.jobs[0], 0, 3, prices, "pattern") == pytest.approx(21.5)


def test_patterns_are_the_vertices_of_a_machines_feasible_set() -> None:
    for seed, instance, job, t, _ in cases(2000, size(10, 30, 300)):
        query = slot_query(instance, job.name, t, Fraction(1), Fraction(1))
        for machine in instance.machines:
            corners = patterns(query, machine.index)
            most_ps = job.ps_needed(job.batch_size)
            fits = {
                (w, s)
                for w in range(job.batch_size + 1)
                for s in range(most_ps + 1)
                if all(
                    job.worker.get(r, 0) * w + job.ps.get(r, 0) * s <= instance.free(t, machine, r)
                    for r in instance.resources
                )
            }
            assert set(corners) <= fits, seed
            rng = random.Random(seed)
            for _ in range(20):  # every linear function is largest at a corner
                a, b = rng.randrange(-5, 6), rng.randrange(-5, 6)
                assert max(a * w + b * s for w, s in fits) == max(a * w + b * s for w, s in corners), (seed, a, b)


def test_the_printed_external_program_has_no_row_for_the_parameter_servers() -> None:
    # Two workers at price 1 each, without the PS, also at price 1, that they need.
    job = job_row("a", samples=4, batch_size=4, model_size=1, sample_time=Fraction(1, 2), ps={"gpu": 1})
    instance = cluster(job, machines=(2, 2))
    query = slot_query(instance, "a", 0, Fraction(2), Fraction(1))
    assert (query.internal_workers, query.external_workers) == (2, 2)
    assert cost(instance, query.job, 0, 2, 1) == pytest.approx(4)
    assert cost(instance, query.job, 0, 2, 1, "printed23") == pytest.approx(2)


def test_the_printed_external_program_is_never_above_the_external_case() -> None:
    differ = 0
    for seed, instance, job, t, samples in cases(3000, size(10, 24, 400)):
        price, prices = drawn(instance, t, seed)
        needed = samples * job.external_time
        external = [cost_of(p.use, price) for p in placements(instance, job, t) if p.workers >= needed]
        printed = cost(instance, job, t, samples, prices, "printed23")
        if external:
            assert printed is not None and printed <= float(min(external)) + ROUNDING, seed
            differ += printed < float(min(external)) - ROUNDING
    assert differ


def test_the_printed_internal_program_is_solved_by_zero() -> None:
    for _, instance, job, t, samples in cases(4000, size(3, 6, 50)):
        assert cost(instance, job, t, samples, 1, "printed22") == 0


def test_prices_may_be_a_number_a_mapping_or_a_file(tmp_path: Path) -> None:
    instance = cluster(
        job_row("a", samples=2, batch_size=2, worker={"gpu": 1, "cpu": 2}), machines=({"gpu": 2, "cpu": 9},)
    )
    file = tmp_path / "prices.json"
    file.write_text('{"m0": {"gpu": 0.5, "cpu": 1.5}}')
    job = instance.jobs[0]
    for prices, value in ((1, 6), ("1.5", 9), ("3/2", 9), ({"m0": {"cpu": 1}}, 4), (str(file), 7), ({}, 0)):
        for form in ("milp", "pattern"):
            assert cost(instance, job, 0, 2, prices, form) == pytest.approx(value), (prices, form)


def test_zero_work_costs_zero_and_too_much_work_is_infeasible() -> None:
    instance = cluster(job_row("a"))
    for form in ("milp", "pattern"):
        assert cost(instance, instance.jobs[0], 0, 0, 3, form) == 0
        assert cost(instance, instance.jobs[0], 0, 2, 3, form) is None


GIVEN = {"job": "a", "slot": "1", "workload": "1", "prices": "1"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"job": "z"}, "job=z: expected the name of a job of this instance"),
        ({"slot": "0"}, "slot=0: expected a slot from the arrival, 1, to 3"),
        ({"slot": "4"}, "slot=4: expected a slot from the arrival, 1, to 3"),
        ({"slot": "one"}, "slot=one: expected an integer >= 0"),
        ({"slot": "0.5"}, "slot=0.5: expected an integer >= 0"),
        ({"workload": "-1"}, "workload=-1: expected a number >= 0"),
        ({"workload": "1/0"}, "workload=1/0: expected a number >= 0"),
        ({"workload": "nan"}, "workload=nan: expected a number >= 0"),
        ({"prices": "-2"}, "prices=-2: expected a number >= 0"),
        ({"prices": "nowhere.json"}, "prices=nowhere.json: expected a number or a JSON file of prices: cannot be read"),
        ({"prices": {"m0": 3}}, "prices: expected a number or a mapping machine -> resource -> price"),
        ({"prices": {"m0": {"gpu": "dear"}}}, "prices.m0.gpu=dear: expected a number >= 0"),
        ({"prices": {"m7": {"gpu": 1}}}, "prices: the instance has no machine 'm7'"),
        (
            {"prices": {"m0": {"tpu": 1}}},
            "prices of machine 'm0': the instance has no resource 'tpu'",
        ),
    ],
)
def test_a_bad_option_gives_one_message(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=f"^{words}"):
        sp.program("dmlrs.slot", **(GIVEN | changes)).solve(cluster(job_row("a", arrival=1)))
