"""Workloads: random instances as the papers' evaluations draw them, and traces.

A family's ``generate(preset, seed, settings)`` gives the JSON object of an instance's file, the same for the same
arguments: ``preset`` is one of its ``PRESETS``; ``seed`` that of numpy's PCG64, the only source of randomness;
``settings`` are values as text for any of its ``settings.NAMES``, described at its ``settings.Settings``. The preset
``tiny`` keeps the shape and shrinks every range, so that exact programs and brute force end in a blink.

A trace's ``load(files, seed, options)`` gives such an object and a report of what was read, dropped and drawn:
``files`` are each plain or gzip, and where they come in any order, told apart by content; ``seed`` is that of what is
drawn; ``options`` are values as text.

Both raise UnknownName for a preset, setting, option or choice that there is not, and InputError for a value that is
malformed, impossible or without effect, for a file that is not what it should be, with its name and the line, and where
no job or machine is left of all files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from schedproof.core.base.untyped import Json, Value
from schedproof.core.cards import registry
from schedproof.core.errors import InputError, require
from schedproof.core.simulation.instance import Instance
from schedproof.instances import from_json


def generate(family: str, preset: str = "tiny", seed: int = 0, **settings: Value) -> Instance:
    """A random instance of a family, drawn from the ranges of its paper: ``generate("jrp", "figure4", 1, jobs=60)``.

    Raises
    ------
    UnknownName, InputError
        For a preset or setting that there is not, or a value that it cannot have.
    """
    return from_json(registry.generate(family, preset, seed, {name: str(value) for name, value in settings.items()}))


def trace(
    format: str,
    files: str | Path | Sequence[str | Path],
    seed: int = 0,
    *,
    family: str = "preemptive",
    **options: Value,
) -> tuple[Instance, dict[str, Json]]:
    """The instance of a real trace, and a report of every dirty row and every field that was drawn.

    Parameters
    ----------
    format
        Of a log that any cluster has (``table``, ``swf``, ``sacct``) the ``family`` says what becomes of its jobs.
    files
        The trace's file, or a list of them.

    Raises
    ------
    UnknownName, InputError
        For an option that there is not, or a file that is not what it should be.
    """
    _, entry = registry.find("trace", format, family)
    files = [files] if isinstance(files, str | Path) else files
    require(files, (list, tuple), "a file, or a list of files")
    for file in files:
        require(file, (str, Path), "the name of a file")
        if "\0" in str(file):
            raise InputError("cannot be read: embedded null byte", file=str(file))
    texts = {name: str(value) for name, value in options.items()}
    value, report = entry.function([Path(file) for file in files], seed, texts)
    return from_json(value), report
