"""Rewards and feasibility of tiny schedules in rationals, number by number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np

from schedproof.instances.multiserver import Instance, utility
from schedproof.instances.multiserver.utility import Enclosure
from schedproof.reference import multiserver as reference

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
def reward(instance: Instance, allocation: np.ndarray, gain: Any, slots: range | None = None) -> Enclosure:
    """An enclosure of (9) of an allocation (T, E, K), refined on demand."""
    exactly = [[[Fraction(amount) for amount in row] for row in slot] for slot in allocation.tolist()]
    chosen = slots or range(instance.horizon)
    return reference.plus(reference.reward(instance, reference.present(instance, t), exactly[t], gain) for t in chosen)


def broken(instance: Instance, allocation: np.ndarray) -> dict[tuple[str, str], Fraction]:
    """(constraint, where) -> the amount of violation by an allocation (T, E, K)."""
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
