"""Logs of Gavel, Pollux and Sia: jobs have a model and an amount of work."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError, UnknownName
from schedproof.workloads.job_logs.content import Lines, Source, delimited
from schedproof.workloads.job_logs.reasons import REASONS
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tally import Tally
from schedproof.workloads.text_files import open_text, rows

GAVEL = {  # number of fields in a line -> columns of job type, total steps, arrival time, scale factor
    6: (0, 3, 4, 5), 7: (0, 4, 5, 6), 9: (0, 4, 8, 5), 10: (0, 5, 9, 6),
}  # fmt: skip
JOB = ("id", "model", "arrival", "gpus", "duration")
_KIND = re.compile(r"(?:(.+)-)?(scalability|placements|validation)(?:-(\d+))?")


def gavel(source: Source) -> Lines:
    """Yield the jobs of a ``.trace``; a duration is steps over steps per second."""
    kind = source.options.get("gpu_type", "v100")
    rates = _throughputs(source, kind)
    source.derived["duration"] = f"steps over the measured steps per second of the job alone on GPUs of type {kind}"
    yield 0, list(JOB)
    row, line = 0, "\n"
    with open_text(source.file) as text:
        for row, line, fields in rows(text, source.file, "\t", quotes=False):  # noqa: B007  # read below
            if not any(fields):
                source.tally.add("blank_line", row)
            elif len(fields) not in GAVEL:
                source.tally.add("field_count", row)
            else:
                model, steps, arrival, scale = (fields[place] for place in GAVEL[len(fields)])
                rate, work = _rate(rates, model, scale), decimal_of(steps)
                if not rate:
                    source.tally.add("not_measured", row)
                    continue
                seconds = steps if work is None else f"{float(work) / rate:.6f}"
                yield row, [f"job-{row}", model, arrival, scale, seconds]
    source.tally.add("no_final_newline", row, count=not line.endswith("\n"))


def _throughputs(source: Source, kind: str) -> Mapping[str, Json]:
    """Return the steps per second on one type of GPU, by job type."""
    if len(source.more) != 1:
        raise InputError("expected two files: the .trace, and Gavel's throughputs, like oracle_throughputs.json")
    file = source.more[0]
    with open_text(file) as text:
        try:
            found = json.load(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"is not a JSON object of throughputs: {error}", file=file) from None
    if not isinstance(found, dict) or not all(isinstance(rates, dict) for rates in found.values()):
        raise InputError("is not a JSON object of throughputs by type of GPU and of job", file=file)
    if kind not in found:
        raise UnknownName("gpu_type", kind, found)
    rates: Mapping[str, Json] = found[kind]
    return rates


def _rate(rates: Mapping[str, Json], model: str, scale: str) -> float:
    """Return the steps per second of a job alone; 0 if they were not measured."""
    alone = rates.get(f"('{model}', {scale})", rates.get(model))
    rate = alone.get("null") if isinstance(alone, dict) else None
    return float(rate) if isinstance(rate, int | float) and rate > 0 else 0.0


class Step(NamedTuple):
    """A measured iteration: samples per GPU, seconds, and synchronisation seconds."""

    samples: int
    seconds: float
    syncing: float


def pollux(source: Source) -> Lines:
    """Yield a workload's jobs; a duration is iterations times measured seconds.

    A batch larger than the largest measured batch is split into equal parts, with one synchronisation. Between two
    measured batches, the seconds are interpolated.
    """
    profiles = _Profiles(source.options.get("iterations", ""))
    for file in source.more:
        profiles.read(file)
    source.derived["duration"] = "iterations times measured seconds of an iteration on the fewest measured nodes"
    lines = delimited(source)
    _, header = next(lines, (0, []))
    needed = ("name", "time", "application", "num_replicas", "batch_size")
    if not set(needed) <= set(header):
        raise InputError(f"expected the columns {', '.join(needed)}, not {', '.join(header[:50])}", file=source.file)
    places = [header.index(name) for name in needed]
    yield 0, list(JOB)
    for row, fields in lines:
        name, arrival, application, replicas, batch = (fields[place] for place in places)
        if not (replicas.isdecimal() and batch.isdecimal()):
            yield row, [name, application, arrival, replicas, batch]
        elif (second := profiles.iteration(application, int(replicas), int(batch))) is None:
            source.tally.add("not_measured", row)
        else:
            seconds = second * profiles.count(application, int(batch))
            yield row, [name, application, arrival, replicas, f"{seconds:.6f}"]


class _Profiles:
    """Measured iterations by application and GPUs, and iterations of each training."""

    def __init__(self, given: str) -> None:
        self.iterations: dict[tuple[str, int], int] = {}
        self.steps: dict[tuple[str, int], dict[int, list[Step]]] = defaultdict(lambda: defaultdict(list))
        for word in filter(None, given.split(",")):
            found = re.fullmatch(r"\s*(.+)-(\d+):(\d+)\s*", word)
            if found is None:
                raise InputError(
                    "expected APPLICATION-BATCH:NUMBER, like cifar10-2048:3178", path="iterations", value=word
                )
            self.iterations[found[1], int(found[2])] = int(found[3])

    def read(self, file: str) -> None:
        """Add a file: ``APPLICATION-scalability.csv`` or ``APPLICATION/placements.csv``."""
        path = Path(file)
        found = _KIND.fullmatch(path.name.partition(".")[0])
        if found is None or (found[2] == "validation") != (found[3] is not None):
            expected = (
                "expected a name like cifar10-scalability.csv, cifar10/placements.csv or cifar10/validation-2048.csv"
            )
            raise InputError(expected, file=file)
        application, lines = found[1] or path.parent.name, delimited(Source(file, Tally(REASONS)))
        _, header = next(lines, (0, []))
        try:
            numbers = [dict(zip(header, map(float, fields), strict=True)) for _, fields in lines]
            if found[2] == "validation":
                self.iterations.setdefault((application, int(found[3])), int(numbers[-1]["iteration"]))
            for row in numbers if found[2] != "validation" else ():
                self._add(application, row)
        except (ValueError, KeyError, IndexError) as error:
            raise InputError(f"is not a profile of {found[2]}: {error}", file=file) from None

    def _add(self, application: str, row: Mapping[str, float]) -> None:
        spread = [int(n) for n in str(int(row["placement"]))] if "placement" in row else [0] * int(row["num_nodes"])
        gpus = sum(spread) if "placement" in row else int(row["num_replicas"])
        step = Step(int(row["local_bsz"]), row["step_time"], row["sync_time"])
        self.steps[application, gpus][len(spread)].append(step)

    def count(self, application: str, batch: int) -> int:
        """Return the iterations of a training.

        Raises
        ------
        InputError
            If neither a file nor an option has the number of iterations.
        """
        if (application, batch) not in self.iterations:
            raise InputError(
                f"the iterations of {application} with batches of {batch} are unknown: add the file "
                f"{application}/validation-{batch}.csv, or give iterations={application}-{batch}:NUMBER"
            )
        return self.iterations[application, batch]

    def iteration(self, application: str, gpus: int, batch: int) -> float | None:
        """Return an iteration's seconds on the fewest nodes; None for unmeasured GPUs."""
        by_nodes = self.steps.get((application, gpus))
        if not by_nodes or not gpus:
            return None
        measured = sorted(by_nodes[min(by_nodes)])
        each = ceil(batch / gpus)
        parts = ceil(each / measured[-1].samples)
        seconds, syncing = _between(measured, ceil(each / parts))
        return parts * seconds - (parts - 1) * syncing


def _between(measured: Sequence[Step], samples: int) -> tuple[float, float]:
    """Interpolate the seconds of an iteration and of its synchronisation."""
    place = bisect_left([step.samples for step in measured], samples)
    low, high = measured[max(0, place - 1)], measured[min(place, len(measured) - 1)]
    share = (samples - low.samples) / (high.samples - low.samples) if low.samples < samples < high.samples else 1.0
    return (
        low.seconds + share * (high.seconds - low.seconds),
        low.syncing + share * (high.syncing - low.syncing),
    )
