"""Percentages that cannot be computed from the text.

The percentages are in the abstract, in section V-C and in the conclusion. docs/evidence/jrp_figures.md repeats the
evaluation with chosen values for the missing inputs.
"""

from __future__ import annotations

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim
from schedproof.families.jrp import WANG19

THROUGHPUT: Claim[Case] = Claim(
    "jrp.evaluation_throughput",
    WANG19.at("abstract, section V-C, figs. 4 and 5"),
    "The algorithm achieves 24 % more throughput than the greedy and 56 % more than the random algorithm "
    "(uniform), 25 % and 50 % more (normal).",
)
UNSTATED = (
    "the epochs T_k, epsilon, the operations of a mini-batch, the spread of the number of data nodes, the storage of "
    "each server, and over how many draws the numbers are means are not stated"
)
THROUGHPUT.open_reading("the simulation", "Means over draws of section V-B, at the largest load.", UNSTATED)
UTILIZATION: Claim[Case] = Claim(
    "jrp.evaluation_utilization",
    WANG19.at("abstract, section V-C, fig. 7"),
    "The utilization rate is 25 % above that of the greedy and 53 % above that of the random algorithm.",
)
UTILIZATION.open_reading("the simulation", "Means over draws of section V-B, at the largest load.", UNSTATED)
OPTIMAL: Claim[Case] = Claim(
    "jrp.evaluation_optimal",
    WANG19.at("section V-C"),
    "The algorithm achieves at least 89 % of the optimal throughput and 93 % of the optimal utilization rate.",
)
OPTIMAL.open_reading("of the first LP_I", "LP_I of the first iteration is 'the optimal solution'.", UNSTATED)
OPTIMAL.open_reading(
    "of JRP",
    "The optimum of (5)-(13).",
    f"{UNSTATED}; it was not computed, and LP_I is no bound on it (`lp_i_upper_bound`)",
)
EFFICIENT: Claim[Case] = Claim(
    "jrp.evaluation_efficient",
    WANG19.at("abstract, section I and the conclusion"),
    "The algorithm is efficient, with provable performance guarantee.",
)
EFFICIENT.open_reading(
    "efficient",
    "Its running time grows slowly enough.",
    "no running time is stated or measured; the number of iterations is `proposition1_iterations`, "
    "the guarantee `theorem1`",
)
