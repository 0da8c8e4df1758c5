"""Objective (2) online: a lower bound on deterministic policies on two workers.

An adversary's strategy proves it.
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
    "For the total JCT of jobs of one chunk on two workers of one server, in whole slots and without uploads, no "
    "deterministic online policy has a ratio below 4/3 with jobs of up to 2 slots, 7/5 with up to 3 and 3/2 with up to "
    "4 where jobs may move between the workers; nor below 3/2 with up to 2 slots and 2 with up to 3 where each job "
    "stays on the worker that it is given on its arrival, as in (4e). The adversary's own schedule never has more than "
    "four jobs.",
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
The adversary has a position for whatever is left of the policy's jobs and for a function: states of other schedules for
the same arrivals, with what these have paid, less an amount in common. In each position it makes one move, an arrival
or the end of the slot. The checker tries every answer: each leads to a position again. It replays that the costs after
a move are those of schedules before it.

Each position has a number, at least 0. In a slot in which a jobs are present, p times what the common amount grows by,
less q a, and the number after it are at most the number before; for arrivals likewise without costs. Added up over any
play, p times the common amount is at most q times what the policy pays, and the first number. No moves at no cost lead
round, so that the policy pays without end. Stop then: some other schedule has paid the common amount and no more than a
constant, and what it has left costs a constant. So the quotient tends to p/q or more.

A policy that runs fewer jobs than there are workers, or not the least work first on a worker, is followed: another one
has no more left of any job, or on no worker more jobs, and pays no more. It is online, as it computes what the first
one does. The game is played against that one.
Coq, core: potential.v ratio. Outside: that the numbers of the positions are a potential, which the checker confirms
step by step. In detail: that who does less is followed at no higher cost, and that the numbers of the positions are a
potential, which the checker looks at step by step.
- *Is the first number paid once only?* Yes. The play goes on until it does not count.
- *Must the policy pay at all?* Its jobs are present in the slots of the play; where none is, no move at no cost leads
round, so that one comes.
- *May the policy let more than four jobs wait?* It may do what it likes. The one that follows it has at most as many.
- *Of policies that draw lots?* Nothing is said: the adversary answers what the policy does.
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
    expect(setting["present"] <= own["present"], "expected few jobs", "present", setting["present"])
    return Finding(Fraction(checker.check(file)["at_least"]), LEAST[case] + more, "at least", "the adversary")
