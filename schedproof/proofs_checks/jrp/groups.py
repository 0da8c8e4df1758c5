"""What servers can take and serve, against what PRUNE leaves; the situations in which PRUNE must be tried."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import Case, Finding, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.literal import Sets, outcomes
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Held, Rule, data, split, ways


def takes(instance: Instance, j: int, held: Held, rule: Rule) -> bool:
    """Whether a server has the storage for what it holds and, by a rule, the time."""
    return sum(held.values(), ZERO) <= instance.servers[j].storage and rule(instance, instance.servers[j], held)


def servable(instance: Instance, k: int, rule: Rule) -> bool:
    """Whether the servers as they are could serve a job alone; with others among them they could do no more."""
    for way in ways(instance, k):
        held = data(instance, [(k, i, j, ONE) for i, j in enumerate(way)])
        if all(takes(instance, j, held[j], rule) for j in set(way)):
            return True
    return False


def alone(instance: Instance, k: int, rule: Rule) -> Sets:
    """The A_i of a job without the servers that cannot take the data node alone."""
    return tuple(
        tuple(j for j in node.servers if takes(instance, j, {k: node.size}, rule)) for node in instance.jobs[k].nodes
    )


def removed(case: Case) -> Finding:
    """PRUNE, in the order of the file, removes no job at all: a false variant of the claims about it."""
    jobs = range(len(case.instance.jobs))
    gone = sum(not all(next(outcomes(case.instance, k))) for k in jobs)
    return Finding(Fraction(gone), ZERO, "at most", "jobs removed")


def gathered(instance: Instance) -> list[tuple[int, int, Held]]:
    """Job, server and the job's data in GB when all its candidates for the server are there."""
    return [
        (job.index, server.index, {job.index: sum((node.size for node in group), ZERO)})
        for job in instance.jobs
        for server in instance.servers
        if (group := [node for node in job.nodes if server.index in node.servers])
    ]


# --- regimes ---------------------------------------------------------------------------------------------------------


def _pairs_cut(instance: Instance) -> bool:
    """Whether lines 30-35 take a server from a data node that could use it alone."""
    jobs = range(len(instance.jobs))
    return any(
        set(mine) - set(theirs)
        for k in jobs
        for mine, theirs in zip(alone(instance, k, split), next(outcomes(instance, k)), strict=True)
    )


def _too_large(instance: Instance) -> bool:
    nodes = ((node, j) for job in instance.jobs for node in job.nodes for j in node.servers)
    return any(node.size > instance.servers[j].storage for node, j in nodes)


def _of(name: str, reached: Callable[[Instance], bool]) -> Regime:
    return Regime(name, lambda case: reached(case.instance))


GROUPS = (
    _of("a server too small for a data node", _too_large),
    _of("a group is cut", _pairs_cut),
    _of("a job is removed", lambda instance: removed(Case(instance)).violated),
    _of("several servers", lambda instance: len(instance.servers) > 1),
    _of("several data nodes", lambda instance: any(len(job.nodes) > 1 for job in instance.jobs)),
    _of("time is scarce", lambda instance: any(job.compute_rate or job.bandwidth_rate for job in instance.jobs)),
    _of("storage is all that counts", lambda instance: all(job.deadline is None for job in instance.jobs)),
    _of("a data node of size 0", lambda instance: any(not node.size for job in instance.jobs for node in job.nodes)),
)
