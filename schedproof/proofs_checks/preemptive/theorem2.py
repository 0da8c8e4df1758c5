"""Theorem 2: is A_online's output feasible for (4) and (2)?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.lemma3 import lingering
from schedproof.proofs_checks.preemptive.shared.parameter_servers import SERVED, collision, violations
from schedproof.proofs_checks.preemptive.shared.premises import ENOUGH, LONG_HORIZON
from schedproof.proofs_checks.strategies.preemptive import Online

THEOREM2 = Claim(
    "preemptive.theorem2",
    WANG22.at("section IV-E, Theorem 2"),
    "A_online's output is feasible for (4) and (2).",
    SERVED.but(premises=(LONG_HORIZON,)),
    severity="false theorem",
)
REPAIRED = THEOREM2.repair(
    f"With 'a free PS that has landed' in line 6 and a long enough horizon, if {ENOUGH.sentence}: "
    "A_online's output is feasible for (4) and (2).",
    domain=SERVED.but(premises=(LONG_HORIZON, ENOUGH)),
    small=True,
)
THEOREM2.reading("any PS", "Line 6 as printed: any PS with o_jsp = 1, free or not, landed or not.")(collision)


CONSTRAINT_BY_CONSTRAINT = """
(2a), (2i) on y: a chunk is placed on a worker with v_jsw = 1 and runs from its landing on. (2i) on z, (2e), (2f):
lemma3_repaired. (2d), (4b): a worker runs one chunk at a time. (4a), (4e): a chunk runs on one worker until it has had
its p_j slots; summed over the D_j chunks this is (2b) and (2c). (2g), (2h): p_j is the cloud's only for a job with all
chunks, and then its PS, in the cloud. (2j): c_j is the last busy slot. A schedule exists if the horizon is at least the
last arrival plus the largest delay plus all the work, run one chunk after the other.
- *A job with all chunks at the edge may have its PS in the cloud. Which rate does it have?* The edge's, zeta_j = 0.
p_j is the longer of the two, so (2b) and (4a) are met, whether row (2g) or row (2h) applies to such a job.
- *Does the PS assignment change the schedule of the workers?* No: under the premise every running job finds a PS, so no
chunk ever waits for one.
"""


@REPAIRED.reading(
    "a free PS that has landed", "Whole slots, checked by the instance's independent checker.", CONSTRAINT_BY_CONSTRAINT
)
@THEOREM2.reading("a free PS", "Line 6 picks a free PS, in favour of the statement a landed one.")
@THEOREM2.false_variant("a slot earlier", hurried=True)
def feasible(case: Online, hurried: bool = False) -> Finding:
    number = Fraction(len(violations(case.instance, hurried)))
    return Finding(number, Fraction(0), "at most", "constraints broken (independent checker)")


REPAIRED.false_variant("however few there are")(lambda case: feasible(lingering()))
