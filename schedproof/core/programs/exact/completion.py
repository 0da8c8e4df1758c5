"""Complete a schedule's point by missing columns, such as curves.

An equation fixes its last column. A column that shares no row with others takes its best feasible value; an irrational
value is rounded to a feasible multiple of 2^-BITS. All other values come from a linear program in doubles and become
short rationals, which may violate a row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.cones import Cone
from schedproof.core.programs.exact.entries import ZERO, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.solving import Doubles

BITS, DENOMINATORS, FARTHEST = 100, 10**6, 80  # bits of roundings; denominators; 2^FARTHEST counts as infinite
Values = dict[int, Fraction]  # number of a column -> value
Unit = tuple[Cone | None, list[Row]]  # a row, or a cone with its rows


def complete(listing: Listing, values: Values) -> None:
    """Add the values of the missing columns.

    Raises
    ------
    ProgramError
        If there are no feasible or no best values.
    """
    while missing := [j for j in range(len(listing.columns)) if j not in values]:
        rest = _at(listing, values, missing)
        found = _equations(rest) or _alone(rest) or _together(rest)
        values |= {missing[n]: value for n, value in found.items()}


def _at(listing: Listing, values: Values, missing: list[int]) -> Listing:
    number, rows, cones = {j: n for n, j in enumerate(missing)}, list[Row](), list[Cone]()
    units = [(cone, cone.rows) for cone in listing.cones]
    for cone, members in [*units, *((None, (i,)) for i in range(len(listing.rows)) if i not in listing.conic)]:
        if any(j in number for i in members for j in listing.rows[i].terms):
            if cone:
                cones.append(Cone(cone.kind, tuple(range(len(rows), len(rows) + len(members)))))
            rows += [_less(listing.rows[i], values, number) for i in members]
    columns = tuple(listing.columns[j] for j in missing)
    return Listing(listing.sense, ZERO, columns, tuple(rows), tuple(cones))


def _less(row: Row, values: Values, number: dict[int, int]) -> Row:
    known = sum((a * values[j] for j, a in row.terms.items() if j in values), ZERO)
    lower, upper = (None if side is None else side - known for side in (row.lower, row.upper))
    return replace(row, lower=lower, upper=upper, terms={number[j]: a for j, a in row.terms.items() if j in number})


def _equations(rest: Listing) -> Values:
    rows = (row for i, row in enumerate(rest.rows) if i not in rest.conic and len(row.terms) == 1)
    return {
        j: row.lower / a
        for row in rows
        if row.lower is not None and row.lower == row.upper
        for j, a in row.terms.items()
    }


def _alone(rest: Listing) -> Values:
    units: list[Unit] = [(cone, [rest.rows[i] for i in cone.rows]) for cone in rest.cones]
    units += [(None, [row]) for i, row in enumerate(rest.rows) if i not in rest.conic]
    own: dict[int, list[Unit]] = {j: [] for j in range(len(rest.columns))}
    for unit in units:
        columns = {j for row in unit[1] for j in row.terms}
        for j in columns & own.keys():
            if len(columns) > 1:
                del own[j]
            else:
                own[j].append(unit)
    return {j: _best(rest, j, units) for j, units in own.items()}


def _best(rest: Listing, j: int, units: list[Unit]) -> Fraction:
    column, better = rest.columns[j], 1 if rest.columns[j].cost * rest.sign < 0 else -1

    def fits(x: Fraction) -> bool:
        return column.allows(x) and all(
            _holds(cone, [(row, row.terms.get(j, 0) * x) for row in rows]) for cone, rows in units
        )

    entries = [(column, 1), *((row, row.terms[j]) for cone, (row, *_) in units if cone is None)]
    sides = [(entry.upper if a * better > 0 else entry.lower, a) for entry, a in entries]
    ends = [better * side / a for side, a in sides if side is not None]
    best = better * min(ends) if ends else None
    if best is None or not fits(best):
        best = _search(fits, better)
    if best is None:
        raise ProgramError(f"{column.name} is unbounded at the point of the schedule")
    return best


def _holds(cone: Cone | None, amounts: list[tuple[Row, Fraction | int]]) -> bool:
    if cone is None:
        return all(row.allows(Fraction(amount)) for row, amount in amounts)
    return cone.contains([amount - (row.lower or ZERO) for row, amount in amounts])


def _search(fits: Callable[[Fraction], bool], better: int) -> Fraction | None:
    powers = [Fraction(2) ** n for n in range(-FARTHEST, FARTHEST)]
    good = next((x for x in (ZERO, *(-better * power for power in powers)) if fits(x)), None)
    step = None if good is None else next((power for power in powers if not fits(good + better * power)), None)
    if good is None or step is None:
        return None
    bad = good + better * step
    while abs(bad - good) * 2**BITS > 1:
        middle = (good + bad) / 2
        good, bad = (middle, bad) if fits(middle) else (good, middle)
    simple = good.limit_denominator(DENOMINATORS)
    return simple if better * simple >= better * good and fits(simple) else good


def _together(rest: Listing) -> Values:
    rows = tuple(row for i, row in enumerate(rest.rows) if i not in rest.conic)
    handle = Doubles(replace(rest, rows=rows, cones=())).program()
    if (status := handle.solve().status) != "optimal":
        raise ProgramError(f"the point of the schedule cannot be completed: highs ended with {status}")
    return {j: Fraction(x).limit_denominator(DENOMINATORS) for j, x in enumerate(handle.point.tolist())}
