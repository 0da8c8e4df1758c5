"""Counts of a trace's anomalies; every dropped or changed row is counted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from schedproof.core.base.untyped import Json
from schedproof.core.errors import short

NEVER = np.iinfo(np.int64).max
ACCEPTED, FIXED, DROPPED = "accepted", "fixed", "dropped"


class Tally:
    """Counts by reason and outcome, with the first row (line or element) of each.

    Parameters
    ----------
    reasons
        Reason -> the usual outcome, and the meaning in words.
    """

    def __init__(self, reasons: Mapping[str, tuple[str, str]]) -> None:
        self.reasons = dict(reasons)
        self.counts: dict[tuple[str, str], list[int]] = {}
        self.cells: dict[str, str] = {}

    def add(self, reason: str, row: int, outcome: str | None = None, count: int = 1, cell: str = "") -> None:
        """Count a reason; give an ``outcome`` that differs from the usual outcome.

        The first nonempty ``cell`` of a reason is its example.
        """
        if count:
            if cell:
                self.cells.setdefault(reason, cell)
            entry = self.counts.setdefault((reason, outcome or self.reasons[reason][0]), [0, row])
            entry[0] += count

    def add_all(self, reason: str, rows: np.ndarray) -> None:
        """Count a reason for each of these rows."""
        self.add(reason, int(rows.min(initial=NEVER)), count=len(rows))

    def drops(self) -> int:
        """Return the number of dropped rows."""
        return sum(count for (_, outcome), (count, _) in self.counts.items() if outcome == DROPPED)

    def account(self, kept: int) -> dict[str, Json]:
        """Return the outcome of all rows read, for the report."""
        return {"kept": kept, "dropped": self.drops(), "reasons": self.report()}

    def report(self) -> list[dict[str, Json]]:
        """Return the counts as JSON, in the order of the reasons."""
        place = {reason: i for i, reason in enumerate(self.reasons)}
        return [
            {"reason": reason, "outcome": outcome, "count": count, "first_row": row, "meaning": self.reasons[reason][1]}
            | ({"example": short(self.cells[reason])} if reason in self.cells else {})
            for (reason, outcome), (count, row) in sorted(
                self.counts.items(), key=lambda item: (place[item[0][0]], item[0][1])
            )
        ]

    def sentence(self) -> str:
        """Return the dropped rows in one clause, each reason with its first row."""
        dropped = [
            f"{count} ({self.reasons[reason][1]}; first: row {row}{self._example(reason)})"
            for (reason, outcome), (count, row) in self.counts.items()
            if outcome == DROPPED
        ]
        return "; ".join(dropped) or "none"

    def _example(self, reason: str) -> str:
        return f" with {short(self.cells[reason])}" if reason in self.cells else ""
