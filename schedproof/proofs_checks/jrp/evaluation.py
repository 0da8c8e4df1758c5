"""The abstract, section V-C and the conclusion: percentages that cannot be computed from the text.

docs/evidence/jrp_figures.md runs the evaluation again, with choices of its own for what is missing.
"""

from __future__ import annotations

from schedproof.core.claim import Claim, Reading
from schedproof.core.untyped import Case
from schedproof.families.jrp import WANG19

UNSTATED = (
    "the epochs T_k, epsilon, the operations of a mini-batch, the spread of the number of data nodes, the storage of "
    "each server, and over how many draws the numbers are means are not stated"
)

THROUGHPUT: Claim[Case] = Claim(
    id="jrp.evaluation_throughput",
    source=WANG19.at("abstract, section V-C, figs. 4 and 5"),
    statement="The algorithm achieves 24 % more throughput than the greedy and 56 % more than the random algorithm "
    "(uniform), 25 % and 50 % more (normal).",
    readings=(Reading("the simulation", "Means over draws of section V-B, at the largest load.", missing=UNSTATED),),
)
UTILIZATION: Claim[Case] = Claim(
    id="jrp.evaluation_utilization",
    source=WANG19.at("abstract, section V-C, fig. 7"),
    statement="The utilization rate is 25 % above that of the greedy and 53 % above that of the random algorithm.",
    readings=(Reading("the simulation", "Means over draws of section V-B, at the largest load.", missing=UNSTATED),),
)
OPTIMAL: Claim[Case] = Claim(
    id="jrp.evaluation_optimal",
    source=WANG19.at("section V-C"),
    statement="The algorithm achieves at least 89 % of the optimal throughput and 93 % of the optimal utilization "
    "rate.",
    readings=(
        Reading("of the first LP_I", "LP_I of the first iteration is 'the optimal solution'.", missing=UNSTATED),
        Reading(
            "of JRP",
            "The optimum of (5)-(13).",
            missing=f"{UNSTATED}; it was not computed, and LP_I is no bound on it (`lp_i_upper_bound`)",
        ),
    ),
)
EFFICIENT: Claim[Case] = Claim(
    id="jrp.evaluation_efficient",
    source=WANG19.at("abstract, section I and the conclusion"),
    statement="The algorithm is efficient, with provable performance guarantee.",
    readings=(
        Reading(
            "efficient",
            "Its running time grows slowly enough.",
            missing="no running time is stated or measured; the number of iterations is `proposition1_iterations`, "
            "the guarantee `theorem1`",
        ),
    ),
)
