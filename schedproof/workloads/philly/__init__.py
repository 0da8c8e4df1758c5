"""Microsoft's Philly trace (2017) as preemptive instances.

Philly records each job's submission, number of GPUs and duration, and each machine's GPUs. It has no models, data,
communication, CPUs, delays or cloud.

``mapping=trace`` keeps the recorded data: a job has one chunk per GPU, each of the recorded duration. The duration
includes communication, so gradients have size 0. ``mapping=paper`` follows section V-A of Wang et al. 2022: arrivals
and GPU counts (as D_j) are taken from the trace, and all other fields are drawn as in the preemptive generator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Rng, Row, random_numbers
from schedproof.workloads.jobs import MOST_ROWS, ONE_TYPE, Job, count_wide, cut
from schedproof.workloads.json_files import opens_with
from schedproof.workloads.philly.log import read_log
from schedproof.workloads.philly.options import LOG_ONLY, Options, read_options
from schedproof.workloads.philly.reasons import REASONS
from schedproof.workloads.philly.tables import Machine, read_jobs, read_machines
from schedproof.workloads.philly.times import text_of
from schedproof.workloads.preemptive import draws, recorded, slots
from schedproof.workloads.preemptive.settings import Settings
from schedproof.workloads.tally import Tally
from schedproof.workloads.text_files import open_text


def load(files: Sequence[str | Path], seed: int, options: Mapping[str, str]) -> tuple[Row, Row]:
    """The Philly trace of deep learning jobs and its machine list.

    Parameters
    ----------
    files
        The jobs, then the machines. Jobs: the derived table with the columns ``timestamp``, ``duration`` (s) and
        ``num_gpus``, or the original ``cluster_job_log``, a JSON array; recognised by content. Machines: a table with
        the columns ``machineId`` and ``number of GPUs``, with or without its header.
    options
        - ``mapping``: trace (default) or paper, see above;
        - ``slot_seconds``: 60, with mapping=paper 3600; an arrival is rounded down, counted from the first job kept;
        - ``machines``: number of machines with GPUs to keep, from the first; ``load``: speed-up of the recorded
        arrivals; the report has the resulting load, work over capacity;
        - ``start`` (local time), ``hours``: submissions in [start, start + hours), by default from the first
        submission;
          then
          ``min_gpus``: least number of GPUs; ``skip``: jobs to skip; ``jobs``: jobs to keep;
        - ``cloud``: yes or no (default no, Philly has none; yes with mapping=paper); ``ps_per_gpu``: 1, paper 12;
        - ``delays``: job (one draw per job for all machines; default, since a draw per machine would be 44 million
          numbers for the whole trace) or server (default with mapping=paper); ``delay_low``, ``delay_high``,
          ``cloud_delay_low``, ``cloud_delay_high`` in slots;
        - with mapping=paper, the other settings of the preemptive generator too;
        - for the original log: ``gpus`` of the last (default) or first attempt that lists GPUs; ``duration``: the sum
        over the attempts (default) or the span from the first start to the last end; ``status``: the statuses to keep,
        with commas (of Pass, Killed, Failed; default all).
    """
    chosen = read_options(options)
    if len(files) != 2:
        raise InputError(f"expected two files, the jobs and the machine list, not {len(files)}")
    rng = random_numbers(seed)
    of_jobs, of_machines = Tally(REASONS), Tally(REASONS)
    machines, machine_report = _machines(str(files[1]), chosen, of_machines)
    (read, jobs), form = _jobs(str(files[0]), options, chosen, of_jobs)
    longest = draws.LONGEST_CHUNK * chosen.settings.slot_seconds if chosen.timed else None
    window = cut(jobs, chosen, of_jobs, longest)
    if not window:
        raise InputError(f"no job is left of {read} rows; dropped: {of_jobs.sentence()}", file=str(files[0]))
    sizes = [machine.gpus for machine in machines]
    count_wide(window, sizes, of_jobs)
    system = draws.servers(rng, [m.name for m in machines], sizes, chosen.settings)
    arrival = draws.to_slots([job.submitted - window[0].submitted for job in window], chosen.settings)
    rows = _rows(rng, window, arrival, system, chosen)
    lengths = [draws.chunk_slots(row) for row in rows]
    report = {
        "trace": "philly",
        "mapping": chosen.mapping,
        "options": {name: str(text) for name, text in options.items()},
        "seed": seed,
        "jobs": {"form": form} | _account(str(files[0]), read, len(rows), of_jobs),
        "machines": machine_report,
        "window": {
            "first": text_of(window[0].submitted),
            "last": text_of(window[-1].submitted),
            "slots": arrival[-1] + 1,
            "slot_seconds": float(chosen.settings.slot_seconds),
        },
        **({"time": slots.account(window, chosen.settings.slot_seconds)} if chosen.timed else {}),
        "recorded": recorded.schedule(window, sizes, [ONE_TYPE] * len(sizes), Fraction(chosen.settings.load), False)
        if chosen.timed
        else {"summary": "no schedule: with mapping=paper, durations are drawn"},
        "load": recorded.load_of(rows, lengths, sum(sizes)),
        "drawn": _describe_draws(chosen),
    }
    return draws.instance(system, rows, lengths), report


def _machines(file: str, chosen: Options, tally: Tally) -> tuple[list[Machine], Row]:
    with open_text(file) as text:
        read, machines = read_machines(text, file, tally)
    kept = machines[: chosen.machines]
    if not kept:
        raise InputError(f"no machine has GPUs in {read} rows; dropped: {tally.sentence()}", file=file)
    if len(kept) < chosen.machines < MOST_ROWS:
        raise InputError(
            f"expected at most {len(machines)}, the number of machines that have GPUs",
            path="machines",
            value=chosen.machines,
        )
    for machine in machines[len(kept) :]:
        tally.add("beyond_machines", machine.row)
    return kept, _account(file, read, len(kept), tally)


def _account(file: str, rows: int, kept: int, tally: Tally) -> Row:
    """Return the outcome of a file's rows."""
    return {"file": Path(file).name, "rows": rows} | tally.account(kept)


def _jobs(file: str, options: Mapping[str, str], chosen: Options, tally: Tally) -> tuple[tuple[int, list[Job]], str]:
    with open_text(file) as text:
        if opens_with(text) == "[":
            return read_log(text, file, tally, chosen), "cluster_job_log"
        for name in LOG_ONLY:
            if name in options:
                raise InputError(
                    "has no effect on the derived table: it has no attempts", path=name, value=str(options[name])
                )
        return read_jobs(text, file, tally, timed=chosen.timed), "derived table"


def _rows(rng: Rng, window: list[Job], arrival: list[int], system: list[Row], chosen: Options) -> list[Row]:
    """Return the instance's jobs."""
    if chosen.mapping == "paper":
        sizes = [job.gpus for job in window]
        return draws.jobs(rng, [job.name for job in window], arrival, sizes, system, chosen.settings)
    delays = draws.delays(rng, len(window), system, chosen.settings)
    return recorded.rows(window, arrival, delays, chosen.settings.slot_seconds)


def _describe_draws(chosen: Options) -> dict[str, str]:
    """Return how each field was drawn that the trace lacks."""
    s = chosen.settings
    per = "per job and machine" if s.delays == "server" else "per job, the same for all machines"
    result = {
        "upload_delay": f"not in the trace: drawn whole slots in {s.delay}, one {per}"
        + (f"; to the cloud in {s.cloud_delay}, one per job" if s.cloud == "yes" else ""),
        "cloud": "not in the trace: added, unlimited" if s.cloud == "yes" else "not in the trace: none",
        "parameter_servers": f"not in the trace, which has no CPU counts: set to {s.ps_per_gpu} per GPU, rounded up"
        + (f", each of one of {s.ps_types} types, drawn; one type drawn per job" if s.ps_types > 1 else ""),
    }
    return result | (recorded.SET if chosen.timed else _of_paper(s))


def _of_paper(s: Settings) -> dict[str, str]:
    sizes = {
        "gpus": "chunks set to the GPU count, mini-batches those of Table II",
        "table": "a model of Table II drawn per job, GPU count not used",
        "uniform": f"chunks drawn in {s.chunk_count}, mini-batches in {s.minibatches}, GPU counts unused",
    }
    return {
        "worker_types": f"not in the trace: a type of {s.types} drawn per GPU, and one per job",
        "chunks, minibatches": sizes[s.chunks],
        "epochs": f"not in the trace: drawn in {s.epochs}",
        "minibatch_time": f"recorded duration not used: drawn in {s.minibatch_hours} hours",
        "update_time": f"not in the trace: drawn in {s.update_ms} ms",
        "gradient_size": f"not in the trace: drawn in {s.gradient_mb} MB",
        "bandwidth": f"not in the trace: drawn in {s.bandwidth_mbps} Mbps",
    }
