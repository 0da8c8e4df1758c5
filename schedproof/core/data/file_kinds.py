"""What a file is that was given in place of another: a schedule, a certificate, a witness, a store, a table."""

from __future__ import annotations

from schedproof.core.base.untyped import Json
from schedproof.core.errors import WrongFile

INSTANCE, SCHEDULE, CERTIFICATE, WITNESS = "an instance", "a schedule", "a bound's certificate", "a witness"
STRATEGY, RATIO, REGRET = "an adversary's strategy", "the proof of a policy's ratio", "a worst regret's certificate"
OPTIMUM, BEST = "the proof of an optimum", "the proof of the least ratio of any policy"
OBJECTS = (  # the fields that tell an object's sort: the first row of which it has all
    ({"instance_sha256", "policy"}, SCHEDULE),
    ({"instance_sha256", "multipliers"}, CERTIFICATE),
    ({"claim", "violates"}, WITNESS),
    ({"game", "moves"}, STRATEGY),
    ({"rule", "cycle"}, RATIO),
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
    """What a parsed JSON object is a file of; None for what is no sort of ours."""
    keys = value.keys() if isinstance(value, dict) else set()
    return next((sort for fields, sort in OBJECTS if fields <= keys), None)


def require_kind(value: Json, sort: str, file: str = "") -> None:
    """Refuse an object that is a file of another sort; what is of none is for its reader to judge."""
    if (found := file_kind(value)) not in (None, sort):
        raise WrongFile(f"this is {found}, expected {sort}", file=file)


def of_bytes(head: bytes) -> str | None:
    """What a file is that is no JSON, by its first bytes; a first line of several columns is a table's."""
    if known := next((sort for beginning, sort in BEGINNINGS if head.startswith(beginning)), None):
        return known
    first, _, rest = head.partition(b"\n")
    columns = max(first.count(separator) for separator in (b",", b";", b"\t", b"|"))
    table = "a table, of which `schedproof trace table` makes an instance"
    return table if columns and rest and first.isascii() and not first.startswith((b"[", b"#", b"<")) else None
