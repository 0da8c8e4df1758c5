"""Regimes of PRUNE: its result against the servers' true capacities."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Domain, Finding, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.reference.jrp import ONE, ZERO, Held, Rule, Sets, data, outcomes, split, takes
from schedproof.reference.jrp_model import ways


def servable(instance: Instance, k: int, rule: Rule) -> bool:
    """Whether the servers could serve the job by itself.

    With other jobs on the servers, they could not serve more.
    """
    for way in ways(instance, k):
        held = data(instance, [(k, i, j, ONE) for i, j in enumerate(way)])
        if all(takes(instance, j, held[j], rule) for j in set(way)):
            return True
    return False


def alone(instance: Instance, k: int, rule: Rule) -> Sets:
    """Return the sets A_i of a job, without servers that cannot serve i alone."""
    return tuple(
        tuple(j for j in node.servers if takes(instance, j, {k: node.size}, rule)) for node in instance.jobs[k].nodes
    )


def full_loads(instance: Instance) -> list[tuple[int, int, Held]]:
    """Return triples: job, server, and the job's GB with all candidates on the server."""
    return [
        (job.index, server.index, {job.index: sum((node.size for node in group), ZERO)})
        for job in instance.jobs
        for server in instance.servers
        if (group := [node for node in job.nodes if server.index in node.servers])
    ]


def no_removal(case: OfInstance) -> Finding:
    jobs = range(len(case.instance.jobs))
    gone = sum(not all(next(outcomes(case.instance, k))) for k in jobs)
    return Finding(Fraction(gone), ZERO, "at most", "jobs removed")


# --- regimes ---------------------------------------------------------------------------------------------------------


def _pairs_cut(case: OfInstance) -> bool:
    """Whether lines 30-35 remove a server that could serve the data node by itself."""
    return any(
        set(mine) - set(theirs)
        for k in range(len(case.instance.jobs))
        for mine, theirs in zip(alone(case.instance, k, split), next(outcomes(case.instance, k)), strict=True)
    )


def _too_large(case: OfInstance) -> bool:
    nodes = ((node, j) for job in case.instance.jobs for node in job.nodes for j in node.servers)
    return any(node.size > case.instance.servers[j].storage for node, j in nodes)


GROUPS: tuple[Regime[OfInstance], ...] = (
    Regime("a server too small for a data node", _too_large),
    Regime("a group is cut", _pairs_cut),
    Regime("a job is removed", lambda case: no_removal(case).violated),
    Regime("several servers", lambda case: len(case.instance.servers) > 1),
    Regime("several data nodes", lambda case: any(len(job.nodes) > 1 for job in case.instance.jobs)),
    Regime("time is scarce", lambda case: any(job.compute_rate or job.bandwidth_rate for job in case.instance.jobs)),
    Regime("storage is all that counts", lambda case: all(job.deadline is None for job in case.instance.jobs)),
    Regime(
        "a data node of size 0", lambda case: any(not node.size for job in case.instance.jobs for node in job.nodes)
    ),
)
PRUNED = Domain(OfInstance, draw.prune_instances().map(OfInstance), GROUPS)
