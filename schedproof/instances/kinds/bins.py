"""A stock kind of schedule without times: items in bins, or jobs on machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import le, sub
from typing import Any, ClassVar

from schedproof.core.data.checking import Violation
from schedproof.core.errors import PolicyError, expect, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.instance import Schedule
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.pictures import axes, job_colour
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.arriving import arrivals
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import JOB, positions, rows


@dataclass(frozen=True, repr=False)
class Bins(Schedule):
    """The items of each bin.

    ``sizes`` gives an item's demand for each resource; each bin has the instance's ``capacity``. A family overrides
    `sizes` or `capacity` for other sizes or capacities.

    Attributes
    ----------
    bins
        The items in each bin, by position in the file.
    most
        The number of bins; None for no limit.
    every
        Whether each item must be in a bin.
    """

    bins: tuple[tuple[JOB, ...], ...]

    most: ClassVar[int | None] = None
    every: ClassVar[bool] = True

    @staticmethod
    def sizes(instance: Any, item: Any) -> Sequence[Any]:
        """Return an item's demand for each resource."""
        result: Sequence[Any] = item.sizes
        return result

    @classmethod
    def room(cls, instance: Any, n: int) -> Sequence[Any]:
        """Return bin ``n``'s capacity of each resource."""
        return [instance.capacity] * len(cls.sizes(instance, rows(instance)[0]))

    @classmethod
    def view(cls, instance: Any) -> View:
        """Return empty bins that a policy fills."""
        return View(cls, instance)

    @classmethod
    def require(cls, instance: Any) -> None:
        """Refuse an item with the wrong resources, or a mandatory item that fits no bin."""
        for n, item in enumerate(rows(instance)):
            sizes, room = cls.sizes(instance, item), cls.room(instance, 0)
            fits = len(sizes) == len(room) and (not cls.every or all(map(le, sizes, room)))
            path = f"{instance.card.own.size[0]}[{n}]"
            expect(fits, f"expected sizes that fit into a bin of {', '.join(map(str, room))}", path, item.name)

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Bins:
        """Run a policy that fills all bins at once or places one item at a time.

        ``rule(instance)`` returns the lists of items. ``rule(view, item)`` returns the item's bin number, or None;
        items come by arrival if they have arrivals, otherwise in file order. An item stays in its bin.
        """
        if getattr(policy, "arguments", 1) == 2:
            view = cls.view(instance)
            for _, items in (
                arrivals(rows(instance))
                if all(hasattr(item, "arrival") for item in rows(instance))
                else [(0, rows(instance))]
            ):
                for item in items:
                    view.put(item, policy.assign(view, item))
            bins: Sequence[Any] = view.bins
        else:
            bins = policy.assign(instance)
            if not isinstance(bins, Sequence):
                raise PolicyError(f"the policy returned {short(bins)}, expected a list of bins")
        return cls.by(decided_by, instance, tuple(positions(held, "lists of items") for held in bins))

    def check(self, instance: Any) -> list[Violation]:
        """Return every broken constraint."""
        return checkers.bins(self, instance)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """Yield each item's demand."""
        items = rows(instance)
        for n, held in enumerate(self.bins):
            for i in held:
                for r, size in enumerate(type(self).sizes(instance, items[i])):
                    yield Occupied(i, n, str(r), 0, 1, size)

    def frame_of(self, instance: Any) -> Any:
        """Return one row per item in a bin (pandas)."""
        import pandas as pd

        items = rows(instance)
        pairs = [(items[i].name, n) for n, held in enumerate(self.bins) for i in held]
        return pd.DataFrame(pairs, columns=[instance.extent[1], "bin"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """Draw each bin as one bar for each resource, with one colour for each item."""
        ax, tops = axes(ax, (5, 3)), dict[tuple[int, str], Any]()
        for row in self.occupied(instance):
            low, place = tops.get((row.place, row.resource), 0), row.place + 0.3 * int(row.resource)
            ax.bar(place, float(row.amount), 0.28, bottom=float(low), color=job_colour(row.job), edgecolor="white")
            tops[row.place, row.resource] = low + row.amount
        ax.set(xlabel="bin, with one bar for each resource", ylabel="units", xticks=range(len(self.bins)))
        return ax


class View:
    """Bins that a policy fills one item at a time.

    Attributes
    ----------
    bins
        The items in each bin so far.
    """

    def __init__(self, kind: type[Bins], instance: Any) -> None:
        self._kind, self._instance = kind, instance
        self.bins: list[list[Any]] = []
        self._left: list[list[Any]] = []

    def left(self, n: int) -> list[Any]:
        """Return the remaining amount of each resource of a bin."""
        return self._left[n] if n < len(self._left) else list(self._kind.room(self._instance, n))

    def fits(self, item: Any, n: int) -> bool:
        """Return whether bin ``n`` exists and has room for an item."""
        exists = n >= 0 and (self._kind.most is None or n < self._kind.most)
        return exists and all(map(le, self._kind.sizes(self._instance, item), self.left(n)))

    def put(self, item: Any, n: int | None) -> None:
        """Put an item into a bin; None leaves it out."""
        if n is None:
            return
        if not isinstance(n, int) or not self.fits(item, n):
            raise PolicyError(
                f"the policy put {item.name} into bin {short(n)}, expected the number of a bin with room for it"
            )
        while len(self.bins) <= n:
            self._left.append(self.left(len(self.bins)))
            self.bins.append([])
        self._left[n] = list(map(sub, self._left[n], self._kind.sizes(self._instance, item)))
        self.bins[n].append(item)
