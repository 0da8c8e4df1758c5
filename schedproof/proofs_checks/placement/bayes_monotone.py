"""Can more free resources make the rule (11) take a task from an agent?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.rule11 import Given, by_score_of_choosers, conditional, first
from schedproof.proofs_checks.strategies import placement_agents as draw
from schedproof.proofs_checks.strategies.placement_agents import Raised

MONOTONE = Claim(
    "placement.bayes_monotone",
    LI23.at(
        "(11), 'the clusters with more available resources can more possibly get the conflicted task'; made "
        "precise by us"
    ),
    "With the scores given, no agent loses a task through more free resources in its cluster: its Pr(n|j) "
    "does not fall, and (11) gives it the same tasks again.",
    Domain.of(
        Raised,
        draw.raised_cases(),
        {
            "more of one resource only": lambda case: 0 in case.more and any(case.more),
            "more room for a task": lambda case: any(
                case.after.room(case.agent, j) > case.contest.room(case.agent, j)
                for j in range(len(case.contest.needs))
            ),
            "a conflict": lambda case: any(len(case.contest.choosers(j)) > 1 for j in case.contest.chosen_tasks),
        },
    ),
)

DEFINED: Premise[Raised] = Premise(
    "Pr(n|j) is defined for some task",
    lambda case: any(conditional(case.contest, j, by_score_of_choosers) for j in range(len(case.contest.needs))),
)
WON: Premise[Raised] = Premise(
    "the agent gets some task",
    lambda case: any(
        first(case.contest, j, by_score_of_choosers) == [case.agent] for j in range(len(case.contest.needs))
    ),
)
GROWS_PROOF = """
The room of the cluster for j is min_r floor(free_r/b_jr). It does not fall as the free resources grow. So the product w
= Pr(j|n) Pr(n) does not fall either. The others' products and their sum o do not change. w/(w + o) does not fall in w,
and o/(w + o) does not rise. If n was the first agent with the largest product, the agents before n had less and the
later agents no more. So n, whose product has grown, is still the first agent with the largest product.
Coq, core: placement.v room_grows, bayes_monotone, bayes_keeps. Outside: Pr(n|j) and Pr(j|n) as products, and the
composition of the theorems. In the theorem, w is the agent's product, and o is the sum of the other agents' products,
which do not change. Pr(n) is the room divided by a number that is the same for all agents.
- *Does the attention score not depend on the room?* It may, through the cluster node's features e_nt. The statement is
about (11) with given scores.
- *Does the cluster with more room get the task?* Not if the other agent's score is larger by a larger factor. The text
states that it 'can more possibly' get it. By the same monotonicity its Pr(n|j) is no smaller at equal scores.
- *Is Pr(n) divided by the sum of all rooms?* That factor is the same for all n, and cancels in Pr(n|j).
"""


@MONOTONE.reading("its probability", "Pr(n|j), if it is defined.", GROWS_PROOF, where=(DEFINED,))
@MONOTONE.false_variant("nor do the others' fall", of_others=True)
def share_grows(case: Raised, given: Given = by_score_of_choosers, of_others: bool = False) -> Answer:
    """Pr(n|j) does not fall for the agent with more room, for any task.

    ``of_others`` checks Pr(n|j) of the other agents.
    """
    result = []
    for j in range(len(case.contest.needs)):
        before, after = conditional(case.contest, j, given), conditional(case.after, j, given)
        for n in range(len(before)):
            if of_others or n == case.agent:
                result.append(Finding(after[n], before[n], "at least", f"Pr({n}|{j})"))
    return worst(result)


@MONOTONE.reading("the task", "Of equal agents, the first gets the task.", GROWS_PROOF, where=(WON,))
@MONOTONE.false_variant("the others keep theirs", of_others=True)
def still_wins(case: Raised, given: Given = by_score_of_choosers, of_others: bool = False) -> Answer:
    """With more room, an agent keeps each task that it got.

    ``of_others``: the other agents keep their tasks.
    """
    result = []
    for j in range(len(case.contest.needs)):
        won = first(case.contest, j, given)
        if of_others or won == [case.agent]:
            kept = first(case.after, j, given) == won
            result.append(Finding(Fraction(kept), Fraction(1), "equal", f"task {j} stays with {won}"))
    return worst(result)
