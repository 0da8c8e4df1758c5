"""Rounds of the credits of a game: as `Game` says, a state after the other, each with what is known of those before."""

from __future__ import annotations

from typing import Any

from schedproof.core.runtime.kernels import njit

LOST = 1 << 40  # no credit is enough


@njit(cache=True)
def raise_credits(
    credit: Any, answers: Any, heads: Any, may: Any, weight: Any, limit: int, side: int, rounds: int
) -> bool:
    """Raise what the policy (side 1) or the adversary (side -1) must have; whether nothing is left to raise.

    ``answers`` (moves, choices, jobs) are the policy's states after each answer, -1 for none; ``heads`` (moves,
    functions) the work functions; ``may`` (moves, jobs, functions) says which moves there are, and ``weight`` (jobs,
    functions) is that of the last move. What is above the limit is `LOST`.
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
