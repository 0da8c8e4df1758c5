"""Who gets what of a server: the two rules by which deadlines are met, and the grants that follow from placements.

``cone``
    (10) as it is: any (r^c, r^b) with a D/r^c + b D/r^b <= 1. A server fits if `server_feasibility.fits` says so.
``split``
    (16) and (17) with lambda_k where (16) prints eta_k: r^b = b D/epsilon and r^c = a D/(1 - epsilon), so that the
    communication of every job takes the share epsilon of its time.
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
    """A way to meet the deadlines of one server."""

    def fits(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> bool:
        """Whether so much compute and bandwidth meets all needs."""

    def resources(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> list[Need]:
        """(r^c, r^b) for each need; together no more than there is where they fit."""


class Cone:
    """(10) as it is."""

    fits = staticmethod(server_feasibility.fits)
    resources = staticmethod(server_feasibility.resources)


class Split:
    """(16) and (17): communication takes the share epsilon of the time."""

    def __init__(self, share: Fraction) -> None:
        self._share = share

    def fits(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> bool:
        """Sums against the two sides of the split."""
        within = sum(c for c, _ in needs) <= (1 - self._share) * compute
        return within and sum(b for _, b in needs) <= self._share * bandwidth

    def resources(self, compute: Fraction, bandwidth: Fraction, needs: Sequence[Need]) -> list[Need]:
        """What (16) and (17) ask for, with equality; given even where it does not fit."""
        return [(c / (1 - self._share), b / self._share) for c, b in needs]


RULES: dict[str, Callable[[Instance], Rule]] = {
    "cone": lambda instance: Cone(),
    "split": lambda instance: Split(instance.communication_share),
}


def serves(instance: Instance, j: int, here: Iterable[Placement], rule: Rule) -> bool:
    """Whether a server can serve these placements; parts of a job's data need together what the whole needs."""
    server = instance.servers[j]
    pairs = [(instance.jobs[k], instance.jobs[k].nodes[i].size) for k, i, _ in here]
    stored = sum(size for _, size in pairs)
    return stored <= server.storage and rule.fits(
        server.compute, server.bandwidth, [job.need(size) for job, size in pairs]
    )


def servable(placements: Iterable[Placement], instance: Instance, rule: Rule) -> bool:
    """Whether every server can serve what is placed on it, whatever is granted there now."""
    rows = sorted(placements, key=lambda row: row.server)
    return all(serves(instance, j, here, rule) for j, here in groupby(rows, key=lambda row: row.server))


def data(placements: Iterable[Placement], instance: Instance) -> dict[int, dict[int, Fraction]]:
    """Server -> job -> GB of the job on it, D_j^k of (1); servers and jobs by file position, in order."""
    held: dict[int, dict[int, Fraction]] = {}
    for k, i, j in sorted(placements):
        here = held.setdefault(j, {})
        here[k] = here.get(k, NOTHING) + instance.jobs[k].nodes[i].size
    return dict(sorted(held.items()))


def grants(held: Mapping[int, Mapping[int, Fraction]], instance: Instance, rule: Rule) -> list[Grant]:
    """What each job gets of each server that holds some of its data, with that data as `data` has it."""
    given = []
    for j, here in held.items():
        server, needs = instance.servers[j], [instance.jobs[k].need(gb) for k, gb in here.items()]
        shares = rule.resources(server.compute, server.bandwidth, needs)
        given += [Grant(k, j, *share) for k, share in zip(here, shares, strict=True)]
    return given
