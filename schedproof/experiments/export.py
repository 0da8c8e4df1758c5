"""A finished table as a file, or as means in Markdown."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from schedproof.core.base.untyped import Frame
from schedproof.core.errors import InputError, MissingExtra
from schedproof.core.runtime.files import atomic, writable
from schedproof.experiments.table import report

KINDS = (".csv", ".parquet")
GROUPS = ("family", "preset", "trace", "file", "policy", "options", "speed", "program", "bound_options")


def table_file(path: str | Path) -> Path:
    """The name of a file that a table can be written into.

    Raises
    ------
    InputError
        For a name of another kind, or a folder that is not there.
    MissingExtra
        For Parquet without pyarrow.
    """
    file = writable(path)
    if file.suffix not in KINDS:
        raise InputError(f"expected a table's name, ending in one of {', '.join(KINDS)}", file=str(path))
    if file.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra("what writes Parquet (the package pyarrow)", "parquet")
    return file


def write_table(table: Frame, path: str | Path) -> None:
    """Write a table as CSV or Parquet, by its file's name; whole or not at all."""
    file = table_file(path)
    with atomic(file) as part:
        if file.suffix == ".csv":
            table.to_csv(part, index=False)
        else:
            table.to_parquet(part, index=False, engine="pyarrow")


def means(table: Frame) -> str:
    """The means over seeds and settings, a row for each policy with its options and each bound, in Markdown."""
    several = [name for name in GROUPS if name in table and table[name].nunique(dropna=False) > 1]
    return report(table, several or ["family"]) if len(table) else "nothing is finished"
