"""The reward (7)-(9): the gain, per node or in total, minus the overhead.

The weight of a port's copy is its number of slots present. The weights are a CVXPY parameter: assign
``problem.param_dict["presence"].value = instance.counts(t)`` for other arrivals, or the first t slots, without
building the problem again.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.lazy import cvxpy
from schedproof.core.base.untyped import Model
from schedproof.core.errors import InputError
from schedproof.core.programs.group import group
from schedproof.formulations.multiserver.allocation import sums
from schedproof.formulations.multiserver.utilities import CONCAVE
from schedproof.instances.multiserver import Instance

PRESENCE = "presence_in_all_slots|presence_in_a_slot"


@group("variables", "(9)", r"n_l = \textstyle\sum_t x_l(t)")
def presence_in_all_slots(parts: Model, instance: Instance) -> None:
    """The number of slots in which a job is present."""
    _presence(parts, instance.counts())


@group("variables", "(8)", r"n_l = x_l(t)")
def presence_in_a_slot(parts: Model, instance: Instance, *, slot: int) -> None:
    """A job is present in the slot or not."""
    check_slot(instance, slot)
    _presence(parts, instance.present(slot, slot + 1)[0])


def check_slot(instance: Instance, slot: int) -> None:
    """Raise `InputError` if the instance has no such slot."""
    if slot >= instance.horizon:
        raise InputError(f"slot={slot}: expected a slot from 0 to {instance.horizon - 1}")


def _presence(parts: Model, counts: np.ndarray) -> None:
    value = counts.astype(float)
    parts.variables["presence"] = cvxpy.Parameter(len(counts), nonneg=True, name="presence", value=value)


@group(
    "objective",
    "(12)",
    r"\max \textstyle\sum_l n_l \sum_{k, r \in \mathcal{R}_l} f_r^k(y_{(l,r)}^k)",
    needs=("allocation", PRESENCE),
)
def gain_by_node(parts: Model, instance: Instance) -> None:
    """The utility, by node and resource, of the amount that a job gets there."""
    graph, y = instance.graph, parts.variables["allocation"]
    weights = parts.variables["presence"][graph.edge_copy]
    parts.objective.append(weighted_gain(weights, y, graph.kind[graph.edge_node], graph.alpha[graph.edge_node]))


@group(
    "objective",
    "(7)",
    r"\max \textstyle\sum_l n_l \sum_k f_k\bigl(\sum_{r \in \mathcal{R}_l} y_{(l,r)}^k\bigr)",
    needs=("allocation", PRESENCE),
)
def gain_by_total(parts: Model, instance: Instance) -> None:
    """The utility, by resource, of a job's total over all nodes."""
    graph = instance.graph
    kind, alpha = (np.tile(row, (len(graph.port), 1)) for row in (graph.total_kind, graph.total_alpha))
    parts.objective.append(weighted_gain(parts.variables["presence"], job_totals(parts, instance), kind, alpha))


@group(
    "objective",
    "(7)",
    r"{} - \textstyle\sum_l n_l \max_k \beta_k \sum_{r \in \mathcal{R}_l} y_{(l,r)}^k",
    needs=("allocation", PRESENCE),
)
def overhead(parts: Model, instance: Instance) -> None:
    """Minus the communication overhead of each job's dominant resource."""
    graph = instance.graph
    if graph.shape[0]:
        weighted = job_totals(parts, instance) @ np.diag(graph.overhead)
        parts.objective.append(-(parts.variables["presence"] @ cvxpy.max(weighted, axis=1)))


def job_totals(parts: Model, instance: Instance) -> Model:
    """Return the total of each resource for each copy of a port, shape (C, K)."""
    return sums(instance.graph.edge_copy, len(instance.graph.port)) @ parts.variables["allocation"]


def weighted_gain(weights: Model, amounts: Model, kind: np.ndarray, alpha: np.ndarray) -> Model:
    """sum_i n_i sum_k f_ik(y_ik), one vector expression for each kind of utility."""
    terms = []
    for code, concave in enumerate(CONCAVE):
        i, k = np.nonzero(kind == code)
        if i.size:
            terms.append(weights[i] @ concave(alpha[i, k], amounts[i, k]))
    return sum(terms)
