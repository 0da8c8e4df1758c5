"""Section III-D: is multiple knapsack a special case of JRP?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import Items, Sizes, special_case
from schedproof.reference.jrp_model import optimum

MKP = Claim(
    "jrp.mkp_special_case",
    WANG19.at("section III-D, end"),
    "JRP with infinite deadlines, one data node per job and every server assignable is multiple knapsack.",
    Domain.of(
        Items,
        draw.items(),
        {
            "different profits": lambda case: len(set(case.profits)) > 1,
            "equal profits": lambda case: len(set(case.profits)) == 1,
            "several knapsacks": lambda case: len(case.capacities) > 1,
            "more than fits": lambda case: sum(case.sizes) > sum(case.capacities),
            "an item too large for any": lambda case: max(case.sizes) > max(case.capacities),
        },
    ),
    severity="slip",
)
REPAIRED = MKP.repair(
    "3-PARTITION reduces to that special case, where every job counts the same: JRP is NP-hard in the strong sense.",
    domain=Domain.of(
        Sizes,
        draw.triples(),
        {
            "two servers": lambda case: len(case.sizes) > 3,
            "a partition": lambda case: in_triples(case.sizes, case.bound),
            "no partition": lambda case: not in_triples(case.sizes, case.bound),
            "different sizes": lambda case: len(set(case.sizes)) > 2,
        },
        premises=(
            Premise("the sizes add up to m B", lambda case: 3 * sum(case.sizes) == len(case.sizes) * case.bound),
        ),
    ),
)


@MKP.reading("with profits", "Multiple knapsack in its usual form: items have profits.")
def with_profits(case: Items) -> Finding:
    throughput, sets = optimum(case.instance), packings(case.sizes, case.capacities)
    profit_of = {chosen: sum(case.profits[n] for n in chosen) for chosen in sets}
    reached = max(w for chosen, w in profit_of.items() if len(chosen) == throughput)
    return Finding(
        Fraction(reached),
        Fraction(max(profit_of.values())),
        "equal",
        "profit at the optimum of JRP, best profit",
        optimum=Fraction(throughput),
    )


EQUAL_PROFITS_PROOF = """
Without deadlines no compute and no bandwidth are needed, and (8)-(10) hold. With one data node per job, (6) is sum_j
x_i^j = y_k: each item is in one knapsack or in none. (7) is the capacity of each knapsack, and (5) counts the items.
Every set of items and capacities occurs in this way. So multiple knapsack with equal profits is a special case of JRP,
with the same numbers.
- *An item that is too large for every knapsack.* It is in no knapsack, and its job has y = 0, which (6) and (7) allow.
"""


@MKP.reading("equal profits", "The objective of multiple knapsack is the number of packed items.", EQUAL_PROFITS_PROOF)
def equal_profits(case: Items) -> Finding:
    best = max(map(len, packings(case.sizes, case.capacities)))
    return Finding(Fraction(optimum(case.instance)), Fraction(best), "equal", "optima of JRP and of multiple knapsack")


THREE_PARTITION_PROOF = """
A partition into triples of sum B puts each triple on a separate server. Conversely, let all 3 m sizes be placed. The m
servers are full, as the sizes add up to m B. A full server holds three sizes, since two sizes are less than B and four
sizes are more. 3-PARTITION is NP-complete in the strong sense, and the instance has the same numbers. So JRP is NP-hard
in the strong sense, even without deadlines, with one data node per job and every server assignable.
Coq, core: jrp.v full_servers_hold_three. Outside: that all jobs are accepted if there is a partition, and that
3-PARTITION is strongly NP-complete. Strong NP-completeness of 3-PARTITION is cited. A partition is a list of each
server's sizes.
- *JRP maximises; 3-PARTITION is a question.* The question is whether the optimum is 3 m: an algorithm that finds the
optimum answers it.
- *Sizes may be data amounts with decimals.* The reduction uses integers; a hard special case makes the general problem
hard.
"""


@REPAIRED.reading("3-PARTITION", "All jobs are accepted exactly when there is a partition.", THREE_PARTITION_PROOF)
@REPAIRED.false_variant("a GB more on each server", spare=1)
def three_partition(case: Sizes, spare: int = 0) -> Finding:
    """JRP accepts all jobs exactly when the sizes split into triples of equal sum.

    Premise: 3 m sizes strictly between B/4 and B/2 with sum m B, for m servers of storage B; no deadlines.
    """
    sizes = list(case.sizes)
    instance = special_case(sizes, [case.bound + spare] * (len(sizes) // 3))
    all_accepted = optimum(instance) == len(sizes)
    where = f"all accepted, in triples: {sizes}"
    return Finding(Fraction(all_accepted), Fraction(in_triples(sizes, case.bound)), "equal", where)


@MKP.false_variant("one knapsack of all the capacity")
def one_knapsack(case: Items) -> Finding:
    best = max(map(len, packings(case.sizes, [sum(case.capacities, Fraction(0))])))
    return Finding(Fraction(optimum(case.instance)), Fraction(best), "equal")


def packings(sizes: Sequence[Fraction], capacities: Sequence[Fraction]) -> set[frozenset[int]]:
    """The sets of items that some assignment puts into the knapsacks."""
    result = set()
    for choice in product(range(len(capacities) + 1), repeat=len(sizes)):
        loads = [
            sum((s for s, c in zip(sizes, choice, strict=True) if c == j), Fraction(0)) for j in range(len(capacities))
        ]
        if all(load <= most for load, most in zip(loads, capacities, strict=True)):
            result.add(frozenset(n for n, c in enumerate(choice) if c < len(capacities)))
    return result


def in_triples(sizes: Sequence[int], bound: int) -> bool:
    """Whether the sizes split into triples whose sum is the bound."""
    if not sizes:
        return True
    first, rest = sizes[0], sizes[1:]
    return any(
        in_triples([s for n, s in enumerate(rest) if n not in pair], bound)
        for pair in combinations(range(len(rest)), 2)
        if first + sum(rest[n] for n in pair) == bound
    )
