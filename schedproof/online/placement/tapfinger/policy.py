"""The policy of a trained network; it needs numpy only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.policy import Hidden
from schedproof.core.simulation.slot_game import fits
from schedproof.instances.placement.drive import Place, Shown, View
from schedproof.instances.placement.entities import Amounts, Mode
from schedproof.online.placement import dice
from schedproof.online.placement.conflict import Contender, argmax, resolve, room
from schedproof.online.placement.tapfinger import weights as files
from schedproof.online.placement.tapfinger.features import observe
from schedproof.online.placement.tapfinger.network import MASKED, Numpy, allocate, encode

TASK, ALLOCATION = 0, 1  # purposes of a random choice


class TapFinger:
    """The options ``decode``, ``rule`` and ``modes`` determine how clusters choose.

    With ``decode=sequential``, the clusters choose in turn: each takes the likeliest remaining task with the likeliest
    allocation. A cluster may decline only while a task runs. With ``sampled``, all choose at once, as in the paper, and
    (11) resolves conflicts; clusters with shared weights prefer the same task.

    With ``rule=printed`` the argmax of (11) is over all clusters. A task does not start if the cluster of its argmax
    did not choose the task; if several clusters attain the maximum, the first starts it. With ``modes=listed``, (12)
    allows only undominated allocations of the task's own list: no other allocation has at most as much of every
    resource and ends no later. Then the policy sees durations, as Optimus does.
    """

    def __init__(
        self,
        *,
        weights: str = "tiny",
        decode: str = "sequential",
        rule: str = "repaired",
        modes: str = "all",
        context: Context = USUAL,
    ) -> None:
        self.file, (self.config, self.weights) = weights, files.read(weights)
        self.decode, self.rule, self.sees_durations = decode, rule, modes == "listed"
        if self.config.modes == "listed" and not self.sees_durations:
            raise InputError(
                "the weights were trained with modes=listed, which shows the tasks' durations: set modes=listed"
            )
        self.seed, self.arrays = context.seed, Numpy()
        self.sizes = tuple(most + 1 for most in self.config.most)
        self._best: dict[int, frozenset[Amounts]] = {}  # the undominated allocations of each task

    def start(self, system: Hidden) -> None:
        self._best.clear()
        self._latest = 0
        if len(system.resources) != len(self.config.most):
            raise InputError(
                f"the weights are for {len(self.config.most)} resources, the instance has {len(system.resources)}"
            )

    def decide(self, view: View) -> list[Place]:
        self._latest = max((self._latest, *(task.arrival for task in view.pending)))
        seen, sets = observe(view, self.config, self._latest)
        with np.errstate(all="ignore"):  # `_require_bounded` checks
            encoded = encode(self.arrays, self.config, self.weights, seen)
        can, scores, h = seen.can[0], encoded.scores[0], encoded.tasks[0]
        self._require_bounded(scores[can])
        if self.decode == "sequential":
            return self._one_by_one(view, sets, can, scores, h)
        chances = {n: self.arrays.softmax(scores[n]) for n in np.flatnonzero(can.any(-1)).tolist()}
        chosen = {n: self._draw(view.slot, n, TASK, chances[n]) for n in chances}
        places = []
        for n in self._winners(view, sets, chances, chosen):
            task = sets[n][chosen[n]]
            logits, amounts = self._allocations(view, task, n, h[n, chosen[n]])
            drawn = amounts.get(self._draw(view.slot, n, ALLOCATION, self.arrays.softmax(logits)))
            places += [] if drawn is None else [Place(task.index, n, drawn)]
        return places

    def _winners(
        self, view: View, sets: Sequence[Sequence[Shown]], chances: Mapping[int, np.ndarray], chosen: Mapping[int, int]
    ) -> list[int]:
        tasks = {n: sets[n][p] for n, p in chosen.items()}

        def contender(n: int, task: Shown) -> Contender:
            chance = sum(float(chances[n][p]) for p, other in enumerate(sets[n]) if n in chances and other == task)
            return Contender(n, chance, room(view.free[n], task.needs))

        if self.rule == "printed":
            everyone = range(len(sets))
            attained = {n for n, task in tasks.items() if n in argmax(contender(m, task) for m in everyone)}
            return [n for n in sorted(attained) if tasks[n] not in (tasks[m] for m in attained if m < n)]
        contenders = {n: contender(n, task) for n, task in tasks.items()}
        return list(resolve({n: task.index for n, task in tasks.items()}, contenders))

    def _one_by_one(
        self, view: View, sets: Sequence[Sequence[Shown]], can: np.ndarray, scores: np.ndarray, h: np.ndarray
    ) -> list[Place]:
        places: list[Place] = []
        for n, tasks in enumerate(sets):
            taken = {place.task for place in places}
            rest = [p for p, task in enumerate(tasks) if can[n, p] and task.index not in taken]
            if not rest:
                continue
            p = max(rest, key=lambda p: (scores[n, p], -p))
            logits, amounts = self._allocations(view, tasks[p], n, h[n, p])
            entries = [*amounts] if not view.running and not places and amounts else [0, *amounts]
            if best := max(entries, key=lambda entry: (logits[entry], -entry)):
                places.append(Place(tasks[p].index, n, amounts[best]))
        return places

    def _allocations(self, view: View, task: Shown, n: int, h: np.ndarray) -> tuple[np.ndarray, dict[int, Amounts]]:
        amounts = {
            int(np.ravel_multi_index(a, self.sizes)): a
            for a in view.fitting(task, n)
            if fits(a, self.config.most) and (not self.sees_durations or a in self._pareto_allocations(task))
        }
        amounts.pop(0, None)  # entry 0 is no start
        allowed = np.zeros(prod(self.sizes), dtype=np.bool_)
        allowed[[0, *amounts]] = True
        with np.errstate(all="ignore"):
            logits = allocate(self.arrays, self.weights, h, allowed)
        self._require_bounded(logits[allowed])
        return logits, amounts

    def _require_bounded(self, scores: np.ndarray) -> None:
        if not (np.abs(scores) < -MASKED).all():
            raise InputError(f"expected weights whose scores are within +-{-MASKED:g}", file=self.file)

    def _pareto_allocations(self, task: Shown) -> frozenset[Amounts]:
        if task.index not in self._best:
            self._best[task.index] = pareto_allocations(task.modes)
        return self._best[task.index]

    def _draw(self, slot: int, n: int, purpose: int, chances: np.ndarray) -> int:
        state = dice.mix(0, self.seed)
        for number in (slot, n, purpose):
            state = dice.mix(state, number)
        total = np.cumsum(chances.astype(np.float64))
        return int(np.searchsorted(total, (state + 0.5) / 2**32 * total[-1]))


def pareto_allocations(modes: Iterable[Mode]) -> frozenset[Amounts]:
    """Return the undominated allocations.

    An allocation is dominated if another allocation has no more of any resource and takes no more slots.
    """
    best: list[Mode] = []
    for mode in sorted(modes):  # allocations with no more of any resource come earlier
        if not any(fits(other.allocation, mode.allocation) and other.slots <= mode.slots for other in best):
            best.append(mode)
    return frozenset(mode.allocation for mode in best)
