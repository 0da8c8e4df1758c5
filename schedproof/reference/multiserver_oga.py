"""The OGA policy of Definition 2 in rationals, its regret, and the step rules.

A run needs rational gradients and steps: linear, log and reciprocal utilities, and steps that are given numbers or
rational roots. Otherwise `NoExactRun` is raised.

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
SHORT = 1 - Fraction(1, 1 << 20)  # `root_below` returns at least this share of a root


class NoExactRun(ValueError):
    """A step or a gradient is irrational."""


@dataclass(frozen=True)
class OgaRun:
    """The decisions and supergradients of a run, slot by slot; ``after`` is y(T + 1)."""

    instance: Instance
    gain: model.Gain
    decided: tuple[Matrix, ...]
    gradients: tuple[Matrix, ...]
    after: Matrix

    @cached_property
    def norms(self) -> list[Fraction]:
        return [square(gradient) for gradient in self.gradients]

    @cached_property
    def total_reward(self) -> Fraction:
        """Return an upper bound of the cumulative reward (9)."""
        return sum((self._reward(slot, y)[1] for slot, y in enumerate(self.decided)), ZERO)

    def regret(self, fixed: Allocation) -> Fraction:
        """Return a lower bound of the regret against a fixed allocation."""
        return sum((self._reward(slot, fixed)[0] for slot in range(len(self.decided))), ZERO) - self.total_reward

    @cached_property
    def linear_regret(self) -> Fraction:
        """Return max over y in Y of sum_t g_t (y - y_t), an upper bound of the regret."""
        weight = add(*self.gradients)
        spent = sum((dot(g, y) for g, y in zip(self.gradients, self.decided, strict=True)), ZERO)
        return dot(weight, best_linear(self.instance, weight)) - spent

    @cached_property
    def least_regret(self) -> Fraction:
        """Return a lower bound of the regret, from the best point for the gradients' sum.

        If no gradient depends on y (one resource, linear utilities), this point is the optimum (10).
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
    """Run y(1) = start and y(t + 1) = projection of y(t) + eta_t g_t over all slots.

    If the gradient is 0, the step rule is not evaluated. ``onto`` replaces the projection (32).
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
    """Return the point of Y with the largest sum of weight times amount.

    Each row is filled in order of decreasing positive weight.
    """

    def fill_order(edges: Sequence[int], k: int) -> list[int]:
        return sorted((e for e in edges if weight[e][k] > 0), key=lambda e: -weight[e][k])

    return model.corner(instance, fill_order)


# --- steps -----------------------------------------------------------------------------------------------------------


def constant(step: Fraction) -> Step:
    return lambda norms: step


def decaying_step(first: Fraction, decay: Fraction) -> Step:
    """Return eta_0 lambda^(t-1), following Algorithm 1."""
    return lambda norms: first * decay ** (len(norms) - 1)


def step53(diameter: Fraction, slots: int) -> Step:
    """Return (53): the diameter over the gradient's norm times sqrt(T).

    ``diameter`` is squared.
    """
    return lambda norms: exact_root(diameter / (norms[-1] * slots))


def largest_so_far(diameter: Fraction, slots: int) -> Step:
    """Return (53) with the largest norm so far, rounded down; steps do not increase.

    The rounding factor is at least `SHORT`.
    """
    return lambda norms: root_below(diameter / (max(norms) * slots))


def anytime(diameter: Fraction) -> Step:
    """Return D/sqrt(2 sum of the squared norms so far), rounded down by `SHORT`."""
    return lambda norms: root_below(diameter / (2 * sum(norms, ZERO)))


# --- roots -----------------------------------------------------------------------------------------------------------


# at least `SHORT` times the root, if the root is 2^-44 or more; nondecreasing in the value
root_below = partial(radicals.root_below, bits=64)


def exact_root(value: Fraction) -> Fraction:
    """Return the rational square root; otherwise raise `NoExactRun`."""
    root = radicals.root(value)
    if root is None:
        raise NoExactRun("no exact run: a square root is irrational")
    return root


def root_above(value: Fraction) -> Fraction:
    """Return the square root if rational, else the next multiple of 1/1000."""
    root = radicals.root(value)
    return Fraction(isqrt(value.numerator * 10**6 // value.denominator) + 1, 1000) if root is None else root


# --- matrices --------------------------------------------------------------------------------------------------------


def rational(gradient: model.Gradient) -> Matrix:
    if any(low != high for row in gradient for low, high in row):
        raise NoExactRun("no exact run: a gradient is irrational")
    return tuple(tuple(low for low, _ in row) for row in gradient)


def add(*matrices: Allocation) -> Matrix:
    return tuple(
        tuple(sum(entries, ZERO) for entries in zip(*rows, strict=True)) for rows in zip(*matrices, strict=True)
    )


def multiple(factor: Fraction, matrix: Allocation) -> Matrix:
    return tuple(tuple(factor * entry for entry in row) for row in matrix)


def dot(one: Allocation, other: Allocation) -> Fraction:
    return sum((a * b for p, q in zip(one, other, strict=True) for a, b in zip(p, q, strict=True)), ZERO)


def square(matrix: Allocation) -> Fraction:
    return dot(matrix, matrix)
