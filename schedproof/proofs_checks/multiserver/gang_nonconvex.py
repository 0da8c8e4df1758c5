"""Section III-E: the solution space with gangs.

Two solution spaces are judged. The printed one asks only that at least m_l tasks of each port get something, sum y > 0.
The one that the text describes, all or nothing: a port launches with at least m_l tasks or not at all, and a task that
starts gets at least its minimum (``minimum`` of the instance's tasks; a started task with no minimum has no best y).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from schedproof.core.claim import Claim, Domain, FalseVariant, Finding, Reading, Regime, Repair
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.strategies import multiserver_gangs as draw
from schedproof.proofs_checks.strategies.multiserver import OfInstance
from schedproof.reference.multiserver import ZERO

Started = tuple[bool, ...]  # which tasks get something, port by port


def printed_set(case: OfInstance) -> Finding | None:
    """The printed Y is not convex: for two of its sets of tasks, midpoints have a set that is not among them.

    The amounts (5), (6) are convex, and the tasks with sum y > 0 at a midpoint are those of either end: Y is convex
    exactly if with any two sets of tasks their union is allowed. Measured is the number of pairs for which it is not.
    """
    found = _forbidden_unions(case.instance)
    return None if found is None else Finding(found, Fraction(1), "at least", "unions that are not allowed")


def all_or_nothing(case: OfInstance) -> Finding | None:
    """With all or nothing, Y is not convex as soon as some launch is possible. Measured is how many launches are.

    Proof
    -----
    Take a launch that is possible and give each of its tasks exactly its minimum b > 0. This y and 0 are in Y, and y/2
    is not, as the same tasks have started with b/2 < b.
    """
    found = _possible(case.instance)
    return Finding(found, Fraction(1), "at least", "launches") if found else None


def printed_convex(case: OfInstance) -> Finding | None:
    """The printed Y is convex.

    Proof
    -----
    0 <= y <= a and the capacities are convex. At a point between y and z a task has sum y > 0 exactly if it has at y or
    at z, so that each port has at least as many such tasks as at y: at least m_l.
    """
    found = _forbidden_unions(case.instance)
    return None if found is None else Finding(found, ZERO, "at most", "unions that are not allowed")


def _by_half(case: OfInstance) -> Finding | None:
    """False: y/2 is in Y with y."""
    found = _possible(case.instance)
    return Finding(found, ZERO, "at most", "launches") if found else None


def _forbidden_unions(instance: Instance) -> Fraction | None:
    allowed = printed(instance)
    unions = {tuple(a or b for a, b in zip(one, other, strict=True)) for one in allowed for other in allowed}
    return Fraction(len(unions - set(allowed))) if allowed else None


def _possible(instance: Instance) -> Fraction:
    return Fraction(sum(map(any, launches(instance))))


def by_port(instance: Instance, started: Started) -> list[Started]:
    """The tasks of each port."""
    ends = [sum(len(port.tasks) for port in instance.ports[:n]) for n in range(len(instance.ports) + 1)]
    return [started[a:b] for a, b in pairwise(ends)]


def subsets(instance: Instance) -> list[Started]:
    """Every set of tasks."""
    return list(product((False, True), repeat=sum(len(port.tasks) for port in instance.ports)))


def printed(instance: Instance) -> list[Started]:
    """The sets of tasks that may be those with sum y > 0: at least m_l of each port, with as little as one likes."""

    def enough(started: Started) -> bool:
        rows = zip(by_port(instance, started), instance.ports, strict=True)
        return all(sum(row) >= port.minimum_tasks for row, port in rows)

    return [started for started in subsets(instance) if enough(started)]


def launches(instance: Instance) -> list[Started]:
    """All or nothing: none or at least m_l tasks of each port, whose minima fit the node together."""
    need = [task.minimum["gpu"] for port in instance.ports for task in port.tasks]

    def possible(started: Started) -> bool:
        rows = zip(by_port(instance, started), instance.ports, strict=True)
        taken = sum((a for a, there in zip(need, started, strict=True) if there), ZERO)
        enough = all(not any(row) or sum(row) >= port.minimum_tasks for row, port in rows)
        return enough and taken <= instance.nodes[0].capacity["gpu"]

    return [started for started in subsets(instance) if possible(started)]


def launched(case: OfInstance) -> list[tuple[bool, ...]]:
    """Of each launch, which ports are in it."""
    return [tuple(map(any, by_port(case.instance, launch))) for launch in launches(case.instance)]


def contend(case: OfInstance) -> bool:
    """Whether there are launches of each port, but none of both."""
    found = launched(case)
    return (True, False) in found and (False, True) in found and (True, True) not in found


REGIMES = (
    Regime("two ports that cannot both launch", contend),
    Regime[OfInstance](
        "a port may leave a task out", lambda c: any(0 < p.minimum_tasks < len(p.tasks) for p in c.instance.ports)
    ),
    Regime[OfInstance]("a port that cannot launch", lambda c: not all(map(any, zip(*launched(c), strict=True)))),
)
HALF_IN_Y = FalseVariant("with all or nothing it is convex", _by_half)
ALL_OR_NOTHING = Reading(
    "all or nothing", "None or m_l tasks of a port; a started task gets its minimum.", all_or_nothing
)
NONCONVEX = Claim(
    id="multiserver.gang_nonconvex",
    source=ZHAO24.at("section III-E"),
    statement="With gang scheduling Y is no longer a convex set.",
    readings=(
        Reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", printed_set),
        ALL_OR_NOTHING,
    ),
    domain=Domain(OfInstance, draw.gang_cases(), REGIMES),
    false_variants=(HALF_IN_Y,),
    repair=Repair(
        statement="The printed Y is convex, though not closed; with all or nothing it is not, if a launch is possible.",
        readings=(
            Reading("the printed Y", "At least m_l tasks of each port have sum y > 0.", printed_convex),
            ALL_OR_NOTHING,
        ),
        false_variants=(HALF_IN_Y, FalseVariant("the printed is not", printed_set)),
        small=True,
    ),
)
