"""Pictures of a worker slot's value: the LP's rent and the weight of waiting chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.gap import certificate
from schedproof.core.simulation.pictures import COLOURS, panels
from schedproof.instances.preemptive import Instance, Schedule
from schedproof.relaxations.preemptive.prices import BITS, PriceCertificate


def rents(bound: Bound, instance: Instance) -> np.ndarray:
    """Return beta_q(t) of a bound's certificate, the value of one more worker; (classes, slots)."""
    units = certificate(bound, PriceCertificate).prices.units
    beta = np.zeros((len(instance.classes), max(instance.horizon, units.shape[1])))
    beta[:, : units.shape[1]] = units * 2.0**-BITS
    return beta


def weights(schedule: Schedule, instance: Instance) -> np.ndarray:
    """Return the weight 1/D_j of unfinished chunks per worker of a class, shaped as `rents`.

    It is the beta that the paper's proof derives from a run.
    """
    number = {place: q.index for q in instance.classes for place in q.places}
    ends: dict[tuple[int, int], tuple[int, int]] = {}
    for job, chunk, server, kind, worker, _, end in schedule.intervals.rows():
        if (q := number.get((server, kind, worker))) is not None:  # the cloud is unlimited
            ends[job, chunk] = q, max(end, ends.get((job, chunk), (q, 0))[1])
    beta = np.zeros((len(instance.classes), max(instance.horizon, int(schedule.intervals.end.max(initial=0)))))
    for (job, _), (q, end) in ends.items():
        beta[q, instance.jobs[job].arrival : end] += 1 / instance.jobs[job].chunks / instance.classes[q].count
    return beta


def draw_prices(schedule: Schedule, instance: Instance, bound: Bound) -> Any:
    """Draw both for each class of workers until the schedule's end; return the figure."""
    rent, weight = rents(bound, instance), weights(schedule, instance)
    last = int(schedule.intervals.end.max(initial=1))
    classes = instance.classes
    every = panels((10, 1 + 1.15 * len(classes)), len(classes), sharex=True, sharey=True, squeeze=False)[:, 0]
    words = "the run: weight of unfinished chunks per worker", "the LP: rent of a worker's slot"
    for q, ax in zip(classes, every, strict=True):
        for beta, colour, name in zip((weight, rent), COLOURS[1::-1], words, strict=True):
            ax.step(range(last), beta[q.index, :last], where="post", color=colour, label=name)
        ax.fill_between(range(last), weight[q.index, :last], step="post", color=COLOURS[1], alpha=0.35, linewidth=0)
        ax.set_title(f"{q.server.name}, {q.count} worker{'s' if q.count > 1 else ''}", fontsize=10, loc="left")
        ax.spines[["top", "right"]].set_visible(False)
    every[0].legend(fontsize=8, frameon=False, loc="upper right")
    every[-1].set_xlabel("slot")
    figure = every[0].figure
    figure.supylabel(r"$\beta$", fontsize=10)
    return figure
