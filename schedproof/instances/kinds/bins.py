"""A stock kind of schedule without times: items in bins, or jobs on machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import le, sub
from typing import Any, ClassVar

from schedproof.core.data.checking import Violation
from schedproof.core.errors import InputError, PolicyError, expect, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.pictures import axes, job_colour
from schedproof.core.simulation.policy import DecidedBy, Hidden, arguments_of
from schedproof.instances.arriving import arrivals
from schedproof.instances.kinds import checkers
from schedproof.instances.kinds.rows import JOB, amounts, capacity_of, places, positions, rows
from schedproof.instances.kinds.stock import PLACES, Stock


@dataclass(frozen=True, repr=False)
class Bins(Stock):
    """Items in bins, or jobs on machines; the family defines the objective.

    ``sp.family(..., sp.Bins, jobs="items")`` names the field with the items. Each bin has the instance's ``capacity``:
    a number for every resource, or a tuple with one number for each. If the bins differ, ``places="servers"`` names the
    field with the bins, which are entities with a ``capacity``. An
    item has ``sizes``, a tuple with one number for each resource.

    A policy is one of the following functions, or a class with a method ``assign`` of the same arguments:

    - ``policy(instance)`` returns a list with the items of each bin.
    - ``policy(view, item)`` returns the number of the item's bin, or None to leave the item out. The policy is called
      for one item after the other, by ``arrival`` if items have arrivals, otherwise in file order. An item stays in its
      bin.
      The view has ``bins`` (list of lists of entities), ``most`` (int or None), ``places`` (sequence of entities),
      ``capacity(n)`` and ``left(n)`` (one number for each resource of bin n), and ``fits(item, n)`` (bool).

    A family overrides ``objective``, and optionally ``sizes`` and ``capacity``.

    Attributes
    ----------
    bins
        The items in each bin, by position in the file.
    places
        Name of the instance's field with the bins; default: all bins are alike.
    most
        The number of bins without ``places``; None for no limit.
    every
        Whether each item must be in a bin.

    Examples
    --------
    Items have a weight and a volume, and come one by one.

    >>> import schedproof as sp
    >>> class Item(sp.Entity):
    ...     name: sp.Name
    ...     sizes: tuple[sp.Count, ...]
    >>> class Load(sp.Instance):
    ...     "Items with weight and volume."
    ...     capacity: tuple[sp.Positive, ...]
    ...     items: tuple[Item, ...]
    >>> class Packing(sp.Bins):
    ...     jobs = "items"
    ...     def objective(self, load):
    ...         return len(self.bins)
    >>> RANGES = {"capacity": 2, "capacity[*]": 9, "items": 6, "items[*].sizes": 2}
    >>> LOAD = sp.family("two_sizes", Load, Packing, presets={"tiny": RANGES})
    >>> @LOAD.policy
    ... def first_fit(view, item):
    ...     "Put each item into the first bin with room for it."
    ...     return next(n for n in range(len(view.bins) + 1) if view.fits(item, n))
    >>> sp.policy("two_sizes.first_fit").run(sp.embedded("two_sizes")).feasible
    True
    """

    bins: tuple[tuple[JOB, ...], ...]

    places: ClassVar[str] = ""
    most: ClassVar[int | None] = None
    every: ClassVar[bool] = True

    @classmethod
    def needs(cls) -> dict[str, str]:
        return {cls.places: PLACES} if cls.places else {}

    @classmethod
    def suit(cls, instance: type[Any]) -> None:
        super().suit(instance)
        if hasattr(cls, "room"):
            raise InputError(f"{cls.__name__}.room: this method of sp.Bins is now named `capacity`; rename it")

    @staticmethod
    def sizes(instance: Any, item: Any) -> Sequence[Any]:
        """Return an item's demand for each resource."""
        result: Sequence[Any] = item.sizes
        return result

    @classmethod
    def capacity(cls, instance: Any, n: int) -> Any:
        """Return bin ``n``'s capacity: a number for every resource, or one for each."""
        return capacity_of(instance, places(instance)[n] if cls.places else None)

    @classmethod
    def limits(cls, instance: Any, n: int) -> tuple[Any, ...]:
        """Return bin ``n``'s capacity of each resource."""
        return amounts(cls.capacity(instance, n), len(cls.sizes(instance, rows(instance)[0])))

    @classmethod
    def count(cls, instance: Any) -> int | None:
        """Return the number of bins; None for no limit."""
        return len(places(instance)) if cls.places else cls.most

    @classmethod
    def view(cls, instance: Any) -> View:
        """Return empty bins that a policy fills."""
        return View(cls, instance)

    @classmethod
    def require(cls, instance: Any) -> None:
        """Refuse an item with the wrong resources, or a mandatory item that fits no bin."""
        for n, item in enumerate(rows(instance)):
            sizes, bins = cls.sizes(instance, item), range(cls.count(instance) or 1) if cls.places else range(1)
            every = [cls.limits(instance, i) for i in bins]
            path, names = f"{instance.card.own.size[0]}[{n}]", " or ".join(", ".join(map(str, room)) for room in every)
            fits = all(len(sizes) == len(room) for room in every)
            fits = fits and (not cls.every or any(all(map(le, sizes, room)) for room in every))
            expect(fits, f"expected sizes that fit into a bin of {names}", path, item.name)

    @classmethod
    def drive(cls, policy: Any, instance: Any, decided_by: DecidedBy, context: Context) -> Bins:
        """Run a policy that fills all bins at once or places one item at a time."""
        if arguments_of(policy) == 2:
            view, items = cls.view(instance), rows(instance)
            arrive = all(hasattr(item, "arrival") for item in items)
            for item in (item for _, those in arrivals(items) for item in those) if arrive else items:
                view.put(item, policy.assign(view, item))
            bins: Sequence[Any] = view.bins
        else:
            bins = policy.assign(instance)
            if not isinstance(bins, Sequence):
                raise PolicyError(f"the policy returned {short(bins)}, expected a list with a list of items per bin")
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
    bins : list of lists of entities
        The items in each bin so far, without the unused bins at the end.
    most : int or None
        The number of bins; None for no limit.
    places : sequence of entities
        The bins as entities of the instance; empty if all bins are alike.
    """

    def __init__(self, kind: type[Bins], instance: Any) -> None:
        items = instance.card.own.size[0]
        self._kind, self._system = kind, Hidden.of(instance, *(instance.__dataclass_fields__.keys() - {items}))
        self.most = kind.count(instance)
        self.places = places(instance) if kind.places else ()
        some = range(len(self.places) or 1) if rows(instance) else ()
        self._limits = [kind.limits(instance, n) for n in some]
        self.bins: list[list[Any]] = []
        self._left: list[list[Any]] = []

    def capacity(self, n: int) -> tuple[Any, ...]:
        """Return the capacity of each resource of bin ``n``."""
        return self._limits[n if self.places else 0]

    def left(self, n: int) -> list[Any]:
        """Return the remaining amount of each resource of bin ``n``."""
        return self._left[n] if n < len(self._left) else list(self.capacity(n))

    def fits(self, item: Any, n: int) -> bool:
        """Return whether bin ``n`` exists and has room for an item."""
        exists = n >= 0 and (self.most is None or n < self.most)
        return exists and all(map(le, self._kind.sizes(self._system, item), self.left(n)))

    def put(self, item: Any, n: int | None) -> None:
        """Put an item into bin ``n``; None leaves it out."""
        if n is None:
            return
        if type(n) is not int or not self.fits(item, n):
            some = (n for n in range(len(self.bins) + 1) if self.fits(item, n))
            example = next((f"for example {n}" for n in some), "but it fits into no bin: return None")
            expected = f"expected the number of a bin with room for it, {example}"
            raise PolicyError(f"the policy put {item.name} into bin {short(n)}, {expected}")
        while len(self.bins) <= n:
            self._left.append(self.left(len(self.bins)))
            self.bins.append([])
        self._left[n] = list(map(sub, self._left[n], self._kind.sizes(self._system, item)))
        self.bins[n].append(item)
