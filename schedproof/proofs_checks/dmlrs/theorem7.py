"""Theorem 7: how many steps Algorithms 1-4 take."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
)
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import Growth, Size

FAMILIES: dict[str, Callable[[int], Size]] = {
    "samples": lambda n: Size(samples=4 * n),
    "slots": lambda n: Size(slots=n, samples=4),
    "draws": lambda n: Size(machines=n, draws=n**3),
    "resources": lambda n: Size(resources=n),
    "bits": lambda n: Size(samples=2**n),
}


def grows(case: Growth, tabled: bool = True, claimed: Fraction = Fraction(5, 4)) -> Answer:
    """Steps over T K^2 E^2 (H^3 + S) stay bounded along the family: the quotient does not grow when n doubles twice.

    Measured is the smaller growth factor over two doublings; an O() bound lets it tend to at most 1. On ``draws`` (H =
    n, S = n^3) one theta takes more than 2 H S = 2 n^4 steps against 2 n^3. On ``resources`` it takes R more per
    machine, and the bound has no R. On ``slots`` the recursion of Algorithm 3 takes about T^5/5! turns for V = 4,
    against 32 T.
    """
    if case.kind == "bits":
        return Outside("TODO")
    quotients = [Fraction(algorithm3(size, tabled), bound(size)) for size in doubled(case)]
    return Finding(min(b / a for a, b in pairwise(quotients)), claimed, "at most", case.kind)


def polynomial(case: Growth) -> Finding:
    """Steps are a polynomial of the input's length: doubling n multiplies them by about the same factor each time.

    On ``bits`` the input says V = 2^n with n bits, and the loop over v takes 2^n turns: the factor squares.
    """
    first, second, third = (algorithm3(size, tabled=True) for size in doubled(case))
    return Finding(Fraction(third, second), 2 * Fraction(second, first), "at most", case.kind)


def counted(size: Size, printed: bool = False) -> Finding:
    """With tables, Theta(., V) takes at most 4 T V (V + H^3 + (S + 1) H (R + 4)) steps, V = K E."""
    t, v, h, r, s = size.slots, size.samples, size.machines, size.resources, size.draws
    most = bound(size) if printed else 4 * t * v * (v + h**3 + (s + 1) * h * (r + 4))
    return Finding(Fraction(algorithm3(size, tabled=True)), Fraction(most), "at most", str(size))


COUNTED_PROOF = Proof(
    """
    There are T (V + 1) <= 2 T V pairs (t, v), and each theta is computed once. Sorting takes H ceil(log H) <= H^3
    steps, the look at each machine H R, the LP H^3 (as the paper counts it), and a draw 2 H + H R + 2 <= H (R + 4):
    together at most 2 H^3 + (S + 1) H (R + 4). The loops over v take T (V + 1)(V + 2)/2 <= 3 T V^2 turns in all.
    The sum is at most 4 T V (H^3 + (S + 1) H (R + 4)) + 3 T V^2. It is a polynomial in V, a number of the input,
    not in the input's length.
    """,
    answers={"TODO": "TODO"},
)


def doubled(case: Growth) -> list[Size]:
    """The family's inputs for n, 2 n and 4 n."""
    return [FAMILIES[case.kind](case.n * 2**k) for k in range(3)]


def bound(size: Size) -> int:
    """T K^2 E^2 (H^3 + S)."""
    return size.slots * size.samples**2 * (size.machines**3 + size.draws)


def algorithm3(size: Size, tabled: bool) -> int:
    """Steps of Theta(T, V): one per turn of the loop over v, and those of the theta and Theta that it calls.

    Parameters
    ----------
    tabled
        Whether each theta and each Theta is computed once and looked up afterwards.
    """
    theta = algorithm4(size)

    @cache  # a count, not the algorithm: equal calls have equal counts
    def plain(slot: int, v: int) -> int:
        return sum(1 + theta + plain(slot - 1, v - w) for w in range(v + 1)) if slot else 0

    if not tabled:
        return plain(size.slots, size.samples)
    states = size.slots * (size.samples + 1)
    return states * theta + size.slots * sum(v + 1 for v in range(size.samples + 1))


def algorithm4(size: Size) -> int:
    """Steps of one theta(t, v), its LP counted as H^3 as the proof does.

    Sort the machines and look at each once; S draws of 2 H numbers, each tested on H R rows and the two of (25), (26).
    """
    h, r = size.machines, size.resources
    internal = h * max(1, (h - 1).bit_length()) + h * r
    return internal + h**3 + size.draws * (2 * h + h * r + 2)


def _of_kind(kind: str) -> Regime[Growth]:
    return Regime(f"family of {kind}", lambda case: case.kind == kind)


THEOREM7 = Claim(
    id="dmlrs.theorem7",
    source=YU22.at("section 4.4, Theorem 7"),
    statement="PD-ORS takes O(sum_i T K_i^2 E_i^2 (H^3 + S)) steps, which is polynomial.",
    readings=(
        Reading("recursion", "Algorithm 3 calls itself, as printed.", with_settings(grows, tabled=False)),
        Reading("tables", "Every theta(t, v) and Theta(t, v) is computed once.", grows),
        Reading("polynomial", "Polynomial in the length of the input, K and E in binary; tables.", polynomial),
    ),
    domain=Domain(Growth, draw.growths(tuple(FAMILIES)), tuple(map(_of_kind, FAMILIES))),
    false_variants=(FalseVariant("the quotient shrinks to a third", with_settings(grows, claimed=Fraction(1, 3))),),
    repair=Repair(
        statement="With tables, and an LP counted as H^3, PD-ORS takes O(sum_i T V_i (V_i + H^3 + S H R)) steps, V_i = "
        "K_i E_i: pseudo-polynomial.",
        readings=(Reading("tables", "Counted as the proof of Theorem 7 counts.", counted, proof=COUNTED_PROOF),),
        domain=Domain(
            Size,
            draw.sizes(),
            (
                Regime("several machines", lambda size: size.machines > 1),
                Regime("several resources", lambda size: size.resources > 1),
                Regime("many draws", lambda size: size.draws > 10),
                Regime("many samples", lambda size: size.samples > 6),
            ),
        ),
        false_variants=(FalseVariant("T V^2 (H^3 + S)", with_settings(counted, printed=True)),),
        small=True,
    ),
)
