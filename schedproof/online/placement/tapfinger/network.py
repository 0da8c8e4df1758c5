"""The network (sections IV-B and IV-C), batch first, in numpy or in torch.

==========================================  ============================================================================
the paper                                   implemented
==========================================  ============================================================================
two-level attention g, [22]                 node level: for each relation, multi-head, by a leaky ReLU of source and
                                            target terms. Semantic level: of each node over its relations; only clusters
                                            have several relations
messages are aggregated "with the features  a self message, unless `Config.self_message` is false, as in the released
of u"                                       code
the state of a cluster                      has the number of its pending tasks, which the paper's dummies show, and
                                            the slots since the last arrival, which the paper does not have
h_{j,n,t}                                   by the transformer over a cluster's pending tasks, each plus the cluster's
                                            own embedding; otherwise (10) would not depend on the cluster's free amounts
the mean in (10)                            over the tasks of the pending set, without dummies
dummies are masked                          dummies, and tasks that cannot start now, are masked
resource allocation                         a perceptron over the grid of allocations, from h of the chosen task; entry
                                            0 means no start
critic                                      a perceptron over the means of the embeddings and of future arrivals, which
                                            the actors do not see; the critic is for training only
==========================================  ============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod, sqrt
from typing import NamedTuple, Protocol

import numpy as np

from schedproof.core.base.untyped import Tensor
from schedproof.online.placement.tapfinger.observation import Config, Observation

RELATIONS = (  # source, target
    ("pending", "cluster"),
    ("running", "cluster"),
    ("shortcut", "cluster"),
    ("cluster", "pending"),
    ("cluster", "running"),
    ("cluster", "shortcut"),
)
NODES = ("cluster", "pending", "running", "shortcut")
MASKED = -1e9
Weights = Mapping[str, Tensor]


class Arrays(Protocol):
    """The array functions that the network needs, besides operators and methods."""

    def tanh(self, x: Tensor) -> Tensor:
        """Return the hyperbolic tangent."""

    def relu(self, x: Tensor) -> Tensor:
        """Return the positive part."""

    def leaky(self, x: Tensor) -> Tensor:
        """Return the positive part plus a fifth of the negative part."""

    def softmax(self, x: Tensor) -> Tensor:
        """Return the softmax over the last axis."""

    def where(self, condition: Tensor, x: Tensor, y: float) -> Tensor:
        """Return the array where the condition holds, else the number."""

    def concatenate(self, arrays: Tensor, axis: int) -> Tensor:
        """Concatenate arrays along an axis."""

    def stack(self, arrays: Tensor, axis: int) -> Tensor:
        """Stack arrays along a new axis."""

    def rows(self, x: Tensor, index: Tensor) -> Tensor:
        """Return rows x[b, index[b, ...]] of a (B, U, D)."""

    def normal(self, x: Tensor) -> Tensor:
        """Standardise over the last axis."""


class Numpy:
    """`Arrays` of numpy."""

    tanh: Tensor = staticmethod(np.tanh)
    concatenate: Tensor = staticmethod(np.concatenate)
    stack: Tensor = staticmethod(np.stack)

    def relu(self, x: Tensor) -> Tensor:
        return np.maximum(x, 0)

    def leaky(self, x: Tensor) -> Tensor:
        return np.maximum(x, np.float32(0.2) * x)

    def softmax(self, x: Tensor) -> Tensor:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def where(self, condition: Tensor, x: Tensor, y: float) -> Tensor:
        return np.where(condition, x, np.float32(y))

    def rows(self, x: Tensor, index: Tensor) -> Tensor:
        return x[np.arange(len(x)).reshape(-1, *[1] * (index.ndim - 1)), index]

    def normal(self, x: Tensor) -> Tensor:
        return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + np.float32(1e-5))


class Encoded(NamedTuple):
    """The embedding of an observation by graph attention and transformer.

    Attributes
    ----------
    tasks
        h of each position of each cluster's pending set, (B, N, P, D).
    scores
        u of (10), masked; (B, N, P).
    pooled
        Means over the nodes, for the critic, (B, 3 D).
    """

    tasks: Tensor
    scores: Tensor
    pooled: Tensor


def foreseen(c: Config) -> int:
    """Return the number of the critic's inputs on future arrivals."""
    return 2 * len(c.kinds) + 4


def shapes(c: Config) -> dict[str, tuple[int, ...]]:
    """Return the weights' names and shapes; a matrix's first axis is its input."""
    d, features = c.width, len(c.most) + 1 + len(c.kinds)
    result: dict[str, tuple[int, ...]] = {}

    def affine(name: str, inputs: int, outputs: int) -> None:
        result[f"{name}.matrix"], result[f"{name}.bias"] = (inputs, outputs), (outputs,)

    affine("cluster", len(c.most) + 3, d)
    affine("pending", features, d)
    affine("running", features, d)
    for layer in range(c.layers if c.graph else 0):
        for source, target in RELATIONS:
            name = f"graph.{layer}.{source}.{target}"
            result |= {f"{name}.matrix": (d, d), f"{name}.source": (d, c.heads), f"{name}.target": (d, c.heads)}
        affine(f"graph.{layer}.semantic", d, d)
        result[f"graph.{layer}.semantic.query"] = (d,)
        for node in NODES if c.self_message else ():
            affine(f"graph.{layer}.self.{node}", d, d)
    affine("own", d, d)
    for layer in range(c.encoder_layers):
        affine(f"encoder.{layer}.attention", d, 3 * d)
        affine(f"encoder.{layer}.mixed", d, d)
        affine(f"encoder.{layer}.first", d, c.hidden)
        affine(f"encoder.{layer}.second", c.hidden, d)
    if c.pointer:
        result |= {"pointer.task": (d, d), "pointer.mean": (d, d), "pointer.score": (d,)}
    else:
        affine("choice.first", c.window * d, c.hidden)
        affine("choice.second", c.hidden, c.window)
    affine("allocation.first", d, c.hidden)
    affine("allocation.second", c.hidden, prod(most + 1 for most in c.most))
    affine("critic.first", 3 * d + foreseen(c), c.hidden)
    affine("critic.second", c.hidden, 1)
    return result


def initial(c: Config, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return random normal weights of variance 1 / inputs, and zero biases.

    The variance of the output layers is smaller.
    """
    weights = {}
    for name, shape in shapes(c).items():
        scale = 0.0 if name.endswith("bias") else 1 / sqrt(shape[0])
        scale *= 0.1 if name in ("pointer.score", "choice.second.matrix", "allocation.second.matrix") else 1.0
        weights[name] = (scale * rng.standard_normal(shape)).astype(np.float32)
    return weights


def encode(xp: Arrays, c: Config, w: Weights, seen: Observation) -> Encoded:
    """Return the embeddings of the observation, with the scores of (10)."""
    h = {
        "cluster": linear(w, "cluster", seen.clusters),
        "pending": xp.relu(linear(w, "pending", seen.pending)),
        "running": xp.relu(linear(w, "running", seen.running)),
    }
    h["shortcut"] = 0 * h["cluster"][:, :1]
    edges = {"pending": seen.sets, "running": seen.runs}
    for layer in range(c.layers if c.graph else 0):
        h = _messages(xp, c, w, f"graph.{layer}", h, edges)
    real = seen.place >= 0
    x = xp.rows(h["pending"], seen.place * real) + linear(w, "own", h["cluster"])[:, :, None]
    for layer in range(c.encoder_layers):
        x = _transformer_layer(xp, c, w, f"encoder.{layer}", x, real)
    count = (1 * real).sum(-1)[..., None]
    x = x * real[..., None]
    if c.pointer:
        mean = x.sum(-2) / (count + (count == 0))
        mixed = xp.tanh(x @ w["pointer.task"] + (mean @ w["pointer.mean"])[:, :, None])
        scores = mixed @ w["pointer.score"]
    else:
        flat = x.reshape(*x.shape[:2], -1)
        scores = linear(w, "choice.second", xp.relu(linear(w, "choice.first", flat)))
    pooled = [h["cluster"].mean(1), h["pending"].mean(1), h["running"].mean(1)]
    return Encoded(x, xp.where(seen.can, scores, MASKED), xp.concatenate(pooled, -1))


def linear(w: Weights, name: str, x: Tensor) -> Tensor:
    """Apply an affine map."""
    return x @ w[f"{name}.matrix"] + w[f"{name}.bias"]


def _messages(
    xp: Arrays, c: Config, w: Weights, layer: str, h: dict[str, Tensor], edges: dict[str, Tensor]
) -> dict[str, Tensor]:
    arriving: dict[str, list[Tensor]] = {node: [] for node in NODES}
    for source, target in RELATIONS:
        name = f"{layer}.{source}.{target}"
        values = h[source] @ w[f"{name}.matrix"]
        if source == "shortcut":
            arriving[target].append(values + 0 * h[target])
            continue
        logits = (h[source] @ w[f"{name}.source"]).swapaxes(1, 2)[:, :, None]
        logits = logits + (h[target] @ w[f"{name}.target"]).swapaxes(1, 2)[..., None]  # (B, heads, targets, sources)
        logits = xp.leaky(logits)
        if source in edges:
            edge = edges[source][:, None]
        elif target in edges:
            edge = edges[target].swapaxes(1, 2)[:, None]
        else:  # the relation ``shortcut`` connects all clusters
            edge = None
        share = xp.softmax(logits) if edge is None else xp.softmax(xp.where(edge, logits, MASKED)) * edge
        heads = values.reshape(*values.shape[:2], c.heads, -1).swapaxes(1, 2)
        message = (share @ heads).swapaxes(1, 2)
        arriving[target].append(message.reshape(*message.shape[:2], -1))
    result = {}
    for node, messages in arriving.items():
        message = messages[0]
        if len(messages) > 1:
            all_of_them = xp.stack(messages, 2)
            query = xp.tanh(linear(w, f"{layer}.semantic", all_of_them)) @ w[f"{layer}.semantic.query"]
            message = (xp.softmax(query)[..., None] * all_of_them).sum(2)
        if c.self_message:
            result[node] = h[node] + xp.relu(message + linear(w, f"{layer}.self.{node}", h[node]))
        else:
            result[node] = xp.relu(message)
    return result


def _transformer_layer(xp: Arrays, c: Config, w: Weights, layer: str, x: Tensor, real: Tensor) -> Tensor:
    both = linear(w, f"{layer}.attention", xp.normal(x)).reshape(*x.shape[:3], 3, c.heads, -1)
    query, key, value = (both[..., i, :, :].swapaxes(2, 3) for i in range(3))  # (B, N, heads, P, D / heads)
    logits = query @ key.swapaxes(-1, -2) / sqrt(query.shape[-1])
    share = xp.softmax(xp.where(real[:, :, None, None], logits, MASKED))
    mixed = (share @ value).swapaxes(2, 3)
    x = x + linear(w, f"{layer}.mixed", mixed.reshape(*x.shape))
    inner = xp.relu(linear(w, f"{layer}.first", xp.normal(x)))
    return x + linear(w, f"{layer}.second", inner)


def allocate(xp: Arrays, w: Weights, task: Tensor, allowed: Tensor) -> Tensor:
    """Return the logits of the allocations for a chosen task, masked by (12).

    Parameters
    ----------
    task
        h of the task, (..., D).
    allowed
        The mask, (..., grid).
    """
    return xp.where(allowed, linear(w, "allocation.second", xp.relu(linear(w, "allocation.first", task))), MASKED)


def value(xp: Arrays, w: Weights, encoded: Encoded, to_come: Tensor) -> Tensor:
    """Return the critic's estimates, (B,)."""
    x = xp.concatenate([encoded.pooled, to_come], -1)
    return linear(w, "critic.second", xp.relu(linear(w, "critic.first", x)))[..., 0]
