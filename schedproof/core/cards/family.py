"""A family's card: plain data that list the family's objects and their modules.

A card imports only this module, `options` and `sources`, so lists and help stay fast. A home is an object's location,
``module:attribute``, imported on first use. Other packages register cards at the entry point ``schedproof.families``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import signature
from typing import Literal, NamedTuple

from schedproof.core.base.loader import load
from schedproof.core.base.numbers import rounded
from schedproof.core.base.untyped import AnyFamily, Loaded, Value
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import Option, parse_options
from schedproof.core.errors import SchedproofError, one_sentence
from schedproof.core.runtime.context import Context

KINDS = ("program", "policy", "bound", "generator", "trace", "trainer", "game")
ROWS = {kind: "policies" if kind == "policy" else f"{kind}s" for kind in KINDS}  # the field of each kind


@dataclass(frozen=True)
class Entry:
    """A named object that a family offers.

    Attributes
    ----------
    name
        Ids of programs, policies, bounds and games are ``family.name``. Generators and trainers have the family's name,
        traces the name of their format.
    home
        Location of the factory, ``module:attribute``. The signatures are, for a program ``factory(**options) ->
        Program``; for a policy ``factory(**options)``, which returns a protocol of `schedproof.core.simulation.policy`;
        for a bound ``bound(instance, context, **options) -> Bound``; for a generator ``generate(preset, seed,
        settings)``; for a trace ``load(files, seed, options)``; for a trainer ``train(preset, out, device,
        **options)``; for a game ``solve(above, context, **options)``.
    sentence, options
        Description and options. The factory receives the default of each option that the caller does not set.
    presets, settings
        Names of presets. ``settings`` names a generator's NamedTuple of settings with defaults.
    rule
        File that specifies a policy with finitely many states, ``module:file.py``, in the module's folder. An option
        name in braces is replaced by the option's value.
    offline
        Whether the policy sees all jobs at once. Its schedules count as known schedules, not as results online.
    compared
        Option values of each run in a comparison without named policies; empty if the policy has no such run.
    forgoes
        Restrictions of the policy: name of a measure that is 0 in all runs -> description of the restriction.
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
        """The name as spelled at the start of the description, ``PD-ORS`` for pd_ors."""
        found = re.match(r"[\W_]*".join(filter(str.isalnum, self.name)) + r"\)?", self.sentence, re.IGNORECASE)
        return self.name.replace("_", " ") if found is None else found[0]

    @property
    def function(self) -> Loaded:
        """The object at its home."""
        return load(self.home)

    def call(self, what: str, given: Mapping[str, Value], context: Context, *arguments: AnyFamily) -> Loaded:
        """Call the object at its home with parsed options.

        The call passes ``context`` if the signature has it. A home that is not callable is returned unchanged.
        """
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
    """A bound and its meaning.

    Attributes
    ----------
    kind
        Whether the bound is a lower or an upper bound on the optimum.
    certificate
        Class of its multipliers, a `schedproof.core.certificates.bound.Certificate`.
    parameters
        Options that change the bounded problem. All other options only change how tight the bound is.
    rules
        Rules of the family's card -> ``any`` or ``beyond``. ``any``: the bound holds for every value. ``beyond``:
        ratios are also reported for runs that are less restricted than the bounded schedules, and name the rule. A rule
        not listed must have its default, or the value of the bound's parameter of the same name.
    among
        Restricts the bounded solutions, ``schedules that ...``; empty for all solutions.
    beatable
        Whether a schedule outside the bounded class may be better. Otherwise a better schedule is a `Contradiction`.
    of
        Name of the program whose optimum is bounded, if it differs from the bound's name.
    linear
        For a linear program: ``multipliers(listing, certificate, instance)`` returns the certificate's multipliers by
        row number of the built program.
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
        """Return the program whose optimum the bound `id` bounds."""
        return f"{id.partition('.')[0]}.{self.of}" if self.of else id

    def statement(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return typed values of all parameters, with defaults for those not set.

        Raises
        ------
        SchedproofError
            For an unknown parameter or an invalid value.
        """
        known = tuple(option for option in self.options if option.name in self.parameters)
        return {option.name: option.default for option in known} | parse_options(f"the bound {self.name}", known, given)


class Attack(NamedTuple):
    """A program whose solutions are bad instances for a policy.

    The search for worst instances tries these instances first.

    Attributes
    ----------
    policy, against
        Name of the policy, and name of the program, bound or ``regret`` with which the policy is compared.
    home
        ``attack(space, objective)`` returns a `schedproof.adversary.attacks.Attack`, or None if the program does not
        support the space or the policy's options.
    """

    policy: str
    against: str
    home: str


class Measure(NamedTuple):
    """Name and unit of a family's objective.

    Attributes
    ----------
    total, unit
        Name and unit, ``total JCT`` and ``slots``; the unit may be empty.
    mean, mean_unit
        Name and unit of the objective divided by the instance's size (`Data.size`); an empty name for none.
    """

    total: str = "objective"
    unit: str = ""
    mean: str = ""
    mean_unit: str = ""

    def amount(self, value: Fraction | float, bound: str = "") -> str:
        """Return a number with its unit, ``251 slots``; a bound is rounded safely."""
        return f"{rounded(value, 10, up=bound == 'upper') if bound else f'{float(value):.10g}'} {self.unit}".rstrip()

    def amounts(self, objective: Fraction | float, size: int) -> dict[str, str]:
        """Return the objective and its mean with units, by name."""
        total = {self.total: self.amount(objective)}
        mean = {self.mean: f"{float(objective) / size:.4g} {self.mean_unit}".rstrip()} if self.mean and size else {}
        return total | mean


OBJECTIVE = Measure()


@dataclass(frozen=True)
class Data:
    """Locations of a family's data classes and of the functions on them.

    Attributes
    ----------
    instance, schedule
        The two classes, derived from `schedproof.core.simulation.instance.Instance` and ``Schedule``.
    drive
        ``drive(policy, instance, decided, context) -> Schedule`` simulates a policy.
    check
        ``check(schedule, instance, **rules) -> list of Violation`` checks a schedule exactly under the card's
        ``rules``. It shares no code with programs or policies.
    picture
        ``picture(schedule, instance, axes) -> axes`` draws with matplotlib.
    notes
        ``notes(instance)`` returns warnings about an instance, one sentence each; optional.
    gap
        ``gap(schedule, instance, bound)`` splits the difference between objective and bound into
        `schedproof.core.certificates.gap.Part`; optional.
    size
        Name of the instance's list that measures its size, and the noun for one of its rows.
    measure
        Name and unit of the objective.
    arrays
        Keys of instance and schedule files whose value may be a separate file, ``{"file": "name.npy"}``.
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
    """A family's card; a card without ``data`` adds rows to the family of its name.

    Attributes
    ----------
    sentence
        Topic of the family.
    claims
        Packages of the family's claims, one module per printed statement; counterexamples are in the folder
        ``witnesses``.
    regret
        ``regret(run, context, **options)`` returns a run's regret over time; optional.
    worst_regret
        ``worst_regret(context, **options)`` returns the worst regret under the theorem's premises; optional.
    what_if
        ``change(value, **options)`` returns the JSON object of a changed instance; optional.
    rules
        Options of the schedule check, with defaults. A schedule file cannot set them.
    relaxed
        Name of a rule -> its values from the strictest on: a schedule that is feasible with one value is feasible with
        each later value, and has the same objective.
    attacks
        Programs that propose bad instances for the family's policies.
    timetable
        ``timetable(delays, rows) -> (instance, schedule)`` for a family whose policies have rules. ``delays`` lists
        each machine's upload time in slots. A row has a job's arrival, the slots of a chunk, and each chunk's machine
        and slots.
    figures
        The paper's figures, each ``module:fig1.toml``, a file in the module's folder.
    checker
        A one-file module that needs only the standard library, also in a plug-in's folder. It is run, not imported.
        ``python -I FILE rows INSTANCE PROGRAM PARAMETERS`` prints a program's rows for an instance in the JSON form of
        a certificate, without multipliers. Exit code 2 means an unknown program, whose rows are then not checked.
        ``python -I FILE game STRATEGY`` ends with 0 and prints the proven statement, or ends with 1 and prints the
        reason.
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
    what_if: Entry | None = None
    rules: tuple[Option, ...] = ()
    relaxed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
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
        """The family's regrets by id."""
        rows = (("regret", self.regret), ("worst_regret", self.worst_regret))
        yield from ((f"{self.name}.{role}", entry) for role, entry in rows if entry is not None)

    @property
    def has_programs_alone(self) -> bool:
        """Whether the family has only programs, for all data with the family's name."""
        others = any(self._rows[kind] for kind in KINDS if kind != "program")
        return self.data is None and bool(self.programs) and not others

    @property
    def own(self) -> Data:
        """The family's data; `SchedproofError` if it has only programs."""
        if self.data is None:
            raise SchedproofError(f"the family {self.name} has only programs: no files, instances or schedules")
        return self.data

    def load(self, role: str) -> Loaded:
        """Return the object that the card names for a field of `Data`."""
        return load(getattr(self.own, role))

    def rules_with(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Return all rules' values: those given, and defaults for the others."""
        usual = {rule.name: rule.default for rule in self.rules}
        return usual | parse_options(f"check of {self.name}", self.rules, given)

    def rules_among(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """Return all rules' values from the options of a policy or schedule."""
        known = {rule.name for rule in self.rules}
        return self.rules_with({name: value for name, value in options.items() if name in known})

    def holds_for(self, strict: Mapping[str, Value], rules: Mapping[str, Value]) -> bool:
        """Whether schedules feasible under ``strict`` are feasible under these rules."""
        strict, rules = self.rules_with(strict), self.rules_with(rules)
        orders = ((self.relaxed.get(name, ()), str(strict[name]), str(value)) for name, value in rules.items())
        return all(
            one == other or (one in order and other in order[order.index(one) :]) for order, one, other in orders
        )

    def find(self, kind: str, name: str) -> tuple[str, Entry] | None:
        """Return the id and row of an entry by its id or short name, or None if unknown."""
        rows = dict(self.entries(kind))
        return next(((id, rows[id]) for id in (name, f"{self.name}.{name}") if id in rows), None)

    def entries(self, kind: str) -> Iterator[tuple[str, Entry]]:
        """Yield ids and rows of a kind."""
        prefix = f"{self.name}." if kind in ("program", "policy", "bound", "game") else ""
        yield from ((prefix + entry.name, entry) for entry in self._rows[kind])

    @property
    def _rows(self) -> dict[str, tuple[Entry, ...]]:
        return {kind: getattr(self, rows) for kind, rows in ROWS.items()}

    def join(self, other: Family) -> Family:
        """Return the family with the rows of another card of the same name.

        Raises
        ------
        SchedproofError
            If both cards have data, or both have an entry of the same id.
        """
        owner, more = (self, other) if self.data is not None else (other, self)
        if more.data is not None:
            raise SchedproofError(f"two packages register the family '{self.name}'; rename one of the families")
        for kind in KINDS:
            if twice := dict(owner.entries(kind)).keys() & dict(more.entries(kind)).keys():
                ids = ", ".join(sorted(twice))
                raise SchedproofError(f"the family '{self.name}' has two entries for the {kind} {ids}; rename one")
        lists = (*ROWS.values(), "claims", "attacks", "figures")
        return replace(owner, **{name: getattr(owner, name) + getattr(more, name) for name in lists})


def _expect(rows: object, kind: type, what: str) -> None:
    if not isinstance(rows, tuple) or not all(isinstance(row, kind) for row in rows):
        raise TypeError(f"{what}: expected a tuple of {kind.__name__}, found {rows!r}")
