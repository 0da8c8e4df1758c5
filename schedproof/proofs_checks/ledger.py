"""The ledger: results of `verify` as JSON, for `errata`, `claims` and `show`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from schedproof.core.claims import claims
from schedproof.core.runtime.files import writable, write_json
from schedproof.proofs_checks.result import Result
from schedproof.proofs_checks.trials import profile

OF_THE_RUN = ("seconds", "ledger", "found")  # fields that differ between equal runs


def store_ledger(results: Iterable[Result], path: Path) -> None:
    """Write one row per judged claim, without run times: a rerun writes the same file.

    Rows of other claims in the file are kept.

    Raises
    ------
    InputError
        For an existing file that is not a ledger.
    """
    rows = {row["id"]: row for row in claims.stored_rows(path)} if writable(path).is_file() else {}
    for result in results:
        if result.judged:
            row = result.to_json()
            rows[row["id"]] = {key: value for key, value in row.items() if key not in OF_THE_RUN}
    write_json(path, {"profile": profile(), "claims": list(rows.values())})
    claims.ledger.cache_clear()
