"""What each state of the other schedule costs at least by now: the work functions of all arrivals, as one automaton.

What an online policy can know of the best schedule is its work function: of each state, the least that a schedule for
the arrivals so far has paid in which it is reached. It is known up to a constant, which is paid in the slots.

Not every state counts. If a schedule in state s can follow one in state t, whatever comes, for at most d(s, t) more
until both have nothing left, then t is never better once its cost is at least that of s and d(s, t). The least d is the
least solution of: d(s, t) is at least d after any arrival for which t has room, and at least |s| - |t| and the d after
a slot, where t chooses first and s answers; d of nothing and nothing is at least 0. Any solution is sound, so that
numbers above a limit may be set to infinity: induction over the slots that are left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from schedproof.adversary.exact_ratio.automata import Automaton
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

FAR = 1 << 30  # no schedule is there
MOST_STATES, MOST_NUMBERS = 1000, 10**8  # of the other schedule, and of all work functions
Numbers = np.ndarray


@dataclass(frozen=True)
class WorkFunctions:
    """All that arrivals lead to, with what follows them.

    Attributes
    ----------
    costs
        Of each work function, by the schedule's states, `FAR` for those that do not count; (functions, states).
    after
        The work function after an arrival of each size, and last after a slot, shape (sizes + 1, functions); -1 where
        no schedule that counts has room.
    paid
        What a slot adds to all costs, shape (functions,).
    whole
        Whether no state was left out for its cost alone.
    """

    costs: Numbers
    after: Numbers
    paid: Numbers
    whole: bool


def excess(schedule: Automaton[Any], most: int) -> Numbers:
    """What following costs at most, d of each two states, shape (states, states); `FAR` above a limit.

    Raises
    ------
    InputError
        For too many states.
    """
    count = len(schedule.states)
    if count > MOST_STATES:
        raise InputError(
            f"{count} states of a schedule, more than {MOST_STATES}; expected fewer present, or smaller sizes"
        )
    longer = schedule.present[:, None] - schedule.present[None, :]
    found = np.full((count, count), -most)
    found[0, 0] = 0
    while True:
        least = np.maximum(found, _answered(found, schedule.slots) + longer)
        for choices in schedule.arrive:
            least = np.maximum(least, _answered(found, choices))
        least[least > most] = FAR
        if np.array_equal(least, found):
            return found
        found = least


def _answered(found: Numbers, choices: Numbers) -> Numbers:
    """The number of two states after each has chosen, the second one first, to make it large."""
    most = np.full(found.shape, -FAR)
    for theirs in choices:
        after = np.where(theirs >= 0, found[:, theirs], -FAR)
        least = np.full(found.shape, FAR)
        for mine in choices:
            least = np.minimum(least, np.where(mine[:, None] >= 0, after[mine], FAR))
        most = np.maximum(most, np.where(theirs >= 0, least, -FAR))
    return most


def work_functions(schedule: Automaton[Any], following: Numbers, widest: int, context: Context) -> WorkFunctions:
    """All of them, by what following costs, without the states that cost more than so much above the least.

    Raises
    ------
    InputError
        For too many.
    """
    count, run = len(schedule.states), schedule.slots
    number: dict[bytes, int] = {}
    new: list[Numbers] = []

    def numbered(row: Numbers) -> int:
        if (key := row.tobytes()) not in number:
            number[key] = len(number)
            new.append(row)
        return number[key]

    numbered(np.array([0] + [FAR] * (count - 1)))
    costs: list[Numbers] = []
    after: list[Numbers] = []
    paid: list[Numbers] = []
    whole = True
    while new:
        level, heads = np.array(new), []
        new.clear()
        for choices, price in [
            *((choices, 0 * schedule.present) for choices in schedule.arrive),
            (run, schedule.present),
        ]:
            reached = _that_count(_spread(level, choices, price), following)
            least = reached.min(axis=1)
            far = reached > least[:, None] + widest
            whole &= bool((reached[far] == FAR).all())
            above = reached - (least[:, None] if choices is run else 0)
            above[far | (reached == FAR)] = FAR
            heads.append([numbered(row) if some else -1 for row, some in zip(above, least < FAR, strict=True)])
        paid.append(least)
        costs.append(level)
        after.append(np.array(heads))
        context.progress(f"{len(number)} work functions, costs at most {widest} apart")
        if len(number) * count > MOST_NUMBERS:
            raise InputError(f"more than {MOST_NUMBERS // count} work functions; expected fewer present")
    return WorkFunctions(np.concatenate(costs), np.concatenate(after, axis=1), np.concatenate(paid), whole)


def _spread(costs: Numbers, choices: Numbers, price: Numbers) -> Numbers:
    """The least costs of all states after a step, shape (functions, states)."""
    found = np.full_like(costs, FAR)
    for choice in choices:
        for before in np.flatnonzero(choice >= 0).tolist():
            column = found[:, choice[before]]
            np.minimum(column, costs[:, before] + price[before], out=column)
    return np.minimum(found, FAR)


def _that_count(costs: Numbers, following: Numbers) -> Numbers:
    """The costs without those of states that never are better than another one; of two that are alike one stays."""
    alike = following + following.T == 0
    found = costs.copy()
    for state in range(costs.shape[1]):
        worth = costs[:, state, None] + following[state]
        equal = (worth == costs) & (~alike[state] | (np.arange(costs.shape[1]) > state))
        dead = (worth < costs) | equal
        dead[:, state] = False
        found[dead] = FAR
    return found
