"""The proof of Theorem 1, (24): the data that a server keeps of an overfull draw."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, Outside
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.load_regimes import ELSEWHERE, OF_DRAWS
from schedproof.proofs_checks.jrp.shared.premises import EXCEEDED, too_many
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ETAS, Load, kept_prefix, of_largest, worst_order_limit

KEPT = Claim(
    "jrp.kept24",
    WANG19.at("proof of Theorem 1, before (24) and (24)"),
    "When the storage is exceeded, the server keeps at least (1 - 1/eta) r_j^s: E(D'_j) >= E(D_j; D_j <= "
    "r) + (1 - 1/eta) r Pr(D_j > r).",
    OF_DRAWS.but(regimes=(*OF_DRAWS.regimes, ELSEWHERE)),
    severity="false proof step",
)
REPAIRED = KEPT.repair("With eta = r_j^s/max d_i: D'_j > (1 - 1/eta) r when the storage is exceeded, and so (24).")
Share = Callable[[Load], Fraction]


def without_largest(load: Load) -> Fraction:
    return 1 - load.largest / load.storage


def nine_tenths_lost(load: Load) -> Fraction:
    return 1 - Fraction(9, 10) * load.largest / load.storage


def of_eta(eta: Callable[[Load], int]) -> Share:
    return lambda load: 1 - Fraction(1, eta(load))


LARGEST_LEFT_OUT = """
Let d = max d_i. If D > r, let i be the first drawn data node, in order of priority, that does not fit after the nodes
before it. Then D' + d_i > r, so D' > r - d = (1 - d/r) r. With eta = r/d this is (1 - 1/eta) r. With eta = floor(r/d)
<= r/d it is at least (1 - 1/eta) r. If D <= r, every drawn data node is kept and D' = D. This case contributes E(D; D
<= r) to E(D'). The other case contributes at least (1 - 1/eta) r Pr(D > r).
Coq: jrp.v kept24, kept24_average. Objects: prefix, fits_storage. In words: a server keeps the longest prefix, in order
of priority, that fits.
- *(21) stops at the first data node that does not fit; later, smaller data nodes might fit.* Then more would be kept.
The bound needs only the data nodes before the first node that does not fit.
- *eta may be 0.* Line 27 of PRUNE leaves no candidate with d_i > r, so r/d >= 1.
"""


@REPAIRED.reading("each draw", "The statement is for every draw of more than r.", LARGEST_LEFT_OUT, where=(EXCEEDED,))
@KEPT.false_variant("nine tenths of the largest", share=nine_tenths_lost, also=REPAIRED)
@REPAIRED.false_variant("the printed eta", share=of_eta(worst_order_limit))
def each_draw(case: ServerLoad, share: Share = without_largest) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    least = kept_prefix(load).least
    if least is None:
        return Outside(EXCEEDED)
    return Finding(least, share(load) * load.storage, "at least", "the least D' with D > r")


@REPAIRED.reading("(24)", "The statement is about the mean.", LARGEST_LEFT_OUT)
def on_average(case: ServerLoad, share: Share = without_largest) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    seen = kept_prefix(load)
    claimed = seen.within + share(load) * load.storage * seen.overfull
    return Finding(seen.mean, claimed, "at least", f"E(D'), Pr(D > r) = {seen.overfull}")


for name, sentence, eta in reversed(ETAS):
    KEPT.reading(name, sentence, where=(EXCEEDED,), share=of_eta(eta))(each_draw)
KEPT.reading(
    "(24)",
    "On average; eta: the largest number such that any choice of candidates fits.",
    share=of_eta(worst_order_limit),
)(on_average)
KEPT.reading(
    "all as large as the largest",
    "eta = floor(r_j^s/max d_i).",
    LARGEST_LEFT_OUT,
    where=(EXCEEDED,),
    share=of_eta(of_largest),
)(each_draw)
KEPT.reading(
    "(24), all as large",
    "The statement is about the mean, and eta = floor(r_j^s/max d_i).",
    LARGEST_LEFT_OUT,
    share=of_eta(of_largest),
)(on_average)
