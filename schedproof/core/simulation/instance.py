"""What instances and schedules of every family have in common: data below, and what acts on them named by the card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
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
from schedproof.core.errors import InputError, SchedproofError, expect
from schedproof.core.runtime.files import encode, sha256
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.policy import DecidedBy

if TYPE_CHECKING:
    from schedproof.core.simulation.timeline import Timeline


class Head(Row, frozen=True):
    """How every instance file begins."""

    version: Version
    family: str


class Instance(Tabled):
    """A family's instance: a frozen dataclass whose fields are records of its file, and what follows from them.

    Attributes
    ----------
    family, sense
        Its family, and whether the family's objective is minimized or maximized.
    """

    family: ClassVar[str]
    sense: ClassVar[Literal["minimize", "maximize"]]

    @property
    def card(self) -> Family:
        """Its family's card."""
        return registry.family(self.family)

    @property
    def extent(self) -> tuple[int, str]:
        """How much there is to do, and of what: ``(300, "job")``."""
        rows, unit = self.card.own.size
        return len(getattr(self, rows)), unit

    @property
    def measure(self) -> Measure:
        """What its family's objective is called, and its unit."""
        return self.card.own.measure

    def in_words(self, objective: Fraction | float) -> str:
        """An objective on it, and its mean: ``total JCT 251 slots, mean JCT 83.67 slots``."""
        amounts = self.measure.amounts(objective, self.extent[0])
        return ", ".join(f"{name} {amount}" for name, amount in amounts.items())

    def facts(self) -> dict[str, Value]:
        """Its family, its numbers, and how many there are of everything that it lists."""
        known = {name: getattr(self, name) for name in getattr(self, "__dataclass_fields__", ())}
        counted = {name: len(value) if isinstance(value, Sized) else value for name, value in known.items()}
        return {"family": self.family, **counted}

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the instance's canonical JSON: the same for every spacing of the same file."""
        return sha256(self.canonical())

    def canonical(self) -> bytes:
        """The bytes that identify it: its JSON without spacing."""
        return encode(self._file())

    @classmethod
    def from_json(cls, value: Json) -> Self:
        """An instance from a parsed JSON object, in which numbers are ints or Decimals.

        Raises
        ------
        InputError
            Where it is none: the path, the value found and what was expected.
        """
        instance = cls(**records.values(cls, records.read(cls, value, Head)))
        instance.validate()
        return instance

    def validate(self) -> None:
        """Refuse what the types of its fields allow and its family does not, by an InputError."""

    def to_json(self) -> dict[str, Json]:
        """The instance file's JSON object; numbers are ints or exact Decimals."""
        return as_file(self._file())

    def _file(self) -> Head:
        kind: Value = type(self)
        file: Head = records.form(kind, Head)(version=1, family=self.family, **records.objects(self, self))
        return file

    @classmethod
    def json_schema(cls) -> dict[str, Json]:
        """The JSON Schema of its file."""
        kind: Value = cls
        return json_schema(records.form(kind, Head))

    def to_frame(self) -> Frame:
        """A table (pandas), one row for each job, or what there is to do; a column for each number or name of it."""
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
            Matplotlib axes to draw on; None makes a figure that needs no display (``ax.figure.savefig(...)``).
        """
        from schedproof.core.simulation.networks import draw

        return draw(self.to_networkx(), ax)

    def notes(self) -> tuple[str, ...]:
        """What a user should know before anything is solved, one sentence each."""
        return self.card.load("notes")(self) if self.card.own.notes else ()


class ScheduleHead(Head, frozen=True):
    """How every schedule file begins: whose instance it is, and who decided it with which options."""

    instance_sha256: str
    policy: str
    options: dict[str, Value]
    seed: int
    software: str


@dataclass(frozen=True, repr=False, kw_only=True)
class Schedule(OneLine):
    """What a policy or a program decided on one instance; the fields of a family's class are records of its file.

    Attributes
    ----------
    policy, options, seed
        Who decided it, with which options as they were given, and the seed of the random choices.
    """

    family: ClassVar[str]
    instance: Annotated[AnyFamily, derive(lambda row, instance: instance)] = field(compare=False)
    policy: str
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int = 0

    @classmethod
    def by(cls, decided_by: DecidedBy | str, instance: AnyFamily, *rows: Value, **more: Value) -> Self:
        """What somebody decided on an instance; ``rows`` are the family's own fields."""
        who = DecidedBy(decided_by) if isinstance(decided_by, str) else decided_by
        return cls(*rows, instance=instance, **{**vars(who), **more})

    @classmethod
    def require(cls, instance: AnyFamily) -> None:
        """Refuse an instance that has no such schedule; what does that is the instance's own ``validate``, or this."""

    @classmethod
    def lengths(cls, jobs: str) -> dict[str, str]:
        """Of lists in the file of an instance with such a list of jobs, the places of what says how long they are."""
        return {}

    @classmethod
    def choices(cls) -> set[str]:
        """What a family may choose of this kind of schedule: its class variables that have a value."""
        kinds = map(get_annotations, cls.__mro__)
        return {name for words in kinds for name, hint in words.items() if "ClassVar" in hint and hasattr(cls, name)}

    @property
    def instance_sha256(self) -> str:
        """The instance's identity."""
        digest: str = self.instance.sha256
        return digest

    def facts(self) -> dict[str, Value]:
        """Who decided it, and on which instance."""
        return {
            "family": self.family,
            "policy": self.policy,
            "options": self.options,
            "seed": self.seed,
            "instance": self.instance_sha256[:12],
        }

    def objective(self, instance: AnyFamily, /, **rules: Value) -> Fraction:
        """The paper's objective, exact, by the rules of the family's card; those not given are as usual."""
        raise NotImplementedError

    @property
    def remarks(self) -> Sequence[str]:
        """Notes on how it was made, one sentence each; most have none."""
        return ()

    def violations(self, instance: AnyFamily, /, **rules: Value) -> list[Violation]:
        """Every broken constraint, in exact arithmetic; empty for a feasible schedule.

        Parameters
        ----------
        rules
            Of the family's card, such as ``speed=2``; those not given are as usual. Its own options are not read.
        """
        card = instance.card
        violations: list[Violation] = card.load("check")(self, instance, **card.rules_with(rules))
        return violations

    def contradiction(self, rules: Mapping[str, Value]) -> str:
        """One sentence where the schedule's own options are not the rules that it is judged by; else empty."""
        mine = registry.family(self.family).rules_among(self.options)
        names = [name for name in rules if name in self.options and mine[name] != rules[name]]
        if not names:
            return ""
        said, judged = (", ".join(f"{name}={those[name]}" for name in names) for those in (mine, rules))
        return f"the schedule says that it was made with {said}; it is judged by {judged}"

    @classmethod
    def from_json(cls, value: Json, instance: AnyFamily) -> Self:
        """A schedule of an instance from a parsed JSON object.

        Raises
        ------
        InputError
            Where it is none, or another instance's: the path, the value found and what was expected.
        """
        file = records.read(cls, value, ScheduleHead)
        expect(file.family == instance.family, f"expected {instance.family}", "family", file.family)
        mine, digest = "expected a schedule of this very instance", file.instance_sha256
        expect(digest == instance.sha256, mine, "instance_sha256", digest)
        for rule in instance.card.rules:
            if rule.name in file.options:
                _require(rule, file.options[rule.name])
        return cls(**records.values(cls, file, scope=instance))

    def to_json(self, instance: AnyFamily) -> dict[str, Json]:
        """The schedule file's JSON object."""
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
        """Write the schedule file, whole or not at all, and remove what shows another schedule."""
        from schedproof.core.data.arrays import write_object

        write_object(path, self.to_json(instance), outdated)

    def occupied(self, instance: AnyFamily) -> Iterator[Occupied]:
        """Who holds how much of what, where and when, a row for each; where nothing tells time, from 0 to 1."""
        raise NotImplementedError

    def timeline(self, instance: AnyFamily) -> Timeline | None:
        """When jobs run and are done, and how full resources are; None for a family in which nothing tells time."""
        return None

    def to_frame(self, instance: AnyFamily = None) -> Frame:
        """A table (pandas), one row for each job, or port; on the instance that it was made for, or another one."""
        return self.frame_of(self.instance if instance is None else instance)

    def frame_of(self, instance: AnyFamily) -> Frame:
        """What the family makes of `to_frame`."""
        raise NotImplementedError

    def plot(self, instance: AnyFamily = None, ax: Axes = None) -> Axes:
        """The schedule's picture, on the instance that it was made for, or another one."""
        shown = self.instance if instance is None else instance
        return shown.card.load("picture")(self, shown, ax)


def _require(rule: Option, value: Json) -> None:
    """Refuse what no option of that name can be, although a schedule is never judged by what it says of itself."""
    try:
        rule.kind.read(value)
    except ValueError:
        raise InputError(f"expected {rule.kind.words}", path=f"options.{rule.name}", value=value) from None
