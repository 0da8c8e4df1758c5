"""The best ratio of any policy, as an infinite game on work functions.

A position consists of the policy's jobs and the work function of the arrivals so far. The adversary chooses an arrival
or a slot; the policy chooses a job's machine, or the jobs that run (`automata`). At a ratio p/q a slot with a jobs
present has weight q a - p w, where w is the increase of the work function.

The policy's credit bounds the sum of weights. The credits are the least numbers >= 0 with this property: for every move
of the adversary and the best answer, a credit is at least the move's weight plus the credit afterwards. Value iteration
from 0 finds the credits; the adversary's credits are computed with all signs changed. A finite credit of the policy
proves a ratio of at most p/q, a finite credit of the adversary at least p/q. Each result is verified: `search` finds
the largest ratio in the graph of the strategy, which has one player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from schedproof.adversary.exact_ratio.automata import Automaton, alike
from schedproof.adversary.exact_ratio.game_kernels import LOST, raise_credits
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.exact_ratio.work_function import WorkFunctions, excess, work_functions
from schedproof.adversary.walks.graph import Graph, Steps
from schedproof.adversary.walks.search import Bounds, search
from schedproof.adversary.walks.trials import NO_TRIALS, Trial, Trials
from schedproof.core.runtime.context import Context, forget

Numbers = np.ndarray
NONE = 1 << 50  # credit after an answer that does not exist
FIRST_ROUNDS, SELDOM = 4, 256  # rounds between two reports of progress, at first and at last


class Position(NamedTuple):
    """A move of the adversary.

    Attributes
    ----------
    jobs, function
        The numbers of the policy's state and of the work function.
    move
        The number of the arriving size; for a slot, the count of sizes.
    """

    jobs: int
    function: int
    move: int


class Forced(NamedTuple):
    """A strategy of the adversary, with the bounds of the graph of all answers.

    The graph's costs are the increases of the work function, and its ``other`` costs are the policy's costs. The
    largest ratio of a cycle is therefore the inverse of the forced ratio.
    """

    positions: list[Position]
    policy: Automaton[Any]
    schedule: Automaton[Any]
    functions: WorkFunctions
    bounds: Bounds

    @property
    def ratio(self) -> Fraction:
        return 1 / Fraction(self.bounds.least)


class Kept(NamedTuple):
    """A policy, and the ratio bounds from its product graph with other schedules."""

    graph: Product
    bounds: Bounds

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.bounds.least)


class Sides(NamedTuple):
    """Bounds on the best ratio."""

    forced: Forced | None = None
    kept: Kept | None = None

    @property
    def least(self) -> Fraction:
        return self.forced.ratio if self.forced else Fraction(0)

    @property
    def most(self) -> Fraction | None:
        return self.kept and self.kept.ratio

    def with_forced(self, forced: Forced) -> Sides:
        return self._replace(forced=forced) if forced.ratio > self.least else self

    def with_kept(self, kept: Kept) -> Sides:
        return self._replace(kept=kept) if self.most is None or kept.ratio < self.most else self


class Game:
    """The moves of both players from each pair of policy state and work function.

    Attributes
    ----------
    answers
        The policy's states after each move of the adversary, shape (moves, choices, jobs); -1 for none.
    heads
        The work functions after each move, shape (moves, functions); unchanged if no relevant schedule has room.
    open
        Which moves are possible, shape (moves, jobs, functions).
    """

    def __init__(self, policy: Automaton[Any], functions: WorkFunctions) -> None:
        self.policy, self.functions = policy, functions
        moves = [*policy.arrive, policy.slots]
        self.answers = np.full((len(moves), max(map(len, moves)), len(policy.states)), -1)
        for answers, choices in zip(self.answers, moves, strict=True):
            answers[: len(choices)] = choices
        same = np.arange(len(functions.costs))
        self.heads = np.where(functions.after >= 0, functions.after, same)
        answered = np.asarray((self.answers >= 0).any(axis=1))
        self.open = answered[:, :, None] & (functions.after >= 0)[:, None]
        self.open[-1] &= (policy.present > 0)[:, None] | (self.heads[-1] != same)  # no slot without a change

    def credits(self, ratio: Fraction, context: Context, times: int = 2) -> Trial:
        """Return the first finite credits of either side.

        Credits above a limit become `LOST`. The limit is `times` the largest number of jobs present times the number of
        kinds; it is doubled if both sides lose.
        """
        limit = times * int(self.policy.present.max()) * (len(self.answers) - 1) * ratio.denominator
        policy, adversary = (np.zeros(self.open[0].shape, dtype=np.int64) for _ in range(2))
        rounds, step = 0, FIRST_ROUNDS
        while policy[0, 0] < LOST or adversary[0, 0] < LOST:
            for credit, side in ((policy, 1), (adversary, -1)):
                if credit[0, 0] < LOST and self._raised(credit, ratio, side, limit, step):
                    return Trial(enough=credit.ravel()) if side > 0 else Trial(more=credit.ravel())
            rounds, step = rounds + step, min(2 * step, SELDOM)
            context.progress(f"{policy.size} positions: ratio {ratio}, round {rounds}")
        return self.credits(ratio, context, 2 * times)

    def proves(self, ratio: Fraction, trial: Trial) -> bool:
        """Return whether a trial's credits are sufficient after every move."""
        credit, side = (trial.more, -1) if trial.more.size else (trial.enough, 1)
        if credit.size != self.open[0].size or credit.min() < 0 or credit.max() > LOST or credit[0] == LOST:
            return False
        return self._raised(credit.reshape(self.open[0].shape).copy(), ratio, side, LOST, 1)

    def _raised(self, credit: Numbers, ratio: Fraction, side: int, limit: int, rounds: int) -> bool:
        weight = self.weight(ratio, len(self.answers) - 1)
        return bool(raise_credits(credit, self.answers, self.heads, self.open, weight, limit, side, rounds))

    def weight(self, ratio: Fraction, move: int) -> Numbers | int:
        """Return the weight of a move, shape (jobs, functions); 0 for an arrival."""
        if move < len(self.answers) - 1:
            return 0
        return ratio.denominator * self.policy.present[:, None] - ratio.numerator * self.functions.paid

    def _after(self, credit: Numbers, move: int) -> Numbers:
        ahead = credit[:, self.heads[move]]
        return np.where((self.answers[move] >= 0)[:, :, None], ahead[self.answers[move]], NONE)

    def keeping(self, ratio: Fraction, credit: Numbers) -> tuple[Graph, Automaton[tuple[Any, int]]]:
        """Return the policy that stays within its credits.

        In each state the policy takes the sufficient answer that suffices for the largest number of work functions.
        Equivalent states are merged.

        Returns
        -------
        tuple
            The graph of the steps that the policy leaves the adversary, and the policy's automaton.
        """
        count = credit.shape[1]
        after = np.empty((len(self.answers), credit.size), dtype=np.int64)
        for move, answers in enumerate(self.answers):
            fine = self._after(credit, move) + self.weight(ratio, move) <= credit
            often = fine.sum(axis=2)[:, :, None] + credit.size * (1 + fine) * (answers >= 0)[:, :, None]
            jobs = answers[np.argmax(often, axis=0), np.arange(len(credit))[:, None]]
            after[move] = np.where(jobs >= 0, jobs * count + self.heads[move], -1).ravel()
        reached, steps = _reached(np.where(self.open.reshape(after.shape), after, -1))
        jobs, functions = np.divmod(reached, count)
        costs = self.policy.present[jobs], self.functions.paid[functions]
        graph = _graph(steps, [*[False] * (len(steps) - 1), True], *costs)
        reached, after = _reached(after)
        jobs = reached // count
        kind, first = alike(jobs, after)
        heads = np.where(after[:, first] >= 0, kind[after[:, first]], -1)
        states = [(self.policy.states[jobs[n]], number) for number, n in enumerate(first)]
        present = self.policy.present[jobs[first]]
        return graph, Automaton(states, present, present, heads[:-1, None], heads[-1:])

    def forcing(self, ratio: Fraction, credit: Numbers) -> tuple[list[Position], Graph]:
        """Return the adversary's strategy within its credits, and the graph of answers."""
        count, slot = credit.shape[1], len(self.answers) - 1
        fine = []
        for move in range(len(self.answers)):
            after = self._after(credit, move)
            worst = np.where(after < NONE, after, -1).max(axis=0)
            fine.append(self.open[move] & (worst - self.weight(ratio, move) <= credit))
        moves = np.argmax(fine, axis=0).ravel()
        after = np.full((self.answers.shape[1], credit.size), -1)
        for move, answers in enumerate(self.answers):
            heads = np.where(answers[:, :, None] >= 0, answers[:, :, None] * count + self.heads[move], -1)
            at = np.flatnonzero(moves == move)
            after[:, at] = heads.reshape(after.shape)[:, at]
        reached, after = _reached(after)
        jobs, functions = np.divmod(reached, count)
        moves = moves[reached]
        heads = np.concatenate([np.where(kind, after, -1) for kind in (moves < slot, moves == slot)])
        costs = self.functions.paid[functions], self.policy.present[jobs]
        graph = _graph(heads, [*[False] * len(after), *[True] * len(after)], *costs)
        return [*map(Position, jobs.tolist(), functions.tolist(), moves.tolist())], graph


def _graph(heads: Numbers, slot: Sequence[bool], large: Numbers, small: Numbers) -> Graph:
    """Return the graph of the steps to `heads`, shape (kinds, states).

    Only slots have costs, those of their tail.
    """
    steps = []
    for after, costly in zip(heads, slot, strict=True):
        tail = np.flatnonzero(after >= 0)
        steps.append(Steps(tail, after[tail], costly * large[tail], costly * small[tail]))
    return Graph(heads.shape[1], steps)


def _reached(after: Numbers) -> tuple[Numbers, Numbers]:
    place = np.full(after.shape[1], -1)
    levels, count = [np.zeros(1, dtype=np.int64)], 0
    while levels[-1].size:
        place[levels[-1]] = count + np.arange(levels[-1].size)
        count += levels[-1].size
        heads = np.unique(after[:, levels[-1]])
        levels.append(heads[(heads >= 0) & (place[heads] < 0)])
    reached = np.concatenate(levels)
    return reached, np.where(after[:, reached] >= 0, place[after[:, reached]], -1)


def play(
    policy: Automaton[Any],
    schedule: Automaton[Any],
    context: Context,
    keep: Callable[[Sides], object],
    trials: Trials = NO_TRIALS,
) -> Sides:
    """Return bounds on the best ratio; they are equal unless time runs out.

    Each intermediate result goes to `keep`. Work functions drop costs far above their least cost; the allowed distance
    grows until both bounds are equal. Dropped costs weaken the adversary and reduce the states of the policy.
    """
    most_paid = int(schedule.present.max()) * max(1, len(schedule.arrive))
    following = excess(schedule, 8 * most_paid)
    sides, widest = Sides(), 0
    while sides.least != sides.most:
        game = Game(policy, work_functions(schedule, following, widest, context))
        most: Fraction | None = None  # the least upper bound in this game
        while most is None or sides.least < most:
            ratio = between(sides.least, most)
            trial = trials.of(widest=widest)(ratio, partial(game.credits, ratio, context), partial(game.proves, ratio))
            if trial.more.size:
                positions, graph = game.forcing(ratio, trial.more.reshape(game.open[0].shape))
                bounds = search(graph, context, forget)
                sides = sides.with_forced(Forced(positions, policy, schedule, game.functions, bounds))
            else:
                graph, automaton = game.keeping(ratio, trial.enough.reshape(game.open[0].shape))
                most = Fraction(search(graph, context, forget).least)
                product = Product(automaton, schedule, context)
                sides = sides.with_kept(Kept(product, search(product, context, forget)))
            keep(sides)
            context.progress(f"at least {sides.least}, at most {sides.most or 'unknown'}")
        widest += 1
    return sides


def between(least: Fraction, most: Fraction | None) -> Fraction:
    """Return the simplest fraction strictly between two (Stern-Brocot tree)."""
    below, above = (0, 1), (1, 0)
    while True:
        found = Fraction(below[0] + above[0], below[1] + above[1])
        if found <= least:
            below = found.numerator, found.denominator
        elif most is not None and found >= most:
            above = found.numerator, found.denominator
        else:
            return found
