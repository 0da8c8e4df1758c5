"""(5): the slots in which a task is charged for what it has."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
    worst,
)
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.enumeration import least
from schedproof.proofs_checks.strategies import placement as draw
from schedproof.proofs_checks.strategies.placement import Scheduled

Slots = Callable[[int, int, int], "set[int]"]  # of an arrival, a start and a duration


def closed(arrival: int, start: int, slots: int) -> set[int]:
    """[t*, t^ + phi], phi_j being the slots that the task is in the system."""
    return set(range(start, start + slots + 1))


def last_slot(arrival: int, start: int, slots: int) -> set[int]:
    """[t*, t^ + phi], t^ + phi being the last slot in which the task runs."""
    return set(range(start, start + slots))


def half_open(arrival: int, start: int, slots: int) -> set[int]:
    """[t*, t^ + phi), phi_j being the slots that the task is in the system."""
    return set(range(start, start + slots))


def from_arrival(arrival: int, start: int, slots: int) -> set[int]:
    """[t^, t^ + phi], phi_j being the slots that the task is in the system."""
    return set(range(arrival, start + slots + 1))


def from_arrival_half_open(arrival: int, start: int, slots: int) -> set[int]:
    """[t^, t^ + phi)."""
    return set(range(arrival, start + slots))


def charged(case: Scheduled, slots: Slots = closed) -> Answer:
    """How many slots a task is charged for in which it does not run, or the other way round: none."""
    found = []
    for task, mode, _, start in case.rows():
        runs = {start + k for k in range(mode.slots)}
        wrong = len(slots(task.arrival, start, mode.slots) ^ runs)
        found.append(Finding(Fraction(wrong), Fraction(0), "equal", f"{task.name}, slots charged wrongly"))
    return worst(found)


def same_optimum(case: Scheduled) -> Answer:
    """The optimum is what it is when tasks hold what they have in the slots in which they run; at a long horizon."""
    instance = case.instance
    end = instance.enough + len(instance.tasks)  # with a slot more for each task, all fit as well
    found, true = (least(instance, held=held, horizon=end) for held in (1, 0))
    assert found is not None and true is not None
    return Finding(Fraction(found[0]), Fraction(true[0]), "equal", "optimum of (1)")


def one_short(case: Scheduled) -> Answer:
    """False: the last slot is free."""
    return charged(case, lambda arrival, start, slots: set(range(start, start + slots - 1)))


LAST_SLOT_PROOF = Proof(
    """
    A task that starts in t* and runs for d slots runs in t*, ..., t* + d - 1, and t^ + phi = t* + d - 1: these are the
    integers of [t*, t^ + phi].
    """,
    answers={
        "Then what is phi of a task of one slot that starts on arrival?": "0. And the sum of phi_j falls short of the "
        "sum of R_t, section IV-A, by one for each task: the reward identity needs the phi of the other reading "
        "(`reward_identity`). No phi satisfies both sentences as printed.",
        "Slots or points of time?": "Footnote 1 has timesteps in mind; t is an index in (2)-(6).",
    },
)
HALF_OPEN_PROOF = Proof(
    """
    With phi the slots in the system, a task that starts in t* and runs for d slots has t^ + phi = t* + d. The integers
    of [t*, t* + d) are t*, ..., t* + d - 1, those in which it runs.
    """,
    answers={"A task of no duration?": "It would be charged nowhere; each duration is at least one slot."},
)

SHAPES = (
    Regime[Scheduled]("a task of one slot", lambda c: any(mode.slots == 1 for _, mode, _, _ in c.rows())),
    Regime[Scheduled]("a task of several slots", lambda c: any(mode.slots > 1 for _, mode, _, _ in c.rows())),
    Regime[Scheduled]("a task waits", lambda c: any(start > task.arrival for task, _, _, start in c.rows())),
    Regime[Scheduled](
        "one task right behind another",
        lambda c: any(n == m and t + mode.slots == s for _, mode, n, t in c.rows() for _, _, m, s in c.rows()),
    ),
)
OF_SCHEDULES = Domain(Scheduled, draw.scheduled(), SHAPES)
TOO_LONG = FalseVariant[Scheduled]("from the arrival on", with_settings(charged, slots=from_arrival_half_open))

CLOSED = Claim(
    id="placement.closed_interval5",
    source=LI23.at("(5), section III-C: 'all the alive tasks {j | t in [t*_j, t^_j + phi_j]} in any time t'"),
    statement="(5) charges a task exactly in the slots in which it runs.",
    severity="slip",
    readings=(
        Reading("slots in the system", "phi_j counts them, as sum phi_j = sum R_t of IV-A needs.", charged),
        Reading("the optimum", "With the same phi_j; what is charged too much costs nothing.", same_optimum),
        Reading(
            "last slot",
            "t^_j + phi_j is the last slot in which j runs.",
            with_settings(charged, slots=last_slot),
            proof=LAST_SLOT_PROOF,
        ),
    ),
    domain=OF_SCHEDULES,
    false_variants=(TOO_LONG,),
    old_repair=Repair(
        statement="With t in [t*_j, t^_j + phi_j), phi_j being the slots in the system, (5) charges a task exactly in "
        "the slots in which it runs.",
        readings=(Reading("half-open", "As stated.", with_settings(charged, slots=half_open), proof=HALF_OPEN_PROOF),),
        false_variants=(TOO_LONG, FalseVariant("closed", charged)),
        small=True,
    ),
)

WAITING = Claim(
    id="placement.closed_interval5_arrival",
    source=LI23.at("section III-C, before (1): 'sum over j with t in [t^_j, t^_j + phi_j] of x_jrn <= C_rn'"),
    statement="Tasks occupy the resources for various periods of time: the sum over t in [t^_j, t^_j + phi_j] charges "
    "a task exactly in the slots in which it runs.",
    severity="slip",
    readings=(
        Reading("closed", "From t^_j to t^_j + phi_j, both included.", with_settings(charged, slots=from_arrival)),
        Reading("half-open", "Without the end.", with_settings(charged, slots=from_arrival_half_open)),
    ),
    domain=OF_SCHEDULES,
    false_variants=(FalseVariant("without the last slot", one_short),),
    old_repair=Repair(
        statement="The sum over t in [t*_j, t^_j + phi_j), from the start on, does.",
        readings=(
            Reading("from the start", "As stated.", with_settings(charged, slots=half_open), proof=HALF_OPEN_PROOF),
        ),
        false_variants=(TOO_LONG,),
        small=True,
    ),
)
