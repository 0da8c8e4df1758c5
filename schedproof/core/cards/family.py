"""A family's card: what it offers and where that lives, as plain data.

A card imports nothing but this module, `options` and `sources`, so that lists and help cost no more than reading it. A
home is written ``module:attribute`` and imported when it is used. Ours lie in `schedproof.families`; another package
registers its own card under the entry point ``schedproof.families``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import signature
from typing import Literal, NamedTuple

from schedproof.core.base.loader import load
from schedproof.core.base.untyped import AnyFamily, Loaded, Value
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import Option, parse_options
from schedproof.core.errors import SchedproofError, one_sentence
from schedproof.core.runtime.context import Context

KINDS = ("program", "policy", "bound", "generator", "trace", "trainer", "game")


@dataclass(frozen=True)
class Entry:
    """Something that a family offers under a name.

    Attributes
    ----------
    name
        A program's id is ``family.name``, likewise a policy's, a bound's and a game's; a generator and a trainer have
        the family's name, a trace that of its format.
    home
        The factory: for a program ``factory(**options) -> Program``, for a policy ``factory(**options)`` of one of the
        protocols in `schedproof.core.simulation.policy`, for a bound ``bound(instance, context, **options) -> Bound``,
        for a generator ``generate(preset, seed, settings)``, for a trace ``load(files, seed, options)``, for a trainer
        ``train(preset, out, device, **options)``, for a game ``solve(above, context, **options)``.
    sentence, options
        What it is, and its options: the factory gets the default of each one that is not given.
    presets, settings
        Of a generator or a trainer, the names of its sizes; of a generator, its settings, a NamedTuple with defaults.
    rule
        Of a policy that is a function of a finite state: the file that says so, ``module:file.py``, beside the module;
        in braces stands the name of an option whose value is part of the file's name.
    offline
        Of a policy, whether it sees all jobs at once: its schedules are known ones, and no online algorithm's.
    compared
        Of a policy, the options of each of its runs in a comparison for which no policy is named; empty for none.
    forgoes
        Of a policy, what it never does, in words, by the measure of a comparison that is 0 in all of its runs.
    """

    name: str
    home: str
    sentence: str
    options: tuple[Option, ...] = ()
    presets: tuple[str, ...] = ()
    settings: str = ""
    rule: str = ""
    offline: bool = False
    compared: tuple[Mapping[str, Value], ...] = ()
    forgoes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _expect(self.options, Option, f"options of {self.name}")
        _expect(self.presets, str, f"presets of {self.name}")
        _expect(self.compared, Mapping, f"compared of {self.name}")

    @property
    def title(self) -> str:
        """Its name as the sentence begins with it, ``PD-ORS`` of pd_ors; else in plain words."""
        found = re.match(r"[\W_]*".join(filter(str.isalnum, self.name)) + r"\)?", self.sentence, re.IGNORECASE)
        return self.name.replace("_", " ") if found is None else found[0]

    @property
    def function(self) -> Loaded:
        """What is at its home."""
        return load(self.home)

    def call(self, what: str, given: Mapping[str, Value], context: Context, *arguments: AnyFamily) -> Loaded:
        """Call its home with typed options, and the ``context`` if it asks for it; a home that is a value is given."""
        usual = {option.name: option.default for option in self.options}
        options = usual | parse_options(what, self.options, given)
        function = load(self.home)
        if not callable(function):
            return function
        parameters = signature(function).parameters
        for option in options.keys() - parameters.keys():
            raise SchedproofError(f"the card gives {what} the option {option}, which {self.home} does not take")
        if "context" in parameters:
            options["context"] = context
        try:
            signature(function).bind(*arguments, **options)
        except TypeError as error:
            raise SchedproofError(f"{what}: {self.home} cannot be called as its card says: {error}") from None
        with one_sentence(f"{what} stopped with"):
            return function(*arguments, **options)


@dataclass(frozen=True, kw_only=True)
class BoundEntry(Entry):
    """A bound, and what it says beside its number.

    Attributes
    ----------
    kind
        The side of the optimum that it is on.
    certificate
        The class of the multipliers that prove it, a `schedproof.core.certificates.bound.Certificate`.
    parameters
        The options that change *what* is proven. Every other one is the prover's own: it changes how close the bound
        comes, not what it says.
    rules
        For which rules of the family's card it holds: a rule that is not named as usual, or as its parameter of that
        name says; another one for ``any`` value; and by a rule ``beyond`` the usual one a run may do what is not
        bounded, so that a ratio to the usual bound says the rule. A run by other rules has no ratio.
    among
        Which solutions it speaks about, where that is not all of them: ``schedules that ...``.
    beatable
        Whether a schedule may be better by these rules, one that the bound does not speak about; elsewhere a schedule
        that is better contradicts it, and ends the work.
    of
        The name of the program on whose optimum it is, where that is not its own.
    linear
        Where the program of its id is linear: ``multipliers(listing, certificate, instance)``, what its certificate
        multiplies the rows of the built program with, by their numbers.
    """

    kind: Literal["lower", "upper"]
    certificate: str
    parameters: tuple[str, ...] = ()
    rules: Mapping[str, Literal["any", "beyond"]] = field(default_factory=dict)
    among: str = ""
    beatable: bool = False
    of: str = ""
    linear: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        _expect(self.parameters, str, f"parameters of {self.name}")
        if self.kind not in ("lower", "upper"):
            raise ValueError(f"kind of {self.name}: expected lower or upper, found {self.kind!r}")

    def program_of(self, id: str) -> str:
        """The program on whose optimum the bound of that id is."""
        return f"{id.partition('.')[0]}.{self.of}" if self.of else id

    def statement(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """The typed values of all parameters, the usual ones for those that are not given.

        Raises
        ------
        SchedproofError
            For a parameter that the bound does not have, or a value that it cannot be.
        """
        known = tuple(option for option in self.options if option.name in self.parameters)
        return {option.name: option.default for option in known} | parse_options(f"the bound {self.name}", known, given)


class Attack(NamedTuple):
    """A program whose solutions are worst instances of a policy, which the search for them asks first.

    Attributes
    ----------
    policy, against
        The policy's name, and that of the program, the bound or ``regret`` against which it is measured.
    home
        ``attack(space, objective)`` gives a `schedproof.adversary.attacks.Attack`, or None where the program does not
        fit the space or the policy's options.
    """

    policy: str
    against: str
    home: str


class Measure(NamedTuple):
    """What a family's objective measures, in words.

    Attributes
    ----------
    total, unit
        Its name and unit: ``total JCT``, ``slots``; an empty unit for none.
    mean, mean_unit
        The same of the objective over the size of the instance, as in `Data.size`; an empty name if there is none.
    """

    total: str = "objective"
    unit: str = ""
    mean: str = ""
    mean_unit: str = ""

    def amount(self, value: Fraction | float) -> str:
        """A number in the objective's unit: ``251 slots``."""
        return f"{float(value):.10g} {self.unit}".rstrip()

    def amounts(self, objective: Fraction | float, size: int) -> dict[str, str]:
        """An objective and its mean, by name: total JCT: ``251 slots``, mean JCT: ``83.67 slots``."""
        total = {self.total: self.amount(objective)}
        mean = {self.mean: f"{float(objective) / size:.4g} {self.mean_unit}".rstrip()} if self.mean and size else {}
        return total | mean


OBJECTIVE = Measure()


@dataclass(frozen=True)
class Data:
    """Where a family's data live, and the functions that act on them.

    Attributes
    ----------
    instance, schedule
        The two classes, on `schedproof.core.simulation.instance.Instance` and ``Schedule``.
    drive
        ``drive(policy, instance, decided, context) -> Schedule``: the game that a policy of the family plays.
    check
        ``check(schedule, instance, **rules) -> list of Violation``, exact, by the card's ``rules``; it shares no code
        with a model or a policy.
    picture
        ``picture(schedule, instance, axes) -> axes`` of matplotlib.
    notes
        ``notes(instance)``: what to know before anything is solved, one sentence each; empty for a family without any.
    gap
        ``gap(schedule, instance, bound)``: what lies between a schedule's objective and a bound, each a
        `schedproof.core.certificates.gap.Part`; empty for a family without an account of that.
    size
        The list of an instance, and of its file, that says how large it is, and what one of its rows is called.
    measure
        What the objective is called, and its unit.
    arrays
        The keys of its instance and schedule files whose value may lie beside the file, as ``{"file": "name.npy"}``.
    """

    instance: str
    schedule: str
    drive: str
    check: str
    picture: str
    notes: str = ""
    gap: str = ""
    size: tuple[str, str] = ("jobs", "job")
    measure: Measure = OBJECTIVE
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """A family's card; one without ``data`` adds rows to the family of its name.

    Attributes
    ----------
    sentence
        What it is about.
    claims
        The package whose modules hold its claims, one file for each printed statement, and whose folder ``witnesses``
        the counterexamples.
    regret
        ``regret(run, context, **options)``: a run's regret over time, for a family that has one, with its options.
    worst_regret
        ``worst_regret(context, **options)``: the worst that its theorem's premises allow, for a family that has one.
    rules
        Readings by which a schedule is judged beside its instance, each with the usual one; a schedule cannot set them.
    attacks
        Programs that propose its policies' worst instances.
    timetable
        ``timetable(delays, rows) -> (instance, schedule)``, for a family whose policies have rules: of machines by the
        slots of an upload to each, and of jobs with arrival, slots of a chunk, and each chunk's machines and slots.
    figures
        Its paper's figures, each ``module:fig1.toml``, a file beside the module.
    checker
        A module of one file, also beside a plug-in's, that needs the standard library alone and is run, not imported:
        ``python -I FILE rows INSTANCE PROGRAM PARAMETERS`` prints a program's rows for an instance, the JSON object of
        a certificate's multipliers without these, or ends with 2 for a program that it does not know (whose rows are
        then believed); ``python -I FILE game STRATEGY`` ends with 0 where a strategy proves what it says, and prints
        that, else with 1 and why not.
    """

    name: str
    sentence: str = ""
    paper: Paper | None = None
    data: Data | None = None
    programs: tuple[Entry, ...] = ()
    policies: tuple[Entry, ...] = ()
    bounds: tuple[BoundEntry, ...] = ()
    generators: tuple[Entry, ...] = ()
    traces: tuple[Entry, ...] = ()
    trainers: tuple[Entry, ...] = ()
    games: tuple[Entry, ...] = ()
    claims: tuple[str, ...] = ()
    regret: Entry | None = None
    worst_regret: Entry | None = None
    rules: tuple[Option, ...] = ()
    attacks: tuple[Attack, ...] = ()
    figures: tuple[str, ...] = ()
    checker: str = ""
    timetable: str = ""

    def __post_init__(self) -> None:
        _expect(self.attacks, Attack, f"attacks of {self.name}")
        _expect(self.rules, Option, f"rules of {self.name}")
        for kind in KINDS:
            _expect(self._rows[kind], Entry, f"rows of {self.name}")
        _expect(self.bounds, BoundEntry, f"bounds of {self.name}")
        _expect(self.claims, str, f"claims of {self.name}")
        _expect(self.figures, str, f"figures of {self.name}")

    @property
    def regrets(self) -> Iterator[tuple[str, Entry]]:
        """Its regrets, by id."""
        rows = (("regret", self.regret), ("worst_regret", self.worst_regret))
        yield from ((f"{self.name}.{role}", entry) for role, entry in rows if entry is not None)

    @property
    def has_programs_alone(self) -> bool:
        """Whether it offers programs and nothing else: they take whatever data name the family."""
        others = any(self._rows[kind] for kind in KINDS if kind != "program")
        return self.data is None and bool(self.programs) and not others

    @property
    def own(self) -> Data:
        """Its data.

        Raises
        ------
        SchedproofError
            For a family that has programs alone.
        """
        if self.data is None:
            raise SchedproofError(f"the family {self.name} has programs alone: no files, instances or schedules")
        return self.data

    def load(self, role: str) -> Loaded:
        """What its data name in a role, a field of `Data`: a class, or a function that acts on them."""
        return load(getattr(self.own, role))

    def rules_with(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """What a schedule is judged by: every rule, as given or as usual."""
        usual = {rule.name: rule.default for rule in self.rules}
        return usual | parse_options(f"check of {self.name}", self.rules, given)

    def rules_among(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """The rules that a policy's or a schedule's options tell, and the usual ones."""
        known = {rule.name for rule in self.rules}
        return self.rules_with({name: value for name, value in options.items() if name in known})

    def find(self, kind: str, name: str) -> tuple[str, Entry] | None:
        """The id and the row of something that it offers, by its id or its short name."""
        rows = dict(self.entries(kind))
        return next(((id, rows[id]) for id in (name, f"{self.name}.{name}") if id in rows), None)

    def entries(self, kind: str) -> Iterator[tuple[str, Entry]]:
        """What it offers of a kind, by id."""
        prefix = f"{self.name}." if kind in ("program", "policy", "bound", "game") else ""
        yield from ((prefix + entry.name, entry) for entry in self._rows[kind])

    @property
    def _rows(self) -> dict[str, tuple[Entry, ...]]:
        return {
            "program": self.programs,
            "policy": self.policies,
            "bound": self.bounds,
            "generator": self.generators,
            "trace": self.traces,
            "trainer": self.trainers,
            "game": self.games,
        }

    def join(self, other: Family) -> Family:
        """The family with the rows of another card of its name.

        Raises
        ------
        SchedproofError
            When both describe the family itself, or have an id in common.
        """
        owner, more = (self, other) if self.data is not None else (other, self)
        if more.data is not None:
            raise SchedproofError(f"two packages register the family '{self.name}'")
        for kind in KINDS:
            if twice := dict(owner.entries(kind)).keys() & dict(more.entries(kind)).keys():
                ids = ", ".join(sorted(twice))
                raise SchedproofError(f"two packages register the {kind} {ids}; give one of them another name")
        rows = ("programs", "policies", "bounds", "generators", "traces", "trainers", "games")
        lists = (*rows, "claims", "attacks", "figures")
        return replace(owner, **{name: getattr(owner, name) + getattr(more, name) for name in lists})


def _expect(rows: object, kind: type, what: str) -> None:
    if not isinstance(rows, tuple) or not all(isinstance(row, kind) for row in rows):
        raise TypeError(f"{what}: expected a tuple of {kind.__name__}, found {rows!r}")
