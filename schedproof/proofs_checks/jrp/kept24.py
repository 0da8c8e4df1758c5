"""The proof of Theorem 1, (24): how much a server keeps of an overfull draw."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Answer, Claim, FalseVariant, Finding, Outside, Proof, Reading, Repair, with_settings
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.load_regimes import ELSEWHERE, OF_DRAWS
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ETAS, Load, kept, whichever

Share = Callable[[Load], Fraction]


def each_draw(case: ServerLoad, share: Share) -> Answer:
    """D' >= share r in each draw with D > r: the least such D' is measured."""
    load = case.load
    least = kept(load).least if load.enumerable else None
    if least is None:
        return Outside("TODO")
    return Finding(least, share(load) * load.storage, "at least", "the least D' with D > r")


def on_average(case: ServerLoad, share: Share) -> Answer:
    """(24): E(D') >= E(D; D <= r) + share r Pr(D > r)."""
    load = case.load
    if not load.enumerable:
        return Outside("TODO")
    seen = kept(load)
    claimed = seen.within + share(load) * load.storage * seen.overfull
    return Finding(seen.mean, claimed, "at least", f"E(D'), Pr(D > r) = {seen.overfull}")


def of_eta(eta: Callable[[Load], int]) -> Share:
    """1 - 1/eta."""
    return lambda load: 1 - Fraction(1, eta(load))


def everything(load: Load) -> Fraction:
    """All of the storage, which is too much to ask for."""
    return Fraction(1)


def without_largest(load: Load) -> Fraction:
    """1 - 1/eta with eta = r/max d_i."""
    return 1 - load.largest / load.storage


def each_draw_repaired(case: ServerLoad, share: Share = without_largest) -> Answer:
    """D' > (1 - 1/eta) r in each draw with D > r, eta = r/max d_i."""
    return each_draw(case, share)


EACH_DRAW_REPAIRED_PROOF = Proof(
    """
    If D > r, some drawn data node is the first, in order of priority, that does not fit behind those before it: D' + d
    > r for its size d, so that D' > r - d >= r - max d_i = (1 - 1/eta) r. The rule (21) stops there. For sizes that
    are all d, eta of the paper is floor(r/d), D' = d floor(r/d), and the printed bound holds, too: d/r <= 1/eta.
    """,
    answers={"TODO": "TODO"},
)


def on_average_repaired(case: ServerLoad, share: Share = without_largest) -> Answer:
    """(24) with eta = r/max d_i."""
    return on_average(case, share)


ON_AVERAGE_REPAIRED_PROOF = Proof(
    """
    Where D <= r every drawn data node is kept: D' = D, which contributes E(D; D <= r). Where D > r, D' > (1 - 1/eta) r
    by `each_draw_repaired`, which contributes at least (1 - 1/eta) r Pr(D > r).
    """,
    answers={"TODO": "TODO"},
)


KEPT = Claim(
    id="jrp.kept24",
    source=WANG19.at("proof of Theorem 1, before (24) and (24)"),
    statement="When the storage is exceeded, the server keeps at least (1 - 1/eta) r_j^s: E(D'_j) >= E(D_j; D_j <= r) "
    "+ (1 - 1/eta) r Pr(D_j > r).",
    readings=(
        *(Reading(name, sentence, with_settings(each_draw, share=of_eta(eta))) for name, sentence, eta in ETAS),
        Reading(
            "(24)", "On average, with the least eta of the others.", with_settings(on_average, share=of_eta(whichever))
        ),
    ),
    domain=OF_DRAWS.but(regimes=(*OF_DRAWS.regimes, ELSEWHERE)),
    false_variants=(FalseVariant("all of the storage", with_settings(each_draw, share=everything)),),
    repair=Repair(
        statement="With eta = r_j^s/max d_i: D'_j > (1 - 1/eta) r when D_j > r, and so (24).",
        readings=(
            Reading(
                "each draw",
                "Whatever is drawn, if it is more than r.",
                each_draw_repaired,
                proof=EACH_DRAW_REPAIRED_PROOF,
            ),
            Reading("(24)", "On average.", on_average_repaired, proof=ON_AVERAGE_REPAIRED_PROOF),
        ),
        false_variants=(
            FalseVariant("all of the storage", with_settings(on_average_repaired, share=everything)),
            FalseVariant("the printed eta", with_settings(each_draw_repaired, share=of_eta(whichever))),
        ),
    ),
)
