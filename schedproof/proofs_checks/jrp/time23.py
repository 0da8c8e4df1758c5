"""Section III-C, (2) and (3): partial mini-batches, and returning parameters."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.strategies import jrp_model as draw
from schedproof.proofs_checks.strategies.jrp_model import OnServer

ITERATIONS = Claim(
    "jrp.time23_iterations",
    WANG19.at("section III-C, before (2)"),
    "The number of iterations during one epoch is D_j^k/f_k, and (2) the computing time that follows.",
    Domain.of(
        OnServer,
        draw.on_servers(),
        {
            "full mini-batches": lambda case: case.D % case.f == 0,
            "a last one that is not full": lambda case: case.D % case.f > 0,
            "several mini-batches": lambda case: case.f < case.D,
        },
    ),
    severity="slip",
)
ITERATIONS_REPAIRED = ITERATIONS.repair(
    "D_j^k/f_k times g_k is the number of operations in an epoch, if a smaller mini-batch takes its share of g_k.",
    small=True,
)


@ITERATIONS.reading("counted", "The number of iterations is an integer.")
def whole_iterations(case: OnServer) -> Finding:
    """D/f is the number of iterations in an epoch.

    Mini-batches have f GB, and the last mini-batch is the rest of D.
    """
    return Finding(case.D / case.f, Fraction(ceil(case.D / case.f)), "equal", "D/f, iterations")


IN_PROPORTION = """
Let D = q f + s with 0 <= s < f. Each of q mini-batches takes g operations, and the last mini-batch takes g s/f. The sum
is (q + s/f) g = (D/f) g.
Coq, core: jrp.v operations. Outside: the iterations of an epoch, and the time (2). An epoch has q mini-batches of f GB
and one mini-batch of s GB.
- *'The float operations needed to process one mini-batch are fixed.'* Yes, for a full mini-batch. If a smaller
mini-batch is padded to f GB, it takes g. Then (2) is too small by less than one mini-batch in each epoch.
"""


@ITERATIONS.reading(
    "operations", "A last, smaller mini-batch takes its share of g_k.", IN_PROPORTION, also=ITERATIONS_REPAIRED
)
@ITERATIONS.false_variant("a padded last one", padded=True)
def operations(case: OnServer, padded: bool = False) -> Finding:
    full, rest = divmod(case.D, case.f)
    last = case.g if padded and rest else case.g * rest / case.f
    return Finding(case.D / case.f * case.g, full * case.g + last, "equal", "(D/f) g, operations")


COMMUNICATION = Claim(
    "jrp.time23_communication",
    WANG19.at("section III-C, (3), with section I and Fig. 2"),
    "(3) is the communication time of an epoch, in which gradients go to the parameter servers and "
    "parameters, of the same size, come back at each global update.",
    Domain.of(
        OnServer,
        draw.on_servers(),
        {
            "parameters": lambda case: case.h > 0,
            "no parameters": lambda case: case.h == 0,
            "an update every other mini-batch or less": lambda case: case.lambda_ > 1,
        },
    ),
    severity="slip",
)
COMMUNICATION_REPAIRED = COMMUNICATION.repair(
    "(3) is the communication time of an epoch, if h_k is the size of gradients and parameters together.", small=True
)


@COMMUNICATION.reading("there and back", "h_k is sent each way, one after the other, at rate r^b.")
def both_ways(case: OnServer) -> Finding:
    """Compare (3) with the time to send h Gbit of gradients and h Gbit of parameters.

    Gradients and parameters are sent D/(f lambda) times each, at rate r^b.
    """
    updates = case.D / (case.f * case.lambda_)
    return Finding(updates * case.h, updates * 2 * case.h, "equal", "Gbit in an epoch: (3), there and back")


HALF_EACH = """
Half of h goes each way at the rate r^b, one after the other as in Fig. 2. So h/2 + h/2 = h, the Gbit of (3).
Coq, core: jrp.v both_ways. Outside: the transfers of an epoch, and the time (3). Gradients and parameters are sent one
after the other.
- *h_k is 'the parameters' size', gradients the same.* Then h_k of (3) is twice that size. The factor changes only b_k
in all programs and proofs.
- *A line may carry both directions at once.* The worker waits for the parameters, so they do not overlap.
"""


@COMMUNICATION.reading("h_k for both", "h_k counts both directions.", HALF_EACH, also=COMMUNICATION_REPAIRED)
@COMMUNICATION.false_variant("twice as much", share=2)
def as_one(case: OnServer, share: int = 1) -> Finding:
    updates = case.D / (case.f * case.lambda_)
    return Finding(updates * case.h, updates * (case.h / 2 + case.h / 2) * share, "equal", "Gbit in an epoch")
