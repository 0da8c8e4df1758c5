"""Section III-C, after (52): how the bound and the regret grow with the number of ports."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Assumption, Claim, Domain, FalseVariant, Finding, Proof, Reading, Regime, Repair
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import Growing, Started
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver_constants import bound39, proof_step


def growth(case: Growing, regret: bool = False, claimed: int = 3) -> Finding:
    """With four times as many ports (39), or the regret of the family's run, is less than three times as large.

    What grows linearly is four times as large, and what grows like a root twice. For (39) measured and claimed are
    squares; the run has the step of the proof.
    """
    kind, ports, slots = case.kind, case.ports, case.number**2
    few, many = draw.member(kind, ports, slots), draw.member(kind, 4 * ports, slots)
    if regret:
        return Finding(_regret(many), claimed * _regret(few), "at most", f"{kind}: the regret with 4 n ports, with n")
    bounds = bound39(many.instance), claimed**2 * bound39(few.instance)
    return Finding(*bounds, "at most", f"{kind}: (39) with 4 n ports, with n; squares")


def _regret(case: Started) -> Fraction:
    return oga.play(case.instance, case.start, oga.constant(proof_step(case.instance))).least_regret


def same_nodes(case: Growing) -> Finding:
    """(39) is at most sqrt(|L|) times what it depends on but |L| and the edges, if the nodes stay the same."""
    return growth(case)


SAME_NODES_PROOF = Proof(
    """
    Let the nodes, resources, utilities and overheads be given, and the largest demands. (51) does not change with the
    ports. (48) is a sum over edges, of which each node has at most |L|: it is at most |L| sum_r (beta*^2 + K
    varpi_r*^2). So (39), and with it the regret, is at most sqrt(|L|) sqrt(2 T sum max(a) c) sqrt(sum_r (beta*^2 + K
    varpi_r*^2)). For the families: ``complete`` has one edge per port, so that (39) doubles when |L| is fourfold; with
    ``regular`` the edges stay the same. The run of ``complete`` loses the sum of max(0, 1 - t eta/2), which is at least
    1/eta and at most 1/eta + 1, with eta = sqrt(2/(|L| T)) twice as small for fourfold |L|: 2/eta + 1 <= 3/eta as eta
    <= 1. That of ``regular`` is the same for each |L|.
    """,
    answers={"TODO": "TODO"},
)


def _of_kind(kind: str) -> Regime[Growing]:
    return Regime(f"family {kind}", lambda case: case.kind == kind)


KINDS = tuple(map(_of_kind, ("complete", "regular", "own")))
FAMILIES = Domain(Growing, draw.growing(), KINDS)
PORTS = Claim(
    id="multiserver.sublinear_ports",
    source=ZHAO24.at("section III-C, after (52); abstract; section V, O(sqrt(|L| T)); section VI"),
    statement="The regret grows sublinearly with the number of job types.",
    readings=(
        Reading("the bound", "(39) as a function of |L|.", growth),
        Reading("the regret", "The regret with the step of the proof.", lambda case: growth(case, regret=True)),
    ),
    domain=FAMILIES,
    false_variants=(FalseVariant("it does not grow", lambda case: growth(case, claimed=1)),),
    assumption=Assumption(
        "same nodes",
        "the nodes, the resources, the utilities, the overheads and the largest demands stay the same",
        lambda case: case.kind != "own",
        SAME_NODES_PROOF,
    ),
    repair=Repair(domain=FAMILIES.but(regimes=KINDS[:2])),
)
