"""The cells of a comparison: a policy's run or a bound on one instance, and the file that keeps the finished ones."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from time import perf_counter
from typing import Any

from schedproof.core.bounds import compute
from schedproof.core.context import USUAL
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.numbers import as_text
from schedproof.core.run import Policy
from schedproof.experiments.families import Comparison

Row = dict[str, Any]

SOFTWARE = ("schedproof", "numpy", "numba", "highspy")  # what a cell's numbers depend on


def texts(options: Mapping[str, Any]) -> dict[str, str]:
    """Options as a cell names them."""
    return {name: str(value) for name, value in sorted(options.items())}


def about(instance: Any, family: Comparison) -> Row:
    """What a cell says of its instance."""
    return {
        "family": instance.family,
        "instance_sha256": instance.sha256,
        "sizes": {name: size(instance) for name, size in family.sizes.items()},
        "software": " ".join([*(f"{name} {version(name)}" for name in SOFTWARE), f"python {python_version()}"]),
    }


def bound_cell(program: str, instance: Any, options: Mapping[str, Any]) -> Row:
    """A certified bound, the side that it is on, and whether its witness proves it."""
    started = perf_counter()
    try:
        found = compute(program, instance, options, USUAL)
    except SchedproofError as error:
        return {"value": None, "verified": None, "error": str(error), "seconds": perf_counter() - started}
    return {
        "value": as_text(found.exact),
        "side": found.kind,
        "details": found.details,
        "error": "",
        "seconds": perf_counter() - started,
        "verified": found.verify(instance),
    }


def run_cell(choice: Policy, instance: Any, seed: int, family: Comparison) -> Row:
    """A policy's run, checked and measured."""
    try:
        run = choice.run(instance, seed)
    except SchedproofError as error:  # a policy that gives up is a result; it is told, and the others go on
        return {"objective": None, "feasible": None, "measures": {}, "seconds": None, "error": str(error)}
    jobs = run.to_frame()
    return {
        "objective": as_text(run.objective),
        "feasible": run.feasible,
        "measures": {name: measure(run, jobs) for name, measure in family.measures.items()},
        "seconds": run.seconds,
        "error": "" if run.feasible else f"{len(run.violations)} violations, first: {run.violations[0]}",
    }


class Store:
    """Finished cells by what they are; on disk one line of JSON each, appended in one write."""

    IDENTITY = ("kind", "instance_sha256", "policy", "program", "options", "speed", "seed", "software")

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows: dict[str, Row] = {}
        if path is not None and path.exists():
            self._read(path)

    def once(self, known: Row, work: Callable[[], Row]) -> Row:
        """The finished cell, run now unless it is there."""
        key = self._key(known)
        if key not in self.rows:
            self.rows[key] = known | work()
            if self.path is not None:
                self._append(self.path, self.rows[key])
        return known | self.rows[key] | {name: known[name] for name in ("preset", "settings") if name in known}

    def _key(self, row: Row) -> str:
        return json.dumps([row.get(name) for name in self.IDENTITY], sort_keys=True)

    def _read(self, path: Path) -> None:
        content = path.read_bytes()
        whole_lines = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole_lines.splitlines(), start=1):
            try:
                row = json.loads(line)
                self.rows[self._key(row)] = row
            except (ValueError, AttributeError):
                raise InputError(
                    "expected one finished cell per line, as JSON", path=f"line {number}", file=str(path)
                ) from None
        if len(whole_lines) < len(content):  # killed while writing: that cell is run again
            with path.open("rb+") as stream:
                stream.truncate(len(whole_lines))

    @staticmethod
    def _append(path: Path, row: Row) -> None:
        line = json.dumps(row, sort_keys=True).encode() + b"\n"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from None
        try:
            os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)
