"""Certified bounds by name or program, `bound(program, instance)`; their files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from schedproof.core.base.numbers import from_text
from schedproof.core.base.untyped import Json, Value
from schedproof.core.cards import registry
from schedproof.core.cards.family import BoundEntry
from schedproof.core.certificates.bound import Bound, parameter_texts
from schedproof.core.certificates.program_bound import LISTS_ITS_PROGRAM, ProgramBound, certify, program_bound
from schedproof.core.data.file_kinds import CERTIFICATE, require_kind
from schedproof.core.data.reading import Name, Row, convert, parse, read_text
from schedproof.core.errors import InputError, NoSolution, SchedproofError, is_plain, require_family, short
from schedproof.core.programs import named
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.programs.exact.compact import as_bytes
from schedproof.core.programs.program import Program
from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import Context, Progress, known_so_far, silent
from schedproof.core.runtime.deadline import best_within
from schedproof.core.runtime.files import as_json, write_bytes
from schedproof.core.runtime.garbage import collected_rarely
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.simulation.instance import Instance

LARGEST = 10**300  # limit of a value: above any objective, and representable as a double
CERTIFICATES = ".json"  # the end of a certificate's name, as opposed to a program's
RELAXED = " (relaxed)"
RATIONAL = re.compile(r"-?[0-9]{1,4000}/[0-9]{1,4000}")


def bound(
    id: str | Program,
    instance: Instance | str | Path,
    /,
    *,
    progress: Progress = silent,
    time_limit: float | None = None,
    multipliers: Mapping[str, Value] | None = None,
    **options: Value,
) -> Bound:
    """Return a certified bound on the optimum, by a card's bound or a program's rows.

    Parameters
    ----------
    id
        A bound's id with its options, or a program; integer variables of a program are relaxed.
    instance
        An instance, or the name of its file.
    progress
        Called with the progress.
    time_limit
        Seconds in total; default: the bound's usual limit, ``math.inf`` for none.
    multipliers
        Multipliers of the program's rows, for example from a solution or a policy's prices: row name -> number, or
        group -> row index -> number. In a minimization, multipliers of lower sides are >= 0; in a maximization, those
        of upper sides. By default a solver finds the best multipliers.

    Raises
    ------
    Interrupted
        If the user interrupts (Ctrl-C) after a bound was found, which is its ``best``.
    """
    context, on = Context(progress=progress, time_limit=time_limit), as_instance(instance)
    if is_plain(on):
        raise InputError(
            "expected an instance of a family (a bound has its SHA-256), found plain data; see help(sp.family)"
        )
    if options and isinstance(id, Program):
        raise InputError(f"{id.id} is a program: set its parameters with where({next(iter(options))}=...)")
    if multipliers is None:
        return compute(id, on, options, context)
    if not isinstance(id, Program):
        raise InputError(f"expected a program for the multipliers, found {short(id)}")
    return certify(id, on, multipliers)


def read_or_compute(id: str, instance: Instance, given: Mapping[str, Value], context: Context) -> Bound:
    """Return the bound in a certificate, ``FILE.json``, or the computed bound."""
    if not id.endswith(CERTIFICATES):
        return compute(id, instance, given, context)
    if given:
        raise InputError(f"the certificate {id} takes no options, got {next(iter(given))}")
    return read_bound(id, instance)


def compute(id: str | Program, instance: Instance, given: Mapping[str, Value], context: Context) -> Bound:
    """Return the bound for options as given by the user."""
    meant = meaning(id, instance, given)
    if isinstance(meant, Program):
        name, home = meant.id, "its rows"
        with collected_rarely():
            result: Value = best_within(context, lambda inner: program_bound(meant, instance, inner))
    else:
        (name, entry), home = meant, meant[1].home
        before, _ = now(), entry.function  # imported before the clock runs
        context = replace(context, started=context.started + now() - before)
        result = best_within(context, lambda inner: entry.call(name, given, _telling(inner), instance))
    if result is None:
        raise NoSolution(f"{name}: no bound was found within {context.time_limit:g} s")
    if not isinstance(result, Bound):
        raise SchedproofError(f"{name}: expected a Bound from {home}, got {short(result)}")
    return result


def meaning(id: str | Program, instance: Instance, given: Mapping[str, Value]) -> Program | tuple[str, BoundEntry]:
    """Return the card's bound with this name, or else the program with its options."""
    if isinstance(id, Program):
        return id
    name, entry = registry.find_bound(id, registry.card_of(instance))
    return (name, entry) if isinstance(entry, BoundEntry) else named.program(name, **given)


def _telling(context: Context) -> Context:
    def keep(bound: Bound) -> None:
        context.keep(bound)
        context.progress(known_so_far(None, bound.value))

    return replace(context, keep=keep)


class CertificateRow(Row, frozen=True):
    """The file of a bound with its certificate."""

    version: Annotated[int, msgspec.Meta(ge=1, le=3)]
    program: Name
    kind: Literal["lower", "upper"]
    among: str
    parameters: dict[str, str]
    instance_sha256: str
    value: str
    multipliers: dict[str, Json]


def write_bound(path: str | Path, bound: Bound) -> None:
    """Write a bound with its certificate, atomically."""
    write_certificate(path, bound.to_file())


def write_certificate(path: str | Path, file: dict[str, Json]) -> None:
    """Write the JSON object of a bound's certificate, atomically."""
    write_bytes(path, as_bytes(file) if "blocks" in file["multipliers"] else as_json(file))


def read_bound(path: str | Path, instance: Instance, program: Program | None = None) -> Bound:
    """Read a bound with its certificate; only ``verify`` checks the proof.

    Parameters
    ----------
    program
        Program to compare with the rows of a certificate that lists them; by default the program that the certificate
        names. The rows of an unknown program are trusted.

    Raises
    ------
    InputError
        For an invalid file, with the JSON path, the value and the expectation.
    """
    try:
        value = parse(read_text(path))
        require_kind(value, CERTIFICATE)
        return _bound(convert(value, CertificateRow), instance, program)
    except InputError as error:
        raise error.in_file(str(path)) from None


def _bound(row: CertificateRow, instance: Instance, program: Program | None) -> Bound:
    require_family(row.program, instance)
    if row.instance_sha256 != instance.sha256:
        raise InputError("expected a certificate of this instance, not of another instance", path="instance_sha256")
    value = _rational(row.value)
    if row.version >= LISTS_ITS_PROGRAM:
        if (row.version > LISTS_ITS_PROGRAM) != ("blocks" in row.multipliers):
            raise InputError(
                "expected version 3 for a certificate with blocks, version 2 without blocks", path="version"
            )
        witness = RowMultipliers.from_json(row.multipliers, instance)
        stated = row.program, row.kind, row.parameters, row.instance_sha256, value
        program = program or _named(row)
        of = program.at(witness.parts) if program and program.generated else program
        return ProgramBound(*stated, witness, {}, row.among, of=of)
    entry = registry.bound_entry(row.program)
    parameters = {name: value for name, value in entry.statement(row.parameters).items() if name in row.parameters}
    witness = registry.load(entry.certificate).from_json(row.multipliers, instance)
    return Bound(row.program, row.kind, parameters, row.instance_sha256, value, witness, {}, row.among)


def _named(row: CertificateRow) -> Program | None:
    """Return the program with a certificate's name and parameters, or None."""
    id, relaxed = row.program.removesuffix(RELAXED), row.program.endswith(RELAXED)
    entry = registry.entries("program").get(id)
    if entry is None:
        return None
    options = {option.name for option in entry.options} & row.parameters.keys()
    found = named.program(id, **{name: row.parameters[name] for name in options})
    found = found.relaxed() if relaxed else found
    same = (found.title, parameter_texts(found.parameters)) == (row.program, row.parameters)
    return found if same else None


def _rational(text: str) -> Fraction:
    if not RATIONAL.fullmatch(text) or not text.partition("/")[2].strip("0"):
        raise InputError("expected a rational like 7/3", path="value", value=text)
    value = from_text(text)
    if abs(value) >= LARGEST:
        raise InputError("expected a magnitude below 1e300", path="value", value=text)
    return value
