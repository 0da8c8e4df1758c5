"""Value iteration for the credits of a `Game`, in place (Gauss-Seidel)."""

from __future__ import annotations

from typing import Any

from schedproof.core.runtime.kernels import njit

LOST = 1 << 40  # the credit of a lost position


@njit(cache=True)
def raise_credits(
    credit: Any, answers: Any, heads: Any, may: Any, weight: Any, limit: int, side: int, rounds: int
) -> bool:
    """Raise the credits of the policy (side 1) or the adversary (side -1).

    Parameters
    ----------
    answers
        The policy's states after each answer, shape (moves, choices, jobs); -1 for none.
    heads
        The work functions after each move, shape (moves, functions).
    may
        Which moves are possible, shape (moves, jobs, functions).
    weight
        The weight of the last move, shape (jobs, functions).
    limit
        Credits above it become `LOST`.

    Returns
    -------
    bool
        Whether the credits are stable.
    """
    moves, choices, jobs = answers.shape
    functions = heads.shape[1]
    for _ in range(rounds):
        moved = False
        for job in range(jobs):
            for function in range(functions):
                if credit[job, function] == LOST:
                    continue
                needed = 0 if side > 0 else LOST
                for move in range(moves):
                    if not may[move, job, function]:
                        continue
                    answered = LOST if side > 0 else 0
                    for choice in range(choices):
                        after = answers[move, choice, job]
                        if after >= 0:
                            found = credit[after, heads[move, function]]
                            answered = min(answered, found) if side > 0 else max(answered, found)
                    if move == moves - 1:
                        answered += side * weight[job, function]
                    needed = max(needed, answered) if side > 0 else min(needed, answered)
                if needed > credit[job, function]:
                    credit[job, function] = needed if needed <= limit else LOST
                    moved = True
        if not moved:
            return True
        if credit[0, 0] == LOST:
            return False
    return False
