from __future__ import annotations

import io
import os
import random
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome
from schedproof.instances import dmlrs
from schedproof.instances.dmlrs import Instance, Schedule
from schedproof.relaxations.dmlrs.column_generation import Round, column_generation
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Pricing
from schedproof.relaxations.dmlrs.search import Master
from tests.relaxations.dmlrs.prices import cheapest
from tests.support import size
from tests.tiny.dmlrs import tiny_dmlrs


def scarce(seed: int, **settings: Any) -> Instance:
    return dmlrs.from_json(short_jobs(seed, **{"machines": 1 + seed % 3} | settings))


def short_jobs(seed: int, **settings: Any) -> dict[str, Any]:
    value = tiny_dmlrs(seed, **{"jobs": 6, "horizon": 3, "most_workers": 3} | settings)
    for job in value["jobs"]:
        job["arrival"] = min(job["arrival"], 1)
        job["epochs"] = job["samples"] = min(2, job["epochs"])
        job["sample_time"] = min(job["sample_time"], Decimal("0.5"))
    return value


def with_equal_machines(seed: int, machines: int) -> Instance:
    value = short_jobs(seed, machines=machines, jobs=4, reserved=seed % 2 == 0)
    for machine in value["machines"]:
        machine["capacity"] = value["machines"][0]["capacity"]
    if "reserved" in value:
        value["reserved"] = [[row[0]] * (machines - 1) + [{}] for row in value["reserved"]]
    return dmlrs.from_json(value)


def enumerated(instance: Instance) -> float:
    objective = sp.program("dmlrs.rdmlrs_lp").solve(instance, solver="highs").objective
    assert objective is not None
    return objective


def test_it_equals_the_lp_over_all_schedules() -> None:
    crowded = 0
    for seed in range(size(3, 8, 300)):
        instance = scarce(seed) if seed % 3 else with_equal_machines(seed, 2 + seed % 2)
        lp = enumerated(instance)
        found = column_generation(instance, fineness="exact")
        assert found.last.value == pytest.approx(lp, rel=1e-7, abs=1e-7), seed
        assert float(found.best.bound) == pytest.approx(lp, rel=1e-6, abs=1e-6), seed
        assert found.ended in ("converged", "gap")
        able = [job for job in instance.jobs if job not in instance.unservable_jobs]
        crowded += lp < sum(float(job.utility.upper(1)) for job in able) - 0.01
    assert crowded


def test_a_large_master_is_solved_by_an_interior_point_and_then_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedproof.relaxations.dmlrs.search.INTERIOR_ROWS", 0)
    solve, inside = Master.solve, list[bool]()

    def noted(master: Master, context: Context = USUAL, interior: bool = False) -> Outcome:
        inside.append(interior)
        return solve(master, context, interior)

    monkeypatch.setattr(Master, "solve", noted)
    for seed in range(size(3, 8, 100)):
        instance = scarce(seed)
        found = column_generation(instance, fineness="exact")
        assert found.last.value == pytest.approx(enumerated(instance), rel=1e-7, abs=1e-7), seed
    assert any(inside) and not all(inside)


def test_equal_machines_share_their_rows() -> None:
    for seed in range(size(5, 12, 100)):
        instance = with_equal_machines(seed, 3)
        classes = MachineClasses.of_instance(instance)
        for t in range(instance.horizon):
            free = instance.grid.at(t)
            for h in range(3):
                alike = (free == free[h]).all(axis=1)
                assert ((classes.of[t] == classes.of[t, h]) == alike).all()
                assert classes.count[t, classes.of[t, h]] == alike.sum()
                assert (classes.capacity[t, classes.of[t, h]] == free[alike].sum(axis=0)).all()
        assert classes.count.sum(axis=1).tolist() == [3] * instance.horizon
        assert (classes.merge().capacity.sum(axis=1) == classes.capacity.sum(axis=1)).all()


def test_any_prices_prove_a_bound() -> None:
    for seed in range(size(5, 9, 200)):
        rng, instance = random.Random(seed), scarce(seed)
        classes = MachineClasses.of_instance(instance)
        drawn = np.array([rng.choice([0, rng.randrange(9) / 4, rng.random()]) for _ in range(classes.capacity.size)])
        priced = Pricing(instance, classes)(drawn.reshape(classes.capacity.shape), "exact")
        assert (np.abs(priced.doubles - drawn.reshape(classes.capacity.shape)) <= 2.0**-priced.bits).all()
        by_machine = classes.by_machine(priced.doubles)
        value = (by_machine * [instance.grid.at(t) for t in range(instance.horizon)]).sum()
        for job in instance.jobs:
            costs = cheapest(instance, job, list(by_machine[job.arrival :]))
            paid = [float(job.utility.upper(x + 1)) - float(cost) for x, cost in enumerate(costs) if cost is not None]
            value += max(0.0, *paid, 0.0)
        assert float(priced.bound) == pytest.approx(value, abs=1e-8), seed
        for wish in (1, 2, "auto"):
            coarse = Pricing(instance, classes)(priced.doubles, wish)  # type: ignore[arg-type]
            assert coarse.prices.tolist() == priced.prices.tolist() and coarse.bound >= priced.bound


def test_every_generated_schedule_is_feasible_by_itself() -> None:
    for seed in range(size(5, 12, 100)):
        instance = scarce(seed)
        for plan in column_generation(instance).plans:
            schedule = Schedule.of(plan.placements, instance, "column_generation")
            assert not schedule.violations(instance)
            assert schedule.completions(instance) == {plan.job.index: plan.completion}
            assert schedule.objective(instance) == plan.utility


def test_the_lp_over_the_generated_schedules_is_the_program_of_that_name() -> None:
    for seed in range(size(3, 6, 50)):
        instance = scarce(seed)
        found = column_generation(instance, fineness="exact")
        program = sp.program("dmlrs.rdmlrs_lp", schedules=found.plans)
        assert program.solve(instance, solver="highs").objective == pytest.approx(found.last.value, abs=1e-7)


def test_the_bound_is_never_below_the_optimum() -> None:
    for seed in range(size(5, 8, 300)):
        instance = scarce(seed, exact_utilities=seed % 2 == 0)
        best = sp.program("dmlrs.rdmlrs").solve(instance, solver="packing")
        assert best.exact is not None or best.objective is not None
        for options in ({}, {"fineness": 1, "time_limit": 0}, {"fineness": "exact", "gap": 0}):
            bound = sp.bound("dmlrs.rdmlrs_lp", instance, **options)
            assert bound.verify(instance)
            assert bound.exact >= best.exact if best.exact is not None else bound.value >= best.objective - 1e-9


def test_rounds_converge_within_the_time_limit() -> None:
    instance = scarce(13)
    rounds: list[Round] = []
    column_generation(instance, fineness="exact", progress=rounds.append)
    assert [r.number for r in rounds] == list(range(1, len(rounds) + 1))
    assert all(a.bound >= b.bound and a.value <= b.value + 1e-9 for a, b in pairwise(rounds))
    assert all(r.value <= r.bound + 1e-9 and 0 <= r.gap <= 1 for r in rounds)
    rounds.clear()
    found = column_generation(instance, context=Context(time_limit=0), progress=rounds.append)
    assert found.ended in ("time", "gap") and len(rounds) <= 2
    assert sp.bound("dmlrs.rdmlrs_lp", instance, time_limit=0).verify(instance)


def test_jobs_that_cannot_finish_are_omitted() -> None:
    value = tiny_dmlrs(3)
    for job in value["jobs"]:
        job["samples"] = 10**6
    instance = dmlrs.from_json(value)
    assert len(instance.unservable_jobs) == len(instance.jobs)
    bound = sp.bound("dmlrs.rdmlrs_lp", instance)
    assert bound.exact == 0 and bound.verify(instance)
    assert bound.details["infeasible_alone"] == len(instance.jobs)


class Stop(KeyboardInterrupt):
    """An interrupt by the user."""


def test_an_interrupted_generation_resumes_from_its_file(tmp_path: Path) -> None:
    state, stopped = tmp_path / "state.npz", 0
    for seed in range(size(5, 6, 300)):
        instance = scarce(seed)
        state.unlink(missing_ok=True)

        def stop(round: Round) -> None:
            if round.number == 2:
                raise Stop

        try:
            column_generation(instance, fineness="exact", resume=state, progress=stop)
            continue  # a round suffices
        except Stop:
            stopped += 1
        first: list[Round] = []
        found = column_generation(instance, fineness="exact", resume=state, progress=first.append)
        alone: list[Round] = []
        column_generation(instance, fineness="exact", progress=alone.append)
        assert first[0].bound <= alone[min(1, len(alone) - 1)].bound + 1e-9
        assert found.last.value == pytest.approx(enumerated(instance), rel=1e-7)
        again = sp.bound("dmlrs.rdmlrs_lp", instance, fineness="exact", resume=str(state))
        assert again.exact <= sp.bound("dmlrs.rdmlrs_lp", instance, fineness="exact").exact + 1e-6
        assert again.verify(instance)
    assert stopped and [path.name for path in tmp_path.iterdir()] == ["state.npz"]


def rewritten(state: Path, **parts: np.ndarray) -> None:
    with np.load(state) as file:
        kept = {name: file[name] for name in file.files}
    np.savez_compressed(state, **(kept | parts))  # type: ignore[arg-type]


def test_a_foreign_state_file_is_rejected(tmp_path: Path) -> None:
    instance, other, state = scarce(13), scarce(11), tmp_path / "state.npz"
    column_generation(instance, resume=state)
    good = state.read_bytes()
    with pytest.raises(InputError, match="column generation for this instance"):
        column_generation(other, resume=state)
    with np.load(state) as file:
        rows, owner, prices = file["rows"].copy(), file["owner"].copy(), file["prices"].copy()
    assert len(rows)
    more, elsewhere, nobody = rows.copy(), rows.copy(), rows.copy()
    more[0, 3], elsewhere[0, 2], nobody[:, 0] = 99, 77, 55
    wrong = [
        {"rows": more},
        {"rows": elsewhere},
        {"rows": nobody},
        {"rows": -rows},
        {"rows": rows[:, :4]},
        {"rows": rows.astype(float)},
        {"owner": owner[:-1]},
        {"owner": np.zeros_like(owner)},
        {"prices": prices[:, :, :0]},
        {"prices": np.full_like(prices, np.nan)},
        {"prices": np.full_like(prices, 1e300)},
        {"owner": np.array(3)},
        {"prices": prices.astype(str)},
        {"rows": np.array([{}])},
    ]
    for parts in wrong:
        state.write_bytes(good)
        rewritten(state, **parts)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="expected"):
            column_generation(instance, resume=state)
    flat = io.BytesIO()
    np.save(flat, rows)
    for content in (b"", b"not a file", good[:100], flat.getvalue(), good[:90] + b"\xff" * 40 + good[130:]):
        state.write_bytes(content)
        with pytest.raises(InputError, match="expected a state file of column generation"):
            column_generation(instance, resume=state)


@pytest.mark.parametrize(
    "options",
    [{"gap": "1"}, {"gap": "-0.1"}, {"gap": "x"}, {"fineness": "0"}, {"fineness": "1.5"}, {"fineness": "fine"},
     {"resume": "nowhere/at/all.npz"}],
)  # fmt: skip
def test_inconsistent_options_give_one_message(options: dict[str, str]) -> None:
    with pytest.raises(InputError, match=next(iter(options.values()))):
        sp.bound("dmlrs.rdmlrs_lp", scarce(1), **options)


def test_reduced_costs_of_known_schedules_are_not_positive() -> None:
    instance = scarce(13)
    found = column_generation(instance, fineness="exact")
    master = Master(instance, MachineClasses.of_instance(instance))
    assert master.add([]) == -np.inf
    assert master.add(found.plans) == max(float(plan.utility) for plan in found.plans)
    assert master.add(found.plans) == -np.inf
    for interior in (False, True):
        master.solve(interior=interior)
        assert master.value == pytest.approx(found.last.value)


def test_a_round_reports_its_progress() -> None:
    assert str(Round(3, 8.0, 10.0, 5, 1.6)) == "round 3: 5 schedules, LP 8, bound 10, gap 20.00%, 2 s"


def test_a_state_file_is_no_pipe_and_has_a_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, pipe, state = scarce(13), tmp_path / "pipe", tmp_path / "state.npz"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="expected a state file of column generation"):
        column_generation(instance, resume=pipe)
    monkeypatch.setattr("schedproof.relaxations.dmlrs.column_generation.MOST_BYTES", 1 << 20)
    np.savez_compressed(state, rows=np.zeros(1 << 20))
    with pytest.raises(InputError, match="expected a state file of at most 1 MiB unpacked"):
        column_generation(instance, resume=state)
