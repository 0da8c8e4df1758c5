"""JRP on a linear solver: tangents to the cones of `eliminated`, exact test.

First the continuous relaxation gets tangents at its own optima. Local search from its optimum often reaches its bound,
rounded down. Otherwise the integer program with tangents must improve the incumbent. Each server that the solution
overloads gets a tangent and a cover, until the program is infeasible or its solution passes the exact test.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, sqrt

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import Model
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers import pyomo_models
from schedproof.core.solvers.status import Outcome, Status
from schedproof.formulations.jrp.eliminated import ELIMINATED
from schedproof.formulations.jrp.local_search import improve
from schedproof.formulations.jrp.to_schedule import outcome, placements
from schedproof.instances.jrp import DataNode, Instance, Job, Placement, Server
from schedproof.instances.jrp.shares import Cone, serves

CONE = Cone()
FIRST_SLOPES = (0.05, 0.2, 0.5, 0.8, 0.95)  # p of every server's initial tangents; q = 1 - p
EXCESS = 1e-4  # excess of w over sqrt(u v) up to which the relaxation gets no tangent
SLACK = 2.0**-40  # slack of a tangent with numbers <= 1: above its rounding error, so it cuts no assignment
LEAST_SPARE = 1e-9  # u and v are at least this where a tangent touches
ROUNDING = 1e-6  # added to a solver's bound before it is rounded down to a number of jobs


def by_tangents(instance: Instance, *, context: Context = USUAL) -> Outcome:
    """Return the optimum of JRP, or the incumbent at the time limit; both exact."""
    search = Search(instance, context)
    context.keep(search.answer)
    for step in (search.relax, search.pack, search.improve):
        if not search.is_over:
            step()
    return search.failure or search.answer


class Search:
    """The incumbent and the bound.

    Attributes
    ----------
    best, value
        The incumbent's placements and its number of accepted jobs.
    bound
        An upper bound on the number of accepted jobs.
    """

    def __init__(self, instance: Instance, context: Context) -> None:
        self._instance, self._context = instance, context
        self.best: list[Placement] = []
        self.value = sum(not job.nodes for job in instance.jobs)
        self.bound = len(instance.jobs) - len(instance.unservable_jobs)
        self.failure: Outcome | None = None
        self._linear = Linear(instance)

    @property
    def answer(self) -> Outcome:
        status: Status = "optimal" if self.bound == self.value else "feasible"
        return outcome(status, self.best, self._instance, "cone", ELIMINATED.id, self.bound)

    @property
    def is_over(self) -> bool:
        return self.value >= self.bound or self.failure is not None or self._context.over

    def relax(self) -> None:
        self._linear.set_integer(False)
        while not self.is_over:
            if not self._solve().has_point or not self._linear.refine():
                break
        self._linear.set_integer(True)

    def pack(self) -> None:
        for count in range(self.bound, self.value, -1):
            if count > self.value and not self.is_over:
                self._keep(improve(self._linear.round(count), self._instance, self._context))

    def improve(self) -> None:
        while not self.is_over:
            self._linear.beat(self.value)
            outcome = self._solve()
            if outcome.status == "infeasible":
                self.bound = self.value
            if not outcome.has_point:
                break
            if not self._take():
                self.failure = Outcome(
                    "solver_failed", message="the solver's point neither improves the incumbent nor is cut off"
                )

    def _solve(self) -> Outcome:
        outcome = pyomo_models.solve(self._linear.model, "highs", self._context)
        if outcome.status in ("unbounded", "solver_failed"):
            self.failure = outcome
        if outcome.bound is not None:
            self.bound = max(self.value, min(self.bound, floor(outcome.bound + ROUNDING)))
            self._context.keep(self.answer)
        return outcome

    def _take(self) -> bool:
        placed, before = placements(self._linear.model, self._instance), self.value
        failing = [(j, here) for j, here in _by_server(placed).items() if not serves(self._instance, j, here, CONE)]
        for j, here in failing:
            self._linear.cut(j, cover(self._instance, j, here))
        self._keep(placed)
        return bool(failing) or self.value > before

    def _keep(self, placed: list[Placement]) -> None:
        kept = feasible_part(placed, self._instance)
        value = sum(not job.nodes for job in self._instance.jobs) + len({row.job for row in kept})
        if value > self.value:
            self.best, self.value = kept, value
            self._context.keep(self.answer)


def _by_server(placed: Iterable[Placement]) -> dict[int, list[Placement]]:
    here: dict[int, list[Placement]] = {}
    for row in placed:
        here.setdefault(row.server, []).append(row)
    return here


def cover(instance: Instance, j: int, here: list[Placement]) -> list[Placement]:
    """Return few large placements that already overload the server."""
    rest = sorted(here, key=lambda row: instance.jobs[row.job].nodes[row.node].size)
    for row in list(rest):
        others = [other for other in rest if other != row]
        if not serves(instance, j, others, CONE):
            rest = others
    return rest


def feasible_part(placed: list[Placement], instance: Instance) -> list[Placement]:
    """Select whole jobs, least data first, while the exact test holds."""
    of: dict[int, list[Placement]] = {}
    for row in placed:
        of.setdefault(row.job, []).append(row)
    size = {k: sum(instance.jobs[k].nodes[row.node].size for row in rows) for k, rows in of.items()}
    kept: dict[int, list[Placement]] = {}
    for k in sorted(of, key=lambda k: (size[k], k)):
        more = _by_server(of[k])
        if all(serves(instance, j, kept.get(j, []) + rows, CONE) for j, rows in more.items()):
            for j, rows in more.items():
                kept.setdefault(j, []).extend(rows)
    return [row for rows in kept.values() for row in rows]


class Linear:
    """`ELIMINATED` with tangents, covers and a least value, as a Pyomo model."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.model = ELIMINATED.build(instance)
        self.model.tangents, self.model.covers = pyo.ConstraintList(), pyo.ConstraintList()
        self.model.better = pyo.ConstraintList()
        for server in instance.servers:
            for p in FIRST_SLOPES:
                self._touch(server, p)

    def set_integer(self, integer: bool) -> None:
        domain = pyo.Binary if integer else pyo.UnitInterval
        for variable in (*self.model.admit.accepted.values(), *self.model.assign.placed.values()):
            variable.domain = domain

    def refine(self) -> bool:
        """Add tangents where the present point violates the cone; False if nowhere."""
        failing = [server for server in self._instance.servers if excess(*self._point(server)) > EXCESS]
        for server in failing:
            self._touch(server, slope(*self._point(server)))
        return bool(failing)

    def cut(self, j: int, covered: list[Placement]) -> None:
        """Cut off the present point: a cover, and a tangent if it violates the cone."""
        server, placed, jobs = self._instance.servers[j], self.model.assign.placed, self._instance.jobs
        if excess(*self._point(server)) > 0:
            self._touch(server, slope(*self._point(server)))
        rows = (placed[jobs[k].name, jobs[k].nodes[i].name, server.name] for k, i, _ in covered)
        self.model.covers.add(pyo.quicksum(rows) <= len(covered) - 1)

    def beat(self, value: int) -> None:
        """Require more jobs than ``value``."""
        self.model.better.clear()
        self.model.better.add(pyo.quicksum(self.model.admit.accepted.values()) >= value + 1)

    def round(self, count: int) -> list[Placement]:
        """Select the ``count`` most accepted jobs; a data node goes to its largest part."""
        accepted, unservable = self.model.admit.accepted, self._instance.unservable_jobs
        jobs = [job for job in self._instance.jobs if job.index not in unservable]
        jobs.sort(key=lambda job: -(accepted[job.name].value or 0.0))
        return [Placement(job.index, n.index, self._likeliest(job, n)) for job in jobs[:count] for n in job.nodes]

    def _likeliest(self, job: Job, node: DataNode) -> int:
        names = {j: (job.name, node.name, self._instance.servers[j].name) for j in node.servers}
        able = [j for j, key in names.items() if key not in self.model.servable.row]
        return max(able, key=lambda j: self.model.assign.placed[names[j]].value or 0.0)

    def _touch(self, server: Server, p: float) -> None:
        u, v, w = self._slack(server)
        self.model.tangents.add(p * u + (1 - p) * v - 2 * sqrt(p * (1 - p)) * w >= -SLACK)

    def _slack(self, server: Server) -> tuple[Model, Model, Model]:
        slack = self.model.left
        return slack.u[server.name], slack.v[server.name], slack.w[server.name]

    def _point(self, server: Server) -> tuple[float, float, float]:
        u, v, w = (max(part.value or 0.0, 0.0) for part in self._slack(server))
        return u, v, w


def excess(u: float, v: float, w: float) -> float:
    """The violation of the cone u v >= w^2."""
    return w - sqrt(u * v)


def slope(u: float, v: float, w: float) -> float:
    """The p of the tangent p u + q v >= 2 sqrt(p q) w, p + q = 1, near a point.

    The tangent separates the point where u v < w^2.
    """
    u, v = max(u, w * w / 4, LEAST_SPARE), max(v, w * w / 4, LEAST_SPARE)  # from 0, where the tangent is undefined
    return v / (u + v)
