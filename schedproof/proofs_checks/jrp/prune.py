"""Does PRUNE remove what could be served? Claim prune_safe."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.groups import GROUPS, alone, removed, servable
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Letter, Weight, outcomes, unknown, whole
from schedproof.proofs_checks.jrp.model import ZERO, Rule, cone, split, storage_only
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import at, table

IN_FILE_ORDER = Letter("left")
AT_THE_START = Letter("left", free=True)
AS_GIVEN = Letter("given", free=True)
STANDING = Letter("standing")
STANDING_FREE = Letter("standing", free=True)


def _lost(case: Case, keeps: Callable[[Instance, int], bool], rule: Rule) -> Finding:
    """How many jobs are removed that a rule says could be served."""
    instance = case.instance
    gone = [
        job.index for job in instance.jobs if not keeps(instance, job.index) and servable(instance, job.index, rule)
    ]
    names = ", ".join(instance.jobs[k].name for k in gone)
    return Finding(Fraction(len(gone)), ZERO, "at most", f"removed: {names or 'none that could be served'}")


def safe(case: Case, letter: Letter, rule: Rule = cone, x: Weight = whole) -> Finding:
    """No job that could be served is without servers for a data node in every outcome that the letter allows."""
    return _lost(case, lambda instance, k: any(all(sets) for sets in outcomes(instance, k, letter, x)), rule)


SAFE = Claim(
    id="jrp.prune_safe",
    source="paper 003, section IV-B and Algorithm 1, lines 26-38",
    statement="PRUNE removes no job that could be served.",
    readings=(
        Reading(
            "in the order of the file", "Degrees after line 27, equals by position.", at(safe, letter=IN_FILE_ORDER)
        ),
        Reading(
            "degrees at the start", "Those after line 27; equals in the best order.", at(safe, letter=AT_THE_START)
        ),
        Reading("degrees as given", "|A_i| of the instance; equals in the best order.", at(safe, letter=AS_GIVEN)),
        Reading("degrees as they stand", "Servers and equals in the order of the file.", at(safe, letter=STANDING)),
        Reading(
            "as they stand, best order",
            "Some order of the servers and of equal degrees keeps each job that (7)-(10) could serve.",
            at(safe, letter=STANDING_FREE),
        ),
        Reading(
            "best order, split time",
            "Some order keeps each job that could be served with (16) and (17) in place of (10).",
            at(safe, letter=STANDING_FREE, rule=split),
        ),
        Reading(
            "best order, storage alone",
            "With (18) alone, some order keeps each job for which there is storage.",
            at(safe, letter=STANDING_FREE, rule=storage_only, x=unknown),
        ),
    ),
    regimes=GROUPS,
    strategy=draw.grouped(),
    planted=(Planted("no job is removed at all", removed),),
    witnesses=WITNESSES,
    repaired_by="jrp.prune_safe_repaired",
)


# --- repaired --------------------------------------------------------------------------------------------------------


def safe_repaired(case: Case, rule: Rule) -> Finding:
    """If (i, j) goes only where server j cannot take data node i alone, no job that could be served loses a data node.

    Proof
    -----
    Say a schedule serves job k and has data node i on server j. What j holds of job k there is at least d_i, and all
    that j holds satisfies (7) and the rule. Both are monotone: with less data they stay satisfied, by the same
    resources, since each of a D/r^c + b D/r^b, T h D and T g D only falls with D. So j can take i alone, and (i, j)
    stays. This holds for each data node of k: none is left without servers.
    """
    return _lost(case, lambda instance, k: all(alone(instance, k, rule)), rule)


SAFE_REPAIRED = Claim(
    id="jrp.prune_safe_repaired",
    source="paper 003, Algorithm 1, lines 26-38, repaired",
    statement="Removing j from A_i only where server j cannot take i alone removes no job that could be served.",
    readings=(
        Reading("deadlines", "Taking and serving mean (7)-(10).", at(safe_repaired, rule=cone)),
        Reading("split time", "They mean (7)-(9), (16), (17).", at(safe_repaired, rule=split)),
        Reading("storage alone", "They mean (7).", at(safe_repaired, rule=storage_only)),
    ),
    regimes=GROUPS,
    strategy=draw.grouped(),
    planted=(Planted("PRUNE as printed", at(safe, letter=IN_FILE_ORDER)),),
)

CLAIMS = table(SAFE, SAFE_REPAIRED)
