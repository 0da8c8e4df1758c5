"""The four utilities as expressions: exact values, and concave by CVXPY's rules."""

from __future__ import annotations

from fractions import Fraction

import cvxpy
import numpy as np
import pyomo.environ as pyo
import pytest

from schedproof.formulations.multiserver.utilities import CONCAVE, gain
from schedproof.instances.multiserver.utility import KINDS, Utility

AMOUNTS = [Fraction(0), Fraction(1, 7), Fraction(1), Fraction(13, 2), Fraction(900)]


@pytest.mark.parametrize("kind", KINDS)
def test_expressions_have_the_exact_values(kind: str) -> None:
    for alpha in (Fraction(1, 2), Fraction(1), Fraction(7, 5)):
        utility = Utility(kind, alpha)
        exact = [float(utility.value(y)[0]) for y in AMOUNTS]
        y = cvxpy.Variable(len(AMOUNTS), value=np.array([float(y) for y in AMOUNTS]))
        expression = CONCAVE[utility.code](np.full(len(AMOUNTS), float(alpha)), y)
        assert np.allclose(expression.value, exact, rtol=1e-12, atol=1e-14)
        assert expression.is_concave() and expression.is_dcp(dpp=True)
        model = pyo.ConcreteModel()
        model.y = pyo.Var(range(len(AMOUNTS)), initialize=lambda _, n: float(AMOUNTS[n]))
        found = [pyo.value(gain(utility, model.y[n])) for n in range(len(AMOUNTS))]
        assert np.allclose(found, exact, rtol=1e-12, atol=1e-14)
