"""The proof of Proposition 1: does each server have room for one job's candidates?"""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.iterations import ROUNDS
from schedproof.proofs_checks.jrp.shared.prune_regimes import GROUPS, PRUNED, full_loads
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.proofs_checks.strategies.jrp_rounds import Drawn, Iteration
from schedproof.reference.jrp import ZERO, Degrees, PruneInterpretation, cone, prune, split, takes, x_all_zero

COPES = Claim(
    "jrp.prune_copes",
    WANG19.at("section IV-B, proof of Proposition 1"),
    "After PRUNE, each server can cope with all the candidate data nodes of one job being assigned to it.",
    Domain(Iteration, draw.rounds(), (*GROUPS, *ROUNDS)),
    severity="false proof step",
)
REPAIRED = COPES.repair(
    "With x = 1 in (19) and (20), each server can cope with all the candidates of one job after PRUNE.",
    domain=PRUNED,
    small=True,
)
PRUNE_CAPACITY_PROOF = """
After lines 30-35 for (j, k), the candidates of job k at server j are a prefix that satisfies (18)-(20) with x = 1. So
their data D have D <= r_j^s, b D <= eps r_j^b and a D <= (1 - eps) r_j^c. Later lines only remove candidates, and
smaller sums also satisfy (18)-(20). With r^c = a D/(1 - eps) and r^b = b D/eps, (8), (9), (16) and (17) hold, and so
does (10), as a D/r^c + b D/r^b = 1 - eps + eps. The proof uses no choice of degrees or ties.
Coq, core: jrp.v less_data, line19. Outside: lines 30-35 of PRUNE. Lines 30-35 leave a prefix of the candidates that
satisfies (18)-(20) with x = 1, and later lines only remove candidates.
- *Lines 30-35 run job by job; a later server may change an earlier group.* It only removes data nodes, and fewer data
still satisfy (18)-(20).
- *epsilon D/r^b with r^b = 0.* Then b D = 0 by (19): there is no traffic.
"""


@COPES.reading("x = 1", "(19) and (20) count every candidate as assigned.", PRUNE_CAPACITY_PROOF)
@REPAIRED.reading("x = 1", "For degrees at the start, both the original and the current ones.", PRUNE_CAPACITY_PROOF)
def prune_capacity(case: OfInstance) -> Finding:
    rest = (prune(case.instance, PruneInterpretation(degrees)) for degrees in get_args(Degrees))
    return _finding(sum(map(overloads, rest)), "pairs of a job and a server that cannot cope")


@COPES.reading("x = 0 at first", "x at the first call of PRUNE: no data node is assigned.")
@REPAIRED.false_variant("with (18) alone")
def prune_capacity_at_first(case: OfInstance) -> Finding:
    rest = prune(case.instance, x=x_all_zero)
    return _finding(overloads(rest), "pairs of a job and a server that cannot cope")


@COPES.reading("the last x^", "In later iterations (19) and (20) have x^ of the previous LP.")
def prune_capacity_later(case: Iteration) -> Finding:
    return _finding(case.chance(lambda drawn: exceeded_next(case, drawn)), "a server cannot cope in the second one")


@COPES.false_variant("all jobs together", also=REPAIRED)
def _jobs_together(case: OfInstance) -> Finding:
    instance = prune(case.instance)
    loads: dict[int, dict[int, Fraction]] = {}
    for k, j, held in full_loads(instance):
        loads.setdefault(j, {})[k] = held[k]
    return _finding(sum(not takes(instance, j, held, split) for j, held in loads.items()), "overtaxed servers")


def _finding(count: Fraction | int, what: str) -> Finding:
    return Finding(Fraction(count), ZERO, "at most", what)


def overloads(instance: Instance) -> int:
    """The number of pairs (job, server) whose candidates the server cannot serve.

    Serving requires (7), together with (16) and (17), or with (10).
    """
    return sum(not all(takes(instance, j, held, rule) for rule in (split, cone)) for _, j, held in full_loads(instance))


def exceeded_next(case: Iteration, drawn: Drawn) -> bool:
    rest, remaining = case.following(drawn)
    last = {(rest.index(k), i, j): x for k, i, j, x in case.x if k in rest}
    return overloads(prune(remaining, x=lambda k, i, j: last.get((k, i, j), ZERO))) > 0
