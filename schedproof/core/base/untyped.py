"""What has no type here, by name and with the reason; `Any` stands nowhere else in `core`."""

from __future__ import annotations

from typing import Any

Json = Any  # a parsed JSON value: anything at all, until a schema has read it
Value = Any  # of an option or a parameter: its kind on the card says what it is, and reads it
AnyFamily = Any  # an instance, a schedule, a job or a policy of whichever family: its own code knows its class
Scope = Any  # of what is read: an instance, or as many of its fields as are read already
Model = Any  # Pyomo's models and CVXPY's problems, their parts and indices: neither library says its types
Tree = Any  # of `core.notation`: one of its nodes, told apart by `match`
Matrix = Any  # scipy's sparse matrices have no types
Axes = Any  # matplotlib's, imported when something is drawn
Figure = Any  # matplotlib's too
Widget = Any  # of ipywidgets, which has no types
Network = Any  # a graph of networkx, imported when a graph is asked for
Frame = Any  # pandas', imported when a table is asked for
Loaded = Any  # what is imported when it is first used: a library, or what a card names
Compiled = Any  # by numba, which has no types
Ball = Any  # of python-flint, which has no types
Case = Any  # of a claim among others: each has a case type of its own
Array = Any  # an array, or a number from one, in a compiled function: numba infers its type
Tensor = Any  # numpy's array or torch's, by which of the two computes
