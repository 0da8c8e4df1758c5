"""Helpers of the notebook `preemptive`: draws, witnesses, bounds by given prices, pictures."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from levels import draw_levels
from preemptive_prices import draw_prices, weights
from preemptive_ratios import draw_premises, draw_ratios
from sliders import sliders
from style import BLUE, ORANGE, RED, panels

import schedproof as sp
from schedproof.core.base.lazy import pyo
from schedproof.core.certificates.bound import Bound
from schedproof.core.claims import claims
from schedproof.core.claims.witness import Witness
from schedproof.core.programs.group import Group
from schedproof.core.results.run import Run
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.bounds import bound_from_prices
from schedproof.workloads.preemptive import generate

__all__ = [
    "BLUE",
    "ORANGE",
    "RED",
    "dispatch_of",
    "draw_levels",
    "draw_premises",
    "draw_prices",
    "draw_ratios",
    "medium",
    "panels",
    "proved_by_prices",
    "sliders",
    "witness",
]

AIMED = "premises in mind"
SIZES = {"jobs": "12", "servers": "4", "types": "1", "ps_per_gpu": "12", "cloud": "no", "hours": "24"}
SIZES |= {
    "slot_seconds": "360",
    "epochs_low": "2",
    "epochs_high": "6",
    "minibatches_high": "4",
    "chunk_count_high": "4",
}


def witness(claim: str, name: str) -> Witness:
    """Return a stored counterexample to a claim."""
    return next(w for w in claims.find(f"preemptive.{claim}").witnesses() if w.name == name)


def dispatch_of(run: Run) -> Group:
    """Return a group of constraints: workers hold as many of a job's chunks as in this run."""
    servers, jobs = run.instance.servers, run.instance.jobs
    chunks = {row[:5] for row in run.schedule.intervals.rows()}
    held = Counter((jobs[j].name, servers[s].name, list(servers[s].workers)[k], w) for j, _, s, k, w in chunks)

    @sp.group("constraints", "this notebook", r"N_{jsw} = \bar N_{jsw}", needs=("pinned_workers",))
    def same_dispatch(block: Any, instance: Instance) -> None:
        """Every worker holds the chunks that the policy assigned to it."""
        holds = block.model().pinned_workers.holds
        block.row = pyo.Constraint(list(holds), rule=lambda _, *worker: holds[worker] == held[worker])

    return same_dispatch


def medium(seed: int, load: int, spread: int, kind: str, **size: str) -> Instance:
    """Return a draw with a load, and upload delays from 1 to 1 + spread slots.

    To meet the premises, chunk times are rounded up to multiples of 30 slots, and gradients are empty.
    """
    delays = {"load": str(load), "delay_low": "1", "delay_high": str(1 + spread)}
    row = generate("tiny", seed, SIZES | size | delays)
    if kind == AIMED:
        for job, known in zip(row["jobs"], Instance.from_json(row).jobs, strict=True):
            job |= {"epochs": 1, "minibatches": 1, "update_time": 0, "gradient_size": 0}
            job |= {"minibatch_time": 30 * -(-known.slots() // 30)}
        row["horizon"] *= 4
    return Instance.from_json(row)


def proved_by_prices(run: Run, factor: float) -> Bound:
    """Return the bound that the policy's own prices, times a factor, prove."""
    return bound_from_prices(run.instance, np.asarray(factor * weights(run.schedule, run.instance)))
