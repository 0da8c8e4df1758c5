"""Prices by ascent: use at given prices, first prices of a run, gap to the LP."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.errors import InputError, NoSolution, ProgramError
from schedproof.core.programs.generation import loop
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import Context
from schedproof.instances import from_json
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive import ascent
from schedproof.relaxations.preemptive.ascent_kernels import lp_use, marginal_densities, select
from schedproof.relaxations.preemptive.bounds import lp4_bound
from schedproof.relaxations.preemptive.configuration import configuration_bound
from schedproof.relaxations.preemptive.prices import BITS, Prices, certify
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.relaxations.preemptive.test_lp4 import with_more_of_everything
from tests.support import size
from tests.tiny.preemptive import instance_of, job


def some_prices(rng: random.Random, kinds: int, slots: int) -> np.ndarray:
    return np.array([[rng.choice([0, 1, 3, 3, 8]) << BITS - 3 for _ in range(slots)] for _ in range(kinds)])


@pytest.mark.parametrize("until", [2, 1023, 1024, 1025, 5000])
def test_an_idle_gap_may_end_beyond_the_densities(until: int) -> None:
    # The densities begin with 1024 slots; as Python, numpy refuses to read beyond them.
    market = instance_of(job("early"), job("late") | {"arrival": until}, horizon=until + 10)
    market, _ = ascent.market(market, Fraction(1))
    run = np.array([0, 1]), np.array([[0, 0], [until, 1]]), until + 10
    expected = np.zeros((1, until + 2))
    for j in (0, until):
        expected[0, j : j + 2] = 0.5
    found = marginal_densities.py_func(market, *run)
    np.testing.assert_array_equal(found, marginal_densities(market, *run))
    np.testing.assert_array_equal(found, expected)


def test_jobs_purchases_equal_the_proven_values() -> None:
    compared = 0
    for seed in range(size(15, 40, 600)):
        rng, speed, half = random.Random(seed), SPEEDS[seed % 4], seed % 2
        instance = micro_instance(seed, units=12, most_jobs=5, late=9)
        try:
            market, kinds = ascent.market(instance, speed)
        except ProgramError:
            continue
        values, worth, used = np.zeros(len(instance.jobs)), np.zeros(3), []
        prices = [some_prices(rng, market.count.size, 8) for _ in worth]
        for n, units in enumerate(prices):
            used.append(np.zeros(units.shape))
            worth[n] = lp_use(units / 2.0**BITS, market, half, values, used[-1])
            certificate = certify(instance, Prices(units[kinds]), half, speed)
            cost = ("printed", "half")[half]
            proven = certificate.value(instance, cost, speed)
            rents = sum(int(market.count[k]) * int(row.sum()) for k, row in enumerate(units))
            assert float(proven + Fraction(rents, 1 << BITS)) == pytest.approx(worth[n], abs=1e-5), seed
        for n, m in ((0, 1), (1, 2), (2, 0)):
            assert worth[m] <= worth[n] + np.vdot(used[n], prices[m] - prices[n]) / 2.0**BITS + 1e-9, seed
        compared += 1
    assert compared


def test_a_run_on_one_worker_has_the_prices_of_the_lp() -> None:
    # Jobs of one chunk: (4e) never binds, and the order by density is optimal.
    for seed in range(size(5, 10, 200)):
        rng = random.Random(seed)
        rows = [job(f"j{n}", arrival=rng.randrange(12), minibatch_time=rng.randrange(1, 7)) for n in range(8)]
        instance = instance_of(*rows, workers=1)
        exact = sp.program("preemptive.lp4").solve(instance, solver="flow").exact
        bound = sp.bound("preemptive.lp4", instance, prices="ascent", steps=0)
        assert exact is not None and exact - Fraction(len(rows), 1000) <= bound.exact <= exact, seed


def test_it_approaches_the_lp_from_below() -> None:
    compared = 0
    for seed in range(size(4, 6, 200)):
        instance, speed = with_more_of_everything(seed), SPEEDS[seed % 4]
        try:
            lp = sp.bound("preemptive.lp4", instance, speed=speed)
        except (NoSolution, ProgramError):
            continue
        run, bound = (sp.bound("preemptive.lp4", instance, speed=speed, prices="ascent", steps=n) for n in (0, 2000))
        assert bound.verify(instance)
        assert max(run.exact, 0.99 * lp.exact) <= bound.exact <= lp.exact + Fraction(1, 1000), seed
        compared += 1
    assert compared


def busy(seed: int, *, cloud: bool, jobs: int = 40) -> Instance:
    rng = random.Random(seed)
    rows = []
    for n in range(jobs):
        delay = {name: rng.randrange(4) for name in rng.sample(("e0", "e1", "e2"), rng.randrange(1, 4))}
        delay |= {"sky": rng.randrange(10, 60)} if cloud and rng.random() < 0.7 else {}
        work: dict[str, Any] = {"chunks": rng.randrange(1, 5), "minibatch_time": rng.randrange(1, 21)}
        work |= {"gradient_size": rng.randrange(2), "upload_delay": delay}
        rows.append(job(f"j{n}", arrival=rng.randrange(60), **work))
    servers: list[dict[str, Any]] = [{"name": f"e{n}", "workers": {"gpu": 2}, "parameter_servers": 9} for n in range(3)]
    servers += [{"name": "sky", "cloud": True}] if cloud else []
    return from_json({"version": 1, "family": "preemptive", "horizon": 900, "servers": servers, "jobs": rows})


@pytest.mark.parametrize("cloud", [False, True])
def test_it_is_within_a_hundredth_of_the_lp_on_a_busy_day(cloud: bool) -> None:
    instance = busy(1, cloud=cloud)
    lp = sp.bound("preemptive.lp4", instance)
    run, near = (sp.bound("preemptive.lp4", instance, prices="ascent", steps=n) for n in (0, 150))
    assert 0.99 * lp.value <= near.value <= lp.value + 0.01 and run.exact < near.exact


def test_classes_used_equally_by_all_jobs_are_one_kind() -> None:
    rows = [job("a", upload_delay={"*": 1}), job("b", upload_delay={"e0": 2, "*": 1})]
    servers = [{"name": f"e{n}", "workers": {"gpu": 1}, "parameter_servers": 9} for n in range(3)]
    instance = from_json({"version": 1, "family": "preemptive", "horizon": 40, "servers": servers, "jobs": rows})
    market, kinds = ascent.market(instance, Fraction(1))
    assert len(set(kinds)) == 2 and kinds[1] == kinds[2] and sorted(market.count) == [1, 2]


def test_at_the_time_limit_the_best_bound_is_returned() -> None:
    bound = sp.bound("preemptive.lp4", busy(2, cloud=True), prices="ascent", steps=10**6, time_limit=1.0)
    assert bound.details["prices"] == "free" or 0 <= bound.details["steps"] < 10**6


def test_kept_bounds_improve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "PAUSE", 0)
    instance, found, told = busy(3, cloud=True), list[Bound](), list[str]()

    def progress(message: str, done: float | None = None) -> None:
        told.append(message)

    context = Context(keep=found.append, interrupted=Event(), progress=progress)
    last = lp4_bound(instance, prices="ascent", steps=9, context=context)
    values = [bound.exact for bound in found]
    assert values == sorted(values) and len(set(values)) > 2 and last.exact >= values[-1]
    assert all(bound.verify(instance) for bound in found) and len(told) == 9 and "bound" in told[-1]


@pytest.mark.parametrize("id", ["preemptive.lp4", "preemptive.configuration_lp"])
def test_it_resumes_from_a_certificate(id: str, tmp_path: Path) -> None:
    instance, file = busy(4, cloud=True), str(tmp_path / "bound.json")
    ascent_of = {"prices": "ascent"} if id == "preemptive.lp4" else {}
    first = sp.bound(id, instance, steps=20, **ascent_of)
    write_bound(file, first)
    again, further = (sp.bound(id, instance, steps=n, start=file, **ascent_of) for n in (0, 60))
    assert sp.bound(id, instance, steps=0, **ascent_of).exact < first.exact < further.exact
    assert 0 <= again.exact - first.exact < Fraction(1, 100) and further.verify(instance)
    kept = list[Bound]()
    find = lp4_bound if id == "preemptive.lp4" else configuration_bound
    find(instance, steps=1, start=Path(file), **ascent_of, context=Context(keep=kept.append, interrupted=Event()))
    assert kept and all(bound.exact >= first.exact for bound in kept)
    write_bound(file, sp.bound("preemptive.lp4", instance))
    from_lp = sp.bound(id, instance, steps=0, start=file, **ascent_of)
    assert from_lp.exact > first.exact


def test_an_unsuitable_certificate_is_rejected_with_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bound.json"
    write_bound(file, sp.bound("preemptive.lp4", busy(1, cloud=False), prices="free"))
    with pytest.raises(InputError, match=r"bound.json.*of this instance, not of another instance"):
        sp.bound("preemptive.configuration_lp", busy(2, cloud=False), start=str(file))
    with pytest.raises(InputError, match=r"start.*expected only with prices=ascent"):
        sp.bound("preemptive.lp4", busy(1, cloud=False), start=str(file))
    monkeypatch.setattr(ascent, "Prices", int)  # as a certificate of another kind would be
    with pytest.raises(InputError, match=r"bound.json.*expected a bound proven by prices"):
        sp.bound("preemptive.configuration_lp", busy(1, cloud=False), start=str(file))


def test_jobs_piece_by_piece_are_all_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = busy(5, cloud=True)
    whole = sp.bound("preemptive.configuration_lp", instance, steps=3)
    monkeypatch.setattr(ascent, "PIECE", 7)
    pieces = sp.bound("preemptive.configuration_lp", instance, steps=3)
    assert pieces.value == pytest.approx(whole.value) and pieces.verify(instance)


def test_chunks_of_too_many_slots_are_rejected_before_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    long = instance_of(job("a", minibatch_time=10**8), horizon=10**9)
    monkeypatch.setattr(memory, "free_memory", lambda: 2.0**34)
    with pytest.raises(ProgramError, match=r"a chunk of 100,000,000 slots would take about 31.7 GiB, but 16.0 GiB"):
        sp.bound("preemptive.lp4", long, prices="free")


def test_too_large_or_impossible_inputs_give_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    huge = instance_of(job("a", minibatch_time=300_000, chunks=10**6), horizon=10**9)
    with pytest.raises(ProgramError, match="worker-slots are too many for exact prices; use prices=free"):
        sp.bound("preemptive.lp4", huge, prices="ascent")
    slow = instance_of(job("a", minibatch_time=5), horizon=5)
    with pytest.raises(
        ProgramError, match="job 'a' has no slot in which it could be trained: the horizon is too short"
    ):
        sp.bound("preemptive.lp4", slow, prices="ascent", speed="1/2")
    monkeypatch.setattr(memory, "free_memory", lambda: 100.0)
    with pytest.raises(ProgramError, match=r"a chunk of 5 slots would take about .* GiB are free; take longer slots"):
        ascent.market(slow, Fraction(1))


def test_the_number_of_a_rank_equals_the_sorted_one() -> None:
    rng = random.Random(1)
    for length in range(1, size(12, 20, 60)):
        values = np.array([rng.choice([0.0, 0.25, rng.random()]) for _ in range(length)])
        ranked = np.sort(values)
        assert [select(values.copy(), rank) for rank in range(length)] == ranked.tolist()
