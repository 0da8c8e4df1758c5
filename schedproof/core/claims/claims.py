"""All claims; cards name their packages, with one file per printed statement.

Such a package also has the folder ``witnesses`` and ``cases.json`` with the cases checked before random ones. After
`verify` it has ``ledger.json`` with the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from schedproof.core.base.untyped import Case, Json
from schedproof.core.cards import registry
from schedproof.core.claims.verdict import Evidence, Kind, State
from schedproof.core.errors import InputError, SchedproofError, UnknownName, require, short

if TYPE_CHECKING:
    from schedproof.core.claims.claim import Claim
    from schedproof.core.claims.witness import Witness


PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True)
class Filed:
    """A claim and its file.

    Attributes
    ----------
    file
        The module that defines it.
    folder
        The module's folder.
    more
        Files of further witnesses.
    """

    claim: Claim[Case]
    file: Path
    folder: Path
    more: tuple[Path, ...] = ()

    def witnesses(self) -> list[Witness]:
        """Return the stored and the further counterexamples."""
        from schedproof.core.claims.witness import Witness

        return Witness.load_all(self.claim, self.folder / "witnesses") + [
            Witness.load(file, self.claim) for file in self.more
        ]

    def cases(self) -> list[Case]:
        """Return the stored cases; they reach every regime and refute every false variant."""
        return [self.claim.domain.read(row) for row in _stored_cases(self.folder).get(self.claim.id, [])]


def find(name: str, family: str | None = None) -> Filed:
    """Return the claim with this id, or with this short name in the family."""
    require(name, str, "the name of a claim")
    owner = name.partition(".")[0] if "." in name else family
    families = [owner] if owner in registry.families() else registry.families()
    known = {id: row for card in families for id, row in of_family(card).items()}
    return known[registry.full_name("claim", name, known, family)]


def reviewed(claim: Claim[Case]) -> bool:
    """Return whether the claim is one of this package, whose proofs are reviewed here."""
    if claim.family not in registry.families():
        return False
    filed = of_family(claim.family).get(claim.id)
    return filed is not None and filed.claim is claim and PACKAGE in filed.file.parents


def claim(name: str) -> Claim[Case]:
    """Return the claim with this id: statement, readings, domain and repair."""
    return find(name).claim


@cache
def of_family(family: str) -> Mapping[str, Filed]:
    """Return a family's claims by id, each followed by its repaired version.

    Raises
    ------
    SchedproofError
        If two claims have the same id, or a claim's name does not start with its file's name.
    """
    from schedproof.core.claims.claim import Claim

    result: dict[str, Filed] = {}
    strays: dict[str, str] = {}
    for package in registry.family(family).claims:
        for module, file in _modules(package):
            for value in vars(module).values():
                if not isinstance(value, Claim) or value.repairs is not None:
                    continue
                value.require_reading()
                if module.__name__ != package and not _fits(value, file):
                    strays[value.id] = file.name
                elif value.id not in result:
                    result |= {c.id: Filed(c, file, file.parent) for c in (value, value.repaired) if c is not None}
                elif result[value.id].claim is not value:
                    raise SchedproofError(f"{result[value.id].file} and {file} both define the claim {value.id}")
    for id in strays.keys() - result.keys():
        short = id.partition(".")[2]
        raise SchedproofError(f"the claim {id} is defined in {strays[id]}; expected the file {short}.py")
    return result


def _fits(claim: Claim[Case], file: Path) -> bool:
    short = claim.id.partition(".")[2]
    return short == file.stem or short.startswith(f"{file.stem}_")


def _modules(package: str) -> Iterator[tuple[ModuleType, Path]]:
    top = _import(package)
    names = [info.name for info in iter_modules(getattr(top, "__path__", ())) if not info.ispkg]
    modules = [_import(f"{package}.{name}") for name in names] or [top]
    yield from ((module, Path(str(module.__file__))) for module in modules)


def _import(module: str) -> ModuleType:
    try:
        return import_module(module)
    except (Exception, SystemExit) as error:
        raise SchedproofError(f"the claims in {module} cannot be imported: {error}") from error


@cache
def _stored_cases(folder: Path) -> dict[str, list[Json]]:
    from schedproof.core.data.reading import parse, read_text

    file = folder / "cases.json"
    return parse(read_text(file)) if file.is_file() else {}


class LedgerReading(msgspec.Struct):
    """A reading in a ledger."""

    state: State
    evidence: Evidence


class LedgerRow(msgspec.Struct):
    """A claim in a ledger, with the fields that this package reads."""

    id: str
    statement: str
    source: str
    verdict: Kind
    evidence: Evidence
    severity: str | None
    assumption: str | None
    repaired_by: str | None
    readings: dict[str, LedgerReading]
    witnesses: dict[str, str]


class Ledger(msgspec.Struct):
    """The format of a ledger file."""

    claims: list[LedgerRow]


@cache
def ledger(family: str, file: str | Path | None = None) -> Mapping[str, dict[str, Json]]:
    """Return the stored verdicts by claim id, without importing the claims.

    Parameters
    ----------
    file
        A file written by ``verify --store``; it overrides ``ledger.json`` next to the claims.
    """
    rows: dict[str, dict[str, Json]] = {}
    beside = (path for path in ledger_files(family) if path.is_file())
    for path in [*beside, *([] if file is None else [Path(file)])]:
        rows |= {row["id"]: row for row in stored_rows(path) if row["id"].startswith(f"{family}.")}
    return rows


def ledger_files(family: str) -> list[Path]:
    """Return the paths of a family's ledgers, next to its claims."""
    specs = [find_spec(package) for package in registry.family(family).claims]
    return [Path(spec.origin).parent / "ledger.json" for spec in specs if spec is not None and spec.origin]


def stored_rows(file: Path) -> list[dict[str, Json]]:
    """Return the rows of a ledger file.

    Raises
    ------
    InputError
        If the file is not a ledger.
    """
    from schedproof.core.data.reading import read_text

    try:
        content = msgspec.json.decode(read_text(file))
    except (RecursionError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", file=str(file)) from None
    try:
        msgspec.convert(content, Ledger)
    except ValueError as error:
        why = f"expected a ledger written by `schedproof verify --store FILE`: {short(str(error))}"
        raise InputError(why, file=str(file)) from None
    rows: list[dict[str, Json]] = content["claims"]
    return rows


def statements() -> dict[str, str]:
    """Return the statements of all claims by id."""
    return {id: row["statement"] for id, row in ledger_rows().items()}


def in_words(verdict: str) -> str:
    """Return a verdict as printed, for example 'holds under an assumption'."""
    return f"{verdict} an assumption".replace("_", " ") if verdict.endswith("_under") else verdict.replace("_", " ")


def ledger_rows(
    family: str | None = None, verdict: str | None = None, file: str | Path | None = None
) -> dict[str, dict[str, Json]]:
    """Return the ledger's rows by claim id, of one family or all families.

    Claims without a row are imported and listed as not judged yet.

    Parameters
    ----------
    file
        A ledger that overrides those next to the claims.

    Raises
    ------
    UnknownName
        For an unknown family, or a verdict that no claim has.
    """
    result: dict[str, dict[str, Json]] = {}
    for name in registry.families() if family is None else [registry.family(family).name]:
        rows = ledger(name, file) if file else ledger(name)
        judged = {id.partition(".")[2] for id in rows}
        files = {file for package in registry.family(name).claims for file in _files(package)}
        if rows and all(any(f"{short}_".startswith(f"{file}_") for short in judged) for file in files):
            result |= rows
        else:
            unjudged = {"verdict": "not judged yet"}
            claims = {id: filed.claim.statement for id, filed in of_family(name).items()}
            result |= {id: rows.get(id, unjudged) | {"statement": statement} for id, statement in claims.items()}
    verdicts = {row["verdict"] for row in result.values()}
    if verdict is not None and verdict not in {*verdicts, *map(in_words, verdicts)}:
        raise UnknownName("verdict", verdict, verdicts)
    return {id: row for id, row in result.items() if verdict in (None, row["verdict"], in_words(row["verdict"]))}


def _files(package: str) -> Iterator[str]:
    try:
        spec = find_spec(package)
    except ImportError:
        spec = None
    if spec is None:
        raise SchedproofError(f"a card names the claims in {package}, but there is no module of that name")
    yield from (info.name for info in iter_modules(spec.submodule_search_locations or ()) if not info.ispkg)
