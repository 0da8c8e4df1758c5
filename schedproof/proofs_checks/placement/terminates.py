"""Is every finite workload completed? The paper makes no statement on it."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.enumeration import latest
from schedproof.proofs_checks.placement.shared.pending import play
from schedproof.proofs_checks.strategies import placement_runs as draw
from schedproof.proofs_checks.strategies.placement_runs import Choosing

TERMINATES = Claim(
    "placement.terminates",
    LI23.at("(10)-(12); a statement of ours"),
    "Let every agent select some pending task in every timestep and start it if it fits and no other "
    "agent gets it. Let each task fit each empty cluster of its D_j. Then all tasks are complete by the "
    "last arrival + the sum of their longest durations.",
    Domain.of(
        Choosing,
        draw.choosing(),
        {
            "two clusters": lambda case: len(case.instance.clusters) > 1,
            "more tasks than P": lambda case: len(case.instance.tasks) > case.window,
            "the bound is attained": lambda case: is_attained(case),
        },
    ),
)

DONE_PROOF = """
Consider a timestep from the last arrival on in which some task has not completed. If no task runs, all clusters are
empty and some task waits. So some pending set is not empty. The agent with this set selects one of its tasks, which
fits the agent's empty cluster. Among the agents that selected that task, (11), repaired as in `bayes11`, finds an agent
with room. Without an entry "start nothing" that agent starts the task. So some task runs in each such timestep, and all
tasks together run for at most the sum of their longest durations.
- *An agent may repeatedly select a task that does not fit.* Yes, while some task runs; so the claim makes no statement
on a single task. If no task runs, every task fits.
- *A task that does not fit an empty cluster of its D_j?* An agent could select it for ever. Each task here has an
allocation for each of its clusters.
- *Has the mask (12) an entry 'start nothing'?* Not as printed: allocations below the minimum have probability 0. The
released code has one and never masks it; then a policy may pass in every timestep, and no task completes.
- *A policy that only passes with some probability below 1?* It completes with probability 1, but without a bound on
the time.
"""


@TERMINATES.reading("every choice", "The statement is for every choice of task, cluster and allocation.", DONE_PROOF)
@TERMINATES.false_variant("with an entry 'start nothing'", idle=20)
def done_by(case: Choosing, idle: int = 0) -> Answer:
    starts = play(case, choose_what_fits=False, idle=idle)
    end = max(slot + mode.slots for _, slot, mode in starts.values())
    return Finding(Fraction(end), Fraction(latest(case.instance)), "at most", "the last completion")


def is_attained(case: Choosing) -> bool:
    answer = done_by(case)
    return isinstance(answer, Finding) and answer.measured == answer.claimed
