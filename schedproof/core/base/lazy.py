"""Libraries that take long to import, imported when something of theirs is first used."""

from __future__ import annotations

import sys
from fractions import Fraction
from importlib import import_module

from schedproof.core.base.untyped import Loaded
from schedproof.core.errors import MissingExtra, SchedproofError

EXTRAS = {  # module -> what it is for, and the extra that brings it
    "numba": ("numba, which compiles this family's kernels,", "fast"),
    "llvmlite": ("numba, which compiles this family's kernels,", "fast"),
    "torch": ("PyTorch, with which tapfinger is trained,", "rl"),
}


def missing(error: ImportError) -> MissingExtra | None:
    """The sentence on a library of an extra that is not installed; None for another error."""
    words = EXTRAS.get((error.name or "").partition(".")[0])
    return None if words is None or not isinstance(error, ModuleNotFoundError) else MissingExtra(*words)


class Lazy:
    """A placeholder for a module: ``pyo.Var`` imports ``pyomo.environ`` on first use."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Loaded:
        try:
            value = getattr(import_module(self._name), attribute)
        except ImportError as error:
            raise missing(error) or error from None
        setattr(self, attribute, value)
        return value


class _Pyomo(Lazy):
    """Pyomo, which takes rationals as well; see `schedproof.core.base.numbers.exactly`."""

    def __getattr__(self, attribute: str) -> Loaded:
        if sys.flags.optimize > 1:
            raise SchedproofError("Pyomo, in which programs are written, needs docstrings: run Python without -OO")
        from pyomo.common.numeric_types import RegisterNumericType

        RegisterNumericType(Fraction)
        return super().__getattr__(attribute)


pyo: Loaded = _Pyomo("pyomo.environ")
cvxpy: Loaded = Lazy("cvxpy")
sparse: Loaded = Lazy("scipy.sparse")
clarabel: Loaded = Lazy("clarabel")
networkx: Loaded = Lazy("networkx")
torch: Loaded = Lazy("torch")
