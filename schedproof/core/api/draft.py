"""A family in one file: decorators of its functions add rows to its card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial, wraps
from inspect import cleandoc
from pathlib import Path
from random import Random
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, get_args

from schedproof.core.api import factories
from schedproof.core.api.factories import Factory
from schedproof.core.base.untyped import AnyFamily, Json, Loaded, Value
from schedproof.core.cards import plug_ins, registry
from schedproof.core.cards.family import OBJECTIVE, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.records import Entity
from schedproof.core.errors import InputError, describe, refuse_misspelt, require, short
from schedproof.core.programs.group import Group, docstring
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.core.simulation import drawing
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.core.simulation.policy import SETTINGS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from schedproof.core.claims.claim import Claim


@dataclass(frozen=True)
class Given:
    """A case of a claim about instances."""

    instance: AnyFamily


def _of_instance(function: Factory, case: Given, **settings: Value) -> Value:
    return function(case.instance, **settings)


class Draft:
    """A family under construction.

    `card` is the family's card; the family's programs and policies are attributes.

    Attributes
    ----------
    instance, schedule
        The family's two classes.
    programs, policies, generators, traces, games
        The objects that the card lists, by name.
    """

    def __init__(
        self,
        name: str,
        instance: type[Instance],
        schedule: type[Schedule],
        *,
        sense: Literal["minimize", "maximize"] = "minimize",
        sentence: str = "",
        paper: Paper | None = None,
        presets: drawing.Presets | None = None,
        measure: Measure = OBJECTIVE,
        **card: Value,
    ) -> None:
        self.name, self.sense, self._module = name, sense, instance.__module__
        self.instance, self.schedule = _as_dataclass(instance, name, sense), _as_dataclass(schedule, name)
        if instance.validate is Instance.validate:
            instance.validate = lambda self: schedule.require(self)  # type: ignore[method-assign]
        self.programs, self.policies, self.generators, self.traces, self.games = (SimpleNamespace() for _ in range(5))
        self._rows: dict[str, list[Entry]] = {kind: [] for kind in ROWS}
        rules = (*self.schedule.augmentation(), *card.pop("rules", ()))
        self._card = {"sentence": sentence or factories.sentence(instance), "paper": paper, "rules": rules, **card}
        for method in ("check", "objective") if rules else ():
            setattr(self.schedule, method, factories.without_rules(getattr(self.schedule, method)))
        refuse_misspelt(schedule, schedule.choices())
        schedule.suit(instance)
        self._measure, self._size = measure, _size(instance, schedule)
        self._presets = drawing.presets(instance, presets, schedule.lengths(self._size[0]))
        self._add("generators", name, self._generate, f"Random {self._size[0]}.", presets=tuple(self._presets))
        plug_ins.DRAFTS[name] = self

    @property
    def card(self) -> Family:
        """The family's card with all rows added so far."""
        data = Data(
            instance=self._home("instance"),
            schedule=self._home("schedule"),
            drive=self._home("schedule.drive"),
            check=self._home("schedule.check"),
            picture=self._home("schedule.draw"),
            size=self._size,
            measure=self._measure,
        )
        claims = (self._module,) if plug_ins.has_claims(self._module) else ()
        rows = {kind: tuple(entries) for kind, entries in self._rows.items()}
        return Family(**{"name": self.name, "data": data, "claims": claims, **rows, **self._card})

    def program(self, parts: type) -> Program:
        """Add the program that a class defines by its groups, in printed order.

        Parameters
        ----------
        parts
            A class with groups and fields of `schedproof.core.programs.program.Program`; inherited ones count. Its
            docstring describes the program. ``exact`` lists functions of the instance that find the optimum by exact
            enumeration; None means infeasible. ``to_schedule(model, instance)`` returns a schedule, or the value of the
            schedule's only field.
        """
        given: dict[str, Value] = {k: v for base in reversed(parts.__mro__[:-1]) for k, v in vars(base).items()}
        id = f"{self.name}.{parts.__name__}"
        groups = tuple(value for value in given.values() if isinstance(value, Group))
        given["routes"] = {best.__name__: Route(factories.outcome(best), EXHAUSTIVE) for best in given.get("exact", ())}
        given.setdefault("integer", any(g.row() != g.row(integer=False) for g in groups))
        if "to_schedule" in given:
            given["to_schedule"] = factories.deciding(id, self.schedule, given["to_schedule"])
        known = {field.name for field in fields(Program)} - {"id", "groups"}
        result = Program(
            id, groups=groups, **{"sense": self.sense, **{name: given[name] for name in given.keys() & known}}
        )
        self._add("programs", parts.__name__, result, factories.sentence(parts))
        return result

    def optimum(self, value: Factory) -> Factory:
        """Declare a function of the instance that returns the exact offline optimum.

        `worst` and `ratio_claim` accept the function as the program ``optimum``; `doctor` compares it with enumeration,
        programs, bounds and policies. The function returns an int or a Fraction, or None for an infeasible instance.
        """
        name = f"the declared optimum {value.__name__}"
        routes = {value.__name__: Route(factories.outcome(value, rests_on=name), EXHAUSTIVE)}
        result = Program(
            f"{self.name}.optimum", self.sense, (), integer=False, routes=routes, default_solver=value.__name__
        )
        self._add("programs", "optimum", result, factories.sentence(value))
        return value

    def policy(self, rule: Factory) -> Factory:
        """Add a function or class as a policy; its keyword-only arguments are options.

        The ``drive`` method of the family's schedule class defines the function's arguments and result. The annotation
        of an option is a kind from `schedproof.core.data.options`, or ``Annotated[type, kind, "meaning"]``.
        """
        if isinstance(rule, type):
            refuse_misspelt(rule, SETTINGS)
        more = self.schedule.augmentation()
        factory = factories.augmented(rule if isinstance(rule, type) else factories.rule_factory(rule), more)
        self._add(
            "policies", rule.__name__, factory, factories.sentence(rule), options=(*factories.options(rule), *more)
        )
        return rule

    def generator(self, **presets: Value) -> Callable[[Factory], Factory]:
        """Replace the default generator by ``function(rng, preset)``.

        The function returns the fields of an instance file; ``preset`` is the value of the chosen preset.
        """

        def register(function: Factory) -> Factory:
            def generate(preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Json]:
                chosen = drawing.chosen(self.name, preset, presets, settings)
                return self._file(function(Random(seed), chosen))

            self._add("generators", self.name, generate, factories.sentence(function), presets=tuple(presets))
            return function

        return register

    def trace(self, function: Factory) -> Factory:
        """Add a trace reader: ``function(files)`` returns an instance's fields.

        The function may also return a pair: the fields and a report.
        """

        def load(
            files: Sequence[str | Path], seed: int, options: Mapping[str, str]
        ) -> tuple[dict[str, Json], dict[str, Json]]:
            try:
                fields = function([Path(file) for file in files])
                fields, report = fields if isinstance(fields, tuple) else (fields, {})
                extent = self.instance.from_json(self._file(fields)).extent
            except (OSError, ValueError, LookupError, TypeError, InputError) as error:
                raise InputError(
                    f"the reader {function.__name__} failed: {describe(error)}", file=str(files[0])
                ) from error
            return self._file(fields), report or {self._size[0]: extent[0]}

        self._add("traces", function.__name__, load, factories.sentence(function))
        return function

    def table(self, function: Factory) -> Factory:
        """Add a reader of CSV tables: ``function(rows)`` returns an instance's fields.

        Each row is a dict from columns to values; numbers are ints or Decimals. The result is as for `trace`.
        """

        def of_files(files: Sequence[Path]) -> Value:
            return function([row for file in files for row in drawing.table(file)])

        self.trace(wraps(function)(of_files))
        return function

    def game(self, function: Factory) -> Factory:
        """Add a game: ``function(draft, above, *, context, **options)``.

        The function returns a strategy of `adversary.games`.
        """
        self._add(
            "games",
            function.__name__,
            partial(function, self),
            factories.sentence(function),
            options=factories.options(function),
        )
        return function

    def claim(
        self,
        at: str = "",
        *,
        false: Mapping[str, Value] = MappingProxyType({}),
        regimes: Mapping[str, Callable[[AnyFamily], bool]] = MappingProxyType({}),
        preset: str = "",
        **more: Value,
    ) -> Callable[[Factory], Claim[Given]]:
        """Make a claim, printed ``at`` a place, from a function that checks one instance.

        The first paragraph of the check's docstring is the statement, the rest is its proof.

        Parameters
        ----------
        false
            Arguments of the check that turn it into false variants, one variant for each argument.
        regimes
            Predicates of an instance that some case must satisfy; default: more than one job.
        preset
            Preset of the drawn cases; default: the first one.
        more
            Other fields of `schedproof.core.claims.claim.Claim`.
        """
        from hypothesis import strategies as st

        from schedproof.core.claims.claim import Claim, Domain

        def register(check: Factory) -> Claim[Given]:
            usual = {f"more than one {self._size[1]}": lambda instance: instance.extent[0] > 1}
            reached = {name: partial(_of_instance, meets) for name, meets in (regimes or usual).items()}
            domain = Domain.of(Given, st.builds(Given, self.strategy(preset)), reached)
            source = (self._card["paper"] or Paper(self.name, (), self.name, "", 0)).at(at or "not printed there")
            statement, _, proof = cleandoc(docstring(check)).partition("\n\n")
            claim = Claim(f"{self.name}.{check.__name__}", source, " ".join(statement.split()), domain, **more)
            asked = wraps(check)(partial(_of_instance, check))
            for name, value in reversed([*false.items()]):
                claim.false_variant(f"{name} = {value}", **{name: value})(asked)
            claim.reading("as it is said", claim.statement, proof or None)(asked)
            return claim

        return register

    def strategy(self, preset: str = "") -> SearchStrategy[AnyFamily]:
        """Return a Hypothesis strategy of a preset's instances; default: the first preset."""
        return drawing.strategy(self.instance, self._presets[preset or next(iter(self._presets))])

    def __getattr__(self, name: str) -> Loaded:
        if name.startswith("_"):
            raise AttributeError(name)
        from schedproof.core.api.facade import attribute

        return attribute(self.name, name)

    def __dir__(self) -> list[str]:
        from schedproof.core.api.facade import names

        return sorted({*super().__dir__(), *names(self.name)})

    def _generate(self, preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Json]:
        ranges = drawing.chosen(self.name, preset, self._presets, settings)
        return drawing.document(self.instance, ranges, Random(seed))

    def _file(self, fields: dict[str, Json]) -> dict[str, Json]:
        return {"version": 1, "family": self.name, **fields}

    def _home(self, place: str) -> str:
        return f"{__name__}:drafts.{self.name}.{place}"

    def _add(self, kind: str, name: str, value: Value, sentence: str, **more: Value) -> None:
        setattr(getattr(self, kind), name, value)
        rows = [row for row in self._rows[kind] if row.name != name]
        self._rows[kind] = [*rows, Entry(name, self._home(f"{kind}.{name}"), sentence, **more)]
        registry.forget()


ROWS = ("programs", "policies", "generators", "traces", "games")


class _Drafts:
    """All drafts by name; the locations on a draft's card begin with this object."""

    def __getattr__(self, name: str) -> Draft:
        if name not in plug_ins.DRAFTS:
            raise AttributeError(name)
        draft: Draft = plug_ins.DRAFTS[name]
        return draft


drafts = _Drafts()


def family(name: str, instance: type[Instance], schedule: type[Schedule], **more: Value) -> Draft:
    """Define a new family, which all commands and functions then accept.

    Parameters
    ----------
    instance
        A subclass of `Instance` with the fields of the instance file. Its first docstring sentence describes the
        family.
    schedule
        `Answers`, `Bins`, `Order`, `Intervals`, `Shares`, a subclass of one of them, or a subclass of `Schedule` with
        ``drive``, ``check`` and ``draw``.
    more
        ``sense`` (default: minimize), ``paper``, ``measure``; ``jobs`` and ``places``, the names of the instance's
        fields; choices of the schedule kind such as ``preemptive``; other fields of
        `schedproof.core.cards.family.Family`. ``presets`` maps names to values by path, each preset listing differences
        from the first: a number, a range ``(low, high)``, choices ``[1, 2, 4]``, or the name of another field.

    Returns
    -------
    Draft
        Its methods ``program``, ``optimum``, ``policy``, ``generator``, ``trace`` and ``game`` extend the family.
    """
    require(name, str, "the name of a family")
    for given, kind in ((instance, Instance), (schedule, Schedule)):
        if not (isinstance(given, type) and issubclass(given, kind)):
            raise InputError(f"the family {name}: expected a subclass of {kind.__name__}, found {short(given)}")
    if not name.isidentifier():
        raise InputError(f"expected a family name that is a Python identifier, found {short(name)}")
    chosen = {word: more.pop(word) for word in set(more) & schedule.choices()}
    return Draft(name, instance, _kind(schedule, name, chosen), **more)


def _kind(schedule: type[Schedule], name: str, chosen: Mapping[str, Value]) -> type[Schedule]:
    place = {"__module__": __name__, "__qualname__": f"drafts.{name}.schedule"}
    stock = "__dataclass_fields__" in vars(schedule)
    return type(schedule.__name__, (schedule,), {**chosen, **place}) if chosen or stock else schedule


def _as_dataclass(kind: Any, name: str, sense: str = "") -> Any:
    kind.family = name
    if sense:
        kind.sense = sense
    return kind if "__dataclass_fields__" in vars(kind) else dataclass(frozen=True, eq=not sense, repr=False)(kind)


def _size(instance: type[Instance], schedule: Any) -> tuple[str, str]:
    """Return the name of the list with the jobs, and the noun for a job."""
    lists = {}
    for name, hint in drawing.hints(instance).items():
        inner = get_args(hint)
        if inner[1:] == (...,) and isinstance(inner[0], type) and issubclass(inner[0], Entity):
            lists[name] = inner[0].__name__.lower()
    if not lists:
        raise InputError(f"{instance.__name__} has no list of entities; expected a field like jobs: tuple[Job, ...]")
    given, places = getattr(schedule, "jobs", ""), getattr(schedule, "places", "")
    possible = [given] if given and isinstance(given, str) else [name for name in lists if name != places]
    if len(possible) != 1 or possible[0] not in lists:
        known, example = ", ".join(lists), next(iter(possible[1:] or lists))
        raise InputError(
            f"{instance.__name__}: expected the name of the list with the jobs or items, one of {known}, found "
            f"{short(given) if given else 'none'}; write for example jobs = '{example}' in the schedule class"
        )
    return possible[0], lists[possible[0]]
