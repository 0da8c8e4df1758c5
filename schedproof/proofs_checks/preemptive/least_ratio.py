"""Objective (2) online: a lower bound on deterministic policies on two workers.

An adversary's strategy proves the bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from hypothesis import strategies as st

from schedproof.check import ratio as checker
from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.core.errors import expect
from schedproof.families.preemptive import WANG22

CERTIFICATES = Path(__file__).parent / "least_ratios"


@dataclass(frozen=True)
class Setting:
    """The freedom of schedules, and the slots of the longest job."""

    schedules: Literal["migrating", "pinned"]
    sizes: int


LEAST = {
    Setting("migrating", 2): Fraction(4, 3),
    Setting("migrating", 3): Fraction(7, 5),
    Setting("migrating", 4): Fraction(3, 2),
    Setting("pinned", 2): Fraction(3, 2),
    Setting("pinned", 3): Fraction(2),
}


CLAIM = Claim(
    "preemptive.least_ratio",
    WANG22.at("objective (2); a statement of ours"),
    "The objective is the total JCT of jobs of one chunk on two workers of one server, in whole slots and"
    " without uploads. No deterministic online policy has a ratio below 4/3 with jobs of up to 2 slots, "
    "7/5 with up to 3 and 3/2 with up to 4, if jobs may move between the workers. If each job stays on "
    "the worker assigned on its arrival, as in (4e), none has a ratio below 3/2 with up to 2 slots and 2 "
    "with up to 3. The adversary's schedule never has more than four jobs.",
    Domain.of(
        Setting,
        st.sampled_from(list(LEAST)),
        {
            "jobs may move": lambda case: case.schedules == "migrating",
            "jobs stay": lambda case: case.schedules == "pinned",
        },
        premises=(Premise("sizes up to 4 where jobs may move, up to 3 where they stay", LEAST.__contains__),),
    ),
)
EVERY_ANSWER = """
A position consists of the remaining work of the policy's jobs and of a function. The function gives states of other
schedules for the same arrivals, with their costs so far, less a common amount. In each position the adversary makes one
move, an arrival or the end of the slot. The checker tries every answer of the policy: each leads to a position again.
It replays that the costs after a move are costs of schedules before it. Each position has a number, at least 0.
Consider a slot in which a jobs are present. Take p times the growth of the common amount, less q a, plus the number
after the slot. This is at most the number before the slot. The same holds for arrivals, which cost nothing. Summed over
any play, p times the common amount is at most q times the policy's cost plus the first number. No moves without cost
form a cycle, so the policy's cost grows without bound. Stop late. Then some other schedule has paid the common amount
and at most a constant more, and its remaining work costs a constant. So the limit of the quotient is at least p/q. Now
consider a policy that runs fewer jobs than workers, or not the least work first on a worker. Another policy follows it:
it has no more work left of any job, or on no worker more jobs, and pays no more. It is online, as it computes the
actions of the first policy. The adversary plays against the second policy.
Coq, core: potential.v ratio. Outside: that the numbers of the positions are a potential, which the checker confirms
step by step. If a policy does less, the adversary's strategy follows at no higher cost.
- *Does the first number count only once?* Yes. The play continues until it is negligible.
- *Must the policy pay at all?* Its jobs are present in the slots of the play. If no job is present, the moves without
cost form no cycle, so a job comes.
- *May the policy let more than four jobs wait?* Yes, the claim is for every policy. The policy that follows it has at
most as many.
- *And for randomised policies?* The claim makes no statement on them: the adversary answers the policy's decisions.
"""


@CLAIM.reading(
    "every answer",
    "The least costs are those of any schedules of the same kind.",
    EVERY_ANSWER,
)
@CLAIM.false_variant("a hundredth more", more=Fraction(1, 100))
def forced(case: Setting, more: Fraction = Fraction(0)) -> Finding:
    file = str(CERTIFICATES / f"{case.schedules}_{case.sizes}.json")
    setting = checker.read(file)["setting"]
    own = {"machines": 2, "sizes": case.sizes, "unit": 1, "present": 4, "speed": "1", "schedules": case.schedules}
    expect(
        setting == own | {"present": setting["present"]}, "expected the certificate of its setting", "found", setting
    )
    expect(
        setting["present"] <= own["present"],
        f"expected at most {own['present']} present jobs",
        "present",
        setting["present"],
    )
    return Finding(Fraction(checker.check(file)["at_least"]), LEAST[case] + more, "at least", "the adversary")
