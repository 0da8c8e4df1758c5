"""Random programs as a user writes them, in Pyomo and CVXPY, and their exact ends by ways that share no code with ours.

Linear programs end as Fourier and Motzkin's elimination says, integer ones as the list of all points does, balls and
products by closed forms, and functions of one variable by branch and bound over intervals, with endpoints in balls.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count, pairwise, product
from math import ceil, exp, floor, inf, isqrt, log, sqrt
from typing import Any, Literal, NamedTuple

import cvxpy
import flint
import pyomo.environ as pyo

import schedproof as sp
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.program import Program
from tests.tiny.listings import draw, end

LINEAR = ("boxed", "free", "equality", "degenerate", "fixed", "unbounded", "infeasible")
KINDS = (*LINEAR, "second-order", "exponential", "reciprocals and roots")
CLOSE, MOST_PIECES = 1e-4, 2000  # of the enclosure of an optimum, relative, and how many intervals that may take
Sense = Literal["minimize", "maximize"]
Backend = Literal["pyomo", "cvxpy"]
SENSES: tuple[Sense, Sense] = ("minimize", "maximize")


class Truth(NamedTuple):
    """How a program ends, and an enclosure of its optimum."""

    status: Literal["optimal", "infeasible", "unbounded"]
    low: Fraction | float = -inf
    high: Fraction | float = inf


@dataclass(frozen=True)
class Drawn:
    """A user's program with its end; ``linear`` without integers where it has a listing."""

    program: Program
    solver: str
    truth: Truth
    linear: Listing | None = None


class Model(NamedTuple):
    """What a user writes: columns by name, then rows and the objective from them."""

    columns: Callable[[], dict[str, Any]]
    rows: Callable[..., list[Any]]
    objective: Callable[..., Any]


def program_of(model: Model, sense: Sense, backend: Backend) -> Program:
    """The program of three groups."""

    @sp.group("variables", "(3)", "x")
    def cols(block: Any, instance: Any) -> None:
        """The columns."""
        made = model.columns()
        if backend == "cvxpy":
            block.variables.update(made)
        else:
            for name, variable in made.items():
                setattr(block, name, variable)

    def columns(block: Any) -> dict[str, Any]:
        own = block.variables if backend == "cvxpy" else block.model().cols
        return own if backend == "cvxpy" else {v.local_name: v for v in own.component_objects(pyo.Var)}

    @sp.group("constraints", "(2)", "x", needs=("cols",))
    def rows(block: Any, instance: Any) -> None:
        """The rows."""
        made = model.rows(**columns(block))
        if backend == "cvxpy":
            block.constraints["rows"] = made
        else:
            block.row = pyo.ConstraintList()
            for row in made:
                block.row.add(row)

    @sp.group("objective", "(1)", "x", needs=("cols",))
    def cost(block: Any, instance: Any) -> None:
        """The objective."""
        made = model.objective(**columns(block))
        if backend == "cvxpy":
            block.objective.append(made)
        else:
            block.term = made

    return Program(
        "placement.drawn",
        sense,
        (cost, rows, cols),
        backend=backend,
        integer=backend == "pyomo",
        default_solver="highs" if backend == "pyomo" else "clarabel",
    )


# --- linear ----------------------------------------------------------------------------------------------------------


def _as_double(number: Fraction) -> Fraction:
    """What its double says: the nearest fraction of small denominator, if it rounds to the double, or else itself."""
    double = float(number)
    small = Fraction(double).limit_denominator(10**6)
    return small if float(small) == double else Fraction(double)


def _with_extremes(rng: random.Random, listing: Listing) -> Listing:
    """Some coefficients and sides times powers of ten that solvers drop."""

    def far(number: Fraction | int) -> Fraction:
        scale = Fraction(10) ** (rng.choice([-1, 1]) * rng.randint(8, 12)) if rng.random() < 0.25 else Fraction(1)
        return _as_double(Fraction(number) * scale)

    rows = (replace(r, terms={j: far(a) for j, a in r.terms.items()}) for r in listing.rows)
    rows = (replace(r, lower=r.lower and far(r.lower)) if r.lower != r.upper else r for r in rows)
    return replace(listing, rows=tuple(r for r in rows if r.lower is None or r.upper is None or r.lower <= r.upper))


def in_integers(listing: Listing) -> Listing:
    """The same with whole ends of every column, between -4 and 4."""
    columns = tuple(
        replace(
            c,
            lower=Fraction(-4 if c.lower is None else max(-4, ceil(c.lower))),
            upper=Fraction(4 if c.upper is None else min(4, floor(c.upper))),
        )
        for c in listing.columns
    )
    return replace(listing, columns=columns)


def of_all_points(listing: Listing) -> Truth:
    """The best of all whole points; an open end of a column is 9 or -9."""
    ends = [
        (-9 if c.lower is None else ceil(c.lower), 9 if c.upper is None else floor(c.upper)) for c in listing.columns
    ]
    ranges = [range(low, high + 1) for low, high in ends]
    values = [
        sum((c.cost * x for c, x in zip(listing.columns, point, strict=True)), listing.constant)
        for point in product(*ranges)
        if all(row.allows(Fraction(sum(a * point[j] for j, a in row.terms.items()))) for row in listing.rows)
    ]
    if not values:
        return Truth("infeasible")
    best = min(values) if listing.sense == "minimize" else max(values)
    return Truth("optimal", best, best)


def _of_elimination(listing: Listing) -> Truth:
    status, value = end(listing)
    return Truth(status) if value is None else Truth(status, value, value)


def _linear_model(listing: Listing, backend: Backend, domain: Any) -> Model:
    sides = [[None if side is None else float(side) for side in (c.lower, c.upper)] for c in listing.columns]

    def columns() -> dict[str, Any]:
        if backend == "cvxpy":
            return {"x": cvxpy.Variable(len(sides), name="x")}
        return {"x": pyo.Var(range(len(sides)), domain=domain, bounds=lambda _, j: tuple(sides[j]))}

    def rows(x: Any) -> list[Any]:
        made = list[Any]()
        entries = [({j: 1}, c) for j, c in enumerate(listing.columns)] if backend == "cvxpy" else []
        for terms, entry in [*entries, *((row.terms, row) for row in listing.rows)]:
            left = sum(float(a) * x[j] for j, a in terms.items()) + 0 * x[0]
            if entry.lower is not None and entry.lower == entry.upper:
                made.append(left == float(entry.lower))
                continue
            made += [left >= float(entry.lower)] if entry.lower is not None else []
            made += [left <= float(entry.upper)] if entry.upper is not None else []
        return made

    def objective(x: Any) -> Any:
        return sum(float(c.cost) * x[j] for j, c in enumerate(listing.columns)) + float(listing.constant) + 0 * x[0]

    return Model(columns, rows, objective)


def _linear(kind: str, seed: int, backend: Backend) -> Drawn:
    rng = random.Random(f"user {kind} {seed}")
    listing = draw(kind, seed)
    whole = backend == "pyomo" and kind not in ("free", "unbounded") and rng.random() < 0.3
    listing = in_integers(listing) if whole else listing
    listing = _with_extremes(rng, listing) if rng.random() < 0.2 else listing
    truth = of_all_points(listing) if whole else _of_elimination(listing)
    model = _linear_model(listing, backend, pyo.Integers if whole else pyo.Reals)
    program = program_of(model, listing.sense, backend)
    return Drawn(program, program.default_solver, truth, None if whole else listing)


# --- balls and products ----------------------------------------------------------------------------------------------


def _roots(square: Fraction) -> tuple[Fraction, Fraction]:
    """An enclosure of a root."""
    scale = 10**24
    below = Fraction(isqrt(int(square * scale**2)), scale)
    return below, below if below**2 == square else below + Fraction(1, scale)


def _ball(rng: random.Random, backend: Backend) -> Drawn:
    """A linear function over a ball, and perhaps a halfspace: sum of d_k w_k^2 <= r, c w >= h."""
    n = rng.randint(1, 3)
    sense = rng.choice(SENSES)
    d, c = [rng.randint(1, 4) for _ in range(n)], [rng.choice([-3, -2, -1, 1, 2]) for _ in range(n)]
    r, h = rng.randint(-1, 9), rng.choice([None, rng.randint(-9, 12)])
    low, high = _roots(sum((Fraction(a * a, b) for a, b in zip(c, d, strict=True)), Fraction(0)) * max(r, 0))
    if r < 0 or (h is not None and h > high):
        truth = Truth("infeasible")
    elif sense == "maximize":
        truth = Truth("optimal", low, high)
    else:
        least = -high if h is None else max(-high, Fraction(h))
        truth = Truth("optimal", least, max(-low, least))

    def columns() -> dict[str, Any]:
        return {"w": cvxpy.Variable(n, name="w") if backend == "cvxpy" else pyo.Var(range(n))}

    def rows(w: Any) -> list[Any]:
        if backend == "pyomo" or rng_norm:
            squares = sum(b * w[k] ** 2 for k, b in enumerate(d))
        else:
            squares = sum(b * cvxpy.square(w[k]) for k, b in enumerate(d))
        half = [] if h is None else [sum(a * w[k] for k, a in enumerate(c)) >= h]
        return [squares <= r, *half]

    rng_norm = rng.random() < 0.5
    model = Model(columns, rows, lambda w: sum(a * w[k] for k, a in enumerate(c)))
    return Drawn(program_of(model, sense, backend), "scip" if backend == "pyomo" else "clarabel", truth)


def _product(rng: random.Random, backend: Backend) -> Drawn:
    """min a u + b v - g w with d w^2 <= u v, over boxes of any signs; CVXPY's w^2 / u is 0 at w = u = 0."""
    a, b, g, d = (rng.randint(-2, 3), rng.randint(-2, 3), rng.choice([-3, -1, 1, 2, 4]), rng.randint(1, 3))
    (lu, hu), (lv, hv) = (_range(rng) for _ in range(2))
    best: Fraction | None = None
    least = inf
    for turn in (1, -1) if backend == "pyomo" else (1,):  # both >= 0, or both <= 0
        us, vs = (sorted((turn * p, turn * q)) for p, q in ((lu, hu), (lv, hv)))
        if us[1] < 0 or vs[1] < 0:
            continue
        us[0], vs[0] = max(us[0], 0), max(vs[0], 0)
        points = list[tuple[float, float]](product(us, vs))
        for fixed, ends, other, first in ((us, vs, b, True), (vs, us, a, False)):
            for x in fixed:
                slope = turn * other
                free = (g * g * x / d) / (4 * slope * slope) if slope > 0 else ends[1]
                y = min(max(free, ends[0]), ends[1])
                points.append((x, y) if first else (y, x))
        for u, v in points:
            if backend == "cvxpy" and u == 0 and us[1] > 0:
                u = 1e-9
            exact_u, exact_v = Fraction(u), Fraction(v)
            w = _roots(exact_u * exact_v / d)[0]
            value = turn * (a * exact_u + b * exact_v) - abs(g) * w
            best = value if best is None else min(best, value)
            least = min(least, float(value))
    truth = Truth("infeasible") if best is None else Truth("optimal", least - 1e-6, best)

    def columns() -> dict[str, Any]:
        if backend == "cvxpy":
            return {name: cvxpy.Variable(name=name) for name in "uvw"}
        return {"u": pyo.Var(bounds=(lu, hu)), "v": pyo.Var(bounds=(lv, hv)), "w": pyo.Var(bounds=(-20, 20))}

    def rows(u: Any, v: Any, w: Any) -> list[Any]:
        if backend == "cvxpy":
            return [d * cvxpy.quad_over_lin(w, u) <= v, u >= lu, u <= hu, v >= lv, v <= hv]
        return [d * w**2 <= u * v]

    model = Model(columns, rows, lambda u, v, w: a * u + b * v - g * w)
    return Drawn(program_of(model, "minimize", backend), "scip" if backend == "pyomo" else "clarabel", truth)


def _range(rng: random.Random) -> tuple[int, int]:
    low = rng.choice([0, 0, 1, -1, -2, -4])
    return low, low + rng.randint(0, 5)


# --- functions of one variable ---------------------------------------------------------------------------------------


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "square": lambda x: x * x,
    "inverse": lambda x: 1 / x,
    "reciprocal": lambda x: 1 / x,
    "log": log,
    "exp": exp,
    "sqrt": sqrt,
}


class Term(NamedTuple):
    """c g(a z + b)."""

    c: int
    g: str
    a: int
    b: int

    def inside(self, z: Fraction) -> Fraction:
        return self.a * z + self.b

    def defined(self, z: Fraction) -> bool:
        x = self.inside(z)
        return {"log": x > 0, "sqrt": x >= 0, "inverse": x > 0, "reciprocal": x != 0}.get(self.g, True)

    def at(self, z: Fraction, side: int) -> tuple[Fraction | float, Fraction | float]:
        """An enclosure, at a pole from one side."""
        x = self.inside(z)
        if not x and self.g in ("log", "reciprocal", "inverse"):
            value = self.c * (-inf if self.g == "log" else side * self.a * inf)
            return value, value
        ball = flint.arb(flint.fmpq(x.numerator, x.denominator))
        value = self.c * (
            1 / ball
            if self.g in ("reciprocal", "inverse")
            else getattr(ball, self.g)()
            if self.g != "square"
            else ball * ball
        )
        return _fraction(value.lower()), _fraction(value.upper())

    def least(self, low: Fraction, high: Fraction) -> Fraction | float:
        """A bound from below on an interval, where it is monotone, or a square."""
        if self.g == "square" and self.inside(low) * self.inside(high) < 0 < self.c:
            return Fraction(0)
        return min(self.at(low, 1)[0], self.at(high, -1)[0])


def _fraction(end: Any) -> Fraction:
    mantissa, power = end.mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(power)


class Curve(NamedTuple):
    """A sum of terms and d z, to be minimized over a range."""

    terms: tuple[Term, ...]
    d: int
    low: int
    high: int

    def pieces(self) -> Iterator[tuple[Fraction, Fraction]]:
        """The intervals and points on which all terms have values, at poles as limits."""
        zeros = [Fraction(-t.b, t.a) for t in self.terms]
        cuts = sorted({Fraction(self.low), Fraction(self.high), *(z for z in zeros if self.low < z < self.high)})
        for z in cuts:
            if all(t.defined(z) for t in self.terms):
                yield z, z
        for low, high in pairwise(cuts):
            if all(t.defined((low + high) / 2) for t in self.terms):
                yield low, high

    def at(self, z: Fraction, side: int = 1) -> tuple[Fraction | float, Fraction | float]:
        ends = [t.at(z, side) for t in self.terms]
        return sum(low for low, _ in ends) + self.d * z, sum(high for _, high in ends) + self.d * z

    def infimum(self) -> Truth:
        pieces, order = [*self.pieces()], count()
        best: Fraction | float = inf
        if not pieces:
            return Truth("infeasible")
        heap = list[tuple[Any, ...]]()

        def push(low: Fraction, high: Fraction) -> None:
            under = sum(t.least(low, high) for t in self.terms) + min(self.d * low, self.d * high)
            heapq.heappush(heap, (float(under), next(order), under, low, high))

        where = pieces[0][0]
        for low, high in pieces:
            for z, side in ((low, 1), (high, -1)) if low < high else ((low, 1),):
                value = self.at(z, side)[1]
                if value == -inf:
                    return Truth("unbounded")
                if value < best:
                    best, where = value, z
            push(low, high)
        for _ in range(MOST_PIECES):
            _, _, under, low, high = heap[0]
            if low == high or best - under <= CLOSE * (1 + abs(best)):
                break
            heapq.heappop(heap)
            middle = (low + high) / 2
            if (value := self.at(middle)[1]) < best:
                best, where = value, middle
            push(low, middle)
            push(middle, high)
        return Truth("optimal", heap[0][2], min(best, self._near(where)))

    def _near(self, where: Fraction) -> Fraction | float:
        """The value at a point of the same piece that is as good as doubles let it be."""
        inner = next(((low, high) for low, high in self.pieces() if low < where < high), None)
        if inner is None:
            return inf
        z, width, (low, high) = float(where), 1 / 64, map(float, inner)
        for _ in range(150):
            x = min((x for x in (z - width, z, z + width) if low < x < high), key=self._in_doubles)
            z, width = x, width / 2 if x == z else width
        return self.at(Fraction(z))[1]

    def _in_doubles(self, z: float) -> float:
        return sum(t.c * FUNCTIONS[t.g](t.a * z + t.b) for t in self.terms) + self.d * z


def _curve(rng: random.Random, kind: str, backend: Backend) -> Drawn:
    functions = {
        "second-order": ["square"],
        "exponential": ["log"] if backend == "pyomo" else ["log", "exp"],
        "reciprocals and roots": ["sqrt", "reciprocal" if backend == "pyomo" else "inverse"],
    }[kind]
    convex = rng.random() < 0.7
    while True:
        terms = tuple(
            Term(rng.choice([1, 1, 2, -1]), rng.choice(functions), rng.choice([1, 1, -1, 2]), rng.randint(-3, 5))
            for _ in range(rng.randint(1, 2))
        )
        if convex:
            terms = tuple(t._replace(c=abs(t.c) * (-1 if t.g in ("log", "sqrt") else 1)) for t in terms)
        low = rng.choice([0, 0, 1, 1, -1, -3, -5])
        curve = Curve(terms, rng.choice([0, 1, 2, -1]), low, low + rng.randint(1, 6))
        if len({Fraction(t.b, t.a) for t in terms if t.g in ("log", "reciprocal", "inverse")}) < sum(
            t.g in ("log", "reciprocal", "inverse") for t in terms
        ):
            continue  # two poles at one place
        bottom = curve.infimum()
        in_row, sense = rng.random() < 0.4, rng.choice(SENSES)
        if not in_row or bottom.status == "infeasible":
            truth = bottom
        elif bottom.status == "unbounded" or bottom.high <= -4:
            truth = Truth("optimal", Fraction(-4), Fraction(-4))
        elif bottom.low > 4:
            truth = Truth("infeasible")
        elif bottom.high < 4 and bottom.low > -4:
            truth = bottom
        else:
            continue
        break
    turn = 1 if sense == "minimize" else -1
    if turn < 0:
        truth = truth._replace(low=-truth.high, high=-truth.low)

    def columns() -> dict[str, Any]:
        if backend == "cvxpy":
            return {name: cvxpy.Variable(name=name) for name in "yz"}
        return {"y": pyo.Var(bounds=(-4, 4)), "z": pyo.Var(bounds=(curve.low, curve.high))}

    def function(z: Any) -> Any:
        library = pyo if backend == "pyomo" else cvxpy
        total = curve.d * z
        for c, g, a, b in terms:
            x = a * z + b
            if g == "square" and backend == "pyomo":
                total = total + c * x**2
            elif g == "reciprocal":
                total = total + c / x
            else:
                total = total + c * getattr(library, "inv_pos" if g == "inverse" else g)(x)
        return turn * total

    def rows(y: Any, z: Any) -> list[Any]:
        box = [y >= -4, y <= 4, z >= curve.low, z <= curve.high] if backend == "cvxpy" else [y + z >= curve.low - 4]
        return [*box, turn * y >= turn * function(z)] if in_row else box

    model = Model(columns, rows, lambda y, z: y if in_row else function(z))
    solver = "scip" if backend == "pyomo" else "clarabel"
    return Drawn(program_of(model, sense, backend), solver, truth)


def drawn(kind: str, seed: int) -> Drawn:
    """A program of a kind, with Pyomo for even seeds and with CVXPY for odd ones."""
    backend: Backend = "cvxpy" if seed % 2 else "pyomo"
    if kind in LINEAR:
        return _linear(kind, seed, backend)
    rng = random.Random(f"user {kind} {seed}")
    if kind != "second-order":
        return _curve(rng, kind, backend)
    which = rng.choice([_ball, _product, None])
    return which(rng, backend) if which else _curve(rng, kind, backend)
