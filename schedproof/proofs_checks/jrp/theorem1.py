"""Theorem 1: the throughput of Algorithm 1 against the optimum of LP_I.

The printed bound is checked with storage only. The repaired bound is additive and uses the vertex that Algorithm 1
requires. For equal data nodes the printed rate is the claim theorem1_equal_sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Open, Premise, Regime
from schedproof.families.jrp import WANG19
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.enclosures import printed_factor
from schedproof.proofs_checks.jrp.shared.vertex_counts import VERTICES, deadlines, split_nodes, three_each, tight
from schedproof.proofs_checks.strategies import jrp_points as draw
from schedproof.proofs_checks.strategies.jrp_points import OptimalPoint, loads
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration, Ties
from schedproof.reference import jrp
from schedproof.reference.jrp_load import Load, kept_prefix, of_largest, server_limit, worst_order_limit
from schedproof.reference.jrp_model import levels, optimum

THEOREM1 = Claim(
    "jrp.theorem1",
    WANG19.at("Theorem 1"),
    "The algorithm's throughput is at least (1 - 1/(2 eta) - 1/sqrt(2 pi eta)) OPT_I.",
    Domain.of(
        OptimalPoint,
        draw.points(),
        {
            "an x between 0 and 1": lambda case: any(0 < x < 1 for *_, x in case.rows),
            "several servers": lambda case: len(server_loads(case)) > 1,
            "a job with several data nodes": lambda case: any(s.heaviest > s.largest for s in server_loads(case)),
            "an overfull draw": lambda case: any(
                kept_prefix(s).overfull for s in server_loads(case) if len(s.nodes) < 10
            ),
            "eta at least 3": lambda case: smallest_eta(server_loads(case)) >= 3,
        },
        premises=(Premise("PRUNE finds nothing to remove", lambda case: unpruned(case)),),
    ),
    severity="false theorem",
)
REPAIRED = THEOREM1.repair(
    "At an optimal vertex of LP_I the fractional jobs and the split data nodes are together at most the "
    "tight server rows, t <= 3 m, with storage only t <= m. So for every draw the first iteration accepts "
    "at least OPT_I - t jobs, if among equal priorities the jobs without a split data node come first.",
    domain=VERTICES.but(
        regimes=(
            *VERTICES.regimes,
            Regime(
                "as many as the tight rows", lambda case: fractional(case) + len(split_nodes(case)) == tight(case) > 0
            ),
        )
    ),
)
Eta = Callable[[Sequence[Load]], int]
Factor = Callable[[int], Fraction]
MOST_DRAWS = 4096


def unpruned(case: OptimalPoint) -> bool:
    try:
        return bool(server_loads(case))
    except ValueError:
        return False


def server_loads(case: OptimalPoint) -> list[Load]:
    return loads(case.instance, case.rows)


def largest_count(servers: Sequence[Load]) -> int:
    return max(map(server_limit, servers))


def smallest_eta(servers: Sequence[Load]) -> int:
    """The least eta of any reading.

    This eta is the minimum, over servers, of floor(r/max d) and of the largest n such that any n data nodes fit.
    """
    return min((min(worst_order_limit(one), of_largest(one)) for one in servers), default=0)


@THEOREM1.reading("at the end, most", "eta: the most data nodes that fit on one server.", eta=largest_count)
@THEOREM1.reading(
    "at the end, least",
    "eta: the largest number such that any choice of candidates fits on every server, or floor(r/max d).",
    eta=smallest_eta,
)
@THEOREM1.false_variant("all of OPT_I", eta=smallest_eta, factor=lambda _: jrp.ONE)
def at_the_end(case: OptimalPoint, eta: Eta, factor: Factor = printed_factor) -> Finding:
    """The final throughput is at least the factor times OPT_I.

    The measured value is the largest number of jobs that can be accepted together, an upper bound for every draw.
    """
    servers = server_loads(case)
    number = eta(servers)
    measured = Fraction(optimum(case.instance, jrp.storage_only))
    return Finding(
        measured,
        factor(number) * case.optimum,
        "at least",
        f"jobs accepted together, eta = {number}",
        relative=True,
        optimum=measured,  # of JRP, whose other rows are met whatever is stored: there are no deadlines
    )


@THEOREM1.reading("the first iteration", "The average number of accepted jobs; eta is the least one.")
@THEOREM1.false_variant("all of OPT_I at once", factor=lambda _: jrp.ONE)
def at_first(case: OptimalPoint, factor: Factor = printed_factor) -> Answer:
    servers = server_loads(case)
    outcomes = draw_count(case.instance, case.rows)
    if outcomes > MOST_DRAWS:
        return Open("too many outcomes of the draw", outcomes, MOST_DRAWS)
    mean = first_iteration(case.instance, case.rows)
    claimed = factor(smallest_eta(servers)) * case.optimum
    return Finding(mean, claimed, "at least", f"jobs of the first iteration, eta = {smallest_eta(servers)}")


@THEOREM1.reading("data kept", "sum_j E(D'_j) against sum_j mu_j, as in the proof; the least eta.")
def data_kept(case: OptimalPoint) -> Finding:
    servers = server_loads(case)
    mean, wanted = (
        sum(amounts, jrp.ZERO) for amounts in ((kept_prefix(s).mean for s in servers), (s.mean for s in servers))
    )
    return Finding(
        mean, printed_factor(smallest_eta(servers)) * wanted, "at least", f"data kept, eta = {smallest_eta(servers)}"
    )


COUNTING = """
Let a vertex of LP_I be given. Let E be its positive x, F its fractional y, W the y equal to 1, and V the data nodes of
the jobs in F and W. The columns of the positive variables are linearly independent in the rows that are tight (a row x
= 1 follows from y = 1 and (6)). Each positive r_jk is one column, and its (16) or (17) is at most one tight row. If
r_jk = 0, that row has no column left. So |E| + |F| + |W| is at most the number of |V| rows of (6), |W| rows y = 1 and t
tight rows among (7)-(9). Hence |F| + (|E| - |V|) <= t. Each data node in V has a positive x, so |E| - |V| is at least
the number of split data nodes. Each server has three rows (7)-(9), so t <= 3 m; with storage only, it has one row, so t
<= m.
OPT_I is |W| plus the y in F, which is at most |W| + |F|. At least |W| less the number of split data nodes are jobs in W
without a split data node. So they are at least OPT_I - t. Such a job has y = 1 and an x of 1 for each data node, so all
its data nodes are drawn there for certain. No job has a higher priority, and among equals they come first. By (7)-(9),
(16) and (17) they fit together on each server. So they pass (21), with or without the test of time, and are accepted.
Coq: vertex.v vertex_count, tight_rows_at_most, first_iteration; rounding.v rounding_accepts. Objects: program, LP_I,
vertex, tight_rows, fractional_jobs, split_nodes, kept, accepts, may_draw. In words: OPT_I is the sum of y, as the
vertex is optimal; jobs and A_i are those after PRUNE; owner is a data node's job. A line through a vertex on which x or
y change does not stay in LP_I on both sides, for all r^c and r^b. `accepts` computes the first iteration in rationals
from a draw, for servers that test storage or all resources. `first_iteration` covers any test that passes all data that
fit. The proof in Coq takes only E and the positive y as columns; r^c and r^b follow from them.
- *OPT_I before or after PRUNE?* After PRUNE: of the LP_I that line 6 solves. The counting holds for any LP_I. So
keeping the unsplit jobs with y = 1 of the LP_I without PRUNE gives OPT_I - 3 m too.
- *A solver may return a point that is not a vertex.* Then the claim makes no statement; the paper asks for an optimal
vertex, and a crossover step gives one.
- *With m = 19 and OPT_I near 42 the bound 3 m = 57 is empty.* Yes, but t is the number of tight rows, not 3 m; with
storage only, at least 42 - 19 = 23 jobs are accepted. The loss does not grow with the number of jobs. If the servers
hold many more than 3 m jobs, the quotient is near 1.
- *A size of 0, or a job without data nodes.* Columns of size 0 are counted like others; a job without data nodes has y
= 1 and is accepted.
"""


@REPAIRED.reading("the counting", "Jobs may be fractional and data nodes split.", COUNTING)
@REPAIRED.false_variant("one row fewer", spare=1)
def vertex_count(case: Iteration, spare: int = 0) -> Finding:
    jobs = fractional(case)
    where = f"{jobs} fractional jobs and the split data nodes; tight rows, {len(case.pruned.servers)} servers"
    return Finding(Fraction(jobs + len(split_nodes(case))), tight(case) - spare, "at most", where)


@REPAIRED.reading("OPT_I - t", "Servers test all three resources.", COUNTING, rows=tight)
@REPAIRED.reading("OPT_I - t, (21)", "Servers test storage, as printed.", COUNTING, rows=tight, fits=jrp.storage)
@REPAIRED.reading("OPT_I - 3 m", "Servers test all resources, and all rows count.", COUNTING, rows=three_each)
@REPAIRED.false_variant("OPT_I - 9 t/10", rows=lambda case: tight(case) * 9 / 10)
@REPAIRED.false_variant("equals by the file", rows=tight, by_file=True)
def surely(
    case: Iteration, rows: Callable[[Iteration], Fraction], fits: jrp.Fits = jrp.all_three, by_file: bool = False
) -> Finding:
    ties = jrp.job_by_job if by_file else unsplit_first(case)
    fewest = min(len(case.accepted(drawn, ties, fits)) for _, drawn in jrp.draws(case.x))
    return Finding(
        Fraction(fewest), sum(case.y, jrp.ZERO) - rows(case), "at least", f"jobs accepted, OPT_I less {rows(case)}"
    )


STORAGE_ALONE: Premise[Iteration] = Premise("no job has a deadline", lambda case: not deadlines(case))


@REPAIRED.reading("OPT_I - m", "Jobs have no deadlines, so only storage matters.", COUNTING, where=(STORAGE_ALONE,))
def storage_alone(case: Iteration) -> Finding:
    return surely(case, lambda one: Fraction(len(one.pruned.servers)), jrp.storage)


def draw_count(instance: Instance, rows: jrp.Table) -> int:
    y, ways = levels(instance, rows), Counter((k, i) for k, i, *_ in rows)
    return prod(count + (y[k] < 1) for (k, _), count in ways.items())


def first_iteration(instance: Instance, rows: jrp.Table) -> Fraction:
    y = levels(instance, rows)
    return sum(
        (p * len(jrp.accepted_jobs(instance, jrp.keep_prefixes(instance, drawn, y))) for p, drawn in jrp.draws(rows)),
        jrp.ZERO,
    )


def fractional(case: Iteration) -> int:
    return sum(0 < y < 1 for y in case.y)


def unsplit_first(case: Iteration) -> Ties:
    """Order of equal priorities: jobs without split data nodes first, then file order."""
    broken = {k for k, _ in split_nodes(case)}
    return lambda node: (node[0] in broken, *node)
