from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from threading import Event

import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted
from schedproof.instances.dmlrs import Instance, Job, Placement, Schedule, from_json
from schedproof.offline import annealing
from schedproof.offline.dmlrs import local_search
from schedproof.offline.dmlrs.local_search import Plans, Search, placements
from tests.support import size
from tests.tiny.dmlrs import tiny_dmlrs

Free = dict[tuple[int, int, str], Fraction]  # by slot, machine and resource


def drawn(seed: int, jobs: int = 3) -> Instance:
    return from_json(tiny_dmlrs(seed, jobs=jobs, machines=1 + seed % 3, horizon=3 + seed % 3))


def search_of(instance: Instance, seed: int = 0, rounds: int = 20) -> Search:
    return Search(instance, None, rounds, seed)


def left_over(instance: Instance, rows: Iterable[Placement]) -> Free:
    free = {
        (t, m.index, r): instance.free(t, m, r)
        for t in range(instance.horizon)
        for m in instance.machines
        for r in instance.resources
    }
    for p in rows:
        assert take(free, instance.jobs[p.job], p.slot, p.machine, p.workers, p.ps)
    return free


def take(free: Free, job: Job, slot: int, machine: int, workers: int, ps: int) -> bool:
    need = {r: workers * job.worker.get(r, Fraction(0)) + ps * job.ps.get(r, Fraction(0)) for t, h, r in free if not h}
    if any(amount > free[slot, machine, r] for r, amount in need.items()):
        return False
    for r, amount in need.items():
        free[slot, machine, r] -= amount
    return True


def one_by_one(free: Free, job: Job, slot: int, machines: int, most: int) -> tuple[int, dict[int, list[int]]]:
    held = {h: [0, 0] for h in range(machines)}
    for n in range(most):
        before, now = dict(free), {h: [*row] for h, row in held.items()}
        more = job.ps_needed(n + 1) - job.ps_needed(n)
        for workers, ps in [(0, 1)] * more + [(1, 0)]:
            h = next((h for h in held if take(free, job, slot, h, workers, ps)), None)
            if h is None:
                free.update(before)
                return n, now
            held[h] = [held[h][0] + workers, held[h][1] + ps]
    return most, held


def in_rationals(instance: Instance, plans: Plans, job: Job, first: int, last: int, most: int) -> list[tuple[int, ...]]:
    free, machines = left_over(instance, placements(plans)), len(instance.machines)
    rows: list[tuple[int, ...]] = []
    inside, outside = 0, 0
    for t in range(first, last):
        alone = (0, 0)
        for h in range(machines):
            n = next(n for n in range(most, -1, -1) if take(dict(free), job, t, h, n, job.ps_needed(n)))
            alone = max(alone, (n, h), key=lambda pair: pair[0])
        enough = next((n for n in range(alone[0] + 1) if job.done(inside + n, outside)), None)
        if enough is not None:
            where = next(h for h in range(machines) if take(dict(free), job, t, h, enough, job.ps_needed(enough)))
            return [*rows, (t, where, enough, job.ps_needed(enough))]
        needed = next((n for n in range(most) if job.done(inside, outside + n)), most)
        apart, held = one_by_one(dict(free), job, t, machines, needed)
        if alone[0] / job.internal_time >= apart / job.external_time:
            inside += alone[0]
            rows += [(t, alone[1], alone[0], job.ps_needed(alone[0]))] if alone[0] else []
        else:
            outside += apart
            rows += [(t, h, *row) for h, row in held.items() if any(row)]
        if job.done(inside, outside):
            return rows
    return []


def test_a_plan_equals_that_of_plain_python() -> None:
    several = 0
    for seed in range(size(60, 90, 3000)):
        instance = drawn(seed, jobs=4)
        search = search_of(instance, seed)
        if search.done < 1:
            search.step(Context())
        for j in [*search._order]:
            if j in search._present:
                search._out(j)
            job, demand = instance.jobs[j], search._demand[j]
            for most in {1, job.batch_size}:
                window = job.arrival, search._last[j], most
                count = local_search.plan(search._free, demand, *window, *search._space, search._rows)
                rows = [tuple(row) for row in search._rows[:count].tolist()]
                assert rows == in_rationals(instance, search._present, job, *window), (seed, j)
                several += len({row[1] for row in rows}) > 1
    assert several


def judged(instance: Instance) -> Callable[[tuple[Placement, ...]], tuple[Fraction, list[Fraction]]]:
    """Return a function for the utility of rows, after a check, and the free amounts in units."""
    units = dict(zip(instance.resources, instance.grid.per_unit, strict=True))

    @cache
    def judge(rows: tuple[Placement, ...]) -> tuple[Fraction, list[Fraction]]:
        schedule = Schedule.of(rows, instance, "search")
        assert not schedule.violations(instance)
        free = [amount * units[r] for (_, _, r), amount in left_over(instance, rows).items()]
        return schedule.objective(instance), free

    return judge


def test_the_searchs_utility_is_its_schedules_objective() -> None:
    for seed in range(size(15, 20, 600)):
        instance = from_json(tiny_dmlrs(seed, jobs=5, exact_utilities=False))
        search, judge = search_of(instance, seed), judged(instance)
        while search.done < 1:
            search.step(Context())
            present, best = (judge(tuple(placements(plans))) for plans in (search._present, search.best))
            assert present == (-search.total, search._free.ravel().tolist())
            assert best[0] == -search._least and search._least <= search.total


def test_never_more_than_the_optimum_and_most_often_the_optimum() -> None:
    optimal, count = 0, size(10, 12, 200)
    for seed in range(count):
        instance = drawn(seed)
        run = sp.policy("dmlrs.offline", rounds=100).run(instance)
        optimum = sp.program("dmlrs.exact").solve(instance, solver="cpsat").objective
        assert optimum is not None and run.feasible
        assert float(run.objective) <= optimum + 1e-6
        optimal += float(run.objective) >= optimum - 1e-6
    assert 4 * optimal >= 3 * count, optimal


def test_equal_seeds_give_equal_bytes_and_a_start_is_used(tmp_path: Path) -> None:
    instance = sp.generate("dmlrs", preset="figure6", seed=3, infeasible_alone="redraw", jobs=15)
    few = sp.policy("dmlrs.offline", rounds=3)
    for seed, name in ((1, "one"), (1, "again"), (2, "other")):
        few.run(instance, seed=seed).schedule.write(tmp_path / name, instance=instance)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "again").read_bytes() != (tmp_path / "other").read_bytes()
    first = sp.read_schedule(tmp_path / "one", instance).objective(instance)
    again = sp.policy("dmlrs.offline", rounds=0, start=tmp_path / "one").run(instance).objective
    further = sp.policy("dmlrs.offline", rounds=20, start=str(tmp_path / "one")).run(instance).objective
    assert first == again <= further


def test_a_policys_start_is_never_worsened_and_given_up_jobs_are_dropped(tmp_path: Path) -> None:
    for seed in range(size(4, 8, 60)):
        instance = from_json(tiny_dmlrs(seed, jobs=5, horizon=6))
        for policy in ("dmlrs.drf", "dmlrs.fifo"):
            run = sp.policy(policy).run(instance)
            run.schedule.write(tmp_path / "start.json", instance=instance)
            for rounds in (0, 5):
                more = sp.policy("dmlrs.offline", rounds=rounds, start=tmp_path / "start.json").run(instance)
                assert more.feasible and more.objective >= run.objective


def test_an_interrupt_keeps_the_best_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = sp.generate("dmlrs", preset="figure6", seed=3, infeasible_alone="redraw", jobs=15)
    monkeypatch.setattr(annealing, "best_within", pressed_after_a_step)
    with pytest.raises(Interrupted) as caught:
        sp.policy("dmlrs.offline").run(instance)
    run = caught.value.best
    assert run.feasible and run.objective > 0


def pressed_after_a_step(_: Context, work: Callable[[Context], object]) -> None:
    pressed, kept = Event(), list[Plans]()
    work(Context(keep=kept.append, interrupted=pressed, progress=lambda *_: pressed.set()))
    raise Interrupted(kept[-1])


def test_a_time_limit_ends_the_search() -> None:
    instance = sp.generate("dmlrs", preset="figure6", seed=3, infeasible_alone="redraw", jobs=15)
    run = sp.policy("dmlrs.offline", rounds=10**9).run(instance, time_limit=0.3)
    assert run.feasible and run.seconds < 60


def test_an_infeasible_start_is_refused(tmp_path: Path) -> None:
    instance = drawn(1)
    run = sp.policy("dmlrs.offline").run(instance)
    broken = replace(run.schedule, placements=tuple(replace(row, workers=99) for row in run.schedule.placements))
    broken.write(tmp_path / "broken.json", instance=instance)
    with pytest.raises(InputError, match="the initial schedule is infeasible"):
        sp.policy("dmlrs.offline", start=tmp_path / "broken.json").run(instance)


def test_without_feasible_jobs_the_plan_is_empty() -> None:
    none = from_json({**tiny_dmlrs(1), "jobs": []})
    assert sp.policy("dmlrs.offline").run(none).objective == 0
    crowded = tiny_dmlrs(2, jobs=1)
    crowded["jobs"][0] |= {"epochs": 1000}
    assert not sp.policy("dmlrs.offline").run(from_json(crowded)).schedule.placements
