"""Parquet tables in bounded memory: limits, only columns in use, small batches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.errors import InputError, MissingExtra, describe
from schedproof.core.runtime.files import regular

MOST_VALUES = 50_000_000  # values in the columns in use
MOST_BYTES = 1 << 30  # uncompressed, of the columns in use
LONGEST_CELL = 1 << 16  # bytes of text
AT_ONCE = 1024  # rows; texts are dictionaries until then


def names(file: str) -> list[str]:
    """Return the names of a table's columns."""
    with _opened(file) as table:
        return list(table.schema_arrow.names)


def batches(file: str, places: Collection[int] | None = None) -> Iterator[dict[int, AnyFamily]]:
    """Yield batches of rows, as Arrow arrays of cells by column number.

    Parameters
    ----------
    places
        The numbers of the columns to read, from 0; default: all columns.

    Raises
    ------
    InputError
        For a file that is no table, a column of nested texts, or content beyond a limit.
    MissingExtra
        Without pyarrow.
    """
    import pyarrow as pa

    with _opened(file) as table:
        schema = table.schema_arrow
        wanted = {schema.names[place] for place in (range(len(schema.names)) if places is None else places)}
        _require_limits(table.metadata, wanted, file)
        for field in schema:
            if field.name in wanted and pa.types.is_nested(field.type) and "string" in str(field.type):
                raise InputError(
                    f"column {field.name}: expected numbers, times or texts, found {field.type}", file=file
                )
        ordered = sorted(wanted)
        here = [place for one in ordered for place, name in enumerate(schema.names) if name == one]
        for batch in table.iter_batches(AT_ONCE, columns=ordered, use_threads=False):
            found = dict(zip(here, batch.columns, strict=True))
            for place, column in found.items():
                _require_short(column, schema.names[place], file)
            yield {place: found[place] for place in here if places is None or place in places}


@contextmanager
def _opened(file: str) -> Iterator[AnyFamily]:
    if find_spec("pyarrow") is None:
        raise MissingExtra("reading Parquet (the package pyarrow)", "parquet")
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(regular(file)) as table:
            parts = [table.metadata.schema.column(n) for n in range(table.metadata.num_columns)]
        texts = [part.path for part in parts if part.physical_type == "BYTE_ARRAY" and "." not in part.path]
        with parquet.ParquetFile(file, read_dictionary=texts) as table:
            yield table
    except (ArrowException, OSError, ValueError) as error:
        raise InputError(f"is not a valid Parquet file: {describe(error)}", file=file) from None


def _require_limits(footer: AnyFamily, wanted: Collection[str], file: str) -> None:
    groups = [footer.row_group(n) for n in range(footer.num_row_groups)]
    parts = [group.column(n) for group in groups for n in range(group.num_columns)]
    used = [part for part in parts if any(f"{part.path_in_schema}.".startswith(f"{name}.") for name in wanted)]
    values, size = sum(part.num_values for part in used), sum(part.total_uncompressed_size for part in used)
    values = max(values, footer.num_rows)
    if values > MOST_VALUES or size > MOST_BYTES:
        found = f"{values} values of {size} bytes"
        raise InputError(f"expected at most {MOST_VALUES} values of {MOST_BYTES} bytes, found {found}", file=file)
    for n in range(footer.num_columns):
        part = footer.schema.column(n)
        if part.physical_type == "FIXED_LEN_BYTE_ARRAY" and part.length > LONGEST_CELL:
            raise InputError(f"column {part.path}: expected at most {LONGEST_CELL} bytes in a cell", file=file)


def _require_short(column: AnyFamily, name: str, file: str) -> None:
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(column.type):
        longest = compute.max(compute.binary_length(column.dictionary)).as_py() or 0
        if longest > LONGEST_CELL:
            raise InputError(f"column {name}: expected at most {LONGEST_CELL} bytes in a cell", file=file)
