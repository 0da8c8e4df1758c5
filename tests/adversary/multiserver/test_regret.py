from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

import schedproof as sp
from schedproof.adversary.games import Strategy
from schedproof.adversary.multiserver.regret import ONE, Pool, Regret, best_reward, pools_of
from schedproof.check.game import check
from schedproof.core.errors import InputError, NoSolution
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import write_json
from schedproof.instances import from_json
from schedproof.relaxations.multiserver.solver import StationarySolver
from tests.support import size
from tests.tiny.multiserver import by_hand

DUEL = by_hand([[1]], [([1], [0]), ([1], [0])], [[1, 1]])


def solved(**options: object) -> Strategy:
    return sp.game("multiserver.regret", **options)


def test_two_ports_and_one_unit_are_a_walk() -> None:
    for slots in range(1, size(6, 6, 13)):
        walk = Fraction(sum(abs(slots - 2 * k) * comb(slots, k) for k in range(slots + 1)), 2**slots)
        assert solved(slots=slots).value == walk / 2


def test_with_room_for_all_ports_the_regret_is_zero() -> None:
    assert Regret([Pool(ONE, 2 * ONE, (ONE, ONE))], 3).best(Fraction(0), Context()) is None
    with pytest.raises(NoSolution):
        sp.game("multiserver.regret", slots=2, above="1/2")


def test_the_best_reward_is_that_of_the_best_fixed_allocation(tmp_path: Path) -> None:
    rng = random.Random(18)
    for n in range(size(3, 3, 100)):
        nodes = [{"name": f"n{r}", "capacity": {"gpu": rng.randrange(4), "cpu": rng.randrange(3)}} for r in range(2)]
        ports = [
            {
                "name": f"p{i}",
                "demand": {"gpu": rng.randrange(3), "cpu": rng.randrange(3)},
                "nodes": ["n0", "n1"][:most],
            }
            for i, most in enumerate((1, 2, 2))
        ]
        linear = {name: {"kind": "linear", "alpha": rng.randrange(1, 4)} for name in ("cpu", "gpu")}
        cluster = {"version": 1, "family": "multiserver", "resources": ["cpu", "gpu"], "nodes": nodes, "ports": ports}
        cluster |= {"utilities": linear, "overhead": {"cpu": 0, "gpu": 0}, "arrivals": [[1, 1, 1]]}
        write_json(tmp_path / "cluster.json", cluster)
        instance = from_json(cluster)
        pools, solver = pools_of(instance), StationarySolver(instance.graph, "node")
        try:
            found = solved(slots=2, instance=tmp_path / "cluster.json")
        except NoSolution:
            continue
        assert found.setting["pools"] == [pool.to_json() for pool in pools]
        for counts in product(range(3), repeat=3):
            best = solver.solve(np.array(counts), 1e-9).value
            assert float(best_reward(pools, counts)) == pytest.approx(best, rel=1e-6, abs=1e-6), n
        found.write(tmp_path / "strategy.json")
        assert check(str(tmp_path / "strategy.json"))["value"] == str(found.value)


@pytest.mark.parametrize("step", ["constant", "anytime"])
def test_no_policy_beats_the_value(step: str) -> None:
    slots = 3
    found = solved(slots=slots)
    rows = {(row["slot"], tuple(row["came"])): row for row in found.rows}
    policy, duel = sp.policy("oga_sched", step=step), from_json(DUEL)

    def average(arrivals: tuple[tuple[int, ...], ...]) -> float:
        if len(arrivals) == slots:
            run = policy.run(replace(duel, arrivals=np.array(arrivals, dtype=np.uint8)))
            return float(run.regret(points=2).upper[-1])
        row = rows[len(arrivals), tuple(map(sum, zip(*arrivals, strict=True))) or (0, 0)]
        return sum(float(Fraction(d["probability"])) * average((*arrivals, tuple(d["comes"]))) for d in row["draws"])

    assert average(()) >= float(found.value) - 1e-9


def test_other_systems_are_rejected(tmp_path: Path) -> None:
    rooted = DUEL | {"overhead": {"cpu": 1}}
    write_json(tmp_path / "cluster.json", rooted)
    with pytest.raises(InputError, match="expected linear utilities"):
        solved(instance=tmp_path / "cluster.json")
    write_json(tmp_path / "day.json", sp.embedded("day").to_json())
    with pytest.raises(InputError, match="found one of family preemptive"):
        solved(instance=tmp_path / "day.json")
    with pytest.raises(InputError, match="possible draws"):
        Regret([Pool(ONE, ONE, (ONE,) * 12)], 9)
