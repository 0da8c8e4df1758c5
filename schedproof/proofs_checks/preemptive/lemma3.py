"""Lemma 3: is z of A_ps (Algorithm 5) feasible for (4c), (4d) and (4h)?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from schedproof.core.claims.claim import Answer, Claim, Finding, worst
from schedproof.families.preemptive import WANG22
from schedproof.instances.preemptive import Instance
from schedproof.instances.preemptive.premises import enough_parameter_servers
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.parameter_servers import SERVED, choices, collision
from schedproof.proofs_checks.preemptive.shared.premises import ENOUGH
from schedproof.proofs_checks.strategies.preemptive import CLOUD, Online, build_instance, edge, job
from schedproof.reference.preemptive import Options
from schedproof.reference.preemptive_parameter_servers import ParameterServer, a_ps, open_to

LEMMA3 = Claim(
    "preemptive.lemma3",
    WANG22.at("section IV-E, Lemma 3; Algorithm 5"),
    "A_ps generates feasible z of (4): (4c) and (4d) are satisfied, and (4h).",
    SERVED,
    severity="false theorem",
)
REPAIRED = LEMMA3.repair(
    f"With 'a free PS that has landed' in line 6, if {ENOUGH.sentence}: A_ps satisfies (4c), (4d) and (4h).",
    domain=SERVED.but(premises=(ENOUGH,)),
    small=True,
)
LEMMA3.reading("any PS", "Line 6 as printed: any PS with o_jsp = 1, free or not, landed or not.")(collision)


@LEMMA3.reading("a free PS", "Line 6 takes 'an available PS', as in the introduction, by any rule.")
@LEMMA3.false_variant("a PS to spare", forgiven=-1)
def any_free_ps(case: Online, forgiven: int = 0) -> Answer:
    """If line 6 draws a free PS with o_jsp = 1, some choice serves all running jobs.

    All running jobs are served in every slot, and (4h) holds.
    """
    result = ((slot, [open_to(case.instance, job, slot) for job in needy]) for slot, needy in choices(case.instance))
    return worst(
        Finding(Fraction(len(sets) - matching(sets)), Fraction(forgiven), "at most", f"jobs without PS in slot {slot}")
        for slot, sets in result
    )


FEWER_HOLDERS = """
A job takes a PS on s only from r_j + Delta_js on, which is (4h). A job keeps its PS while it runs, releases the PS when
it pauses, and takes only a free PS. So no PS ever serves two jobs, which is (4d). For (4c) let a running job j need a
PS
in slot t. If t >= r_j + Delta_jc, a parameter server of the cloud is free and has landed, for all assignments of the
other parameter servers. The
same holds for a job that is entirely in the cloud: it runs only then, and it takes its PS there, which keeps zeta_j =
1. Otherwise a chunk of j runs in t on an edge worker, on which it has landed. Let m_j be the least Delta_js over the
edge servers that have workers for j. Then t >= r_j + m_j and Delta_jc > m_j, so the other parameter servers of the
premise have landed too. Two kinds of jobs may hold an edge PS. The first are other jobs that run on an edge worker.
Each of these jobs, and j itself, keeps a worker busy, and a worker trains one chunk at a time. So these other jobs are
fewer
than the edge workers. The second are jobs that run only in the cloud; each may use the cloud. Each of these jobs holds
one PS, so fewer are held than are open to j by the premise. So a PS open to j is free, for all earlier picks.
- *Line 1 of Algorithm 5 goes through the jobs that arrive in the slot, not through the running jobs.* It is read as
'the running jobs', as in the text above it. Otherwise a job that arrives earlier never gets a PS after a pause.
- *Does a job that is only in the cloud hold an edge PS?* It may: a job that is split between both keeps the PS of the
edge while only its cloud chunks run. This is why such jobs are counted in addition to the workers.
"""


@REPAIRED.reading(
    "a free PS that has landed", "Line 6 chooses a free parameter server that has landed, by any rule.", FEWER_HOLDERS
)
def free_landed_ps(case: Online) -> Finding:
    out = regimes.run(case.instance, Options())
    missing = max(a_ps(case.instance, out.rows, out.all_in_cloud, pick)[1] for pick in (min, max))
    return Finding(Fraction(missing), Fraction(0), "at most", "running jobs without a PS")


REPAIRED.false_variant("however few there are")(lambda case: free_landed_ps(lingering()))
REPAIRED.false_variant("landed or not")(lambda case: wherever(on_arrival, far_cloud()))
REPAIRED.false_variant("as many as edge workers")(lambda case: wherever(as_many_as_workers, lingering()))


def wherever(premise: Callable[[Instance], bool], case: Online) -> Finding:
    """`free_landed_ps` under another premise, which the case satisfies."""
    return free_landed_ps(case) if premise(case.instance) else Finding(Fraction(0), Fraction(0))


def matching(sets: list[list[ParameterServer]]) -> int:
    """The largest number of jobs with a parameter server each."""
    return max(len(set(pick)) for pick in product(*(options for options in sets if options)))


def on_arrival(instance: Instance) -> bool:
    """A weaker premise that is not enough: every PS counts as open on arrival."""
    return enough_parameter_servers(instance, after_upload=False)


def as_many_as_workers(instance: Instance) -> bool:
    """A weaker premise that is not enough: jobs that may use the cloud do not count."""
    enough = sum(q.count for q in instance.classes)
    return all(instance.cloud_delay(j) is not None or len(open_to(instance, j)) >= enough for j in instance.jobs)


def far_cloud() -> Online:
    """Two workers, one edge PS, and a cloud that both jobs reach ten slots too late."""
    jobs = [job(name, 2, {"e0": 0, "cloud": 10}) for name in "ab"]
    return Online(build_instance([edge("e0", workers=2, parameter_servers=1), CLOUD], jobs, 50))


def lingering() -> Online:
    """One worker, one PS: a job in the cloud holds the edge PS that another needs."""
    jobs = [job("mixed", 3, {"e0": 0, "cloud": 2}, chunks=2), job("local", 1, {"e0": 0}, arrival=3)]
    return Online(build_instance([edge("e0", parameter_servers=1), CLOUD], jobs, 50))
