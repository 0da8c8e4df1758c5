"""Section IV: the value of seeing x(t) before allocating.

The baselines allocate after x(t) is known, OGASched before x(t) is known.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import HALF, Blind
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import ZERO, network

SEE = Claim(
    "multiserver.baselines_see_arrivals",
    ZHAO24.at("section IV, baselines; Algorithm 1, lines 3-5 and 32"),
    "The baselines see x(t) before they allocate, OGASched does not. This difference by itself gives T/2. "
    "Let two ports with a = c = 1 share one node, with gain y. In each slot one of them comes, either "
    "with probability 1/2. DRF earns T, and no policy that commits expects more than T/2.",
    Domain.of(
        Blind,
        draw.blind(),
        {
            "all of the node is given away": lambda case: case.first + case.second == 1,
            "nothing allocated": lambda case: case.first == case.second == 0,
            "several slots": lambda case: case.slots > 2,
        },
    ),
)

COMMITS_PROOF = """
y(t) is chosen before x(t), and x(t) is independent of all earlier information. So a slot's expected reward is (y_1 +
y_2)/2, at most c/2 = 1/2. The proof uses no other property of the policy.
- *OGASched learns the distribution.* Learning does not help: both ports are equally likely in each slot.
- *Does Algorithm 1 not observe x(t) in line 3?* It does, and then computes y(t + 1). Slot t is paid for y(t).
"""


@SEE.reading("a policy that commits", "OGASched with any step, from any y(1) in Y.", COMMITS_PROOF)
@SEE.false_variant("nine tenths of T/2", share=Fraction(9, 20))
def commits(case: Blind, share: Fraction = HALF) -> Finding:
    start = ((case.first,), (case.second,))
    earned = ZERO
    for ports in product((0, 1), repeat=case.slots):
        instance = draw.one_job(ports)
        earned += oga.play(instance, start, oga.constant(case.step)).total_reward
    return Finding(earned / 2**case.slots, share * case.slots, "at most", "the mean reward, and T/2")


RESPONDS_PROOF = """
The only port with a job is first in the order of dominant shares. It takes all that is allowed: min(a, c) = 1.
- *The paper does not print the amount of a port.* The claim takes the largest allowed amount: the smaller of a and the
free part of c. No rule of section IV uses the reward.
- *FAIRNESS does not gain here.* True: it gives each port its share of the node, for all arrivals.
"""


@SEE.reading(
    "DRF", "Ports that yield jobs take the largest allowed amounts, in the order of dominant shares.", RESPONDS_PROOF
)
@SEE.false_variant("DRF earns nine tenths of T", share=Fraction(9, 10))
def responds(case: Blind, share: Fraction = Fraction(1)) -> Finding:
    earned = [
        sum((drf_gain(draw.one_job(ports), port) for port in ports), ZERO)
        for ports in product((0, 1), repeat=case.slots)
    ]
    return Finding(min(earned), share * case.slots, "equal", "the least reward of DRF, and T")


def drf_gain(instance: Instance, port: int) -> Fraction:
    """DRF's allocation to the one port that yields a job, and the port's gain."""
    net = network(instance)
    (edge,) = net.of_copy[port]
    return min(net.edge_demand(edge, 0), net.capacity[net.edges[edge][1]][0])
