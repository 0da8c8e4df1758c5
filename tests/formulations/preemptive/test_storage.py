from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.solvers.solution import Solution
from schedproof.instances.preemptive import Instance, from_json
from tests.formulations.preemptive.literal import least_flow, least_jct
from tests.formulations.preemptive.micro import RELEASES, SPEEDS, micro, micro_instance
from tests.formulations.preemptive.test_minlp import answer
from tests.support import size
from tests.tiny.preemptive import instance_of, job


def flow(solution: Solution) -> float:
    """The objective of (4) or (8); infinite if infeasible."""
    if solution.ended == "infeasible":
        return float("inf")
    assert solution.ended == "optimal" and solution.objective is not None
    return solution.objective


def same(a: float, b: float) -> bool:
    """Equal within the rounding of a solver in doubles, about 1e-9."""
    return a == b or abs(a - b) < 1e-6


@pytest.mark.parametrize("stored", ["one_server", "as_printed"])
def test_minlp7_equals_enumeration(stored: str) -> None:
    seen: set[bool] = set()
    for seed in range(size(10, 10, 500)):
        instance, speed = micro_instance(seed, units=5, storage=True), SPEEDS[seed % 4]
        release = RELEASES[seed % 5]
        program = sp.program("preemptive.minlp7", stored=stored, ps_release=release, speed=speed)
        found = answer(program.solve(instance))
        assert found == least_jct(instance, speed, stored, release == "none"), seed
        seen.add(found is None)
    assert seen == {True, False}


def test_the_schedule_of_minlp7_is_feasible_and_costs_its_objective() -> None:
    limited = 0
    for seed in range(1000, 1000 + size(10, 14, 500)):
        instance, speed = micro_instance(seed, storage=True, late=8), SPEEDS[seed % 4]
        solution = sp.program("preemptive.minlp7", speed=speed).solve(instance)
        if (optimum := answer(solution)) is not None:
            assert solution.schedule().violations(instance, speed=speed) == [], seed
            assert solution.schedule().objective(instance) == optimum, seed
            free = answer(sp.program("preemptive.minlp2", speed=speed).solve(instance, "cpsat"))
            limited += optimum > (free or 0)
    assert limited or size(0, 1, 1) == 0  # some of them would break a storage if it were unlimited


def test_the_letter_of_7c_never_costs_less_and_sometimes_more() -> None:
    more = 0
    for seed in range(2000, 2000 + size(10, 10, 300)):
        instance = micro_instance(seed, storage=True)
        meant, printed = (
            answer(sp.program("preemptive.minlp7", stored=s).solve(instance)) for s in ("one_server", "as_printed")
        )
        assert printed is None or (meant is not None and meant <= printed), seed
        more += meant != printed
    assert more


def unlimited(seed: int, **settings: Any) -> Instance:
    value = micro(seed, storage=True, **settings)
    for server in value["servers"]:
        server.pop("storage", None)
    return from_json(value)


@pytest.mark.parametrize("stored", ["one_server", "as_printed"])
def test_with_unlimited_storage_minlp7_is_minlp2(stored: str) -> None:
    for seed in range(3000, 3000 + size(5, 6, 200)):
        instance = unlimited(seed)
        with_storage = sp.program("preemptive.minlp7", stored=stored).solve(instance)
        assert answer(with_storage) == answer(sp.program("preemptive.minlp2").solve(instance, "cpsat")), seed


@pytest.mark.parametrize("cost", ["printed", "half"])
def test_ilp8_equals_enumeration(cost: str) -> None:
    seen: set[bool] = set()
    for seed in range(size(10, 12, 300)):
        instance, speed = micro_instance(seed, units=4, storage=True), SPEEDS[seed % 4]
        release = RELEASES[seed % 5]
        found = flow(sp.program("preemptive.ilp8", cost=cost, ps_release=release, speed=speed).solve(instance))
        tried = least_flow(instance, cost, speed, stored=True, at_once=release == "none")
        assert same(found, float("inf") if tried is None else float(tried)), (seed, found, tried)
        seen.add(tried is None)
    assert seen == {True, False}


def test_with_unlimited_storage_ilp8_is_at_least_ilp4() -> None:
    above = 0
    for seed in range(4000, 4000 + size(5, 6, 200)):
        for instance, equal in ((unlimited(seed, servers=1, cloud=False), True), (unlimited(seed, servers=2), False)):
            stays, moves = (flow(sp.program(f"preemptive.{name}").solve(instance)) for name in ("ilp8", "ilp4"))
            assert same(stays, moves) if equal else stays >= moves - 1e-6, seed
            above += stays > moves + 1e-6
    assert above or size(0, 1, 1) == 0  # a chunk that may move between servers is sometimes done earlier


def stored(*jobs: dict[str, Any], rooms: tuple[float, ...], cloud: bool = False, horizon: int = 30) -> Instance:
    servers: list[dict[str, Any]] = [
        {"name": name, "workers": {"gpu": 4}, "parameter_servers": 9, "storage": room}
        for name, room in zip("ef", rooms, strict=False)
    ]
    servers += [{"name": "sky", "cloud": True}] if cloud else []
    return from_json({"version": 1, "family": "preemptive", "horizon": horizon, "servers": servers, "jobs": list(jobs)})


Make = Callable[[], Instance]


@pytest.mark.parametrize(
    ("make", "one_server", "as_printed"),
    [
        # two chunks at once need the room of two
        (lambda: stored(job("a", chunks=2, chunk_size=1), rooms=(2,)), 2, 2),
        (lambda: stored(job("a", chunks=2, chunk_size=1), rooms=(1,)), None, None),
        # room is taken from arrival on: a chunk that could run later has no place either
        (lambda: stored(job("a", chunk_size=1), job("b", chunk_size=1), rooms=(1,)), None, None),
        (lambda: stored(job("a", chunk_size=1), job("b", chunk_size=1, arrival=2), rooms=(1,)), 4, 4),
        # one chunk on each server; to the letter, both servers hold both chunks
        (lambda: stored(job("a", chunks=2, chunk_size=1, upload_delay={"e": 0, "f": 0}), rooms=(1, 1)), 2, None),
        # the cloud takes the job that finds no room; to the letter its chunks are stored at the edge all the same
        (
            lambda: stored(
                job("a", chunk_size=1), job("b", chunk_size=1, upload_delay={"e": 0, "sky": 5}), rooms=(1,), cloud=True
            ),
            2 + 7,
            None,
        ),
    ],
)
def test_hand_worked_optima(make: Make, one_server: int | None, as_printed: int | None) -> None:
    instance = make()
    assert answer(sp.program("preemptive.minlp7").solve(instance)) == one_server
    assert answer(sp.program("preemptive.minlp7", stored="as_printed").solve(instance)) == as_printed


def test_highs_is_correct_where_its_presolve_rule_is_not() -> None:
    # With that rule HiGHS 1.12 to 1.14 call this infeasible; SCIP and enumeration find 6.
    instance = micro_instance(29, units=5, storage=True)
    assert answer(sp.program("preemptive.minlp7", speed="3/2").solve(instance)) == 6


def test_an_early_chunk_of_8_may_end_later_than_in_the_cloud() -> None:
    # It trains in slots 0 and 4, at (0 + 4)/2; in the cloud it would cost (2 + 3)/2, and it cannot move there.
    short = [job(f"s{t}", arrival=t, minibatch_time=1, upload_delay={"e": 0}) for t in (1, 2, 3)]
    instance = instance_of(job("long", upload_delay={"e": 0, "sky": 2}), *short, horizon=6)
    assert least_flow(instance, stored=True) == 2
    assert flow(sp.program("preemptive.ilp8").solve(instance)) == pytest.approx(2, abs=1e-6)
    # without storage: slot 0 and, in the cloud, slot 2
    assert flow(sp.program("preemptive.ilp4").solve(instance)) == pytest.approx(1, abs=1e-6)
