"""Check a certificate of a worst-case regret: ``python -I regret.py CERTIFICATE``.

All arithmetic is in integers; only the standard library is used.

The game: y(t + 1) is the point of a closed convex set Y nearest to y(t) + eta_t g_t. The regret after T slots is the
largest sum of g_t (y - y(t)) over y in Y. The worst case is over all Y of diameter at most D, in any dimension, all
y(1) in Y, and all g_t of norm at most G. With the any-time step the norm is exactly G, because shorter gradients may
increase the regret. (The regret for concave rewards with supergradients g_t is not larger.) Here D = G = 1: a regret is
a multiple of D G, a step is a multiple of D/G.

*At least.* An instance: points y(1), ..., y(T), y, with convex hull Y, and moves eta_t g_t. No move is longer than
eta_t. Each y(t + 1) is the point of Y nearest to y(t) + eta_t g_t, as its angles to all other points prove. Any two
points are at most 1 apart. If a step depends on |g_t|, the norm is 1. A shorter move then replaces a move of length
eta_t with a component orthogonal to Y.

*At most.* Weak duality: these inequalities have multipliers >= 0. The sum of all products minus the regret is a
quadratic form of moves and points (y(1) = 0), and this form is positive semidefinite. So the regret is at most the sum
of multipliers times right-hand sides.

(53) divides by |g_t|: the step of a slot with a nearly zero gradient is as long as with norm 1. Such a slot counts as
not *paid* (0 instead of 1); its regret is approached, not attained. A trajectory's value is the sum of max(0, gain)
over slots, with gains in [-1, 1]. An undecided slot (?) counts (1 + gain)/2, which is at least max(0, gain).
"""

import json
import re
import sys
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import islice, pairwise
from math import isqrt
from pathlib import Path
from stat import S_ISREG
from typing import Any

UNIT = 48  # multipliers and coordinates are multiples of 2^-48
FINE = 64  # roots and results are rounded to multiples of 2^-64
ZERO = Fraction(0)
MOST_BYTES, MOST_SLOTS, MOST_WIDTH, MOST_BITS, MOST_DIGITS = 1 << 22, 40, 100, 128, 100
MOST_STEPS = MOST_SLOTS**5  # a proof of n slots takes about n^5 steps
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
Numbers = Sequence[int]
Vector = dict[int, int]  # coefficients by position, of a linear form in moves and points
STEPS = {  # the rules and their required fields
    "constant": "initial",
    "decayed": "initial decay",
    "anytime": "",
    "printed53": "",
}


class Refused(Exception):
    """A reason, in one sentence, why the certificate proves nothing."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch(RATIONAL, text)
    need(fine, f"expected a rational like 7/3, found {text!a:.40}")
    return Fraction(text)


def unreadable(path: str | Path, error: Exception) -> Refused:
    kinds = {RecursionError: "it is nested too deeply", InvalidOperation: "an exponent is too large"}
    why = kinds.get(type(error)) or " ".join(str(error).split(";")[0].split())[:200] or type(error).__name__
    return Refused("".join(c if c.isprintable() else ascii(c)[1:-1] for c in f"{path}: cannot be read: {why}"))


def content(path: str | Path, most: int) -> bytes:
    need(S_ISREG(Path(path).stat().st_mode), "expected a regular file")  # a pipe or a device may never end
    with Path(path).open("rb") as stream:
        found = b"".join(islice(iter(lambda: stream.read(1 << 20), b""), (most >> 20) + 1))
    need(len(found) <= most, f"the file has more than {most} bytes")
    return found


def read(path: str, most: int = MOST_BYTES) -> Any:
    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key occurs twice in one object")
        return dict(pairs)

    try:
        text = content(path, most).decode("utf-8-sig")
        need(text.strip(), "expected a JSON object, found an empty file")
        value = json.loads(text, parse_float=Decimal, parse_constant=rational, object_pairs_hook=unique_keys)
        need(isinstance(value, dict), "expected a JSON object")
        return value
    except (OSError, ValueError, ArithmeticError, RecursionError, MemoryError, Refused) as error:
        raise unreadable(path, error) from None


def fields(value: Any, names: str) -> None:
    need(isinstance(value, dict) and value.keys() == {*names.split()}, f"expected the fields: {names or 'none'}")


def squares(step: str, slots: int, options: dict[str, Fraction]) -> list[Fraction]:
    """Return the squared steps eta_t^2 of a step rule for D = G = 1.

    For (53) and any-time steps, all gradients have norm 1."""
    if step == "anytime":
        return [Fraction(1, 2 * t) for t in range(1, slots + 1)]
    if step == "printed53" or "initial" not in options:
        return [Fraction(1, slots)] * slots
    return [(options["initial"] * options.get("decay", Fraction(1)) ** t) ** 2 for t in range(slots)]


def root(value: Fraction) -> int:
    """Return the square root in multiples of 2^-64, rounded down."""
    return isqrt((value.numerator << 2 * FINE) // value.denominator)


def inner(one: Numbers, other: Numbers) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def minus(one: Numbers, other: Numbers) -> list[int]:
    return [a - b for a, b in zip(one, other, strict=True)]


def at_least(lengths: list[Fraction], paid: str, points: Sequence[Numbers], moves: Sequence[Numbers]) -> Fraction:
    """Return the regret of an instance, rounded down; else raise `Refused`."""
    one, total = 1 << 2 * UNIT, 0
    need(
        len(points) - 1 == len(moves) == len(paid) == len(lengths),
        "moves: expected a move for each slot, and one more point than moves",
    )
    need(len({len(row) for row in (*points, *moves)}) == 1, "points: expected the dimension of the moves")
    need(len(points[0]) <= MOST_WIDTH, f"points: expected at most {MOST_WIDTH} coordinates")
    for t, (move, length) in enumerate(zip(moves, lengths, strict=True)):
        need(inner(move, move) <= length * one, f"the move of slot {t + 1} is longer than its step")
        for other in points[t + 1 :]:
            away = minus(other, points[t])
            need(inner(away, away) <= one, f"a point is farther than D from the point of slot {t + 1}")
        if t + 1 < len(moves):
            beyond = [a + b - c for a, b, c in zip(points[t], move, points[t + 1], strict=True)]
            nearest = all(inner(beyond, minus(other, points[t + 1])) <= 0 for other in points)
            need(nearest, f"the point of slot {t + 2} is not the nearest to the end of slot {t + 1}'s move")
        gain = inner(move, minus(points[-1], points[t])) if paid[t] == "1" else 0
        total += gain * (root(1 / length) + (gain < 0))
    return Fraction(total >> 2 * UNIT, 1 << FINE)


def at_most(lengths: list[Fraction], paid: str, moves: Numbers, distances: Numbers, projections: Numbers) -> Fraction:
    """Return the upper bound on the worst regret that multipliers prove, rounded up.

    Multipliers are given by slot in ``moves``, by pair of points in ``distances``, and by slot (except the last) and
    other point in ``projections``. Raises `Refused` if the multipliers prove nothing.
    """
    slots = len(lengths)
    form = [[0] * (2 * slots) for _ in range(2 * slots)]  # four times the quadratic form, in multiples of 2^-64
    move: list[Vector] = [{t: 1} for t in range(slots)]
    point: list[Vector] = [{}, *({slots + t: 1} for t in range(slots))]

    def plus(*terms: tuple[int, Vector]) -> Vector:
        total: Vector = {}
        for times, vector in terms:
            for place, number in vector.items():
                total[place] = total.get(place, 0) + times * number
        return total

    def add(times: int, one: Vector, other: Vector) -> None:
        for i, a in one.items():
            for j, b in other.items():
                form[i][j] += times * a * b
                form[j][i] += times * a * b

    pairs = [(i, j) for i in range(slots + 1) for j in range(i)]
    turns = [(t, x) for t in range(slots - 1) for x in range(slots + 1) if x != t + 1]
    for what, numbers, count in (
        ("move", moves, slots),
        ("pair", distances, len(pairs)),
        ("turn", projections, len(turns)),
    ):
        need(len(numbers) == count and min(numbers, default=0) >= 0, f"expected a multiplier >= 0 for each {what}")
    finer = 1 << (FINE + 1 - UNIT)
    for t, number in enumerate(moves):
        add(number * finer, move[t], move[t])
    for (i, j), number in zip(pairs, distances, strict=True):
        away = plus((1, point[i]), (-1, point[j]))
        add(number * finer, away, away)
    for (t, x), number in zip(turns, projections, strict=True):
        beyond = plus((1, move[t]), (1, point[t]), (-1, point[t + 1]))
        add(number * finer, beyond, plus((1, point[x]), (-1, point[t + 1])))
    for t, (counts, length) in enumerate(zip(paid, lengths, strict=True)):
        add(-{"0": 0, "?": 1, "1": 2}[counts] * (root(1 / length) + 1), move[t], plus((1, point[-1]), (-1, point[t])))
    need(semidefinite(form), f"the multipliers of {paid} have no positive semidefinite form")
    total = Fraction(sum(distances), 1 << UNIT) + Fraction(paid.count("?"), 2)
    total += sum((number * length for number, length in zip(moves, lengths, strict=True)), ZERO) / (1 << UNIT)
    total += sum((max(Fraction(1), length) for length in lengths), ZERO) / (1 << FINE)  # 1/eta_t was rounded up
    return Fraction(-((-total.numerator << FINE) // total.denominator), 1 << FINE)


def semidefinite(form: list[list[int]]) -> bool:
    """Return whether a symmetric matrix is positive semidefinite, by L D L^T.

    Each step multiplies by the pivot and divides by the previous one without remainder (Bareiss): entries are minors.
    All pivots are >= 0, and the row of a zero pivot is zero.
    """
    rows, before = [row[:] for row in form], 1
    for k, top in enumerate(rows):
        pivot = top[k]
        if pivot < 0 or (not pivot and any(top[k + 1 :])):
            return False
        if pivot:
            for i in range(k + 1, len(rows)):
                row, factor = rows[i], top[i]
                for j in range(i, len(rows)):
                    row[j] = (row[j] * pivot - factor * top[j]) // before
            before = pivot
    return True


def complete(patterns: list[str], slots: int) -> bool:
    """Return whether patterns of decided slots cover every choice of paid slots."""
    whole = all(re.fullmatch(r"[01]*\?*", pattern) and len(pattern) == slots for pattern in patterns)
    prefixes = sorted(pattern.rstrip("?") for pattern in patterns)
    alone = all(not after.startswith(before) for before, after in pairwise(prefixes))
    return whole and alone and sum(Fraction(1, 2 ** len(prefix)) for prefix in prefixes) == 1


def integers(value: Any) -> list[int]:
    fine = isinstance(value, list) and all(type(each) is int and each.bit_length() <= MOST_BITS for each in value)
    need(fine, "expected a list of integers")
    return list(value)


def check(certificate_file: str) -> dict[str, Any]:
    """Return the statement that a certificate proves; else raise `Refused`."""
    given = read(certificate_file)
    fields(given, "version step slots options lower upper paid points moves proofs")
    step, slots, told = given["step"], given["slots"], given["options"]
    need(given["version"] == 1, "version: expected 1")
    need(
        isinstance(step, str) and step in STEPS,
        f"step: expected one of {', '.join(STEPS)}",
    )
    need(type(slots) is int and 1 <= slots <= MOST_SLOTS, f"slots: expected an integer from 1 to {MOST_SLOTS}")
    fields(told, STEPS[step] if told or step != "constant" else "")
    options = {name: rational(text) for name, text in told.items()}
    need(all(0 < value < 10**9 for value in options.values()), "options: expected numbers above 0 and below 10^9")
    need(all(len(text) <= MOST_DIGITS for text in told.values()), f"options: expected at most {MOST_DIGITS} digits")
    try:
        lengths, paid, proofs = squares(step, slots, options), given["paid"], given["proofs"]
        need(len(proofs) * slots**5 <= MOST_STEPS, f"{len(proofs)} proofs of {slots} slots are too many to check")
        need(
            re.fullmatch("[01]+" if step == "printed53" else "1+", paid),
            "paid: expected a digit for each slot, 1 if paid (0 only with step printed53)",
        )
        least = at_least(lengths, paid, [*map(integers, given["points"])], [*map(integers, given["moves"])])
        for proof in proofs:
            fields(proof, "upper paid moves distances projections")
        patterns = [proof["paid"] for proof in proofs]
        wanted = complete(patterns, slots) if step == "printed53" else patterns == ["1" * slots]
        need(wanted, "proofs: expected each choice of the paid slots once")
        claims = [("at least", given["lower"], least)]
        for proof in proofs:
            multipliers = (integers(proof[name]) for name in ("moves", "distances", "projections"))
            claims.append(("at most", proof["upper"], at_most(lengths, proof["paid"], *multipliers)))
        claims.append(("at most", given["upper"], max(proven for _, _, proven in claims[1:])))
        for side, claimed, proven in claims:
            need(rational(claimed) == proven, f"the multipliers prove {side} {float(proven):.17g}, not {claimed:.60}")
    except Refused:
        raise
    except Exception as error:  # any exception: the file is untrusted
        raise Refused(f"malformed input: {type(error).__name__}: {' '.join(str(error).split())[:80]}") from None
    named = "".join(f", {name}={text}" for name, text in told.items())
    norms = "G exactly" if step == "anytime" else "at most G"
    statement = f"the worst regret of projected ascent with step={step}{named} after {slots} slots, norms {norms}"
    return {"statement": statement, "lower": given["lower"], "upper": given["upper"]}


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    return [f"proven: {result['statement']}", f"at least {result['lower']} D G, at most {result['upper']} D G"]


if __name__ == "__main__":
    try:
        need(len(sys.argv) == 2, "usage: python -I regret.py CERTIFICATE")
        print(*lines(check(*sys.argv[1:])), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
