"""The proof of Theorem 1: is a full server the worst? "We may assume mu_j = r_j^s without [loss of] generality".

What (27) bounds is the share E(D'_j)/mu_j that the server keeps. The claim is read as: whatever the load, there is a
full server that keeps no larger share, got by one of the usual steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

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
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared import load_regimes as regimes
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import Load, Node, kept

Step = Callable[[Load], "Load | None"]


def full_is_worst(case: ServerLoad, step: Step, sign: int = 1) -> Answer:
    """E(D')/mu of the load is at least that of the full server that the step makes of it."""
    load = case.load
    other = step(load) if load.enumerable and 0 < load.mean < load.storage else None
    if other is None:
        return Outside("TODO")
    shares = [kept(one).mean / one.mean for one in (load, other)]
    return Finding(sign * shares[0], sign * shares[1], "at least", "the share that is kept; of the full server")


def less_storage_is_worse(case: ServerLoad) -> Answer:
    """With storage mu in place of r the server keeps no larger share."""
    return full_is_worst(case, less_storage)


LESS_STORAGE_IS_WORSE_PROOF = Proof(
    """
    A data node is kept exactly when it is drawn and fits behind those that are drawn before it, so that E(D') = sum d_i
    x_i Pr(S_i + d_i <= r), with S_i the amount drawn before it, does not fall where r grows; mu is the same.
    """,
    answers={"TODO": "TODO"},
)


def larger_chances_are_worse(case: ServerLoad) -> Answer:
    """With all x multiplied by c = r/mu (where c x <= 1) the server keeps no larger share."""
    return full_is_worst(case, larger_chances)


LARGER_CHANCES_ARE_WORSE_PROOF = Proof(
    """
    E(D')/mu = sum w_i Pr(S_i + d_i <= r) with w_i = d_i x_i/mu, which the factor c does not change, nor the order of
    priority. With uniform U_i the draws U_i <= x_i and U_i <= c x_i make S_i, a sum over the nodes before i, no
    smaller for c >= 1. So no term grows.
    """,
    answers={"TODO": "TODO"},
)


def less_storage(load: Load) -> Load | None:
    """The same draw on a server of mu_j GB, where every job still fits."""
    return replace(load, storage=load.mean) if load.heaviest <= load.mean else None


def larger_chances(load: Load) -> Load | None:
    """All x multiplied by r/mu, where none exceeds 1 then."""
    factor = load.storage / load.mean
    if factor * max(x for _, x in load.nodes) > 1:
        return None
    return replace(load, nodes=tuple(Node(d, factor * x) for d, x in load.nodes))


def one_more(load: Load) -> Load | None:
    """A further data node of r - mu GB that is certain, and last in priority."""
    return replace(load, nodes=(*load.nodes, Node(load.storage - load.mean, Fraction(1))))


def _changed_by(name: str, step: Step) -> Regime[ServerLoad]:
    return regimes.of_load(name, lambda load: 0 < load.mean < load.storage and step(load) is not None)


BOTH: tuple[Reading[ServerLoad], ...] = (
    Reading(
        "less storage",
        "The same draw on a server with mu_j GB.",
        less_storage_is_worse,
        proof=LESS_STORAGE_IS_WORSE_PROOF,
    ),
    Reading(
        "larger x",
        "All x_i^j on this server multiplied by r_j^s/mu_j, where that makes none exceed 1.",
        larger_chances_are_worse,
        proof=LARGER_CHANCES_ARE_WORSE_PROOF,
    ),
)

WLOG = Claim(
    id="jrp.full_server_wlog",
    source=WANG19.at("proof of Theorem 1, before (25)"),
    statement="For a lower bound on E(D'_j)/mu_j one may assume mu_j = r_j^s without [loss of] generality.",
    readings=(
        *BOTH,
        Reading(
            "filled up",
            "A data node of r_j^s - mu_j GB, last in priority, is added.",
            with_settings(full_is_worst, step=one_more),
        ),
    ),
    domain=Domain(
        ServerLoad,
        draw.any_loads(full=False),
        (
            _changed_by("every job still fits on mu GB", less_storage),
            _changed_by("no x above 1 when all grow", larger_chances),
            regimes.OVERFULL,
            regimes.SIZES,
            regimes.JOB,
            regimes.SURE,
        ),
    ),
    false_variants=(
        FalseVariant("a full server keeps more", with_settings(full_is_worst, step=less_storage, sign=-1)),
        FalseVariant("larger x keep more", with_settings(full_is_worst, step=larger_chances, sign=-1)),
    ),
    repair=Repair(
        statement="E(D'_j)/mu_j does not grow when r_j^s falls to mu_j, nor when all x_i^j are multiplied by"
        " r_j^s/mu_j.",
        readings=BOTH,
    ),
)
