"""The premises of the preemptive statements, each as a sentence."""

from __future__ import annotations

from schedproof.core.claims.claim import Premise
from schedproof.instances.preemptive import premises
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.strategies.preemptive import OfInstance, Online

ABOVE_ONE: Premise[Online] = Premise("the speed 1 + eps is above 1", lambda case: case.speed > 1)
IN_ORDER: Premise[OfInstance] = Premise(
    "on each server chunks land in the order in which they were placed",
    lambda case: premises.lands_in_order(case.instance),
)
IN_ORDER_OR_ALIKE: Premise[OfInstance] = Premise(
    "chunks landing in the order of placement, or equally many chunks in every job",
    lambda case: premises.in_order_or_alike(case.instance),
)
ALIKE: Premise[OfInstance] = Premise(
    "every job has the same number of chunks", lambda case: len({job.chunks for job in case.instance.jobs}) == 1
)
NEVER_SPLIT: Premise[OfInstance] = Premise(
    "no job paying for a mixed placement", lambda case: premises.never_split(case.instance)
)
NO_ROUNDING: Premise[Online] = Premise(
    "no loss by rounding", lambda case: premises.whole_slots_at(case.instance, case.speed)
)
ENOUGH: Premise[OfInstance] = Premise(
    "each job, as soon as a chunk of it can run, may take the cloud's parameter servers, or as many "
    "others as edge workers and jobs that may use the cloud, together",
    lambda case: premises.enough_parameter_servers(case.instance),
)
LONG_HORIZON: Premise[OfInstance] = Premise("a long enough horizon", lambda case: premises.long_enough(case.instance))
ROOM: Premise[OfInstance] = Premise(
    "every server has room for all chunks", lambda case: premises.room_for_all(case.instance)
)
IN_CLOUD: Premise[Online] = Premise(
    "a chunk is allocated to the cloud", lambda case: any(c.server.cloud for c in regimes.outcome(case).chunks)
)
WITHIN_REPAIRED: tuple[Premise[Online], ...] = (  # of theorem3_minlp_repaired in whole slots
    ABOVE_ONE,
    IN_ORDER_OR_ALIKE,
    NEVER_SPLIT,
    NO_ROUNDING,
    ENOUGH,
    LONG_HORIZON,
    ROOM,
)
