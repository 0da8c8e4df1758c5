"""The four utilities (54): as concave vectors of CVXPY, in the order of their codes, and as expressions of Pyomo."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.lazy import pyo
from schedproof.instances.multiserver import Utility


def linear(alpha: np.ndarray, amounts: Any) -> Any:
    """a y, entry by entry."""
    import cvxpy

    return cvxpy.multiply(alpha, amounts)


def log(alpha: np.ndarray, amounts: Any) -> Any:
    """a ln(y + 1), entry by entry."""
    import cvxpy

    return cvxpy.multiply(alpha, cvxpy.log(amounts + 1))


def reciprocal(alpha: np.ndarray, amounts: Any) -> Any:
    """1/a - 1/(y + a), entry by entry."""
    import cvxpy

    return 1 / alpha - cvxpy.inv_pos(amounts + alpha)


def poly(alpha: np.ndarray, amounts: Any) -> Any:
    """a sqrt(y + 1) - a, entry by entry."""
    import cvxpy

    return cvxpy.multiply(alpha, cvxpy.sqrt(amounts + 1)) - alpha


CONCAVE = (linear, log, reciprocal, poly)


def gain(utility: Utility, amount: Any) -> Any:
    """f(y) of a Pyomo expression y."""
    alpha = float(utility.alpha)
    return {
        "linear": lambda: alpha * amount,
        "log": lambda: alpha * pyo.log(amount + 1),
        "reciprocal": lambda: 1 / alpha - 1 / (amount + alpha),
        "poly": lambda: alpha * pyo.sqrt(amount + 1) - alpha,
    }[utility.kind]()
