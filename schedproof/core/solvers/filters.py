"""Irreducible infeasible subsystems of linear and integer programs (Chinneck).

Deletion filters remove rows in blocks and by halves. The rows of a linear program are first narrowed to the support of
Farkas' multipliers. If only integrality causes infeasibility, they are narrowed to the rows that the elastic program
stretches. Bounds that a paper states in one line, like x_i >= 0 for all i, form a domain, which is kept or dropped as a
whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from scipy import sparse

from schedproof.core.base.untyped import Matrix
from schedproof.core.runtime.context import Context
from schedproof.core.solvers.linear_program import LinearProgram

Part = np.ndarray  # booleans for all rows, then all lower bounds, then all upper bounds
SHARE = 0.1  # largest share of the time for one question
USED = 1e-7  # in units of the largest multiplier; smaller multipliers count as 0
STRETCHED = 1e-6  # least stretch of a row, in doubles


class Undecided(Exception):
    """An undecided question of feasibility; the message gives the reason, if any."""


@dataclass(frozen=True)
class System:
    """A system lower <= A x <= upper, lowest <= x <= highest, with integer columns.

    Open sides are infinite.

    Attributes
    ----------
    groups
        The row numbers of each group.
    domains
        Bounds that are kept or dropped together, by their places in a `Part`.
    """

    matrix: Matrix
    lower: np.ndarray
    upper: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    integer: np.ndarray
    groups: Sequence[np.ndarray]
    domains: Sequence[np.ndarray]

    @cached_property
    def everything(self) -> Part:
        return np.concatenate([np.ones(len(self.lower), bool), np.isfinite(self.lowest), np.isfinite(self.highest)])

    def rows_and_bounds(self, part: Part) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows, low, high = np.split(part, [len(self.lower), len(self.lower) + len(self.lowest)])
        return np.flatnonzero(rows), np.where(low, self.lowest, -np.inf), np.where(high, self.highest, np.inf)

    def drop_unused_bounds(self, part: Part) -> Part:
        m = len(self.lower)
        columns = np.zeros(len(self.lowest), bool)
        columns[self.matrix[np.flatnonzero(part[:m])].indices] = True
        touched: Part = part & np.concatenate([np.ones(m, bool), columns, columns])
        return touched

    def impossible_alone(self) -> Part | None:
        part = np.zeros(len(self.everything), bool)
        constant = np.diff(self.matrix.indptr) == 0
        if (rows := np.flatnonzero(constant & ((self.lower > 0) | (self.upper < 0)))).size:
            part[rows[0]] = True
            return part
        low = np.where(self.integer, np.ceil(self.lowest - STRETCHED), self.lowest)
        high = np.where(self.integer, np.floor(self.highest + STRETCHED), self.highest)
        if (columns := np.flatnonzero(low > high)).size:
            part[len(self.lower) + columns[0] + np.array([0, len(self.lowest)])] = True
            return part
        return None


def irreducible(system: System, context: Context) -> tuple[Part, bool] | None:
    """Return an infeasible part, or None, and whether it is known to be irreducible.

    Whole groups are removed first. At the context's time limit the part so far is returned.

    Raises
    ------
    Undecided
        If infeasibility is undecided at the time limit.
    """
    if (alone := system.impossible_alone()) is not None:
        return alone, True

    def infeasible(part: Part) -> Part | None:
        return infeasible_part(system, part, context)

    if (part := infeasible(system.everything)) is None:
        return None
    integers = infeasible_part(system, part, context, relaxed=True) is None
    if integers:
        part = elastic_filter(system, part, system.groups, context)
    part, _ = deletion_filter(part, system.groups, infeasible)
    if integers:
        part = elastic_filter(system, part, [*np.arange(len(system.lower))[:, None]], context)
    part, rows = deletion_filter(part, system.groups, infeasible, by_halves=True)
    part, domains = deletion_filter(part, system.domains, infeasible)
    return part, rows and domains


def deletion_filter(
    part: Part, blocks: Sequence[np.ndarray], infeasible: Callable[[Part], Part | None], by_halves: bool = False
) -> tuple[Part, bool]:
    """Remove blocks from an infeasible part; return it, and whether all were decided.

    Parameters
    ----------
    infeasible
        Returns an infeasible subset of a part, or None for a feasible part; raises `Undecided`.
    by_halves
        Whether a needed block is halved repeatedly.
    """
    sure, blocks_left = True, [*blocks][::-1]
    while blocks_left:
        block = blocks_left.pop()
        if not (block := block[part[block]]).size:
            continue
        rest = part.copy()
        rest[block] = False
        try:
            smaller = infeasible(rest)
        except Undecided:
            smaller = None
            sure = sure and by_halves and block.size > 1
        if smaller is not None:
            part = smaller
        elif by_halves and block.size > 1:
            blocks_left += [block[block.size // 2 :], block[: block.size // 2]]
    return part, sure


def elastic_filter(system: System, part: Part, blocks: Sequence[np.ndarray], context: Context) -> Part:
    """Return the blocks with rows that optimal points of the elastic program stretch.

    Stretched blocks are made rigid until the program is infeasible. Every infeasible subset has a row in such a block.
    """
    held = part.copy()
    held[: len(system.lower)] = False
    while True:
        try:
            stretched = _elastic_rows(system, held, part, context)
        except Undecided:
            return part
        if stretched is None:
            return system.drop_unused_bounds(held)
        more = [block[part[block]] for block in blocks if stretched[block].any()]
        if not more:
            return part
        held[np.concatenate(more)] = True


def infeasible_part(system: System, part: Part, context: Context, relaxed: bool = False) -> Part | None:
    """Return an infeasible subset of a part (Farkas' support if known), or None.

    Parameters
    ----------
    relaxed
        Whether integer columns are continuous.

    Raises
    ------
    Undecided
        At the time limit.
    """
    if context.over:
        raise Undecided
    part = system.drop_unused_bounds(part)
    if (used := _farkas_support(system, part, context)) is None:
        integer = not relaxed and system.integer.any() and _infeasible_program(system, part, context, integer=True)
        return part if integer else None
    while used.sum() < part.sum():  # check that the used rows suffice
        if (again := _farkas_support(system, used, context)) is None:
            break
        part, used = used, again
    return part


def _farkas_support(system: System, part: Part, context: Context) -> Part | None:
    program = _infeasible_program(system, part, context)
    if program is None or (ray := program.ray) is None:
        return None if program is None else part
    rows, _, _ = system.rows_and_bounds(part)
    least = USED * np.abs(ray).max()
    of_row = np.zeros(len(system.lower), bool)
    of_row[rows] = np.abs(ray) > least
    of_column = np.abs(ray @ system.matrix[rows]) > least
    used: Part = part & np.concatenate([of_row, of_column, of_column])
    for domain in system.domains:
        used[domain] = part[domain] & used[domain].any()
    return used


def _infeasible_program(system: System, part: Part, context: Context, integer: bool = False) -> LinearProgram | None:
    rows, lowest, highest = system.rows_and_bounds(part)
    matrix = system.matrix[rows]
    columns = np.unique(matrix.indices)
    program = LinearProgram(
        np.zeros(columns.size),
        matrix[:, columns],
        system.lower[rows],
        system.upper[rows],
        highest=highest[columns],
        lowest=lowest[columns],
        integer=system.integer[columns] if integer else None,
    )
    return None if _solve(program, context) else program


def _elastic_rows(system: System, held: Part, part: Part, context: Context) -> np.ndarray | None:
    if context.over:
        raise Undecided
    rows, lowest, highest = system.rows_and_bounds(part)
    n, soft = len(lowest), ~held[rows]
    stretches = sparse.identity(len(rows), format="csr")[:, np.flatnonzero(soft)]
    k = stretches.shape[1]
    program = LinearProgram(
        np.concatenate([np.zeros(n), np.ones(2 * k)]),
        sparse.hstack([system.matrix[rows], stretches, -stretches]),
        system.lower[rows],
        system.upper[rows],
        highest=np.concatenate([highest, np.full(2 * k, np.inf)]),
        lowest=np.concatenate([lowest, np.zeros(2 * k)]),
        integer=np.concatenate([system.integer, np.zeros(2 * k, bool)]),
    )
    if not _solve(program, context):
        return None
    stretched = np.zeros(len(system.lower), bool)
    by = program.point[n:]
    stretched[rows[soft]] = by[:k] + by[k:] > STRETCHED
    return stretched


def _solve(program: LinearProgram, context: Context) -> bool:
    """Return whether a program is feasible, within a share of the total time.

    Raises
    ------
    Undecided
        At its time limit.
    """
    limit = inf if context.remaining is None else min(SHARE * (context.time_limit or 0.0), context.remaining)
    outcome = program.solve(Context(seed=context.seed, time_limit=limit))
    if outcome.status == "solver_failed":
        raise Undecided(f"highs ended with '{outcome.message}'")
    if outcome.status not in ("infeasible", "optimal", "feasible"):
        raise Undecided
    return outcome.status != "infeasible"
