"""The OGA policy of Definition 2 in rationals, its regret, and the step rules.

A run needs gradients and steps that are rational: linear, log and reciprocal utilities, and steps that are given, or
roots of squares. Anything else is `NoExactRun`.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import isqrt

from schedproof.core.base import radicals
from schedproof.instances.multiserver import Instance
from schedproof.reference import multiserver as model
from schedproof.reference.multiserver import ZERO, Allocation, Matrix

Step = Callable[[Sequence[Fraction]], Fraction]  # eta_t from the squared norms of the gradients of slots 1..t
SHORT = 1 - Fraction(1, 1 << 20)  # of a root, `root_below` gives at least so much


class NoExactRun(ValueError):
    """There is no exact run to speak about: a step or a gradient is no rational number."""


@dataclass(frozen=True)
class OgaRun:
    """What the policy decided, and the supergradients that it met, slot by slot; ``after`` is y(T + 1)."""

    instance: Instance
    gain: model.Gain
    decided: tuple[Matrix, ...]
    gradients: tuple[Matrix, ...]
    after: Matrix

    @cached_property
    def norms(self) -> list[Fraction]:
        """The squared norms of the gradients."""
        return [square(gradient) for gradient in self.gradients]

    @cached_property
    def total_reward(self) -> Fraction:
        """The cumulative reward (9), the upper end of its enclosure."""
        return sum((self._reward(slot, y)[1] for slot, y in enumerate(self.decided)), ZERO)

    def regret(self, fixed: Allocation) -> Fraction:
        """By how much at least a fixed allocation earns more."""
        return sum((self._reward(slot, fixed)[0] for slot in range(len(self.decided))), ZERO) - self.total_reward

    @cached_property
    def linear_regret(self) -> Fraction:
        """max over y in Y of sum_t g_t (y - y_t), which is at least the regret."""
        weight = add(*self.gradients)
        spent = sum((dot(g, y) for g, y in zip(self.gradients, self.decided, strict=True)), ZERO)
        return dot(weight, best_linear(self.instance, weight)) - spent

    @cached_property
    def least_regret(self) -> Fraction:
        """At most the regret: that against the point which is best for the sum of the gradients.

        Where no gradient depends on y (one resource, linear utilities) that is the optimum (10).
        """
        return self.regret(best_linear(self.instance, add(*self.gradients)))

    def _reward(self, slot: int, allocation: Allocation) -> tuple[Fraction, Fraction]:
        return model.reward(self.instance, model.present(self.instance, slot), allocation, self.gain)


def play(
    instance: Instance,
    start: Allocation,
    step: Step,
    gain: model.Gain = "node",
    onto: Callable[[Instance, Allocation], Matrix] = model.project,
) -> OgaRun:
    """y(1) = start, y(t + 1) = projection of y(t) + eta_t g_t, over all slots of the instance.

    Where the gradient is 0 the step is not evaluated. ``onto`` is what stands in the place of the projection (32).
    """
    y: Matrix = tuple(map(tuple, start))
    decided, gradients, norms = [], [], []
    for slot in range(instance.horizon):
        gradient = rational(model.supergradient(instance, model.present(instance, slot), y, gain=gain))
        norms.append(square(gradient))
        decided.append(y)
        gradients.append(gradient)
        if norms[-1]:
            y = onto(instance, add(y, multiple(step(norms), gradient)))
    return OgaRun(instance, gain, tuple(decided), tuple(gradients), y)


def best_linear(instance: Instance, weight: Allocation) -> Matrix:
    """The point of Y with the largest sum of weight times amount: each row is filled by decreasing positive weight."""

    def fill_order(edges: Sequence[int], k: int) -> list[int]:
        return sorted((e for e in edges if weight[e][k] > 0), key=lambda e: -weight[e][k])

    return model.corner(instance, fill_order)


# --- steps -----------------------------------------------------------------------------------------------------------


def constant(step: Fraction) -> Step:
    """The same step in every slot."""
    return lambda norms: step


def decaying_step(first: Fraction, decay: Fraction) -> Step:
    """eta_0 lambda^(t-1), as Algorithm 1 has it."""
    return lambda norms: first * decay ** (len(norms) - 1)


def step53(diameter: Fraction, slots: int) -> Step:
    """(53): the diameter over the current gradient's norm times sqrt(T); ``diameter`` is squared."""
    return lambda norms: exact_root(diameter / (norms[-1] * slots))


def largest_so_far(diameter: Fraction, slots: int) -> Step:
    """(53) with the largest norm so far, rounded down by a factor of at least `SHORT`, never growing."""
    return lambda norms: root_below(diameter / (max(norms) * slots))


def anytime(diameter: Fraction) -> Step:
    """D/sqrt(2 sum of the squared norms so far), rounded down in the same way."""
    return lambda norms: root_below(diameter / (2 * sum(norms, ZERO)))


# --- roots -----------------------------------------------------------------------------------------------------------


# at least `SHORT` times the root if that is 2^-44 or more; it does not fall where the value grows
root_below = partial(radicals.root_below, bits=64)


def exact_root(value: Fraction) -> Fraction:
    """The square root, where it is rational; elsewhere there is no exact run."""
    root = radicals.root(value)
    if root is None:
        raise NoExactRun("a square root that is no rational number")
    return root


def root_above(value: Fraction) -> Fraction:
    """The square root where it is rational, else the next multiple of 1/1000: an upper end that a page can print."""
    root = radicals.root(value)
    return Fraction(isqrt(value.numerator * 10**6 // value.denominator) + 1, 1000) if root is None else root


# --- matrices --------------------------------------------------------------------------------------------------------


def rational(gradient: model.Gradient) -> Matrix:
    """The numbers of enclosures that are points."""
    if any(low != high for row in gradient for low, high in row):
        raise NoExactRun("a gradient")
    return tuple(tuple(low for low, _ in row) for row in gradient)


def add(*matrices: Allocation) -> Matrix:
    """The sum."""
    return tuple(
        tuple(sum(entries, ZERO) for entries in zip(*rows, strict=True)) for rows in zip(*matrices, strict=True)
    )


def multiple(factor: Fraction, matrix: Allocation) -> Matrix:
    """A multiple."""
    return tuple(tuple(factor * entry for entry in row) for row in matrix)


def dot(one: Allocation, other: Allocation) -> Fraction:
    """The inner product."""
    return sum((a * b for p, q in zip(one, other, strict=True) for a, b in zip(p, q, strict=True)), ZERO)


def square(matrix: Allocation) -> Fraction:
    """The squared Euclidean norm."""
    return dot(matrix, matrix)
