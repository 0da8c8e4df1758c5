"""Two rules to divide a server so that deadlines are met, and the jobs' grants.

``cone``
    (10): any compute r^c and bandwidth r^b with a D/r^c + b D/r^b <= 1. `server_feasibility.fits` is the test.
``split``
    (16) and (17), with lambda_k in place of the printed eta_k: r^b = b D/epsilon and r^c = a D/(1 - epsilon).
    Communication takes the fraction epsilon of each job's time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Protocol

from schedproof.instances.jrp import server_feasibility
from schedproof.instances.jrp.entities import NOTHING
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Grant, Placement
from schedproof.instances.jrp.server_feasibility import Need


class Rule(Protocol):
    """A rule that divides one server so that its jobs' deadlines are met."""

    def fits(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> bool:
        """Return whether the given compute and bandwidth meet all needs."""

    def resources(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> list[Need]:
        """Return (r^c, r^b) for each need; the sums are within capacity if all fit."""


class Cone:
    """The rule (10) as printed."""

    fits = staticmethod(server_feasibility.fits)
    resources = staticmethod(server_feasibility.resources)


class Split:
    """The rule (16), (17): communication takes the fraction epsilon of a job's time."""

    def __init__(self, share: Fraction) -> None:
        self._share = share

    def fits(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> bool:
        within = sum(c for c, _ in needs) <= (1 - self._share) * compute
        return within and sum(b for _, b in needs) <= self._share * bandwidth

    def resources(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> list[Need]:
        """Return resources that meet (16) and (17) with equality, even beyond capacity."""
        return [(c / (1 - self._share), b / self._share) for c, b in needs]


RULES: dict[str, Callable[[Instance], Rule]] = {
    "cone": lambda instance: Cone(),
    "split": lambda instance: Split(instance.communication_share),
}


def serves(instance: Instance, j: int, here: Iterable[Placement], rule: Rule) -> bool:
    """Return whether a server can serve these placements."""
    server = instance.servers[j]
    pairs = [(instance.jobs[k], instance.jobs[k].nodes[i].size) for k, i, _ in here]
    stored = sum(size for _, size in pairs)
    return stored <= server.storage and rule.fits(
        server.compute, server.bandwidth, [job.need(size) for job, size in pairs]
    )


def servable(placements: Iterable[Placement], instance: Instance, rule: Rule) -> bool:
    """Return whether every server can serve its placements, with new grants."""
    rows = sorted(placements, key=lambda row: row.server)
    return all(serves(instance, j, here, rule) for j, here in groupby(rows, key=lambda row: row.server))


def data(placements: Iterable[Placement], instance: Instance) -> dict[int, dict[int, Fraction]]:
    """Return the GB D_j^k of (1) by server and job, in file positions."""
    held: dict[int, dict[int, Fraction]] = {}
    for k, i, j in sorted(placements):
        here = held.setdefault(j, {})
        here[k] = here.get(k, NOTHING) + instance.jobs[k].nodes[i].size
    return dict(sorted(held.items()))


def grants(held: Mapping[int, Mapping[int, Fraction]], instance: Instance, rule: Rule) -> list[Grant]:
    """Return each job's grant on each server that holds its data."""
    given = []
    for j, here in held.items():
        server, needs = instance.servers[j], [instance.jobs[k].need(gb) for k, gb in here.items()]
        shares = rule.resources(server.compute, server.bandwidth, needs)
        given += [Grant(k, j, *share) for k, share in zip(here, shares, strict=True)]
    return given
