"""Proofs of integer optima: trees of branches with leaves closed by multipliers.

The rows are those that `schedproof.check.optimum` writes from the instance. Solvers are not trusted: the search first
looks for a point with the given objective value, then for better points, until a tree proves that no better point
exists. The checker verifies the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, inf, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import sparse

from schedproof.check import optimum as checker
from schedproof.core.base.untyped import AnyFamily, Json
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import Contradiction, NoSolution, ProgramError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.files import write_json
from schedproof.core.solvers.linear_program import LinearProgram

MOST_BRANCHES = 20_000
WHOLE = 1e-6  # distance from an integer up to which a column counts as integer
BEYOND = 1e-6  # relative difference allowed between the first point's value and the solver's
DIGITS = (1, 2, 3, 4, 6, 9, 12, 15)  # numbers of digits tried for the largest multiplier of a leaf
TRIED, NO_POINT = 4, 1e3  # branching candidates of each kind; the score of a part without a point
SLOPES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)  # slopes of a cone's first tangents
NEAR, MOST_TANGENTS = 1e-4, 400  # least violation of a cone that gets another tangent, and most tangents
Point = list[int]
Leaf = list[list[int]]


def prove(
    program: str, parameters: Mapping[str, Json], instance: AnyFamily, objective: float | None, context: Context = USUAL
) -> dict[str, Json]:
    """Return the proof of an optimum, or of infeasibility, for `check-optimum`.

    Raises
    ------
    ProgramError
        For a program, or an instance, without such proofs.
    Contradiction
        If no schedule has the objective, or if a schedule of an allegedly infeasible instance exists.
    NoSolution
        If no proof was found in time, or within `MOST_BRANCHES` branches.
    """
    with TemporaryDirectory() as folder:
        file, proof = Path(folder, "instance.json"), Path(folder, "proof.json")
        write_object(file, instance.to_json())
        try:
            asked = {name: parameters[name] for name in checker.PROGRAMS[program][2].split()}
            found = Prover(program, asked, checker.read(str(file)), context).proof(objective)
            write_json(proof, found)
            checker.check(str(file), str(proof), most_steps=10**12)
        except checker.Refused as refused:
            raise ProgramError(f"{program}: the optimum has no proof: {refused}") from None
    return found


@dataclass(frozen=True)
class Prover:
    """Prover of an instance's optima; it reads the instance as the checker does."""

    program: str
    parameters: Json
    instance: Any
    context: Context

    def proof(self, objective: float | None) -> dict[str, Json]:
        """Return a point with the objective and a tree that excludes better ones."""
        grid, better = checker.grid_of(self.instance), checker.PROGRAMS[self.program][1]
        value, point, limit, joined = None, None, None, self.program in checker.JOINED
        if objective is not None:
            least = Fraction(objective - better * BEYOND * max(1.0, abs(objective))) * grid
            limit = Fraction(ceil(least) if better > 0 else floor(least), grid)
        while True:
            while limit is not None and value != limit:
                expected, search = self._expected_point(limit)
                if expected is None:
                    raise Contradiction(
                        f"no schedule has the objective {objective:.10g}: a branch-and-bound tree excludes it"
                    )
                point, value, limit = expected, limit, Fraction(search.objective_at(expected), grid)
            if value is not None:
                limit = value + Fraction(better, min(grid, checker.FINEST))
            for apart in (False, True) if joined else (True,):
                search = self._search(limit, apart)
                another, tree = search.run()
                if another is None:
                    return {
                        "version": 1,
                        "program": self.program,
                        "parameters": self.parameters,
                        "value": None if value is None else str(value),
                        "point": point,
                        "apart": apart,
                        "tangents": search.tangents,
                        "tree": tree,
                    }
            if value is None or another is None:
                raise Contradiction("the search found a schedule that meets all rows")
            limit = Fraction(search.objective_at(another), grid)

    def _search(self, limit: Fraction | None, apart: bool, integer: bool = False) -> Search:
        steps = checker.Steps(10**9)
        rows = checker.rows_within(self.instance, self.program, self.parameters, limit, steps, apart, ())
        half = self.context.shorter((self.context.remaining or 0.0) / 2)  # leave time for the next search
        return Search(rows, checker.PROGRAMS[self.program][1], half if integer else self.context, integer)

    def _expected_point(self, limit: Fraction) -> tuple[Point | None, Search]:
        search = self._search(limit, True, integer=True)
        if (point := search.whole_point()) is None:
            search = self._search(limit, True)
            point, _ = search.run()
        return point, search


class Search:
    """Depth-first search over the columns' ranges.

    Attributes
    ----------
    tangents
        Added tangents of the cones, each as a server and two weights.
    """

    def __init__(self, rows: checker.Rows, better: int, context: Context, integer: bool = False) -> None:
        self._rows, self._better, self._context = rows, better, context
        self._low, self._high = [*rows.low], [*rows.high]
        self.tangents: list[list[Any]] = []
        self._scale: list[int] = []
        self._largest = max(map(abs, rows.goal.values()), default=0) or 1  # all utilities may be 0
        costs = np.zeros(len(rows.low))
        for j, a in rows.goal.items() if not integer else ():  # without an objective: any point at the limit is enough
            costs[j] = -better * a / self._largest
        for n in range(len(rows.cones)):
            for slope in SLOPES:
                self._touch(n, slope)
        matrix, low, high = self._sides(0)
        if rows.cutoff is not None and not integer:  # the bound below states the same limit with more digits
            low[rows.cutoff], high[rows.cutoff] = -inf, inf
        self._program = LinearProgram(
            costs,
            matrix,
            low,
            high,
            "choose" if integer else "simplex",
            np.array(rows.high),
            np.array(rows.low),
            np.ones(len(rows.low), dtype=bool) if integer else None,
        )

    def objective_at(self, point: Point) -> int:
        """Return the value in units of the grid."""
        return sum((a * point[j] for j, a in self._rows.goal.items()), self._rows.constant)

    def whole_point(self) -> Point | None:
        try:
            point = self._point()
        except NoSolution:
            return None
        return None if point is None else self._rounded(point)

    def run(self) -> tuple[Point | None, list[Any]]:
        """Return the first point, or a tree that excludes all points."""
        bare = ([[i, sign]] for i, (_, _, terms) in enumerate(self._rows.rows) if not terms for sign in (-1, 1))
        if (leaf := next(filter(self._closes, bare), None)) is not None:  # solvers skip a row without columns
            return None, [leaf]
        tree, later, changed = list[Any](), list[tuple[int, int, int]](), list[tuple[int, int, int]]()
        while True:
            if len(tree) > 2 * MOST_BRANCHES:
                raise NoSolution(f"no proof within {MOST_BRANCHES} branches")
            if self._context.over:
                raise NoSolution(f"no proof within the time limit, after {len(tree)} branches")
            point = self._point()
            leaf = self._leaf(point)
            if leaf is None and point is not None:
                if (whole := self._rounded(point)) is not None:
                    return whole, []
                j, v = self._branch(point)
                tree.append([j, v])
                later.append((j, v, len(changed)))
                changed.append((j, self._low[j], self._high[j]))
                self._change([(j, self._low[j], v)])
                continue
            tree.append(leaf)
            if not later:
                return None, tree
            j, v, depth = later.pop()
            back = {k: (k, low, high) for k, low, high in reversed(changed[depth:])}
            del changed[depth:]
            changed.append(back[j])
            self._change([*(row for row in back.values() if row[0] != j), (j, v + 1, back[j][2])])

    def _branch(self, point: np.ndarray) -> tuple[int, int]:
        """Return a column and the place to split it.

        Candidates are fractional columns of the goal, then 0-1 choices, then all columns. Among the candidates the best
        split is taken. If all are integer and a row is violated by less than the solver's tolerance, any column with a
        range is split.
        """
        off, wide = np.abs(point - np.round(point)), np.array(self._high) - np.array(self._low)
        by_distance = np.argsort(-off, kind="stable")
        broken = by_distance[off[by_distance] >= WHOLE].tolist()
        tried = [j for j in broken if j in self._rows.goal][: 2 * TRIED]
        tried = tried or [*dict.fromkeys([*[j for j in broken if wide[j] == 1][:TRIED], *broken[:TRIED]])]
        if tried:
            parent = self._program.value
            best = max(tried, key=lambda j: self._gain(j, float(point[j]), parent)) if len(tried) > 1 else tried[0]
            return best, floor(point[best])
        if not wide.any():
            raise NoSolution(
                "the optimum is undecided: in exact arithmetic, an integer point of the search is neither proven "
                "feasible nor proven infeasible"
            )
        j = int(wide.argmax())
        return j, min(round(point[j]), self._high[j] - 1)

    def _gain(self, j: int, x: float, parent: float) -> float:
        column, product = np.array([j]), 1.0
        for low, high in ((self._low[j], floor(x)), (floor(x) + 1, self._high[j])):
            self._program.change_ranges(column, np.array([low]), np.array([high]))
            ended = self._program.solve(self._context).status
            product *= max(self._program.value - parent, WHOLE) if ended == "optimal" else NO_POINT
        self._program.change_ranges(column, np.array([self._low[j]]), np.array([self._high[j]]))
        return product

    def _rounded(self, point: np.ndarray) -> Point | None:
        whole = [round(x) for x in point]
        if np.abs(point - whole).max(initial=0.0) >= WHOLE:
            return None
        try:
            self._rows.require_met(whole)
        except checker.Refused:
            return None
        return whole

    def _change(self, ranges: list[tuple[int, int, int]]) -> None:
        for j, lowest, highest in ranges:
            self._low[j], self._high[j] = lowest, highest
        self._program.change_ranges(*map(np.array, zip(*ranges, strict=True)))

    def _point(self) -> np.ndarray | None:
        while True:
            outcome = self._program.solve(self._context)
            if outcome.status not in ("optimal", "infeasible"):
                raise NoSolution(f"highs ended with {outcome.status}")
            if outcome.status == "infeasible":
                return None
            point = self._program.point
            whole = bool((np.abs(point - np.round(point)) < WHOLE).all())
            if not self._cut(np.round(point) if whole else point, 0.0 if whole else NEAR):
                return point
            self._program.add_rows(*self._sides(len(self._scale)))

    def _sides(self, first: int) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
        rows = self._rows.rows[first:]
        scale = [max(map(abs, terms.values()), default=1) for _, _, terms in rows]
        self._scale[first:] = scale
        entries = [(a / scale[n], n, j) for n, (_, _, terms) in enumerate(rows) for j, a in terms.items()]
        a, n, j = map(np.array, zip(*entries, strict=True)) if entries else (np.zeros(0),) * 3
        low = [-inf if low is None else low / k for k, (low, _, _) in zip(scale, rows, strict=True)]
        high = [inf if high is None else high / k for k, (_, high, _) in zip(scale, rows, strict=True)]
        matrix = sparse.csr_array((a, (n.astype(int), j.astype(int))), shape=(len(rows), len(self._low)))
        return matrix, np.array(low), np.array(high)

    def _cut(self, point: np.ndarray, near: float) -> bool:
        """Add tangents to cones that the point violates by ``near`` times a server."""
        count = len(self.tangents)
        for n, (compute, bandwidth, parts) in enumerate(self._rows.cones):
            taken = [(float(a), float(b), point[j]) for j, a, b in parts if point[j] > 0]
            if not taken or (count >= MOST_TANGENTS and near):
                continue
            u = 1 - sum(a * x for a, _, x in taken) / float(compute) if compute else 0.0
            v = 1 - sum(b * x for _, b, x in taken) / float(bandwidth) if bandwidth else 0.0
            w = sum(sqrt(a * b) * x for a, b, x in taken) / sqrt(float(compute * bandwidth) or 1.0)
            if w - sqrt(max(u, 0.0) * max(v, 0.0)) > max(near, 1e-12) or min(u, v) < -near:
                u, v = max(u, w * w / 4, 1e-9), max(v, w * w / 4, 1e-9)
                self._touch(n, v / (u + v))
        return len(self.tangents) > count

    def _touch(self, n: int, slope: float) -> None:
        compute, bandwidth, _ = self._rows.cones[n]
        sides = (slope / float(compute or 1), (1 - slope) / float(bandwidth or 1))
        p, q = (Fraction(side).limit_denominator(10**6) for side in sides)
        tangent = [n, str(p), str(q)]
        if tangent not in self.tangents:
            self._rows.tangent(n, p, q)
            self.tangents.append(tangent)

    def _leaf(self, point: np.ndarray | None) -> Leaf | None:
        for doubles in self._closing(point):
            largest, unit = float(np.abs(doubles).max(initial=0.0)), max(self._scale)
            for digits in DIGITS if largest > 0 else ():
                parts = [(i, round(y / largest * 10**digits)) for i, y in enumerate(doubles.tolist()) if y]
                times = [(i, y * unit // self._scale[i]) for i, y in parts if y]
                times = [(i, y) for i, y in times if y and self._rows.rows[i][y > 0] is not None]
                common = gcd(*(y for _, y in times)) or 1
                leaf = [[i, y // common] for i, y in times]
                if self._closes(leaf):
                    return leaf
        if point is None:
            raise NoSolution("the optimum is undecided: no multipliers prove a branch infeasible in rationals")
        return None

    def _closing(self, point: np.ndarray | None) -> Iterator[np.ndarray]:
        cutoff = self._rows.cutoff
        if point is not None:
            if cutoff is not None:
                low, high, terms = self._rows.rows[cutoff]
                short = (low if high is None else high) - sum(a * point[j] for j, a in terms.items())
                if short * self._better > -WHOLE * self._scale[cutoff]:
                    multipliers = -self._program.multipliers
                    multipliers[cutoff] = -self._better
                    yield multipliers
            return
        if (ray := self._program.ray) is not None:
            yield ray
            yield -ray
        yield self._excess()

    def _closes(self, leaf: Leaf) -> bool:
        try:
            self._rows.require_contradiction(leaf, self._low, self._high, 0)
        except checker.Refused:
            return False
        return True

    def _excess(self) -> np.ndarray:
        matrix, low, high = self._sides(0)
        below, above = np.flatnonzero(np.isfinite(low)), np.flatnonzero(np.isfinite(high))
        slack = sparse.csr_array(np.concatenate([np.ones(below.size), -np.ones(above.size)])[:, None])
        program = LinearProgram(
            np.append(np.zeros(len(self._low)), 1.0),
            sparse.hstack([sparse.vstack([matrix[below], matrix[above]]), slack]),
            np.concatenate([low[below], np.full(above.size, -inf)]),
            np.concatenate([np.full(below.size, inf), high[above]]),
            "simplex",
            np.array([*self._high, inf]),
            np.array([*self._low, 0.0]),
        )
        multipliers: np.ndarray = np.zeros(len(self._scale))
        if program.solve(self._context).status == "optimal":
            np.add.at(multipliers, np.concatenate([below, above]), -program.multipliers)
        return multipliers
