"""Gang scheduling, section III-E: the solution space. Claim gang_nonconvex.

Two solution spaces are judged. The printed one asks only that at least m_l tasks of each port get something, sum y > 0.
The one that the text describes, all or nothing: a port launches with at least m_l tasks or not at all, and a task that
starts gets at least its minimum (``minimum`` of the instance's tasks; a started task with no minimum has no best y).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.instances.multiserver import Instance, from_json
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.oga import ZERO
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import table

Started = tuple[bool, ...]  # which tasks get something, port by port
ONE = Fraction(1)


def gangs(
    tasks: Sequence[Sequence[int]], least: Sequence[int], capacity: int, arrivals: Sequence[Sequence[int]] = ()
) -> Instance:
    """Ports with the given tasks, by their demand, which is their minimum; one node with so many gpus, worth 1 each."""
    ports = [
        {
            "name": f"p{p}",
            "demand": {"gpu": sum(row)},
            "nodes": ["n0"],
            "tasks": [{"demand": {"gpu": a}, "minimum": {"gpu": a}} for a in row],
            "minimum_tasks": m,
        }
        for p, (row, m) in enumerate(zip(tasks, least, strict=True))
    ]
    value: dict[str, Any] = {"version": 1, "family": "multiserver", "resources": ["gpu"], "ports": ports}
    value |= {"nodes": [{"name": "n0", "capacity": {"gpu": capacity}}], "overhead": {"gpu": 0}}
    value |= {"utilities": {"gpu": {"kind": "linear", "alpha": 1}}}
    return from_json(value | {"arrivals": [list(row) for row in arrivals] or [[1] * len(tasks)]})


def by_port(instance: Instance, started: Started) -> list[Started]:
    """The tasks of each port."""
    ends = [sum(len(port.tasks) for port in instance.ports[:n]) for n in range(len(instance.ports) + 1)]
    return [started[a:b] for a, b in pairwise(ends)]


def subsets(instance: Instance) -> list[Started]:
    """Every set of tasks."""
    return list(product((False, True), repeat=sum(len(port.tasks) for port in instance.ports)))


def printed(instance: Instance) -> list[Started]:
    """The sets of tasks that may be those with sum y > 0: at least m_l of each port, with as little as one likes."""

    def asked(started: Started) -> bool:
        rows = zip(by_port(instance, started), instance.ports, strict=True)
        return all(sum(row) >= port.minimum_tasks for row, port in rows)

    return [started for started in subsets(instance) if asked(started)]


def launches(instance: Instance) -> list[Started]:
    """All or nothing: none or at least m_l tasks of each port, whose minima fit the node together."""
    need = [task.minimum["gpu"] for port in instance.ports for task in port.tasks]

    def possible(started: Started) -> bool:
        rows = zip(by_port(instance, started), instance.ports, strict=True)
        taken = sum((a for a, there in zip(need, started, strict=True) if there), ZERO)
        whole = all(not any(row) or sum(row) >= port.minimum_tasks for row, port in rows)
        return whole and taken <= instance.nodes[0].capacity["gpu"]

    return [started for started in subsets(instance) if possible(started)]


# --- convex? ---------------------------------------------------------------------------------------------------------


def printed_set(case: Case, most: int = 1) -> Finding | None:
    """The printed Y is not convex: for two of its sets of tasks, midpoints have a set that is not among them.

    The amounts (5), (6) are convex, and the tasks with sum y > 0 at a midpoint are those of either end: Y is convex
    exactly if with any two sets of tasks their union is allowed. Measured is the number of pairs for which it is not.
    """
    allowed = printed(case.instance)
    if not allowed:
        return None
    unions = {tuple(a or b for a, b in zip(one, other, strict=True)) for one in allowed for other in allowed}
    return Finding(Fraction(len(unions - set(allowed))), Fraction(most), "at least", "unions that are not allowed")


def all_or_nothing(case: Case) -> Finding | None:
    """With all or nothing, Y is not convex as soon as some launch is possible. Measured is how many launches are.

    Proof
    -----
    Take a launch that is possible and give each of its tasks exactly its minimum b > 0. This y and 0 are in Y, and y/2
    is not, as the same tasks have started with b/2 < b.
    """
    possible = [launch for launch in launches(case.instance) if any(launch)]
    return Finding(Fraction(len(possible)), ONE, "at least", "launches") if possible else None


def printed_convex(case: Case, most: Fraction = ZERO) -> Finding | None:
    """The printed Y is convex.

    Proof
    -----
    0 <= y <= a and the capacities are convex. At a point between y and z a task has sum y > 0 exactly if it has at y or
    at z, so that each port has at least as many such tasks as at y: at least m_l.
    """
    found = printed_set(case)
    return found and Finding(found.measured, most, "at most", "unions that are not allowed")


def _by_half(case: Case) -> Finding | None:
    """False: y/2 is in Y with y."""
    possible = [launch for launch in launches(case.instance) if any(launch)]
    return Finding(Fraction(len(possible)), ZERO, "at most", "launches") if possible else None


@st.composite
def gang_cases(pick: Any, slots: int = 1) -> Case:
    """Two ports of one or two tasks each, one or all of which must start, and a node on which some of them fit."""
    tasks = [[pick(st.integers(1, 2)) for _ in range(pick(st.integers(1, 2)))] for _ in range(2)]
    least = [pick(st.integers(1, len(row))) for row in tasks]
    rows = [[pick(st.integers(0, 1)) for _ in tasks] for _ in range(slots)]
    return Case(gangs(tasks, least, pick(st.integers(1, 4)), rows))


def contend(case: Case) -> bool:
    """Whether there are launches of each port, but none of both."""
    found = [tuple(map(any, by_port(case.instance, launch))) for launch in launches(case.instance)]
    return (True, False) in found and (False, True) in found and (True, True) not in found


REGIMES = (
    Regime("two ports that cannot both launch", contend),
    Regime("a port may leave a task out", lambda c: any(0 < p.minimum_tasks < len(p.tasks) for p in c.instance.ports)),
    Regime("a port that cannot launch", lambda c: any(_never(c, p) for p in range(len(c.instance.ports)))),
)


def _never(case: Case, port: int) -> bool:
    return not any(any(by_port(case.instance, launch)[port]) for launch in launches(case.instance))


NONCONVEX = Claim(
    id="multiserver.gang_nonconvex",
    source="paper 002, section III-E",
    statement="With gang scheduling Y is no longer a convex set.",
    readings=(
        Reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", printed_set),
        Reading("all or nothing", "None or m_l tasks of a port; a started task gets its minimum.", all_or_nothing),
    ),
    regimes=REGIMES,
    strategy=gang_cases(),
    planted=(Planted("with all or nothing it is convex", _by_half),),
    witnesses=WITNESSES,
    repaired_by="multiserver.gang_nonconvex_repaired",
    small_repair=True,
)
NONCONVEX_REPAIRED = Claim(
    id="multiserver.gang_nonconvex_repaired",
    source="paper 002, section III-E, repaired",
    statement="The printed Y is convex, though not closed; with all or nothing it is not, if a launch is possible.",
    readings=(
        Reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", printed_convex),
        Reading("all or nothing", "None or m_l tasks of a port; a started task gets its minimum.", all_or_nothing),
    ),
    regimes=REGIMES,
    strategy=gang_cases(),
    planted=(Planted("with all or nothing it is convex", _by_half), Planted("the printed is not", printed_set)),
)

CLAIMS = table(NONCONVEX, NONCONVEX_REPAIRED)
