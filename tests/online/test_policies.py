"""Every policy: feasible schedules, repeatable for a seed, and no foresight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from msgspec import structs

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.instances import dmlrs, jrp, multiserver, placement, preemptive
from tests.instances.placement.drawn import drawn
from tests.instances.schedules import schedules
from tests.support import FAMILIES, size
from tests.tiny.dmlrs import tiny_cluster
from tests.tiny.jrp import tiny_cells
from tests.tiny.multiserver import tiny_multiserver, tiny_ports
from tests.tiny.preemptive import tiny_instance

CONTENT = {family: of.content for family, of in schedules().items()}


@dataclass(frozen=True)
class Game:
    """How to test a family's policies.

    Attributes
    ----------
    drawn
        The instance of a seed.
    twins
        For a seed, two instances that agree before some time, and the part of a schedule decided before it.
    """

    drawn: Callable[[int], Any]
    twins: Callable[[int], tuple[Any, Any, Callable[[Any], Any]]]


def preemptive_twins(seed: int) -> tuple[preemptive.Instance, preemptive.Instance, Callable[[Any], Any]]:
    instance = tiny_instance(seed, storage=False, jobs=8)
    last = instance.jobs[-1].arrival
    known = tuple(job for job in instance.jobs if job.arrival < last)

    def before(schedule: preemptive.Schedule) -> Any:
        return {(*row[:6], min(row[6], last)) for row in schedule.intervals.rows() if row[5] < last}

    return instance, preemptive.Instance(instance.horizon, instance.servers, known), before


def dmlrs_twins(seed: int) -> tuple[dmlrs.Instance, dmlrs.Instance, Callable[[Any], Any]]:
    instance, slot = tiny_cluster(seed, jobs=6, horizon=6), 1 + seed % 5
    other = {"epochs": 9, "batch_size": 1}
    later = [structs.replace(j, worker=j.ps, **other) if j.arrival >= slot else j for j in instance.jobs]
    return instance, replace(instance, jobs=tuple(later)), lambda s: [p for p in s.placements if p.slot < slot]


def multiserver_twins(seed: int) -> tuple[multiserver.Instance, multiserver.Instance, Callable[[Any], Any]]:
    """Change the arrivals from some slot on; at most one job of each port."""
    value, slot = tiny_multiserver(seed, horizon=8), 1 + seed % 7
    here = np.minimum(1, np.array(value["arrivals"]))
    here[0] = 1
    other = np.concatenate([here[:slot], 1 - here[slot:]])
    one, two = (multiserver.from_json(value | {"arrivals": arrivals.tolist()}) for arrivals in (here, other))

    def before(schedule: multiserver.Schedule) -> Any:
        commits = schedule.policy == "multiserver.oga_sched" or schedule.options.get("protocol") == "commits"
        return np.concatenate(list(schedule.blocks()))[: slot + commits].tolist()

    return one, two, before


def jrp_twins(seed: int) -> tuple[jrp.Instance, jrp.Instance, Callable[[Any], Any]]:
    instance = tiny_cells(seed, jobs=6)
    later = tuple(structs.replace(job, deadline=None) if job.index >= 3 else job for job in instance.jobs)
    return instance, replace(instance, jobs=later), lambda schedule: [p for p in schedule.placements if p.job < 3]


def placement_twins(seed: int) -> tuple[placement.Instance, placement.Instance, Callable[[Any], Any]]:
    instance, slot = drawn(seed, tasks=8, clusters=2, horizon=200), 2 + seed % 12
    other = {"kind": "sensitive", "needs": (0, 0), "modes": (placement.Mode((0, 1), 1 + seed % 8),)}
    later = [structs.replace(task, **other) if task.arrival >= slot else task for task in instance.tasks]

    def before(schedule: placement.Schedule) -> Any:
        rows = [row for row in schedule.starts if row.slot < slot]
        return [(row.task, row.cluster, *row.allocation, row.slot, min(row.until or slot, slot)) for row in rows]

    return instance, replace(instance, tasks=tuple(later)), before


GAMES = {
    "preemptive": Game(lambda seed: tiny_instance(seed, storage=False, jobs=3 + seed % 7), preemptive_twins),
    "dmlrs": Game(
        lambda seed: tiny_cluster(seed, jobs=2 + seed % 5, machines=1 + seed % 3, horizon=3 + seed % 4), dmlrs_twins
    ),
    "multiserver": Game(lambda seed: tiny_ports(seed, copies=1 + seed % 2, horizon=6), multiserver_twins),
    "jrp": Game(lambda seed: tiny_cells(seed, jobs=6), jrp_twins),
    "placement": Game(lambda seed: drawn(seed, horizon=400, roomy=True), placement_twins),
}
OPTIONS: dict[str, list[dict[str, Any]]] = {  # in addition to the defaults
    "preemptive.a_online": [{"order": "residual"}, {"price": "marginal"}, {"speed": "3/2"}],
    "preemptive.srtf": [{"speed": "1.5"}],
    "preemptive.tiresias_l": [{"thresholds": (4, 12)}],
    "preemptive.gang_online": [{"critical": "1/2", "speed": "3/2"}],
    "preemptive.offline": [{"rounds": 5}],
    "preemptive.batch_sche": [{"window": 4, "speed": "5/4"}, {"cloud_price": 100}, {"cloud_price": 1}],
    "dmlrs.pd_ors": [{"theta": "lp_rounding"}, {"bounds": "repaired"}],
    "dmlrs.fifo": [{"workers": 2}],
    "dmlrs.offline": [{"rounds": 5}],
    "dmlrs.dorm": [{"theta1": 0, "theta2": "1/3"}],
    "multiserver.oga_sched": [
        *({"step": step} for step in ("anytime", "decayed", "printed53")),
        {"gain": "total"},
        {"constants": "printed"},
    ],
    **{f"multiserver.{id}": [{"protocol": "commits"}] for id in ("drf", "fairness", "fairness_arrived", "spreading")},
    "multiserver.binpacking": [{"protocol": "commits"}, {"nodes": "all"}],
    "jrp.random": [{"resources": "cone"}],
    "jrp.greedy": [{"resources": "cone"}],
    "placement.random": [{"window": 1}],
    "placement.tiresias": [{"preemption": "allowed"}, {"preemption": "allowed", "threshold": 3}],
    "placement.optimus": [{"preemption": "allowed"}, {"window": 2}],
    "placement.table": [{"table": {"sensitive": (3, 2), "insensitive": (1, 1)}, "turns": "in_order"}],
    "placement.offline": [{"rounds": 5}],
}
POLICIES = [
    (id, options)
    for id in registry.entries("policy")
    for options in [{}, *OPTIONS.get(id, [])]
    if id.split(".")[0] in FAMILIES
]
KNOW_ALL_UTILITIES = ("dmlrs.pd_ors", "dmlrs.oasis")  # the largest and smallest, before anything arrives
ONLINE = [(id, options) for id, options in POLICIES if not registry.entries("policy")[id].offline]
each_policy, each_online = (pytest.mark.parametrize(("id", "options"), cases, ids=str) for cases in (POLICIES, ONLINE))


@each_policy
def test_schedules_are_feasible_and_the_same_for_the_same_seed(id: str, options: dict[str, Any]) -> None:
    family = id.split(".")[0]
    for seed in range(size(5, 10, 500)):
        instance = GAMES[family].drawn(seed)
        first, again = (sp.policy(id, **options).run(instance, seed=seed) for _ in range(2))
        assert first.violations == (), seed
        assert CONTENT[family](first.schedule) == CONTENT[family](again.schedule), seed
        assert first.schedule.seed == seed and first.objective == again.objective


@each_online
def test_later_events_change_no_earlier_decision(id: str, options: dict[str, Any]) -> None:
    if id in KNOW_ALL_UTILITIES:
        pytest.skip("its prices are set by the utilities of all jobs: test_foresight holds these fixed")
    family, decided, different = id.split(".")[0], 0, 0
    more = options | ({"batches": 2} if family == "jrp" else {})
    for seed in range(size(6, 8, 300)):
        one, other, before = GAMES[family].twins(seed)
        schedules = [sp.policy(id, **more).run(instance, seed=seed).schedule for instance in (one, other)]
        assert before(schedules[0]) == before(schedules[1]), seed
        decided += bool(np.size(before(schedules[0])))
        different += CONTENT[family](schedules[0]) != CONTENT[family](schedules[1])
    assert decided and different, "there was something to decide before, and something else to decide later"
