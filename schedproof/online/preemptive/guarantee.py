"""The proven ratio of A_online (claim ``preemptive.theorem3_minlp_repaired``)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.certificates.bound import Answer, Guarantee
from schedproof.instances.preemptive import premises
from schedproof.instances.preemptive.instance import Instance

SOURCE = "preemptive.theorem3_minlp_repaired"


def a_online_guarantee(instance: Instance, speed: Fraction, residual: bool, use_cloud: bool, served: bool) -> Guarantee:
    """Return the repaired ratio of Theorem 3, with its premises.

    The ratio is D_max max(1 + 1/eps, (3 + eps)/(2 eps)).

    Parameters
    ----------
    speed
        The speed 1 + eps of the online run; the offline optimum runs at speed 1.
    residual
        Whether (5) ordered and priced chunks on residual rates, as the proof needs.
    use_cloud
        Whether the policy may send chunks to the cloud.
    served
        Whether A_ps found a parameter server for every running job.
    """
    eps = speed - 1
    answers: dict[str, Answer] = {
        "speed augmentation (eps > 0)": _answer(eps > 0),
        "chunks ordered by residual rate, priced by (5)": _answer(residual),
        "whole slots at both speeds": _answer(premises.whole_slots_at(instance, speed)),
        "no job pays for a mixed placement": _answer(premises.never_split(instance)),
        "the policy may use every server": _answer(use_cloud or instance.cloud is None),
        "chunks land in the order of placement, or all jobs have as many": _answer(
            premises.in_order_or_alike(instance)
        ),
        "a free parameter server for every running job": _answer(served),
        "no storage limit": _answer(all(s.storage is None for s in instance.edges)),
        "restarts take no slots": _answer(not instance.restart),
        "no breaks": _answer(not instance.breaks),
    }
    value = instance.largest_chunk_count * max(1 + 1 / eps, (3 + eps) / (2 * eps)) if eps > 0 else None
    return Guarantee(value, SOURCE, answers)


def _answer(holds: bool) -> Answer:
    return "yes" if holds else "no"
