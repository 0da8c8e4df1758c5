"""Slow libraries, imported on first use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module

from schedproof.core.base.untyped import Loaded
from schedproof.core.errors import MissingExtra, SchedproofError

EXTRAS = {  # module -> its description in a message, and the extra that installs it
    "numba": ("numba, which compiles this family's kernels,", "fast"),
    "llvmlite": ("numba, which compiles this family's kernels,", "fast"),
    "torch": ("PyTorch, which tapfinger's training needs,", "rl"),
}


def missing(error: ImportError) -> MissingExtra | None:
    """Return the error for a missing library of an extra, or None for other errors."""
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


@contextmanager
def _as_if_missing(module: str) -> Iterator[None]:
    """Hide a loaded module from ``sys.modules``."""
    loaded = sys.modules.pop(module, None)
    try:
        yield
    finally:
        if loaded is not None:
            sys.modules[module] = loaded


class _Pyomo(Lazy):
    """Pyomo with rational coefficients; see `schedproof.core.base.numbers.exactly`."""

    def __getattr__(self, attribute: str) -> Loaded:
        if sys.flags.optimize > 1:
            raise SchedproofError("Pyomo, which builds the programs, needs docstrings: run Python without -OO")
        import_module("scipy.sparse")  # if scipy were imported after Pyomo, then Pyomo would import scipy.stats
        with _as_if_missing("scipy"):  # if scipy is there, Pyomo imports scipy.stats at once, otherwise on first use
            from pyomo.common.numeric_types import RegisterNumericType

        RegisterNumericType(Fraction)
        return super().__getattr__(attribute)


pyo: Loaded = _Pyomo("pyomo.environ")
cvxpy: Loaded = Lazy("cvxpy")
sparse: Loaded = Lazy("scipy.sparse")
clarabel: Loaded = Lazy("clarabel")
networkx: Loaded = Lazy("networkx")
torch: Loaded = Lazy("torch")
