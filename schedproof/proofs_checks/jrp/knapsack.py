"""Section III-D: is multiple knapsack a special case of JRP? Claim mkp_special_case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp import builders
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.model import optimum
from schedproof.proofs_checks.strategies.jrp import st
from schedproof.proofs_checks.writing import at, of_data, table


def special_case(sizes: Sequence[Any], capacities: Sequence[Any]) -> Instance:
    """JRP without deadlines: a job with one data node for each item, a server for each knapsack, each node anywhere."""
    rows = [builders.job((size,), deadline=None) for size in sizes]
    return builders.build([builders.server(storage) for storage in capacities], rows)


def packings(sizes: Sequence[Fraction], capacities: Sequence[Fraction]) -> set[frozenset[int]]:
    """The sets of items that some choice of a knapsack, or of none, for each item puts into the knapsacks."""
    found = set()
    for choice in product(range(len(capacities) + 1), repeat=len(sizes)):
        loads = [
            sum((s for s, c in zip(sizes, choice, strict=True) if c == j), Fraction(0)) for j in range(len(capacities))
        ]
        if all(load <= most for load, most in zip(loads, capacities, strict=True)):
            found.add(frozenset(n for n, c in enumerate(choice) if c < len(capacities)))
    return found


def _knapsack(case: Case) -> tuple[list[Fraction], list[Fraction]]:
    """The items' sizes and the knapsacks' capacities of a special case."""
    return [job.nodes[0].size for job in case.instance.jobs], [server.storage for server in case.instance.servers]


def with_profits(case: Case, equal: bool = False) -> Finding:
    """The sets of jobs that JRP can accept at its optimum are worth as much as the optimum of multiple knapsack."""
    profits = [1] * len(case.instance.jobs) if equal else case.data["profits"]
    throughput, sets = optimum(case.instance), packings(*_knapsack(case))
    worth = {chosen: sum(profits[n] for n in chosen) for chosen in sets}
    reached = max(w for chosen, w in worth.items() if len(chosen) == throughput)
    return Finding(
        Fraction(reached), Fraction(max(worth.values())), "equal", "profit at the optimum of JRP, best profit"
    )


def equal_profits(case: Case) -> Finding:
    """The optimum of JRP is that of multiple knapsack with the profit 1 for each item.

    Proof
    -----
    Without deadlines no compute and no bandwidth are needed, and (8)-(10) hold. With one data node per job, (6) reads
    sum_j x_i^j = y_k: each item is in one knapsack or in none. (7) is the capacity of each knapsack, and (5) counts the
    items. Every set of items and capacities is met in this way: multiple knapsack with equal profits is a special case
    of JRP, the same numbers in other words.
    """
    best = max(map(len, packings(*_knapsack(case))))
    return Finding(Fraction(optimum(case.instance)), Fraction(best), "equal", "optima of JRP and of multiple knapsack")


def one_knapsack(case: Case) -> Finding:
    """False: the same with all the capacities in one knapsack."""
    sizes, capacities = _knapsack(case)
    best = max(map(len, packings(sizes, [sum(capacities, Fraction(0))])))
    return Finding(Fraction(optimum(case.instance)), Fraction(best), "equal")


@st.composite
def _items(pick: Any) -> Case:
    sizes = pick(st.lists(st.sampled_from((1, 1, 2, 2, 3, Decimal("1.5"))), min_size=1, max_size=4))
    capacities = pick(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    return Case(special_case(sizes, capacities), {"profits": [pick(st.integers(1, 4)) for _ in sizes]})


def _of_knapsack(name: str, reached: Callable[[list[Fraction], list[Fraction]], Any]) -> Regime:
    return Regime(name, lambda case: bool(reached(*_knapsack(case))))


_REGIMES = (
    of_data("different profits", lambda d: len(set(d["profits"])) > 1),
    of_data("equal profits", lambda d: len(set(d["profits"])) == 1),
    _of_knapsack("several knapsacks", lambda sizes, most: len(most) > 1),
    _of_knapsack("more than fits", lambda sizes, most: sum(sizes) > sum(most)),
    _of_knapsack("an item too large for any", lambda sizes, most: max(sizes) > max(most)),
)

MKP = Claim(
    id="jrp.mkp_special_case",
    source="paper 003, section III-D, end",
    statement="JRP with infinite deadlines, one data node per job and every server assignable is multiple knapsack.",
    readings=(
        Reading("with profits", "Multiple knapsack as it is mostly defined: items have profits.", with_profits),
        Reading("equal profits", "Multiple knapsack that counts the items it packs.", equal_profits),
    ),
    regimes=_REGIMES,
    strategy=_items(),
    planted=(Planted("one knapsack of all the capacity", one_knapsack),),
    witnesses=WITNESSES,
    repaired_by="jrp.mkp_special_case_repaired",
)

# --- and still hard --------------------------------------------------------------------------------------------------


def in_triples(sizes: Sequence[int], bound: int) -> bool:
    """Whether the sizes fall into triples that add up to the bound each: the first size tries every pair."""
    if not sizes:
        return True
    first, rest = sizes[0], sizes[1:]
    return any(
        in_triples([s for n, s in enumerate(rest) if n not in pair], bound)
        for pair in combinations(range(len(rest)), 2)
        if first + sum(rest[n] for n in pair) == bound
    )


def three_partition(case: Case, spare: int = 0) -> Finding:
    """JRP accepts all the jobs exactly when the sizes can be partitioned into triples of the same sum.

    Premise: 3 m sizes strictly between B/4 and B/2 that add up to m B, for m servers of storage B; no deadlines.

    Proof
    -----
    A partition into triples of sum B puts each triple on a server of its own. Conversely, if all 3 m sizes are placed,
    the m servers are full, as the sizes add up to m B; a server that is full holds three sizes, since two are less than
    B and four more. 3-PARTITION is NP-complete in the strong sense, and the instance has the same numbers: JRP is NP-
    hard in the strong sense, even without deadlines, with one data node per job and every server assignable.
    """
    sizes, bound = case.data["sizes"], case.data["bound"]
    instance = special_case(sizes, [bound + spare] * (len(sizes) // 3))
    whole = optimum(instance) == len(sizes)
    return Finding(Fraction(whole), Fraction(in_triples(sizes, bound)), "equal", f"all accepted, in triples: {sizes}")


@st.composite
def _triples(pick: Any) -> Case:
    """Sizes between B/4 and B/2, the last of which makes the sum m B if it can."""
    bound, many = pick(st.sampled_from((16, 20, 21))), pick(st.integers(1, 2))
    low, high = bound // 4 + 1, (bound - 1) // 2
    sizes = [pick(st.integers(low, high)) for _ in range(3 * many)]
    missing = many * bound - sum(sizes)
    for n, size in enumerate(sizes):
        sizes[n] = min(max(size + missing, low), high)
        missing += size - sizes[n]
    return Case(None, {"sizes": sizes, "bound": bound})


MKP_REPAIRED = Claim(
    id="jrp.mkp_special_case_repaired",
    source="paper 003, section III-D, end, repaired",
    statement=(
        "3-PARTITION reduces to that special case, where every job counts the same: JRP is NP-hard in the strong sense."
    ),
    readings=(Reading("3-PARTITION", "All jobs are accepted exactly when there is a partition.", three_partition),),
    regimes=(
        of_data("two servers", lambda d: len(d["sizes"]) > 3),
        of_data("a partition", lambda d: in_triples(d["sizes"], d["bound"])),
        of_data("no partition", lambda d: not in_triples(d["sizes"], d["bound"])),
        of_data("different sizes", lambda d: len(set(d["sizes"])) > 2),
    ),
    strategy=_triples(),
    planted=(Planted("a GB more on each server", at(three_partition, spare=1)),),
)

CLAIMS = table(MKP, MKP_REPAIRED)
