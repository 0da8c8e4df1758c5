from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import NoSolution
from schedproof.core.simulation import policy as protocols
from schedproof.core.simulation.policy import Decisions
from schedproof.instances import from_json
from schedproof.instances.dmlrs import drive as of_dmlrs
from tests.certificates import instance_of
from tests.online.test_policies import GAMES, KNOW_ALL_UTILITIES, ONLINE
from tests.support import FAMILIES, size
from tests.tiny.multiserver import tiny_ports

LISTS = {"preemptive": "jobs", "dmlrs": "jobs", "placement": "tasks"}  # the list of arrivals
MORE: dict[str, list[dict[str, Any]]] = {
    "preemptive.a_online": [{"order": "residual"}, {"price": "marginal"}, {"speed": "3/2"}],
    "dmlrs.pd_ors": [{"theta": "lp_rounding_shrunk"}],
    "placement.tiresias": [{"preemption": "allowed"}],
    "placement.optimus": [{"preemption": "allowed"}],
}
CASES = [
    (id, options)
    for family in LISTS
    for id, entry in registry.family(family).entries("policy")
    for options in ({}, *MORE.get(id, []))
    if not entry.offline
]
BY_ARRIVALS = [case for case in CASES if not case[0].startswith("placement.")]
Held = list[tuple[Any, ...]]


def held(id: str, options: dict[str, Any], instance: Any) -> Held | None:
    with suppress(NoSolution):
        names = [row.name for row in getattr(instance, LISTS[instance.family])]
        occupied = sp.policy(id, **options).run(instance, 3).schedule.occupied(instance)
        return sorted(
            (names[row.job], row.place, row.resource, slot, row.amount)
            for row in occupied
            for slot in range(row.start, row.end)
        )
    return None


def before(part: int, rows: Held | None) -> Held | None:
    return rows and [row for row in rows if row[3] < part]


def drawn(id: str, seed: int) -> Any:
    family = id.partition(".")[0]
    drawn = sp.generate(family, seed=seed, jobs=5) if family == "preemptive" else instance_of(family, seed)
    document, name = drawn.to_json(), LISTS[family]
    apart = 5 if family == "preemptive" else 1  # uploads take some slots
    in_order = sorted(document[name], key=lambda row: row["arrival"])
    later = [row | {"arrival": apart * row["arrival"]} for row in in_order]
    return from_json(document | {"horizon": apart * document["horizon"], name: later})


def futures(instance: Any) -> Iterator[tuple[int, Any]]:
    document, name = instance.to_json(), LISTS[instance.family]
    for part in sorted({row["arrival"] for row in document[name]})[1:]:
        past = [row for row in document[name] if row["arrival"] < part]
        later = [row | {"arrival": row["arrival"] + 1} for row in document[name] if row["arrival"] >= part]
        for other in (past, past + later):
            yield part, from_json(document | {name: other})


@pytest.mark.parametrize(("id", "options"), CASES, ids=[f"{id}-{options}" for id, options in CASES])
def test_two_futures_with_one_past_are_met_with_the_same_decisions(
    id: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    for seed in range(size(3, 6, 40)):
        instance = drawn(id, seed)
        known = instance if id.startswith("dmlrs.") else None
        monkeypatch.setattr(of_dmlrs, "extremes", lambda _, variant, of=known: extremes(of, variant))
        rows = held(id, options, instance)
        for part, other in futures(instance):
            first, second = before(part, rows), before(part, held(id, options, other))
            assert None in (first, second) or first == second, (seed, part)
            compared += bool(first and second)
    assert compared


extremes = of_dmlrs.extremes


@pytest.mark.parametrize(("id", "options"), BY_ARRIVALS, ids=[f"{id}-{options}" for id, options in BY_ARRIVALS])
def test_a_policy_called_slot_by_slot_decides_the_same(
    id: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(size(3, 4, 40)):
        instance = drawn(id, seed)
        at_once = held(id, options, instance)
        with monkeypatch.context() as patch:
            patch.setattr(protocols, "is_ours", lambda policy: False)
            assert held(id, options, instance) == at_once, seed


def test_every_policy_of_the_package_is_covered() -> None:
    elsewhere = {id for id, _ in ONLINE if id not in KNOW_ALL_UTILITIES}
    cards = map(registry.family, FAMILIES)
    ours = {id for card in cards for id, entry in card.entries("policy") if not entry.offline}
    assert elsewhere | {id for id, _ in CASES} == ours and {id.partition(".")[0] for id in ours} == {*FAMILIES}
    assert {id.partition(".")[0] for id in elsewhere} == {*GAMES}


class Peek:
    """Starts a job only if no job arrives while it would run, should it see arrivals."""

    def start(self, system: Any) -> None:
        self.waiting: list[tuple[int, Any]] = []

    def arrive(self, time: int, jobs: Any) -> None:
        self.waiting += [(time, job) for job in jobs]

    def advance(self, until: int) -> Decisions:
        rows = []
        for time, job in self.waiting:
            free = until >= time + 2
            rows += (
                [(slot, job.index, 0, 1, 1) for slot in range(time, time + 2)]
                if free
                else [(time, job.index, -1, 0, 0)]
            )
        self.waiting = []
        columns = np.array(sorted(rows), dtype=np.int64).reshape(-1, 5).T
        return Decisions(columns[0], columns[1], dict(zip(of_dmlrs.COLUMNS, columns[2:], strict=True)))


def job(name: str, arrival: int) -> dict[str, Any]:
    values = {"kind": "table", "values": [9, 9, 9, 0]}
    sizes = {"epochs": 1, "samples": 2, "batch_size": 1, "workers_per_ps": 1, "sample_time": 1, "model_size": 0}
    bandwidths = {"bandwidth_internal": 1, "bandwidth_external": 1}
    return {"name": name, "arrival": arrival, **sizes, **bandwidths, "worker": {"gpu": 1}, "ps": {}, "utility": values}


def test_a_peeking_policy_sees_no_future_arrivals() -> None:
    machines = [{"name": "m", "capacity": {"gpu": 1}}]
    head = {"version": 1, "family": "dmlrs", "horizon": 8, "resources": ["gpu"], "machines": machines}
    both = (from_json({**head, "jobs": [job("long", 0), *more]}) for more in ([], [job("dear", 1)]))
    firsts = [
        [row for row in sp.policy(Peek).run(instance).schedule.placements if row.job == 0 and row.slot < 1]
        for instance in both
    ]
    assert firsts[0] == firsts[1]


def test_only_our_policies_allocate_many_slots_per_call() -> None:
    class Ahead:
        """Would see the arrivals of many slots before it allocates in the first."""

        protocol = "responds"

        def start(self, system: Any) -> None:
            self.graph = system.graph

        def respond(self, slot: int, arrivals: np.ndarray) -> np.ndarray:
            return np.zeros(self.graph.shape)

        def play(self, present: np.ndarray) -> np.ndarray:
            raise AssertionError

    assert sp.policy(Ahead()).run(tiny_ports(0, horizon=5)).objective == 0
