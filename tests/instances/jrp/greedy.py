"""Feasible schedules by a random greedy algorithm, independent of the policies."""

from __future__ import annotations

import random

from schedproof.instances.jrp import Assignment, Instance, Job, Placement, Schedule
from schedproof.instances.jrp.shares import RULES, data, grants, serves
from tests.tiny.jrp import schedule_of


def greedy(instance: Instance, seed: int, rule: str = "cone") -> Schedule:
    """Return the schedule of an assignment made by `assigned`."""
    return schedule_of(assigned(instance, seed, rule), instance, "greedy", seed)


def assigned(instance: Instance, seed: int, rule: str = "cone") -> Assignment:
    """Assign jobs in random order, data nodes to random servers, if they fit."""
    rng = random.Random(seed)
    judge = RULES[rule](instance)
    rows: list[Placement] = []
    for job in rng.sample(instance.jobs, len(instance.jobs)):
        more = [*rows, *_anywhere(job, rng)]
        if len(more) == len(rows) + len(job.nodes) and all(
            serves(instance, j, [row for row in more if row.server == j], judge) for j in range(len(instance.servers))
        ):
            rows = more
    return Assignment(rows, grants(data(rows, instance), instance, judge))


def _anywhere(job: Job, rng: random.Random) -> list[Placement]:
    return [Placement(job.index, node.index, rng.choice(node.servers)) for node in job.nodes if node.servers]
