"""Arrays of all admissible (data node, server) edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from schedproof.instances.jrp.entities import Job, Server

ORDINARY = 30  # amounts from 2^-30 to 2^30 keep their unit


@dataclass(frozen=True, eq=False)
class Edges:
    """E edges between N data nodes of p jobs and m servers.

    Nodes are sorted by job, and edges by node, in file order.

    Attributes
    ----------
    first_node
        (p + 1,): the nodes of job k are those from first_node[k] to before first_node[k + 1].
    job
        (N,): the job of each node.
    size
        (N,): d_i in GB.
    node, server
        (E,): the node and the server of each edge.
    compute_rate, bandwidth_rate
        (p,): a_k and b_k.
    storage, compute, bandwidth
        (m,): r_j^s, r_j^c and r_j^b of the servers.
    """

    first_node: np.ndarray
    job: np.ndarray
    size: np.ndarray
    node: np.ndarray
    server: np.ndarray
    compute_rate: np.ndarray
    bandwidth_rate: np.ndarray
    storage: np.ndarray
    compute: np.ndarray
    bandwidth: np.ndarray

    @classmethod
    def of(cls, servers: Sequence[Server], jobs: Sequence[Job]) -> Edges:
        """Return the edges between data nodes and servers, with amounts in doubles."""
        nodes = [node for job in jobs for node in job.nodes]
        counts = np.array([len(job.nodes) for job in jobs], dtype=np.int64)
        degrees = np.array([len(node.servers) for node in nodes], dtype=np.int64)
        result = cls(
            first_node=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            job=np.repeat(np.arange(len(counts)), counts),
            size=np.array([float(node.size) for node in nodes]),
            node=np.repeat(np.arange(len(nodes)), degrees),
            server=np.array([j for node in nodes for j in node.servers], dtype=np.int64),
            compute_rate=np.array([float(job.compute_rate) for job in jobs]),
            bandwidth_rate=np.array([float(job.bandwidth_rate) for job in jobs]),
            storage=np.array([float(server.storage) for server in servers]),
            compute=np.array([float(server.compute) for server in servers]),
            bandwidth=np.array([float(server.bandwidth) for server in servers]),
        )
        for array in vars(result).values():
            array.flags.writeable = False
        return result


def units(amounts: np.ndarray) -> np.ndarray:
    """Return a unit for each amount: 1, or a power of two for extreme amounts.

    Solvers satisfy rows to about 1e-7, and HiGHS rejects numbers of 1e15.
    """
    exponents = np.frexp(amounts)[1]
    return np.where(np.abs(exponents) > ORDINARY, np.ldexp(1.0, exponents), 1.0)
