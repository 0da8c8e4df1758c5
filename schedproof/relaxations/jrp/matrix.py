"""The family's linear programs as arrays, equal to the Pyomo programs (tested).

Columns are x_i^j, by the edges of `instances.jrp.edges`, and then the jobs y_k. Rows are (6), one for each data node,
and then, for each server, the storage (7) and the sums A_j = sum a_k d_i x_i^j and B_j = sum b_k d_i x_i^j. Rows of
servers are scaled by the `units` of their right sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.instances.jrp import Instance
from schedproof.instances.jrp.edges import Edges, units

MOST_NEED = 1e6  # units: upper limit on an edge's scaled need


def rows(edges: Edges) -> Any:
    """Return the matrix of all rows: (6), then storage, A and B of each server.

    The shape is (N + 3 m, E + p)."""
    jobs, nodes, servers = len(edges.compute_rate), len(edges.size), len(edges.storage)
    data = edges.size[edges.node]
    job = edges.job[edges.node]
    columns = np.arange(len(edges.node))
    assigned = _sums(np.ones(len(columns)), edges.node, columns, (nodes, len(columns)))
    admitted = _sums(-np.ones(nodes), np.arange(nodes), edges.job, (nodes, jobs))
    needs = (data, data * edges.compute_rate[job], data * edges.bandwidth_rate[job])
    loads = sparse.vstack([_sums(need, edges.server, columns, (servers, len(columns))) for need in needs])
    return sparse.csc_array(sparse.bmat([[assigned, admitted], [loads, None]]))


def _sums(values: np.ndarray, row: np.ndarray, column: np.ndarray, shape: tuple[int, int]) -> Any:
    return sparse.coo_array((values, (row, column)), shape=shape)


def linear_program(
    instance: Instance, compute: np.ndarray, bandwidth: np.ndarray, method: str = "choose"
) -> LinearProgram:
    """Minimise -sum y over `rows`, y <= 1, with A_j and B_j within their right sides.

    The right sides (m,) are r^c and r^b for the split-free LP, (1 - epsilon) r^c and epsilon r^b for LP_I. Each row of
    a server is divided by the unit of its right side; the row's multiplier, divided by the unit, is the price.
    """
    edges = instance.edges
    jobs, nodes, count = len(edges.compute_rate), len(edges.size), len(edges.node)
    zeros = np.zeros(nodes)
    sides = np.concatenate([edges.storage, compute, bandwidth])
    each = units(sides)
    matrix = sparse.diags_array(1 / np.concatenate([np.ones(nodes), each])) @ rows(edges)
    matrix.data = np.minimum(matrix.data, MOST_NEED)
    upper = np.concatenate([zeros, sides / each])
    lower = np.concatenate([zeros, np.full(3 * len(edges.storage), -np.inf)])
    costs = np.concatenate([np.zeros(count), -np.ones(jobs)])
    highest = np.concatenate([np.full(count, np.inf), np.ones(jobs)])
    return LinearProgram(costs, matrix, lower, upper, method, highest)
