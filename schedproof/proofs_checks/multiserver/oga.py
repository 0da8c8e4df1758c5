"""The OGA policy of Definition 2 in rationals, its regret, and the step rules.

A run needs gradients and steps that are rational: linear, log and reciprocal utilities, and steps that are given, or
roots of squares. Anything else is `NoRun`, and a check then has nothing to say about the case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.model import (
    Allocation,
    Gain,
    Matrix,
    network,
    nothing,
    pairs,
    present,
    project,
    reward,
    supergradient,
)
from schedproof.proofs_checks.multiserver.roots import NoRun, exact_root, root_below

ZERO = Fraction(0)
Step = Callable[[Sequence[Fraction]], Fraction]  # eta_t from the squared norms of the gradients of slots 1..t


@dataclass(frozen=True)
class Run:
    """What the policy decided, and the supergradients that it met: one matrix (edges, resources) for each slot.

    Attributes
    ----------
    after
        y(T + 1), which it would decide next.
    """

    instance: Instance
    gain: Gain
    decided: tuple[Matrix, ...]
    gradients: tuple[Matrix, ...]
    after: Matrix

    @cached_property
    def norms(self) -> list[Fraction]:
        """The squared norms of the gradients."""
        return [square(gradient) for gradient in self.gradients]

    @cached_property
    def earned(self) -> Fraction:
        """The cumulative reward (9), the upper end of its enclosure."""
        return sum((self._reward(slot, y)[1] for slot, y in enumerate(self.decided)), ZERO)

    def regret(self, fixed: Allocation) -> Fraction:
        """By how much at least a fixed allocation earns more."""
        return sum((self._reward(slot, fixed)[0] for slot in range(len(self.decided))), ZERO) - self.earned

    @cached_property
    def linear_regret(self) -> Fraction:
        """max over y in Y of sum_t g_t (y - y_t), which is at least the regret."""
        weight = add(*self.gradients)
        spent = sum((dot(g, y) for g, y in zip(self.gradients, self.decided, strict=True)), ZERO)
        return dot(weight, best_linear(self.instance, weight)) - spent

    @cached_property
    def shown_regret(self) -> Fraction:
        """At least the regret: against the point that is best for the sum of the gradients.

        Where no gradient depends on y (one resource, linear utilities) that is the optimum (10).
        """
        return self.regret(best_linear(self.instance, add(*self.gradients)))

    def _reward(self, slot: int, allocation: Allocation) -> tuple[Fraction, Fraction]:
        return reward(self.instance, present(self.instance, slot), allocation, self.gain)


def play(
    instance: Instance,
    start: Allocation,
    step: Step,
    gain: Gain = "node",
    onto: Callable[[Instance, Allocation], Matrix] = project,
) -> Run:
    """y(1) = start, y(t + 1) = projection of y(t) + eta_t g_t, over all slots of the instance.

    Where the gradient is 0 the step is not asked for. ``onto`` is what stands in the place of the projection (32).

    Raises
    ------
    NoRun
        When a gradient or a step is not rational.
    """
    y: Matrix = tuple(map(tuple, start))
    decided, gradients, norms = [], [], []
    for slot in range(instance.horizon):
        gradient = rational(supergradient(instance, present(instance, slot), y, gain=gain))
        norms.append(square(gradient))
        decided.append(y)
        gradients.append(gradient)
        if norms[-1]:
            y = onto(instance, add(y, scaled(step(norms), gradient)))
    return Run(instance, gain, tuple(decided), tuple(gradients), y)


def best_linear(instance: Instance, weight: Allocation) -> Matrix:
    """The point of Y with the largest sum of weight times amount: each row is filled by decreasing positive weight."""
    net = network(instance)
    answer = [list(row) for row in nothing(instance)]
    for edges, k, left in pairs(net):
        for e in sorted((e for e in edges if weight[e][k] > 0), key=lambda e: -weight[e][k]):
            answer[e][k] = min(left, net.most(e, k))
            left -= answer[e][k]
    return tuple(map(tuple, answer))


# --- steps -----------------------------------------------------------------------------------------------------------


def constant(step: Fraction) -> Step:
    """The same step in every slot."""
    return lambda norms: step


def decayed(first: Fraction, decay: Fraction) -> Step:
    """eta_0 lambda^(t-1), as Algorithm 1 has it."""
    return lambda norms: first * decay ** (len(norms) - 1)


def current(diameter: Fraction, slots: int) -> Step:
    """(53): the diameter over the current gradient's norm times sqrt(T); ``diameter`` is squared."""
    return lambda norms: exact_root(diameter / (norms[-1] * slots))


def largest(diameter: Fraction, slots: int) -> Step:
    """(53) with the largest norm so far, rounded down by a factor of at least `SHORT`, never growing."""
    return lambda norms: root_below(diameter / (max(norms) * slots))


def any_time(diameter: Fraction) -> Step:
    """D/sqrt(2 sum of the squared norms so far), rounded down in the same way."""
    return lambda norms: root_below(diameter / (2 * sum(norms, ZERO)))


# --- matrices --------------------------------------------------------------------------------------------------------


def rational(gradient: Sequence[Sequence[tuple[Fraction, Fraction]]]) -> Matrix:
    """The numbers of enclosures that are points."""
    if any(low != high for row in gradient for low, high in row):
        raise NoRun("a gradient")
    return tuple(tuple(low for low, _ in row) for row in gradient)


def add(*matrices: Allocation) -> Matrix:
    """The sum."""
    return tuple(
        tuple(sum(entries, ZERO) for entries in zip(*rows, strict=True)) for rows in zip(*matrices, strict=True)
    )


def scaled(factor: Fraction, matrix: Allocation) -> Matrix:
    """A multiple."""
    return tuple(tuple(factor * entry for entry in row) for row in matrix)


def dot(one: Allocation, other: Allocation) -> Fraction:
    """The inner product."""
    return sum((a * b for p, q in zip(one, other, strict=True) for a, b in zip(p, q, strict=True)), ZERO)


def square(matrix: Allocation) -> Fraction:
    """The squared Euclidean norm."""
    return dot(matrix, matrix)
