"""Libraries that take long to import, imported when something of theirs is first used."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

from schedproof.core.untyped import Loaded


class Lazy:
    """A placeholder for a module: ``pyo.Var`` imports ``pyomo.environ`` on first use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Loaded:
        value = getattr(import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


class _Pyomo(Lazy):
    """Pyomo, which takes rationals as well; see `schedproof.core.numbers.exactly`."""

    def __getattr__(self, attribute: str) -> Loaded:
        from pyomo.common.numeric_types import RegisterNumericType

        RegisterNumericType(Fraction)
        return super().__getattr__(attribute)


pyo: Loaded = _Pyomo("pyomo.environ")
cvxpy: Loaded = Lazy("cvxpy")
sparse: Loaded = Lazy("scipy.sparse")
