"""(13)-(14): the policy without the allocation of an agent that gets no task."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.gradients import (
    Keep,
    both,
    expectation,
    printed13,
    probability,
    selection,
    true_gradient,
)
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import Game, share

GAMES = Domain.of(
    Game,
    draw.games(),
    {
        "both may lose": lambda case: -1 in case.winner,
        "one agent always wins": lambda case: case.winner in ((0, 0), (1, 1)),
        "each wins one task": lambda case: sorted(case.winner) == [0, 1],
    },
)

FACTOR = Claim(
    "placement.factor_m13",
    LI23.at("(13)-(14), 'We further mask the final resource allocation predictions'; a statement of ours"),
    "Leaving out the allocation factor of agents that get no task, m = 0, does not change the expected "
    "policy gradient: both gradients are the derivative of the mean return.",
    GAMES,
)

UNCHANGED_PROOF = """
Let E be the mean over all actions. For any sampling distribution the derivative of the mean return is E[return times
score], with both factors in the score (log derivative). The tasks that all agents chose determine m. Given these tasks,
the allocation x of an agent with m = 0 is sampled from Pr*(x|j, n). It does not change the return or any other
quantity. So its part of the mean is the mean return times the sum over x of Pr* d log Pr* = d sum Pr* = 0. So omitting
the factor does not change the mean.
Coq: placement.v factor_m13. Objects: sampled, moved, log_derivative. In words: t is one logit of one agent; the other
agents' actions do not depend on it. Tasks and allocations of probability 0 are left out.
- *m depends on the samples.* It depends on the tasks that the agents chose and on the room of their clusters. It does
not depend on any allocation: (11) comes before (12).
- *What about several timesteps?* The same holds for each timestep, given the past; later timesteps do not depend on x
either.
- *PPO's clipped quotient is not this score.* At the first step of an update it has the same gradient. Later quotients
with and without the factor differ, as the loser's Pr* moves: the claim is about the gradient on policy.
- *Then what is the purpose of m?* It lowers the variance, as a term of mean 0 is no longer sampled. The paper states
that it 'filters out the gradient propagation that is irrelevant to the conflicts', which this confirms.
"""


@FACTOR.reading("(13)", "m is as printed in (14).", UNCHANGED_PROOF)
@FACTOR.reading("both factors", "m is always 1.", UNCHANGED_PROOF, keep=both)
@FACTOR.false_variant("nobody's allocation counts", keep=selection)
@FACTOR.false_variant("the return sees the loser's allocation", losers_count=True)
def same_gradient(case: Game, keep: Keep = printed13, losers_count: bool = False) -> Answer:
    def returns(actions: tuple[tuple[int, int], tuple[int, int]]) -> int:
        return case.outcome(actions, losers_count)

    return worst(
        Finding(expectation(case, keep, logit, returns), true_gradient(case, logit, returns), "equal", f"logit {logit}")
        for logit in case.logits()
    )


DISTRIBUTION = Claim(
    "placement.factor_m13_distribution",
    LI23.at("section IV-C, end: 'a policy pi(a_n|s_n), which is a joint distribution of the combinatorial actions'"),
    "pi(a_n|s_n) of (13) is a distribution of the actions of agent n.",
    GAMES,
    severity="slip",
)
DISTRIBUTION_REPAIRED = DISTRIBUTION.repair(
    "pi(a_n|s_n) of (13) is a distribution of actions a_n that are (j, x) if n gets j, and only j otherwise.",
    small=True,
)

ONE_PROOF = """
For a task that the agent gets, the sum over x of Pr(j|n) Pr*(x|j, n) is Pr(j|n). For a task that it does not get, its
action is only the task, with Pr(j|n). The sum over the tasks is 1.
Coq, core: placement.v factor_m13_distribution. Outside: that Pr* adds up to 1 for each task. The theorem takes this as
its premise.
- *Is the mask of (12) in Pr*?* Yes; it adds up to 1 over the remaining allocations (`mask12`), if any remain.
- *m depends on the other agents.* So (13) is a distribution for given choices of the other agents; the algorithm uses
the product of these distributions.
"""


@DISTRIBUTION.reading("a_n = (j, x)", "An agent chooses a task and an allocation.")
@DISTRIBUTION.reading(
    "a_n = j where m = 0", "The allocation of an agent that gets no task is not part of its action.", ONE_PROOF, lost=1
)
@DISTRIBUTION_REPAIRED.reading("by the outcome", "m depends on the outcome, as stated.", ONE_PROOF, lost=1)
@DISTRIBUTION.false_variant("without the tasks it does not get", lost=0)
@DISTRIBUTION_REPAIRED.false_variant("as printed")
def sums_to_one(case: Game, lost: int = 2) -> Answer:
    """The sum of (13) over all actions of an agent is 1, for a fixed other task.

    Parameters
    ----------
    lost
        The actions for a task that the agent does not get: one for each allocation, or the task only.
    """
    result = []
    for agent in (0, 1):
        for other in (0, 1):
            total = Fraction(0)
            for task in (0, 1):
                tasks = (task, other) if agent == 0 else (other, task)
                if case.gets(agent, tasks):
                    total += sum(probability(case, agent, (task, x)) for x in (0, 1))
                else:
                    total += share(case.select[agent], task) * lost
            result.append(Finding(total, Fraction(1), "equal", f"agent {agent}, the other has task {other}"))
    return worst(result)
