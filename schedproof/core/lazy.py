"""Libraries that take long to import, imported when something of theirs is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Lazy:
    """Stands for a module: ``pyo.Var`` imports ``pyomo.environ`` if nobody has."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


pyo: Any = Lazy("pyomo.environ")
cvxpy: Any = Lazy("cvxpy")
sparse: Any = Lazy("scipy.sparse")
