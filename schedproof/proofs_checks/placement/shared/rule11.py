"""Rule (11) in exact rationals: the agents with the largest Pr(n|j)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.proofs_checks.strategies.placement_agents import Contest

Given = Callable[[Contest, int, int], Fraction]  # Pr(j|n)


def by_score(case: Contest, n: int, j: int) -> Fraction:
    return case.score(n, j)


def by_choice(case: Contest, n: int, j: int) -> Fraction:
    """Return z_jnt as printed: 1 if the agent chose the task, otherwise 0."""
    return Fraction(case.chosen[n] == j)


def by_score_of_choosers(case: Contest, n: int, j: int) -> Fraction:
    return by_choice(case, n, j) * case.score(n, j)


def conditional(case: Contest, j: int, given: Given) -> list[Fraction]:
    """Return Pr(n|j) for each agent n; nothing if the denominator is 0.

    Pr(n) is the room of the cluster. The normalising constant of Pr(n) is the same for all n and cancels.
    """
    products = [given(case, n, j) * case.room(n, j) for n in range(len(case.free))]
    total = sum(products, Fraction(0))
    return [product / total for product in products] if total else []


def largest(case: Contest, j: int, given: Given) -> list[int]:
    """All agents with the largest Pr(n|j); empty if Pr(n|j) is undefined."""
    shares = conditional(case, j, given)
    return [n for n, share in enumerate(shares) if share == max(shares)]


def first(case: Contest, j: int, given: Given) -> list[int]:
    return largest(case, j, given)[:1]
