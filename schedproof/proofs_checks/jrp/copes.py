"""Can each server cope with all candidates of one job? Claim prune_copes."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.groups import GROUPS, gathered, takes
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Letter, accepted, after, kept, prune, unknown
from schedproof.proofs_checks.jrp.model import ZERO, cone, split
from schedproof.proofs_checks.jrp.rounds import ROUNDS, Round, read
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import table

STANDING = Letter("standing")


def overtaxed(instance: Instance) -> int:
    """In how many pairs of a job and a server the server cannot cope with all of the job's candidates.

    Coping means (7) with (16) and (17), and with (10).
    """
    return sum(not all(takes(instance, j, held, rule) for rule in (split, cone)) for _, j, held in gathered(instance))


def _found(count: Fraction | int, what: str) -> Finding:
    return Finding(Fraction(count), ZERO, "at most", what)


def copes_whole(case: Case) -> Finding:
    """With x = 1 in (19) and (20), each server that PRUNE leaves copes with all candidates of any one job.

    Proof
    -----
    When lines 30-35 have dealt with (j, k), the candidates of job k at server j are a prefix that satisfies (18)-(20)
    with x = 1: their data D have D <= r_j^s, b D <= eps r_j^b and a D <= (1 - eps) r_j^c. Later lines only remove
    candidates, and less data satisfy the same. With r^c = a D/(1 - eps) and r^b = b D/eps, (8), (9), (16) and (17)
    hold, and so does (10), as a D/r^c + b D/r^b = 1 - eps + eps. No choice of degrees or ties is used.
    """
    left = [prune(case.instance, letter) for letter in (Letter(), Letter("given"), STANDING)]
    return _found(sum(map(overtaxed, left)), "pairs of a job and a server that cannot cope")


def copes_unknown(case: Case) -> Finding:
    """The same with x = 0, as it is before any LP was solved."""
    return _found(overtaxed(prune(case.instance, x=unknown)), "pairs of a job and a server that cannot cope")


def copes_last(case: Case) -> Finding | None:
    """The same in the second iteration, with x^ of the first in (19) and (20): the probability that it is not so."""
    found = read(case)
    if found is None:
        return None
    return _found(found.chance(lambda drawn: _overtaxed_next(found, drawn)), "a server cannot cope in the second one")


def _overtaxed_next(found: Round, drawn: dict[tuple[int, int], int]) -> bool:
    stay = kept(found.instance, drawn, found.y)
    gone = set(accepted(found.instance, stay))
    rest = [k for k in range(len(found.y)) if k not in gone]
    last = {(rest.index(k), i, j): x for k, i, j, x in found.rows if k not in gone}
    left = after(found.instance, stay)
    return overtaxed(prune(left, x=lambda k, i, j: last.get((k, i, j), ZERO))) > 0


def _jobs_together(case: Case) -> Finding:
    """A false variant: each server copes with all candidates of all jobs."""
    instance = prune(case.instance)
    loads: dict[int, dict[int, Fraction]] = {}
    for k, j, held in gathered(instance):
        loads.setdefault(j, {})[k] = held[k]
    return _found(sum(not takes(instance, j, held, split) for j, held in loads.items()), "overtaxed servers")


COPES = Claim(
    id="jrp.prune_copes",
    source="paper 003, section IV-B, proof of Proposition 1",
    statement="After PRUNE, each server can cope with all the candidate data nodes of one job being assigned to it.",
    readings=(
        Reading("x = 1", "(19) and (20) count every candidate as assigned.", copes_whole),
        Reading("x = 0 at first", "x as it is when PRUNE runs for the first time: nothing is assigned.", copes_unknown),
        Reading("the last x^", "In later iterations (19) and (20) have x^ of the LP before.", copes_last),
    ),
    regimes=(*GROUPS, *ROUNDS),
    strategy=draw.rounds(),
    planted=(Planted("all jobs together", _jobs_together),),
    witnesses=WITNESSES,
    repaired_by="jrp.prune_copes_repaired",
    small_repair=True,
)
COPES_REPAIRED = Claim(
    id="jrp.prune_copes_repaired",
    source="paper 003, section IV-B, proof of Proposition 1, repaired",
    statement="With x = 1 in (19) and (20), each server can cope with all the candidates of one job after PRUNE.",
    readings=(Reading("x = 1", "For degrees at the start, as given and as they stand.", copes_whole),),
    regimes=GROUPS,
    strategy=draw.grouped(),
    planted=(Planted("with (18) alone", copes_unknown), Planted("all jobs together", _jobs_together)),
)

CLAIMS = table(COPES, COPES_REPAIRED)
