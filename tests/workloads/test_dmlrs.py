from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.instances import from_json
from schedproof.instances.dmlrs import Instance
from schedproof.instances.dmlrs.instance import notes
from schedproof.instances.dmlrs.utility import Constant, Linear, Sigmoid, Table
from schedproof.workloads.dmlrs import PRESETS, draws, generate
from schedproof.workloads.dmlrs.settings import RESOURCES, Settings, configure
from schedproof.workloads.draws import random_numbers
from tests.support import size

LITERAL = {"infeasible_alone": "keep"}


def drawn(preset: str, seed: int, **settings: str) -> Instance:
    return from_json(generate(preset, seed, settings))


def shares(rows: list[Any]) -> dict[Any, float]:
    return {key: count / len(rows) for key, count in Counter(rows).items()}


def test_every_tiny_instance_is_valid_small_and_rational() -> None:
    infeasible_alone = 0
    for seed in range(size(100, 100, 1000)):
        instance = drawn("tiny", seed)
        assert (len(instance.jobs), len(instance.machines), instance.horizon) == (3, 2, 5)
        for job in instance.jobs:
            assert job.batch_size <= 4 and job.work <= 6
            assert isinstance(job.utility, Constant | Linear | Table)
        infeasible_alone += len(instance.unservable_jobs)
    assert infeasible_alone < 0.25 * 3 * size(100, 100, 1000), "mostly something to schedule"


@pytest.mark.parametrize(
    ("preset", "jobs", "machines", "horizon"),
    [("figure6", 50, 100, 20), ("figure9", 100, 30, 80), ("figure10", 10, 12, 10)],
)
def test_the_papers_presets_have_the_papers_sizes(preset: str, jobs: int, machines: int, horizon: int) -> None:
    for seed in range(5):
        instance = drawn(preset, seed)
        assert (len(instance.jobs), len(instance.machines), instance.horizon) == (jobs, machines, horizon)
        assert instance.resources == RESOURCES == ("gpu", "cpu", "memory", "storage")
        for machine in instance.machines:
            assert machine.capacity == {"gpu": 36, "cpu": 99, "memory": 306, "storage": 135}


def test_section_fives_ranges() -> None:
    instance = drawn("figure6", 3, jobs="2000", **LITERAL)
    reached: dict[str, set[Fraction]] = {}

    def within(name: str, value: Fraction | int, low: str, high: str) -> None:
        assert Fraction(low) <= value <= Fraction(high), (name, value)
        reached.setdefault(name, set()).add(Fraction(value))

    for job in instance.jobs:
        within("E", job.epochs, "50", "200")
        within("K", job.samples, "20000", "500000")
        within("F", job.batch_size, "1", "200")
        within("gamma", job.workers_per_ps, "1", "10")
        within("tau", job.sample_time, "1e-5", "1e-4")
        within("g", job.model_size, "30", "575")
        within("external", job.bandwidth_external, "450000", "4500000")  # an hour at 1 and 10 Gbps, in MB
        within("times", job.bandwidth_internal / job.bandwidth_external, "5", "20")
        within("worker gpu", job.worker.get("gpu", 0), "0", "4")
        assert "gpu" not in job.ps
        for role, demand in (("worker", job.worker), ("ps", job.ps)):
            within(f"{role} cpu", demand["cpu"], "1", "10")
            within(f"{role} memory", demand["memory"], "2", "32")
            within(f"{role} storage", demand["storage"], "5", "10")
        assert isinstance(job.utility, Sigmoid)
        within("theta1", job.utility.theta1, "1", "100")
        within("theta3", job.utility.theta3, "1", "15")
        theta2 = job.utility.theta2
        assert theta2 == 0 or Fraction("0.01") <= theta2 <= 1 or 4 <= theta2 <= 6
    for name, count in {"gamma": 10, "worker gpu": 5, "worker cpu": 10, "ps memory": 31, "theta3": 15}.items():
        assert len(reached[name]) == count, f"every whole number of {name} is drawn"
    for name in ("E", "K", "F", "tau", "g", "external"):
        low, high, mean = min(reached[name]), max(reached[name]), sum(reached[name]) / len(reached[name])
        assert abs(mean / ((low + high) / 2) - 1) < 0.1, f"{name} is uniform"


@pytest.mark.parametrize(("mix", "expected"), [("10/55/35", (0.10, 0.55, 0.35)), ("30/69/1", (0.30, 0.69, 0.01))])
def test_the_mix_of_classes(mix: str, expected: tuple[float, ...]) -> None:
    instance = drawn("figure6", 1, jobs="4000", mix=mix, **LITERAL)
    thetas = [float(job.utility.theta2) for job in instance.jobs]  # type: ignore[attr-defined]
    found = shares([0 if theta == 0 else 1 if theta <= 1 else 2 for theta in thetas])
    for kind, share in enumerate(expected):
        assert abs(found[kind] - share) < 6 * np.sqrt(share * (1 - share) / 4000)


def test_arrivals_alternate_between_one_and_two_thirds() -> None:
    settings = configure(Settings(), {"jobs": "100000", "horizon": "20"})
    arrival = draws.arrivals(random_numbers(0), settings)
    assert arrival == sorted(arrival)
    for slot, share in shares(arrival).items():
        expected = (2 if slot % 2 else 1) / 30
        assert abs(share - expected) < 6 * np.sqrt(expected / 100_000), slot
    assert set(arrival) == set(range(20))


def test_rational_utilities_are_the_sigmoids_limits() -> None:
    smooth = generate("figure6", 4, {"jobs": "200", **LITERAL})
    instance = drawn("figure6", 4, jobs="200", utilities="rational", **LITERAL)
    kinds = set()
    for row, job in zip(smooth["jobs"], instance.jobs, strict=True):
        theta1, theta2, theta3 = (Fraction(row["utility"][f"theta{n}"]) for n in (1, 2, 3))
        kinds.add(type(job.utility))
        if theta2 == 0:
            assert job.utility == Constant(theta1)
        elif theta2 <= 1:
            assert job.utility == Linear(theta1, theta1 * theta2)
        else:
            assert isinstance(job.utility, Table)
            for time in range(1, instance.horizon + 1):
                assert job.utility.lower(time) == (theta1 if time <= theta3 else 0)
    assert kinds == {Constant, Linear, Table}


def test_the_machines_are_drawn_first_so_that_jobs_do_not_depend_on_how_many_there_are() -> None:
    few, many = (generate("figure6", 2, {"machines": machines}) for machines in ("2", "100"))
    assert few["machines"] == many["machines"][:2]
    spread = drawn("figure6", 2, capacity_low="16", capacity_high="20")
    assert {float(m.capacity["cpu"]) / 5.5 for m in spread.machines} == {16, 17, 18, 19, 20}


# --- jobs that can never finish ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "least", "most"), [("figure6", 0.6, 0.9), ("figure9", 0.3, 0.55)])
def test_number_of_literal_jobs_that_cannot_finish_on_an_empty_cluster(preset: str, least: float, most: float) -> None:
    # The module's docstring quotes means over 20 seeds; these bounds check the order of magnitude.
    for seed in range(3):
        instance = drawn(preset, seed)
        assert least <= len(instance.unservable_jobs) / len(instance.jobs) <= most
        assert f"{len(instance.unservable_jobs)} of {len(instance.jobs)} jobs cannot finish" in notes(instance)[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_redrawn_jobs_can_finish_and_the_others_stay(preset: str) -> None:
    for seed in range(size(1, 1, 3)):
        kept, redrawn = (generate(preset, seed, {"infeasible_alone": mode}) for mode in ("keep", "redraw"))
        infeasible_alone = {job.index for job in from_json(kept).unservable_jobs}
        assert from_json(redrawn).unservable_jobs == ()
        assert redrawn["machines"] == kept["machines"]
        for n, (old, new) in enumerate(zip(kept["jobs"], redrawn["jobs"], strict=True)):
            assert (old == new) == (n not in infeasible_alone)
            assert (old["name"], old["arrival"]) == (new["name"], new["arrival"])
            assert old["utility"]["kind"] == new["utility"]["kind"]


def test_redrawing_in_vain_gives_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "ROUNDS", 3)
    with pytest.raises(
        InputError, match="infeasible_alone = 'redraw': no servable job that arrives in slot "
    ) as caught:
        generate("figure10", 0, {"machines": "1", "epochs_low": "200"})
    assert "expected a longer horizon, more machines or less work" in str(caught.value)


# --- settings ---------------------------------------------------------------------------------------------------------


def test_settings_have_their_effect() -> None:
    def some(**settings: str) -> list[dict[str, Any]]:
        return generate("figure6", 5, {"jobs": "40"} | settings)["jobs"]

    hour, half = some(), some(slot_seconds="1800")
    assert [row["bandwidth_external"] for row in hour] == [2 * row["bandwidth_external"] for row in half]
    assert [row["sample_time"] for row in hour] == [row["sample_time"] for row in half], "tau is given in slots"
    assert {row["workers_per_ps"] for row in some(workers_per_ps_low="1.5", workers_per_ps_high="2")} <= {
        Decimal(n) / 10 for n in range(15, 21)
    }
    equal = some(internal_times_low="1", internal_times_high="1")
    assert all(row["bandwidth_internal"] == row["bandwidth_external"] for row in equal)
    assert {row["worker"]["cpu"] for row in some(worker_cpu_low="3", worker_cpu_high="3")} == {3}
