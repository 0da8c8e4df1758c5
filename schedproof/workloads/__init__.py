"""Workloads: random instances with the papers' evaluation ranges, and traces.

A family's ``generate(preset, seed, settings)`` returns the JSON object of an instance file, deterministically.
``preset`` is a name in the family's ``PRESETS``. ``seed`` is the seed of numpy's PCG64, the only source of randomness.
``settings`` are texts by name, described in ``settings.Settings``. The preset ``tiny`` has small ranges, for which
exact programs and brute force finish at once.

A trace's ``load(files, seed, options)`` returns such an object and a report of the rows read, dropped and drawn. Files
are plain or gzip, and recognised by content, in any order. ``seed`` is the seed of drawn fields; ``options`` are texts
by name.

Both functions raise UnknownName for an unknown preset, setting, option or choice. They raise InputError for a
malformed or impossible value, a value without effect, or a malformed file (with its name and line). Files without jobs
or machines also cause an InputError.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from schedproof.core.base.untyped import Json, Value
from schedproof.core.cards import registry
from schedproof.core.errors import InputError, require
from schedproof.core.simulation.instance import Instance
from schedproof.instances import from_json
from schedproof.workloads import recognise


def generate(family: str, preset: str = "tiny", seed: int = 0, **settings: Value) -> Instance:
    """Return a random instance of a family: ``generate("jrp", "figure4", jobs=60)``.

    Raises
    ------
    UnknownName, InputError
        For an unknown preset or setting, or an invalid value.
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
    """Return a trace's instance, and a report of all malformed rows and drawn fields.

    Parameters
    ----------
    format
        The name of the reader. For a job log, ``family`` is the family of the instance.
    files
        The trace's file, or a list of them.

    Raises
    ------
    UnknownName, InputError
        For an unknown option, or a malformed file.
    """
    files = [files] if isinstance(files, str | Path) else files
    require(files, (list, tuple), "a file, or a list of files")
    for file in files:
        require(file, (str, Path), "the name of a file")
        if "\0" in str(file):
            raise InputError("cannot be read: embedded null byte", file=str(file))
    texts = {name: str(value) for name, value in options.items()}
    value, report = recognise.load(format, [Path(file) for file in files], seed, texts, family)
    return from_json(value), report
