"""Sections about results: instances, schedules, bounds, models."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.recorder.product import EMBEDDED, Items, choices, in_folder, instances, named, outcome, rows


def generators() -> Items:
    """The instance of each preset and seed."""
    for family in EMBEDDED:
        for name, draw in instances(family, rows(family)["preset"], (0, 1, 2)):
            yield f"{family} {name}", functools.partial(lambda draw: draw().sha256, draw)


IN_DOUBLES = ("dmlrs.pd_ors", "dmlrs.oasis", "dmlrs.dorm", "jrp.jrp_rounding", "multiserver.", "placement.tapfinger")


def values() -> Items:
    """Portable results on small instances: six digits of values, whole schedules."""
    import schedproof as sp

    def run(id: str, draw: Callable[[], Any]) -> Any:
        done = sp.policy(id).run(draw())
        kept = None if id.startswith(IN_DOUBLES) else done.schedule.to_json(done.instance)
        return [f"{float(done.objective):.6g}", done.feasible, kept]

    for family in EMBEDDED:
        for name, draw in instances(family, ["tiny"], (1, 2, 3)):
            for id in rows(family)["policy"]:
                yield f"{id} {name}", functools.partial(outcome, functools.partial(run, id, draw))
            for id in rows(family)["bound"]:
                value = functools.partial(lambda id, draw: f"{sp.bound(id, draw()).value:.6g}", id, draw)
                yield f"bound {id} {name}", functools.partial(outcome, value)


def schedules() -> Items:
    """The schedule of each policy on each preset, and with each of its options."""
    for family in EMBEDDED:
        presets = rows(family)["preset"]
        small = list(instances(family, presets[:1], (1, 2, 3)))
        large = list(instances(family, presets[1:], (0,)))[1:]
        for id in rows(family)["policy"]:
            for options in choices("policy", id):
                for name, draw in small[:2] if options else small + large:
                    yield named(id, name, options), functools.partial(schedule, id, options, draw)


def schedule(id: str, options: Mapping[str, str], draw: Callable[[], Any]) -> Any:
    """A run: its value, the checker's output, and the schedule's bytes."""
    import schedproof as sp

    def run() -> Any:
        done = sp.policy(id, **options).run(draw())
        return [done.objective, done.feasible, list(map(str, done.violations)), done.schedule.to_json(done.instance)]

    return outcome(run)


def bounds() -> Items:
    """The exact value and the certificate of each bound, with each of its options."""
    for family in EMBEDDED:
        for id in rows(family)["bound"]:
            for options in choices("bound", id):
                for name, draw in instances(family, ["tiny"], (1, 2, 3)):
                    yield named(id, name, options), functools.partial(bound_row, id, options, draw)


def bound_row(id: str, options: Mapping[str, str], draw: Callable[[], Any]) -> Any:
    import schedproof as sp

    def prove() -> Any:
        instance = draw()
        bound = sp.bound(id, instance, **options)
        return [bound.statement, bound.exact, bound.to_file(), bound.verify(instance)]

    return outcome(prove)


NEEDED: dict[str, dict[str, Any]] = {  # the options without which there is no such program
    "dmlrs.slot": {"job": "vision", "slot": "1", "workload": "10", "prices": "1"},
    "multiserver.gang": {"slot": "0"},
    "multiserver.projection": {"point": [[1.0, 2.0, 3.0]] * 10},
    "multiserver.slot_optimum": {"slot": "0"},
    "preemptive.dual11": {"eps": "1/2"},
}


def models() -> Items:
    """The rows of each program with each of its options, and relaxed."""
    for family in EMBEDDED:
        for id in rows(family)["program"]:
            for name, draw in instances(family, ["tiny"], (1,) if id not in NEEDED else ()):
                yield f"{id} {name} relaxed", functools.partial(model, id, NEEDED.get(id, {}), draw, relaxed=True)
                for options in choices("program", id):
                    needed = NEEDED.get(id, {}) | options
                    yield named(id, name, options), functools.partial(model, id, needed, draw)


def model(id: str, options: Mapping[str, Any], draw: Callable[[], Any], *, relaxed: bool = False) -> Any:
    """The rows of a program's model, or the reason for its absence."""
    import numpy as np

    import schedproof as sp

    def build() -> Any:
        given = {name: np.array(each) if isinstance(each, list) else each for name, each in options.items()}
        program = sp.program(id, **given)
        return lines_of((program.relaxed() if relaxed else program).build(draw()))

    return outcome(build)


def lines_of(model: Any) -> Any:
    if not hasattr(model, "component_data_objects"):
        data = model.get_problem_data("CLARABEL")[0]
        found = {key: data[key] for key in ("A", "P", "b", "c") if key in data}
        return {key: each.toarray() if hasattr(each, "toarray") else each for key, each in found.items()}
    with in_folder():
        try:
            model.write("model.lp", io_options={"symbolic_solver_labels": True})
        except ValueError:  # not linear
            Path("model.lp").unlink()
            model.write("model.nl", io_options={"symbolic_solver_labels": True})
        return [
            [file.name, NUMBER.sub(double, file.read_text()).splitlines()] for file in sorted(Path().glob("model.*"))
        ]


NUMBER = re.compile(r"(?m)(?<=^[+-])[\d./e+-]+(?= )|(?<=[<>=] )[\d./e+-]+$")  # a coefficient or a side of an LP file


def double(number: re.Match[str]) -> str:
    """The nearest double."""
    return repr(float(Fraction(number[0])))
