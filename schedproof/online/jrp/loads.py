"""The servers' loads, and the test whether a further data node fits.

Doubles decide clear cases of the test, rationals the others.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

from schedproof.instances.jrp import Grant, Instance, Job
from schedproof.instances.jrp.entities import NOTHING
from schedproof.instances.jrp.server_feasibility import Need
from schedproof.instances.jrp.shares import RULES

CLEAR = 1e-9  # relative
PARTS = 1024  # the least share that a server's jobs need is counted in 1/PARTS


class Loads:
    """The data of accepted jobs and of the current job.

    A rule of `shares` decides whether deadlines are met.
    """

    def __init__(self, instance: Instance, resources: str) -> None:
        self._servers, self._rule, self._cone = instance.servers, RULES[resources](instance), resources == "cone"
        share = instance.communication_share
        c, b = (1, 1) if self._cone else (1 - share, share)
        self._sides = [(float(c * server.compute), float(b * server.bandwidth)) for server in instance.servers]
        self._stored = [NOTHING] * len(instance.servers)
        self._needs: list[dict[int, Need]] = [{} for _ in instance.servers]
        self._approx = [(0.0, 0.0, 0.0)] * len(instance.servers)  # sums of c, of b and of sqrt(c b)
        self._placing: dict[int, Fraction] = {}

    def usage(self, server: int) -> Fraction:
        """Return the used share of a server's storage; 0 without storage."""
        held, storage = self._stored[server] + self._placing.get(server, NOTHING), self._servers[server].storage
        return held / storage if storage else NOTHING

    def place(self, server: int, job: Job, size: Fraction) -> bool:
        """Put ``size`` GB of the current job on a server; return whether they fit."""
        data = self._placing.get(server, NOTHING) + size
        if self._stored[server] + data > self._servers[server].storage or not self._in_time(server, job.need(data)):
            return False
        self._placing[server] = data
        return True

    def close(self, job: Job, accepted: bool) -> None:
        """Keep the placements of the current job if it is accepted, else release them."""
        for j, data in self._placing.items() if accepted else ():
            need = job.need(data)
            self._stored[j] += data
            self._needs[j][job.index] = need
            self._approx[j] = self._with(j, need)
        self._placing = {}

    def grants(self) -> list[Grant]:
        """Return each job's compute and bandwidth on each server.

        With (10), each job on a server gets the least share that meets its deadline.
        """
        given = []
        for server, needs in zip(self._servers, self._needs, strict=True):
            part = self._part(server.index) if self._cone else Fraction(1)
            shares = self._rule.resources(part * server.compute, part * server.bandwidth, list(needs.values()))
            given += [Grant(k, server.index, *share) for k, share in zip(needs, shares, strict=True)]
        return given

    def _part(self, j: int) -> Fraction:
        server, needs = self._servers[j], list(self._needs[j].values())
        low, high = -1, PARTS
        while high - low > 1:
            part = (low + high) // 2
            enough = self._rule.fits(server.compute * part / PARTS, server.bandwidth * part / PARTS, needs)
            low, high = (low, part) if enough else (part, high)
        return Fraction(high, PARTS)

    def _with(self, j: int, need: Need) -> tuple[float, float, float]:
        (computing, sending, roots), (c, b) = self._approx[j], map(float, need)
        return computing + c, sending + b, roots + sqrt(c * b)

    def _in_time(self, j: int, need: Need) -> bool:
        (compute, bandwidth), (computing, sending, roots) = self._sides[j], self._with(j, need)
        u, v, least = compute - computing, bandwidth - sending, roots * roots if self._cone else 0.0
        off, away = CLEAR * compute, CLEAR * bandwidth
        if u > off and v > away and (u - off) * (v - away) > least * (1 + CLEAR):
            return True
        if u < -off or v < -away or (u + off) * (v + away) < least * (1 - CLEAR):
            return False
        server = self._servers[j]
        return self._rule.fits(server.compute, server.bandwidth, [*self._needs[j].values(), need])
