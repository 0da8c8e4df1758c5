"""The cells of a comparison: a policy's run or a bound on one instance, and the file that keeps the finished ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from schedproof.core.bounds import compute
from schedproof.core.context import USUAL
from schedproof.core.errors import SchedproofError
from schedproof.core.journal import Journal, Row, software
from schedproof.core.numbers import as_text
from schedproof.core.run import Policy
from schedproof.experiments.families import Comparison


def texts(options: Mapping[str, Any]) -> dict[str, str]:
    """Options as a cell names them."""
    return {name: str(value) for name, value in sorted(options.items())}


def about(instance: Any, family: Comparison) -> Row:
    """What a cell says of its instance."""
    return {
        "family": instance.family,
        "instance_sha256": instance.sha256,
        "sizes": {name: size(instance) for name, size in family.sizes.items()},
        "software": software(),
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
        return {
            "objective": None,
            "feasible": None,
            "measures": {},
            "profiles": {},
            "seconds": None,
            "error": str(error),
        }
    jobs = run.to_frame()
    return {
        "objective": as_text(run.objective),
        "feasible": run.feasible,
        "measures": {name: measure(run, jobs) for name, measure in family.measures.items()},
        "profiles": {name: profile(run) for name, profile in family.profiles.items()},
        "seconds": run.seconds,
        "error": "" if run.feasible else f"{run.judgement}, first: {run.violations[0]}",
    }


IDENTITY = ("kind", "instance_sha256", "policy", "program", "options", "speed", "seed", "software")


def journal(path: str | Path | None) -> Journal:
    """The finished cells of a file, or of none."""
    return Journal("cells", path)


def once(finished: Journal, known: Row, work: Callable[[], Row]) -> Row:
    """The finished cell, run now unless it is there."""
    row = finished.once({name: known.get(name) for name in IDENTITY}, lambda: known | work())
    return known | row | {name: known[name] for name in ("preset", "settings") if name in known}
