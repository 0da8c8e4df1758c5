"""The set Y (4)-(6): the feasible allocations of a slot.

All CVXPY programs of the family have one variable, the allocation y of shape (E, K): a row for each edge of
the instance's graph, copy by copy of the ports, and a column for each resource.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.lazy import cvxpy, sparse
from schedproof.core.base.untyped import Model
from schedproof.core.programs.group import group
from schedproof.instances.multiserver import Instance


@group("variables", "(4)", r"y_{(l,r)}^k \ge 0")
def allocation(parts: Model, instance: Instance) -> None:
    """Each channel gives a job an amount of each resource."""
    parts.variables["allocation"] = cvxpy.Variable(instance.graph.shape, nonneg=True, name="allocation")


@group("constraints", "(5)", r"y_{(l,r)}^k \le a_l^k", needs=("allocation",))
def demand(parts: Model, instance: Instance) -> None:
    """A channel gives a job at most its demand."""
    graph = instance.graph
    parts.constraints["demand"] = [parts.variables["allocation"] <= graph.demand[graph.edge_copy]]


@group("constraints", "(6)", r"\textstyle\sum_{l \in \mathcal{L}_r} y_{(l,r)}^k \le c_r^k", needs=("allocation",))
def capacity(parts: Model, instance: Instance) -> None:
    """The total allocation at a node is at most the node's capacity."""
    graph = instance.graph
    given = sums(graph.edge_node, len(graph.capacity)) @ parts.variables["allocation"]
    parts.constraints["capacity"] = [given <= graph.capacity]


def sums(place: np.ndarray, count: int) -> Model:
    """The matrix (count, E) that adds an allocation's rows by copy or by node."""
    return sparse.csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=(count, len(place)))
