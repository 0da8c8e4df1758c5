"""The servers as hexagonal cells, each filled like a glass: its storage, in bands of the jobs whose data it holds."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import inf, sqrt
from typing import Any

from schedproof.core.pictures import COLOURS, axes
from schedproof.instances.jrp.drive import Remaining
from schedproof.instances.jrp.hexagons import centre, spiral
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Assignment, Schedule
from schedproof.instances.jrp.shares import data

RADIUS = 0.95 / sqrt(3)  # of a drawn hexagon, centre to corner; cells are 1 wide
MOST_NAMED = 61  # cells that are large enough for words
FAINT, RED = "#f4f4f4", "#cc3311"


def draw_map(schedule: Schedule, instance: Instance, ax: Any = None) -> Any:
    """Draw how full each server is, and how close its jobs are to their deadlines.

    Server number n of the file is drawn as cell number n of the spiral of hexagons, which is where the generator puts
    it. A band's height is the share of the server's storage that a job's data takes. Below the name stands when the
    last of its jobs is done, in percent of that job's deadline. Where there are more jobs than colours, colours tell
    that percentage instead of jobs. A server of which more is given than there is has a red edge. Without axes it makes
    a figure that needs no display (``ax.figure.savefig(...)``).
    """
    held, ends = data(schedule.placements, instance), _ends(schedule, instance)
    overdrawn = _overdrawn(schedule, instance)
    cells = list(islice(spiral(), len(instance.servers)))
    middles = [centre(cell) for cell in cells]
    wide = max(abs(x) for x, _ in middles) + 1
    ax = axes(ax, (2.2 + min(8.0, 2.2 * wide), min(8.0, 2.2 * wide)))
    by_job = len(instance.jobs) <= len(COLOURS)
    shades = None if by_job else _shades(ax)
    for server, (x, y) in zip(instance.servers, middles, strict=True):
        end = ends.get(server.index)
        colour = FAINT if shades is None else shades.to_rgba(end or 0.0)
        here = held.get(server.index, {}) if server.storage else {}
        shares = [(COLOURS[k] if by_job else colour, float(gb / server.storage)) for k, gb in here.items() if gb]
        _draw_cell(ax, x, y, shares, lines=len(cells) <= MOST_NAMED, overdrawn=server.index in overdrawn)
        if len(cells) <= MOST_NAMED:
            _write(ax, x, y, server.name + ("" if end is None else f"\n{100 * end:.0f} %"))
    ax.set_aspect("equal")
    ax.set_xlim(min(x for x, _ in middles) - 0.6, max(x for x, _ in middles) + 0.6)
    ax.set_ylim(min(y for _, y in middles) - 0.7, max(y for _, y in middles) + 0.7)
    ax.set_axis_off()
    accepted = schedule.accepted(instance)
    words = "filled: storage in use"
    words += "; percent: when the last job is done, of its deadline" * (len(cells) <= MOST_NAMED)
    words += "; red edge: more is given than there is" * bool(overdrawn)
    ax.set_title(f"{schedule.policy}: {len(accepted)} of {len(instance.jobs)} jobs accepted\n{words}", fontsize=9)
    if by_job and instance.jobs:
        _draw_legend(ax, instance, accepted)
    return ax


def _ends(schedule: Schedule, instance: Instance) -> dict[int, float]:
    """Server -> when the last job with data on it is done, as a share of that job's deadline; (10) says at most 1.

    Servers on which no job has a deadline are left out.
    """
    granted = {(grant.job, grant.server): (grant.compute, grant.bandwidth) for grant in schedule.grants}
    found: dict[int, float] = {}
    for j, here in data(schedule.placements, instance).items():
        for k, gb in here.items():
            if instance.jobs[k].deadline is not None:
                end = _end(instance.jobs[k].need(gb), granted.get((k, j), (0, 0)))
                found[j] = max(end, found.get(j, 0.0))
    return found


def _end(need: tuple[Fraction, Fraction], got: tuple[Fraction | int, Fraction | int]) -> float:
    parts = [(n, r) for n, r in zip(need, got, strict=True) if n]
    return float(sum(n / r for n, r in parts)) if all(r > 0 for _, r in parts) else inf


def _overdrawn(schedule: Schedule, instance: Instance) -> set[int]:
    """The servers that have less storage, compute or bandwidth than is given of it, (7)-(9)."""
    left = Remaining(instance)
    left.take(Assignment(schedule.placements, schedule.grants))
    return {j for j, amounts in enumerate(left.amounts) if min(amounts) < 0}


def _shades(ax: Any) -> Any:
    """The colours of ends, from none of the deadline to all of it; beyond it, red."""
    import matplotlib as mpl
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    colours = mpl.colormaps["YlGnBu"].with_extremes(over=RED)
    shades = ScalarMappable(Normalize(0, 1), colours)
    words = "when the last job is done, in parts of its deadline"
    ax.figure.colorbar(shades, ax=ax, extend="max", shrink=0.6, label=words)
    return shades


def _draw_cell(ax: Any, x: float, y: float, shares: list[tuple[Any, float]], lines: bool, overdrawn: bool) -> None:
    """A cell, filled from the bottom with (colour, share of its height), each under a white line."""
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
    if overdrawn:
        edge.set(edgecolor=RED, linewidth=2.2, zorder=2)  # over the edges of the cells beside it
    ax.add_patch(edge)


def _write(ax: Any, x: float, y: float, words: str) -> None:
    """Words that can be read on any colour."""
    from matplotlib.patheffects import withStroke

    halo = withStroke(linewidth=2.5, foreground="white")
    ax.text(x, y, words, ha="center", va="center", fontsize=8, path_effects=[halo])


def _draw_legend(ax: Any, instance: Instance, accepted: list[int]) -> None:
    from matplotlib.patches import Patch

    entries = [
        Patch(facecolor=COLOURS[job.index], label=job.name)
        if job.index in accepted
        else Patch(facecolor="none", edgecolor=COLOURS[job.index], label=f"{job.name}, not accepted")
        for job in instance.jobs
    ]
    ax.legend(handles=entries, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8, frameon=False)
