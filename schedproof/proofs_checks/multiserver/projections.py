"""Section III-B: the rows that lines 6-31 of Algorithm 1 project.

The claims are about which rows, how many rows, and the reference in line 20.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Pointed
from schedproof.reference.multiserver import ZERO, Network, excess, network, pairs
from schedproof.reference.multiserver_projection import project_row

DOMAIN = Domain(Pointed, draw.pointed_cases(), (*regimes.SHAPES[:5],))

ZIP = Claim(
    "multiserver.projections_zip",
    ZHAO24.at("Algorithm 1, line 6"),
    "The loop of line 6, for each (r, k) in zip(R, K), makes a point of Y of z.",
    DOMAIN,
    severity="slip",
)
ZIP_REPAIRED = ZIP.repair("The loop of line 6, for each r and each k, makes a point of Y of z.", small=True)

Rows = Callable[[Network], list[tuple[int, int]]]  # the (r, k) of line 6


def product(net: Network) -> list[tuple[int, int]]:
    return [(r, k) for r in range(len(net.capacity)) for k in net.resources]


def diagonal(net: Network) -> list[tuple[int, int]]:
    """The pairs of the n-th node and the n-th resource."""
    return list(zip(range(len(net.capacity)), net.resources, strict=False))


PRODUCT_PROOF = """
(5) and (6) are constraints on one (r, k) each, and each channel and resource is in one row. So a point is in Y exactly
if each row is in its set. The projection of a row is in its set.
Coq, core: rows.v projections_zip, clip_is_projection. Outside: that line 6 makes a point of a row's set. The result of
line 6 for a row is clip(z - tau), which is in the row's set.
- *A port without nodes is in no row.* It has no channel and so no amounts.
- *Rows are projected in parallel.* They have no amount in common.
"""


@ZIP.reading("zip", "The first r is paired with the first k, the second with the second, and so on.", rows=diagonal)
@ZIP.reading("product", "Each r is paired with each k: 'different combinations of r and k'.", PRODUCT_PROOF)
@ZIP_REPAIRED.reading("product", "Each r is paired with each k.", PRODUCT_PROOF)
@ZIP.false_variant("no row", rows=lambda net: [])
@ZIP_REPAIRED.false_variant("zip", rows=diagonal)
def in_y(case: Pointed, rows: Rows = product) -> Finding:
    instance = case.instance
    net, y = network(instance), [list(row) for row in case.z]
    for r, k in rows(net):
        edges = net.of_node[r]
        row = project_row([y[e][k] for e in edges], [net.edge_demand(e, k) for e in edges], net.capacity[r][k])
        for e, amount in zip(edges, row, strict=True):
            y[e][k] = amount
    return Finding(excess(instance, y), ZERO, "at most", "violation of (5) or (6)")


NUMBER = Claim(
    "multiserver.projections_number",
    ZHAO24.at("section III-B, end"),
    "The number of projections is linearly proportional to the solution's dimensions, sum_l |R_l| K.",
    DOMAIN,
    severity="slip",
)
NUMBER_REPAIRED = NUMBER.repair(
    "The number of projections is K times the number of nodes with a port, for any number of ports.", small=True
)


@NUMBER.reading("that number", "'i.e.' means that this is the number of rows.")
@NUMBER_REPAIRED.false_variant("as many as dimensions")
def as_many(case: Pointed) -> Finding:
    return Finding(Fraction(row_count(case.instance)), Fraction(dimensions(case.instance)), "equal", "rows, dimensions")


@NUMBER.reading("proportional", "Twice the dimensions, twice the rows; each port is taken twice.")
def proportional(case: Pointed) -> Finding:
    value = to_json(case.instance)
    ports = [port | {"name": f"{port['name']}_{n}"} for port in value["ports"] for n in (1, 2)]
    twice = from_json(
        value | {"ports": ports, "arrivals": [[x for x in row for _ in (1, 2)] for row in value["arrivals"]]}
    )
    rows, many = (Fraction(row_count(i)) for i in (case.instance, twice))
    return Finding(many, 2 * rows, "equal", "rows with each port twice, and twice the rows")


AT_MOST_PROOF = """
Each row that has a port has at least one of the K sum_l |R_l| amounts, and no two rows share one.
- *Proportional is more than at most.* True; proportionality fails as soon as ports are added to the same nodes.
- *Rows without ports are in line 6 as well.* They have no amount to project.
"""


@NUMBER.reading("at most", "Rows without ports do not count.", AT_MOST_PROOF)
@NUMBER.false_variant("at most nine tenths", share=Fraction(9, 10))
def at_most(case: Pointed, share: Fraction = Fraction(1)) -> Finding:
    limit = share * dimensions(case.instance)
    return Finding(Fraction(row_count(case.instance)), limit, "at most", "rows, dimensions")


EXACTLY_PROOF = """
Line 6 has one row for each node and resource, for any number of ports at the node.
Coq, core: rows.v projections_number. Outside: the loop of line 6. Line 6 visits the nodes that have a port.
- *Nodes without ports are in R.* Their rows are empty.
- *The work per row grows with the ports.* That is another claim, `complexity`.
"""


@NUMBER_REPAIRED.reading("rows", "A projection is an iteration of line 6.", EXACTLY_PROOF)
@NUMBER_REPAIRED.false_variant("a tenth more", share=Fraction(11, 10))
def exactly(case: Pointed, share: Fraction = Fraction(1)) -> Finding:
    net = network(case.instance)
    served = len({node for _, node in net.edges}) * len(net.overhead)
    return Finding(Fraction(row_count(case.instance)), share * served, "equal", "rows, K times the nodes with a port")


def row_count(instance: Instance) -> int:
    return sum(bool(edges) for edges, _, _ in pairs(network(instance)))


def dimensions(instance: Instance) -> int:
    net = network(instance)
    return len(net.edges) * len(net.overhead)


LINE20: Claim[Case] = Claim(
    "multiserver.projections_line20", ZHAO24.at("Algorithm 1, line 20"), "Line 20 calculates rho_r^k with (39)."
)

LINE20.open_reading(
    "as printed",
    "(39) is the bound of Theorem 1.",
    "a formula for rho in (39), which is a bound on the regret without r and k; the paper must mean (38)",
)
