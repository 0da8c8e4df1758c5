"""The picture of a proof: the worst cycle and the path to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from schedproof.adversary.exact_ratio.automata import Kind, as_word
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.exact_ratio.rule import Rule
from schedproof.adversary.walks.search import Bounds
from schedproof.core.base.untyped import Axes
from schedproof.core.errors import InputError
from schedproof.core.simulation.pictures import axes

STEP = 2.4  # distance between two states
BOX = {"boxstyle": "round,pad=0.35", "edgecolor": "0.3"}


def draw_cycle(graph: Product, bounds: Bounds, kinds: Sequence[Kind], rule: Rule, ax: Axes) -> Axes:
    """Draw the path to the worst cycle, and the cycle.

    A box shows the policy's state above the other schedule's state, with its number in the potential. An arrow shows
    the arriving job or the costs of the slot.
    """
    if not bounds.walk:
        raise InputError("the search has found no cycle yet, so there is nothing to draw")
    cycle = graph.tail[[*bounds.walk]].tolist()
    steps = graph.way(cycle[0])
    way = graph.tail[steps].tolist()
    ax = axes(ax, (10, 4.5))
    radius = max(1.6, STEP * len(cycle) / (2 * pi))
    centre = STEP * len(way) + radius
    places = {n: (STEP * k, 0.0) for k, n in enumerate(way)}
    for k, n in enumerate(cycle):
        angle = pi - 2 * pi * k / len(cycle)
        places[n] = centre + radius * cos(angle), radius * sin(angle)
    for step in (*steps, *bounds.walk):
        start, end = (places[int(states[step])] for states in (graph.tail, graph.head))
        _arrow(ax, start, end, _step(graph, kinds, step), "tab:red" if step in bounds.walk else "0.5")
    for n, (x, y) in places.items():
        box = BOX | {"facecolor": "mistyrose" if n in cycle else "white"}
        ax.text(x, y, _label(graph, bounds, kinds, rule, n), ha="center", va="center", fontsize=8, bbox=box)
    ax.set_xlim(-1.5, centre + radius + 1.5)
    ax.set_ylim(-radius - 1, radius + 1)
    ax.axis("off")
    return ax


def _label(graph: Product, bounds: Bounds, kinds: Sequence[Kind], rule: Rule, n: int) -> str:
    numbers = bounds.potential
    count = len(kinds[0]) if isinstance(kinds[0], tuple) else 1
    mine = [rule.numbers(job)[:count] for job in graph.policy.states[graph.mine[n]]]
    other = graph.schedule.states[graph.theirs[n]]
    lines = other if graph.schedule.states[0] else [other]
    theirs = " | ".join(_numbers(line) for line in lines)
    number = "" if numbers is None else f"\n{numbers[n]}"
    return f"{_numbers(mine)}\n{theirs}{number}"


def _numbers(left: Sequence[Kind]) -> str:
    return " ".join(map(as_word, left)) or "-"


def _step(graph: Product, kinds: Sequence[Kind], step: int) -> str:
    kind = graph.arriving[graph.kind(step)]
    return f"{graph.large[step]} : {graph.small[step]}" if kind is None else f"+{as_word(kinds[kind])}"


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], words: str, colour: str) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "shrinkA": 22, "shrinkB": 22, "connectionstyle": "arc3,rad=-0.12"}
    ax.annotate("", end, start, arrowprops=style)
    x, y = ((a + b) / 2 for a, b in zip(start, end, strict=True))
    dx, dy = (b - a for a, b in zip(start, end, strict=True))
    ax.text(x - 0.16 * dy, y + 0.16 * dx, words, ha="center", va="center", fontsize=8, color=colour)
