"""Draw a refutation's stored witness: violated row, schedule, candidates, data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import singledispatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from made import typeset

from schedproof.core.claims import cases
from schedproof.core.claims.claim import Finding
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.files import encode
from schedproof.core.simulation.pictures import COLOURS, job_colour, panels, save
from schedproof.proofs_checks.strategies import dmlrs_ratio, jrp, jrp_points, jrp_rounds, placement, preemptive
from schedproof.proofs_checks.strategies.multiserver import OneRow
from schedproof.reference import multiserver_projection

Drawn = tuple[str, Any]  # a sentence, and matplotlib's axes
WORDS = {"at most": "should be at most", "at least": "should be at least", "equal": "should be equal to"}
LONGEST = 40  # rows of a table of data
MOST_JOBS = 60  # in a schedule that is still seen


# --- the violated row ------------------------------------------------------------------------------------------------


def row(finding: Finding) -> str:
    """Draw both sides of a comparison as bars, to scale."""
    sides = (("comes to", finding.measured), (WORDS[finding.direction], finding.claimed))
    low, high = min(0, *(value for _, value in sides)), max(0, *(value for _, value in sides))
    scale = 100 / (high - low) if high > low else Fraction(0)
    bars = "\n".join(_bar(words, value, low, scale) for words, value in sides)
    caption = f"<figcaption>{typeset(finding.where)}</figcaption>\n" if finding.where else ""
    return f'<figure class="violated-row">\n{bars}\n{caption}</figure>'


def _bar(words: str, value: Fraction, low: Fraction | int, scale: Fraction) -> str:
    left, width = float((min(0, value) - low) * scale), float(abs(value) * scale)
    bar = f'<span class="bar" style="margin-left: {left:.2f}%; width: {width:.2f}%"></span>'
    return f'<div><span class="words">{words}</span><span class="scale">{bar}</span><b>{number(value)}</b></div>'


def number(value: Fraction) -> str:
    """Return a short number exactly, and others to six digits."""
    return str(value) if len(str(value)) <= 12 else f"{float(value):.6g}…"


# --- the case: what it looks like ------------------------------------------------------------------------------------


def scene(case: Any) -> tuple[str, bytes] | None:
    """Return a case's caption and its picture as SVG, or None without one."""
    try:
        drawn = draw(case)
    except SchedproofError:  # a policy refuses it
        return None
    if drawn is None:
        return None
    words, ax = drawn
    with TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        save(ax.figure, path)
        return words, path.read_bytes()


@singledispatch
def draw(case: Any) -> Drawn | None:
    """A sentence and a picture of a case."""
    return None


@draw.register
def _(case: preemptive.Online) -> Drawn | None:
    from schedproof.core.api.facade import policy

    if len(case.instance.jobs) > MOST_JOBS:
        return None
    run = policy("preemptive.a_online", speed=case.speed).run(case.instance)
    speed = f" at speed {case.speed}" if case.speed != 1 else ""
    words = f"What A_online does with these jobs{speed}"
    if case.plan is None:
        return f"{words}.", run.plot()
    above, below = panels((11, 1.5 + 0.45 * len(case.instance.servers)), rows=2, sharex=True)
    run.plot(above)
    _draw_plan(case, below)
    return f"{words}, and below it the schedule at speed 1 that it is compared with.", above


def _draw_plan(case: preemptive.Online, ax: Any) -> None:
    """Draw the comparison schedule: each job on its server from its start."""
    servers, end = case.instance.servers, ax.get_xlim()[1]
    for j, place, start in case.plan or ():
        job = case.instance.jobs[j]
        time = float(job.chunk_time_in_cloud if servers[place].cloud else job.chunk_time)
        ax.barh(place, time, left=start, height=0.8, color=job_colour(j))
        end = max(end, start + time)
    ax.set_xlim(right=1.01 * end)
    ax.set_yticks(range(len(servers)), [server.name for server in servers], fontsize=7)
    ax.set_ylim(len(servers) - 0.4, -0.6)
    ax.set_title("at speed 1", fontsize=10, loc="left")
    ax.set_xlabel("slot")


@draw.register
def _(case: dmlrs_ratio.Tempted) -> Drawn | None:
    from schedproof.core.api.facade import policy

    return "What PD-ORS does with these jobs.", policy("dmlrs.pd_ors").run(case.instance).plot()


@draw.register
def _(case: placement.Scheduled) -> Drawn:
    ax = panels((7, 1 + 0.4 * len(case.instance.tasks)))
    for n, (task, mode, cluster, slot) in enumerate(case.rows()):
        name = case.instance.clusters[cluster].name
        ax.barh(n, slot - task.arrival, left=task.arrival, height=0.12, color="#999999")
        ax.barh(n, mode.slots, left=slot, height=0.7, color=COLOURS[n % len(COLOURS)])
        ax.text(slot + mode.slots / 2, n, name, ha="center", va="center", color="white", fontsize=9)
    ax.set_yticks(range(len(case.instance.tasks)), [task.name for task in case.instance.tasks])
    ax.invert_yaxis()
    ax.set_xlabel("slot")
    return "The schedule: each task on its cluster; a thin line is the time that it waits.", ax


@draw.register
def _(case: OneRow) -> Drawn:
    ax = panels((6, 2.6))
    ports = range(len(case.z))
    made = multiserver_projection.algorithm1(case.z, case.a, case.c)
    sides = {"z, the point to project": case.z, "a, the demand": case.a, "y, by Algorithm 1": made or ()}
    for n, (name, values) in enumerate(sides.items()):
        if values:
            ax.bar([p + 0.27 * (n - 1) for p in ports], list(map(float, values)), 0.25, color=COLOURS[n], label=name)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xticks(list(ports), [f"port {p + 1}" for p in ports])
    ax.set_title(f"room for c = {case.c} together", fontsize=10, loc="left")
    ax.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return "The row that is to be projected, and what Algorithm 1 makes of it.", ax


@draw.register(jrp.OfInstance)
@draw.register(jrp_rounds.Iteration)
@draw.register(jrp_points.OptimalPoint)
def _(case: Any) -> Drawn:
    instance = case.instance
    nodes = [(job, node) for job in instance.jobs for node in job.nodes]
    shares = {(k, i, j): x for k, i, j, x in getattr(case, "x", getattr(case, "rows", ()))}
    ax = panels((7, 0.8 + 0.36 * max(len(nodes), len(instance.servers))))
    below = _evenly(len(nodes)), _evenly(len(instance.servers))
    places = iter(below[0])
    for k, job in enumerate(instance.jobs):
        colour = COLOURS[k % len(COLOURS)]
        for i, node in enumerate(job.nodes):
            y = next(places)
            for j in node.servers:
                share = shares.get((k, i, j), Fraction(0))
                line = {"color": colour, "linewidth": 0.6 + 2.4 * float(share), "alpha": 1 if share else 0.45}
                ax.plot([0, 1], [y, below[1][j]], **line)
                if 0 < share < 1:
                    ax.text(
                        0.22,
                        y + 0.22 * (below[1][j] - y),
                        str(share),
                        fontsize=7,
                        ha="center",
                        va="center",
                        bbox={"color": "white", "pad": 0.5},
                    )
            ax.plot(0, y, "o", color=colour)
            ax.text(
                -0.03,
                y,
                f"{job.name}, {node.name}: {number(Fraction(node.size))} GB",
                ha="right",
                va="center",
                fontsize=8,
            )
    for y, server in zip(below[1], instance.servers, strict=True):
        ax.plot(1, y, "s", color="black")
        ax.text(1.03, y, f"{server.name}: {number(Fraction(server.storage))} GB", va="center", fontsize=8)
    ax.set_xlim(-0.5, 1.4)
    ax.invert_yaxis()
    ax.axis("off")
    fractions = " A line with a number is that much of x, a bold one all of it." if shares else ""
    return f"Data nodes on the left, servers on the right, and which may hold which.{fractions}", ax


def _evenly(count: int) -> list[float]:
    return [(n + 0.5) / count for n in range(count)]


# --- the case: its numbers -------------------------------------------------------------------------------------------


def data(case: Any) -> str:
    """Return a case as folded tables, one for each list of objects."""
    values = json.loads(encode(cases.to_json(case)))
    known = {k: v for k, v in values.get("instance", {}).items() if k not in ("version", "family")} | values["data"]
    text = "\n\n".join(_tables(known))
    return f":::{{dropdown}} The case in numbers\n{text}\n:::"


def _tables(values: Mapping[str, Any]) -> Iterator[str]:
    plain = {name: value for name, value in values.items() if not _objects(value)}
    if plain:
        yield ", ".join(f"`{name}` {_text(value)}" for name, value in plain.items())
    for name, rows in values.items():
        if _objects(rows):
            keys = list(dict.fromkeys(key for one in rows for key in one))
            same = [
                key
                for key in keys
                if len(rows) > 1 and key != "name" and all(one.get(key) == rows[0].get(key) for one in rows)
            ]
            shown = [key for key in keys if key not in same]
            alike = ", ".join(f"`{key}` {_text(rows[0][key])}" for key in same if key in rows[0])
            yield f"{name}" + (f", all with {alike}" if alike else "")
            lines = [
                shown,
                ["---"] * len(shown),
                *([_text(one.get(key, "")) for key in shown] for one in rows[:LONGEST]),
            ]
            table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
            yield table + (f"\n\nand {len(rows) - LONGEST} more" if len(rows) > LONGEST else "")


def _objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items()) or "-"
    if isinstance(value, list):
        inner = ", ".join(map(_text, value))
        return f"({inner})"
    text = str(value).removesuffix("/1")
    return text.replace("|", r"\|").replace("*", r"\*")
