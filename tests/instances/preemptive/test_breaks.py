"""Breaks of servers: programs, bounds, policies and checkers against each other and an enumeration."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound as checks_bound
from schedproof.check import optimum as checks_optimum
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import InputError, PolicyError, SchedproofError
from schedproof.core.runtime.files import write_json
from schedproof.formulations.preemptive.ilp import DECOUPLED
from schedproof.instances.preemptive import Instance
from schedproof.instances.preemptive.slots import refined
from schedproof.online.preemptive.gang import GangPolicy
from tests.gaps import adds_up
from tests.tiny.preemptive import job, tiny_preemptive

POLICIES: list[tuple[str, dict[str, Any]]] = [
    ("srtf", {}),
    ("srtf", {"chunks": "floating"}),
    ("tiresias_l", {"thresholds": (2, 9)}),
    ("tiresias_l", {"thresholds": (2, 9), "chunks": "floating"}),
    ("srpt_floating", {}),
    *((queue, {"chunks": chunks}) for queue in ("fifo", "easy", "sjf") for chunks in ("pinned", "floating")),
]


def breaks_of(rng: random.Random, servers: list[str], horizon: int, count: int = 4) -> list[dict[str, Any]]:
    """Draw breaks that do not overlap."""
    ends = dict.fromkeys(servers, 0)
    rows = []
    for _ in range(count):
        name = rng.choice(["*", *servers])
        begin = rng.randrange(3) + max(ends.values() if name == "*" else [ends[name]])
        end = begin + rng.randrange(1, 4)
        if end <= horizon:
            ends |= dict.fromkeys(servers if name == "*" else [name], end)
            rows.append({"machine": name, "start": begin, "end": end})
    return rows


def some(seed: int, **settings: Any) -> Instance:
    value = tiny_preemptive(seed, **settings)
    edges = [server["name"] for server in value["servers"] if not server.get("cloud")]
    rows = breaks_of(random.Random(seed), edges, value["horizon"], 9)
    waiting = sum(row["end"] - row["start"] for row in rows)
    result: Instance = Instance.from_json(value | {"breaks": rows, "horizon": 2 * value["horizon"] + waiting})
    return result


def few(seed: int, cloud: bool = True) -> Instance:
    rng = random.Random(seed)
    delay = {"e": rng.randrange(2), "f": rng.randrange(3)} | ({"sky": rng.randrange(3, 7)} if cloud else {})
    jobs = [
        job(f"j{n}", arrival=rng.randrange(3), chunks=rng.choice([1, 1, 2]), minibatch_time=rng.choice([1, 2]))
        | {"upload_delay": delay}
        for n in range(rng.randrange(1, 3))
    ]
    servers: list[Any] = [{"name": name, "workers": {"gpu": 1}, "parameter_servers": 9} for name in "ef"]
    servers += [{"name": "sky", "cloud": True}] if cloud else []
    head = {"version": 1, "family": "preemptive", "horizon": 16, "servers": servers, "jobs": jobs}
    result: Instance = Instance.from_json(head | {"breaks": breaks_of(rng, ["e", "f"], 9, 3)})
    return result


def least_total_jct(instance: Instance) -> int:
    """Return the optimum for floating chunks without a cloud, slot by slot."""
    seen: dict[Any, float] = {}

    def least(t: int, left: tuple[int, ...]) -> float:
        if not any(left):
            return 0
        if t == instance.horizon:
            return float("inf")
        if (t, left) not in seen:
            alive = sum(1 for j, rest in zip(instance.jobs, left, strict=True) if rest and j.arrival <= t)
            seen[t, left] = alive + min(least(t + 1, rest) for rest in _in_slot(instance, t, left))
        return seen[t, left]

    return int(least(0, tuple(j.chunks * j.slots() for j in instance.jobs)))


def _in_slot(instance: Instance, t: int, left: tuple[int, ...]) -> set[tuple[int, ...]]:
    options = {(left, (0,) * len(left))}
    for server in instance.servers:
        if any(row.machine in ("*", server.name) and row.start <= t < row.end for row in instance.breaks):
            continue
        for rest, used in list(options):
            for j in instance.jobs:
                lands = j.arrival + j.upload_delay[server.name]
                if lands <= t and rest[j.index] and used[j.index] < j.chunks:
                    less = tuple(x - (n == j.index) for n, x in enumerate(rest))
                    options.add((less, tuple(x + (n == j.index) for n, x in enumerate(used))))
    return {rest for rest, _ in options}


@pytest.mark.parametrize("seed", range(8))
def test_exact_methods_and_an_enumeration_agree(seed: int) -> None:
    instance = few(seed, cloud=False)
    program = sp.program("preemptive.minlp2", chunks="floating")
    optima = [program.solve(instance, solver=name).objective for name in ("highs", "cpsat", "brute")]
    assert [round(value) for value in optima] == [least_total_jct(instance)] * 3


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("chunks", ["pinned", "floating"])
def test_bounds_hold_and_their_checker_agrees(seed: int, chunks: str, tmp_path: Path) -> None:
    instance = few(seed)
    program = sp.program("preemptive.minlp2", chunks=chunks)
    solution = program.solve(instance, solver="highs")
    assert not solution.schedule().violations(instance, chunks=chunks)
    optimum = round(solution.objective)
    assert round(program.solve(instance, solver="brute").objective) == optimum
    write_object(tmp_path / "instance.json", {"breaks": []} | instance.to_json())
    for prices in ("lp", "free"):
        bound = sp.bound("preemptive.lp4", instance, prices=prices)
        assert bound.exact <= optimum
        write_json(tmp_path / "bound.json", bound.to_file())
        found = checks_bound.check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))
        assert Fraction(found["value"]) == bound.exact


@pytest.mark.parametrize(("seed", "chunks"), [(0, "pinned"), (3, "pinned"), (1, "floating"), (4, "floating")])
def test_an_optimum_is_proven_with_rows_that_the_checker_writes(seed: int, chunks: str, tmp_path: Path) -> None:
    instance = few(seed)
    solution = sp.program("preemptive.minlp2", chunks=chunks).solve(instance, solver="highs", prove=True)
    assert solution.status == "optimal (proof)", solution.message
    write_object(tmp_path / "instance.json", instance.to_json())
    write_json(tmp_path / "proof.json", solution.proof)
    found = checks_optimum.check(str(tmp_path / "instance.json"), str(tmp_path / "proof.json"))
    brute = sp.program("preemptive.minlp2", chunks=chunks).solve(instance, solver="brute").objective
    assert int(found["value"]) == round(brute)


def test_a_listed_bound_has_the_checkers_rows(tmp_path: Path) -> None:
    instance = few(2)
    bound = sp.bound(sp.program("preemptive.lp4", cost="printed"), instance)
    write_object(tmp_path / "instance.json", instance.to_json())
    write_json(tmp_path / "bound.json", bound.to_file())
    found = checks_bound.check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))
    assert Fraction(found["value"]) == bound.exact and "listed" not in str(found)


@pytest.mark.parametrize("seed", range(6))
def test_the_class_lp_equals_its_arrays_and_its_dual(seed: int) -> None:
    instance = few(seed)
    program = sp.program("preemptive.lp4")
    values = [program.solve(instance, solver=name).objective for name in ("highs", "matrix")]
    values += [program.dual().solve(instance).objective]
    assert values == pytest.approx([values[0]] * 3)
    assert sp.bound("preemptive.lp4", instance).exact == program.solve(instance, solver="highs").exact
    ilp = sp.program("preemptive.ilp4").drop("one_worker_per_chunk", *DECOUPLED)
    assert sp.program("preemptive.dual6").solve(instance).objective == pytest.approx(
        ilp.relaxed().solve(instance).objective
    )


def test_a_break_raises_the_bound() -> None:
    value = tiny_preemptive(3, cloud=False)
    whole = Instance.from_json(value)
    closed = Instance.from_json(
        value | {"breaks": [{"machine": "*", "start": 0, "end": 9}], "horizon": value["horizon"] + 9}
    )
    for prices in ("lp", "free"):
        assert (
            sp.bound("preemptive.lp4", closed, prices=prices).exact
            > sp.bound("preemptive.lp4", whole, prices=prices).exact
        )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("name", "options"), POLICIES)
def test_no_policy_works_in_a_break(seed: int, name: str, options: dict[str, Any]) -> None:
    instance = some(seed, restart=seed % 3)
    run = sp.policy(f"preemptive.{name}", **options).run(instance)
    assert run.violations == ()
    i = run.schedule.intervals
    for row in instance.breaks:
        for n in range(len(i)):
            server = instance.servers[i.server[n]]
            away = not server.cloud and row.machine in ("*", server.name)
            assert not away or i.end[n] <= row.start or i.start[n] >= row.end
    assert run.objective >= sp.bound("preemptive.lp4", instance, prices="lp").exact
    if name != "srpt_floating" and not instance.restart:
        adds_up(run.ratio(sp.bound("preemptive.lp4", instance)).gap)


@pytest.mark.parametrize("later", [2, 3])
@pytest.mark.parametrize(("queue", "backfills"), [("fifo", False), ("sjf", False), ("easy", True)])
def test_an_interrupted_job_is_the_first_of_the_queue(queue: str, backfills: bool, later: int) -> None:
    """A job on two servers waits for the end of a break from 1 to 3, and EASY fills the other server until then."""
    delay = {"upload_delay": {"e": 0, "f": 0}}
    wide = job("wide", arrival=0, chunks=2, minibatch_time=2) | delay
    small = job("small", arrival=1, chunks=1, minibatch_time=later) | delay
    servers = [{"name": name, "workers": {"gpu": 1}, "parameter_servers": 9} for name in "ef"]
    head = {"version": 1, "family": "preemptive", "horizon": 20, "servers": servers, "jobs": [wide, small]}
    instance = Instance.from_json(head | {"breaks": [{"machine": "e", "start": 1, "end": 3}]})
    assert [j.slots() for j in instance.jobs] == [2, later]
    for chunks in ("floating", "pinned"):
        i = sp.policy(f"preemptive.{queue}", chunks=chunks).run(instance).schedule.intervals
        runs = {(int(i.job[n]), int(i.start[n]), int(i.end[n])) for n in range(len(i))}
        begin = 1 if backfills and later == 2 and chunks == "floating" else 4
        assert runs == {(0, 0, 1), (0, 3, 4), (1, begin, begin + later)}


def test_the_checker_refuses_work_in_a_break() -> None:
    value = tiny_preemptive(5, cloud=False)
    day = Instance.from_json(value)
    run = sp.policy("preemptive.srtf").run(day)
    first = min(run.schedule.intervals.rows(), key=lambda row: row[5])
    name, start, end = day.servers[first[2]].name, first[5], first[6]
    for rows, broken in (([(name, start, end)], True), ([(name, end - 1, end)], True), ([("edge-0", 0, 0)], None)):
        breaks = [{"machine": machine, "start": begin, "end": stop} for machine, begin, stop in rows]
        if broken is None:
            with pytest.raises(InputError, match="expected an end after the start"):
                Instance.from_json(value | {"breaks": breaks})
            continue
        closed = Instance.from_json(value | {"breaks": breaks})
        found = {row.constraint for row in run.schedule.violations(closed)}
        assert "not_in_a_break" in found


WRONG = [
    ({"machine": "moon", "start": 0, "end": 1}, "breaks\\[0\\].machine = 'moon': expected one of edge-0"),
    ({"machine": "cloud", "start": 0, "end": 1}, "breaks\\[0\\].machine = 'cloud': expected one of edge-0"),
    ({"machine": "edge-0", "start": 0, "end": 10**6}, "breaks\\[0\\].end = 1000000: expected an end of at most"),
    ({"machine": "edge-0", "start": 0.5, "end": 1}, "breaks\\[0\\].start"),
]


@pytest.mark.parametrize(("row", "message"), WRONG)
def test_a_wrong_break_is_refused_in_one_sentence(row: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Instance.from_json(tiny_preemptive(1, cloud=True) | {"breaks": [row]})


def test_an_instance_without_room_for_a_job_is_refused() -> None:
    value = tiny_preemptive(1, cloud=False)
    with pytest.raises(InputError, match=r"breaks = 0: expected at least \d+ slots"):
        Instance.from_json(value | {"breaks": [{"machine": "*", "start": 0, "end": value["horizon"]}]})


UNSUPPORTED = [
    lambda day: sp.bound("preemptive.configuration_lp", day),
    lambda day: sp.bound("preemptive.floating_configuration_lp", day),
    lambda day: sp.bound("preemptive.lp4", day, prices="ascent"),
    lambda day: sp.bound("preemptive.lp4", day, prices="flow"),
    lambda day: sp.program("preemptive.lp4").solve(day, solver="flow"),
    lambda day: sp.program("preemptive.lp4").solve(day, solver="network_simplex"),
    *(
        lambda day, name=name: sp.policy(f"preemptive.{name}").run(day)
        for name in ("a_online", "a_online_edge", "gang_online", "batch_sche", "offline")
    ),
]


@pytest.mark.parametrize("method", UNSUPPORTED)
def test_a_method_without_support_refuses_breaks(method: Any) -> None:
    with pytest.raises(SchedproofError, match="not support breaks"):
        method(some(2, cloud=False))


def test_a_users_policy_of_whole_jobs_supports_breaks() -> None:
    class Fewest(GangPolicy):
        def order(self, gang: Any, now: int) -> tuple[int, ...]:
            return gang.job.chunks, not gang.running

    class Blind:
        def start(self, system: Any) -> None: ...

        def arrive(self, time: int, jobs: Any) -> None: ...

        def advance(self, until: int) -> None: ...

    assert sp.policy(Fewest).run(some(4)).feasible
    with pytest.raises(PolicyError, match="supports_breaks = True"):
        sp.policy(Blind()).run(some(4))


def test_finer_slots_keep_the_breaks() -> None:
    day = some(1)
    finer = Instance.from_json(refined(day.to_json(), 3))
    assert [(row.start, row.end) for row in finer.breaks] == [(3 * row.start, 3 * row.end) for row in day.breaks]


def test_an_instance_without_breaks_keeps_its_hash() -> None:
    value = tiny_preemptive(1)
    assert Instance.from_json(value).sha256 == Instance.from_json(value | {"breaks": []}).sha256
    assert b"breaks" not in Instance.from_json(value).canonical()
