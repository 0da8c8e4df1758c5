"""The policy that plays a trained network; numpy is all that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from schedproof.core.context import USUAL, Context
from schedproof.core.errors import InputError
from schedproof.core.policy import Hidden
from schedproof.instances.placement.drive import Place, Shown, View
from schedproof.instances.placement.entities import Amounts
from schedproof.online.placement import dice
from schedproof.online.placement.conflict import Contender, resolve, room
from schedproof.online.placement.tapfinger import weights as files
from schedproof.online.placement.tapfinger.features import observe
from schedproof.online.placement.tapfinger.network import MASKED, Numpy, allocate, encode

TASK, ALLOCATION = 0, 1  # purposes of a random choice


class TapFinger:
    """TapFinger: every cluster starts a task and with an allocation that a trained network draws.

    Decoded by ``sampled``, all clusters choose at once, and (11) resolves their conflicts, as in training. Clusters
    that share their weights like the same task best; by ``sequential`` they choose one after the other, the likeliest
    task that is left and the likeliest allocation, and not to start it only while something runs.
    """

    def __init__(self, *, weights: str = "tiny", decode: str = "sampled", context: Context = USUAL) -> None:
        self.file, (self.config, self.weights) = weights, files.read(weights)
        self.decode, self.seed, self.arrays = decode, context.seed, Numpy()
        self.sizes = tuple(most + 1 for most in self.config.most)

    def start(self, system: Hidden) -> None:
        """Prepare for a system whose tasks are not known yet."""
        if len(system.resources) != len(self.config.most):
            raise InputError(
                f"the weights are for {len(self.config.most)} resources, the instance has {len(system.resources)}"
            )

    def decide(self, view: View) -> list[Place]:
        """What the network's clusters start."""
        seen, sets = observe(view, self.config)
        with np.errstate(all="ignore"):  # `_require_bounded` looks
            encoded = encode(self.arrays, self.config, self.weights, seen)
        can, scores, h = seen.can[0], encoded.scores[0], encoded.tasks[0]
        self._require_bounded(scores[can])
        if self.decode == "sequential":
            return self._one_by_one(view, sets, can, scores, h)
        chosen, contender = {}, {}
        for n in np.flatnonzero(can.any(-1)).tolist():
            chances = self.arrays.softmax(scores[n])
            p = self._drawn(view.slot, n, TASK, chances)
            chosen[n] = p
            contender[n] = Contender(n, float(chances[p]), room(view.free[n], sets[n][p].needs))
        granted = resolve({n: sets[n][p].index for n, p in chosen.items()}, contender)
        places = []
        for n in granted:
            task = sets[n][chosen[n]]
            logits, amounts = self._allocations(view, task, n, h[n, chosen[n]])
            drawn = amounts.get(self._drawn(view.slot, n, ALLOCATION, self.arrays.softmax(logits)))
            places += [] if drawn is None else [Place(task.index, n, drawn)]
        return places

    def _one_by_one(
        self, view: View, sets: Sequence[Sequence[Shown]], can: np.ndarray, scores: np.ndarray, h: np.ndarray
    ) -> list[Place]:
        places: list[Place] = []
        for n, tasks in enumerate(sets):
            taken = {place.task for place in places}
            left = [p for p, task in enumerate(tasks) if can[n, p] and task.index not in taken]
            if not left:
                continue
            p = max(left, key=lambda p: (scores[n, p], -p))
            logits, amounts = self._allocations(view, tasks[p], n, h[n, p])
            entries = [*amounts] if not view.running and not places and amounts else [0, *amounts]
            if best := max(entries, key=lambda entry: (logits[entry], -entry)):
                places.append(Place(tasks[p].index, n, amounts[best]))
        return places

    def _allocations(self, view: View, task: Shown, n: int, h: np.ndarray) -> tuple[np.ndarray, dict[int, Amounts]]:
        """The logits over the grid, masked as (12) says, and the allocation at each place that is not."""
        amounts = {
            int(np.ravel_multi_index(a, self.sizes)): a
            for a in view.fitting(task, n)
            if all(used < size for used, size in zip(a, self.sizes, strict=True))
        }
        amounts.pop(0, None)  # the place of starting nothing
        allowed = np.zeros(prod(self.sizes), dtype=np.bool_)
        allowed[[0, *amounts]] = True
        with np.errstate(all="ignore"):
            logits = allocate(self.arrays, self.weights, h, allowed)
        self._require_bounded(logits[allowed])
        return logits, amounts

    def _require_bounded(self, scores: np.ndarray) -> None:
        """What can be chosen has a score above everything that cannot."""
        if not (np.abs(scores) < -MASKED).all():
            raise InputError(f"its weights are so large that a score is not within {-MASKED:g}", file=self.file)

    def _drawn(self, slot: int, n: int, purpose: int, chances: np.ndarray) -> int:
        """A place by its chance, of those that have any."""
        state = dice.mixed(0, self.seed)
        for number in (slot, n, purpose):
            state = dice.mixed(state, number)
        total = np.cumsum(chances.astype(np.float64))
        return int(np.searchsorted(total, (state + 0.5) / 2**32 * total[-1]))
