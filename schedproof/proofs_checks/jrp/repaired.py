"""Algorithm 1 repaired: the top job drawn for certain, first on each server, and all resources tested."""

from __future__ import annotations

from collections.abc import Iterable

from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.linear import lp_i
from schedproof.proofs_checks.jrp.literal import accepted, after, all_three, draws, first, kept, present, prune
from schedproof.proofs_checks.jrp.model import Row
from schedproof.proofs_checks.jrp.model import accepted as levels
from schedproof.proofs_checks.jrp.rounds import Round


def drawn_surely(found: Round, jobs: Iterable[int]) -> tuple[Row, ...]:
    """x^ with x^/y^ for some jobs: each of their data nodes goes somewhere."""
    sure = set(jobs)
    return tuple((k, i, j, x / found.y[k] if k in sure else x) for k, i, j, x in found.rows)


def longest(instance: Instance) -> int:
    """The most iterations over all draws; an iteration that accepts no job counts as one too many.

    PRUNE works on a copy: a job that it rejects is there again in the next iteration, with the servers that it had.
    """
    pruned = prune(instance)
    if not present(pruned):
        return 0
    rows = lp_i(pruned).rows
    found = Round(pruned, rows, levels(pruned, rows))
    seen, most = set(), 1
    for _, drawn in draws(drawn_surely(found, [found.top])):
        stay = kept(pruned, drawn, found.y, first(found.top), all_three)
        gone = set(accepted(pruned, stay)) & set(present(pruned))
        stay = {node: j for node, j in stay.items() if node[0] in gone}
        if not gone:
            return len(instance.jobs) + 1
        key = tuple(sorted(stay.items()))
        if key not in seen:
            seen.add(key)
            most = max(most, 1 + longest(after(instance, stay)))
    return most
