"""Our bound on JRP: the linear program without a split of time."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.upper_bounds import INSTANCES
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.reference.jrp import ONE
from schedproof.reference.jrp_linear import linear
from schedproof.reference.jrp_model import optimum

SPLIT_FREE = Claim(
    "jrp.split_free_upper_bound",
    WANG19.at("(5)-(13), a bound of ours"),
    "The linear program with sum a D <= r^c and sum b D <= r^b on each server bounds JRP from above.",
    INSTANCES,
)
WITHOUT_SPLIT_PROOF = """
(10) is a D/r^c + b D/r^b <= 1 with nonnegative terms. So a D <= r^c and b D <= r^b for each job and server. Summed over
the jobs, with (8) and (9), these are the two rows. (11) and (12) imply (14) and (15). So a solution of JRP is a
solution of the linear program with the same value.
Coq: jrp.v split_free_upper_bound. Objects: program, JRP. In words: (11) and (12), binary x and y, are between 0 and 1.
- *r^c or r^b may be 0.* Then (10) allows only a D = 0 or b D = 0, and the row of the job holds with 0 <= 0.
"""


@SPLIT_FREE.reading("JRP", "JRP is (5)-(13).", WITHOUT_SPLIT_PROOF)
@SPLIT_FREE.false_variant("nine tenths of the compute", computing=Fraction(9, 10))
def without_split(case: OfInstance, computing: Fraction = ONE) -> Finding:
    bound = linear(case.instance, computing, ONE).value
    return Finding(bound, Fraction(optimum(case.instance)), "at least", "linear optimum, JRP")
