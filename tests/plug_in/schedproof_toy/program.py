"""The knapsack program, and its second route."""

from fractions import Fraction
from itertools import combinations
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.status import Outcome
from schedproof_toy.sack import Packing, Sack


@group("variables", "(1c)", r"x_i \in \{0,1\}")
def taken(block: Any, instance: Sack) -> None:
    """A binary column: whether an item is taken."""
    block.x = pyo.Var(range(len(instance.items)), domain=pyo.Binary)


@group("objective", "(1)", r"\max \textstyle\sum_i v_i x_i", needs=("taken",))
def value(block: Any, instance: Sack) -> None:
    """The total value of the taken items."""
    x = block.model().taken.x
    block.term = sum(float(item.value) * x[item.index] for item in instance.items)


@group("constraints", "(1a)", r"\textstyle\sum_i w_i x_i \le W", needs=("taken",))
def fits(block: Any, instance: Sack) -> None:
    """The taken items fit into the sack."""
    x = block.model().taken.x
    weight = sum(float(item.weight) * x[item.index] for item in instance.items)
    block.row = pyo.Constraint(expr=weight <= float(instance.capacity))


def packing(model: Any, instance: Sack) -> Packing:
    """The items of a solved model."""
    chosen = tuple(i for i, x in model.taken.x.items() if x.value > 0.5)
    return Packing.by("toy.knapsack", instance, chosen)


def by_hand(instance: Sack, *, context: Context = USUAL) -> Outcome:
    """Try every set of items."""
    sets = (chosen for n in range(len(instance.items) + 1) for chosen in combinations(instance.items, n))
    fitting = (chosen for chosen in sets if sum(item.weight for item in chosen) <= instance.capacity)
    best = max(sum((item.value for item in chosen), Fraction(0)) for chosen in fitting)
    return Outcome("optimal", float(best), float(best), exact=best)


def knapsack() -> Program:
    routes = {"by_hand": Route(by_hand, EXHAUSTIVE)}
    return Program("toy.knapsack", "maximize", (value, fits, taken), routes=routes, to_schedule=packing)
