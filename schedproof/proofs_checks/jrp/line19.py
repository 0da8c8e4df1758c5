"""The resources of the accepted jobs: claim line19_proportional."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Node
from schedproof.proofs_checks.jrp.model import ZERO, data, meets, needs
from schedproof.proofs_checks.jrp.rounds import read
from schedproof.proofs_checks.jrp.storage_test import REGIMES, Choice, all_accepted, passed
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import at, table

Grants = Mapping[tuple[int, int], tuple[Fraction, Fraction]]  # (job, server) -> r^c, r^b
Update = Callable[[Instance, Grants, list[dict[int, Fraction]], list[dict[int, Fraction]]], Grants]


def least(instance: Instance, held: list[dict[int, Fraction]]) -> Grants:
    """The r^c and r^b that (16) and (17) ask for, with equality."""
    share = instance.communication_share
    return {
        (k, j): (c / (1 - share), b / share)
        for j, here in enumerate(held)
        for k, (c, b) in zip(here, needs(instance, here), strict=True)
    }


def with_data(
    instance: Instance, solved: Grants, before: list[dict[int, Fraction]], now: list[dict[int, Fraction]]
) -> Grants:
    """r^ of the LP times D/D^: as much for each GB as before."""
    return {
        (k, j): (solved[k, j][0] * gb / before[j][k], solved[k, j][1] * gb / before[j][k]) if gb else (ZERO, ZERO)
        for j, here in enumerate(now)
        for k, gb in here.items()
    }


def of_everything(
    instance: Instance, solved: Grants, before: list[dict[int, Fraction]], now: list[dict[int, Fraction]]
) -> Grants:
    """All that the server has, shared among its accepted jobs in the proportion of r^."""
    found = {}
    for server, here in zip(instance.servers, now, strict=True):
        keys = [(k, server.index) for k in here]
        sums = [sum((solved[key][n] for key in keys), ZERO) for n in range(2)]
        for key in keys:
            c, b = solved[key]
            found[key] = (server.compute * c / sums[0] if c else ZERO, server.bandwidth * b / sums[1] if b else ZERO)
    return found


def line19(case: Case, update: Update, choice: Choice = all_accepted, timely: bool = False) -> Finding | None:
    """With probability 0 the updated resources break (8) or (9), or (16) or (17); or (10) in place of the last two.

    r^ of the LP is what (16) and (17) ask for with x^.
    """
    found = read(case)
    if found is None:
        return None
    before = data(found.instance, found.rows)
    solved = least(found.instance, before)

    def fails(drawn: dict[Node, int]) -> bool:
        now = data(found.instance, choice(found, drawn))
        return _broken(found.instance, now, update(found.instance, solved, before, now), timely)

    return Finding(found.chance(fails), ZERO, "at most", "Pr(some constraint is broken)")


def _broken(instance: Instance, now: list[dict[int, Fraction]], given: Grants, timely: bool) -> bool:
    for server, here in zip(instance.servers, now, strict=True):
        sums = [sum((given[k, server.index][n] for k in here), ZERO) for n in range(2)]
        if sums[0] > server.compute or sums[1] > server.bandwidth:
            return True
    asked = least(instance, now)
    if timely:
        return not all(meets(instance.jobs[k], now[j][k], *given[k, j]) for k, j in asked)
    return any(c > given[key][0] or b > given[key][1] for key, (c, b) in asked.items())


def line19_repaired(case: Case, timely: bool) -> Finding | None:
    """For what passes (21), (16) and (17), r^c = a D/(1 - eps) and r^b = b D/eps satisfy (8)-(10), (16) and (17).

    Proof
    -----
    (16) and (17) hold with equality and give (10), as a D/r^c + b D/r^b = (1 - eps) + eps. The sums of r^c and r^b over
    the jobs on a server are the two sums of its test, divided by 1 - eps and by eps: at most r_j^c and r_j^b. In
    proportion to the data this is the LP's r^, wherever that is as small as (16) and (17) allow: a and b for each GB
    are the same.
    """
    return line19(case, _as_asked, passed, timely)


def _as_asked(
    instance: Instance, solved: Grants, before: list[dict[int, Fraction]], now: list[dict[int, Fraction]]
) -> Grants:
    return least(instance, now)


def _unchanged(
    instance: Instance, solved: Grants, before: list[dict[int, Fraction]], now: list[dict[int, Fraction]]
) -> Grants:
    """A false variant: the LP's resources are enough as they are."""
    return {(k, j): solved[k, j] for j, here in enumerate(now) for k in here}


LINE19 = Claim(
    id="jrp.line19_proportional",
    source="paper 003, Algorithm 1, line 19",
    statement="Updating r^c and r^b of the accepted jobs in proportion to the LP's satisfies (8), (9), (16) and (17).",
    readings=(
        Reading("as much for each GB", "r^ times D/D^.", at(line19, update=with_data)),
        Reading("all of it shared", "The whole server, in the proportion of r^.", at(line19, update=of_everything)),
        Reading(
            "all of it shared, (10)",
            "The same, and (10) in place of (16), (17).",
            at(line19, update=of_everything, timely=True),
        ),
    ),
    regimes=REGIMES,
    strategy=draw.rounds(),
    planted=(Planted("no update", at(line19, update=_unchanged)),),
    witnesses=WITNESSES,
    repaired_by="jrp.line19_proportional_repaired",
)
LINE19_REPAIRED = Claim(
    id="jrp.line19_proportional_repaired",
    source="paper 003, Algorithm 1, line 19, repaired",
    statement="For what passes (21), (16) and (17), the resources that (16) and (17) ask for satisfy (8)-(10).",
    readings=(
        Reading("split time", "(8), (9), (16), (17).", at(line19_repaired, timely=False)),
        Reading("deadlines", "(8)-(10).", at(line19_repaired, timely=True)),
    ),
    regimes=REGIMES,
    strategy=draw.rounds(),
    planted=(Planted("with (21) alone", at(line19, update=with_data)),),
)

CLAIMS = table(LINE19, LINE19_REPAIRED)
