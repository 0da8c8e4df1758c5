"""To which servers the data nodes of a job may go, and which of these are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from schedproof.core.simulation.pictures import COLOURS, axes
from schedproof.instances.jrp import Instance, Job, Placement


def draw_candidates(
    job: Job, kept: Sequence[Collection[int]], instance: Instance, placements: Iterable[Placement] = (), ax: Any = None
) -> Any:
    """Draw to which servers each data node of a job may go, and which of them are kept, as where PRUNE has passed.

    Parameters
    ----------
    kept
        The servers that are left of each data node's.
    placements
        Where the job's data nodes go in some schedule, as dots.
    """
    ax = axes(ax, (5.5, 3.4))
    for node, after in zip(job.nodes, kept, strict=True):
        colours = [COLOURS[0] if j in after else COLOURS[1] for j in node.servers]
        ax.barh([node.index] * len(colours), 0.9, left=[j - 0.45 for j in node.servers], color=colours)
    own = [(p.server, p.node) for p in placements if p.job == job.index]
    ax.plot([j for j, _ in own], [i for _, i in own], "o", color="white")
    ax.set_xticks(range(len(instance.servers)), [f"{s.name}\n{s.storage} GB" for s in instance.servers])
    names = [node.name + ", no server left" * (not after) for node, after in zip(job.nodes, kept, strict=True)]
    ax.set_yticks(range(len(job.nodes)), names)
    ax.invert_yaxis()
    ax.set_title("where each may go: kept (blue), pruned (orange), placed (dots)", loc="right", fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
