"""Recognise files given in place of another: schedule, certificate, store, table."""

from __future__ import annotations

from schedproof.core.base.untyped import Json
from schedproof.core.errors import WrongFile

INSTANCE, SCHEDULE, CERTIFICATE, WITNESS = "an instance", "a schedule", "a bound's certificate", "a witness"
STRATEGY, RATIO, REGRET = (
    "an adversary's strategy",
    "the proof of a ratio or of a game's value",
    "a worst regret's certificate",
)
OPTIMUM, BEST = "the proof of an optimum", "the proof of the least ratio of any policy"
OBJECTS = (  # required fields and kind of file; the first match counts
    ({"instance_sha256", "policy"}, SCHEDULE),
    ({"instance_sha256", "multipliers"}, CERTIFICATE),
    ({"claim", "violates"}, WITNESS),
    ({"game", "moves"}, STRATEGY),
    ({"rule", "cycle"}, RATIO),  # version 1
    ({"system", "walk"}, RATIO),
    ({"algorithm", "distribution"}, RATIO),
    ({"functions", "positions"}, BEST),
    ({"point", "tree"}, OPTIMUM),
    ({"step", "proofs"}, REGRET),
    ({"profile", "claims"}, "a ledger"),
    ({"cells", "nbformat"}, "a notebook"),
    ({"version", "family"}, INSTANCE),
)
BEGINNINGS = (
    (b"SQLite format 3\0", "a store"),
    (b"\x93NUMPY", "an array"),
    (b"PAR1", "a Parquet table"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x89PNG", "a picture"),
    (b"%PDF", "a PDF"),
)


def file_kind(value: Json) -> str | None:
    keys = value.keys() if isinstance(value, dict) else set()
    return next((kind for fields, kind in OBJECTS if fields <= keys), None)


def require_kind(value: Json, kind: str, file: str = "") -> None:
    """Raise an error for a file of another known kind."""
    if (found := file_kind(value)) not in (None, kind):
        raise WrongFile(f"this is {found}, expected {kind}", file=file)


def of_bytes(head: bytes) -> str | None:
    """Return the kind of a file other than JSON by its first bytes, or None.

    A first line of several columns, or a comment of the Standard Workload Format, means a table.
    """
    if known := next((kind for beginning, kind in BEGINNINGS if head.startswith(beginning)), None):
        return known
    first, _, rest = head.partition(b"\n")
    columns = max(first.count(separator) for separator in (b",", b";", b"\t", b"|"))
    reader = "sacct" if first.count(b"|") == columns and b"jobid" in first.lower() else "table"
    if first.startswith(b";"):  # a comment of the Standard Workload Format
        columns, reader = 1, "swf"
    ways = f"`schedproof trace {reader}` converts it to an instance, `schedproof compare --trace {reader}` reads it"
    table = f"a table ({ways})"
    return table if columns and rest and first.isascii() and not first.startswith((b"[", b"#", b"<")) else None
