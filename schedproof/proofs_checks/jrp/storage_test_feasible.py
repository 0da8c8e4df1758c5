"""Section IV-B, (21): is every load that passes the storage test feasible?"""

from __future__ import annotations

from schedproof.core.claims.claim import Claim, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.iterations import DRAWN, Choice, all_accepted, all_kept, all_tests, preliminary
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration
from schedproof.reference.jrp import ZERO, Node, Rule, cone, data, split, takes

STORAGE_TEST = Claim(
    "jrp.storage_test_feasible",
    WANG19.at("section IV-B, (21): 'in order to get a feasible assignment'"),
    "The assignment of the data nodes that (21) keeps satisfies (8)-(10) with some resources.",
    DRAWN,
    severity="false theorem",
)
REPAIRED = STORAGE_TEST.repair(
    "The longest prefix that passes (21), (16) and (17) together satisfies (7)-(10).",
    source=WANG19.at("section IV-B, (21), repaired"),
)


@STORAGE_TEST.reading(
    "all that is kept, split", "Loads of all kept data nodes; (16), (17) replace (10).", choice=all_kept, rule=split
)
@STORAGE_TEST.reading(
    "all that is kept", "The loads are those of all kept data nodes, with any resources.", choice=all_kept, rule=cone
)
@STORAGE_TEST.reading(
    "accepted jobs, split", "Loads of accepted jobs only; (16), (17) replace (10).", choice=all_accepted, rule=split
)
@STORAGE_TEST.reading(
    "accepted jobs", "The loads are those of accepted jobs only, with any resources.", choice=all_accepted, rule=cone
)
@STORAGE_TEST.false_variant("without the test", choice=preliminary, rule=cone)
@REPAIRED.false_variant("with (21) alone", choice=all_kept, rule=cone)
def can_serve(case: Iteration, choice: Choice, rule: Rule) -> Finding:
    def fails(drawn: dict[Node, int]) -> bool:
        held = data(case.pruned, choice(case, drawn))
        return not all(takes(case.pruned, j, here, rule) for j, here in enumerate(held))

    return Finding(case.chance(fails), ZERO, "at most", "Pr(a server cannot serve what it is given)")


SERVED_REPAIRED_PROOF = """
The prefix passes: on server j, sum d <= r_j^s, sum_k a_k D <= (1 - eps) r_j^c and sum_k b_k D <= eps r_j^b. Let r^c =
a_k D/(1 - eps) and r^b = b_k D/eps. Then (8) and (9) are the last two sums, (16) and (17) hold with equality, and (10)
holds as a D/r^c + b D/r^b = (1 - eps) + eps. The accepted jobs hold a part of these data, and fewer data need fewer
resources.
Coq, core: jrp.v prefix_passes, line19, less_data. Outside: that the test is (21), (16) and (17) of the data held, to
which the theorems then apply. The numbers a and b of the test are in units of the deadline.
- *Does the longest prefix still hold the top job?* It does after PRUNE with x = 1, see `proposition1_accepts_repaired`;
this claim does not need it.
"""


@REPAIRED.reading("split time", "(16) and (17) replace (10).", SERVED_REPAIRED_PROOF, rule=split)
@REPAIRED.reading("deadlines", "The rows are (7)-(10).", SERVED_REPAIRED_PROOF, rule=cone)
def served_repaired(case: Iteration, rule: Rule) -> Finding:
    return can_serve(case, all_tests, rule)
