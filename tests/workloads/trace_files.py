"""Trace files by hand, and checks of the loaders' reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from schedproof.instances import from_json

Row = dict[str, Any]
Loader = Callable[[Sequence[Path], int, Mapping[str, str]], tuple[Row, Row]]


class Trace:
    """A writer and loader of trace files."""

    def __init__(self, load: Loader, folder: Path, **options: str) -> None:
        self.folder, self.options, self._load = folder, options, load

    def load(self, *contents: str | bytes, seed: int = 0, **options: str) -> tuple[Row, Row]:
        names = []
        for n, content in enumerate(contents):
            name = self.folder / f"part-{n}"
            name.write_bytes(content.encode() if isinstance(content, str) else content)
            names.append(name)
        return self._load(names, seed, self.options | options)

    def table(self, *rows: str, **options: Any) -> tuple[Row, Row]:
        """Load one file of these rows."""
        return self.load(table(*rows), **options)


def table(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def counts(part: Row) -> dict[str, tuple[str, int]]:
    """Reason -> outcome and count; checks that all rows are accounted for."""
    assert part.get("rows", part.get("seen")) == part["kept"] + part["dropped"]
    assert part["dropped"] == sum(r["count"] for r in part["reasons"] if r["outcome"] == "dropped")
    assert all(r["outcome"] in ("accepted", "fixed", "dropped") and r["meaning"] for r in part["reasons"])
    return {r["reason"]: (r["outcome"], r["count"]) for r in part["reasons"]}


def of_file(report: Row, n: int = 1) -> dict[str, tuple[str, int]]:
    return counts(next(part for name, part in report["files"].items() if name.startswith(f"{n}: ")))


def accounted(data: Row, report: Row) -> Any:
    """Return the valid instance after checking that the report is complete."""
    found = [part for part in (*report.values(), *report.get("files", {}).values()) if isinstance(part, dict)]
    assert [counts(part) for part in found if "reasons" in part]
    return from_json(data)


def check(data: Row, report: Row) -> None:
    """Check the multiserver instance and its report."""
    instance = accounted(data, report)
    assert report["nodes"]["kept"] == len(instance.nodes)
    assert report.get("jobs", {"kept": instance.arrivals.sum()})["kept"] == instance.arrivals.sum()
    for row, port in zip(report["ports"], instance.ports, strict=True):
        assert (row["name"], row["nodes"]) == (port.name, len(port.nodes))
        assert row["arrivals"] == instance.arrivals[:, port.index].sum()
    assert report["density"] == pytest.approx(
        sum(len(port.nodes) for port in instance.ports) / len(instance.nodes), abs=1e-4
    )
