"""The work functions of all arrivals, as one automaton.

A work function gives, for each state of the offline schedule, the least cost of reaching it with the arrivals so far.
It holds everything that an online policy can know about the offline optimum. It is normalised: a slot subtracts the
common minimum, which is recorded as paid.

Dominated states are dropped. Let d(s, t) be the additional cost with which a schedule in state s can follow a schedule
in state t, for any arrivals. State t is dominated if its cost is at least the cost of s plus d(s, t). Then d(empty,
empty)
>= 0; d(s, t) >= d after any arrival for which t has room; and d(s, t) >= |s| - |t| plus d after a slot, in which t
chooses first and s answers; |s| is the number of jobs in s. The least solution of these inequalities is computed. Any
solution is sound, so numbers above a limit may be set to infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from schedproof.adversary.exact_ratio.automata import Automaton
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

FAR = 1 << 30  # the cost of an unreachable or dropped state
MOST_STATES, MOST_NUMBERS = 1000, 10**8  # states of the other schedule; costs in all work functions
Numbers = np.ndarray


@dataclass(frozen=True)
class WorkFunctions:
    """All reachable work functions and their transitions.

    Attributes
    ----------
    costs
        The costs of the schedule's states, shape (functions, states); `FAR` for dropped ones.
    after
        The work function after an arrival of each size, and last after a slot, shape (sizes + 1, functions); -1 if no
        remaining state has room.
    paid
        The common increase in a slot, shape (functions,).
    whole
        Whether no state was dropped because its cost is too far above the least cost.
    """

    costs: Numbers
    after: Numbers
    paid: Numbers
    whole: bool


def excess(schedule: Automaton[Any], most: int) -> Numbers:
    """Return the additional costs d of the module's text, shape (states, states).

    Costs above `most` become `FAR`.

    Raises
    ------
    InputError
        If there are too many states.
    """
    count = len(schedule.states)
    if count > MOST_STATES:
        raise InputError(
            f"expected at most {MOST_STATES} states of a schedule, found {count}; decrease present or sizes"
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
    most = np.full(found.shape, -FAR)
    for theirs in choices:
        after = np.where(theirs >= 0, found[:, theirs], -FAR)
        least = np.full(found.shape, FAR)
        for mine in choices:
            least = np.minimum(least, np.where(mine[:, None] >= 0, after[mine], FAR))
        most = np.maximum(most, np.where(theirs >= 0, least, -FAR))
    return most


def work_functions(schedule: Automaton[Any], following: Numbers, widest: int, context: Context) -> WorkFunctions:
    """Return all work functions without dominated states.

    States that cost more than `widest` above the least are dropped too.

    Raises
    ------
    InputError
        If there are too many work functions.
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
            raise InputError(f"expected at most {MOST_NUMBERS // count} work functions, found more; decrease present")
    return WorkFunctions(np.concatenate(costs), np.concatenate(after, axis=1), np.concatenate(paid), whole)


def _spread(costs: Numbers, choices: Numbers, price: Numbers) -> Numbers:
    found = np.full_like(costs, FAR)
    for choice in choices:
        for before in np.flatnonzero(choice >= 0).tolist():
            column = found[:, choice[before]]
            np.minimum(column, costs[:, before] + price[before], out=column)
    return np.minimum(found, FAR)


def _that_count(costs: Numbers, following: Numbers) -> Numbers:
    """Return the costs without dominated states; of two equivalent states one remains."""
    alike = following + following.T == 0
    found = costs.copy()
    for state in range(costs.shape[1]):
        through = costs[:, state, None] + following[state]
        equal = (through == costs) & (~alike[state] | (np.arange(costs.shape[1]) > state))
        dominated = (through < costs) | equal
        dominated[:, state] = False
        found[dominated] = FAR
    return found
