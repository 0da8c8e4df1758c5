"""(11): the agent that gets a task chosen by several agents."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.rule11 import (
    Given,
    by_choice,
    by_score,
    by_score_of_choosers,
    first,
    largest,
)
from schedproof.proofs_checks.strategies import placement_agents as draw
from schedproof.proofs_checks.strategies.placement_agents import Contest

BAYES = Claim(
    "placement.bayes11",
    LI23.at("(11), section IV-C: 'the agent with the largest task-conditioned probability can schedule the task'"),
    "(11) selects exactly one agent for a task, among the agents that chose it.",
    Domain.of(
        Contest,
        draw.contests(),
        {
            "a conflict": lambda case: any(len(case.choosers(j)) > 1 for j in case.chosen_tasks),
            "a tie of those that chose": lambda case: any(len(_best_choosers(case, j)) > 1 for j in case.chosen_tasks),
            "no room": lambda case: any(not any(case.room(n, j) for n in case.choosers(j)) for j in case.chosen_tasks),
            "an agent has no task": lambda case: None in case.chosen,
            "somebody else's score is largest": lambda case: any(
                set(first(case, j, by_score)) - set(case.choosers(j)) for j in case.chosen_tasks
            ),
        },
        premises=(Premise("some agent chose a task", lambda case: bool(case.chosen_tasks)),),
    ),
    severity="slip",
)
REPAIRED = BAYES.repair(
    "Let sum and maximum be over the agents that chose the task, with the first of equals and no agent "
    "for 0/0. Then (11) selects exactly one of them, if some agent that chose it has room.",
    small=True,
)

Pick = Callable[[Contest, int, Given], "list[int]"]
ROOM: tuple[Premise[Contest]] = (
    Premise(
        "some agent that chose a task has room for it",
        lambda case: any(case.room(n, j) for j in case.chosen_tasks for n in case.choosers(j)),
    ),
)

ONE_PROOF = """
An agent that chose j sampled it, so its score is positive. With room, its product is positive. All other agents have
product 0. So the denominator and the largest Pr(n|j) are positive, and the agents that attain this maximum chose j. The
first such agent is one agent.
Coq: placement.v bayes11. Objects: chosen11, product. In words: an agent samples only tasks with a positive score; under
z the score of the agents that chose it is 1. Pr(n) is the room divided by a number that is the same for all agents.
- *Is 'the first' in the paper?* The paper does not define argmax for a tie; any rule that names one agent of the tie is
enough.
- *If no agent that chose it has room?* Then all products are 0, and (11) is 0/0: no agent gets the task.
- *Do the masks not prevent the choice of such a task?* (10) masks only dummies. An agent may choose a task whose
minimum does not fit now; (12) then leaves no allocation.
"""


def last(case: Contest, j: int, given: Given) -> list[int]:
    return [n for n in range(len(case.free)) if given(case, n, j)][-2:]


@BAYES.reading(
    "the scores of all agents",
    "Pr(j|n) is the attention score. Sum and maximum are over n = 1, ..., N; of equal agents the first wins.",
    given=by_score,
    pick=first,
)
@BAYES.reading(
    "z, all that are largest",
    "Pr(j|n) = z_jnt as printed, 1 or 0; y = 1 for each n that is an argmax.",
    given=by_choice,
    pick=largest,
)
@BAYES.reading(
    "those that chose it",
    "The attention scores are only of agents that chose the task; of equal agents the first wins.",
    given=by_score_of_choosers,
    pick=first,
)
@REPAIRED.reading(
    "scores",
    "Pr(j|n) is the attention score.",
    ONE_PROOF,
    where=ROOM,
    given=by_score_of_choosers,
    pick=first,
    with_room=True,
)
@REPAIRED.reading("z", "Pr(j|n) is z_jnt.", ONE_PROOF, where=ROOM, given=by_choice, pick=first, with_room=True)
@BAYES.false_variant("the last two", given=by_score, pick=last)
@REPAIRED.false_variant("the scores of all", given=by_score, pick=first, with_room=True)
@REPAIRED.false_variant("also without room", given=by_choice, pick=first)
def one_of_them(case: Contest, given: Given, pick: Pick, with_room: bool = False) -> Answer:
    """(11) selects exactly one of the agents that chose a task.

    Parameters
    ----------
    with_room
        Whether to consider only tasks for which some agent that chose the task has room.
    """
    result: list[Answer] = []
    for j in case.chosen_tasks:
        there = case.choosers(j)
        if with_room and not any(case.room(n, j) for n in there):
            continue
        selected = pick(case, j, given)
        right = len(selected) if set(selected) <= set(there) else 0
        result.append(Finding(Fraction(right), Fraction(1), "equal", f"agents selected for task {j} among {there}"))
    return worst(result)


def _best_choosers(case: Contest, j: int) -> list[int]:
    return largest(case, j, by_score_of_choosers)
