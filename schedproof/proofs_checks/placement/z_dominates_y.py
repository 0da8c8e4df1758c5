"""Below (10): an agent schedules only a task that it chose, z_jnt >= y_jnt."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.rule11 import Given, by_choice, by_score, by_score_of_choosers, first
from schedproof.proofs_checks.strategies import placement_agents as draw
from schedproof.proofs_checks.strategies.placement_agents import Contest

Z_Y = Claim(
    "placement.z_dominates_y",
    LI23.at("below (10): 'we have z_jnt >= y_jnt, for all j, n, t'"),
    "An agent to which (11) gives a task chose it: z_jnt >= y_jnt for all j, n, t.",
    Domain.of(
        Contest,
        draw.contests(),
        {
            "a conflict": lambda case: any(len(case.choosers(j)) > 1 for j in case.chosen_tasks),
            "a task nobody chose": lambda case: len(case.chosen_tasks) < len(case.needs),
            "no room": lambda case: any(not any(case.room(n, j) for n in case.choosers(j)) for j in case.chosen_tasks),
        },
    ),
    severity="slip",
)
REPAIRED = Z_Y.repair(
    "If (11) compares the attention scores of the agents that chose the task, z_jnt >= y_jnt.", small=True
)

CHOSE_PROOF = """
Pr(j|n) = 0 for an agent that did not choose j, so its Pr(n|j) = 0, if Pr(n|j) is defined. If it is defined, the Pr(n|j)
add up to 1, so some Pr(n|j) is positive. Hence an agent with the largest product chose j. If the denominator is 0, for
example for a task that no agent chose, no agent gets the task.
Coq: placement.v z_dominates_y. Objects: chosen11, product. In words: z is 1 for the agents that chose the task, y is 1
for the agent that gets it, and 0/0 selects no agent.
- *argmax of 0/0 could be read as the first agent.* Then y_j1t = 1 for every task that no agent chose, and for each t,
which is not a fair reading. (3) and the text allow that no agent gets it.
- *Then which part is wrong?* The text uses the attention scores for Pr(j|n): 'we transform the attention scores [...]
using Bayes' theorem'. They are positive for all pending tasks of all agents. (11) prints z.
"""


@Z_Y.reading(
    "the scores of all agents",
    "Pr(j|n) of (11) is the attention score, as in the text; n = 1, ..., N.",
    given=by_score,
)
@Z_Y.reading("z", "Pr(j|n) = z_jnt, as (11) prints; 0/0 selects no agent.", CHOSE_PROOF, given=by_choice)
@REPAIRED.reading("scores", "0/0 selects no agent.", CHOSE_PROOF, given=by_score_of_choosers)
@REPAIRED.false_variant("the scores of all agents", given=by_score)
def dominates(case: Contest, given: Given) -> Answer:
    pairs = [(n, j) for j in range(len(case.needs)) for n in first(case, j, given)]
    wrong = [(n, j) for n, j in pairs if case.chosen[n] != j]
    return Finding(Fraction(len(wrong)), Fraction(0), "at most", "tasks given to an agent that did not choose them")


@Z_Y.false_variant("each keeps what it chose")
def starts_all(case: Contest) -> Answer:
    kept = sum(n in first(case, j, by_choice) for n, j in enumerate(case.chosen) if j is not None)
    return Finding(Fraction(kept), Fraction(sum(j is not None for j in case.chosen)), "at least")
