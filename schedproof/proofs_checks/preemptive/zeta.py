"""(1), (2g) and (2h): a job's rate by the servers of its workers and its PS."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding, Premise
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive_details as draw
from schedproof.proofs_checks.strategies.preemptive_details import Placement

PLACEMENTS = Domain.of(
    Placement,
    draw.placements(),
    {
        "all in the cloud": lambda case: case.all_in_cloud,
        "all on one edge server": lambda case: case.on_one_server and not case.all_in_cloud,
        "workers at the edge, PS in the cloud": lambda c: {"cloud"} == {c.parameter_server} - {*c.workers},
        "workers in the cloud, PS at the edge": lambda c: c.workers == ("cloud",) and not c.all_in_cloud,
    },
)
ROWS = Claim(
    "preemptive.zeta_rows",
    WANG22.at("section III-B, (2g) and (2h)"),
    "(2g) and (2h) fix zeta_j for every placement of a job's workers and its PS.",
    PLACEMENTS,
    severity="slip",
)
ROWS_REPAIRED = ROWS.repair(
    "With 'or' instead of 'and' in (2h), (2g) and (2h) fix zeta_j for every placement.", small=True
)
TWELVE = Exhaustive("workers and a PS on the cloud and two edge servers, up to names", 12, draw.every_placement)


@ROWS.reading("and", "(2h) as printed: some y_jsw = 1 and some z_jsp = 1 at the edge.")
@ROWS.reading(
    "or",
    "(2h) holds if a worker or the parameter server is at the edge.",
    exhaustive=TWELVE,
    either=True,
    also=ROWS_REPAIRED,
)
def rows_that_speak(case: Placement, either: bool = False) -> Finding:
    at_edge = [any(s != "cloud" for s in case.workers), case.parameter_server != "cloud"]
    split = any(at_edge) if either else all(at_edge)
    return Finding(Fraction(case.all_in_cloud + split), Fraction(1), "equal", "rows that fix zeta_j")


ROWS.false_variant("by (2g) alone")(
    lambda case: Finding(Fraction(case.all_in_cloud), Fraction(1), "equal", "only (2g)")
)
ONE_SERVER = Claim(
    "preemptive.zeta_one_server",
    WANG22.at("section III-A, above (1), with (2h)"),
    "When all workers and PSs are placed in one server, parameters are exchanged in no time: zeta_j = 1.",
    PLACEMENTS.but(
        regimes=PLACEMENTS.regimes[:2],
        premises=(Premise("all workers and PSs are placed in one server", lambda case: case.on_one_server),),
    ),
    severity="slip",
)
ONE_SERVER_REPAIRED = ONE_SERVER.repair(
    "zeta_j = 1 exactly if all workers and PSs are in the cloud. If one edge server holds them all, it is "
    "charged for an exchange that takes no time by the text above (1).",
    domain=PLACEMENTS.but(regimes=PLACEMENTS.regimes[:2]),
    small=True,
)


@ONE_SERVER.reading("any server", "As in the text above (1); 'such as the cloud' is an example.")
def rate_on_one_server(case: Placement) -> Finding:
    return Finding(Fraction(case.all_in_cloud), Fraction(1), "equal", "zeta_j")


@ONE_SERVER_REPAIRED.reading("(2g) and (2h), with or", "zeta_j has the value that these rows give.", exhaustive=TWELVE)
def rate_in_the_cloud(case: Placement) -> Finding:
    at_edge = sum(server != "cloud" for server in (*case.workers, case.parameter_server))
    return Finding(Fraction(case.all_in_cloud), Fraction(at_edge == 0), "equal", "zeta_j")


ONE_SERVER.false_variant("wherever they are")(
    lambda case: Finding(Fraction(case.all_in_cloud), Fraction(1), "equal", "zeta_j")
)
