"""The worst regret of projected online gradient ascent, in rational bounds.

Theorem 1 of Zhao et al. 2024 bounds the regret of OGASched by the diameter D of the feasible set and the largest norm
G of a gradient. This module computes the worst case for D and G: any closed convex set of diameter at most D,
in any dimension, any first point, any gradients of norm at most G. (With the any-time step the norm is exactly G,
because shorter gradients may cause more regret.) OGASched on (5)-(6) is a special case, with at most this regret.

The semidefinite program `formulations.multiserver.worst_regret` gives both bounds. Its dual, rounded and shifted into
the cone, proves the upper bound. Its point, made exactly feasible and factored, is an instance with the lower bound as
regret. `schedproof.check.regret`, which shares no code with it, verifies both.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from schedproof.check import regret as checker
from schedproof.core.base.lazy import cvxpy
from schedproof.core.errors import InputError, NoSolution
from schedproof.core.runtime.context import USUAL, Context
from schedproof.formulations.multiserver.worst_regret import RegretProgram
from schedproof.formulations.multiserver.worst_regret import worst_regret as program
from schedproof.relaxations.multiserver.regret_enclosure import Adversary, Proof, WorstRegret
from schedproof.relaxations.multiserver.regret_expressions import run_at_the_end

GAP = Fraction(1, 10**6)  # largest distance between the bounds, in D G
NEAR = GAP / 10  # distance of the bounds above which the solver runs again with other settings
FRACTIONS = (0.99, 0.9, 0.8, 0.7)  # steps towards the cone's boundary: the solver's settings
TOLERANCES = {f"tol_{name}": 1e-12 for name in ("gap_abs", "gap_rel", "feas")}
TOLERANCES |= {f"reduced_{name}": 1e-4 for name in TOLERANCES}  # the result is checked exactly
SHIFTS = tuple(
    2.0**-n for n in range(36, 9, -1)
)  # shifts into the cone or the interior; the first sufficient one is used
SEEN = 1e-5  # least nonzero eigenvalue, relative to the largest
FLAT, EXACT, ROUNDS = 1e-6, 1e-15, 12  # Newton's method: singular values read as 0, residuals, steps


@dataclass(frozen=True)
class Game:
    """T slots of a step rule; steps are doubles, squared steps rationals."""

    steps: np.ndarray
    squares: list[Fraction]
    program: RegretProgram

    def worst(self, paid: str) -> tuple[list[Adversary], Proof]:
        """Return adversaries and the best proof of the worst case with these paid slots.

        If a slot is undecided, there are no adversaries.
        """
        adversaries: list[Adversary] = []
        proofs: list[Proof] = []
        for value in self._solve(paid):
            proofs += self._proofs(paid)
            adversaries += [] if "?" in paid else self._adversaries(paid)
            known = max(adversaries).lower if adversaries else Fraction(value) + Fraction(paid.count("?"), 2)
            if proofs and min(proofs).upper <= known + NEAR:
                break
        if not proofs:
            raise NoSolution(f"the worst regret after {len(paid)} slots: the solver's multipliers prove no bound")
        return adversaries, min(proofs)

    def _solve(self, paid: str) -> Iterator[float]:
        self.program.weights.value = np.array([{"0": 0.0, "?": 0.5, "1": 1.0}[counts] for counts in paid])
        for fraction in FRACTIONS:
            with warnings.catch_warnings(), suppress(cvxpy.SolverError):
                warnings.simplefilter("ignore")  # warnings of inaccuracy
                yield self.program.problem.solve("CLARABEL", max_step_fraction=fraction, **TOLERANCES)

    def _proofs(self, paid: str) -> Iterator[Proof]:
        slots = len(paid)
        move, distance, *turns = (limit.dual_value for limit in self.program.problem.constraints)
        turn = np.concatenate(turns or [[]]) / np.repeat(np.maximum(self.steps[:-1], 1), slots)
        from_first = np.array([j == 0 for i in range(slots + 1) for j in range(i)])
        for shift in SHIFTS:
            rows = (move + shift) / self.steps**2, distance + shift * from_first, turn
            units = [_units(np.maximum(row, 0)) for row in rows]
            with suppress(checker.Refused):
                yield Proof(checker.at_most(self.squares, paid, *units), paid, *units)
                return

    def _adversaries(self, paid: str) -> Iterator[Adversary]:
        slots, inside, placed = len(paid), self._inside(), self._refine()
        for share in SHIFTS:
            with suppress(checker.Refused, np.linalg.LinAlgError):
                mixed = (1 - share) * placed @ placed.T + share * inside
                rows = np.roll(np.linalg.cholesky(np.roll(mixed, slots, (0, 1))), -slots, 0)  # in few dimensions
                gradients, points = np.split(rows, 2)
                moves = [_units(row) for row in gradients * self.steps[:, None]]
                exact = [[0] * 2 * slots, *map(_units, points)]
                yield Adversary(checker.at_least(self.squares, paid, exact, moves), paid, exact, moves)
                return

    def _inside(self) -> np.ndarray:
        slots = len(self.steps)
        short = min(1.0, self.steps.min()) / sqrt(12)
        points = short * np.eye(slots)
        moves = np.hstack([2 * points - np.eye(slots, k=-1) * short, points])
        rows = np.vstack([moves / self.steps[:, None], np.hstack([points, 0 * points])])
        return rows @ rows.T

    def _refine(self) -> np.ndarray:
        values, vectors = np.linalg.eigh(self.program.products.value)
        seen = values > SEEN * values[-1]
        placed = vectors[:, seen] * np.sqrt(values[seen])
        one, other = (np.concatenate([getattr(row, name) for row in self.program.rows]) for name in ("one", "other"))
        largest = np.concatenate([np.full(len(row.one), row.most) for row in self.program.rows])
        tight = np.concatenate([limit.dual_value for limit in self.program.problem.constraints])
        tight = tight > largest - np.sum(one @ placed * (other @ placed), axis=1)
        for _ in range(ROUNDS):
            rest, right = one @ placed, other @ placed
            over = np.sum(rest * right, axis=1) - largest
            if over.max() < EXACT:
                break
            rows = tight | (over > EXACT)
            slope = one[rows, :, None] * right[rows, None, :] + other[rows, :, None] * rest[rows, None, :]
            change = np.linalg.lstsq(slope.reshape(rows.sum(), -1), over[rows], rcond=FLAT)[0]
            placed = placed - change.reshape(placed.shape)
        return placed


def _units(row: np.ndarray) -> list[int]:
    return [round(x) for x in (row * 2.0**checker.UNIT).tolist()]


def worst_regret(
    *,
    step: str = "constant",
    slots: int = 5,
    initial: Fraction | None = None,
    decay: Fraction | None = None,
    context: Context = USUAL,
) -> WorstRegret:
    """Enclose the worst regret of projected ascent with diameter D and gradients <= G.

    With the any-time step all gradients have the norm G (claim ``multiserver.anytime_norms`` is about shorter
    gradients). With (53) any of the 2^T choices of paid slots may be the worst. The choices are split into cases, slot
    by slot, until no case exceeds the incumbent. At the time limit the upper bound is that of the open cases.
    """
    if (initial is not None and step not in ("constant", "decayed")) or (decay is not None and step != "decayed"):
        raise InputError(f"step={step} has no option {'decay' if initial is None else 'initial'}")
    options = {"initial": initial or Fraction(25), "decay": decay or Fraction(9999, 10000)}
    if step != "decayed":
        options = {} if initial is None else {"initial": initial}
    steps = np.array(list(_steps(step, slots, **{name: float(value) for name, value in options.items()})))
    game = Game(steps, checker.squares(step, slots, options), program(steps))
    by_norm = step == "printed53"
    run = run_at_the_end(slots) if by_norm else slots
    adversaries, proof = game.worst("10" * ((slots - run) // 2) + "1" * run)
    proofs = [game.worst("?" * slots)[1] if by_norm else proof]
    while True:
        if not adversaries:
            raise NoSolution(f"the worst regret after {slots} slots: the solver's point is not a feasible instance")
        best = max(adversaries)
        result = WorstRegret(step, slots, options, best, tuple(proofs))
        if not by_norm or result.width <= GAP or context.over:
            return result
        context.keep(result)
        context.progress(f"{result.ends}, {len(proofs)} cases")
        proofs.remove(loosest := max(proofs))
        for paid in "10":
            more, proof = game.worst(loosest.paid.replace("?", paid, 1))
            adversaries, proofs = [*adversaries, *more], [*proofs, proof]


def _steps(step: str, slots: int, initial: float | None = None, decay: float = 1.0) -> Iterator[float]:
    """Yield eta_t in D/G; for (53) and the any-time step with gradients of norm G."""
    for t in range(slots):
        if step == "anytime":
            yield 1 / sqrt(2 * (t + 1))
        else:
            yield 1 / sqrt(slots) if initial is None else initial * decay**t
