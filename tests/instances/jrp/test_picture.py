from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_hex
from msgspec import structs

import schedproof as sp
from schedproof.core.simulation.pictures import LEGEND, job_colour
from schedproof.instances.jrp import Assignment, Instance, Schedule, from_json
from schedproof.instances.jrp.hexagons import centre, within
from schedproof.instances.jrp.picture import MOST_NAMED, RADIUS
from schedproof.instances.jrp.server_feasibility import fits
from schedproof.instances.jrp.shares import data
from tests.instances.jrp.greedy import greedy
from tests.tiny.jrp import schedule_of, tiny_cells, tiny_jrp

F = Fraction


def cells(seed: int = 1) -> tuple[Instance, Schedule]:
    instance = sp.embedded("cells")
    return instance, greedy(instance, seed)


def bands(ax: Any) -> list[tuple[float, float, float, float, str]]:
    """Return (x of the middle, bottom, top, height, colour) of every band."""
    from matplotlib.patches import Rectangle

    found = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    return [
        (p.get_x() + RADIUS, p.get_y(), p.get_y() + p.get_height(), p.get_height(), to_hex(p.get_facecolor()))
        for p in found
    ]


def hexagons(ax: Any) -> list[Any]:
    from matplotlib.patches import RegularPolygon

    return [patch for patch in ax.patches if isinstance(patch, RegularPolygon)]


def test_a_servers_bands_are_its_jobs_in_order() -> None:
    instance, schedule = cells()
    expected = []
    for server, (x, y) in zip(instance.servers, map(centre, within(1)), strict=True):
        bottom = y - RADIUS
        for job in instance.jobs:
            mine = [p for p in schedule.placements if (p.job, p.server) == (job.index, server.index)]
            share = float(sum(job.nodes[p.node].size for p in mine) / server.storage)
            if mine:
                expected.append((x, bottom, bottom + 2 * RADIUS * share, 2 * RADIUS * share, job_colour(job.index)))
                bottom += 2 * RADIUS * share
    found = bands(schedule.plot(instance))
    assert [row[-1] for row in found] == [row[-1] for row in expected]
    for one, other in zip(found, expected, strict=True):
        assert one[:-1] == pytest.approx(other[:-1])


def test_every_server_is_labelled_with_its_needed_fraction() -> None:
    instance, schedule = cells()
    words = [text.get_text() for text in schedule.plot(instance).texts]
    parts = []
    for server, told in zip(instance.servers, words, strict=True):
        here = data(schedule.placements, instance).get(server.index, {})
        needs = [instance.jobs[k].need(gb) for k, gb in here.items()]
        name, _, percent = told.partition("\n")
        assert name == server.name and bool(percent) == bool(here)
        if here:
            part = F(percent.removesuffix(" %")) / 100
            parts.append(part)
            for bit, enough in ((F(1, 100), True), (F(-1, 100), False)):
                least = part + bit
                stored = sum(here.values()) <= least * server.storage
                fitting = stored and fits(least * server.compute, least * server.bandwidth, needs)
                assert fitting == enough, (server.name, float(least))
    assert len({*parts}) > 1 and max(parts) <= 1, "not the same everywhere"


def test_the_title_and_the_legend_list_accepted_jobs() -> None:
    instance, schedule = cells()
    ax = schedule.plot(instance)
    accepted = set(schedule.accepted_jobs(instance))
    assert ax.get_title().startswith(f"greedy: {len(accepted)} of 8 jobs accepted\nfilled: storage in use")
    told = [text.get_text() for text in ax.get_legend().get_texts()]
    assert told == [
        job.name if job.index in accepted else f"{job.name}, not accepted" for job in instance.jobs
    ] and len(accepted) not in (0, 8)


def test_the_legend_of_long_names_leaves_room_for_the_map(tmp_path: Path) -> None:
    value = tiny_jrp(0, servers=1, jobs=2)
    for job in value["jobs"]:
        job["name"] += "W" * 900
    instance = from_json(value)
    for seed in range(3):
        greedy(instance, seed).plot(instance).figure.savefig(tmp_path / "map.png")


def test_jobs_beyond_the_legend_are_counted() -> None:
    instance = from_json(tiny_jrp(3, jobs=LEGEND + 1, servers=7))
    schedule = greedy(instance, 3)
    ax = schedule.plot(instance)
    assert ax.get_legend() is None
    (_, bar) = ax.figure.axes
    assert (
        "fraction of a server" in bar.get_ylabel()
        and [text.get_text() for text in bar.get_yticklabels()][-1] == "100 %"
    )
    drawn = bands(ax)
    assert len({row[-1] for row in drawn}) > 1 and len({row[0] for row in drawn}) == len(drawn), (
        "a band for each server"
    )
    assert float(bar.get_yticklabels()[0].get_text().removesuffix(" %")) / 100 == bar.get_ylim()[0]


def test_a_server_with_a_missed_deadline_has_a_red_edge() -> None:
    instance, schedule = cells()
    slower = [g._replace(compute=g.compute / 100, bandwidth=g.bandwidth / 100) for g in schedule.grants]
    for grants in (slower, []):
        late = schedule_of(Assignment(schedule.placements, grants), instance, "late")
        ax = late.plot(instance)
        edges = [to_hex(patch.get_edgecolor()) for patch in hexagons(ax)[1::2]]
        assert {j for j, colour in enumerate(edges) if colour == "#cc3311"} == {p.server for p in schedule.placements}
        assert "deadline missed" in ax.get_title()


def test_an_overfull_server_has_a_red_edge() -> None:
    instance, schedule = cells()
    assert "red edge" not in schedule.plot(instance).get_title()
    given = schedule.grants[0]
    more = given._replace(bandwidth=given.bandwidth + instance.servers[given.server].bandwidth)
    ax = schedule_of(Assignment(schedule.placements, [more, *schedule.grants[1:]]), instance, "more").plot(instance)
    edges = [to_hex(patch.get_edgecolor()) for patch in hexagons(ax)[1::2]]
    assert [j for j, colour in enumerate(edges) if colour == "#cc3311"] == [given.server]
    assert "red edge" in ax.get_title()


def test_without_deadlines_none_is_missed() -> None:
    instance = cells()[0]
    free = replace(instance, jobs=tuple(structs.replace(job, deadline=None) for job in instance.jobs))
    ax = greedy(free, 1).plot(free)
    assert bands(ax) and "red edge" not in ax.get_title()


@pytest.mark.parametrize("servers", [1, 3, 7, 19, MOST_NAMED, MOST_NAMED + 1, 127])
def test_any_number_of_servers_is_a_spiral_of_cells(servers: int, tmp_path: Path) -> None:
    instance = tiny_cells(1, servers=servers, jobs=12)
    ax = greedy(instance, 1).plot(instance)
    drawn = hexagons(ax)
    assert len(drawn) == 2 * servers
    middles = list(map(centre, within(7)))[:servers]
    assert [patch.xy for patch in drawn[::2]] == middles
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert all(left < x - 0.5 and x + 0.5 < right and low < y - RADIUS and y + RADIUS < high for x, y in middles)
    assert len(ax.texts) == (servers if servers <= MOST_NAMED else 0), "no words where there is no room"
    ax.figure.savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000


def test_an_empty_instance_can_be_drawn(tmp_path: Path) -> None:
    instance = tiny_cells(4, jobs=0)
    for one in (instance, replace(instance, servers=tuple(structs.replace(s, storage=F(0)) for s in instance.servers))):
        schedule_of(Assignment([], []), one).plot(one).figure.savefig(tmp_path / "some.png")
