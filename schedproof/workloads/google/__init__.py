"""Google's cluster trace of 2011 (clusterdata-2011-2) as dmlrs instances.

As in section V of Yu et al. 2022, the trace gives the jobs' arrivals and latency sensitivity; all sizes are drawn as in
`schedproof.workloads.dmlrs`. A job arrives with the first SUBMIT, after time 0, of any of its tasks. Jobs with an event
at time 0 started before the trace and do not count as arrivals. Jobs with an event before their first SUBMIT do not
count either; they occur if the files lack the beginning of the trace. Scheduling class 0 is time-insensitive, 1 and 2
are time-sensitive, 3 is time-critical.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from schedproof.core.errors import InputError
from schedproof.instances.dmlrs import from_json
from schedproof.workloads.dmlrs import draws
from schedproof.workloads.dmlrs.settings import CLASSES, RESOURCES, Settings
from schedproof.workloads.draws import Row, random_numbers
from schedproof.workloads.google.options import read_options
from schedproof.workloads.google.reasons import JOBS, ROWS
from schedproof.workloads.google.tables import TASK_EVENTS, Events, form_of, read
from schedproof.workloads.google.window import SECOND, Window, cut
from schedproof.workloads.tally import Tally
from schedproof.workloads.text_files import open_text

CLASS_OF = {"0": CLASSES[0], "1": CLASSES[1], "2": CLASSES[1], "3": CLASSES[2]}  # scheduling class -> criticality


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[Row, Row]:
    """A part of Google's cluster trace of 2011 (clusterdata-2011-2), in T slots.

    Parameters
    ----------
    files
        Parts of ``task_events`` (13 columns) and optionally ``machine_events`` (6 columns), in any order, without
        headers. Machine events are only counted and reported: their capacities are normalised, and the paper draws its
        machines.
    options
        - ``start``: seconds of trace time (its first moment is 600) at which the window and slot 0 begin; by default
          the first arrival; ``skip``: number of jobs to skip from ``start`` on; ``seconds``: length of the window
          after the skipped jobs; ``jobs``: number of jobs to keep (100);
        - ``horizon``: T (80); ``scale``: seconds of the trace per slot. By default T slots last ``seconds``;
        without ``seconds`` they last until the window's last arrival;
        - ``machines`` (30) and every other setting of the dmlrs generator but ``mix``.
    """
    chosen = read_options(options)
    rng = random_numbers(seed)
    events, tables = Events(), {}
    for number, file in enumerate(map(str, files), start=1):
        tables[f"{number}: {Path(file).name}"] = _read(file, events)
    if not any(table["table"] == TASK_EVENTS.name for table in tables.values()):
        raise InputError(f"expected at least one file of task events, found none among {len(files)} files")
    of_jobs = Tally(JOBS)
    window = cut(events, chosen, of_jobs)
    seen = len(events.alive.keys() | events.jobs.keys())
    if window is None:
        raise InputError(f"no job is left of {seen} jobs; dropped: {of_jobs.sentence()}", file=str(files[0]))
    system = draws.cluster(rng, chosen.settings)
    criticality = [CLASS_OF[kind] for kind in window.kind]
    rows = draws.jobs(rng, window.name, window.arrival, criticality, chosen.settings)
    instance = system | {"jobs": draws.without_unservable(rng, rows, criticality, system, chosen.settings)}
    report = {
        "recorded": {"summary": "no schedule: the demands of the jobs are drawn, so the log's runs are of other jobs"},
        "trace": "google",
        "options": {name: str(text) for name, text in options.items()},
        "seed": seed,
        "files": tables,
        "jobs": {
            "seen": seen,
            **of_jobs.account(len(rows)),
            "classes": dict(sorted(Counter(window.kind).items())),
            "infeasible_alone": len(from_json(instance).unservable_jobs),
        },
        "window": _window(window, events, chosen.settings.horizon),
        "drawn": _describe_draws(chosen.settings),
    }
    return instance, report


def _read(file: str, events: Events) -> Row:
    tally = Tally(ROWS)
    with open_text(file) as text:
        form = form_of(text, file)
        kept = read(text, file, form, tally, events)
    return {"table": form.name, "rows": kept + tally.drops()} | tally.account(kept)


def _window(window: Window, events: Events, horizon: int) -> Row:
    """Return the window in trace time (s), and the machines at its start, if known."""
    result: Row = {
        "start": window.start / SECOND,
        "first": window.submitted[0] / SECOND,
        "last": window.submitted[-1] / SECOND,
        "slots": horizon,
        "seconds_per_slot": float(window.per_slot / SECOND),
    }
    there: dict[str, bool] = {}
    for time, machine, present in sorted(events.machines, key=lambda change: change[0]):
        if time <= window.start:
            there[machine] = present
    return result | ({"machines_there": sum(there.values())} if events.machines else {})


def _describe_draws(s: Settings) -> dict[str, str]:
    """Return how each field was drawn that the trace lacks."""
    demands = {
        role: ", ".join(f"{r} {getattr(s, f'{role}_{r}')}" for r in RESOURCES if getattr(s, f"{role}_{r}").high)
        for role in ("worker", "ps")
    }
    result = {
        "machines": f"normalised in the trace, not used: {s.machines} of {s.capacity} times a worker's mean demand",
        "epochs": f"not in the trace: drawn in {s.epochs}",
        "samples": f"not in the trace: drawn in {s.samples}",
        "batch_size": f"not in the trace: drawn in {s.batch_size}",
        "workers_per_ps": f"not in the trace: drawn in {s.workers_per_ps}",
        "sample_time": f"not in the trace: drawn in {s.sample_time} slots; recorded durations are not used",
        "model_size": f"not in the trace: drawn in {s.model_mb} MB",
        "bandwidth_external": f"not in the trace: drawn in {s.external_mbps} Mbps, slots of {s.slot_seconds} s",
        "bandwidth_internal": f"not in the trace: drawn in {s.internal_times} times the external one",
        "worker": f"recorded requests are normalised, not used: drawn in {demands['worker']}",
        "ps": f"not in the trace: drawn in {demands['ps']}",
        "utility": f"theta2 by the scheduling class: 0 for class 0, drawn in {s.sensitive} for 1 and 2, "
        f"in {s.critical} for 3; theta1 drawn in {s.priority}, theta3 in {s.target}"
        + ("; as rational utilities" if s.utilities == "rational" else ""),
    }
    again = {"infeasible_alone": "jobs that cannot finish on an empty cluster were drawn again"}
    return result | (again if s.infeasible_alone == "redraw" else {})
