"""The cone form of a CVXPY problem, row by row in rationals.

A double means the rational that `schedproof.core.solvers.exact_check` reads in it. CVXPY adds equal terms in doubles:
numbers that look like the error of such a sum are refused. The form has auxiliary columns. Rows of a single term become
ranges of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from schedproof.core.base.untyped import Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.cones import Cone, Kind
from schedproof.core.programs.exact.entries import Column, Row, Side
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.solvers.exact_check import rational

Terms = dict[int, Fraction]
RESIDUE = 2.0**-40  # of the largest constant: a number below it may be the error of a sum
APPROXIMATED = ("RelEntrConeQuad", "OpRelEntrConeQuad", "SuppFuncAtom", "quantum_rel_entr", "von_neumann_entr")


def listing_of_problem(problem: Model) -> Listing:
    """Return the cone form, with linear rows and both kinds of cones.

    Raises
    ------
    ProgramError
        For a problem that violates CVXPY's rules, needs other cones, or is only approximated by CVXPY.
    """
    sense = problem.objective.NAME
    if not problem.variables():
        return Listing(sense, rational(float(problem.objective.value)), (), ())
    if problem.is_dcp():  # otherwise `_data` states the rule
        _require_exact(problem)
    data = _data(problem)
    sign, dims = (1 if sense == "minimize" else -1), data["dims"]
    if dims.psd or dims.p3d or dims.pnd:
        raise ProgramError(
            "expected a problem with second-order and exponential cones only; this problem needs other cones"
        )
    places = _places(problem, data["param_prob"])
    every = list(_rows(data))
    _require_no_residue(every, problem, places)
    ranges: list[list[Side]] = [[None, None] for _ in places]
    rows, cones = list[Row](), list[Cone]()
    entries = iter(every)
    for n in range(dims.zero):
        terms, side = next(entries)
        rows.append(Row(f"equation[{n}]", side, side, terms))
    for n in range(dims.nonneg):
        terms, side = next(entries)
        if len(terms) == 1:
            _narrow(ranges, terms, side)
        else:
            rows.append(Row(f"inequality[{n}]", side, None, terms))
    kinds: list[tuple[Kind, int]] = [("second_order", size) for size in dims.soc] + [("exponential", 3)] * dims.exp
    for n, (kind, size) in enumerate(kinds):
        cones.append(Cone(kind, tuple(range(len(rows), len(rows) + size))))
        for k in range(size):
            terms, side = next(entries)
            rows.append(Row(f"{kind}[{n},{k}]", side, None, terms))
    costs = [sign * rational(cost) for cost in data["c"].tolist()]
    columns = tuple(
        Column(_name(n, place), low, up, cost, place=place)
        for n, (place, (low, up), cost) in enumerate(zip(places, ranges, costs, strict=True))
    )
    return Listing(sense, sign * rational(data["offset"]), columns, tuple(rows), tuple(cones))


def _require_exact(problem: Model) -> None:
    import cvxpy

    parts = [problem.objective, *problem.constraints]
    while parts:
        part = parts.pop()
        name = type(part).__name__
        if getattr(part, "p_used", 0) is None:
            raise ProgramError(f"the exponent of {part} is a parameter, which CVXPY approximates; use a number")
        if getattr(part, "approx_error", 0):
            raise ProgramError(
                f"CVXPY replaces {part} by a term with rational exponents; the difference is {part.approx_error:.2g}. "
                "A bound on that term does not hold for the program: use a fraction of small integers as exponent"
            )
        if isinstance(part, cvxpy.QuadForm):
            raise ProgramError(
                f"CVXPY decomposes the matrix of {part} in doubles, with an error; write it as "
                "cvxpy.sum_squares(M @ x) with M' M the matrix"
            )
        if name in APPROXIMATED:
            raise ProgramError(
                f"CVXPY approximates {name}: a bound on its cone form does not hold for the program; replace it"
            )
        parts += part.args


def _data(problem: Model) -> dict[str, Model]:
    import cvxpy

    try:
        data, _, inverse = problem.get_problem_data("CLARABEL", solver_opts={"use_quad_obj": False})
    except cvxpy.DCPError as error:
        raise ProgramError(f"CVXPY rejects the program: {' '.join(str(error).split())}") from None
    return {**data, "offset": float(inverse[-1]["offset"])}


def _rows(data: dict[str, Model]) -> Iterator[tuple[Terms, Fraction]]:
    """Yield the terms -A and the sides -b of the rows b - A x, which lie in the cones."""
    matrix = data["A"].tocsr()
    matrix.sort_indices()
    for i, side in enumerate(data["b"].tolist()):
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        pairs = zip(matrix.indices[part].tolist(), matrix.data[part].tolist(), strict=True)
        yield {j: -rational(a) for j, a in pairs if a}, -rational(side)


def _require_no_residue(rows: list[tuple[Terms, Fraction]], problem: Model, places: list[tuple[str, Model]]) -> None:
    """Refuse a tiny number of few binary digits, like 0.1 + 0.2 - 0.3 in doubles."""
    data = [*problem.constants(), *problem.parameters()]
    largest = max((float(np.abs(datum.value).max()) for datum in data if datum.size), default=0.0)
    for terms, side in rows:
        for number in (*terms.values(), side):
            if number and abs(number) < RESIDUE * largest and number.denominator > 10**6 > abs(number.numerator):
                names = ", ".join(dict.fromkeys(places[j][0] for j in terms if places[j][0]))
                raise ProgramError(
                    f"a row of {names or 'constants'} has the number {float(number):.3g}, probably an error of CVXPY, "
                    "which adds equal terms in doubles; write each variable and each constant once in a row"
                )


def _narrow(ranges: list[list[Side]], terms: Terms, side: Fraction) -> None:
    ((j, coefficient),) = terms.items()
    end, pick = (0, max) if coefficient > 0 else (1, min)
    limit, known = side / coefficient, ranges[j][end]
    ranges[j][end] = limit if known is None else pick(known, limit)


def _places(problem: Model, form: Model) -> list[tuple[str, Model]]:
    known = {variable.name() for variable in problem.variables()}
    places: dict[int, tuple[str, Model]] = {}
    for variable in form.variables:
        start = form.var_id_to_col[variable.id]
        for k in range(variable.size):
            index = tuple(map(int, np.unravel_index(k, variable.shape, order="F"))) if variable.shape else ()
            places[start + k] = (variable.name(), index) if variable.name() in known else ("", ())
    return [places[j] for j in range(len(places))]


def _name(n: int, place: tuple[str, Model]) -> str:
    name, index = place
    return f"{name}[{','.join(map(str, index))}]" if name else f"auxiliary[{n}]"
