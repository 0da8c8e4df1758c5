"""The placement family's letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from schedproof.instances.placement import Instance, Mode
from tests.mathematics.evaluation import Setting


@dataclass(frozen=True)
class Choice:
    """An allocation x: a task's mode with its number, compared by amounts."""

    number: int
    mode: Mode
    __array_ufunc__ = None

    def __le__(self, amounts: Any) -> Any:
        return np.array(self.mode.allocation) <= amounts

    def __ge__(self, amounts: Any) -> Any:
        return np.array(self.mode.allocation) >= amounts


def setting(_: Any, instance: Instance, model: Any) -> Setting:
    """Tasks j, clusters n, resources r, allocations x, slots t and s."""
    last = min(instance.horizon, instance.enough + len(instance.tasks))
    place = {r: n for n, r in enumerate(instance.resources)}

    def room(*index: Any) -> Any:
        return np.array(index[0].amounts) if len(index) == 1 else index[1].amounts[place[index[0]]]

    return Setting(
        ranges={
            "j": lambda _: instance.tasks,
            "n": lambda _: instance.clusters,
            "r": lambda _: instance.resources,
            "x": lambda env: [Choice(*row) for row in enumerate(env["j"].modes)],
            "t": lambda _: range(last + 1),
            "s": lambda _: range(last + 1),
        },
        symbols={
            "T": last,
            "C": room,
            "b": lambda j: np.array(j.needs),
            r"\mathcal{D}": lambda j: [instance.clusters[n] for n in j.clusters],
            r"\hat{t}": lambda j: j.arrival,
            "d": lambda j, x: x.mode.slots,
            "x": lambda x, r: x.mode.allocation[place[r]],
        },
        entries={"y": lambda j, n, x, t: model.starts.on._data.get((j.name, n.name, x.number, t))},
    )
