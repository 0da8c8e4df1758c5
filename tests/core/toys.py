"""A toy family with two small programs, one for each backend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program


@dataclass(frozen=True)
class Toy:
    """Items with a value and a weight, and a sack."""

    values: tuple[float, ...] = (5, 4, 3)
    weights: tuple[float, ...] = (4, 3, 2)
    room: float = 5
    family: str = "toy"


@group("variables", "(1c)", r"x_i \in \{0,1\}")
def taken(block: Any, instance: Toy) -> None:
    """A binary column: whether an item is taken."""
    block.x = pyo.Var(range(len(instance.values)), domain=pyo.Binary)


@group("objective", "(1)", r"\max \textstyle\sum_i v_i x_i", needs=("taken",))
def value(block: Any, instance: Toy, *, bonus: float) -> None:
    """The total value of the taken items."""
    x = block.model().taken.x
    block.term = sum((instance.values[i] + bonus) * x[i] for i in x)


@group("constraints", "(1a)", r"\textstyle\sum_i w_i x_i \le W", needs=("taken",))
def fits(block: Any, instance: Toy) -> None:
    """The taken items fit into the sack."""
    x = block.model().taken.x
    block.row = pyo.Constraint(expr=sum(instance.weights[i] * x[i] for i in x) <= instance.room)


@group("constraints", "(1b)", r"x_1 + x_2 \le 1", needs=("taken|chosen",))
def not_both(block: Any, instance: Toy) -> None:
    """The second and the third item exclude each other."""
    x = block.model().taken.x
    block.row = pyo.Constraint(expr=x[1] + x[2] <= 1)


def knapsack(*, bonus: float = 0.0) -> Program:
    """The toy knapsack."""
    return Program("toy.knapsack", "maximize", (value, fits, not_both, taken), parameters={"bonus": bonus})


@group("variables", "(2b)", r"y \in \mathbb{R}^n")
def point(parts: Any, instance: Toy) -> None:
    """A point."""
    import cvxpy

    parts.variables["y"] = cvxpy.Variable(len(instance.values), name="y")


@group("objective", "(2)", r"\min \lVert y - v \rVert^2", needs=("point",))
def distance(parts: Any, instance: Toy) -> None:
    """The squared distance to the values."""
    import cvxpy

    parts.objective.append(cvxpy.sum_squares(parts.variables["y"] - list(instance.values)))


@group("constraints", "(2a)", r"\textstyle\sum_i y_i \le W", needs=("point",))
def below(parts: Any, instance: Toy) -> None:
    """The entries add to no more than the room."""
    import cvxpy

    parts.constraints["below"] = [cvxpy.sum(parts.variables["y"]) <= instance.room]


def projection() -> Program:
    """The toy projection."""
    groups = (distance, below, point)
    return Program("toy.projection", "minimize", groups, backend="cvxpy", default_solver="clarabel")
