"""Set cover by primal and dual: a policy's own prices certify its ratio, without a solver.

schedproof --plugin examples/cover.py verify cover.f_competitive

Each element raises its price until a set is paid in full, and that set is bought. No set is paid more than its cost.
So the prices are feasible multipliers of the linear program, and their sum is a lower bound on the cost of any cover.
If an element is in at most f sets, the cost is at most f times the sum (Buchbinder and Naor 2009).
"""

from fractions import Fraction

import schedproof as sp

AUTHORS, TITLE = ("N. Buchbinder", "J. Naor"), "The design of competitive online algorithms via a primal-dual approach"
PAPER = sp.Paper("Buchbinder, Naor 2009", AUTHORS, TITLE, "Found. Trends Theor. Comput. Sci.", 2009)


class Set(sp.Entity):
    name: sp.Name
    cost: sp.Positive


class Element(sp.Entity):
    name: sp.Name
    member: tuple[sp.Count, ...]  # for each set 1 if it contains the element, otherwise 0


class Cover(sp.Instance):
    """Elements that come one by one; each has to be in a set that is bought."""

    sets: tuple[Set, ...]
    elements: tuple[Element, ...]

    def validate(self):
        for n, element in enumerate(self.elements):
            if len(element.member) != len(self.sets) or not any(element.member):
                raise sp.InputError(
                    "expected one number for each set, and at least one 1", path=f"elements[{n}].member"
                )


class Bought(sp.Bins):
    """The elements of each set, a bin of a cover; a set with elements is bought."""

    jobs, places = "elements", "sets"

    def sizes(cover, element):
        return [not one for one in element.member]

    def capacity(cover, n):
        return [0 if i == n else len(cover.elements) for i in range(len(cover.sets))]

    def objective(self, cover):
        return sum(cover.sets[n].cost for n, held in enumerate(self.bins) if held)


TINY = {"sets": 3, "elements": (1, 4), "elements[*].member": "sets", "elements[*].member[*]": (0, 1)}
COVER = sp.family("cover", Cover, Bought, sense="minimize", paper=PAPER, presets={"tiny": TINY})


@COVER.policy
class primal_dual:
    """Raise an element's price until one of its sets is paid in full, and buy this set."""

    def __init__(self):
        self.paid, self.prices = {}, {}
        self.notes = {"multipliers": {"covered": self.prices}}

    def assign(self, view, element):
        left = {n: view.places[n].cost - self.paid.get(n, 0) for n, one in enumerate(element.member) if one}
        chosen = min(left, key=left.get)
        self.prices[element.index] = Fraction(left[chosen])
        for n in left:
            self.paid[n] = self.paid.get(n, 0) + left[chosen]
        return chosen


@COVER.program
class least:
    """The least cost of a cover."""

    @sp.group("objective", "(1)", r"\min \sum_S c_S x_S")
    def cost(block, cover, buy):
        """The cost of the sets that are bought."""
        return sum(one.cost * buy.x[one.index] for one in cover.sets)

    @sp.group("constraints", "(1a)", r"\sum_{S \ni e} x_S \ge 1 \quad \forall e")
    def covered(block, cover, buy):
        """Each element is in a set that is bought."""
        return {e.index: sum(buy.x[n] for n, one in enumerate(e.member) if one) >= 1 for e in cover.elements}

    @sp.group("variables", "(1b)", r"x_S \in \mathbb{Z}_{\ge 0}")
    def buy(block, cover):
        """A set is bought or not; no upper bound is needed."""
        block.x = sp.pyo.Var(range(len(cover.sets)), domain=sp.pyo.NonNegativeIntegers)

    def to_point(bought, cover):
        return {"buy.x": {n: 1 for n, held in enumerate(bought.bins) if held}}


@COVER.claim("section 4", false={"less": 1})
def f_competitive(cover, less=0):
    """The cost is at most f times the sum of the policy's prices.

    A set is bought when the prices of its elements pay its cost, and each price pays at most f sets.
    - *Is a set bought twice?* No, its cost counts once.
    """
    run = sp.policy(primal_dual).run(cover)
    f = max(sum(element.member) for element in cover.elements)
    return sp.Finding(run.objective, (f - less) * run.bound(least).exact)
