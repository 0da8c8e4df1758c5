"""Theorem 7: how many steps Algorithms 1-4 take. Claim theorem7."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, table

Size = dict[str, int]  # slots T, samples V = K E, machines H, resources R, draws S
START: Size = {"slots": 2, "samples": 1, "machines": 1, "resources": 1, "draws": 1}
FAMILIES: dict[str, Callable[[int], Size]] = {
    "samples": lambda n: START | {"samples": 4 * n},
    "slots": lambda n: START | {"slots": n, "samples": 4},
    "draws": lambda n: START | {"machines": n, "draws": n**3},
    "resources": lambda n: START | {"resources": n},
    "bits": lambda n: START | {"samples": 2**n},
}


def algorithm4(size: Size) -> int:
    """Steps of one theta(t, v), its LP counted as H^3 as the proof does.

    Sort the machines and look at each once; S draws of 2 H numbers, each tested on H R rows and the two of (25), (26).
    """
    h, r = size["machines"], size["resources"]
    internal = h * max(1, (h - 1).bit_length()) + h * r
    return internal + h**3 + size["draws"] * (2 * h + h * r + 2)


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
        return plain(size["slots"], size["samples"])
    states = size["slots"] * (size["samples"] + 1)
    return states * theta + size["slots"] * sum(v + 1 for v in range(size["samples"] + 1))


def bound(size: Size) -> int:
    """T K^2 E^2 (H^3 + S)."""
    return size["slots"] * size["samples"] ** 2 * (size["machines"] ** 3 + size["draws"])


def grows(case: Case, tabled: bool = True, claimed: Fraction = Fraction(5, 4)) -> Finding | None:
    """Steps over T K^2 E^2 (H^3 + S) stay bounded along the family: the quotient does not grow when n doubles twice.

    Measured is the smaller growth factor over two doublings; an O() bound lets it tend to at most 1. On ``draws`` (H =
    n, S = n^3) one theta takes more than 2 H S = 2 n^4 steps against 2 n^3. On ``resources`` it takes R more per
    machine, and the bound has no R. On ``slots`` the recursion of Algorithm 3 takes about T^5/5! turns for V = 4,
    against 32 T.
    """
    if case.data["kind"] == "bits":
        return None
    sizes = [FAMILIES[case.data["kind"]](case.data["n"] * 2**k) for k in range(3)]
    quotients = [Fraction(algorithm3(size, tabled), bound(size)) for size in sizes]
    return Finding(min(b / a for a, b in pairwise(quotients)), claimed, "at most", str(case.data["kind"]))


def polynomial(case: Case, claimed: Fraction = Fraction(2)) -> Finding:
    """Steps are a polynomial of the input's length: doubling n multiplies them by about the same factor each time.

    On ``bits`` the input says V = 2^n with n bits, and the loop over v takes 2^n turns: the factor squares.
    """
    kind, n = case.data["kind"], case.data["n"]
    first, second, third = (algorithm3(FAMILIES[kind](n * 2**k), tabled=True) for k in range(3))
    return Finding(Fraction(third, second), claimed * Fraction(second, first), "at most", kind)


def counted(case: Case, printed: bool = False) -> Finding:
    """With tables, Theta(., V) takes at most 4 T V (V + H^3 + (S + 1) H (R + 4)) steps, V = K E.

    Proof
    -----
    There are T (V + 1) <= 2 T V pairs (t, v), and each theta is computed once. Sorting takes H ceil(log H) <= H^3
    steps, the look at each machine H R, the LP H^3 (as the paper counts it), and a draw 2 H + H R + 2 <= H (R + 4):
    together at most 2 H^3 + (S + 1) H (R + 4). The loops over v take T (V + 1)(V + 2)/2 <= 3 T V^2 turns in all. The
    sum is at most 4 T V (H^3 + (S + 1) H (R + 4)) + 3 T V^2. It is a polynomial in V, a number of the input, not in the
    input's length.
    """
    size: Size = {name: case.data["size"][name] for name in START}
    t, v, h, r, s = (size[name] for name in ("slots", "samples", "machines", "resources", "draws"))
    most = bound(size) if printed else 4 * t * v * (v + h**3 + (s + 1) * h * (r + 4))
    return Finding(Fraction(algorithm3(size, tabled=True)), Fraction(most), "at most", str(size))


@st.composite
def _families(pick: Any) -> Case:
    return Case(None, {"kind": pick(st.sampled_from(tuple(FAMILIES))), "n": pick(st.integers(2, 4))})


@st.composite
def _sizes(pick: Any) -> Case:
    most = {"slots": 6, "samples": 12, "machines": 9, "resources": 4, "draws": 20}
    return Case(None, {"size": {name: pick(st.integers(1, n)) for name, n in most.items()}})


def _of_kind(kind: str) -> Regime:
    return of_data(f"family of {kind}", lambda data: data["kind"] == kind)


THEOREM7 = Claim(
    id="dmlrs.theorem7",
    source="paper 001, section 4.4, Theorem 7",
    statement="PD-ORS takes O(sum_i T K_i^2 E_i^2 (H^3 + S)) steps, which is polynomial.",
    readings=(
        Reading("recursion", "Algorithm 3 calls itself, as printed.", at(grows, tabled=False)),
        Reading("tables", "Every theta(t, v) and Theta(t, v) is computed once.", grows),
        Reading("polynomial", "Polynomial in the length of the input, K and E in binary; tables.", polynomial),
    ),
    regimes=tuple(_of_kind(kind) for kind in FAMILIES),
    strategy=_families(),
    planted=(Planted("the quotient shrinks to a third", at(grows, claimed=Fraction(1, 3))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.theorem7_repaired",
    small_repair=True,
)
THEOREM7_REPAIRED = Claim(
    id="dmlrs.theorem7_repaired",
    source="paper 001, section 4.4, Theorem 7, repaired",
    statement=(
        "With tables, and an LP counted as H^3, PD-ORS takes O(sum_i T V_i (V_i + H^3 + S H R)) steps, V_i = K_i E_i: "
        "pseudo-polynomial."
    ),
    readings=(Reading("tables", "Counted as the proof of Theorem 7 counts.", counted),),
    regimes=(
        of_data("several machines", lambda d: d["size"]["machines"] > 1),
        of_data("several resources", lambda d: d["size"]["resources"] > 1),
        of_data("many draws", lambda d: d["size"]["draws"] > 10),
        of_data("many samples", lambda d: d["size"]["samples"] > 6),
    ),
    strategy=_sizes(),
    planted=(Planted("T V^2 (H^3 + S)", at(counted, printed=True)),),
)

CLAIMS = table(THEOREM7, THEOREM7_REPAIRED)
