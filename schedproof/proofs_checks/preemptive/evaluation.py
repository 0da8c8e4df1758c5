"""Section V, abstract and conclusion: measurements that cannot be repeated.

The text does not give the necessary inputs.
"""

from __future__ import annotations

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim
from schedproof.families.preemptive import WANG22

INPUTS = (
    "the seeds, the two traces' jobs that were used, the chunks D_j of the simulated jobs, the mapping of servers, "
    "and the unit of q_j/b_j (MB over Mbps); no table, only figures"
)


def measurement_claim(name: str, at: str, statement: str, missing: str) -> Claim[Case]:
    """A statement that cannot be evaluated, with the missing inputs."""
    claim: Claim[Case] = Claim(f"preemptive.evaluation_{name}", WANG22.at(at), statement)
    claim.open_reading("as printed", "The measurement that the text describes.", missing)
    return claim


EVALUATION_JCT = measurement_claim(
    "jct",
    "abstract, sections I and VII",
    "A_online reduces the average JCT by up to 30 % against the state of the art (abstract, conclusion); by up to "
    "35, 40 and 50 % against Tiresias-L, SRTF and BatchSche (introduction).",
    f"which of the two it is, as 30 is not the largest of 35, 40 and 50; and {INPUTS}",
)
EVALUATION_RATIO = measurement_claim(
    "ratio",
    "section I, section V-C, Figs. 12 and 13",
    "The actual competitive ratio is below 1.7, and hardly changes with J and S.",
    f"S while J varies and J while S varies; whether online and offline speeds differ; the optima; and {INPUTS}",
)
EVALUATION_EPS = measurement_claim(
    "eps",
    "section V-C, Figs. 12 and 13",
    "'As indicated by Theorem 2, the larger the eps, the smaller the competition ratio, and A_online is close to "
    "optimal when eps = 0.5.'",
    "how close is close; Theorem 2 is about feasibility, and Theorem 3 is false; against an optimum at the slower "
    f"speed any algorithm's ratio falls with eps; and {INPUTS}",
)
EVALUATION_MAKESPAN = measurement_claim(
    "makespan",
    "section V-C, 'Resource Utilization'",
    "The makespan of A_online is about 0.76x and 0.74x smaller than that of SRTF and Tiresias-L.",
    f"whether '0.76x smaller' leaves 0.76 or 0.24 of it; whether the baselines may use the cloud; and {INPUTS}",
)
EVALUATION_TIGHT = measurement_claim(
    "tight",
    "section IV-E, below Theorem 3",
    "'O(1/eps) is the tight competitive ratio of existing unrelated parallel machine models [15].'",
    "for which of these models, and for which online algorithms, no better ratio exists; no lower bound "
    "is stated or cited by number. The bound on A_online itself is theorem3_lower_bound: not below 1 + "
    "2/eps",
)
