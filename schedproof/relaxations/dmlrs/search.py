"""Column generation on one master: price, add columns, solve again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from schedproof.core.base.lazy import sparse
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import OutOfTime, Priced, Pricing, Wish

WEIGHTS = {
    False: 0.3,
    True: 0.9,
}  # weight of the best bound's prices, by whether a slot has several classes of machines
INTERIOR_ROWS, INTERIOR_GAP = (
    3000,
    1e-3,
)  # entries of a master and its gap, above which an interior point method solves it
INTERIOR_WEIGHT = 0.5  # the weight with an interior point method, whose prices vary less
LEAST_GAIN = 1e-9  # share of the bound below which a reduced cost improves nothing
LEAST_COARSE_GAIN = 1e-4  # share of the bound below which coarse counting ends


class Master:
    """The master LP: max sum u x, a row per job and per (slot, class, resource).

    Attributes
    ----------
    plans
        The schedules, in column order; no two of a job have the same completion and use of every class.
    value
        The optimum over these schedules, a lower bound on R-DMLRS's LP.
    payoff, prices
        The multipliers lambda, shape (jobs,), and p of a unit of the grid, shape (T, K, R); 0 before the first
        `solve`.
    """

    def __init__(self, instance: Instance, classes: MachineClasses) -> None:
        self.instance, self.classes = instance, classes
        self.plans: list[Plan] = []
        self.value = 0.0
        self.payoff, self.prices = np.zeros(len(instance.jobs)), np.zeros(classes.capacity.shape)
        upper = np.concatenate([np.ones(len(instance.jobs)), classes.capacity.ravel()])
        nothing = sparse.csc_array((upper.size, 0))
        self._lp = LinearProgram(np.empty(0), nothing, np.full(upper.size, -np.inf), upper, "simplex")
        self._known: set[tuple[int, int, bytes]] = set()

    def add(self, plans: Iterable[Plan]) -> float:
        """Add the new plans; return their largest reduced cost at the last multipliers."""
        columns, utilities, largest = [], [], -np.inf
        for plan in plans:
            use, job = self._use(plan), plan.job.index
            key = (job, plan.completion, use.tobytes())
            if key in self._known:
                continue
            self._known.add(key)
            self.plans.append(plan)
            utility = float(plan.job.utility.upper(plan.completion - plan.job.arrival))
            largest = max(largest, utility - self.payoff[job] - float(self.prices.ravel() @ use))
            utilities.append(utility)
            columns.append(np.concatenate([np.arange(len(self.instance.jobs)) == job, use]))
        if columns:
            self._lp.add_columns(-np.array(utilities), sparse.csc_array(np.stack(columns, axis=1)))
        return largest

    def solve(self, context: Context = USUAL, interior: bool = False) -> Outcome:
        """Solve the LP; if it is solved, store value and multipliers.

        Parameters
        ----------
        interior
            Use an interior point method. It is fast with many slack rows, and its multipliers are central among the
            optima. Otherwise, or if it fails, use the simplex method from the last basis.
        """
        outcome = Outcome("solver_failed")
        if interior:
            self._lp.change_method("ipm")
            outcome = self._lp.solve(context)
        if not (outcome.has_point or context.over):
            self._lp.change_method("simplex")
            outcome = self._lp.solve(context)
        if outcome.objective is not None:
            jobs = len(self.instance.jobs)
            multipliers = np.maximum(0.0, -self._lp.multipliers)
            self.value = 0.0 - outcome.objective
            self.payoff, self.prices = multipliers[:jobs], multipliers[jobs:].reshape(self.prices.shape)
        return outcome

    def positive_shares(self) -> list[tuple[Plan, float]]:
        return [(plan, share) for plan, share in zip(self.plans, self._lp.point.tolist(), strict=False) if share > 0]

    def _use(self, plan: Plan) -> np.ndarray:
        grid, job = self.instance.grid, plan.job
        rows = np.array([(p.slot, p.machine, p.workers, p.ps) for p in plan.placements], dtype=np.int64).reshape(-1, 4)
        slot, machine = rows[:, 0], rows[:, 1]
        use = np.zeros(self.prices.shape)
        np.add.at(use, (slot, self.classes.of[slot, machine]), rows[:, 2:] @ np.stack([grid.worker(job), grid.ps(job)]))
        return use.ravel()


class Search:
    """Column generation by machine class; ``best`` has the prices of the best bound."""

    def __init__(self, instance: Instance, classes: MachineClasses, fineness: Wish) -> None:
        self.pricing, self.master = Pricing(instance, classes), Master(instance, classes)
        self.several = classes.count.shape[1] > 1
        self._wishes: list[Wish] = [1, fineness] if fineness != 1 else [1]
        self._interior = self.several and self.master.prices.size > INTERIOR_ROWS
        self._weight = self._usual_weight = INTERIOR_WEIGHT if self._interior else WEIGHTS[self.several]
        self.best = self.pricing(self.master.prices, 1)
        self.master.add(self.best.plans)
        self.master.solve()

    @property
    def bound(self) -> float:
        return float(self.best.bound)

    @property
    def gap(self) -> float:
        return max(0.0, self.bound - self.master.value) / self.bound if self.bound > 0 else 0.0

    def start(self, plans: Iterable[Plan], prices: np.ndarray) -> None:
        self.master.add(plans)
        self.master.solve(interior=self._interior)
        self._consider(self.pricing(prices, self._wishes[-1]))

    def round(self, context: Context) -> str:
        """Run one round; return ``converged``, ``solver`` or ``time`` if it is the last."""
        mixed = self._weight * self.best.doubles + (1 - self._weight) * self.master.prices
        try:
            priced = self.pricing(mixed, self._wishes[0], context)
        except OutOfTime:
            return "time"
        self._consider(priced)
        reduced = self.master.add(priced.plans) / max(1.0, self.bound)
        improves = reduced > (LEAST_COARSE_GAIN if len(self._wishes) > 1 else LEAST_GAIN)
        turns = self._interior and not (improves and self.gap > INTERIOR_GAP)
        self._interior = self._interior and not turns
        if (turns or reduced > LEAST_GAIN) and not self.master.solve(context, self._interior).has_point:
            return "time" if context.over else "solver"
        if improves:
            self._weight = self._usual_weight
        elif self._weight:
            self._weight = 0.0
        elif len(self._wishes) > 1:
            del self._wishes[0]
        else:
            return "converged"
        return ""

    def _consider(self, priced: Priced) -> None:
        if priced.bound < self.best.bound:
            self.best = priced
