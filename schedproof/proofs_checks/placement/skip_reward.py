"""Section IV-C, training: timesteps that are skipped, and their rewards."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.instances.placement import fits
from schedproof.proofs_checks.strategies import placement as draw
from schedproof.proofs_checks.strategies.placement import Scheduled

SKIP = Claim(
    "placement.skip_reward",
    LI23.at("section IV-C, 'We skip all those timesteps for training', and IV-A, Reward; a statement of ours"),
    "Skip the timesteps in which no waiting task fits, and add their rewards -R_t to the last earlier "
    "timestep that is not skipped. Then the rewards add up to minus the total completion time, if each "
    "task fits some empty cluster that it can reach.",
    Domain.of(
        Scheduled,
        draw.scheduled_cases(),
        {
            "a timestep is skipped": lambda case: any(
                alive(case, slot) and not has_decision(case, slot) for slot in range(12)
            ),
            "a task waits although it fits": lambda case: any(
                start > task.arrival and has_decision(case, task.arrival) for task, _, _, start in case.rows()
            ),
            "several tasks": lambda case: len(case.starts) > 1,
        },
    ),
)

KEPT_PROOF = """
Before the first arrival R_t is 0. In the timestep of the first arrival the clusters are empty and the task fits, so it
is not skipped. Each later timestep is kept, or its reward is added to a kept timestep. So the total is the sum of all
-R_t,
which is minus the total completion time by `reward_identity`.
Coq, core: placement.v skip_reward, reward_identity. Outside: that the timestep before the first arrival is kept. Before
the first arrival R_t is 0. The timestep of the first arrival is kept, because the clusters are empty and the task fits.
- *The paper states that it skips them 'for training'.* It does not state how their rewards count. If they are dropped,
the order has no effect. Tasks of 3 slots and of 1 slot on a cluster with room for one get -2 and -1 in either order,
but the total completion time is 5 or 7.
- *With a discount?* The added rewards would be discounted by the skipped timesteps; without a discount, as in (1), no
change is needed.
- *A task that fits no cluster when it comes first?* Each task here fits some empty cluster that it can reach.
"""


@SKIP.reading("handed on", "Rewards have no discount.", KEPT_PROOF)
@SKIP.false_variant("dropped", handed_on=False)
def rewards_add_up(case: Scheduled, handed_on: bool = True) -> Answer:
    """The rewards of the kept timesteps add up to minus the total completion time.

    Parameters
    ----------
    handed_on
        Whether rewards of skipped timesteps go to the last kept timestep before them, or are dropped.
    """
    rewards: dict[int, int] = {}
    last: int | None = None
    for slot in range(case.instance.horizon):
        if has_decision(case, slot):
            last = slot
            rewards[slot] = -alive(case, slot)
        elif handed_on and last is not None:
            rewards[last] -= alive(case, slot)
    return Finding(Fraction(sum(rewards.values())), Fraction(-case.completion_times), "equal", "sum of rewards")


def has_decision(case: Scheduled, slot: int) -> bool:
    """Whether some waiting task fits on a cluster in its reach.

    Otherwise the timestep is skipped.
    """
    for task, _, _, start in case.rows():
        if task.arrival <= slot <= start:
            for n in task.clusters:
                there = list(case.instance.clusters[n].amounts)
                for _, mode, m, begun in case.rows():
                    if m == n and begun < slot < begun + mode.slots:
                        there = [c - x for c, x in zip(there, mode.allocation, strict=True)]
                if any(fits(mode.allocation, tuple(there)) for mode in task.modes):
                    return True
    return False


def alive(case: Scheduled, slot: int) -> int:
    return sum(task.arrival <= slot < start + mode.slots for task, mode, _, start in case.rows())
