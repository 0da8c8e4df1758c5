"""Check a potential function on every step of a finite system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedproof.adversary.systems.graph import MOST_STEPS, Graph
from schedproof.adversary.systems.system import Asked, Belief, State, exact, text_of
from schedproof.core.base.display import Tabled
from schedproof.core.base.untyped import Value
from schedproof.core.data.options import number, read
from schedproof.core.errors import InputError, describe, short
from schedproof.core.runtime.context import Context

Valued = Callable[[State, State], Fraction]


@dataclass(frozen=True)
class ViolatedStep:
    """A step at which a potential function fails.

    Attributes
    ----------
    belief, offline, request
        The algorithm's states with their probabilities and the offline state before the step, and the request.
    cost, optimum
        The step's costs for the algorithm and for the offline side.
    before, after
        The expected potential before and after the step.
    """

    belief: Belief
    offline: State
    request: Any
    cost: Fraction
    optimum: Fraction
    before: Fraction
    after: Fraction


@dataclass(frozen=True, repr=False)
class PotentialCheck(Tabled):
    """Whether a potential function proves a ratio.

    Attributes
    ----------
    ratio
        The ratio.
    steps
        The number of steps of the system, all of which were checked if none is violated.
    violated
        The first violated step in the order of discovery, or None.
    """

    ratio: Fraction
    steps: int
    violated: ViolatedStep | None

    @property
    def holds(self) -> bool:
        return self.violated is None

    @property
    def sentence(self) -> str:
        """The result in words."""
        step = self.violated
        if step is None:
            return f"the potential proves the ratio {self.ratio}: no step of {self.steps} violates it"
        states = [short(state) for state, _ in step.belief]
        return (
            f"violated by the request {short(step.request)} in the states {' or '.join(states)} and "
            f"{short(step.offline)}: cost {step.cost} + potential {step.after} - {step.before} = "
            f"{step.cost + step.after - step.before} > {self.ratio} * {step.optimum}"
        )

    def facts(self) -> Mapping[str, Value]:
        return {"potential": self.sentence}


def check_potential(
    system: Any, potential: Callable[[State, State], int | Fraction], ratio: int | Fraction | str
) -> PotentialCheck:
    """Check a potential function on every step of a system.

    On each step the algorithm's cost plus the increase of the potential must be at most `ratio` times the offline cost.
    For a randomised algorithm both are expected values. An inequality that holds for each state of the algorithm holds
    for all distributions of states, even infinitely many.

    Parameters
    ----------
    system
        A system, see `System`.
    potential
        A function of the algorithm's state and the offline state, with exact values.
    ratio
        The ratio that the potential is to prove.

    Raises
    ------
    InputError
        If the system counts gains or allows no additive constant, or a value of the potential is not exact.
    """
    asked, bound = Asked(system), read("ratio", number(), ratio)
    value = _valued(asked, potential)
    steps = _steps_without_violation(asked, value, bound)
    return PotentialCheck(bound, steps, None) if steps else _checked(Graph(asked, Context()), value, bound)


def checked(graph: Graph, potential: Callable[[State, State], int | Fraction], ratio: Fraction) -> PotentialCheck:
    """Check a potential function on every step of a graph."""
    return _checked(graph, _valued(graph.asked, potential), ratio)


def _valued(asked: Asked, potential: Callable[[State, State], int | Fraction]) -> Valued:
    """Return the potential with exact values."""
    if asked.gains or not asked.constant:
        what = "counts gains" if asked.gains else "allows no additive constant"
        raise InputError(
            f"{asked.name} {what}: expected costs and an additive constant, as a potential proves no other ratio"
        )

    def value(state: State, offline: State) -> Fraction:
        place = f"potential({short(state)}, {short(offline)})"
        try:
            found = potential(state, offline)
        except Exception as error:  # any exception of the user's function
            raise InputError(f"{place}: {describe(error)}") from error
        return exact(found, place)

    return value


def _steps_without_violation(asked: Asked, value: Valued, ratio: Fraction) -> int:
    """Return the number of steps of single states, 0 if one is violated.

    If each step from such a pair holds in expectation, so does each step from a distribution. The distributions may be
    infinitely many, such as those of a coin flipped at each request.
    """
    todo, steps = [(asked.first("start"), asked.first("offline"))], 0
    seen = {text_of(todo[0])}
    for state, offline in todo:  # grows while it is read
        for request in asked.requests(((state, Fraction(1)),), offline):
            outcomes = asked.answers(state, request)
            cost = sum((p * paid for p, _, paid in outcomes), Fraction(0))
            for then, optimum in asked.moves(offline, request):
                after = sum((p * value(next_state, then) for p, next_state, _ in outcomes), Fraction(0))
                steps += 1
                if steps > MOST_STEPS or cost + after - value(state, offline) > ratio * optimum:
                    return 0
                for pair in ((next_state, then) for _, next_state, _ in outcomes):
                    if text_of(pair) not in seen:
                        seen.add(text_of(pair))
                        todo.append(pair)
    return steps


def _checked(graph: Graph, value: Valued, ratio: Fraction) -> PotentialCheck:
    values = [
        sum((p * value(state, graph.others[place]) for state, p in graph.beliefs[belief]), Fraction(0))
        for belief, place in graph.pairs
    ]
    steps = len(graph.tail)
    for step in sorted(range(steps), key=lambda n: int(graph.tail[n])):
        tail, head = int(graph.tail[step]), int(graph.head[step])
        cost, optimum = graph.amounts(step)
        if cost + values[head] - values[tail] > ratio * optimum:
            belief, place = graph.pairs[tail]
            request = graph.requests[int(graph.request[step])]
            violated = ViolatedStep(
                graph.beliefs[belief], graph.others[place], request, cost, optimum, values[tail], values[head]
            )
            return PotentialCheck(ratio, steps, violated)
    return PotentialCheck(ratio, steps, None)
