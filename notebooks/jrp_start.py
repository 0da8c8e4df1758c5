"""Helpers of the notebook `jrp`: counterexamples, rounds of Algorithm 1, pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any

from jrp_candidates import draw_candidates
from jrp_shares import PROGRAMS, draw_means, draw_relaxations, draw_time_shares, time_shares
from levels import draw_levels
from sliders import sliders
from style import BLUE, RED, panels

from schedproof.core.claims import claims
from schedproof.core.claims.claim import Claim
from schedproof.core.claims.witness import Witness
from schedproof.core.results.run import Run
from schedproof.core.simulation.policy import DecidedBy
from schedproof.experiments.compare import draws
from schedproof.instances.jrp import Assignment, Instance, Placement, Schedule
from schedproof.instances.jrp.shares import RULES, data, grants, servable
from schedproof.proofs_checks.jrp.proposition1 import nobody
from schedproof.proofs_checks.strategies.jrp_points import pairs
from schedproof.proofs_checks.strategies.jrp_rounds import vertex_iteration
from schedproof.reference import jrp as reference
from schedproof.reference.jrp_linear import lp_i
from schedproof.reference.jrp_model import optimum

__all__ = [
    "BLUE",
    "PROGRAMS",
    "RED",
    "Fraction",
    "could_be_in_time",
    "draw_candidates",
    "draw_levels",
    "draw_means",
    "draw_relaxations",
    "draw_time_shares",
    "draws",
    "everything_that_can_happen",
    "lp_i",
    "optimum",
    "panels",
    "pruned",
    "sliders",
    "somebody",
    "stored",
    "time_shares",
    "triangle",
]


def stored(claim: str, suffix: str = "") -> tuple[Claim[Any], Witness]:
    """Return a claim, and one of its stored counterexamples."""
    filed = claims.find(f"jrp.{claim}")
    return filed.claim, next(w for w in filed.witnesses() if w.name == claim + suffix)


def could_be_in_time(run: Run) -> bool:
    """Return whether other grants for the same placements would meet every deadline, by (10)."""
    return bool(servable(run.schedule.placements, run.instance, RULES["cone"](run.instance)))


def everything_that_can_happen(found: Any) -> Iterator[tuple[Fraction, Schedule, int]]:
    """Yield each draw of a round: probability, schedule if all is kept, number of accepted jobs."""
    instance = found.pruned
    for chance, drawing in reference.draws(found.x):
        placements = [Placement(k, i, j) for (k, i), j in drawing.items()]
        given = grants(data(placements, instance), instance, RULES["split"](instance))
        schedule = Schedule.of(Assignment(placements, given), instance, DecidedBy("draw", {}, 0))
        kept = reference.keep_prefixes(instance, drawing, found.y)
        yield chance, schedule, len(reference.accepted_jobs(instance, kept))


def triangle(nodes: int) -> Instance:
    """Return three jobs and a server for each pair, filled by either job."""
    return pairs(3, nodes).instance


def somebody(instance: Instance) -> Fraction:
    """Return the probability that the first round accepts a job, by enumeration of draws."""
    return 1 - nobody(vertex_iteration(instance))


def pruned(instance: Instance) -> Sequence[Collection[int]]:
    """Return the servers that PRUNE leaves for each data node of the first job."""
    left: Sequence[Collection[int]] = next(iter(reference.outcomes(instance, 0)))
    return left
