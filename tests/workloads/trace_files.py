"""Trace files by hand, and what the tests of the loaders ask of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import SchedproofError
from schedproof.instances.multiserver import from_json

Row = dict[str, Any]
Loader = Callable[[Sequence[Path], int, Mapping[str, str]], tuple[Row, Row]]


class Trace:
    """Writes trace files and loads them."""

    def __init__(self, load: Loader, folder: Path, **options: str) -> None:
        self.folder, self.options, self._load = folder, options, load

    def load(self, *contents: str | bytes, seed: int = 0, **options: str) -> tuple[Row, Row]:
        names = []
        for n, content in enumerate(contents):
            name = self.folder / f"part-{n}"
            name.write_bytes(content.encode() if isinstance(content, str) else content)
            names.append(name)
        return self._load(names, seed, self.options | options)


def table(*rows: str) -> str:
    """The text of a file."""
    return "\n".join(rows) + "\n"


def counts(part: Row) -> dict[str, tuple[str, int]]:
    """Reason -> outcome and count; checks that nothing is unaccounted for."""
    assert part.get("rows", part.get("seen")) == part["kept"] + part["dropped"]
    assert part["dropped"] == sum(r["count"] for r in part["reasons"] if r["outcome"] == "dropped")
    assert all(r["outcome"] in ("accepted", "fixed", "dropped") and r["meaning"] for r in part["reasons"])
    return {r["reason"]: (r["outcome"], r["count"]) for r in part["reasons"]}


def of_file(report: Row, n: int = 1) -> dict[str, tuple[str, int]]:
    """The counts of the n-th file's rows."""
    return counts(next(part for name, part in report["files"].items() if name.startswith(f"{n}: ")))


def check(data: Row, report: Row) -> None:
    """The instance is valid, and the report is about it."""
    instance = from_json(data)
    for part in (*report["files"].values(), report["nodes"], *([report["jobs"]] if "jobs" in report else [])):
        counts(part)
    assert report["nodes"]["kept"] == len(instance.nodes)
    assert report.get("jobs", {"kept": instance.arrivals.sum()})["kept"] == instance.arrivals.sum()
    for row, port in zip(report["ports"], instance.ports, strict=True):
        assert (row["name"], row["nodes"]) == (port.name, len(port.nodes))
        assert row["arrivals"] == instance.arrivals[:, port.index].sum()
    assert report["density"] == pytest.approx(
        sum(len(port.nodes) for port in instance.ports) / len(instance.nodes), abs=1e-4
    )


def damaged(trace: Trace, files: Sequence[str], trials: int, *, which: int) -> int:
    """Bytes of one file changed, left out and doubled: an instance that is valid, or one sentence; how many loaded."""
    rng = np.random.Generator(np.random.PCG64(which))
    loaded = 0
    for _ in range(trials):
        content = bytearray(files[which].encode())
        for _ in range(rng.integers(1, 6)):
            place = int(rng.integers(len(content)))
            kind = rng.integers(3)
            if kind == 0:
                content[place] = rng.choice(list(b'0129-:.,"[]{}\n eN\xff'))
            elif kind == 1:
                del content[place : place + int(rng.integers(1, 9))]
            else:
                content[place:place] = content[place : place + int(rng.integers(1, 30))]
        try:
            data, report = trace.load(*[bytes(content) if n == which else text for n, text in enumerate(files)])
        except SchedproofError as error:
            assert "\n" not in str(error)
        else:
            check(data, report)
            loaded += 1
    return loaded
