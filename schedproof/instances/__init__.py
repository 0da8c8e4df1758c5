"""Instances: each family's data, its schedule class, and an independent checker.

Instances and schedules are records of their files (`schedproof.core.data.records`). Constraints beyond field types
are in ``validate``. Reading stops at the first fault with an InputError: JSON path, value found, value expected.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from schedproof.core.cards import registry
from schedproof.core.cards.family import Family
from schedproof.core.data.arrays import with_arrays
from schedproof.core.data.file_kinds import INSTANCE, SCHEDULE, require_kind
from schedproof.core.data.options import pick
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import InputError, require
from schedproof.core.simulation.instance import Instance, Schedule


def read(path: str | Path) -> Instance:
    """Read an instance file of any family.

    Raises
    ------
    InputError
        Names the file, the JSON path, the value found and the value expected.
    """
    try:
        value = parse(read_text(path))
        require_kind(value, INSTANCE)
        card = registry.card_of_json(value)
        instance: Instance = card.load("instance").from_json(_with_arrays(value, path, card))
        return instance
    except InputError as error:
        raise error.in_file(str(path)) from None


def from_json(value: Any) -> Instance:
    """Return the instance of a parsed JSON object; numbers are ints or Decimals."""
    instance: Instance = registry.card_of_json(value).load("instance").from_json(value)
    return instance


def _with_arrays(value: Any, path: str | Path, card: Family) -> Any:
    return with_arrays(value, Path(path).resolve().parent, card.own.arrays)


def read_schedule(path: str | Path, instance: Instance) -> Schedule:
    """Read a schedule file of an instance.

    Raises
    ------
    InputError
        As for `read`; also if the schedule belongs to another instance.
    """
    try:
        value = parse(read_text(path))
        require_kind(value, SCHEDULE)
        arrays = _with_arrays(value, path, instance.card)
        schedule: Schedule = instance.card.load("schedule").from_json(arrays, instance)
    except InputError as error:
        raise error.in_file(str(path)) from None
    return schedule


def embedded(name: str) -> Instance:
    """Return an instance of the package by name, or a family's first draw."""
    require(name, str, "the name of an embedded instance")
    known = {file.stem: file for file in (Path(__file__).parent / "embedded").glob("*.json")}
    generators = {} if name in known else registry.entries("generator")
    if name in generators:
        return from_json(registry.generate(name, generators[name].presets[0], 0, {}))
    return read(pick("embedded instance", name, known))
