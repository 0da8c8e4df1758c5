"""Section III-C, after (52): growth of the bound and the regret with the ports."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.instances.multiserver import Instance
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import ONE, Started
from schedproof.reference.multiserver import ZERO, network
from schedproof.reference.multiserver_constants import bound39, bounds, diameter51

PORTS = Claim(
    "multiserver.sublinear_ports",
    ZHAO24.at("section III-C, after (52); abstract; section V, O(sqrt(|L| T)); section VI"),
    "The regret grows sublinearly with the number of job types, like sqrt(|L|), for fixed nodes, "
    "resources, utilities, overheads and largest demands.",
    Domain(
        Started,
        st.one_of(
            draw.started_cases(slots=draw.fitting(bounds)),
            draw.started_cases(slots=draw.fitting(bounds), full=True),
            st.integers(2, 5).map(lambda number: draw.complete(2, number**2)),
            st.integers(4, 5).map(lambda number: draw.complete(8, number**2)),
        ),
        (
            *regimes.RUNS,
            *regimes.MANY,
            regimes.of_network(
                "not every port at every node", lambda net: len(net.edges) < len(net.demand) * len(net.capacity)
            ),
        ),
    ),
)

LIKE_A_ROOT_PROOF = """
Let the nodes, resources, utilities, overheads and largest demands be given. (51) does not change with the ports. (48)
squared is a sum over channels, and each node has at most |L| channels. So it is at most |L| sum_r (beta*^2 + K
varpi_r*^2). So (39), and with it the regret (`theorem1_constant`), is at most sqrt(|L|) times sqrt(2 T sum max(a) c)
sqrt(sum_r (beta*^2 + K varpi_r*^2)). |L| does not occur in this factor.
Coq: oga_regret.v oga_sublinear_ports. Objects: instance, oga, next, project, gradient, oga_regret, concave_gain,
per_port, D51, G48. In words: per_port is a function of the nodes, slopes, overheads and largest demands.
- *A cluster that serves more job types is larger, too.* If each two ports bring another node, the regret is linear in
|L|. The sentence is only about |L|; `linear_nodes` is about the nodes.
- *Is the root needed?* On a complete graph (39) is equal to it. If the number of channels stays the same, (39) does not
grow at all.
"""


@PORTS.reading("the bound", "The bound (39) is a function of |L|.", LIKE_A_ROOT_PROOF, regret=False)
@PORTS.reading(
    "the regret",
    "The regret with the step of the proof, by (51) and (48).",
    LIKE_A_ROOT_PROOF,
    where=(regimes.exact(regimes.ascent),),
)
@PORTS.false_variant("nine tenths of the bound", regret=False, share=Fraction(81, 100))
@PORTS.false_variant("three fifths of it, the regret", share=Fraction(9, 25))
@regimes.of_exact_runs
def like_a_root(case: Started, regret: bool = True, share: Fraction = ONE) -> Answer:
    """The regret, or (39), is at most sqrt(|L|) times a factor free of |L|.

    The check compares squares. The step is the step of the proof. The factor is sqrt(T (51) sum_r (beta*^2 + K
    varpi_r*^2)), over all nodes instead of all channels. For the regret, the measured value is the upper bound sum_t
    g_t (y - y(t)) for the best y in Y.
    """
    instance = case.instance
    limit = share * len(network(instance).demand) * instance.horizon * diameter51(instance) * per_node(instance)
    if not regret:
        return Finding(bound39(instance), limit, "at most", "(39), and sqrt(|L|) times the factor; squares")
    return Finding(
        max(regimes.ascent(case).linear_regret, ZERO) ** 2,
        limit,
        "at most",
        "the regret, sqrt(|L|) times the factor; squares",
        relative=True,
    )


def per_node(instance: Instance) -> Fraction:
    net = network(instance)
    steepest = [max(f.steepest for f in row) for row in net.channel]
    return sum((max(net.overhead) ** 2 + len(net.overhead) * s**2 for s in steepest), ZERO)
