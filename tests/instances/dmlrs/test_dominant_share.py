from __future__ import annotations

import random
from fractions import Fraction

from schedproof.instances.dmlrs import Job
from schedproof.instances.dmlrs.dominant_share import parts, progressive_filling, totals
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster


def test_totals_omit_resources_without_capacity() -> None:
    for seed in range(size(10, 24, 200)):
        instance = tiny_cluster(seed)
        for r in instance.resources:
            there = [machine.capacity[r] for machine in instance.machines]
            assert totals(instance).get(r, 0) == sum(there)
            assert (r in totals(instance)) == any(there)


class Replay:
    """An oracle that rejects some workers and checks that the smallest share comes first."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.jobs = (instance := tiny_cluster(seed, jobs=5, machines=3, most_workers=6)).jobs
        self.total = totals(instance)
        self.workers, self.out = dict.fromkeys((job.index for job in self.jobs), 0), set[int]()

    def share(self, job: Job) -> Fraction:
        n = self.workers[job.index]
        used = [n * a + job.ps_needed(n) * b for a, b in parts(job, self.total).values()]
        return max(used, default=Fraction(0))

    def one_more(self, job: Job) -> bool:
        able = [j for j in self.jobs if j.index not in self.out and self.workers[j.index] < j.batch_size]
        assert job == min(able, key=lambda j: (self.share(j), j.index))
        if self.rng.random() < 0.2:
            self.out.add(job.index)
            return False
        self.workers[job.index] += 1
        return True


def test_each_worker_goes_to_the_smallest_share_with_room() -> None:
    for seed in range(size(20, 60, 1000)):
        replay = Replay(seed)
        most = {job.index: job.batch_size for job in replay.jobs}
        assert progressive_filling(replay.jobs, most, replay.total, replay.one_more) == replay.workers
        assert all(replay.workers[j] == most[j] or j in replay.out for j in most)
