"""Picture of servers as hexagonal cells, filled with their jobs' data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import hypot, inf, isfinite, sqrt
from typing import Any

from schedproof.core.simulation.networks import RADIUS
from schedproof.core.simulation.occupied import totals
from schedproof.core.simulation.pictures import LEGEND, axes, caption, job_colour, title
from schedproof.instances.jrp.hexagons import centres
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Schedule
from schedproof.instances.jrp.shares import data

MOST_NAMED = 61  # most cells with text
FAINT, RED = "#f4f4f4", "#cc3311"
LOAD = "smallest fraction of a server that meets its jobs' deadlines"


def draw_map(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw each server's load and its jobs' data.

    Server n of the file is cell n of the spiral of hexagons, as in the generator. A band's height is a job's fraction
    of the server's storage. The number below the name is the load: the smallest fraction of the server that meets its
    jobs' deadlines. If the legend cannot name all jobs, a cell has one colour for its load. A server has a red edge if
    it is overfull or misses a deadline. ``ax`` are matplotlib axes; default: those of a new figure.
    """
    held = data(schedule.placements, instance)
    loads = _loads(held, instance)
    wrong = _faulty_servers(schedule, instance)
    middles = centres(len(instance.servers))
    wide = max(abs(x) for x, _ in middles) + 1
    by_job, accepted = len(instance.jobs) <= LEGEND, schedule.accepted_jobs(instance)
    labels = [_label(job, accepted) for job in instance.jobs] if by_job else []
    beside = max([2.2, *(0.085 * len(label) for label in labels)])  # inches of the legend
    ax = axes(ax, (beside + min(8.0, 2.2 * wide), min(8.0, 2.2 * wide)))
    shades = None if by_job else _shades(ax, min(loads.values(), default=0.0))
    for server, (x, y) in zip(instance.servers, middles, strict=True):
        load = loads.get(server.index, 0.0)
        colour = FAINT if shades is None else shades.to_rgba(load)
        here = held.get(server.index, {}) if server.storage else {}
        bands = [(job_colour(k), gb) for k, gb in here.items()] if by_job else [(colour, sum(here.values()))]
        shares = [(colour, float(gb / server.storage)) for colour, gb in bands if gb]
        _draw_cell(ax, x, y, shares, lines=len(middles) <= MOST_NAMED, red=server.index in wrong)
        if len(middles) <= MOST_NAMED:
            _write(ax, x, y, caption(server.name) + (f"\n{100 * load:.0f} %" if load else ""))
    ax.set_aspect("equal")
    ax.set_xlim(min(x for x, _ in middles) - 0.6, max(x for x, _ in middles) + 0.6)
    ax.set_ylim(min(y for _, y in middles) - 0.7, max(y for _, y in middles) + 0.7)
    ax.set_axis_off()
    words = "filled: storage in use"
    words += f"; percent: {LOAD}" * (len(middles) <= MOST_NAMED)
    words += "; red edge: overfull or deadline missed" * bool(wrong)
    first = f"{title(schedule.policy, schedule.options)}: {len(accepted)} of {len(instance.jobs)} jobs accepted"
    ax.set_title(f"{first}\n{words}", fontsize=9)
    if labels:
        _draw_legend(ax, instance, labels, accepted)
    return ax


def _label(job: Any, accepted: list[int]) -> str:
    return caption(job.name) + ", not accepted" * (job.index not in accepted)


def _loads(held: Mapping[int, Mapping[int, Fraction]], instance: Instance) -> dict[int, float]:
    """Return each server's load: the smallest fraction of its resources that suffices.

    With c_k and b_k as in `server_feasibility`, the fraction x of compute C and bandwidth B suffices if and only if
    (x C - sum c)(x B - sum b) >= (sum sqrt(c_k b_k))^2 with both factors >= 0.
    """
    loads = {}
    for j, here in held.items():
        server = instance.servers[j]
        needs = [instance.jobs[k].need(gb) for k, gb in here.items()]
        computing = _part(float(sum(c for c, _ in needs)), float(server.compute))
        sending = _part(float(sum(b for _, b in needs)), float(server.bandwidth))
        both = _part(sum(sqrt(c * b) for c, b in needs), sqrt(server.compute * server.bandwidth))
        cones = (
            (computing + sending) / 2 + hypot((computing - sending) / 2, both) if isfinite(computing * sending) else inf
        )
        loads[j] = max(_part(float(sum(here.values())), float(server.storage)), cones)
    return loads


def _part(used: float, had: float) -> float:
    return used / had if had else inf if used else 0.0


def _faulty_servers(schedule: Schedule, instance: Instance) -> set[int]:
    """Return the servers that are overfull, (7)-(9), or miss a deadline, (10)."""
    granted = {(grant.job, grant.server): (grant.compute, grant.bandwidth) for grant in schedule.grants}
    held = totals(schedule.occupied(instance), "place", "resource")
    wrong = {j for (j, resource), amount in held.items() if amount > getattr(instance.servers[j], resource)}
    for j, here in data(schedule.placements, instance).items():
        dated = ((k, gb) for k, gb in here.items() if instance.jobs[k].deadline is not None)
        if any(_end(instance.jobs[k].need(gb), granted.get((k, j), (0, 0))) > 1 for k, gb in dated):
            wrong.add(j)
    return wrong


def _end(need: tuple[Fraction, Fraction], got: tuple[Fraction | int, Fraction | int]) -> Fraction | float:
    """Return a job's completion time as a fraction of its deadline."""
    parts = [(n, r) for n, r in zip(need, got, strict=True) if n]
    return sum((n / r for n, r in parts), Fraction(0)) if all(r > 0 for _, r in parts) else inf


def _shades(ax: Any, least: float) -> Any:
    """Return the colours of loads up to 100 %; higher loads are red."""
    import matplotlib as mpl
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    colours = mpl.colormaps["YlGnBu"].with_extremes(over=RED)
    low = min(int(10 * least), 9) / 10 if isfinite(least) else 0.0
    shades = ScalarMappable(Normalize(low, 1), colours)
    scale = ax.figure.colorbar(shades, ax=ax, extend="max", shrink=0.6, label=LOAD)
    ticks = [low + (1 - low) * part / 4 for part in range(5)]
    scale.set_ticks(ticks, labels=[f"{100 * tick:.3g} %" for tick in ticks])
    return shades


def _draw_cell(ax: Any, x: float, y: float, shares: list[tuple[Any, float]], lines: bool, red: bool) -> None:
    """Draw a cell, filled from the bottom with (colour, share of its height)."""
    from matplotlib.patches import Rectangle, RegularPolygon

    outline = RegularPolygon((x, y), 6, radius=RADIUS, facecolor=FAINT, edgecolor="none")
    ax.add_patch(outline)
    bottom, height = y - RADIUS, 2 * RADIUS
    for colour, share in shares:
        band = Rectangle((x - RADIUS, bottom), 2 * RADIUS, share * height, facecolor=colour)
        band.set(edgecolor="white", linewidth=0.6 if lines else 0)
        ax.add_patch(band)
        band.set_clip_path(outline)
        bottom += share * height
    edge = RegularPolygon((x, y), 6, radius=RADIUS, facecolor="none", edgecolor="#444444", linewidth=0.9)
    if red:
        edge.set(edgecolor=RED, linewidth=2.2, zorder=2)  # over the edges of neighbouring cells
    ax.add_patch(edge)


def _write(ax: Any, x: float, y: float, words: str) -> None:
    """Write text that is legible on any colour."""
    from matplotlib.patheffects import withStroke

    halo = withStroke(linewidth=2.5, foreground="white")
    ax.text(x, y, words, ha="center", va="center", fontsize=8, path_effects=[halo])


def _draw_legend(ax: Any, instance: Instance, labels: list[str], accepted: list[int]) -> None:
    from matplotlib.patches import Patch

    entries = [
        Patch(facecolor=job_colour(job.index), label=label)
        if job.index in accepted
        else Patch(facecolor="none", edgecolor=job_colour(job.index), label=label)
        for job, label in zip(instance.jobs, labels, strict=True)
    ]
    ax.legend(handles=entries, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8, frameon=False)
