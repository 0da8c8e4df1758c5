"""Readers of traces by name, and the likely reader of a file, for messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from schedproof.core.cards import registry
from schedproof.core.cards.family import Entry
from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.workloads.draws import Row
from schedproof.workloads.text_files import LONGEST_LINE, open_text

COLUMNS = {  # of a header -> the reader of such a file
    ("JobID",): "sacct",
    ("job_id", "gpu_num", "submit_time"): "helios",
    ("num_gpu", "gpu_milli"): "alibaba_jobs",
    ("instance_sn", "gpu_request"): "alibaba_jobs",
    ("gpu_request", "worker_num"): "alibaba_jobs",
    ("time", "application", "num_replicas"): "pollux",
    ("timestamp", "num_gpus"): "philly",
    ("machineId",): "philly",
    ("sn", "cpu_milli"): "openb",
}
FIELDS = {13: "google", 9: "alibaba", 7: "alibaba", 18: "swf"}  # of a line of numbers without a header
LINES = 20  # that are read


def reader(name: str, files: Sequence[str | Path], family: str) -> tuple[str, Entry]:
    """Return the id and card row of a trace's reader.

    Raises
    ------
    UnknownName
        For an unknown name; the message suggests the likely reader of the first file.
    """
    try:
        return registry.find("trace", name, family)
    except UnknownName as error:
        if hint := _hint(name, files):
            raise InputError(f"unknown trace '{name}'; {hint}") from None
        raise error from None


def load(name: str, files: Sequence[str | Path], seed: int, options: Mapping[str, str], family: str) -> tuple[Row, Row]:
    """Return the JSON object of a trace's instance, and the report.

    Raises
    ------
    InputError
        If the reader refuses the files; the message suggests another reader if it is more likely.
    """
    _, entry = reader(name, files, family)
    try:
        result: tuple[Row, Row] = entry.function(files, seed, options)
    except InputError as error:
        hint = _hint(entry.name.rpartition(".")[2], files) if error.file and not error.path else ""
        if not hint:
            raise
        raise InputError(f"{error.expected}; {hint}", file=error.file) from None
    return result


def _hint(name: str, files: Sequence[str | Path]) -> str:
    other = likely(files[0]) if files else ""
    return f"{Path(files[0]).name} looks like a file of the reader `{other}`" if other not in ("", name) else ""


def likely(file: str | Path) -> str:
    """Return the likely reader of a file by its first lines; empty if none is."""
    try:
        with open_text(file) as text:
            lines = [line for line in islice(iter(lambda: text.readline(LONGEST_LINE), ""), LINES) if line.strip()]
    except SchedproofError:
        return ""
    first = lines[0]
    if first[0] in "[{":
        return "philly" if '"attempts"' in "".join(lines) else "table"
    if first[0] == ";":
        return "swf"
    if "\t" in first and "python" in first:
        return "gavel"
    if '"(' in first:
        return "tapfinger"
    names = {*re.split(r"[,;\t|]", first.strip())}
    for columns, found in COLUMNS.items():
        if names.issuperset(columns):
            return found
    fields = re.split(r"[,\s]", first.strip())
    numbers = sum(bool(re.fullmatch(r"-?[\d.]*", field)) for field in fields)
    if numbers > len(fields) / 2:
        return FIELDS.get(len(fields), "")
    return "table" if len(names) > 2 else ""
