"""Sweeps: policies and bounds on many instances, with every cell kept in a store.

An interrupted sweep resumes: stored cells are skipped. A cell's key is the content of its inputs, so different sweeps
share the cells that they have in common.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from platform import node
from random import SystemRandom
from time import monotonic

from schedproof.core.base.untyped import AnyFamily, Frame, Value
from schedproof.core.cards import plug_ins, registry
from schedproof.core.cards.digests import NO_FILE
from schedproof.core.data.options import number, read, whole
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import SchedproofError
from schedproof.core.results.run import Policy
from schedproof.core.runtime.context import Progress, silent
from schedproof.core.runtime.provenance import software
from schedproof.experiments.cells import (
    Case,
    Cell,
    Draw,
    WithOptions,
    cells_on,
    compute_row,
    computed_by,
    describe_instance,
    open_store,
    row_for,
    without_result,
)
from schedproof.experiments.engines import Lost, Place, Workers, engine_of
from schedproof.experiments.families import comparison
from schedproof.experiments.plans import Changed, File, Plan, Source, Trace, cases, choices, read_plan
from schedproof.experiments.table import PROVENANCE, contradictions, frame

BoundsAndRuns = tuple[Sequence[WithOptions], Sequence[tuple[Policy, Fraction | None]]]
LOG = logging.getLogger("schedproof")


def sweep(
    plan: str | Path | Mapping[str, Value],
    store: str | Path | None = None,
    *,
    engine: str = "joblib",
    jobs: int | None = None,
    scheduler: str | None = None,
    slurm: Mapping[str, str] | None = None,
    retry: bool = False,
    so_far: bool = False,
    provenance: bool = False,
    progress: Progress = silent,
) -> Frame:
    """Try policies and bounds on many instances.

    Every finished cell (a policy's run or a bound on one instance) is stored at once. The same call resumes from the
    store; several processes may share one store.

    Parameters
    ----------
    plan
        A TOML file, or a mapping of the same form: ``generators``, ``traces`` and ``files`` are the instances,
        ``policies`` and ``bounds`` are computed on them (`schedproof.experiments.plans.Plan`).
    store
        An SQLite file on a local disk, new or existing; in memory if not given.
    engine
        Where cells are computed: ``joblib`` (this machine), ``dask`` or ``slurm`` (which need the extra of the same
        name).
    jobs
        Number of parallel cells; by default, the number of processors or of the cluster's workers.
    scheduler
        For ``dask``: the address of the scheduler, like ``tcp://node1:8786``; a local one if not given.
    slurm
        For ``slurm``: parameters of `submitit`, like ``slurm_partition`` and ``timeout_min``.
    retry
        Try failed cells again.
    so_far
        Compute nothing; return the table of the stored cells.
    provenance
        Add columns with the software, commit, machine and seconds of each row.
    progress
        Called with the number of finished cells and the remaining time.

    Returns
    -------
    pandas.DataFrame
        One row per policy and bound on each instance, in the order of the plan (`schedproof.experiments.table.frame`).
        A failure is a row with an ``error`` or a ``bound_error``.

    Raises
    ------
    InputError
        For an unknown name in the plan, or a file that is not a sweep store.
    Contradiction
        If a checked run is better than a certified bound allows, also after both were computed again.

    Examples
    --------
    >>> import schedproof as sp
    >>> table = sp.sweep(
    ...     {
    ...         "generators": [{"name": "preemptive", "presets": "tiny", "seeds": 2, "settings": {"jobs": [2, 3]}}],
    ...         "policies": ["srtf", {"name": "a_online", "options": {"order": ["static", "residual"]}}],
    ...         "bounds": ["preemptive.lp4"],
    ...     },
    ...     jobs=1,
    ... )
    >>> len(table), bool((table["ratio"] >= 1).all())
    (12, True)
    """
    chosen = read_plan(plan)
    tried = cache(partial(_bounds_and_runs, chosen))
    at_once, folder = None if jobs is None else read("jobs", whole(), jobs), Path(f"{store or 'sweep'}.slurm").resolve()
    place = Place(at_once, scheduler, slurm, folder)
    place.require_used(engine, chosen.time_limit)
    with closing(_workers(engine, place)) as workers, open_store(store) as finished:
        at_work = _Sweep(workers, finished, retry, so_far, progress)
        rows = at_work.rows(cases(chosen), tried, chosen.time_limit)
    table = frame(rows)
    return table if provenance else table.drop(columns=[name for name in PROVENANCE if name in table])


def complete(cells: Sequence[Cell], finished: Store, *, jobs: int | None = None, progress: Progress = silent) -> None:
    """Compute the cells that a store lacks, in parallel on this machine."""
    with closing(_workers("joblib", Place(jobs))) as workers:
        _Sweep(workers, finished, False, False, progress).complete("cells", cells)


def on_each(
    sources: Sequence[Source],
    tried: BoundsAndRuns,
    store: str | Path | None,
    *,
    jobs: int | None = None,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> list[Row]:
    """Return the rows of the same bounds and runs on each instance, in parallel."""
    with closing(_workers("joblib", Place(jobs))) as workers, open_store(store) as finished:
        return _Sweep(workers, finished, False, False, progress).rows(sources, lambda family: tried, time_limit)


def _workers(engine: str, place: Place) -> Workers[Cell, Row]:
    return Workers(engine_of(engine), partial(compute, plug_in_files=tuple(plug_ins.plug_in_files())), place)


@dataclass(frozen=True)
class _Sweep:
    """The state of a running sweep."""

    workers: Workers[Cell, Row]
    finished: Store
    retry: bool
    so_far: bool
    progress: Progress

    def rows(
        self, result: Sequence[Source], tried: Callable[[str], BoundsAndRuns], time_limit: float | None
    ) -> list[Row]:
        for case in result:  # reject unknown names before drawing instances
            tried(case.family)
        drawn = iter(self.complete("instances", [_drawing(case) for case in result if not isinstance(case, File)]))
        cells: list[Cell] = []
        impossible: dict[int, Row] = {}
        for case in result:
            row = case.known if isinstance(case, File) else next(drawn)
            if row is not None:
                known = {name: row.get(name) for name in ("family", "instance_sha256")} | {
                    "sizes": row.get("sizes", {})
                }
                for cell in cells_on(case, case.labels | known, *tried(row["family"]), time_limit):
                    if row.get("error"):
                        impossible[len(cells)] = without_result(cell, f"no instance: {row['error']}")
                    cells.append(cell)
        possible = [cell for i, cell in enumerate(cells) if i not in impossible]
        first = self.complete("cells", possible)
        doubted = contradictions(row for row in first if row is not None)
        if doubted:  # a stored row is damaged
            again = [cell.key for cell in possible if cell.known["instance_sha256"] in doubted]
            LOG.warning(
                "%d cells contradict each other (a run is better than a bound allows): they are computed again",
                len(again),
            )
            self.finished.forget(again)
        done = iter(self.complete("cells", possible) if doubted else first)
        rows = [impossible[i] if i in impossible else next(done) for i in range(len(cells))]
        return [row for row in rows if row is not None]

    def complete(self, what: str, cells: Sequence[Cell]) -> list[Row | None]:
        """Return the rows of some cells with their labels, or None for a missing row."""
        by_key = {json.dumps(cell.key, sort_keys=True): cell for cell in cells}
        kept = {name: self.finished.find(cell.key) for name, cell in by_key.items()}
        if self.retry:
            self.finished.forget([by_key[name].key for name, row in kept.items() if row and has_failed(row)])
            kept = {name: row for name, row in kept.items() if row and not has_failed(row)}
        rest = [cell for name, cell in by_key.items() if not kept.get(name)]
        if rest and not self.so_far:
            count = Count(
                what, len(by_key), len(rest), self.progress, sum(has_failed(row) for row in kept.values() if row)
            )
            for cell, row in self.workers.compute(self._in_turn(rest, count)):
                made_now = without_result(cell, row.why) if isinstance(row, Lost) else row
                count.add(self.finished.add(cell.key, made_now))
        rows = [self.finished.find(cell.key) for cell in cells]
        return [None if row is None else row_for(cell, row) for cell, row in zip(cells, rows, strict=True)]

    def _in_turn(self, cells: Sequence[Cell], count: Count) -> Iterator[Cell]:
        groups = [list(group) for _, group in groupby(cells, lambda cell: cell.known.get("instance_sha256"))]
        SystemRandom().shuffle(groups)
        for group in groups:
            for cell in group:
                row = self.finished.find(cell.key)
                if row is None:
                    yield cell
                else:
                    count.add(row)


class Count:
    """The progress of a sweep.

    Parameters
    ----------
    total, left, failed
        Number of all cells, of cells not yet done, and of failed cells, at the start.
    """

    def __init__(self, what: str, total: int, left: int, progress: Progress, failed: int = 0) -> None:
        self.what, self.total, self.left, self.progress, self.failed = what, total, left, progress, failed
        self.done, self.began = 0, monotonic()

    def add(self, row: Row) -> None:
        self.done += 1
        self.failed += has_failed(row)
        rest = (monotonic() - self.began) / self.done * (self.left - self.done)
        words = [f"{self.total - self.left + self.done} of {self.total} {self.what}"]
        words += [f"{self.failed} failed"] * bool(self.failed) + [f"about {in_words(rest)} left"]
        self.progress(", ".join(words), self.done / self.left)


def in_words(seconds: float) -> str:
    """Return a duration as text: ``40 s``, ``5 min``, ``3.2 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def has_failed(row: Row) -> bool:
    return bool(row.get("error")) and row.get("objective", row.get("value")) is None


def compute(cell: Cell, plug_in_files: Sequence[str] = ()) -> Row:
    """Return the row of a cell, in any process on any machine.

    Raises
    ------
    SchedproofError
        If this process has other software than the process that runs the sweep, so that the key would be wrong, or if
        the policy's code is not in a file.
    """
    for module, text in cell.key["code"].items():
        if text.startswith(NO_FILE):
            raise SchedproofError(
                f"the policy's module {module}: expected a file, from which any process can import it"
            )
    for file in plug_in_files:
        plug_ins.add(file)
    known = {"code": computed_by(cell.known["family"], *cell.key["code"]), "software": software()}
    for what, here in known.items():
        if cell.key[what] != here:
            raise SchedproofError(f"{node()} differs in {what} from the process that runs the sweep: {here}")
    return compute_row(cell, partial(_instance, cell.case, cell.known.get("instance_sha256")))


_BUILT: dict[str, AnyFamily] = {}  # the last instance of this process, which the next cell probably needs


def _instance(case: Case, expected: str | None) -> AnyFamily:
    if expected is None or expected not in _BUILT:
        _BUILT.clear()
        instance = case.instance()
        _BUILT[instance.sha256] = instance
    result = next(iter(_BUILT.values()))
    if expected not in (None, result.sha256):
        raise SchedproofError("the instance of this cell has changed since it was first drawn or read")
    return result


def _drawing(case: Draw | Trace | Changed) -> Cell:
    content: Row
    if isinstance(case, Changed):
        entry, base = case.entry, case.base
        content = {"of": base.known["instance_sha256"] if isinstance(base, File) else _drawing(base).key}
    elif isinstance(case, Draw):
        id, entry = registry.find("generator", case.family)
        content = {"generator": id, "preset": case.preset}
    else:
        id, entry = registry.find("trace", case.format)
        content = {"trace": id, "files": case.content}
    made_by = {"code": computed_by(case.family, entry.home), "software": software()}
    key = {"kind": "instance", "seed": case.seed, "settings": dict(case.settings)} | content | made_by
    return Cell(key, case.labels | {"kind": "instance", "family": case.family}, case, describe_instance)


def _bounds_and_runs(plan: Plan, family: str) -> BoundsAndRuns:
    runs = []
    for name, options in choices("policy", plan.policies, family):
        speed = read("speed", number(), options.pop("speed", 1)) if comparison(family).speeds else None
        runs.append((Policy(name, options), speed))
    return choices("bound", plan.bounds, family), runs
