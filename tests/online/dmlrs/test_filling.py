from __future__ import annotations

import random

import numpy as np

from schedproof.online.dmlrs.filling import Filling, RoundRobin
from schedproof.online.dmlrs.slot_by_slot import Training
from tests.support import size
from tests.tiny.dmlrs import hand_made, tiny_cluster


def used(machines: Filling, trainings: list[Training]) -> np.ndarray:
    total = np.zeros_like(machines.free)
    for training in trainings:
        for h, workers, ps in machines.placement(training.job.index):
            total[h] += workers * training.worker + ps * training.ps
    return total


def test_free_amounts_are_capacity_minus_rows() -> None:
    for seed in range(size(20, 60, 500)):
        rng = random.Random(seed)
        instance = tiny_cluster(seed, jobs=4, machines=4)
        grid = instance.grid
        trainings = [Training(job, grid.worker(job), grid.ps(job)) for job in instance.jobs]
        machines = rng.choice([Filling, RoundRobin])(grid.capacity)
        for _ in range(15):
            training = rng.choice(trainings)
            before, rows = machines.free.copy(), machines.placement(training.job.index)
            step = rng.randrange(4)
            if step == 0:
                machines.remove(training)
                assert machines.placement(training.job.index) == []
                if rng.random() < 0.7:
                    assert machines.keep(training, rows)
                    assert np.array_equal(machines.free, before)
            elif not machines.one_more(training):
                assert np.array_equal(machines.free, before)
                assert machines.placement(training.job.index) == rows
            assert np.array_equal(machines.free + used(machines, trainings), grid.capacity)
            assert (machines.free >= 0).all()
            workers, servers = (sum(row[k] for row in machines.placement(training.job.index)) for k in (1, 2))
            assert servers == training.job.ps_needed(workers)


def test_rows_that_do_not_fit_are_not_kept() -> None:
    instance = hand_made([{"gpu": 2}, {"gpu": 1}], [{}])
    training = Training(instance.jobs[0], instance.grid.worker(instance.jobs[0]), instance.grid.ps(instance.jobs[0]))
    machines = Filling(instance.grid.capacity)
    assert not machines.keep(training, [(0, 1, 0), (1, 2, 0)])
    assert np.array_equal(machines.free, instance.grid.capacity)
    assert machines.several(training, 5) == 3
    assert machines.placement(0) == [(0, 2, 1), (1, 1, 0)]
