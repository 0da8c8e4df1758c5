"""Base classes of all families' instances and schedules.

The classes hold data; the card names the functions on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from importlib.metadata import version
from inspect import get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from schedproof.core.base.display import OneLine, Tabled
from schedproof.core.base.untyped import AnyFamily, Axes, Frame, Json, Network, Value
from schedproof.core.cards import registry
from schedproof.core.cards.family import Family, Measure
from schedproof.core.data import records
from schedproof.core.data.checking import Violation
from schedproof.core.data.codecs import derive
from schedproof.core.data.options import Option
from schedproof.core.data.reading import Row, Version, as_file, json_schema
from schedproof.core.errors import InputError, SchedproofError, expect, place_of
from schedproof.core.runtime.files import encode, sha256
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.policy import DecidedBy

if TYPE_CHECKING:
    from schedproof.core.simulation.timeline import Timeline


class Head(Row, frozen=True):
    """The first fields of every instance file."""

    version: Version
    family: str


class Instance(Tabled):
    """Base class of instances: a frozen dataclass of its file's records.

    Attributes
    ----------
    family, sense
        The family, and whether its objective is minimized or maximized.
    """

    family: ClassVar[str]
    sense: ClassVar[Literal["minimize", "maximize"]]

    def __post_init__(self) -> None:
        """Make rows tuples of numbered entities, and all numbers Python's."""
        kind: Value = type(self)
        entities = records.entities(kind)
        for name, value in list(vars(self).items()):
            new = _rows(value, name, entities[name]) if name in entities else records.plain(value)
            if new is not value:
                object.__setattr__(self, name, new)

    @property
    def card(self) -> Family:
        """The family's card."""
        return registry.family(self.family)

    @property
    def extent(self) -> tuple[int, str]:
        """The size and its unit: ``(300, "job")``."""
        rows, unit = self.card.own.size
        return len(getattr(self, rows)), unit

    @property
    def measure(self) -> Measure:
        """Name and unit of the family's objective."""
        return self.card.own.measure

    def in_words(self, objective: Fraction | float) -> str:
        """Return an objective and its mean: ``total JCT 251 slots, mean JCT 83.67 slots``."""
        amounts = self.measure.amounts(objective, self.extent[0])
        return ", ".join(f"{name} {amount}" for name, amount in amounts.items())

    def facts(self) -> dict[str, Value]:
        fields = getattr(self, "__dataclass_fields__", {})
        known = {name: value for name, f in fields.items() if (value := getattr(self, name)) is not f.default}
        counted = {name: len(value) if isinstance(value, Sized) else value for name, value in known.items()}
        return {"family": self.family, **counted}

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical JSON, which is independent of spacing."""
        return sha256(self.canonical())

    def canonical(self) -> bytes:
        """Return the canonical JSON, without spacing."""
        return encode(self._file())

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """Return an instance from a parsed JSON object with ints and Decimals.

        Raises
        ------
        InputError
            For an invalid instance, with path, value and expectation.
        """
        instance = cls(**records.values(cls, records.read(cls, value, Head)))
        instance.validate()
        return instance

    def validate(self) -> None:
        """Raise an InputError for values that the family does not allow."""

    def to_json(self) -> dict[str, Json]:
        """Return the JSON object of the instance file; numbers are ints or exact Decimals."""
        return as_file(self._file())

    def _file(self) -> Head:
        kind: Value = type(self)
        file: Head = records.form(kind, Head)(version=1, family=self.family, **records.objects(self, self))
        return file

    @classmethod
    def json_schema(cls) -> dict[str, Json]:
        """Return the JSON Schema of the instance file."""
        kind: Value = cls
        return json_schema(records.form(kind, Head))

    def to_frame(self) -> Frame:
        """Return a pandas table with one row per job and a column per number or name."""
        import pandas as pd

        rows, _ = self.card.own.size
        frame = pd.DataFrame(self.to_json()[rows])
        decimal = [name for name in frame if frame[name].map(lambda value: isinstance(value, Decimal)).any()]
        frame = frame.astype(dict.fromkeys(decimal, float))
        frame.attrs.update(family=self.family, instance_sha256=self.sha256)
        return frame

    def to_networkx(self) -> Network:
        """Return the instance's graph; the family's class documents its nodes and edges.

        Raises
        ------
        SchedproofError
            For a family without a graph.
        """
        raise SchedproofError(f"an instance of {self.family} has no graph: its family defines no `to_networkx`")

    def plot(self, ax: Axes = None) -> Axes:
        """Draw the instance's graph, `to_networkx`.

        Parameters
        ----------
        ax
            Matplotlib axes; default: those of a new figure.
        """
        from schedproof.core.simulation.networks import draw

        return draw(self.to_networkx(), ax)

    def notes(self) -> tuple[str, ...]:
        """Return warnings about the instance, one sentence each."""
        return self.card.load("notes")(self) if self.card.own.notes else ()


class ScheduleHead(Head, frozen=True):
    """The first fields of every schedule file: instance, policy and options."""

    instance_sha256: str
    policy: str
    options: dict[str, Value]
    seed: int
    software: str


@dataclass(frozen=True, repr=False, kw_only=True)
class Schedule(OneLine):
    """Base class of schedules; the fields of a family's class are records of its file.

    Attributes
    ----------
    policy, options, seed
        The policy or program, the options as given, and the seed of random draws.
    """

    family: ClassVar[str]
    instance: Annotated[AnyFamily, derive(lambda row, instance: instance)] = field(compare=False)
    policy: str
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0

    @classmethod
    def by(cls, decided_by: DecidedBy | str, instance: AnyFamily, *rows: Value, **more: Value) -> Self:
        """Return the schedule of a policy or program; ``rows`` are the family's fields."""
        who = DecidedBy(decided_by) if isinstance(decided_by, str) else decided_by
        return cls(*rows, instance=instance, **{**vars(who), **more})

    @classmethod
    def require(cls, instance: AnyFamily) -> None:
        """Raise an error for an instance that this kind of schedule does not support."""

    @classmethod
    def suit(cls, instance: type[AnyFamily]) -> None:
        """Raise an error for a class of instances without a field that this kind needs."""

    @classmethod
    def lengths(cls, jobs: str) -> dict[str, str]:
        """Return lists of an instance file and the keys that determine their lengths."""
        return {}

    @classmethod
    def augmentation(cls) -> tuple[Option, ...]:
        """Return options by which `drive` gives a policy more than the optimum has."""
        return ()

    @classmethod
    def choices(cls) -> set[str]:
        """Return the class variables with a value, which a family may set."""
        kinds = map(get_annotations, cls.__mro__)
        return {name for words in kinds for name, hint in words.items() if "ClassVar" in hint and hasattr(cls, name)}

    @property
    def instance_sha256(self) -> str:
        digest: str = self.instance.sha256
        return digest

    def facts(self) -> dict[str, Value]:
        return {
            "family": self.family,
            "policy": self.policy,
            "options": self.options,
            "seed": self.seed,
            "instance": self.instance_sha256[:12],
        }

    def objective(self, instance: AnyFamily, /, **rules: Value) -> Fraction:
        """Return the paper's objective, exact, under the card's rules.

        Parameters
        ----------
        rules
            Rules that differ from the default.
        """
        raise InputError(
            f"the schedule class {type(self).__name__}{place_of(type(self))} has no objective: define in it "
            "`def objective(self, instance)`, which returns the schedule's cost or value as an int or a Fraction"
        )

    @property
    def remarks(self) -> Sequence[str]:
        """Notes on how the schedule was made, one sentence each; usually none."""
        return ()

    def violations(self, instance: AnyFamily, /, **rules: Value) -> list[Violation]:
        """Return all violated constraints, in exact arithmetic; empty if feasible.

        Parameters
        ----------
        rules
            Rules of the family's card that differ from the default, such as ``speed=2``. The schedule's options do not
            count.
        """
        card = instance.card
        violations: list[Violation] = card.load("check")(self, instance, **card.rules_with(rules))
        return violations

    def contradiction(self, rules: Mapping[str, Value]) -> str:
        """Return a warning if the schedule's options differ from the rules of its check."""
        mine = registry.family(self.family).rules_among(self.options)
        names = [name for name in rules if name in self.options and mine[name] != rules[name]]
        if not names:
            return ""
        said, judged = (", ".join(f"{name}={those[name]}" for name in names) for those in (mine, rules))
        return f"the schedule's options have {said}, but the check used {judged}"

    @classmethod
    def from_json(cls, value: Json, instance: AnyFamily) -> Self:
        """Return a schedule of an instance from a parsed JSON object.

        Raises
        ------
        InputError
            For an invalid schedule or another instance, with path, value and expectation.
        """
        file = records.read(cls, value, ScheduleHead)
        expect(file.family == instance.family, f"expected {instance.family}", "family", file.family)
        mine, digest = "expected a schedule of this instance", file.instance_sha256
        expect(digest == instance.sha256, mine, "instance_sha256", digest)
        for rule in instance.card.rules:
            if rule.name in file.options:
                _require(rule, file.options[rule.name])
        return cls(**records.values(cls, file, scope=instance))

    def to_json(self, instance: AnyFamily) -> dict[str, Json]:
        """Return the JSON object of the schedule file."""
        kind: Value = type(self)
        given = records.objects(self, instance)
        head = {
            "version": 1,
            "family": self.family,
            "instance_sha256": self.instance_sha256,
            "policy": self.policy,
            "options": {key: str(v) if isinstance(v, Fraction) else v for key, v in self.options.items()},
            "seed": self.seed,
            "software": f"schedproof {version('schedproof')}",
        }
        return head | {
            key: given[name]
            for name, key, codec in records.fields(kind)
            if codec.form and name not in head and given[name] != codec.default
        }

    def write(self, path: str | Path, instance: AnyFamily, outdated: Sequence[Path] = ()) -> None:
        """Write the schedule file atomically, and remove files derived from an older one."""
        from schedproof.core.data.arrays import write_object

        write_object(path, self.to_json(instance), outdated)

    def occupied(self, instance: AnyFamily) -> Iterator[Occupied]:
        """Yield rows of job, place, resource, time and amount; without time, from 0 to 1."""
        raise NotImplementedError

    def timeline(self, instance: AnyFamily) -> Timeline | None:
        """Return activity of jobs and use of resources over time, or None without time."""
        return None

    def to_frame(self, instance: AnyFamily = None) -> Frame:
        """Return a pandas table with one row per job or port.

        Parameters
        ----------
        instance
            Default: the schedule's own instance.
        """
        return self.frame_of(self.instance if instance is None else instance)

    def frame_of(self, instance: AnyFamily) -> Frame:
        """Return the family's table for `to_frame`."""
        raise NotImplementedError

    def plot(self, instance: AnyFamily = None, ax: Axes = None) -> Axes:
        """Draw the schedule, on its instance or another one."""
        shown = self.instance if instance is None else instance
        return shown.card.load("picture")(self, shown, ax)


def _require(rule: Option, value: Json) -> None:
    try:
        rule.kind.read(value)
    except ValueError:
        raise InputError(f"expected {rule.kind.words}", path=f"options.{rule.name}", value=value) from None


def _rows(given: Iterable[Value], name: str, entity: Value) -> tuple[Value, ...]:
    """Return the entities of a field, numbered; refuse rows of another type."""
    rows = tuple(given)
    for n, row in enumerate(rows):
        if not isinstance(row, entity):
            keys = ", ".join(f"{field.name}=..." for field in records.fields(entity))
            raise InputError(f"expected {entity.__name__}({keys})", path=f"{name}[{n}]", value=row)
    return records.numbered(rows)
