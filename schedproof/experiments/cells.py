"""Cells: a policy's run or a bound on one instance, identified by all its inputs."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from types import FunctionType
from typing import Annotated, Any, Literal, NamedTuple, Protocol
from uuid import uuid4

import msgspec

from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.cards.digests import outside_code
from schedproof.core.cards.family import BoundEntry, Entry
from schedproof.core.certificates.bounds import CERTIFICATES
from schedproof.core.data.options import REQUIRED, parse_options
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import SchedproofError, describe
from schedproof.core.results.run import Policy, Run
from schedproof.core.runtime.files import sha256, sha256_of_file
from schedproof.core.runtime.provenance import code, provenance, software
from schedproof.core.simulation.policy import Rule
from schedproof.experiments.certified import Certified
from schedproof.experiments.families import comparison
from schedproof.instances import from_json

UNUSED = frozenset(("cli", "experiments", "adversary", "proofs_checks"))  # packages whose code computes no cell
CELLS = "cells"  # the kind of store for these cells
MEASURES = ("schedproof.experiments.families", "schedproof.experiments.profiles")  # modules that compute cells
IDENTITY = ("kind", "instance_sha256", "policy", "program", "options", "seed")
WithOptions = tuple[str, Mapping[str, Any]]  # the name of a bound, and its options
LABELS = ("preset", "trace", "file", "seed", "settings")  # the columns of an instance's labels


class Case(Protocol):
    """The source of an instance."""

    @property
    def seed(self) -> int:
        """The seed for randomised policies."""

    @property
    def labels(self) -> Row:
        """The labels of the instance, by column."""

    def instance(self) -> Any:
        """Return the instance."""


@dataclass(frozen=True)
class Draw:
    """An instance of a family's generator, drawn on demand."""

    family: str
    preset: str
    seed: int
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> Row:
        return {"preset": self.preset, "seed": self.seed, "settings": dict(self.settings)}

    def instance(self) -> Any:
        return from_json(registry.generate(self.family, self.preset, self.seed, self.settings))


@dataclass(frozen=True)
class Given:
    """An existing instance."""

    given: Any
    seed: int = 0
    labels: Row = field(default_factory=dict)

    def instance(self) -> Any:
        return self.given


class Cell(NamedTuple):
    """A computation and the key of its result.

    Attributes
    ----------
    key
        All inputs of the result, by content.
    known
        The columns of its row that are known before the computation.
    case
        The source of its instance.
    work
        Computes the other columns from the instance.
    """

    key: Row
    known: Row
    case: Case
    work: Callable[[Any], Row]


def as_strings(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in sorted(options.items())}


def computed_by(family: str, *homes: str) -> dict[str, str]:
    """Return the SHA-256 of the code for a family, and of the packages of `homes`."""
    others = UNUSED | (registry.families().keys() - {family})
    ours = "".join([code("schedproof", others), *map(code, MEASURES)])
    return {"schedproof": sha256(ours.encode()), **outside_code(family, *homes)}


def describe_instance(instance: Any) -> Row:
    """Return family, SHA-256 and sizes of an instance, as columns of a cell."""
    sizes = comparison(instance.family).sizes
    return {
        "family": instance.family,
        "instance_sha256": instance.sha256,
        "sizes": {name: size(instance) for name, size in sizes.items()},
    }


def run_of(
    choice: Policy,
    case: Case,
    known: Row,
    *,
    speed: Value = None,
    time_limit: float | None = None,
    programs: Sequence[Certified] = (),
    profiled: bool = False,
) -> Cell:
    """Return the cell of a policy's run.

    Parameters
    ----------
    choice
        The policy; a randomised one has the seed of the case.
    known
        The instance's labels and description (`describe_instance`).
    speed
        1 + eps, if the family's policies have speeds; a separate column.
    time_limit
        Seconds for each program that the policy solves.
    programs
        Programs whose bounds hold only for schedules that satisfy the programs' rows.
    profiled
        Whether the row has the family's profiles: a number for each slot.
    """
    run = choice if speed in (None, 1) else Policy(choice.name, choice.options | {"speed": str(speed)}, choice.own)
    id, options, home = choice.name, as_strings(run.options), ""
    if choice.own is not None:
        of = choice.own.function if isinstance(choice.own, Rule) else choice.own
        own = of if isinstance(of, type | FunctionType) else type(of)
        id, home = f"{own.__module__}.{own.__qualname__}", str(own.__module__)
        options |= {} if own is of else {"state": _state(of)}
    else:
        id, entry = registry.find("policy", choice.name, known["family"])
        options, home = _content(id, entry, run.options), entry.home
    key = _key("run", known, id, options, home, time_limit) | {"seed": case.seed}
    key |= {"programs": [[_text(of.program), as_strings(of.options)] for of in programs]} if programs else {}
    key |= {"profiled": True} if profiled else {}
    named = {"kind": "run", "policy": choice.name, "options": as_strings(choice.options)}
    rate = {} if speed is None else {"speed": str(speed)}
    return Cell(key, known | named | rate, case, partial(_run, run, case.seed, time_limit, programs, profiled))


def bound_of(certified: Certified, case: Case, known: Row) -> Cell:
    """Return the cell of a certified bound; parameters as of `run_of`."""
    card, program, options = registry.family(known["family"]), certified.program, certified.options
    if program.endswith(CERTIFICATES):
        key = _key("bound", known, _text(program), {}, card.load("instance").__module__, certified.time_limit)
    else:
        id, entry = registry.find_bound(program, card)
        key = _key("bound", known, id, _content(id, entry, options), entry.home, certified.time_limit)
    named = {"kind": "bound", "program": program, "options": as_strings(options)}
    return Cell(key, known | named, case, partial(_bound, certified))


def cells_on(
    case: Case,
    known: Row,
    bounds: Sequence[WithOptions],
    runs: Iterable[tuple[Policy, Value]],
    time_limit: float | None = None,
) -> Iterator[Cell]:
    """Yield the cells of bounds (with options) and policies (with speeds)."""
    card, certified = registry.family(known["family"]), [Certified(*each, time_limit) for each in bounds]
    for each in certified:
        yield bound_of(each, case, known)
    programs = [each for each in certified if card.find("bound", each.program) is None]
    for choice, speed in runs:
        yield run_of(choice, case, known, speed=speed, time_limit=time_limit, programs=programs)


def _state(policy: Any) -> str:
    """Return the SHA-256 of an object's state; a unique text if it cannot be pickled."""
    try:
        return sha256(pickle.dumps(policy))
    except Exception:  # pickling calls the object's own code
        return uuid4().hex


def _content(id: str, entry: Entry, given: Mapping[str, Value]) -> Row:
    usual = {option.name: option.default for option in entry.options}
    values = usual | parse_options(id, entry.options, given)
    return {name: _text(value) for name, value in sorted(values.items()) if value is not REQUIRED}


def _text(value: Value) -> str:
    with suppress(OSError, SchedproofError, TypeError, ValueError):
        if isinstance(value, str | Path) and Path(value).is_file():
            return f"the file {sha256_of_file(value)}"
    return str(value)


def _key(kind: str, known: Row, id: str, options: Row, home: str, time_limit: float | None) -> Row:
    return {
        "kind": kind,
        "instance_sha256": known["instance_sha256"],
        "what": id,
        "options": options,
        "time_limit": time_limit,
        "code": computed_by(known["family"], home),
        "software": software(),
    }


def _run(
    choice: Policy, seed: int, time_limit: float | None, programs: Sequence[Certified], profiled: bool, instance: Any
) -> Row:
    run = choice.run(instance, seed, time_limit=time_limit)
    jobs = run.to_frame()
    family = comparison(instance.family)
    return {
        "objective": as_text(run.objective),
        "feasible": run.feasible,
        "rules": as_strings(run.rules),
        "measures": {name: measure(run, jobs) for name, measure in family.measures.items()} | run.measures,
        "profiles": {name: profile(run) for name, profile in family.profiles.items()} if profiled else {},
        "seconds": run.seconds,
        "error": "" if run.feasible else f"{run.judgement}, first: {run.violations[0]}",
        **({"outside": [_outside(run, each) for each in programs]} if programs and run.feasible else {}),
    }


def _outside(run: Run, certified: Certified) -> Row:
    reason = ""
    try:
        certified.on(run.instance).require_about(run)
    except SchedproofError as error:
        reason = str(error)
    return {"program": certified.program, "options": as_strings(certified.options), "reason": reason}


def _bound(certified: Certified, instance: Any) -> Row:
    started = perf_counter()
    result = certified.on(instance)
    seconds, proven = perf_counter() - started, result.verify(instance)
    return {
        "value": as_text(result.exact),
        "side": result.kind,
        "proves": result.program,
        "parameters": as_strings(result.parameters),
        "details": result.details,
        "error": "" if proven else "the certificate does not prove the bound",
        "seconds": seconds,
        "verified": proven,
    }


Size = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | float | None  # the table has it in a column


class CellRow(msgspec.Struct):
    """The columns of every row in a store of cells."""

    kind: str
    family: str
    software: str
    commit: str | None
    machine: str
    instance_sha256: str = ""  # empty if the instance cannot be made
    options: dict[str, str] = {}
    sizes: dict[str, Size | str] = {}


class RunRow(CellRow, kw_only=True):
    """The columns of a policy's run."""

    error: str
    objective: str | None
    feasible: bool | None
    rules: dict[str, str] = {}
    measures: dict[str, Size]
    profiles: dict[str, Any]
    seconds: float | None
    outside: list[dict[str, Any]] = []


class BoundRow(CellRow, kw_only=True):
    """The columns of a bound."""

    error: str
    value: str | None
    side: Literal["lower", "upper"] | None
    proves: str
    parameters: dict[str, str]
    verified: bool | None
    seconds: float | None


FORMS = {"run": RunRow, "bound": BoundRow, "instance": CellRow, "computed": CellRow}


def require_row(row: Row) -> None:
    """Check that a row is one of a cell.

    Raises
    ------
    ValueError
        For a malformed row, or if the row does not have exactly one of a checked result and an error.
    """
    one = msgspec.convert(row, FORMS[row["kind"]])
    if isinstance(one, RunRow | BoundRow):
        amount = one.objective if isinstance(one, RunRow) else one.value
        sound = one.feasible if isinstance(one, RunRow) else one.verified
        if amount is not None:
            from_text(amount)
        if bool(sound) == bool(one.error) or (sound is None) != (amount is None):
            raise ValueError("expected either a checked result or an error")
    if isinstance(one, BoundRow) and (entry := bound_entry(one.proves)):
        entry.statement(one.parameters)


def open_store(path: str | Path | None = None) -> Store:
    """Open a store of cells, in a file or in memory."""
    return Store(CELLS, path, require_row, ("kind", "instance_sha256"))


def bound_entry(program: str) -> BoundEntry | None:
    """Return the card's row of a bound on a program, or None."""
    entry = registry.entries("bound").get(program)
    return entry if isinstance(entry, BoundEntry) else None


NO_RESULT: Mapping[str, Row] = {  # the columns of a row without a result, by kind
    "run": {"objective": None, "feasible": None, "measures": {}, "profiles": {}, "seconds": None},
    "bound": {"value": None, "side": None, "proves": "", "parameters": {}, "verified": None, "seconds": None},
    "instance": {},
}


def without_result(cell: Cell, sentence: str) -> Row:
    return cell.known | NO_RESULT[cell.known["kind"]] | {"error": sentence} | provenance()


def compute_row(cell: Cell, instance: Callable[[], Any]) -> Row:
    """Return the row of a cell; after an error, the row has the error's sentence."""
    try:
        return cell.known | cell.work(instance()) | provenance()
    except SchedproofError as error:
        return without_result(cell, str(error))
    except MemoryError:
        return without_result(cell, "out of memory")
    except Exception as error:
        return without_result(cell, f"stopped with {describe(error)}")


def finish(finished: Store, cell: Cell, instance: Any) -> Row:
    return row_for(cell, finished.get_or_compute(cell.key, lambda: compute_row(cell, lambda: instance)))


def row_for(cell: Cell, row: Row) -> Row:
    """Return a stored row with this cell's labels: an instance can have several."""
    return {name: value for name, value in row.items() if name not in LABELS} | cell.known


def stored_or_new(finished: Store, known: Row, work: Callable[[], Row]) -> Row:
    """Return the stored row with these values of `IDENTITY`, or compute the row."""
    key = {name: known.get(name) for name in IDENTITY}
    key |= {"code": computed_by(known["family"]), "software": software()}
    return finished.get_or_compute(key, lambda: known | work() | provenance()) | known
