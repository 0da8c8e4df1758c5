"""Servers, data nodes and jobs of the jrp family, exact."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Annotated

from schedproof.core.data.codecs import refs
from schedproof.core.data.reading import Amount, Name, Positive, PositiveAmount
from schedproof.core.data.records import Entity

NOTHING = Fraction(0)


class Server(Entity, frozen=True):
    """An edge server: r^s in GB, r^c in GFLOP/s, r^b in Gbit/s."""

    name: Name
    storage: Amount
    compute: Amount
    bandwidth: Amount


class DataNode(Entity, frozen=True):
    """A data node of d_i GB; all its data goes to one server of its set A_i."""

    name: Name
    size: Amount
    servers: Annotated[tuple[int, ...], refs("servers")]


class Job(Entity, frozen=True, kw_only=True, rename={"nodes": "data_nodes"}):
    """A training job; it is accepted if each of its data nodes has a server.

    Attributes
    ----------
    deadline
        tau_k in s; absent for a job without a deadline.
    epochs, sync_period
        T_k, and lambda_k in iterations.
    minibatch_size, minibatch_work, parameter_size
        f_k in GB, g_k in GFLOP and h_k in Gbit.
    """

    name: Name
    deadline: PositiveAmount | None = None
    epochs: Positive
    minibatch_size: PositiveAmount
    minibatch_work: Amount
    parameter_size: Amount
    sync_period: Positive
    nodes: tuple[DataNode, ...]

    @cached_property
    def compute_rate(self) -> Fraction:
        """The compute rate a_k in GFLOP/s for each GB; 0 without a deadline."""
        return self._batches * self.minibatch_work

    @cached_property
    def bandwidth_rate(self) -> Fraction:
        """The bandwidth rate b_k in Gbit/s for each GB; 0 without a deadline."""
        return self._batches * self.parameter_size / self.sync_period

    @property
    def _batches(self) -> Fraction:
        return NOTHING if self.deadline is None else self.epochs / (self.minibatch_size * self.deadline)

    def need(self, data: Fraction) -> tuple[Fraction, Fraction]:
        """Return the needs (a D, b D) of D GB if one activity took all the time."""
        return self.compute_rate * data, self.bandwidth_rate * data
