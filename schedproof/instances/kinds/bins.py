"""Items in bins, or jobs on machines: which are together, not when."""

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

    The ``sizes`` of an item are how much it takes of each resource, of which each bin has the instance's ``capacity``;
    where a family says that otherwise, its class has functions of these names.

    Attributes
    ----------
    bins
        By position of the items.
    most
        How many bins there are; None for as many as one likes.
    every
        Whether each item has to be in a bin.
    """

    bins: tuple[tuple[JOB, ...], ...]

    most: ClassVar[int | None] = None
    every: ClassVar[bool] = True

    @staticmethod
    def sizes(instance: Any, item: Any) -> Sequence[Any]:
        """What an item takes of each resource."""
        result: Sequence[Any] = item.sizes
        return result

    @classmethod
    def room(cls, instance: Any, n: int) -> Sequence[Any]:
        """What a bin has of each resource."""
        return [instance.capacity] * len(cls.sizes(instance, rows(instance)[0]))

    @classmethod
    def view(cls, instance: Any) -> View:
        """Bins without items, into which a policy puts some."""
        return View(cls, instance)

    @classmethod
    def require(cls, instance: Any) -> None:
        """Refuse an item with other resources than a bin, or one that fits none although it has to."""
        for n, item in enumerate(rows(instance)):
            sizes, room = cls.sizes(instance, item), cls.room(instance, 0)
            fits = len(sizes) == len(room) and (not cls.every or all(map(le, sizes, room)))
            path = f"{instance.card.own.size[0]}[{n}]"
            expect(fits, f"expected sizes that fit into a bin of {', '.join(map(str, room))}", path, item.name)

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Bins:
        """Ask for all bins at once, or for one item after the other.

        ``rule(instance)`` returns the lists of items; ``rule(view, item)`` the number of the item's bin, or None, by
        arrival where items have one, else in file order. What is in a bin stays there.
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
        """Every broken constraint."""
        return checkers.bins(self, instance)

    def occupied(self, instance: Any) -> Iterator[Occupied]:
        """What each item takes."""
        items = rows(instance)
        for n, held in enumerate(self.bins):
            for i in held:
                for r, size in enumerate(type(self).sizes(instance, items[i])):
                    yield Occupied(i, n, str(r), 0, 1, size)

    def frame_of(self, instance: Any) -> Any:
        """A row for each item in a bin (pandas)."""
        import pandas as pd

        items = rows(instance)
        pairs = [(items[i].name, n) for n, held in enumerate(self.bins) for i in held]
        return pd.DataFrame(pairs, columns=[instance.extent[1], "bin"])

    def draw(self, instance: Any, ax: Any = None) -> Any:
        """The bins as bars, one beside the other for each resource, an item in one colour."""
        ax, tops = axes(ax, (5, 3)), dict[tuple[int, str], Any]()
        for row in self.occupied(instance):
            low, place = tops.get((row.place, row.resource), 0), row.place + 0.3 * int(row.resource)
            ax.bar(place, float(row.amount), 0.28, bottom=float(low), color=job_colour(row.job), edgecolor="white")
            tops[row.place, row.resource] = low + row.amount
        ax.set(xlabel="bin, a bar for each resource", ylabel="units", xticks=range(len(self.bins)))
        return ax


class View:
    """Bins, as a policy sees and fills them, one item after the other.

    Attributes
    ----------
    bins
        The items in each so far.
    """

    def __init__(self, kind: type[Bins], instance: Any) -> None:
        self._kind, self._instance = kind, instance
        self.bins: list[list[Any]] = []
        self._left: list[list[Any]] = []

    def left(self, n: int) -> list[Any]:
        """What is left of a bin in each resource; of one without items, what it has."""
        return self._left[n] if n < len(self._left) else list(self._kind.room(self._instance, n))

    def fits(self, item: Any, n: int) -> bool:
        """Whether there is such a bin, and an item fits into it."""
        exists = n >= 0 and (self._kind.most is None or n < self._kind.most)
        return exists and all(map(le, self._kind.sizes(self._instance, item), self.left(n)))

    def put(self, item: Any, n: int | None) -> None:
        """Put an item into a bin, or nowhere."""
        if n is None:
            return
        if not isinstance(n, int) or not self.fits(item, n):
            raise PolicyError(f"the policy put {item.name} into bin {short(n)}, where it does not fit")
        while len(self.bins) <= n:
            self._left.append(self.left(len(self.bins)))
            self.bins.append([])
        self._left[n] = list(map(sub, self._left[n], self._kind.sizes(self._instance, item)))
        self.bins[n].append(item)
