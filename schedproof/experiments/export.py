"""Export of a finished table as a file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from schedproof.core.base.untyped import Frame, Value
from schedproof.core.errors import InputError, MissingExtra
from schedproof.core.runtime.files import atomic, writable

KINDS = (".csv", ".parquet")
FORMULA = "=+-@\t\r"
"""A spreadsheet reads a text cell that begins with one of these as a formula."""


def table_file(path: str | Path) -> Path:
    """Return the path of a table to write.

    Raises
    ------
    InputError
        For an unsupported kind of file, or a missing folder.
    MissingExtra
        For Parquet without pyarrow.
    """
    file = writable(path)
    if file.suffix not in KINDS:
        raise InputError(f"expected the name of a table that ends in one of {', '.join(KINDS)}", file=str(path))
    if file.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra("writing Parquet (the package pyarrow)", "parquet")
    return file


def write_table(table: Frame, path: str | Path) -> None:
    """Write a table as CSV or Parquet, atomically.

    In CSV, an apostrophe precedes text that a spreadsheet would execute as a formula.
    """
    file = table_file(path)
    with atomic(file) as part:
        if file.suffix == ".csv":
            table.map(as_text).to_csv(part, index=False)
        else:
            table.to_parquet(part, index=False, engine="pyarrow")


def as_text(cell: Value) -> Value:
    """Return a cell of a CSV table, which a spreadsheet shows as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple(FORMULA)) else cell
