"""Helpers of the notebook `gangs`: queues, a pair of jobs, and lateness by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from sliders import sliders
from style import BLUE, GREY, ORANGE, beside, panels

from schedproof.core.base.untyped import Axes
from schedproof.core.results.run import Run
from schedproof.instances.preemptive import Instance
from schedproof.workloads.preemptive import generate

__all__ = ["BLUE", "GREY", "ORANGE", "beside", "draw_late", "late", "pair", "panels", "queue", "sliders", "ways"]

QUEUE = {"jobs": "1000", "servers": "4", "gpus_low": "4", "gpus_high": "4", "types": "1", "cloud": "no"}
QUEUE |= {"hours": "50000", "slot_seconds": "36000", "chunks": "gpus", "epochs_low": "1", "epochs_high": "60"}
QUEUE |= {"minibatch_hours_low": "0.01"}
CLASSES = {1: "1", 2: "2 or 3", 4: "4 to 7", 8: "8 and more"}


def queue(seed: int, load: float) -> Instance:
    """Return 1,000 jobs for 16 workers with Philly's GPU counts as chunks, at a load."""
    return Instance.from_json(generate("tiny", seed, QUEUE | {"load": str(load)}))


def pair() -> Instance:
    """Return two simultaneous jobs for three workers: two chunks of five slots, three of three."""
    sizes = {"jobs": "2", "servers": "1", "gpus_low": "3", "gpus_high": "3", "types": "1", "cloud": "no"}
    row = generate("tiny", 0, sizes | {"delay_low": "0", "delay_high": "0"})
    for job, chunks, slots in zip(row["jobs"], (2, 3), (5, 3), strict=True):
        job |= {"arrival": 0, "chunks": chunks, "epochs": 1, "minibatches": 1, "minibatch_time": slots}
        job |= {"update_time": 0, "gradient_size": 0}
    return Instance.from_json(row | {"horizon": 20})


def ways(critical: Fraction = Fraction(1, 32)) -> dict[int, tuple[Fraction, Fraction, int]]:
    """Return the cost of the pair's second job by its chunks on the idle worker.

    Returns
    -------
    dict
        Chunks on the idle worker -> A_online's sum of prices (5), the cost of `gang_online`, and the total JCT.
    """
    found = {}
    for alone in (1, 2, 3):
        before = 3 - alone  # chunks before one of the first job, for three slots each
        own = sum(Fraction(3 * k, 3) for k in range(1, alone + 1)) + before * Fraction(3, 3)
        others = before * Fraction(3, 2)
        whole = 3 * alone + (1 - critical) * others + critical * 3 * before
        found[alone] = own + others, whole, 3 * alone + (8 if before else 5)
    return found


def late(run: Run, best: Run) -> dict[str, float]:
    """Return how many slots later jobs complete than in another run, by number of chunks."""
    behind = run.schedule.completions(run.instance) - best.schedule.completions(best.instance)
    chunks = np.array([job.chunks for job in run.instance.jobs])
    of = np.searchsorted(list(CLASSES), chunks, side="right") - 1
    return dict(zip(CLASSES.values(), np.bincount(of, behind, len(CLASSES)).tolist(), strict=True))


def draw_late(parts: Mapping[str, Sequence[Mapping[str, float]]], best: float, ax: Axes) -> None:
    """Draw `late` for each class of jobs and policy, over all draws, in percent of the best total."""
    for n, ((name, draws), colour) in enumerate(zip(parts.items(), (ORANGE, BLUE), strict=True)):
        heights = [100 * sum(draw[kind] for draw in draws) / best for kind in CLASSES.values()]
        ax.bar(np.arange(len(CLASSES)) + 0.4 * (n - 0.5), heights, width=0.38, color=colour, label=name)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set(xticks=range(len(CLASSES)), xticklabels=CLASSES.values(), xlabel="chunks of the job")
