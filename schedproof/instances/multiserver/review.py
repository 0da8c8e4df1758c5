"""One pass over a schedule's allocations: its exact reward, what it breaks, and a curve of rewards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from schedproof.core.checking import Violation
from schedproof.core.context import USUAL, Context
from schedproof.instances.multiserver.checker import Checker
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.reward import Account, slot_rewards
from schedproof.instances.multiserver.utility import Enclosure

POINTS = 1000  # of a curve, at most


@dataclass(frozen=True)
class Review:
    """What one pass over a schedule finds.

    Attributes
    ----------
    reward
        Of the slots that have one, enclosed.
    counted
        How many have: all of them, or those of the blocks before the first with an amount that makes no sense.
    slots, rewards
        At up to a thousand numbers of slots, the reward (doubles) of the slots before.
    """

    reward: Enclosure
    counted: int
    violations: tuple[Violation, ...]
    slots: np.ndarray
    rewards: np.ndarray


def review(instance: Instance, blocks: Iterable[np.ndarray], gain: str, context: Context = USUAL) -> Review:
    """The review of allocations, arrays (n, E, K) in the order of the slots."""
    checker, account = Checker(instance), Account(instance, gain)
    step = -(-instance.horizon // POINTS)
    curve = np.zeros(-(-instance.horizon // step))
    at = counted = 0
    for block in blocks:
        checker.look(block)
        if checker.sound and at + len(block) <= instance.horizon:
            counted += len(block)
            account.add(block)
            earned = slot_rewards(instance.graph, block, instance.present(at, at + len(block)), gain)
            np.add.at(curve, np.arange(at, at + len(block)) // step, earned)
        at += len(block)
        context.progress(f"{at} of {instance.horizon} slots", at / instance.horizon)
    slots = np.minimum(np.arange(1, len(curve) + 1) * step, instance.horizon)
    return Review(account.reward(), counted, tuple(checker.violations()), slots, np.cumsum(curve))
