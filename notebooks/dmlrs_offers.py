"""Pictures of PD-ORS's prices: each job's utility and cost, and each machine's prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from levels import plain_ticks

from schedproof.core.base.untyped import Axes, Figure
from schedproof.core.results.run import Policy
from schedproof.core.simulation.pictures import COLOURS, RED, panels
from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs import Instance, Job, Placement
from schedproof.instances.dmlrs.drive import system
from schedproof.instances.dmlrs.extremes import Extremes
from schedproof.online.dmlrs.prices import Prices

LEAST, MOST = 1e-3, 300.0  # of a utility or a cost in the picture
LITTLE = 1.0  # a negligible utility: they go up to 100
FULL = np.linspace(0, 1, 201)


class Offer(NamedTuple):
    """A job's offer to the policy.

    Attributes
    ----------
    utility, cost
        Of the best or nearest schedule; the cost is inf if none fits.
    rows
        Its placements; empty if it was rejected.
    """

    job: Job
    utility: float
    cost: float
    rows: list[Placement]


def watch(instance: Instance, policy: Policy) -> tuple[Prices, list[Offer]]:
    """Run PD-ORS or a variant again; return its last prices and all offers."""
    built = policy.build(instance)
    built.start(system(instance))
    offers = []
    for _, jobs in arrivals(instance.jobs):
        for job in jobs:
            sweep, utility, cost = built.price_schedules(job)
            fits = np.isfinite(cost)
            payoff = np.where(fits, utility - np.where(fits, cost, 0.0), -np.inf)
            best = int(payoff.argmax())
            rows = sweep.placements(best + 1) if payoff[best] > 0 else []
            built.take(job, rows)
            if not rows and fits.any():
                best = int(np.where(fits, utility / np.where(fits, cost, 1.0), 0.0).argmax())
            offers.append(Offer(job, float(utility[best]), float(cost[best]), rows))
    return built.prices, offers


def in_use(instance: Instance, offers: Sequence[Offer]) -> np.ndarray:
    """Return the utilisation of each resource in each slot by the offers; (slots, resources)."""
    grid = instance.grid
    used = np.zeros((instance.horizon, len(instance.resources)))
    for offer in offers:
        for row in offer.rows:
            used[row.slot] += grid.worker(offer.job) * row.workers + grid.ps(offer.job) * row.ps
    return used / np.maximum(grid.capacity.sum(axis=0), 1)


def fates(instance: Instance, offers: Sequence[Offer]) -> dict[str, float]:
    """Count offers that were admitted, ``too dear`` and without room.

    The result also has the share of the busiest resource's use by jobs of negligible utility.
    """
    admitted, turned_away = [o for o in offers if o.rows], [o for o in offers if not o.rows]
    everyone = in_use(instance, admitted).sum(axis=0)
    little = in_use(instance, [o for o in admitted if o.utility < LITTLE]).sum(axis=0)
    busiest = int(everyone.argmax())
    dear = sum(bool(np.isfinite(o.cost)) for o in turned_away)
    share = float(little[busiest] / everyone[busiest]) if admitted else 0.0
    return {"admitted": len(admitted), "too dear": dear, "no room": len(turned_away) - dear, "wasted": share}


def draw_doors(instance: Instance, offers_by_name: Mapping[str, Sequence[Offer]]) -> Figure:
    """Draw admitted and rejected jobs for sets of offers side by side; return the figure.

    A job is a dot at its utility, joined to a dash at its cost. Below is the busiest resource, and its share of jobs
    with utility less than 1.
    """
    grid = panels((10.5, 4.6), 2, len(offers_by_name), height_ratios=(3, 1.4), sharex=True, sharey="row", squeeze=False)
    for (door, below), (name, offers) in zip(grid.T, offers_by_name.items(), strict=True):
        _draw_door(door, offers)
        door.set_title(f"{name}: total utility {sum(o.utility for o in offers if o.rows):.0f}", fontsize=10, loc="left")
        everyone = in_use(instance, offers)
        busiest = everyone.sum(axis=0).argmax()
        earners = in_use(instance, [offer for offer in offers if offer.utility >= LITTLE])
        for share, colour, words in ((everyone, RED, "less than 1"), (earners, COLOURS[0], "more")):
            below.stairs(100 * share[:, busiest], fill=True, color=colour, label=f"by jobs that earn {words}")
        below.set(xlim=(0, instance.horizon), ylim=(0, 105), xlabel="slot")
        for ax in (door, below):
            ax.spines[["top", "right"]].set_visible(False)
    grid[0, 0].set_ylabel("utility (dot), cost (dash)")
    grid[1, 0].set_ylabel("% in use of the\nbusiest resource", fontsize=8)
    for ax in grid[:, -1]:
        ax.legend(fontsize=8, frameon=False, bbox_to_anchor=(1, 1), loc="upper left")
    return grid[0, 0].figure


def _draw_door(ax: Axes, offers: Sequence[Offer]) -> None:
    """Draw the jobs of a slot side by side."""
    same = {slot: [offer for offer in offers if offer.job.arrival == slot] for slot in {o.job.arrival for o in offers}}
    at = {offer.job.index: slot + (n + 0.5) / len(some) for slot, some in same.items() for n, offer in enumerate(some)}
    kinds = {
        "admitted": (COLOURS[0], [offer for offer in offers if offer.rows]),
        "too dear": (COLOURS[1], [offer for offer in offers if not offer.rows and np.isfinite(offer.cost)]),
    }
    for name, (colour, some) in kinds.items():
        x = [at[offer.job.index] for offer in some]
        utility, cost = np.clip([(offer.utility, offer.cost) for offer in some], LEAST, MOST).reshape(-1, 2).T
        ax.vlines(x, utility, cost, color=colour, linewidth=1, alpha=0.7)
        ax.plot(x, utility, "o", color=colour, markersize=4, label=name)
        ax.plot(x, cost, "_", color=colour, markersize=6)
    x = [at[offer.job.index] for offer in offers if np.isinf(offer.cost)]
    ax.plot(x, [MOST] * len(x), "x", color=COLOURS[-1], markersize=5, clip_on=False, label="no room")
    ax.set(yscale="log", ylim=(LEAST, MOST))
    plain_ticks(ax)


def bundle(instance: Instance, job: Job) -> dict[str, float]:
    """Return a worker's demand with its share of a parameter server, by resource."""
    return {r: float(job.worker.get(r, 0) + job.ps.get(r, 0) / job.workers_per_ps) for r in instance.resources}


def mean_bundle(instance: Instance) -> np.ndarray:
    """Return the mean of `bundle` over jobs, in units of the instance's grid."""
    grid = instance.grid
    return np.mean([grid.worker(job) + grid.ps(job) / float(job.workers_per_ps) for job in instance.jobs], axis=0)


def log_price(extremes: Extremes, amounts: Mapping[str, float]) -> np.ndarray:
    """Return the log of these amounts' cost on a machine by (12), at each point of `FULL`."""
    low = extremes.log_lowest or 0.0
    parts = [np.log(amount) + low + FULL * (extremes.log_highest[r] - low) for r, amount in amounts.items() if amount]
    return np.logaddexp.reduce(parts)


def worth_admitting(instance: Instance, extremes: Extremes) -> np.ndarray:
    """Return the share of jobs worth their cost if all machines are equally full, at each point of `FULL`."""
    fates = []
    for job in instance.jobs:
        work = job.work * job.internal_time
        highest = job.utility.log(-int(-work // job.batch_size))
        fates.append(np.log(float(work)) + log_price(extremes, bundle(instance, job)) < highest)
    return np.mean(fates, axis=0)


def draw_spans(instance: Instance, extremes_by_name: Mapping[str, Extremes]) -> Figure:
    """Draw a worker's price by its machine's utilisation, and the share of jobs still admitted.

    Returns the figure; prices below a billionth of the largest utility are left out.
    """
    left, right = panels((10.5, 3.4), 1, 2)
    demands = [bundle(instance, job) for job in instance.jobs]
    average = {r: float(np.mean([demand[r] for demand in demands])) for r in instance.resources}
    for (name, extremes), colour in zip(extremes_by_name.items(), COLOURS, strict=False):
        price = log_price(extremes, average) / np.log(10)
        left.plot(100 * FULL, price, color=colour, label=name)
        right.plot(100 * FULL, 100 * worth_admitting(instance, extremes), color=colour)
    left.set(xlabel="% of the machine in use", ylabel="price of a worker, powers of 10", ylim=(-13, 4), xlim=(0, 100))
    left.set_title("the price of an average worker for a slot", fontsize=10, loc="left")
    left.legend(frameon=False, fontsize=8)
    right.set(xlabel="% of every machine in use", ylabel="% of the jobs", xlim=(0, 101), ylim=(-3, 103))
    right.set_title("jobs whose utility exceeds what they would cost", fontsize=10, loc="left")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    return left.figure


def draw_prices(instance: Instance, prices_by_name: Mapping[str, np.ndarray]) -> Figure:
    """Draw an average worker's price on each machine in each slot; return the figure.

    Prices have the shape (slots, machines, resources); all panels have one scale.
    """
    from matplotlib.colors import LogNorm

    rows = -(-len(prices_by_name) // 2)
    grid = panels((10, 0.6 + 1.7 * rows), rows, 2, sharex=True, sharey=True, squeeze=False)
    for ax in grid.flat[len(prices_by_name) :]:
        ax.set_axis_off()
    for ax, (name, prices) in zip(grid.flat, prices_by_name.items(), strict=False):
        worker = np.clip(prices @ mean_bundle(instance), 1e-4, None)
        image = ax.pcolormesh(worker.T, norm=LogNorm(1e-4, 1e3), cmap="magma_r", edgecolors="white", linewidth=0.3)
        ax.set_title(name, fontsize=10, loc="left")
    for ax in grid[-1]:
        ax.set_xlabel("slot")
    for ax in grid[:, 0]:
        ax.set_ylabel("machine")
    grid[0, 0].figure.colorbar(image, ax=grid, label="price of a worker", extend="both")
    return grid[0, 0].figure
