"""Multipliers that prove a bound on a conic program: Clarabel's, repaired exactly.

The multipliers are pushed into the dual cones, a little further after each failure, and balanced for unbounded columns.
The ranges of the other columns bound the reduced costs of these columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from schedproof.core.base.lazy import sparse
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact.balance import balance
from schedproof.core.programs.exact.entries import ZERO, Entry
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.repair import LOWER, UPPER, Limits, repair
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.cones import dual_points
from schedproof.core.solvers.status import Status

DENOMINATORS = (10**3, 10**5, 10**7)  # denominators tried for multipliers
PUSHES = (ZERO, *(Fraction(1, 2**n) for n in range(52, 16, -4)))  # relative moves into the dual cone
ENOUGH = 1e-11  # relative distance of a bound from the optimum beyond which Clarabel is run with other settings
ROUNDS = 4  # rounds that find columns with one end that need the other end too


def multipliers(listing: Listing, context: Context = USUAL) -> tuple[dict[int, Fraction], Fraction]:
    """Return the best multipliers found, and their proven bound.

    Raises
    ------
    NoSolution
        If the program is infeasible or unbounded, or at the time limit.
    """
    limits, proofs, why_not = Limits(listing), list[tuple[Fraction, dict[int, Fraction]]](), ""
    for status, optimum, found in _dual_points(listing, context):
        if status not in ("optimal", "solver_failed") or not np.isfinite(found).all():
            why_not = why_not or f"clarabel ended with {status} and returned no multipliers that prove a bound"
            break
        for near in _near(listing, found):
            for more in PUSHES:
                try:
                    proof = _repair(listing, near, limits, more)
                    proofs.append((listing.sign * listing.bound(proof), proof))
                    break
                except (ValueError, ArithmeticError) as error:
                    why_not = f"the multipliers prove no bound: {error}"
        best = max((value for value, _ in proofs), default=None)
        if best is not None and optimum + listing.sign * float(listing.constant) - best <= ENOUGH * abs(best):
            break
    if not proofs:
        raise NoSolution(why_not)
    value, proof = max(proofs, key=lambda pair: pair[0])
    return proof, listing.sign * value


def contradiction(listing: Listing, context: Context = USUAL) -> dict[int, Fraction]:
    """Return multipliers that prove infeasibility: with costs 0 their bound is > 0.

    Raises
    ------
    NoSolution
        If Clarabel's multipliers, projected into the cones, prove no bound.
    """
    without = listing.without_costs()
    limits = Limits(without)
    for status, _, found in _dual_points(without, context):
        if status != "infeasible" or not np.isfinite(found).all():
            break
        for near in _near(without, found / (np.abs(found).max(initial=0.0) or 1.0)):
            for more in PUSHES:
                try:
                    proof = _repair(without, near, limits, more)
                    if without.bound(proof) > 0:
                        return proof
                except (ValueError, ArithmeticError):
                    continue
    raise NoSolution("clarabel's multipliers do not prove infeasibility")


def _repair(listing: Listing, near: dict[int, Fraction], limits: Limits, more: Fraction) -> dict[int, Fraction]:
    open_ends = {(j, end) for j in range(len(listing.columns)) for end in (LOWER, UPPER)} - limits.closed
    endless = {j for j, end in open_ends if (j, -end) in open_ends}
    proof = _push(listing, balance(listing, near, endless), more)
    for _ in range(ROUNDS):
        proof = balance(listing, proof, endless)
        left = listing.remaining_costs(proof)
        if not (short := {j for j, end in open_ends if left[j] * listing.sign * end > 0}):
            break
        endless |= short
    return repair(listing, proof, limits)


def _push(listing: Listing, proof: dict[int, Fraction], more: Fraction) -> dict[int, Fraction]:
    result, sign = dict(proof), listing.sign
    for cone in listing.cones:
        inside = cone.push([sign * proof.get(i, ZERO) for i in cone.rows], more)
        result |= {i: sign * multiplier for i, multiplier in zip(cone.rows, inside, strict=True)}
    return result


def _near(listing: Listing, found: np.ndarray) -> Iterator[dict[int, Fraction]]:
    doubles = {i: Fraction(y) for i, y in enumerate((listing.sign * found).tolist()) if y}
    yield doubles
    for most in DENOMINATORS:
        yield {i: y.limit_denominator(most) for i, y in doubles.items()}


def _dual_points(listing: Listing, context: Context) -> Iterator[tuple[Status, float, np.ndarray]]:
    parts: dict[str, list[tuple[int, int]]] = {
        "zero": [],
        "nonnegative": [],
    }  # number of an entry, 1 or -1 as it stands
    entries: list[Entry] = [*listing.rows, *listing.columns]
    for n, entry in enumerate(entries):
        if n in listing.conic:
            continue
        if entry.lower is not None and entry.lower == entry.upper:
            parts["zero"].append((n, 1))
        else:
            ends = ((entry.lower, 1), (entry.upper, -1))
            parts["nonnegative"] += [(n, turn) for side, turn in ends if side is not None]
    cones = [(kind, len(members)) for kind, members in parts.items() if members]
    order = [pair for members in parts.values() for pair in members]
    for cone in listing.cones:
        cones.append((cone.kind, len(cone.rows)))
        order += [(i, 1) for i in cone.rows]
    try:
        costs = np.array([float(listing.sign * column.cost) for column in listing.columns])
        sides = np.array([-turn * float(_side(entries[n], turn)) for n, turn in order])
        triples = [(at, j, -turn * float(a)) for at, (n, turn) in enumerate(order) for j, a in _terms(listing, n)]
    except OverflowError:
        raise ProgramError(
            "a number of the program exceeds the range of doubles, which the solver needs; rescale the program"
        ) from None
    at, j, a = (np.array(part) for part in zip(*triples, strict=True))
    matrix = sparse.csc_matrix((a, (at, j)), shape=(len(order), len(costs)))
    number, turns = (np.array(part) for part in zip(*order, strict=True))
    for status, optimum, found in dual_points(costs, matrix, sides, cones, context):
        yield status, optimum, np.bincount(number, turns * found, len(entries))[: len(listing.rows)]


def _side(entry: Entry, turn: int) -> Fraction:
    side = entry.lower if turn > 0 else entry.upper
    assert side is not None
    return side


def _terms(listing: Listing, n: int) -> list[tuple[int, Fraction | int]]:
    rows = len(listing.rows)
    return list(listing.rows[n].terms.items()) if n < rows else [(n - rows, 1)]
