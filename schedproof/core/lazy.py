"""Libraries that take long to import, imported when something of theirs is first used."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

from schedproof.core.errors import MissingExtra
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


class _Extra(Lazy):
    """A library of an extra, which the error names where it is missing."""

    def __init__(self, name: str, words: str, extra: str) -> None:
        super().__init__(name)
        self._words, self._extra = words, extra

    def __getattr__(self, attribute: str) -> Loaded:
        try:
            return super().__getattr__(attribute)
        except ImportError:
            raise MissingExtra(self._words, self._extra) from None


pyo: Loaded = _Pyomo("pyomo.environ")
cvxpy: Loaded = Lazy("cvxpy")
sparse: Loaded = Lazy("scipy.sparse")
torch: Loaded = _Extra("torch", "PyTorch, with which tapfinger is trained,", "rl")
