"""Online set cover with fractional answers: each element must be covered when it arrives.

schedproof --plugin examples/answers/set_cover.py worst doubling --against lp --preset tiny

An element comes with the sets that contain it, all of cost 1. Amounts of sets only grow. Doubling the amounts of the
element's sets, with a small addition, costs O(log d) times the linear program's optimum, where d is the number of sets
of an element (Alon et al. 2003; Buchbinder and Naor 2009, section 4).
"""

from fractions import Fraction
from math import ceil, log2

import schedproof as sp
from schedproof.core.base.lazy import pyo


class Element(sp.Entity):
    name: sp.Name
    sets: tuple[sp.Count, ...]


class Elements(sp.Instance):
    """Elements that arrive one by one, with their sets."""

    elements: tuple[Element, ...]


class Cover(sp.Answers):
    """The amounts of sets that each element adds."""

    fractional = True

    def allowed(view):
        return dict.fromkeys(view.request.sets)

    def total(view):
        return 1 - sum(view.given(s) for s in view.allowed), len(view.allowed)

    def value(view, answer):
        return 1


TINY = {"elements": (1, 5), "elements[*].sets": (1, 3), "elements[*].sets[*]": (0, 3)}
COVER = sp.family("cover", Elements, Cover, measure=sp.Measure("cost"), presets={"tiny": TINY})


@COVER.policy
def doubling(view):
    """Double the amounts of the element's sets and add 1/d, until they cover it."""
    before = {s: view.given(s) for s in view.allowed}
    now = dict(before)
    while sum(now.values()) < 1:
        now = {s: min(1, 2 * x + Fraction(1, len(now))) for s, x in now.items()}
    return {s: now[s] - before[s] for s in now}


@COVER.program
class lp:
    """The least fractional cover."""

    @sp.group("objective", "(1)", r"\min \textstyle\sum_s x_s")
    def cost(block, elements, amounts):
        """The total amount."""
        return sum(amounts.x.values())

    @sp.group("constraints", "(1a)", r"\textstyle\sum_{s \in S_e} x_s \ge 1 \quad \forall e")
    def covered(block, elements, amounts):
        """The sets of an element cover it."""
        return [sum(amounts.x[s] for s in set(element.sets)) >= 1 for element in elements.elements]

    @sp.group("variables", "(1b)", r"x_s \ge 0")
    def amounts(block, elements):
        """The amount of a set."""
        block.x = pyo.Var({s for element in elements.elements for s in element.sets}, domain=pyo.NonNegativeReals)

    def to_point(plan, elements):
        amounts = {}
        for row in plan.answers:
            amounts[row.answer] = amounts.get(row.answer, 0) + row.amount
        return {"amounts.x": amounts}


def computed():
    """Return the worst certified ratio that a search finds."""
    space, engine = sp.Space(preset="tiny"), sp.Engine(chains=1, steps=15)
    return sp.worst(doubling, "cover.lp", space, engine).exact


THEORY = 2 * ceil(log2(3 + 1))  # of the rounds in which one set's amount reaches 1, each of cost at most 2; d = 3
