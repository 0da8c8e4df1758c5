"""Servers, data nodes and jobs of the jrp family, exact."""

from __future__ import annotations

from fractions import Fraction

from msgspec import UNSET, UnsetType

from schedproof.core.reading import Amount, Name, Positive, PositiveAmount, Row

NOTHING = Fraction(0)


class ServerRow(Row, frozen=True):
    """An edge server: r^s in GB, r^c in GFLOP/s, r^b in Gbit/s."""

    name: Name
    storage: Amount
    compute: Amount
    bandwidth: Amount


class Server(ServerRow, frozen=True, kw_only=True):
    """A server with its position in the file."""

    index: int


class DataNodeRow(Row, frozen=True):
    """A data node of d_i GB; all its data goes to one of its servers, A_i."""

    name: Name
    size: Amount
    servers: tuple[str, ...]


class DataNode(DataNodeRow, frozen=True, kw_only=True):
    """A data node with its position in its job's list, its servers as file positions in the order of the file."""

    index: int
    servers: tuple[int, ...]  # type: ignore[assignment]  # positions in place of names


class JobRow(Row, frozen=True, kw_only=True, rename={"nodes": "data_nodes"}):
    """A training job; it is accepted when each of its data nodes has a server.

    Attributes
    ----------
    deadline
        tau_k in s; a job without one has no such key.
    epochs, sync_period
        T_k, and lambda_k in iterations.
    minibatch_size, minibatch_work, parameter_size
        f_k in GB, g_k in GFLOP and h_k in Gbit.
    """

    name: Name
    deadline: PositiveAmount | UnsetType = UNSET
    epochs: Positive
    minibatch_size: PositiveAmount
    minibatch_work: Amount
    parameter_size: Amount
    sync_period: Positive
    nodes: tuple[DataNodeRow, ...]


class Job(JobRow, frozen=True, kw_only=True):
    """A job with its position in the file; where it has no deadline, that is None.

    Attributes
    ----------
    compute_rate, bandwidth_rate
        a_k in GFLOP/s and b_k in Gbit/s, for each GB; 0 without a deadline.
    """

    index: int
    deadline: Fraction | None  # type: ignore[assignment]  # the file may leave it out
    nodes: tuple[DataNode, ...]
    compute_rate: Fraction
    bandwidth_rate: Fraction

    def need(self, data: Fraction) -> tuple[Fraction, Fraction]:
        """What so many GB on one server take if computing, or communicating, had all the time: (a D, b D)."""
        return self.compute_rate * data, self.bandwidth_rate * data
