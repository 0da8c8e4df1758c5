"""Section III-D: several jobs of a port in a slot."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Regime, worst
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance, from_json, to_json
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Pointed
from schedproof.reference.multiserver import ZERO, Allocation, Gain, Interval, by_copy, excess, plus, present, reward

MULTIPLE = Claim(
    "multiserver.multiple_arrivals",
    ZHAO24.at("section III-D"),
    "Several jobs of a port in a slot: the problem can be solved by native OGASched after transformations.",
    Domain(
        Pointed,
        draw.pointed_cases(count=2),
        (
            *regimes.COPIES,
            *regimes.KINDS,
            Regime("several jobs of a port in a slot", lambda case: max(case.instance.copies) > 1),
            Regime(
                "fewer jobs than copies", lambda c: any(0 in present(c.instance, t) for t in range(c.instance.horizon))
            ),
            Regime("a port without any job", lambda case: not case.instance.arrivals.any(axis=0).all()),
        ),
    ),
)

REDUCED_PROOF = """
Let x_(l,j)(t) = 1{j <= x_l(t)}, 0 or 1, and let port (l, j) have the demands and nodes of l. Term (l, j) of section
III-D's reward is then (7) for port (l, j), and their sum is (8). The dimension is that of (4) with the copies as ports.
(5) holds per copy. (6) sums over all copies at a node, since they share the node's resources. So instance, decisions,
rewards, gradients and projections are those of the basic problem with sum_l J_l ports.
- *J_l is a maximum over slots to come.* The reduction takes it as known; `copies_unseen` gives a case in which it need
not be known.
- *In the basic problem ports differ in their nodes or demands.* Two ports may have equal nodes and demands; the tie
rule of (27) is per port.
"""


@MULTIPLE.reading("gain per node", "Copy j of port l is a port, present if j <= x_l(t); J_l is known.", REDUCED_PROOF)
@MULTIPLE.reading(
    "gain of the total", "Copies are ports, and the gain of a copy is f_k of its total.", REDUCED_PROOF, gain="total"
)
def reduction(case: Pointed, gain: Gain = "node") -> Answer:
    """Rewards and feasible sets are those of the basic problem on copies.

    Each copy is a port.
    """
    instance, y = case.instance, case.z
    basic, floor = replica(instance), [[max(v, ZERO) for v in row] for row in y]
    result = [Finding(extended_excess(instance, y), excess(basic, y), "equal", "violation of (5) or (6)")]
    for t in range(instance.horizon):
        one = extended_reward(instance, t, floor, gain)
        result.append(Finding(one[0], reward(basic, present(basic, t), floor, gain)[0], "equal", f"reward of slot {t}"))
    return worst(result)


@MULTIPLE.false_variant("x_l times the first copy")
def _times(case: Pointed) -> Answer:
    instance, floor = case.instance, [[max(v, ZERO) for v in row] for row in case.z]
    basic, first = replica(instance), [sum(instance.copies[:n]) for n in range(len(instance.ports))]
    result = []
    for t, row in enumerate(instance.arrivals.tolist()):
        alone = [[int(n == copy) for n in range(sum(instance.copies))] for copy in first]
        times = sum((x * reward(basic, one, floor)[0] for x, one in zip(row, alone, strict=True)), ZERO)
        result.append(Finding(times, reward(basic, present(basic, t), floor)[0], "equal"))
    return worst(result)


def replica(instance: Instance) -> Instance:
    value = to_json(instance)
    ports = [
        row | {"name": f"{row['name']}-{j}"}
        for row, many in zip(value["ports"], instance.copies, strict=True)
        for j in range(many)
    ]
    slots = range(instance.horizon)
    return from_json(value | {"ports": ports, "arrivals": [list(present(instance, t)) for t in slots]})


def extended_excess(instance: Instance, y: Allocation) -> Fraction:
    """The largest violation of the extended constraints.

    They are 0 <= y_(l,r)^(j,k) <= a_l^k and sum_l sum_j y_(l,r)^(j,k) <= c_r^k.
    """
    used: dict[tuple[int, str], Fraction] = {}
    beyond = [ZERO]
    for port, copies in zip(instance.ports, by_copy(instance, y), strict=True):
        for rows in copies:
            for node, row in zip(port.nodes, rows, strict=True):
                for name, amount in zip(instance.resources, row, strict=True):
                    beyond += [-amount, amount - port.demand.get(name, ZERO)]
                    used[node, name] = used.get((node, name), ZERO) + amount
    return max([*beyond, *(u - instance.nodes[node].capacity.get(name, ZERO) for (node, name), u in used.items())])


def extended_reward(instance: Instance, slot: int, y: Allocation, gain: Gain) -> Interval:
    """The sum over l of q_l of section III-D, as printed."""
    names, terms = instance.resources, []
    for port, x, copies in zip(instance.ports, instance.arrivals[slot].tolist(), by_copy(instance, y), strict=True):
        for rows in copies[:x]:
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
