"""Exact expected policy gradients of the games of two agents, by enumeration."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.proofs_checks.placement.shared.dual import Dual, exponentials, total
from schedproof.proofs_checks.strategies.placement_network import Action, Game, share

Logit = tuple[int, ...]  # agent and task, or agent, task and allocation
Keep = Callable[[bool], "tuple[bool, bool]"]  # by m: whether the score has its selection and its allocation part


def printed13(m: bool) -> tuple[bool, bool]:
    """By (13), an allocation's log-probability counts only if the agent gets its task."""
    return True, m


def both(m: bool) -> tuple[bool, bool]:
    """Selection and allocation always count."""
    return True, True


def selection(m: bool) -> tuple[bool, bool]:
    """The allocation never counts."""
    return True, False


def winners(m: bool) -> tuple[bool, bool]:
    """Neither selection nor allocation counts for an agent that gets no task."""
    return m, m


def probability(game: Game, agent: int, action: Action) -> Fraction:
    task, allocation = action
    return share(game.select[agent], task) * share(game.allocate[agent][task], allocation)


def score(game: Game, agent: int, action: Action, m: bool, keep: Keep, logit: Logit) -> Fraction:
    """The derivative of the counted parts of log pi of (13) by a logit."""
    with_selection, with_allocation = keep(m)
    task, allocation = action
    if logit[0] != agent:
        return Fraction(0)
    if len(logit) == 2:
        return with_selection * ((task == logit[1]) - share(game.select[agent], logit[1]))
    if logit[1] != task:
        return Fraction(0)
    return with_allocation * ((allocation == logit[2]) - share(game.allocate[agent][task], logit[2]))


def expectation(game: Game, keep: Keep, logit: Logit, returns: Callable[[tuple[Action, Action]], int]) -> Fraction:
    result = Fraction(0)
    for actions in game.actions():
        tasks = (actions[0][0], actions[1][0])
        chance = probability(game, 0, actions[0]) * probability(game, 1, actions[1])
        slope = sum(score(game, n, actions[n], game.gets(n, tasks), keep, logit) for n in (0, 1))
        result += chance * slope * returns(actions)
    return result


def true_gradient(game: Game, logit: Logit, returns: Callable[[tuple[Action, Action]], int]) -> Fraction:
    """The derivative of the mean return by a logit, by the product rule."""
    mean = Dual(Fraction(0))
    for actions in game.actions():
        chance = Dual(Fraction(returns(actions)))
        for n, (task, allocation) in enumerate(actions):
            of_task = logit[1] if len(logit) == 2 and logit[0] == n else None
            of_allocation = logit[2] if len(logit) == 3 and logit[:2] == (n, task) else None
            for row, k, of in ((game.select[n], task, of_task), (game.allocate[n][task], allocation, of_allocation)):
                numbers = exponentials(row, of)
                chance = chance.times(numbers[k].over(total(numbers)))
        mean = mean.plus(chance)
    return mean.slope
