"""Exact repair of a solver's multipliers: their signs, and reduced costs.

A reduced cost needs a finite end of the column's range. A row ``a x <= b`` may imply a missing end of one column if the
other columns have finite ends. A larger multiplier of that row then cancels the reduced cost. Columns are repaired in
the reverse order of implication, because a repair changes only reduced costs of columns with finite ends. For a column
without any limit, the cost is perturbed slightly and the program is solved again, so that the true reduced cost has the
allowed sign.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from schedproof.core.programs.exact.entries import Row
from schedproof.core.programs.exact.listing import Listing

LOWER, UPPER = 1, -1  # ends of a range: the first is needed by a positive reduced cost in a minimum
Need = tuple[int, int]  # a column, and an end of its range


class Limits:
    """Rows that imply missing ends of column ranges, in the order of implication.

    Attributes
    ----------
    of
        Implied end -> number of the row; found on first use.
    closed
        Given or implied ends.
    open
        Missing ends of columns with a finite other end.
    """

    def __init__(self, listing: Listing) -> None:
        self._listing = listing

    @cached_property
    def closed(self) -> set[Need]:
        return self._given.union(self.of)

    @cached_property
    def _given(self) -> set[Need]:
        ends = ((LOWER, "lower"), (UPPER, "upper"))
        columns = self._listing.columns
        return {(j, end) for j, c in enumerate(columns) for end, side in ends if getattr(c, side) is not None}

    @property
    def open(self) -> list[Need]:
        return [
            (j, end) for j in range(len(self._listing.columns)) for end in (LOWER, UPPER) if self._one_sided(j, end)
        ]

    def _one_sided(self, j: int, end: int) -> bool:
        return (j, end) not in self.closed and (j, -end) in self.closed

    @cached_property
    def of(self) -> dict[Need, int]:
        """Count the missing ends of each row side; with at most one, the row implies ends."""
        rows, result, closed = self._listing.rows, dict[Need, int](), set(self._given)
        if len(closed) == 2 * len(self._listing.columns):
            return result
        open_ends: dict[tuple[int, int], int] = {}
        users: dict[Need, list[tuple[int, int]]] = {}
        for i, row in enumerate(rows):
            if i in self._listing.conic:
                continue
            for end, side in ((LOWER, row.lower), (UPPER, row.upper)):
                if side is not None:
                    missing = [need for need in _opposite_ends(row, end) if need not in closed]
                    open_ends[i, end] = len(missing)
                    for need in missing:
                        users.setdefault(need, []).append((i, end))
        ready = deque(key for key, count in open_ends.items() if count <= 1)
        while ready:
            i, end = ready.popleft()
            missing = [need for need in _opposite_ends(rows[i], end) if need not in closed]
            for j, taken in _opposite_ends(rows[i], end):
                implied = j, -taken
                if implied in closed or missing not in ([], [(j, taken)]):
                    continue
                closed.add(implied)
                result[implied] = i
                for user in users.get(implied, ()):
                    open_ends[user] -= 1
                    if open_ends[user] <= 1:
                        ready.append(user)
        return result


def _opposite_ends(row: Row, end: int) -> list[Need]:
    return [(j, -end if coefficient > 0 else end) for j, coefficient in row.terms.items() if coefficient]


def repair(listing: Listing, found: Mapping[int, Fraction], limits: Limits | None = None) -> dict[int, Fraction]:
    """Return nearby multipliers without reduced costs at missing ends, if possible.

    Without ``limits``, only multipliers of a wrong sign are dropped.
    """
    sign, rows = listing.sign, listing.rows
    proof = {i: multiplier for i, multiplier in found.items() if multiplier and listing.side(i, multiplier) is not None}
    if limits is None:
        return proof
    left = listing.remaining_costs(proof)
    for (j, end), i in reversed(limits.of.items()):
        if left[j] * sign * end > 0:
            more = left[j] / rows[i].terms[j]
            proof[i] = proof.get(i, Fraction(0)) + more
            for other, coefficient in rows[i].terms.items():
                left[other] -= more * coefficient
    return proof
