"""Fact 1: when a job communicates inside a machine."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Assumption, Claim, Domain, Finding, Premise, Proof, Regime
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import Links

WITH_BOTH: Premise[Links] = Premise("slots with workers and with PSs", lambda case: all(machines(case)))

SPREADS = (
    Regime[Links]("one machine", lambda c: sum(map(bool, c.workers)) == sum(map(bool, c.ps)) == 1),
    Regime[Links]("workers spread", lambda c: sum(map(bool, c.workers)) > 1),
    Regime[Links]("PSs spread", lambda c: sum(map(bool, c.ps)) > 1),
    Regime[Links]("slower links", lambda c: c.external < c.internal),
)

FACT1 = Claim(
    "dmlrs.fact1",
    YU22.at("section 4.3, Fact 1 and Fig. 4"),
    "2g/min b(h, p) = 2g/b^i if and only if |P_i[t]| = |W_i[t]| = 1 and P_i[t] = W_i[t].",
    Domain(
        Links,
        draw.links(),
        (
            *SPREADS,
            Regime[Links]("equal bandwidths", lambda c: c.external == c.internal),
            Regime[Links]("nothing to send", lambda c: c.size == 0),
        ),
        (WITH_BOTH,),
    ),
)
REPAIRED = FACT1.repair(domain=Domain(Links, draw.links(slower=True), SPREADS, (WITH_BOTH,)))


@FACT1.reading("by value", "The numbers are compared, in slots with workers and parameter servers.")
@FACT1.false_variant("P and W meet", alone=False)
def by_value(case: Links, alone: bool = True) -> Finding:
    w, p = machines(case)
    slowest = min(case.internal if h == k else case.external for h in w for k in p)
    fast = 2 * case.size / slowest == 2 * case.size / case.internal
    claimed = one_machine(case) if alone else bool(w & p)
    return Finding(Fraction(fast), Fraction(claimed), "equal", f"workers on {w}, PSs on {p}")


BY_LINK_PROOF = """
If W = P = {h}, every link joins h to h. If every link is inside a machine, then h = p for every h in W and p in P. Both
sets are nonempty. So all of W equals any p of P, and all of P equals any h of W. Both are one machine.
Coq: admission.v fact1_by_link. Objects: one_machine. In words: a link is inside a machine if its two ends are one
machine.
- *W or P may be empty.* Then no rate is defined, and the statement does not cover the case.
"""


@FACT1.reading(
    "by link",
    "The slowest link is inside a machine, in slots with workers and parameter servers.",
    BY_LINK_PROOF,
)
def by_link(case: Links) -> Finding:
    w, p = machines(case)
    inside = all(h == k for h in w for k in p)
    return Finding(Fraction(inside), Fraction(one_machine(case)), "equal", f"workers on {w}, PSs on {p}")


def slower_links(case: Links) -> bool:
    return case.external < case.internal and case.size > 0


SLOWER_LINKS_PROOF = Proof(
    """
    By the reading *by link*, the minimum is b^i where W = P = {h}. Otherwise some link joins two machines, so the
    minimum is b^e. As g > 0 and b^e < b^i, 2g/b^e > 2g/b^i. So it is not the internal value.
    Coq: admission.v fact1_by_value. Objects: slowest, one_machine. In words: min b(h, p) is over the links from workers
    to parameter servers.
    - *Is b^e < b^i not stated?* The text states only that it 'usually holds'. With equal bandwidths or g = 0 the
    values agree although the machines differ.
    """
)

FACT1.assumption = SLOWER = Assumption("slower links", "b^e < b^i and g > 0", slower_links, SLOWER_LINKS_PROOF)

REPAIRED.readings = [SLOWER.impose(FACT1.read_as("by value"))]


def machines(case: Links) -> tuple[set[int], set[int]]:
    """Return the machines with workers, and the machines with parameter servers."""
    return {h for h, n in enumerate(case.workers) if n}, {h for h, n in enumerate(case.ps) if n}


def one_machine(case: Links) -> bool:
    w, p = machines(case)
    return len(w) == len(p) == 1 and w == p
