"""Multipliers of a solver, in doubles, made to prove a bound: signs, and what is left of costs, are repaired exactly.

What is left of a column's cost needs an end of its range. Where that end is open, a row may imply it: ``a x <= b`` does
so for one column where the others have the ends that it takes, given or implied before. A little more of that row then
pays for what was left. Columns are repaired in the reverse order in which their ends are implied, so that what a row
hands on to others finds an end. Where nothing limits a column, its cost is lowered by a hair and the program is solved
again, so that nothing of the true cost is left on the open side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction

from schedproof.core.programs.exact.listing import Listing, Row

LOWER, UPPER = 1, -1  # ends of a range: the one that a positive rest of a cost needs in a minimum, and the other
Need = tuple[int, int]  # a column, and an end of its range


class Limits:
    """The rows that imply ends of ranges which are open, in the order in which each follows from those before.

    Attributes
    ----------
    of
        By the end that it implies, the number of the row.
    closed
        Ends of ranges that are given or implied.
    open
        Ends that nothing implies, of columns whose other end is closed.
    """

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self.of: dict[Need, int] = {}
        self.closed: set[Need] = set()
        for j, column in enumerate(listing.columns):
            self.closed |= {
                (j, end) for end, side in ((LOWER, column.lower), (UPPER, column.upper)) if side is not None
            }
        if len(self.closed) < 2 * len(listing.columns):
            self._imply()
        self.open = [(j, end) for j in range(len(listing.columns)) for end in (LOWER, UPPER) if self._one_sided(j, end)]

    def _one_sided(self, j: int, end: int) -> bool:
        return (j, end) not in self.closed and (j, -end) in self.closed

    def _imply(self) -> None:
        """Count the open ends that each side of a row takes; where there is one at most, the row implies ends."""
        rows = self._listing.rows
        open_ends: dict[tuple[int, int], int] = {}
        users: dict[Need, list[tuple[int, int]]] = {}
        for i, row in enumerate(rows):
            if i in self._listing.conic:
                continue
            for end, side in ((LOWER, row.lower), (UPPER, row.upper)):
                if side is not None:
                    missing = [need for need in _opposite_ends(row, end) if need not in self.closed]
                    open_ends[i, end] = len(missing)
                    for need in missing:
                        users.setdefault(need, []).append((i, end))
        ready = deque(key for key, count in open_ends.items() if count <= 1)
        while ready:
            i, end = ready.popleft()
            missing = [need for need in _opposite_ends(rows[i], end) if need not in self.closed]
            for j, taken in _opposite_ends(rows[i], end):
                implied = j, -taken
                if implied in self.closed or missing not in ([], [(j, taken)]):
                    continue
                self.closed.add(implied)
                self.of[implied] = i
                for user in users.get(implied, ()):
                    open_ends[user] -= 1
                    if open_ends[user] <= 1:
                        ready.append(user)


def _opposite_ends(row: Row, end: int) -> list[Need]:
    """The ends of ranges that bound a row's sum from the other side: from above for a lower side of the row."""
    return [(j, -end if coefficient > 0 else end) for j, coefficient in row.terms.items()]


def repair(listing: Listing, found: Mapping[int, Fraction], limits: Limits | None = None) -> dict[int, Fraction]:
    """Multipliers near these, which prove a bound unless something is left of a cost that needs an open end.

    Without limits, only multipliers of a wrong sign are dropped.
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
