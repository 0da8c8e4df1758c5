"""What the network sees of a slot (section IV-B), and how the network is put together."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec

from schedproof.core.base.untyped import Tensor

NONE = -1
QUEUE, ELAPSED = 10.0, 10.0  # tasks in a queue, and slots since something, are divided by these


Size = Annotated[int, msgspec.Meta(ge=1, le=4096)]
Few = Annotated[int, msgspec.Meta(ge=1, le=64)]  # attention takes a number for each head and pair of places
Layers = Annotated[int, msgspec.Meta(ge=0, le=64)]


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A network, and what it can be used on.

    Attributes
    ----------
    most
        Of each resource: the largest amount of an allocation, by which amounts are divided, too. The allocation head
        has an entry for each point of the grid from 0 to these.
    kinds
        The names of the kinds of tasks that it knows.
    window
        P, the size of a pending set.
    width, heads, layers, encoder_layers, hidden
        Of the embeddings; of every multi-head attention; of the graph attention; of the pointer's transformer; of the
        perceptrons.
    self_message
        Whether a node keeps what it is when it takes in messages, as section IV-B has it ("with the features of u").
        In the released code it does not: pending tasks that have one and the same cluster then look the same, whatever
        their kind.
    graph
        Whether there are messages at all: without, a cluster sees itself and its own pending tasks.
    pointer
        Whether tasks are chosen by (10); without, by a perceptron over the places of the pending set.
    modes
        What the mask (12) left in training: ``all`` allocations that fit, or of these only those ``listed`` that no
        other of the task's own dominates. That leaks how long tasks take.
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
    """The graph of a slot, B of them side by side; N clusters, U pending and M running tasks, P places, K kinds.

    A task that several clusters have in their pending sets is one node. Nodes beyond a graph's own are all 0.

    Attributes
    ----------
    clusters
        e and q: what is free of each resource, which part of the pending set is no dummies, and the tasks in the queue
        beyond it; then, the same for all, the slots since a task last arrived, 1 for 10 and more; (B, N, R + 3).
    pending
        p: minimum, 1 for a task and 0 for a dummy, kind one-hot; by arrival; (B, U, R + 1 + K).
    running
        o: allocation, slots since the start, kind one-hot; (B, M, R + 1 + K).
    sets, runs
        Edges: which tasks are in a cluster's pending set, (B, N, U), and which run there, (B, N, M).
    place
        The tasks of the pending sets by index among the pending, NONE where a set is shorter; (B, N, P).
    can
        Which of these could start now, (B, N, P).
    """

    clusters: Tensor
    pending: Tensor
    running: Tensor
    sets: Tensor
    runs: Tensor
    place: Tensor
    can: Tensor
