"""The proof of Theorem 1: is a full server the worst case?

"We may assume mu_j = r_j^s without [loss of] generality." (27) bounds the share E(D'_j)/mu_j that the server keeps.
The claim is read as: for a load with mu_j < r_j^s, one of the usual steps gives a full server that keeps no larger
share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.jrp.shared.premises import too_many
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import ONE, JobKind, Load, Node, kept_prefix

QUARTER = Fraction(1, 4)
OF_TWO = ServerLoad(  # filled up with half a GB, this server keeps a larger share
    Fraction(2), 0, (JobKind(ONE, 1, (Node(ONE, ONE),)), JobKind(QUARTER, 1, (Node(Fraction(2), QUARTER),)))
)
WLOG = Claim(
    "jrp.full_server_wlog",
    WANG19.at("proof of Theorem 1, before (25)"),
    "For a lower bound on E(D'_j)/mu_j, where 0 < mu_j < r_j^s, one may assume mu_j = r_j^s without [loss "
    "of] generality.",
    Domain.of(
        ServerLoad,
        st.one_of(draw.any_loads(full=False), st.just(OF_TWO)),
        {
            "a job that no longer fits on mu GB": lambda case: 0 < case.load.mean < case.load.heaviest,
            "no x above 1 when all grow": lambda case: NONE_ABOVE_1.met(case),
        },
        regimes.OVERFULL,
        regimes.SIZES,
        regimes.JOB,
        regimes.SURE,
        premises=(Premise("0 < mu_j < r_j^s", lambda case: 0 < case.load.mean < case.load.storage),),
    ),
)
Step = Callable[[Load], Load]
NONE_ABOVE_1: Premise[ServerLoad] = Premise(
    "that makes no x exceed 1", lambda case: growth(case.load) * max(x for _, x in case.load.nodes) <= 1
)
LESS_STORAGE_IS_WORSE = """
A data node is kept exactly if it is drawn and fits after the nodes drawn before it. So E(D') = sum d_i x_i Pr(S_i + d_i
<= r), where S_i is the amount drawn before it. This share does not decrease as r grows, and mu is unchanged.
- *Some job may no longer fit on mu_j GB, and PRUNE would have removed it.* The step compares the data that (21) keeps
of one draw. The proof of Theorem 1 uses no other property of the server. A data node that never fits is never kept,
which the formula counts.
- *A smaller server may serve fewer data nodes, and eta falls.* Not if eta is the eta of the best server, as in the
theorem ('any edge server'). If eta is the eta of this server, use the other step.
"""


def less_storage(load: Load) -> Load:
    return replace(load, storage=load.mean)


def growth(load: Load) -> Fraction:
    return load.storage / load.mean


def larger_chances(load: Load) -> Load:
    return replace(load, nodes=tuple(Node(d, growth(load) * x) for d, x in load.nodes))


LARGER_CHANCES_ARE_WORSE = """
E(D')/mu = sum w_i Pr(S_i + d_i <= r) with w_i = d_i x_i/mu. The factor c changes neither w_i nor the order of priority.
Couple the draws U_i <= x_i and U_i <= c x_i by uniform U_i. S_i is a sum over the nodes before i, so it is no smaller
for c >= 1. So no term grows.
- *The priorities y_k change as well.* They change by the same factor on this server, which preserves their order; (21)
uses only the order.
"""


def one_more(load: Load) -> Load:
    """Another step, which fails: a certain data node of r - mu GB, last in priority."""
    return replace(load, nodes=(*load.nodes, Node(load.storage - load.mean, ONE)))


@WLOG.reading(
    "less storage",
    "The same draw on a server with mu_j GB keeps no larger share.",
    LESS_STORAGE_IS_WORSE,
    step=less_storage,
)
@WLOG.reading(
    "larger x",
    "The server keeps no larger share with all its x_i^j multiplied by r_j^s/mu_j, if none then exceeds 1.",
    LARGER_CHANCES_ARE_WORSE,
    where=(NONE_ABOVE_1,),
    step=larger_chances,
)
@WLOG.false_variant("a full server keeps more", step=less_storage, sign=-1)
@WLOG.false_variant("larger x keep more", step=larger_chances, sign=-1)
@WLOG.false_variant("filled up with a certain data node", step=one_more)
def full_is_worst(case: ServerLoad, step: Step, sign: int = 1) -> Answer:
    load = case.load
    if limit := too_many(load):
        return limit
    if step is larger_chances and not NONE_ABOVE_1.met(case):
        return Outside(NONE_ABOVE_1)
    shares = [kept_prefix(one).mean / one.mean for one in (load, step(load))]
    return Finding(sign * shares[0], sign * shares[1], "at least", "the share that is kept; of the full server")
