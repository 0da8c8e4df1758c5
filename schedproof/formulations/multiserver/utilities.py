"""The four utilities (54) in the order of their codes, for CVXPY and for Pyomo."""

from __future__ import annotations

from schedproof.core.base.lazy import cvxpy, pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model
from schedproof.instances.multiserver import Utility
from schedproof.instances.multiserver.utility import Rule

CONCAVE: tuple[Rule, ...] = (
    lambda a, y: cvxpy.multiply(a, y),
    lambda a, y: cvxpy.multiply(a, cvxpy.log(y + 1)),
    lambda a, y: 1 / a - cvxpy.inv_pos(y + a),
    lambda a, y: cvxpy.multiply(a, cvxpy.sqrt(y + 1)) - a,
)
EXPRESSIONS: tuple[Rule, ...] = (
    lambda a, y: a * y,
    lambda a, y: a * pyo.log(y + 1),
    lambda a, y: 1 / a - 1 / (y + a),
    lambda a, y: a * pyo.sqrt(y + 1) - a,
)


def gain(utility: Utility, amount: Model) -> Model:
    """f(y) of a Pyomo expression y."""
    return EXPRESSIONS[utility.code](scalar(utility.alpha), amount)
