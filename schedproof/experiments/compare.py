"""Policies side by side: total JCT, JCT relative to a baseline, and the measured ratio to a certified bound.

In a notebook ``compare(draws("simulator", seeds=5))`` gives a pandas frame with one row per instance, policy and speed.
With a results file every finished cell is one line of JSON, written as soon as it is known: an interrupted comparison
goes on where it stopped, and ``load`` reads what is there. ``python -m schedproof.experiments.compare`` does the same.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from itertools import product
from pathlib import Path
from platform import python_version
from time import perf_counter
from typing import Any

from schedproof.core import registry
from schedproof.core.bounds import bound as certified
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.numbers import as_text
from schedproof.core.options import positive, whole
from schedproof.core.run import PolicyChoice, policy
from schedproof.instances import from_json

Row = dict[str, Any]
Progress = Callable[[int, int, Row], None]

POLICIES = (
    policy("a_online"),
    policy("a_online", order="residual"),
    policy("a_online", price="marginal"),
    policy("a_online_edge"),
    policy("srtf"),
    policy("tiresias_l"),
    policy("batch_sche"),
)
MEASURES = ("total_jct", "relative_jct", "ratio", "makespan", "preemptions", "cloud_jobs", "seconds")
SOFTWARE = ("schedproof", "numpy", "numba", "highspy")  # what a cell's numbers depend on


@dataclass(frozen=True)
class Draw:
    """An instance of a family's generator, drawn when it is needed."""

    family: str
    preset: str
    seed: int
    settings: Mapping[str, str] = field(default_factory=dict)

    def instance(self) -> Any:
        """The instance itself."""
        _, generate = registry.look_up("generators", self.family)
        return from_json(generate(self.preset, self.seed, self.settings))


def draws(
    preset: str, *, seeds: int | Iterable[int] = 5, family: str = "preemptive", vary: Any = None, **settings: Any
) -> list[Draw]:
    """Draws of a preset.

    Parameters
    ----------
    seeds
        How many (from 0 on), or which.
    vary
        Setting -> its values: every combination is drawn.
    settings
        Settings of the generator that stay the same.
    """
    numbers = range(seeds) if isinstance(seeds, int) else list(seeds)
    fixed = {name: str(value) for name, value in settings.items()}
    lines = [[(name, str(value)) for value in values] for name, values in (vary or {}).items()]
    return [Draw(family, preset, seed, fixed | dict(chosen)) for chosen in product(*lines) for seed in numbers]


def compare(
    instances: Iterable[Any],
    policies: Sequence[PolicyChoice] = POLICIES,
    *,
    bound: str | None = "preemptive.lp4",
    bound_options: Mapping[str, Any] | None = None,
    speeds: Sequence[Any] = (1,),
    baseline: str = "srtf",
    results: str | Path | None = None,
    progress: Progress = lambda done, total, row: None,
) -> Any:
    """Run policies on instances and set them beside each other.

    Parameters
    ----------
    instances
        Instances, or `Draw` objects.
    policies
        As ``sp.policy(name, **options)`` gives them.
    bound, bound_options
        The program whose certified bound is the other side of the ratio, and its options; None for no ratio.
    speeds
        1 + eps, each tried with every policy; the bound stays that of its own options.
    baseline
        The policy to which total JCT is relative, on the same instance at the same speed.
    results
        A file of finished cells, one line of JSON each; cells that it holds for the same instance, policy, options and
        software are not run again.
    progress
        Told (cells done, cells in all, the cell's row).

    Returns
    -------
    pandas.DataFrame
        One row per instance, policy and speed, in that order; see `frame`.
    """
    cells = list(instances)
    store = _Store(None if results is None else Path(results))
    rates = [positive("speed", speed) for speed in speeds]
    total = len(cells) * (len(policies) * len(rates) + (bound is not None))
    rows: list[Row] = []
    for cell in cells:
        instance, named = (cell.instance(), _named(cell)) if isinstance(cell, Draw) else (cell, {})
        about = named | _about(instance)
        if bound is not None:
            options = dict(bound_options or {})
            key = {"kind": "bound", "program": bound, "options": _texts(options)}
            rows.append(store.once(about | key, lambda i=instance, o=options: _bound(bound, i, o)))  # type: ignore[misc]
            progress(len(rows), total, rows[-1])
        for choice, rate in product(policies, rates):
            faster = choice if rate == 1 else policy(choice.name, **(choice.options | {"speed": str(rate)}))
            key = {"kind": "run", "policy": choice.name, "options": _texts(choice.options), "speed": str(rate)}
            rows.append(store.once(about | key, lambda i=instance, c=faster: _run(c, i)))  # type: ignore[misc]
            progress(len(rows), total, rows[-1])
    return frame(rows, baseline)


def load(results: str | Path, baseline: str = "srtf") -> Any:
    """The frame of everything that a results file holds."""
    return frame(_Store(Path(results)).rows.values(), baseline)


def frame(rows: Iterable[Row], baseline: str = "srtf") -> Any:
    """Finished cells as a tidy pandas frame.

    Columns: the draw (``preset``, ``seed``, and each setting); the instance (``instance_sha256``, ``jobs``,
    ``chunks``); the policy (``policy``, ``options``, ``speed``); ``total_jct`` and ``relative_jct``, to the baseline on
    the same instance at the same speed; ``bound`` and ``ratio``; ``makespan``, from the first arrival to the last
    completion; ``preemptions``, interruptions of a chunk; ``cloud_jobs``, jobs with a chunk in the cloud; ``feasible``,
    ``error``, ``seconds`` and ``software``. With several bounds for one instance the last one counts.
    """
    import pandas as pd

    listed = list(rows)
    bounds = {row["instance_sha256"]: row for row in listed if row["kind"] == "bound"}
    runs = [row for row in listed if row["kind"] == "run"]
    # the plain baseline, whatever options its variants have; a policy's id and its short name are the same policy
    base = {
        (row["instance_sha256"], row["speed"]): row["objective"]
        for row in runs
        if row["policy"].rpartition(".")[2] == baseline.rpartition(".")[2] and not row["options"]
    }
    table = []
    for row in runs:
        lower = bounds.get(row["instance_sha256"], {}).get("value")
        other = base.get((row["instance_sha256"], row["speed"]))
        table.append(
            {
                **{name: row.get(name) for name in ("preset", "seed")},
                **row.get("settings", {}),
                **{name: row[name] for name in ("instance_sha256", "jobs", "chunks", "policy")},
                "options": ",".join(f"{name}={value}" for name, value in row["options"].items()),
                "speed": float(Fraction(row["speed"])),
                "total_jct": _number(row["objective"]),
                "relative_jct": _quotient(row["objective"], other),
                "bound": _number(lower),
                "ratio": _quotient(row["objective"], lower) if row["feasible"] else None,
                **{n: row[n] for n in ("makespan", "preemptions", "cloud_jobs", "feasible", "error", "seconds")},
                "software": row["software"],
            }
        )
    result = pd.DataFrame(table)
    return result.apply(lambda c: pd.to_numeric(c) if c.name in MEASURES or _numeric(c) else c)


def summary(table: Any, by: Sequence[str] = ("policy", "options", "speed")) -> Any:
    """The mean over instances of each policy's columns, with the range of the two relative ones, as a frame."""
    groups = table.groupby(list(by), sort=False, dropna=False)
    result = groups[list(MEASURES)].mean()
    for column in ("relative_jct", "ratio"):
        place = result.columns.get_loc(column) + 1
        result.insert(place, f"{column}_low", groups[column].min())
        result.insert(place + 1, f"{column}_high", groups[column].max())
    return result.reset_index()


def markdown(table: Any, digits: int = 3) -> str:
    """A frame as a Markdown table."""

    def cell(value: Any) -> str:
        if isinstance(value, float):
            return "" if value != value else f"{value:.{digits}f}".rstrip("0").rstrip(".")
        return "" if value is None else str(value)

    lines = [list(table.columns), ["---"] * len(table.columns), *table.itertuples(index=False)]
    return "\n".join("| " + " | ".join(cell(value) for value in line) + " |" for line in lines)


# --- one cell --------------------------------------------------------------------------------------------------------


def _bound(program: str, instance: Any, options: dict[str, Any]) -> Row:
    started = perf_counter()
    try:
        found = certified(program, instance, **options)
    except SchedproofError as error:
        return {"value": None, "verified": None, "error": str(error), "seconds": perf_counter() - started}
    seconds = perf_counter() - started
    return {"value": as_text(found.exact), "verified": found.verify(instance), "error": "", "seconds": seconds}


def _run(choice: PolicyChoice, instance: Any) -> Row:
    nothing = dict.fromkeys(("objective", "feasible", "makespan", "preemptions", "cloud_jobs", "seconds"))
    try:
        run = choice.run(instance)
    except SchedproofError as error:  # a policy that gives up is a result; it is told, and the others go on
        return nothing | {"error": str(error)}
    jobs = run.to_frame()
    count = getattr(run.schedule, "preemptions", lambda: None)
    return {
        "objective": as_text(run.objective),
        "feasible": run.feasible,
        "makespan": int(jobs["completion"].max() - jobs["arrival"].min()) if "completion" in jobs else None,
        "preemptions": count(),
        "cloud_jobs": int(jobs["in_cloud"].sum()) if "in_cloud" in jobs else None,
        "seconds": run.seconds,
        "error": "" if run.feasible else f"{len(run.violations)} violations, first: {run.violations[0]}",
    }


def _named(draw: Draw) -> Row:
    return {"preset": draw.preset, "seed": draw.seed, "settings": dict(draw.settings)}


def _about(instance: Any) -> Row:
    jobs = getattr(instance, "jobs", ())
    return {
        "instance_sha256": instance.sha256,
        "jobs": len(jobs),
        "chunks": sum(getattr(job, "chunks", 0) for job in jobs),
        "software": " ".join([*(f"{name} {version(name)}" for name in SOFTWARE), f"python {python_version()}"]),
    }


def _texts(options: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in sorted(options.items())}


def _number(text: str | None) -> float | None:
    return None if text is None else float(Fraction(text))


def _quotient(top: str | None, bottom: str | None) -> float | None:
    return None if top is None or bottom is None or Fraction(bottom) <= 0 else float(Fraction(top) / Fraction(bottom))


def _numeric(column: Any) -> bool:
    try:
        return all(float(value) == float(value) for value in column)
    except (TypeError, ValueError):
        return False


class _Store:
    """Finished cells by what they are; on disk one line of JSON each, appended in one write."""

    IDENTITY = ("kind", "instance_sha256", "policy", "program", "options", "speed", "software")

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
        return known | self.rows[key] | {name: known[name] for name in ("preset", "seed", "settings") if name in known}

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


# --- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare policies on draws of a preset; prints the summary, and writes every finished cell to a file."""
    parser = argparse.ArgumentParser(prog="python -m schedproof.experiments.compare", description=main.__doc__)
    parser.add_argument("--preset", default="testbed", help="of the generator: tiny, testbed, simulator")
    parser.add_argument("--family", default="preemptive")
    parser.add_argument("--seeds", default="5", help="how many draws, from seed 0 on")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the generator")
    parser.add_argument(
        "--vary", action="append", default=[], metavar="KEY=V1,V2", help="a setting with several values"
    )
    parser.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="NAME[:KEY=VALUE,...]",
        help="all that there are if none is named",
    )
    parser.add_argument("--speed", action="append", default=[], help="1 + eps; several are tried one after another")
    parser.add_argument("--bound", default="preemptive.lp4", help="the program of the bound, or none")
    parser.add_argument("--bound-option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--baseline", default="srtf", help="the policy that the others are relative to")
    parser.add_argument(
        "--out", metavar="FILE", help="finished cells, one line each; an interrupted run goes on from it"
    )
    words = parser.parse_args(arguments)
    try:
        vary = {key: value.split(",") for key, value in _pairs(words.vary).items()}
        cases = draws(
            words.preset, seeds=whole("seeds", words.seeds), family=words.family, vary=vary, **_pairs(words.set)
        )
        table = compare(
            cases,
            [_choice(text) for text in words.policy] or POLICIES,
            bound=None if words.bound == "none" else words.bound,
            bound_options=_pairs(words.bound_option),
            speeds=words.speed or [1],
            baseline=words.baseline,
            results=words.out,
            progress=_say if sys.stderr.isatty() else lambda done, total, row: None,
        )
    except SchedproofError as error:
        print(f"schedproof: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        kept = f"; the finished cells are in {words.out}" if words.out else ""
        print(f"\nstopped{kept}", file=sys.stderr)
        return 130
    print(markdown(summary(table, [*vary, "policy", "options", "speed"])))
    return 0


def _pairs(words: Iterable[str]) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            raise InputError(f"{word}: expected key=value")
    return {key: value for key, _, value in (word.partition("=") for word in words)}


def _choice(text: str) -> PolicyChoice:
    name, _, options = text.partition(":")
    return policy(name, **_pairs(options.split(",") if options else []))


def _say(done: int, total: int, row: Row) -> None:
    what = row.get("policy") or row.get("program")
    print(f"\r\033[K{done} of {total}: {what} on draw {row.get('seed')}", end="", file=sys.stderr, flush=True)
    if done == total:
        print(file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
