"""A table of allocations, one for each kind of tasks, in order of priority.

The paper has no such policy; an operator could write the table from the durations of each kind. In addition to
the rules of `clusters`:

1. A task fits if the allocation of its kind fits now. A cluster chooses the fitting task whose kind is first in the
   table; ties by arrival. Kinds that are not in the table come last and get the least allocation.
2. An allocation is reduced to the capacity of the empty cluster. If the task has no duration with the reduced
   allocation, the task gets the least of its allocations, by the first resource, then the second.
3. A task waits for its allocation; it does not get less when fewer resources are free.
4. ``turns=together``: all clusters choose at once, each with score 1, and (11) decides. ``in_order``: the clusters
   choose one after another, in file order, from the remaining tasks, so that no cluster loses; this needs a
   coordinator.
5. The default table is the best for ``synthetic3`` among tables that give sensitive tasks 2 CPU cores and some
   GPUs, and insensitive tasks the minimum: with 7 GPUs, sensitive tasks mostly take 3 slots. In ``tiny``, 3 GPUs are
   better.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError
from schedproof.core.simulation.policy import Hidden
from schedproof.core.simulation.slot_game import fits
from schedproof.instances.placement.drive import Place, Shown, View
from schedproof.instances.placement.entities import Amounts
from schedproof.online.placement.clusters import ByCluster, Choice

TUNED = {"sensitive": (2, 7), "insensitive": (2, 1)}


class Table(ByCluster):
    def __init__(self, *, table: Value = None, turns: str = "together", window: int = 10) -> None:
        super().__init__(window=window)
        self.table: Mapping[str, Amounts] = TUNED if table is None else read_table(table)
        self.turns = turns
        self._place = {kind: n for n, kind in enumerate(self.table)}

    def start(self, system: Hidden) -> None:
        """Require that the table and the system have the same resources."""
        super().start(system)
        for kind, amounts in self.table.items():
            if len(amounts) != len(system.resources):
                names = ", ".join(system.resources)
                raise InputError(f"expected {len(system.resources)} amounts, of {names}", path=f"table.{kind}")

    def turn(self, kind: str) -> int:
        """Return the rank of a kind in the table; kinds outside the table are last."""
        return self._place.get(kind, len(self._place))

    def decide(self, view: View) -> list[Place]:
        if self.turns == "together":
            return super().decide(view)
        taken: dict[int, Place] = {}
        for n in range(len(view.free)):
            if candidates := [task for task in self.candidates(view, n) if task.index not in taken]:
                task, _, allocation = self.choose(view, n, candidates)
                taken[task.index] = Place(task.index, n, allocation)
        return list(taken.values())

    def would_start(self, view: View, task: Shown, n: int) -> bool:
        allocation = self._entry(task, n)
        return n in task.clusters and allocation is not None and fits(allocation, view.free[n])

    def _entry(self, task: Shown, n: int) -> Amounts | None:
        return self.entry(task.kind, task.needs, task.allocations, self.clusters[n].amounts)

    def entry(self, kind: str, needs: Amounts, allocations: Collection[Amounts], whole: Amounts) -> Amounts | None:
        """Return the allocation of a kind within ``whole``, or ``None`` if none fits."""
        wanted = tuple(map(min, self.table.get(kind, needs), whole))
        if wanted in allocations:
            return wanted
        return min((a for a in allocations if fits(a, whole)), default=None)

    def choose(self, view: View, n: int, candidates: Sequence[Shown]) -> Choice:
        task = min(candidates, key=lambda task: self.turn(task.kind))
        allocation = self._entry(task, n)
        assert allocation is not None  # the task would start
        return Choice(task, 1, allocation)


def read_table(given: Value) -> dict[str, Amounts]:
    """Return the allocation of each kind, from a mapping or a text.

    A text looks like ``sensitive:2,7;insensitive:2,1``.

    Raises
    ------
    InputError
        For any other form.
    """
    words = "expected kind:amounts, like sensitive:2,7;insensitive:2,1"
    if isinstance(given, str):
        parts = [part.rpartition(":") for part in given.split(";") if part.strip()]
        pairs = [(kind.strip(), amounts.split(",")) for kind, _, amounts in parts]
    elif isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        raise InputError(words, path="table", value=given)
    try:
        table = {str(kind): tuple(int(amount) for amount in amounts) for kind, amounts in pairs}
    except (TypeError, ValueError):
        raise InputError(words, path="table", value=given) from None
    if not all(table) or len(table) < len(pairs) or any(amount < 0 for row in table.values() for amount in row):
        raise InputError(f"{words}: expected each kind once, and amounts >= 0", path="table", value=given)
    return table
