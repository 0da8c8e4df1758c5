"""(5): the slots in which a task is charged for its allocation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.enumeration import least_cost
from schedproof.proofs_checks.strategies import placement as draw
from schedproof.proofs_checks.strategies.placement import Scheduled

OF_SCHEDULES = Domain.of(
    Scheduled,
    draw.scheduled_cases(),
    {
        "a task of one slot": lambda c: any(mode.slots == 1 for _, mode, _, _ in c.rows()),
        "a task of several slots": lambda c: any(mode.slots > 1 for _, mode, _, _ in c.rows()),
        "a task waits": lambda c: any(start > task.arrival for task, _, _, start in c.rows()),
        "one task right behind another": lambda c: any(
            n == m and t + mode.slots == s for _, mode, n, t in c.rows() for _, _, m, s in c.rows()
        ),
    },
)

CLOSED = Claim(
    "placement.closed_interval5",
    LI23.at("(5), section III-C: 'all the alive tasks {j | t in [t*_j, t^_j + phi_j]} in any time t'"),
    "(5) charges a task exactly in the slots in which it runs.",
    OF_SCHEDULES,
    severity="slip",
)
CLOSED_REPAIRED = CLOSED.repair(
    "With t in [t*_j, t^_j + phi_j), phi_j being the slots in the system, (5) charges a task exactly in "
    "the slots in which it runs.",
    small=True,
)

Slots = Callable[[int, int, int], "set[int]"]  # of an arrival, a start and a duration


def closed_interval(arrival: int, start: int, slots: int) -> set[int]:
    """Return the slots of [t*, t^ + phi], with phi the number of slots in the system."""
    return set(range(start, start + slots + 1))


LAST_SLOT_PROOF = """
A task that starts in t* and runs for d slots runs in t*, ..., t* + d - 1, and t^ + phi = t* + d - 1: these are the
integers of [t*, t^ + phi].
- *Then what is phi of a task of one slot that starts on arrival?* 0. The sum of phi_j is then less than the sum of R_t,
section IV-A, by one for each task. The reward identity needs the phi of the other reading (`reward_identity`). No phi
satisfies both sentences as printed.
- *Slots or points of time?* Footnote 1 means timesteps; t is an index in (2)-(6).
"""


def last_slot(arrival: int, start: int, slots: int) -> set[int]:
    """Return the slots of [t*, t^ + phi], with t^ + phi the last slot of the run."""
    return set(range(start, start + slots))


HALF_OPEN_PROOF = """
With phi the slots in the system, a task that starts in t* and runs for d slots has t^ + phi = t* + d. The integers of
[t*, t* + d) are t*, ..., t* + d - 1, the slots in which it runs.
Coq: placement.v half_open. Objects: task, phi, runs_in. In words: phi is the slots in the system.
- *A task of duration 0?* It would be charged in no slot; each duration is at least one slot.
"""


def half_open(arrival: int, start: int, slots: int) -> set[int]:
    """Return the slots of [t*, t^ + phi), with phi the number of slots in the system."""
    return set(range(start, start + slots))


def from_arrival_half_open(arrival: int, start: int, slots: int) -> set[int]:
    """Return the slots of [t^, t^ + phi), from the arrival t^ on."""
    return set(range(arrival, start + slots))


WAITING = Claim(
    "placement.closed_interval5_arrival",
    LI23.at("section III-C, before (1): 'sum over j with t in [t^_j, t^_j + phi_j] of x_jrn <= C_rn'"),
    "Tasks occupy the resources for various periods of time: the sum over t in [t^_j, t^_j + phi_j] charges "
    "a task exactly in the slots in which it runs.",
    OF_SCHEDULES,
    severity="slip",
)
WAITING_REPAIRED = WAITING.repair("The sum over t in [t*_j, t^_j + phi_j), from the start on, does.", small=True)


def from_arrival(arrival: int, start: int, slots: int) -> set[int]:
    """Return the slots of [t^, t^ + phi], with phi the number of slots in the system."""
    return set(range(arrival, start + slots + 1))


@CLOSED.reading("slots in the system", "phi_j counts them, as sum phi_j = sum R_t of IV-A needs.")
@CLOSED_REPAIRED.reading(
    "half-open", "The interval is [t^_j, t^_j + phi_j), as stated.", HALF_OPEN_PROOF, slots=half_open
)
@CLOSED.false_variant("from the arrival on", slots=from_arrival_half_open, also=CLOSED_REPAIRED)
@CLOSED_REPAIRED.false_variant("closed")
@WAITING.reading("closed", "The interval is from t^_j to t^_j + phi_j, both included.", slots=from_arrival)
@WAITING.reading("half-open", "The interval is [t^_j, t^_j + phi_j), without its end.", slots=from_arrival_half_open)
@WAITING_REPAIRED.reading("from the start", "The interval begins at t*_j, as stated.", HALF_OPEN_PROOF, slots=half_open)
@WAITING_REPAIRED.false_variant("from the arrival on", slots=from_arrival_half_open)
def charges(case: Scheduled, slots: Slots = closed_interval) -> Answer:
    result = []
    for task, mode, _, start in case.rows():
        runs = {start + k for k in range(mode.slots)}
        wrong = len(slots(task.arrival, start, mode.slots) ^ runs)
        result.append(Finding(Fraction(wrong), Fraction(0), "equal", f"{task.name}, slots charged wrongly"))
    return worst(result)


@CLOSED.reading("the optimum", "phi_j is unchanged, and the extra charges do not change the optimum.")
def same_optimum(case: Scheduled) -> Answer:
    instance = case.instance
    end = instance.enough + len(instance.tasks)  # with a slot more for each task, all fit as well
    result, true = (least_cost(instance, held=held, horizon=end) for held in (1, 0))
    assert result is not None and true is not None
    return Finding(Fraction(result[0]), Fraction(true[0]), "equal", "optimum of (1)")


CLOSED.reading("last slot", "t^_j + phi_j is the last slot in which j runs.", LAST_SLOT_PROOF, slots=last_slot)(charges)


@WAITING.false_variant("without the last slot")
def one_short(case: Scheduled) -> Answer:
    return charges(case, lambda arrival, start, slots: set(range(start, start + slots - 1)))
