"""Theorem 7: the number of steps of Algorithms 1-4, with the LP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise, Regime, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import Growth, Size

A_SIZE_GROWS: Premise[Any] = Premise("a size grows, not the bits of a number", lambda case: case.kind != "bits")

FAMILIES: dict[str, Callable[[int], Size]] = {
    "samples": lambda n: Size(samples=4 * n),
    "slots": lambda n: Size(slots=n, samples=4),
    "draws": lambda n: Size(machines=n, draws=n**3, lp=n**3),
    "resources": lambda n: Size(resources=n),
    "bits": lambda n: Size(samples=2**n),
}


def _of_kind(kind: str) -> Regime[Growth]:
    return Regime(f"family of {kind}", lambda case: case.kind == kind)


GROWTHS = Domain(Growth, draw.growths(tuple(FAMILIES)), tuple(map(_of_kind, FAMILIES)))

SEVERAL = (
    Regime[Size]("several machines", lambda size: size.machines > 1),
    Regime[Size]("several resources", lambda size: size.resources > 1),
)

THEOREM7_LP = Claim(
    "dmlrs.theorem7_lp",
    YU22.at("section 4.4, proof of Theorem 7"),
    "With Vaidya's algorithm the LP relaxation of (23) takes O(H^3) steps.",
    GROWTHS.but(regimes=tuple(map(_of_kind, ("samples", "draws", "resources")))),
    severity="false proof step",
)
THEOREM7_LP_REPAIRED = THEOREM7_LP.repair(
    "With Vaidya's algorithm the LP relaxation of (23) takes O((H^3 R + H^2.5 R^1.5) L) steps, L being "
    "the bits of the input.",
    domain=Domain(Size, draw.sizes(), SEVERAL),
    small=True,
)

POINTS = 12  # more than the degree of any count below


@THEOREM7_LP.reading(
    "his bound",
    "The cost is ((m + n) n^2 + (m + n)^1.5 n) L with the n variables and m rows of (23).",
    where=(A_SIZE_GROWS,),
)
@THEOREM7_LP.false_variant("a degree less", spare=1)
def lp_steps(case: Growth, spare: int = 0) -> Answer:
    """Vaidya's ((m + n) n^2 + (m + n)^1.5 n) L for the LP of (23) is O(H^3).

    n = 2 H and m = H R + 2. The degree of the first product is a lower bound on the degree of the sum.
    """
    if case.kind == "bits":
        return Outside(A_SIZE_GROWS)
    sizes = [FAMILIES[case.kind](n) for n in range(case.n, case.n + POINTS)]
    first = [(s.machines * s.resources + 2 + 2 * s.machines) * (2 * s.machines) ** 2 for s in sizes]
    return Finding(
        Fraction(degree(first)),
        Fraction(degree([s.machines**3 for s in sizes]) - spare),
        "at most",
        f"degree, {case.kind}",
    )


LP_STEPS_PROOF = """
The LP of (23) has n = 2 H variables and m = H R + 2 rows. So m + n = H R + 2 H + 2 <= 5 H R. Hence (m + n) n^2 <= 5 H R
4 H^2, and (m + n)^1.5 n <= (5 H R)^1.5 2 H, where 2 sqrt(125) < 23. Vaidya's theorem has the factor L, the bits of the
input. If R <= H, then H^2.5 R^1.5 <= H^3 R.
- *Are bounds on single variables rows, too?* w, s >= 0 add at most n rows, which changes only the constants.
- *Faster algorithms exist by now.* The statement is about the algorithm that the proof names. theorem7_repaired leaves
the steps of an LP open.
"""


@THEOREM7_LP_REPAIRED.reading(
    "his bound", "The two products in Vaidya's bound are compared with these bounds.", LP_STEPS_PROOF
)
@THEOREM7_LP_REPAIRED.false_variant("without R", rows=False)
def lp_steps_counted(size: Size, rows: bool = True) -> Answer:
    """The two products of Vaidya's count are at most 20 H^3 R and 23 H^2.5 R^1.5.

    The factor L is omitted, and the second product is squared.
    """
    h, r = size.machines, size.resources if rows else 1
    n, m = 2 * h, h * size.resources + 2
    cubes = Finding(Fraction((m + n) * n**2), Fraction(20 * h**3 * r), "at most", "(m + n) n^2")
    squares = Finding(Fraction((m + n) ** 3 * n**2), Fraction(23**2 * h**5 * r**3), "at most", "((m + n)^1.5 n)^2")
    return worst([cubes, squares])


def degree(values: Sequence[int]) -> int:
    rest, result = list(values), -1
    while any(rest):
        rest, result = [b - a for a, b in pairwise(rest)], result + 1
    return result


THEOREM7 = Claim(
    "dmlrs.theorem7",
    YU22.at("section 4.4, Theorem 7"),
    "PD-ORS takes O(sum_i T K_i^2 E_i^2 (H^3 + S)) steps, which is polynomial.",
    GROWTHS,
    severity="false theorem",
)
THEOREM7_REPAIRED = THEOREM7.repair(
    "With tables, PD-ORS takes O(sum_i T V_i (V_i + H^2 + Lambda + S H R)) steps, V_i = K_i E_i and "
    "Lambda those of one LP: pseudo-polynomial.",
    domain=Domain(
        Size,
        draw.sizes(),
        (
            *SEVERAL,
            Regime("many draws", lambda size: size.draws > 10),
            Regime("many samples", lambda size: size.samples > 6),
        ),
    ),
    small=True,
)


@THEOREM7.reading(
    "recursion",
    "Algorithm 3 calls itself, as printed; degrees along families of inputs.",
    tabled=False,
    where=(A_SIZE_GROWS,),
)
@THEOREM7.reading(
    "tables",
    "Every theta(t, v) and Theta(t, v) is computed once; degrees as well.",
    where=(A_SIZE_GROWS,),
)
@THEOREM7.false_variant("a degree less", spare=1)
def grows(case: Growth, tabled: bool = True, spare: int = 0) -> Answer:
    """Steps along the family have at most the degree of T K^2 E^2 (H^3 + S) in n.

    The counts are polynomials in n of degree 9 at most, so higher differences vanish. The sort of the machines is
    omitted because its count is not a polynomial; this only lowers the count.
    """
    if case.kind == "bits":
        return Outside(A_SIZE_GROWS)
    sizes = [FAMILIES[case.kind](n) for n in range(case.n, case.n + POINTS)]
    taken = [algorithm3(size, tabled) for size in sizes]
    claimed = degree([bound(size) for size in sizes]) - spare
    return Finding(Fraction(degree(taken)), Fraction(claimed), "at most", case.kind)


@THEOREM7.reading("polynomial", "Polynomial in the length of the input, K and E in binary; tables.")
def polynomial(case: Growth) -> Finding:
    """Steps are a polynomial of the input's length.

    Steps of a polynomial grow by about the same factor at each doubling of n. On ``bits`` the input gives V = 2^n in n
    bits, and the loop over v takes 2^n turns, so the factor squares.
    """
    first, second, third = (algorithm3(size, tabled=True) for size in doublings(case))
    return Finding(Fraction(third, second), 2 * Fraction(second, first), "at most", case.kind)


COUNTED_PROOF = """
The number of pairs (t, v) is T (V + 1) <= 2 T V, and each theta is computed once. Sorting takes H ceil(log H) <= H^2
steps, the test of each machine H R, and the LP Lambda. The draws take S (2 H + H R + 2) <= S H (R + 4). Together these
are at most H^2 + Lambda + (S + 1) H (R + 4). The loops over v take T (V + 1)(V + 2)/2 <= 3 T V^2 iterations in total.
The sum is at most 4 T V (V + H^2 + Lambda + (S + 1) H (R + 4)). It is a polynomial in V, a number of the input, not in
the input's length.
- *Is the LP not O(H^3)?* No: Vaidya's bound is O((H^3 R + H^2.5 R^1.5) L) here (theorem7_lp_repaired). Lambda denotes
it, or the bound of any other algorithm.
- *Are fewer values of v enough?* theta(t, .) jumps only at n/c_i and n/c_e, at most 2 F values in a slot. This is
still not polynomial in the length of F. The statement is about Algorithm 3 as printed, with tables.
"""


@THEOREM7_REPAIRED.reading("tables", "Counted as the proof of Theorem 7 counts.", COUNTED_PROOF)
@THEOREM7_REPAIRED.false_variant("T V^2 (H^3 + S)", printed=True)
def steps_with_tables(size: Size, printed: bool = False) -> Finding:
    t, v, h, r, s = size.slots, size.samples, size.machines, size.resources, size.draws
    limit = bound(size) if printed else 4 * t * v * (v + h**2 + size.lp + (s + 1) * h * (r + 4))
    return Finding(Fraction(algorithm3(size, tabled=True, sort=True)), Fraction(limit), "at most", str(size))


def algorithm3(size: Size, tabled: bool, sort: bool = False) -> int:
    """Steps of Theta(T, V): the turns of its loop over v and their calls.

    Parameters
    ----------
    tabled
        Whether each theta and each Theta is computed only once.
    sort
        Whether the sort of the machines counts.
    """
    theta = algorithm4(size, sort)

    @cache  # a count, not the algorithm: equal calls have equal counts
    def plain(slot: int, v: int) -> int:
        return sum(1 + theta + plain(slot - 1, v - w) for w in range(v + 1)) if slot else 0

    if not tabled:
        return plain(size.slots, size.samples)
    states = size.slots * (size.samples + 1)
    return states * theta + size.slots * sum(v + 1 for v in range(size.samples + 1))


def bound(size: Size) -> int:
    return size.slots * size.samples**2 * (size.machines**3 + size.draws)


def doublings(case: Growth) -> list[Size]:
    return [FAMILIES[case.kind](case.n * 2**k) for k in range(3)]


def algorithm4(size: Size, sort: bool) -> int:
    """Steps of one theta(t, v), with those of its LP.

    The machines are sorted, and each is visited once. Then follow S draws of 2 H numbers, each tested on H R rows and
    on (25) and (26).
    """
    h, r = size.machines, size.resources
    order = h * max(1, (h - 1).bit_length()) if sort else 0
    return order + h * r + size.lp + size.draws * (2 * h + h * r + 2)
