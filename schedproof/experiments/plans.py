"""Plans of sweeps: policies and bounds on instances, from TOML or a mapping."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.cards.family import Entry
from schedproof.core.data.options import Option, number, parse_options, pick
from schedproof.core.data.options import read as read_option
from schedproof.core.data.reading import Count, Name, Positive, Row, content_of, convert
from schedproof.core.errors import InputError, SchedproofError, UnknownName, require, short
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import regular, sha256_of_file
from schedproof.experiments.cells import Draw, describe_instance
from schedproof.experiments.families import comparison
from schedproof.instances import from_json, read
from schedproof.workloads import trace

MOST_CASES = 10**6  # most combinations of one row of a plan
MOST_BYTES, MOST_PARTS = 1 << 20, 100  # most bytes of a plan, and most parts of a key
POINTS, MOST_POINTS = 11, 1000  # of a range without a step, and of any what-if setting
LISTS = {"policy": "policies", "bound": "bounds"}  # the lists of a plan by kind
COLUMNS = {"speed": "machine_speed"}  # the column speed has the policies' own speeds
Scalar = str | int
Settings = dict[str, Scalar | list[Scalar]]
Seeds = Positive | list[Count]
R = TypeVar("R", bound=Row)


class GeneratorRow(Row, frozen=True):
    """Draws of a generator: all combinations of presets, settings and seeds."""

    name: Name
    presets: str | list[str] = "tiny"
    seeds: Seeds = 1
    settings: Settings = msgspec.field(default_factory=dict)


class TraceRow(Row, frozen=True):
    """Instances of a trace: all combinations of options, what-if settings and seeds."""

    name: Name
    files: list[Name]
    seeds: Seeds = 1
    options: Settings = msgspec.field(default_factory=dict)
    what_if: Settings = msgspec.field(default_factory=dict)


class FileRow(Row, frozen=True):
    """An instance file, its what-if settings and seeds for randomised policies."""

    name: Name
    seeds: Seeds = 1
    what_if: Settings = msgspec.field(default_factory=dict)


class Choice(Row, frozen=True):
    """A policy or a bound, with all combinations of its options."""

    name: Name
    options: Settings = msgspec.field(default_factory=dict)


class Plan(Row, frozen=True):
    """The plan of a sweep: every policy and every bound on every instance.

    Attributes
    ----------
    generators, traces, files
        The sources of instances. A generator, file, policy or bound may be a name only.
    policies, bounds
        Ids or short names.
    time_limit
        Seconds for each bound, and for each program that a policy solves.
    """

    generators: tuple[str | GeneratorRow, ...] = ()
    traces: tuple[TraceRow, ...] = ()
    files: tuple[str | FileRow, ...] = ()
    policies: tuple[str | Choice, ...] = ()
    bounds: tuple[str | Choice, ...] = ()
    time_limit: Annotated[int, msgspec.Meta(ge=1)] | None = None


@dataclass(frozen=True)
class Trace:
    """An instance of a trace."""

    format: str
    family: str
    files: tuple[str, ...]
    seed: int
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> dict[str, Value]:
        return {"trace": self.format, "seed": self.seed, "settings": dict(self.settings)}

    @property
    def content(self) -> list[str]:
        return [*map(sha256_of_file, self.files)]

    def instance(self) -> Any:
        return trace(self.format, self.files, self.seed, **self.settings)[0]


@dataclass(frozen=True)
class File:
    """An instance file.

    Attributes
    ----------
    path, file
        Absolute path, and the name in the plan.
    known
        Description of the instance (`describe_instance`).
    """

    path: str
    file: str
    seed: int
    known: dict[str, Value]

    @property
    def family(self) -> str:
        return str(self.known["family"])

    @property
    def labels(self) -> dict[str, Value]:
        return {"file": self.file, "seed": self.seed}

    def instance(self) -> Any:
        return read(self.path)


@dataclass(frozen=True)
class Changed:
    """An instance with other settings of its family (`Family.what_if`)."""

    base: Trace | File
    settings: Mapping[str, str]

    @property
    def family(self) -> str:
        return self.base.family

    @property
    def seed(self) -> int:
        return self.base.seed

    @property
    def labels(self) -> dict[str, Value]:
        known = self.base.labels
        named = {COLUMNS.get(name, name): value for name, value in self.settings.items()}
        return known | {"settings": known.get("settings", {}) | named}

    @property
    def entry(self) -> Entry:
        return registry.what_if(self.family)

    def instance(self) -> Any:
        return with_settings(self.base.instance(), self.settings)


Source = Draw | Trace | File | Changed


def with_settings(instance: Any, settings: Mapping[str, Value]) -> Any:
    """Return an instance with what-if settings of its family."""
    family = instance.family
    return from_json(registry.what_if(family).call(f"what-if of {family}", settings, Context(), instance.to_json()))


def read_plan(given: str | Path | Mapping[str, Value]) -> Plan:
    """Read the plan in a TOML file, or in a mapping of the same form.

    Raises
    ------
    InputError
        For an invalid plan; the message has the file, key, value and expectation.
    """
    require(given, (str, Path, Mapping), "the name of a TOML file, or a mapping")
    if isinstance(given, Mapping):
        return convert(dict(given), Plan)
    try:
        text = content_of(given, most=MOST_BYTES).decode()
        _require_short_keys(text)
        return convert(tomllib.loads(text, parse_float=str), Plan)
    except RecursionError:
        raise InputError("is nested too deeply", file=str(given)) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not TOML: byte {error.start} is not UTF-8 text", file=str(given)) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", file=str(given)) from None
    except InputError as error:
        raise error.in_file(str(given)) from None
    except ValueError as error:  # an integer of thousands of digits, or an invalid file name
        raise InputError(f"is not TOML: {str(error).partition(';')[0]}", file=str(given)) from None


def _require_short_keys(text: str) -> None:
    """Refuse a key ``a.b.c`` of many parts, which takes quadratic time to read."""
    parts = 0
    for piece in text.split("."):
        parts = parts + 1 if re.fullmatch(r"[\s\w\"'-]+", piece) else 0
        if parts > MOST_PARTS:
            raise InputError(f"expected keys of at most {MOST_PARTS} parts")


def combinations(options: Settings) -> Iterator[dict[str, str]]:
    """Return all combinations of options as text; a list holds several values.

    Raises
    ------
    InputError
        For more than `MOST_CASES`.
    """
    lists = [
        [(name, str(v)) for v in (given if isinstance(given, list) else [given])] for name, given in options.items()
    ]
    _require_few(*map(len, lists))
    return (dict(chosen) for chosen in product(*lists))


def _require_few(*counts: int) -> None:
    if prod(counts) > MOST_CASES:
        raise InputError(f"expected at most {MOST_CASES} combinations, found {short(prod(counts))}")


def cases(plan: Plan) -> list[Source]:
    """Return the sources of a plan's instances, in its order.

    Raises
    ------
    InputError
        For an unknown generator, preset, trace or file.
    """
    result: list[Source] = []
    for where, row in _rows("generators", plan.generators, GeneratorRow):
        with _at(where):
            id, entry = registry.find("generator", row.name)
            presets = [row.presets] if isinstance(row.presets, str) else row.presets
            for preset in presets:
                pick("preset", preset, dict.fromkeys(entry.presets))
            settings_of = list(combinations(row.settings))
            _require_few(len(presets), len(settings_of), len(_seeds(row.seeds)))
            drawn = product(presets, settings_of, _seeds(row.seeds))
            result += [Draw(id, preset, seed, settings) for preset, settings, seed in drawn]
    for where, log in _rows("traces", plan.traces, TraceRow):
        with _at(where):
            id, _ = registry.find("trace", log.name)
            family = next(name for name, card in registry.families().items() if id in dict(card.entries("trace")))
            files = tuple(str(regular(name).resolve()) for name in log.files)
            options_of = list(combinations(log.options))
            _require_few(len(options_of), len(_seeds(log.seeds)))
            taken = product(options_of, _seeds(log.seeds))
            result += changed([Trace(id, family, files, seed, options) for options, seed in taken], log.what_if)
    for where, file in _rows("files", plan.files, FileRow):
        with _at(where):
            known = describe_instance(read(file.name))
            _require_few(len(_seeds(file.seeds)))
            path = str(Path(file.name).resolve())
            result += changed([File(path, file.name, seed, known) for seed in _seeds(file.seeds)], file.what_if)
    if not result:
        raise InputError("expected instances: generators, traces or files")
    return result


def changed(bases: Sequence[Trace | File], what_if: Mapping[str, Scalar | list[Scalar]]) -> Sequence[Source]:
    """Return each instance with each combination of what-if settings.

    Raises
    ------
    InputError
        For an unknown setting, an invalid value, or too many values.
    """
    if not what_if:
        return bases
    own = cache(lambda: bases[0].instance())
    points: Settings = {name: _points(bases[0].family, name, given, own) for name, given in what_if.items()}
    settings_of = list(combinations(points))
    _require_few(len(bases), len(settings_of))
    return [Changed(base, settings) for settings, base in product(settings_of, bases)]


def _points(
    family: str, name: str, given: Scalar | list[Scalar], instance: Callable[[], Any] = lambda: None
) -> list[Scalar]:
    """Return the values of a what-if setting.

    ``40..80/5`` means 40, 45, ..., 80; ``1,2..4`` is a list; ``1.5x`` is relative to the instance's own value.

    Without a step, a range has at most `POINTS` values, and its end.
    """
    known = registry.what_if(family).options
    option = next((option for option in known if option.name == name), None)
    if option is None:
        raise UnknownName(f"what-if setting of {family}", name, [option.name for option in known])
    values: dict[Fraction, None] = {}
    for part in ",".join(map(str, given if isinstance(given, list) else [given])).split(","):
        low, dots, high = part.partition("..")
        high, slash, step = high.partition("/") if dots else (low, "", "")
        low, high = (_scaled(family, option, text, instance) for text in (low, high))
        try:
            first, last = option.value(low), option.value(high)
        except InputError as error:
            forms = f"{name}=1..10 or {name}=1..10/3, a multiple of the file's own value {name}=1.5x"
            raise InputError(f"{error}; a range is written {forms}") from None
        if first > last:
            raise InputError(f"{name}={part}: expected a range from a smaller to a larger number")
        by = read_option("step", number(), step) if slash else Fraction(last - first, POINTS - 1)
        by = by if slash or isinstance(first, Fraction) else Fraction(ceil(by))
        count = int((last - first) / by) + 1 if by else 1
        if count + len(values) > MOST_POINTS:
            raise InputError(f"{name}={part}: expected at most {MOST_POINTS} values")
        values |= dict.fromkeys(Fraction(option.value(first + n * by)) for n in range(count))
        values |= {} if slash else {Fraction(last): None}
    return [_as_text(value) for value in values]


def _scaled(family: str, option: Option, text: str, instance: Callable[[], Any]) -> str:
    """Return a multiple of the instance's own value as a number, or the text.

    Whole numbers are rounded up.
    """
    own = comparison(family).settings.get(option.name)
    if own is None or not re.fullmatch(r"\d{1,9}(\.\d{1,9})?x", text):
        return text
    value = Fraction(text[:-1]) * own(instance())
    return _as_text(value if isinstance(option.value("1"), Fraction) else Fraction(ceil(value)))


def _as_text(value: Fraction) -> str:
    """Return a decimal if the number is one, else a fraction."""
    text = str(Decimal(value.numerator) / value.denominator)
    return text if Fraction(text) == value else str(value)


def choices(kind: str, rows: Iterable[str | Choice], family: str) -> list[tuple[str, dict[str, str]]]:
    """Return a plan's policies or bounds for a family, each with its options.

    Raises
    ------
    InputError
        For an unknown name or option.
    """
    find = registry.find_bound if kind == "bound" else partial(registry.find_for, kind)
    result = []
    for where, row in _rows(LISTS[kind], rows, Choice):
        with _at(where):
            id, entry = find(row.name, registry.family(family))
            for options in combinations(row.options):
                if "resume" in options:  # a plan must not choose where files are written
                    raise InputError("the option resume is not allowed in a plan: a sweep resumes from its store")
                parse_options(id, entry.options, options)
                result.append((id, options))
    return result


def _rows(where: str, rows: Iterable[str | R], kind: type[R]) -> Iterator[tuple[str, R]]:
    for n, row in enumerate(rows):
        yield f"{where}[{n}]", kind(name=row) if isinstance(row, str) else row


def _seeds(seeds: Seeds) -> Sequence[int]:
    return range(seeds) if isinstance(seeds, int) else seeds


@contextmanager
def _at(where: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{where}: {error.filename}: cannot be read: {error.strerror}") from None
    except (
        SchedproofError,
        RuntimeError,
        ValueError,
    ) as error:  # for a name with a NUL character, and for circular links
        raise InputError(f"{where}: {error}") from None
