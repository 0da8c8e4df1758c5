"""Named aliases of `Any`, each with its reason; `core` uses `Any` only here."""

from __future__ import annotations

from typing import Any

Json = Any  # a parsed JSON value before a schema has read it
Value = Any  # the value of an option or parameter; the option's kind on the card checks and converts it
AnyFamily = Any  # an instance, schedule, job or policy of any family; only the family's code knows its class
Scope = Any  # the data read so far: an instance or a part of its fields
Model = Any  # a Pyomo model or CVXPY problem, its parts and indices; both libraries are untyped
Tree = Any  # a node of `core.programs.notation.trees`, distinguished by `match`
Matrix = Any  # a scipy sparse matrix; scipy is untyped
Axes = Any  # matplotlib's axes; the library is imported on first use
Figure = Any  # matplotlib's figure; the library is imported on first use
Widget = Any  # an ipywidgets widget; the library is untyped
Network = Any  # a networkx graph; the library is imported on first use
Frame = Any  # a pandas DataFrame; the library is imported on first use
Loaded = Any  # an object imported on first use: a library, or an object named on a card
Compiled = Any  # a function compiled by numba, which is untyped
Ball = Any  # a ball of python-flint, which is untyped
Case = Any  # a case of any claim; each claim defines its case type
Array = Any  # an array or a number from it in a compiled function; numba infers the type
Tensor = Any  # a numpy array or a torch tensor
