"""Rewards and feasibility once more, in rationals, number by number: only for tiny schedules."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import numpy as np

from schedproof.instances.multiserver import Instance, utility
from schedproof.instances.multiserver.utility import Enclosure

NOTHING = Fraction(0)


def edges(instance: Instance) -> list[tuple[int, int, int]]:
    """(port, which of its copies, node) in the order of an allocation."""
    return [
        (port.index, j, r)
        for port, copies in zip(instance.ports, instance.copies, strict=True)
        for j in range(copies)
        for r in port.nodes
    ]


@patch.object(utility, "BITS", 1300)  # the smallest double is 2^-1074
def reward(instance: Instance, allocation: np.ndarray, gain: str, slots: range | None = None) -> Enclosure:
    """(9) of an allocation (T, E, K), from (7)-(8) and each utility's own enclosure, as narrow as it need be."""
    low = high = NOTHING
    for t in slots or range(instance.horizon):
        for p, port in enumerate(instance.ports):
            for j in range(instance.arrivals[t, p]):
                mine = [e for e, (q, i, _) in enumerate(edges(instance)) if (q, i) == (p, j)]
                overheads = [NOTHING]
                for k, name in enumerate(instance.resources):
                    amounts = [Fraction(allocation[t, e, k]) for e in mine]
                    utilities = [instance.utility(r, name) for r in port.nodes]
                    if gain == "total":
                        amounts, utilities = [sum(amounts, NOTHING)], [instance.utilities[name]]
                    for f, amount in zip(utilities, amounts, strict=True):
                        ends = f.value(amount)
                        low, high = low + ends[0], high + ends[1]
                    overheads.append(instance.overhead[name] * sum(amounts))
                low, high = low - max(overheads), high - max(overheads)
    return low, high


def broken(instance: Instance, allocation: np.ndarray) -> dict[tuple[str, str], Fraction]:
    """(constraint, where) -> by how much an allocation (T, E, K) of numbers breaks it."""
    found: dict[tuple[str, str], Fraction] = {}
    for t in range(instance.horizon):
        for k, name in enumerate(instance.resources):
            used = dict.fromkeys(range(len(instance.nodes)), NOTHING)
            for e, (p, j, r) in enumerate(edges(instance)):
                amount, most = Fraction(allocation[t, e, k]), instance.ports[p].demand.get(name, NOTHING)
                used[r] += amount
                if not 0 <= amount <= most:
                    job = f" (job {j + 1})" if instance.copies[p] > 1 else ""
                    channel = f"{name} of {instance.nodes[r].name} for {instance.ports[p].name}{job} in slot {t}"
                    found["demand", channel] = max(-amount, amount - most)
            for r, node in enumerate(instance.nodes):
                over = used[r] - node.capacity.get(name, NOTHING)
                if over > 0:
                    found["capacity", f"{name} of {node.name} in slot {t}"] = over
    return found
