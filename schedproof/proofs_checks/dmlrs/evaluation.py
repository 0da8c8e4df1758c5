"""Section 5: statements about simulations whose inputs are not given in full."""

from __future__ import annotations

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim
from schedproof.families.dmlrs import YU22

INPUTS = (
    "bandwidths, the length of a slot, seeds and the trace's snippet; 44 to 96 % of the jobs of the "
    "printed ranges cannot finish even without other jobs (docs/evidence/dmlrs_figures.md has the results "
    "here)"
)
RULES = "how many workers FIFO starts, how DRF rounds, Dorm's fairness and overhead bounds, a tie; and " + INPUTS


def simulation_claim(name: str, place: str, statement: str, missing: str) -> Claim[Case]:
    claim: Claim[Case] = Claim(f"dmlrs.evaluation_{name}", YU22.at(f"section 5, {place}"), statement)
    claim.open_reading("as measured", "On the draws of section 5.", missing)
    return claim


FIGURES6_7 = simulation_claim(
    "figures6_7",
    "Figs. 6, 7, 12 and 13",
    "PD-ORS significantly outperforms FIFO, DRF and Dorm, and the gains grow with the numbers of machines and jobs.",
    RULES,
)
FIGURE8 = simulation_claim(
    "figure8",
    "Fig. 8",
    "PD-ORS outperforms OASiS, and the gap widens as the number of jobs increases.",
    "how OASiS sets its prices here, which machines have workers or PSs; and " + INPUTS,
)
FIGURE9 = simulation_claim("figure9", "Fig. 9", "PD-ORS has the smallest median of the actual training time.", RULES)
FIGURE10 = simulation_claim(
    "figure10",
    "Fig. 10",
    "For I = 10 and T = 10 the performance ratio of PD-ORS is between 1.0 and 1.4.",
    "how the offline optimum was found (all combinations, with F up to 200, are out of reach), how many draws; and "
    + INPUTS,
)
FIGURE11 = simulation_claim(
    "figure11",
    "Fig. 11",
    "The best ratio is achieved at G = 1, and the number of rounding attempts is not sensitive to the variation of G.",
    "delta (G is varied, and (29)-(30) tie it to delta), which optimum Gurobi found for I = 50, H = 100; and " + INPUTS,
)
MIX = simulation_claim(
    "mix",
    "Figs. 14 to 17",
    "The larger the portion of time-sensitive and time-critical jobs, the better PD-ORS is compared with OASiS.",
    "how OASiS sets its prices here, which machines have workers or PSs; and " + INPUTS,
)
