"""Bound every program by its own rows: correctness, tightness, and time.

``python docs/evidence/any_program.py`` bounds all programs, relaxed if integer, on tiny draws and writes
any_program.md. A bound is correct relative to an exact value: a proven optimum or a feasible point. Tightness is
relative to the solver's value.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import nan
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import NoSolution, SchedproofError
from schedproof.core.programs.program import Program
from schedproof.core.runtime.files import write_bytes
from schedproof.core.simulation.instance import Instance
from schedproof.core.solvers.solution import Solution
from schedproof.instances import from_json
from schedproof.instances.multiserver.inward import inward

FAMILIES = ("preemptive", "dmlrs", "multiserver", "jrp", "placement")
SETTINGS = {  # of the preset tiny, where its columns are too many for 200 draws
    "dmlrs": {"jobs": "2", "horizon": "3", "utilities": "rational"},
    "jrp": {"jobs": "3"},
    "placement": {"tasks": "2"},
}
NEAR = 1e-9  # of the solver's value, relative, and of 1 for values below
SCIP = 1e-6  # its own accuracy: how near a bound can be to what it says of a gang with concave gains
ALIKE = {"jrp.exact": "jrp.conic"}  # a program that no solver of ours takes -> one that has the same optimum
OPTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {  # of the programs that need some
    "dmlrs.slot": lambda instance: {
        "job": instance.jobs[0].name,
        "slot": 0,
        "workload": 1,
        "prices": {machine.name: dict.fromkeys(instance.resources, 1) for machine in instance.machines},
    },
    "multiserver.gang": lambda instance: {"slot": 0},
    "multiserver.slot_optimum": lambda instance: {"slot": 0},
    "multiserver.projection": lambda instance: {"point": 1},
    "preemptive.dual11": lambda instance: {"eps": "1/3"},
}


def programs() -> list[str]:
    return [id for id in registry.entries("program") if id.partition(".")[0] in FAMILIES]


def draw(id: str, seed: int) -> tuple[Program, Instance]:
    """Return a program on a tiny instance, relaxed."""
    family = id.partition(".")[0]
    instance = from_json(registry.generate(family, "tiny", seed, SETTINGS.get(family, {})))
    program = sp.program(id, **OPTIONS.get(id, lambda _: {})(instance))
    return program.relaxed() if program.integer else program, instance


@dataclass
class Line:
    """Measurements of a program.

    Attributes
    ----------
    wrong
        Draws with a bound on the wrong side of an exact value, or without a bound, in words.
    exact
        Number of draws with a known exact value.
    distances, own
        Relative distance of the bound from the solver's value, and of the family's bound from it.
    seconds, own_seconds
        Processor time of one thread.
    """

    id: str
    draws: int = 0
    wrong: list[str] = field(default_factory=list)
    exact: int = 0
    distances: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    own_seconds: list[float] = field(default_factory=list)

    @property
    def near(self) -> float:
        """Return the fraction of draws with a bound close to the solver's value."""
        near = SCIP if self.id == "multiserver.gang" else NEAR
        return sum(abs(distance) <= near for distance in self.distances) / max(1, len(self.distances))

    def row(self) -> str:
        own = f"{max(map(abs, self.own)):.1e} | {median(self.own_seconds):.3f}" if self.own else "- | -"
        return (
            f"| `{self.id}` | {self.draws} | {self.draws - len(self.wrong)} | {self.exact} | {self.near:.1%} | "
            f"{max(map(abs, self.distances), default=nan):.1e} | {median(self.seconds):.3f} | {own} |"
        )


def measure(id: str, count: int) -> Line:
    """Measure a program's bound on this many draws that have an optimum."""
    line, seed = Line(id), 0
    own = registry.entries("bound").get(id)
    while line.draws < count:
        program, instance = draw(id, seed)
        seed += 1
        value, exact = optimum(program, instance)
        if value is None:
            continue
        line.draws += 1
        started = perf_counter()
        try:
            bound = sp.bound(program, instance)
        except NoSolution as error:
            line.wrong.append(f"{id}, seed {seed - 1}: {error}")
            continue
        line.seconds.append(perf_counter() - started)
        sign = 1 if bound.kind == "upper" else -1
        if exact is not None:
            line.exact += 1
            if sign * (bound.exact - exact) < 0:
                line.wrong.append(f"{id}, seed {seed - 1}: {bound.kind} bound {bound.exact}, and {exact} is reached")
        scale = max(1.0, abs(value))
        line.distances.append(sign * (bound.value - value) / scale)
        if own and id != "multiserver.slot_optimum":  # of all slots, not of one
            started = perf_counter()
            line.own.append(sign * (sp.bound(id, instance).value - value) / scale)
            line.own_seconds.append(perf_counter() - started)
    return line


def optimum(program: Program, instance: Instance) -> tuple[float | None, Fraction | None]:
    """Return a solver's value and an exact one: the optimum, or a value beyond it."""
    solution = solved(sp.program(ALIKE[program.id]) if program.id in ALIKE else program, instance)
    if solution is None or solution.ended != "optimal":
        return None, None
    if solution.exact is not None:
        return solution.objective, solution.exact
    if program.family == "jrp":
        return solution.objective, sp.program("jrp.exact").solve(instance, "brute").exact
    if program.id == "multiserver.projection":
        return solution.objective, squared_distance(instance, solution.values)
    if program.backend == "cvxpy":
        return solution.objective, solution.schedule().objective(instance)
    return solution.objective, None if program.id == "multiserver.gang" else sp.bound(program.dual(), instance).exact


def solved(program: Program, instance: Instance) -> Solution | None:
    """Return the solver's result, or None if the instance has no such program."""
    try:
        solution = program.solve(instance)
        return program.solve(instance, "scip") if "no nonlinear" in solution.message else solution
    except SchedproofError as error:
        return program.solve(instance, "scip") if "use scip" in str(error) else None


def squared_distance(instance: Any, values: dict[str, dict[Any, float]]) -> Fraction:
    """Return the squared distance from 1 to the nearest allocation, rounded inward."""
    allocation = np.zeros(instance.graph.shape)
    for index, value in values.get("allocation", {}).items():
        allocation[index] = value
    return sum(((Fraction(y) - 1) ** 2 for y in inward(instance.graph, allocation).ravel().tolist()), Fraction(0))


def page(lines: Sequence[Line]) -> str:
    rows = "\n".join(line.row() for line in lines)
    wrong = [words for line in lines for words in line.wrong]
    least = min(line.near for line in lines)
    return PAGE.format(
        rows=rows,
        draws=max(line.draws for line in lines),
        wrong="none is on the wrong side" if not wrong else f"{len(wrong)} are not: {'; '.join(wrong)}",
        near=f"{least:.1%}",
    )


PAGE = """# A certified bound of any program

`sp.bound(program, instance)` knows nothing of a program but its rows. Here are all programs of the five papers,
relaxed where they are integer, on {draws} draws each of the preset `tiny` that have an optimum;
`python docs/evidence/any_program.py` wrote this page.

Of all bounds {wrong} of an exact value: the optimum, where the rationals beside a solver's point and multipliers
prove it; else what an exactly feasible point is worth (brute force for `jrp`, the schedule of the solved allocation,
rounded inward, for `multiserver`), else a bound of the dual. Within 1e-9 of the solver's value, relative (of 1 for
smaller values), are at least {near} of each program's; for gangs, which SCIP solves where gains are concave, within
its 1e-6. `jrp.exact` relaxed is held against `jrp.conic`, which has the same optimum.

`exact value` counts the draws in which one is known, `farthest` is the largest distance of the bound from the
solver's value, `seconds` a median for listing, solving, repair and proof. The last two columns are the family's own
bound of that name, with its usual options: it stops at a gap of its own, and is faster where programs are large,
which these are not.

| program | draws | on the right side | exact value | near | farthest | seconds | own: farthest | own: seconds |
|---|---|---|---|---|---|---|---|---|
{rows}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--page", type=Path, default=Path("any_program.md"))
    given = parser.parse_args(arguments)
    lines = []
    for id in programs():
        lines.append(measure(id, given.draws))
        print(lines[-1].row(), *lines[-1].wrong, sep="\n", flush=True)
    write_bytes(given.page, page(lines).encode())


if __name__ == "__main__":
    main()
