"""Three bins must be stretched by 5/14 for every online algorithm, if the items fit into three bins of capacity 1.

Source: Gabay, Brauner and Kotov, 4OR 15 (2017).

Items are multiples of 1/14. Finer items force more: 30/82 (Böhm and Simon, 2022), which is cited only.
"""

from fractions import Fraction

import schedproof as sp


def value(bins, capacity):
    return sp.game("bin_stretching", bins=bins, capacity=capacity).value


def worst(bins, capacity):
    found = sp.game("bin_stretching", bins=bins, capacity=capacity)
    after = {step.before: step.after for step in found.steps if step.after is not None}
    rows, place = [], 0
    while place in after:
        sent, place = found.rows[place]["send"], after[place]
        rows.append((sent, Fraction(max(found.rows[place]["loads"]), capacity), 1))
    return [*rows, (found.rows[place]["send"], found.value, 1)]


def theory(bins, capacity):
    return Fraction(19, 14)


SIZES = ({"bins": 3, "capacity": 14},)
KNOWN = "proven for every algorithm"
