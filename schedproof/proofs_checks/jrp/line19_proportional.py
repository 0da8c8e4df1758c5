"""Line 19 of Algorithm 1: the resources of the accepted jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.iterations import DRAWN, Choice, all_accepted, all_tests
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration
from schedproof.reference.jrp import ZERO, Node, data, needs
from schedproof.reference.jrp_model import meets

LINE19 = Claim(
    "jrp.line19_proportional",
    WANG19.at("Algorithm 1, line 19"),
    "Updating r^c and r^b of the accepted jobs in proportion to the LP's satisfies (8), (9), (16) and (17).",
    DRAWN,
    severity="false theorem",
)
REPAIRED = LINE19.repair(
    "For data that pass (21), (16) and (17), the resources that (16) and (17) require satisfy (8)-(10)."
)
Grants = Mapping[tuple[int, int], tuple[Fraction, Fraction]]  # (job, server) -> r^c, r^b
Data = list[dict[int, Fraction]]  # D_j^k, server by server
Update = Callable[[Instance, Grants, Data, Data], Grants]  # of r^ of the LP, with its data and with those now


def with_data(instance: Instance, solved: Grants, before: Data, now: Data) -> Grants:
    """Return the LP's grants times D/D^, so that resources per GB are unchanged."""
    return {
        (k, j): (solved[k, j][0] * gb / before[j][k], solved[k, j][1] * gb / before[j][k]) if gb else (ZERO, ZERO)
        for j, here in enumerate(now)
        for k, gb in here.items()
    }


def of_everything(instance: Instance, solved: Grants, before: Data, now: Data) -> Grants:
    """Divide a whole server among its accepted jobs in proportion to the LP's grants."""
    result = {}
    for server, here in zip(instance.servers, now, strict=True):
        keys = [(k, server.index) for k in here]
        computing, sending = (sum((solved[key][n] for key in keys), ZERO) for n in range(2))
        for key in keys:
            c, b = solved[key]
            result[key] = (server.compute * c / computing if c else ZERO, server.bandwidth * b / sending if b else ZERO)
    return result


def same_grants(instance: Instance, solved: Grants, before: Data, now: Data) -> Grants:
    return {(k, j): solved[k, j] for j, here in enumerate(now) for k in here}


@LINE19.reading("as much for each GB", "The resources are r^ times D/D^.", update=with_data)
@LINE19.reading("all of it shared", "The whole server is divided in proportion to r^.", update=of_everything)
@LINE19.reading(
    "all of it shared, (10)",
    "The whole server is divided in proportion to r^, and (10) replaces (16), (17).",
    update=of_everything,
    timely=True,
)
@LINE19.false_variant("no update", update=same_grants)
@REPAIRED.false_variant("with (21) alone", update=with_data)
def line19(case: Iteration, update: Update, choice: Choice = all_accepted, timely: bool = False) -> Finding:
    """With probability 0 the updated resources violate a constraint.

    The constraints are (8), (9) and either (16) and (17), or (10). r^ of the LP is the requirement of (16) and (17) at
    x^.
    """
    before = data(case.pruned, case.x)
    solved = required_grants(case.pruned, before)

    def fails(drawn: dict[Node, int]) -> bool:
        now = data(case.pruned, choice(case, drawn))
        return _is_violated(case.pruned, now, update(case.pruned, solved, before, now), timely)

    return Finding(case.chance(fails), ZERO, "at most", "Pr(some constraint is broken)")


LINE19_REPAIRED_PROOF = """
(16) and (17) hold with equality and give (10), as a D/r^c + b D/r^b = (1 - eps) + eps. The sums of r^c and r^b over the
jobs on a server are the two sums of its test, divided by 1 - eps and by eps. So they are at most r_j^c and r_j^b. In
proportion to the data this is the LP's r^, if r^ is as small as (16) and (17) allow: a and b for each GB are the same.
Coq: jrp.v line19. Objects: split16, split17, in_time10. In words: a k and b k are the needs of a job's data on the
server, in units of its deadline.
- *The accepted jobs are fewer than those that passed the test.* They need no more than all that passed: the sums are
over fewer terms, all nonnegative.
- *Line 19 is proportional to r^ of the LP. Are these the same?* If (16) and (17) are tight, r^ for each GB is a/(1 -
eps) and b/eps, and both are the same. Tight rows do not lower the LP's optimum.
"""


@REPAIRED.reading("split time", "The rows are (8), (9), (16), (17).", LINE19_REPAIRED_PROOF, timely=False)
@REPAIRED.reading("deadlines", "The rows are (8)-(10).", LINE19_REPAIRED_PROOF, timely=True)
def line19_repaired(case: Iteration, timely: bool) -> Finding:
    return line19(case, lambda instance, solved, before, now: required_grants(instance, now), all_tests, timely)


def required_grants(instance: Instance, held: Data) -> Grants:
    """Return the grants r^c and r^b that meet (16) and (17) with equality."""
    share = instance.communication_share
    return {
        (k, j): (c / (1 - share), b / share)
        for j, here in enumerate(held)
        for k, (c, b) in zip(here, needs(instance, here), strict=True)
    }


def _is_violated(instance: Instance, now: Data, given: Grants, timely: bool) -> bool:
    for server, here in zip(instance.servers, now, strict=True):
        computing, sending = (sum((given[k, server.index][n] for k in here), ZERO) for n in range(2))
        if computing > server.compute or sending > server.bandwidth:
            return True
    asked = required_grants(instance, now)
    if timely:
        return not all(meets(instance.jobs[k], now[j][k], *given[k, j]) for k, j in asked)
    return any(c > given[key][0] or b > given[key][1] for key, (c, b) in asked.items())
