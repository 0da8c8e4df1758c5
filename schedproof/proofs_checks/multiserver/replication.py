"""Several jobs of a port in a slot, section III-D: claim multiple_arrivals."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime, worst
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.model import (
    Allocation,
    Gain,
    Interval,
    excess,
    plus,
    present,
    reward,
)
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.writing import at, table

ZERO = Fraction(0)


def counts(instance: Instance) -> list[list[int]]:
    """x_l(t), by slot and port."""
    rows: list[list[int]] = instance.arrivals.tolist()
    return rows


def by_copy(instance: Instance, y: Allocation) -> list[list[Allocation]]:
    """y_(l,.)^(j,.): by port and copy, a row of amounts for each node of the port."""
    rows = iter(y)
    ports = zip(instance.ports, instance.copies, strict=True)
    return [[[next(rows) for _ in port.nodes] for _ in range(many)] for port, many in ports]


def replica(instance: Instance) -> Instance:
    """The basic problem in which each copy is a port with x in {0, 1}."""
    value, slots = to_json(instance), range(instance.horizon)
    ports = [
        row | {"name": f"{row['name']}-{j}"}
        for row, many in zip(value["ports"], instance.copies, strict=True)
        for j in range(many)
    ]
    return from_json(value | {"ports": ports, "arrivals": [list(present(instance, t)) for t in slots]})


# --- the reduction ---------------------------------------------------------------------------------------------------


def extended_reward(instance: Instance, slot: int, y: Allocation, gain: Gain) -> Interval:
    """The sum over l of q_l of section III-D, as printed."""
    names, terms = instance.resources, []
    for port, x, copies in zip(instance.ports, counts(instance)[slot], by_copy(instance, y), strict=True):
        for j, rows in enumerate(copies, 1):
            if j > x:
                continue
            sums = [sum((row[k] for row in rows), ZERO) for k in range(len(names))]
            if gain == "total":
                terms += [instance.utilities[name].value(s) for name, s in zip(names, sums, strict=True)]
            else:
                terms += [
                    instance.utility(node, name).value(row[k])
                    for node, row in zip(port.nodes, rows, strict=True)
                    for k, name in enumerate(names)
                ]
            terms.append((-max(instance.overhead[name] * s for name, s in zip(names, sums, strict=True)),) * 2)
    return plus(terms)


def extended_excess(instance: Instance, y: Allocation) -> Fraction:
    """By how much y misses 0 <= y_(l,r)^(j,k) <= a_l^k and sum_l sum_j y_(l,r)^(j,k) <= c_r^k, at most."""
    used: dict[tuple[int, str], Fraction] = {}
    beyond = [ZERO]
    for port, copies in zip(instance.ports, by_copy(instance, y), strict=True):
        for rows in copies:
            for node, row in zip(port.nodes, rows, strict=True):
                for name, amount in zip(instance.resources, row, strict=True):
                    beyond += [-amount, amount - port.demand.get(name, ZERO)]
                    used[node, name] = used.get((node, name), ZERO) + amount
    return max([*beyond, *(u - instance.nodes[node].capacity.get(name, ZERO) for (node, name), u in used.items())])


def reduced(case: Case, gain: Gain = "node") -> Finding | None:
    """Rewards and feasible sets are those of the basic problem in which each copy is a port.

    Proof
    -----
    Let x_(l,j)(t) = 1{j <= x_l(t)}, 0 or 1, and let port (l, j) have the demands and nodes of l. Term (l, j) of section
    III-D's reward is then (7) for port (l, j), and their sum is (8). The dimension is that of (4) with the copies as
    ports, (5) holds per copy, and (6) sums over all copies at a node, since the node's resources are what they share.
    So instance, decisions, rewards, gradients and projections are those of the basic problem with sum_l J_l ports.
    """
    instance, y = case.instance, case.data["z"]
    basic, floor = replica(instance), [[max(v, ZERO) for v in row] for row in y]
    found = [Finding(extended_excess(instance, y), excess(basic, y), "equal", "what misses (5) or (6)")]
    for t in range(instance.horizon):
        one = extended_reward(instance, t, floor, gain)
        found.append(Finding(one[0], reward(basic, present(basic, t), floor, gain)[0], "equal", f"reward of slot {t}"))
    return worst(found)


def _times(case: Case) -> Finding | None:
    """x_l times the reward of the port's first copy."""
    instance, floor = case.instance, [[max(v, ZERO) for v in row] for row in case.data["z"]]
    basic, first = replica(instance), [sum(instance.copies[:n]) for n in range(len(instance.ports))]
    found = []
    for t, row in enumerate(counts(instance)):
        alone = [[int(n == copy) for n in range(sum(instance.copies))] for copy in first]
        times = sum((x * reward(basic, one, floor)[0] for x, one in zip(row, alone, strict=True)), ZERO)
        found.append(Finding(times, reward(basic, present(basic, t), floor)[0], "equal"))
    return worst(found)


_SEVERAL = Regime("several jobs of a port in a slot", lambda case: max(case.instance.copies) > 1)
_FEWER = Regime(
    "fewer jobs than copies", lambda case: any(0 in present(case.instance, t) for t in range(case.instance.horizon))
)
_EMPTY = Regime("a port without any job", lambda case: not all(map(any, zip(*counts(case.instance), strict=True))))
_SHAPES = (regimes.SEVERAL_PORTS, regimes.SEVERAL_NODES, regimes.SEVERAL_RESOURCES, regimes.LONELY_PORT)

MULTIPLE = Claim(
    id="multiserver.multiple_arrivals",
    source="paper 002, section III-D",
    statement="Several jobs of a port in a slot: the problem can be solved by native OGASched after transformations.",
    readings=(
        Reading("gain per node", "Copy j of port l is a port, there when j <= x_l(t); J_l is known.", reduced),
        Reading("gain of the total", "The same, with f_k of each copy's total.", at(reduced, gain="total")),
    ),
    regimes=(*_SHAPES, *regimes.KINDS, _SEVERAL, _FEWER, _EMPTY),
    strategy=draw.pointed(count=2),
    planted=(Planted("x_l times the first copy", _times),),
)

CLAIMS = table(MULTIPLE)
