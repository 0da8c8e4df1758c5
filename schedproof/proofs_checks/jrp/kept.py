"""How much a server keeps of an overfull draw: claims kept24, kept24_repaired, kept_dmax."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp import load_regimes as regimes
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.load import ZERO, Load, exact, kept, whichever
from schedproof.proofs_checks.jrp.moments import ETAS
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.writing import at, table

Share = Callable[[Load], Fraction]


def of_eta(eta: Callable[[Load], int]) -> Share:
    """1 - 1/eta."""
    return lambda load: 1 - Fraction(1, eta(load))


def everything(load: Load) -> Fraction:
    """All of the storage, which is too much to ask for."""
    return Fraction(1)


def without_largest(load: Load) -> Fraction:
    """1 - 1/eta with eta = r/max d_i."""
    return 1 - load.largest / load.storage


def each_draw(case: Case, share: Share) -> Finding | None:
    """D' >= share r in each draw with D > r: the least such D' is measured."""
    load = exact(case)
    if load is None or kept(load).least is None:
        return None
    return Finding(kept(load).least or ZERO, share(load) * load.storage, "at least", "the least D' with D > r")


def on_average(case: Case, share: Share) -> Finding | None:
    """(24): E(D') >= E(D; D <= r) + share r Pr(D > r)."""
    load = exact(case)
    if load is None:
        return None
    seen = kept(load)
    claimed = seen.within + share(load) * load.storage * seen.overfull
    return Finding(seen.mean, claimed, "at least", f"E(D'), Pr(D > r) = {seen.overfull}")


def each_draw_repaired(case: Case, share: Share = without_largest) -> Finding | None:
    """D' > (1 - 1/eta) r in each draw with D > r, eta = r/max d_i.

    Proof
    -----
    If D > r, some drawn data node is the first, in order of priority, that does not fit behind those before it: D' + d
    > r for its size d, so that D' > r - d >= r - max d_i = (1 - 1/eta) r. The rule (21) stops there. For sizes that
    are all d, eta of the paper is floor(r/d), D' = d floor(r/d), and the printed bound holds, too: d/r <= 1/eta.
    """
    return each_draw(case, share)


def on_average_repaired(case: Case, share: Share = without_largest) -> Finding | None:
    """(24) with eta = r/max d_i.

    Proof
    -----
    Where D <= r every drawn data node is kept: D' = D, which contributes E(D; D <= r). Where D > r, D' > (1 - 1/eta) r
    by `each_draw_repaired`, which contributes at least (1 - 1/eta) r Pr(D > r).
    """
    return on_average(case, share)


def within_heaviest(case: Case, less: Fraction = Fraction(1)) -> Finding | None:
    """D' >= mu_j - d_max in each draw with D > r.

    Proof
    -----
    By (7), mu <= r. As in `each_draw_repaired`, D' > r - d for the size d of one data node, and d <= d_max, as d_max is
    the most data that all candidates of some job have. So D' > r - d_max >= mu - d_max.
    """
    load = exact(case)
    if load is None or kept(load).least is None:
        return None
    return Finding(kept(load).least or ZERO, load.mean - less * load.heaviest, "at least", "the least D' with D > r")


REGIMES = (
    regimes.OVERFULL,
    regimes.FULL,
    regimes.SLACK,
    regimes.ONE_SIZE,
    regimes.SIZES,
    regimes.JOB,
    regimes.EMPTY_NODE,
    regimes.ELSEWHERE,
)

KEPT = Claim(
    id="jrp.kept24",
    source="paper 003, proof of Theorem 1, before (24) and (24)",
    statement="When the storage is exceeded, the server keeps at least (1 - 1/eta) r_j^s: E(D'_j) >= E(D_j; D_j <= r) "
    "+ (1 - 1/eta) r Pr(D_j > r).",
    readings=(
        *(Reading(name, sentence, at(each_draw, share=of_eta(eta))) for name, sentence, eta in ETAS),
        Reading("(24)", "On average, with the least eta of the others.", at(on_average, share=of_eta(whichever))),
    ),
    regimes=REGIMES,
    strategy=draw.any_loads(),
    planted=(Planted("all of the storage", at(each_draw, share=everything)),),
    witnesses=WITNESSES,
    repaired_by="jrp.kept24_repaired",
)

REPAIRED = Claim(
    id="jrp.kept24_repaired",
    source="paper 003, proof of Theorem 1, before (24) and (24), repaired",
    statement="With eta = r_j^s/max d_i: D'_j > (1 - 1/eta) r when D_j > r, and so (24).",
    readings=(
        Reading("each draw", "Whatever is drawn, if it is more than r.", each_draw_repaired),
        Reading("(24)", "On average.", on_average_repaired),
    ),
    regimes=REGIMES,
    strategy=draw.any_loads(),
    planted=(
        Planted("all of the storage", at(on_average_repaired, share=everything)),
        Planted("the printed eta", at(each_draw_repaired, share=of_eta(whichever))),
    ),
)

HEAVIEST = Claim(
    id="jrp.kept_dmax",
    source="paper 003, proof of Theorem 1, its second sentence",
    statement="When D_j > r_j^s, D'_j >= mu_j - d_max with d_max = max_k sum_(i in B_j^k) d_i.",
    readings=(Reading("each draw", "Whatever is drawn, if it is more than r.", within_heaviest),),
    regimes=REGIMES[:-1],
    strategy=draw.any_loads(),
    planted=(Planted("half of d_max", at(within_heaviest, less=Fraction(1, 2))),),
)

CLAIMS = table(KEPT, REPAIRED, HEAVIEST)
