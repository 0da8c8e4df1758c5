"""The network's observation of a slot (section IV-B), and its configuration."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec

from schedproof.core.base.untyped import Tensor

NONE = -1
QUEUE, ELAPSED = 10.0, 10.0  # divisors of queue lengths and of elapsed slots


Size = Annotated[int, msgspec.Meta(ge=1, le=4096)]
Few = Annotated[int, msgspec.Meta(ge=1, le=64)]  # attention stores a number for each head and pair of positions
Layers = Annotated[int, msgspec.Meta(ge=0, le=64)]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of a network.

    Attributes
    ----------
    most
        The largest amount of each resource in an allocation, which is also the divisor of amounts. The allocation head
        has an entry for each point of the grid from 0 to these amounts.
    kinds
        The names of the kinds of tasks.
    window
        P, the size of a pending set.
    width, heads, layers, encoder_layers, hidden
        Width of the embeddings; heads of every attention; layers of the graph attention and of the pointer's
        transformer; width of the perceptrons' hidden layer.
    self_message
        Whether a node includes its own features in a message, as in section IV-B ("with the features of u"). The
        released code omits them: then pending tasks with a single common cluster look equal, whatever their kind.
    graph
        Whether there are messages; without messages a cluster sees itself and its own pending tasks.
    pointer
        Whether (10) chooses tasks; otherwise a perceptron over the positions of the pending set does.
    modes
        The mask (12) in training: ``all`` fitting allocations, or only the undominated allocations of the task
        (``listed``), which reveals durations.
    """

    most: tuple[Size, ...]
    kinds: tuple[str, ...]
    window: Few = 10
    width: Size = 32
    heads: Few = 4
    layers: Layers = 2
    encoder_layers: Layers = 1
    hidden: Size = 64
    self_message: bool = True
    graph: bool = True
    pointer: bool = True
    modes: Literal["all", "listed"] = "all"


class Observation(NamedTuple):
    """The graph of a slot, in a batch of B.

    N clusters, U pending and M running tasks, P places, K kinds. A task in several pending sets is one node. Padding
    nodes are all 0.

    Attributes
    ----------
    clusters
        e and q: the free amount of each resource, the share of the pending set without dummies, and the number of tasks
        in the queue beyond the pending set; then, equal for all clusters, the slots since the last arrival, 1 for 10
        and more; (B, N, R + 3).
    pending
        p: minimum, 1 for a task and 0 for a dummy, kind one-hot; by arrival; (B, U, R + 1 + K).
    running
        o: allocation, slots since the start, kind one-hot; (B, M, R + 1 + K).
    sets, runs
        Edges: the tasks in a cluster's pending set, (B, N, U), and its running tasks, (B, N, M).
    place
        The tasks of the pending sets by index among the pending, `NONE` beyond a set's end; (B, N, P).
    can
        Whether each task of the pending sets could start now, (B, N, P).
    """

    clusters: Tensor
    pending: Tensor
    running: Tensor
    sets: Tensor
    runs: Tensor
    place: Tensor
    can: Tensor
