"""Lemma 3: does A_ps (Algorithm 5) satisfy (4c) and (4d)?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from schedproof.core.claim import (
    Answer,
    Claim,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Repair,
    with_settings,
    worst,
)
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive import Instance
from schedproof.instances.preemptive.premises import enough_parameter_servers
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.parameter_servers import SERVED, choices, collision
from schedproof.proofs_checks.strategies.preemptive import CLOUD, Online, build_instance, edge, job
from schedproof.reference.preemptive import Options, ParameterServer, a_ps, open_to


def unserved(case: Online, forgiven: int = 0) -> Answer:
    """Line 6 draws a free PS with o_jsp = 1: some choice of free ones serves every running job, in every slot."""
    return worst(
        Finding(Fraction(len(sets) - matched(sets)), Fraction(forgiven), "at most", f"jobs without PS in slot {slot}")
        for slot, sets in choices(case.instance)
    )


def served(case: Online, premise: Callable[[Instance], bool] = enough_parameter_servers) -> Answer:
    """A_ps that picks a free PS, where there are enough, serves every running job and shares no PS: (4c) and (4d).

    Premise: each job may use the cloud's parameter servers, or has open to it at least as many others as there are
    edge workers and jobs that may use the cloud, together.
    """
    if not premise(case.instance):
        return Outside("TODO")
    out = regimes.run(case.instance, Options())
    missing = max(a_ps(case.instance, out.rows, out.all_in_cloud, pick)[1] for pick in (min, max))
    return Finding(Fraction(missing), Fraction(0), "at most", "running jobs without a PS")


SERVED_PROOF = Proof(
    """
    A job keeps its PS while it runs, gives it back when it pauses, and takes only a free one: no PS ever serves two
    jobs, which is (4d). For (4c) let a running job need a PS. If it may use the cloud, a PS there is free, whatever
    the others hold (a job that is entirely in the cloud takes one there at once, which keeps zeta_j = 1). If not,
    look at who may hold an edge PS: first, other running jobs that may not use the cloud; each of them, and the job
    itself, keeps an edge worker busy, and a worker trains one chunk at a time, so these others are fewer than the
    edge workers. Second, jobs that may use the cloud, one PS each. Together they hold fewer than are open to the job,
    so one that is open to it is free, whichever free ones were picked before.
    """,
    answers={
        "TODO": "TODO",
    },
)


def matched(sets: list[list[ParameterServer]]) -> int:
    """How many jobs can have a parameter server of their own, at most."""
    return max(len(set(pick)) for pick in product(*(options for options in sets if options)))


def as_many_as_workers(instance: Instance) -> bool:
    """A weaker premise that is not enough: jobs that may use the cloud are not counted."""
    enough = sum(q.count for q in instance.classes)
    return all(instance.cloud_delay(j) is not None or len(open_to(instance, j)) >= enough for j in instance.jobs)


def lingering() -> Online:
    """One worker, one PS: a job that still runs in the cloud holds the edge's PS when another needs it."""
    jobs = [job("mixed", 3, {"e0": 0, "cloud": 2}, chunks=2), job("local", 1, {"e0": 0}, arrival=3)]
    return Online(build_instance([edge("e0", parameter_servers=1), CLOUD], jobs, 50))


LEMMA3 = Claim(
    id="preemptive.lemma3",
    source=WANG22.at("section IV-E, Lemma 3; Algorithm 5"),
    statement="A_ps satisfies (4c) and (4d).",
    readings=(
        Reading("any PS", "Line 6 as printed: any PS with o_jsp = 1, free or not.", collision),
        Reading("a free PS", "Line 6 with 'an available PS', as the introduction says.", unserved),
    ),
    domain=SERVED,
    false_variants=(FalseVariant("a PS to spare", with_settings(unserved, forgiven=-1)),),
    severity="false theorem",
    repair=Repair(
        statement="With 'a free PS' in line 6 and enough of them open to each job, A_ps satisfies (4c) and (4d).",
        readings=(Reading("a free PS", "Any rule of choice among the free ones.", served, proof=SERVED_PROOF),),
        false_variants=(
            FalseVariant("however few there are", with_settings(served, premise=lambda instance: True)),
            FalseVariant("as many as edge workers", lambda case: served(lingering(), premise=as_many_as_workers)),
        ),
        small=True,
    ),
)
