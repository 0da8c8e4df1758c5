"""Theorem 1 with Algorithm 1's own lines 6-31 in the place of the projection (32): claim theorem1_algorithm1."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.literal import Letter, algorithm1
from schedproof.proofs_checks.multiserver.model import Allocation, Matrix, network, nothing, pairs
from schedproof.proofs_checks.multiserver.oga import ZERO, Run, constant, play
from schedproof.proofs_checks.multiserver.regret_bounds import bound39, diameter51, norm48
from schedproof.proofs_checks.multiserver.regret_cases import SHAPES, climb, hand_over, started
from schedproof.proofs_checks.multiserver.regret_constant import bounds, fitting, theorem1
from schedproof.proofs_checks.multiserver.roots import NoRun, exact_root, root_above
from schedproof.proofs_checks.multiserver.rows import outside
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import at, table

PRINTED = Letter()  # rho may be negative


def own_projection(case: Case, letter: Letter = PRINTED, share: Fraction = Fraction(1)) -> Finding | None:
    """R <= (39) for eta = (51)/((48) sqrt(T)) with lines 6-31 in place of (32), for runs that stay in Y."""
    run = printed_run(case, letter)
    if run is None:
        return None
    most = root_above(bound39(case.instance))
    return Finding(run.shown_regret, share * most, "at most", "the regret, and (39)")


def floored_projection(case: Case) -> Finding | None:
    """With rho >= 0, a run of Algorithm 1 that stays in Y is one of (32), and R <= (39).

    Proof
    -----
    Let y be the output for a row, in the order of line 7, and tau = rho/2 at the end. Within a turn of the while loop
    tau does not fall: the ports that are cut have z < tau, and without them the mean that gives tau is larger, if it
    was positive. So each port that was cut has z <= tau, and its 0 is clip(z - tau). A port of B3 has z - tau >= 0, and
    at most a if y is in Y. If B1 = {1}, then y_1 = z_1 - tau' > a_1 in the first turn; there the sum is c (or tau' =
    0), and in the second the others have c - a_1 > c - y_1 to share, so that tau <= tau' and z_1 - tau > a_1: a_1 is
    clip there, too. If tau > 0, the sum is c by (38). These are the conditions under which y is the projection
    (`algorithm1_projection_repaired`), and theorem1_constant has the rest.
    """
    return own_projection(case, letter=Letter(floored=True))


def printed_run(case: Case, letter: Letter) -> Run | None:
    """The policy with lines 6-31, if all that it decides is in Y."""
    instance = case.instance
    steep = norm48(instance)

    def onto(instance: Instance, point: Allocation) -> Matrix:
        net = network(instance)
        answer = [list(row) for row in nothing(instance)]
        for edges, k, capacity in pairs(net):
            row = [point[e][k] for e in edges], [net.most(e, k) for e in edges], capacity
            found = algorithm1(*row, letter)
            if found is None or outside(found, *row[1:]):
                raise NoRun("the repeat loop does not end, or its result is not in Y")
            for e, amount in zip(edges, found, strict=True):
                answer[e][k] = amount
        return tuple(map(tuple, answer))

    try:
        step = exact_root(diameter51(instance) / (steep * instance.horizon)) if steep else ZERO
        return play(instance, case.data["start"], constant(step), onto=onto)
    except NoRun:
        return None


_CASES = st.one_of(
    started(slots=fitting(bounds)),
    started(slots=fitting(bounds), resources=1, nodes=1, full=True),
    st.sampled_from([climb(8, alpha=Decimal("0.28"), beta=Decimal("0.96"))]),
    st.sampled_from([climb(2 * m * m) for m in (1, 2, 3)] + [hand_over(m * m) for m in (2, 3, 5)]),
)
_REGIMES = (
    *SHAPES,
    Regime("a slope below beta", lambda c: not all(best_wanted(c.instance))),
    Regime("the run stays in Y", lambda c: printed_run(c, PRINTED) is not None),
    Regime("the run leaves Y", lambda c: printed_run(c, PRINTED) is None and theorem1(c) is not None),
)


def best_wanted(instance: Instance) -> list[bool]:
    """For each node and resource whether its first unit earns more than its overhead."""
    net = network(instance)
    return [f.steepest > b for row in net.channel for f, b in zip(row, net.overhead, strict=True)]


ALGORITHM1 = Claim(
    id="multiserver.theorem1_algorithm1",
    source="paper 002, section III-C, Theorem 1, for Algorithm 1",
    statement="With lines 6-31 of Algorithm 1 and eta = (51)/((48) sqrt(T)), the regret (11) is at most (39).",
    readings=(
        Reading("rho as printed", "(38), which may be negative; runs that stay in Y.", own_projection),
        Reading("rho at least 0", "A negative rho counts as 0; runs that stay in Y.", floored_projection),
    ),
    regimes=_REGIMES,
    strategy=_CASES,
    planted=(Planted("a fifth of it", at(own_projection, share=Fraction(1, 5))),),
    witnesses=WITNESSES,
    repaired_by="multiserver.theorem1_algorithm1_repaired",
    small_repair=True,
)
ALGORITHM1_REPAIRED = Claim(
    id="multiserver.theorem1_algorithm1_repaired",
    source="paper 002, section III-C, Theorem 1, for Algorithm 1, repaired",
    statement="With a routine that computes (32) in place of lines 6-31, the regret is at most (39).",
    readings=(Reading("(32)", "Such as those of algorithm1_projection_repaired.", theorem1),),
    regimes=_REGIMES,
    strategy=_CASES,
    planted=(Planted("half of it", at(theorem1, share=Fraction(1, 2))), Planted("lines 6-31", own_projection)),
)

CLAIMS = table(ALGORITHM1, ALGORITHM1_REPAIRED)
