"""Section IV-B, on Fig. 3(b): growth of the bound and the regret with the nodes."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Regime
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import from_json, to_json
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import Compared, Repeated
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver_constants import bound39

NODES = Claim(
    "multiserver.linear_nodes",
    ZHAO24.at("section IV-B, on Fig. 3(b)"),
    "The regret grows linearly with |R|: with each node n times, it is n times as large.",
    Domain(
        Repeated,
        draw.repeated_cases(),
        (*regimes.RUNS, *regimes.MANY, Regime("a regret above 0", lambda case: regrets(case))),
    ),
)

BOUND_OF_COPIES_PROOF = """
(51) squared is a sum over nodes, and (48) squared a sum over edges. So both are n times as large. (39) is the root of T
times their product.
- *More nodes may come with other utilities.* Then (39) grows differently; the statement is about each node n times.
- *Could max_l a_l change?* The ports and their demands do not change.
"""


@NODES.reading("the bound", "The bound is (39).", BOUND_OF_COPIES_PROOF)
@NODES.false_variant("the bound grows like a root", power=1)
def bound_of_copies(case: Repeated, power: int = 2) -> Finding:
    large = with_copies(case).instance
    return Finding(bound39(large), case.times**power * bound39(case.instance), "equal", "squares of (39)")


REGRET_OF_COPIES_PROOF = """
By induction y(t) is the same on all copies of a node. Then each port's totals are n times as large, and k* is the same.
So the gradients on the copies and the projections of the rows are the same. The reward of such an allocation is n times
as large: the gain per node is a sum over n times as many nodes, and the penalty is linear in the totals. An optimum
(10) may be the same on all copies. The reason is that the mean over all permutations of the copies is feasible and, as
q is concave, not worse. So the regret of each trajectory is n times as large. The step of the proof is the same: (51)
and (48) grow alike.
- *Ties of (27) may be broken differently.* All totals are n times as large, so the maximisers are the same, and the
rule takes the first.
- *The best allocation on the copies may treat them differently.* Its mean over all permutations of a node's copies is
feasible, and not worse as q is concave.
"""


@lru_cache(maxsize=4)
def few_and_many(case: Repeated) -> tuple[Fraction, Fraction]:
    """The regrets of a run and of its copy with repeated nodes.

    Both regrets are relative to one allocation.
    """
    few, many = (
        oga.play(c.instance, c.start, oga.constant(case.step)).regret(c.fixed) for c in (case, with_copies(case))
    )
    return few, many


@NODES.reading(
    "the regret",
    "The regret on each trajectory, with the step of the proof; gain per node.",
    REGRET_OF_COPIES_PROOF,
    where=(regimes.exact(few_and_many),),
)
@NODES.false_variant("it does not grow", power=0)
@regimes.of_exact_runs
def regret_of_copies(case: Repeated, power: int = 1) -> Answer:
    few, many = few_and_many(case)
    return Finding(many, case.times**power * few, "equal", "regrets against one allocation")


def with_copies(case: Repeated) -> Compared:
    times, value = case.times, to_json(case.instance)
    names = {node["name"]: [f"{node['name']}_{n}" for n in range(times)] for node in value["nodes"]}
    value["nodes"] = [node | {"name": name} for node in value["nodes"] for name in names[node["name"]]]
    for port in value["ports"]:
        port["nodes"] = [name for node in port["nodes"] for name in names[node]]
    own = value.get("node_utilities", {})
    value["node_utilities"] = {name: row for node, row in own.items() for name in names[node]}
    start, fixed = (tuple(row for row in y for _ in range(times)) for y in (case.start, case.fixed))
    return Compared(from_json(value), start, fixed, case.step)


def regrets(case: Repeated) -> bool:
    return regimes.is_exact(few_and_many, case) and few_and_many(case)[0] > 0
