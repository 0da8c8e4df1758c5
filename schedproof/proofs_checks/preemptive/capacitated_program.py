"""Section VI, (7a)-(7d): do they describe limited storage?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared import regimes
from schedproof.proofs_checks.preemptive.shared.parameter_servers import violations
from schedproof.proofs_checks.preemptive.shared.premises import LONG_HORIZON
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.strategies.preemptive import Online
from schedproof.reference.preemptive import Options, Outcome

PROGRAM = Claim(
    "preemptive.capacitated_program",
    WANG22.at("section VI, (7a)-(7d)"),
    "(7a)-(7d) describe 'each chunk is stored on one server from its arrival to its completion'.",
    Domain.of(
        Online,
        draw.at_speed_1(storage=True),
        {"several edge servers": lambda case: len(case.instance.edges) > 1},
        *regimes.STORED,
        regimes.PREEMPTION,
    ),
    severity="slip",
)
REPAIRED = PROGRAM.repair(
    "With sum_s x_jds = 1, x_jds constant in time, and x_jds u_j in (7b) from arrival to completion, "
    "(7a)-(7d) describe 'each chunk is stored on one server from its arrival to its completion'.",
    small=True,
)


def within_storage(closed: bool) -> tuple[Premise[Online]]:
    """A schedule is within U_s, each chunk stored on its own server."""

    def met(case: Online) -> bool:
        out = regimes.run(case.instance, Options(storage=True))
        home = {c.number: c.server.index for c in out.chunks}
        return not overflow(out, lambda n, s: home[n] == s, closed)

    return (Premise("the schedule is within U_s", met),)


@PROGRAM.reading(
    "closed interval",
    "A schedule within U_s, x_jds(t) = 1 for every s and t in [r_j, c_j], both ends.",
    where=within_storage(closed=True),
)
@PROGRAM.reading(
    "half-open interval",
    "A schedule within U_s, x_jds(t) = 1 for every s and t in [r_j, c_j).",
    where=within_storage(closed=False),
    closed=False,
)
def meets_program(case: Online, closed: bool = True) -> Finding:
    out = regimes.run(case.instance, Options(storage=True))
    return Finding(overflow(out, lambda n, s: True, closed), Fraction(0), "at most", "GB above U_s that (7c) forces")


ONE_SERVER_EACH = """
Let a schedule be given. Set x_jds = 1 for the server s where chunk d is stored. Each chunk has one server, so sum_s
x_jds = 1. It is trained only there, so y_jdsw(t) <= x_jds. The size stored on s at t is the sum of x_jds u_j over
chunks of jobs with r_j <= t that are not yet complete. It is at most U_s. Conversely, such an x gives one server for
each chunk. The chunk is trained and stored only there, from arrival to completion. (7b) over the alive jobs is the
storage limit. No row forces a chunk onto a second server.
- *The text keeps a chunk until 'it is completed', (7c) until its job is.* Both are readings here, and the argument is
the same with c_jd instead of c_j. In the first, 'alive' means 'the job is not complete'; in the second, 'the chunk is
not complete'.
"""


@REPAIRED.reading(
    "until the job completes",
    "A chunk stays until c_j, as printed in (7c) and (7d).",
    ONE_SERVER_EACH,
    where=(LONG_HORIZON,),
)
@REPAIRED.false_variant("never met", blind=True)
def described_repaired(case: Online, blind: bool = False) -> Finding:
    """(7a)-(7d) describe exactly the schedules within storage, once repaired.

    The repair: sum_s x_jds = 1, y_jdsw(t) <= x_jds, and x_jds constant in time.
    """
    out = regimes.run(case.instance, Options())  # unaware of storage: some schedules overflow
    home = {c.number: c.server.index for c in out.chunks}
    meets = not blind and not overflow(out, lambda n, s: home[n] == s, closed=False)
    allowed = not any(v.startswith("storage") for v in violations(case.instance))
    return Finding(Fraction(meets), Fraction(allowed), "equal", "(7a)-(7d) repaired, and the instance's own checker")


@REPAIRED.reading(
    "until the chunk completes",
    "A chunk stays until c_jd, as in the text below (7e), which allows more.",
    ONE_SERVER_EACH,
)
def described_per_chunk(case: Online) -> Finding:
    """The equivalence with c_jd in place of c_j: the text frees storage by chunk.

    (7b) is checked at arrivals, and slot by slot.
    """
    out = regimes.run(case.instance, Options())
    home = {c.number: c.server.index for c in out.chunks}
    meets = not overflow(out, lambda n, s: home[n] == s, closed=False, per_chunk=True)
    spans = [(c, range(c.job.arrival, int(out.completion(c)))) for c in out.chunks]
    last = max(span.stop for _, span in spans)
    fits = all(
        server.storage is None
        or sum(c.job.chunk_size for c, span in spans if t in span and c.server is server) <= server.storage
        for server in case.instance.edges
        for t in range(last)
    )
    return Finding(Fraction(meets), Fraction(fits), "equal", "(7a)-(7d) repaired with c_jd, and slot by slot")


@PROGRAM.false_variant("(7c) always asks for too much")
def too_much(case: Online) -> Finding:
    return replace(meets_program(case), claimed=Fraction(1, 2), direction="at least")


def overflow(out: Outcome, stored: Callable[[int, int], bool], closed: bool, per_chunk: bool = False) -> Fraction:
    """The largest violation of (7b) when ``stored`` gives each chunk's server.

    ``closed`` stores chunks over [r_j, c_j], as (7c) prints it; otherwise c_j is left out. ``per_chunk`` uses c_jd.
    """
    done = {
        c.number: max(out.completion(d) for d in out.chunks if (d is c if per_chunk else d.job is c.job))
        for c in out.chunks
    }
    limit = Fraction(0)
    for server in out.instance.edges:
        for time in (Fraction(job.arrival) for job in out.instance.jobs):
            alive = [c for c in out.chunks if c.job.arrival <= time < done[c.number] + closed]
            used = sum((c.job.chunk_size for c in alive if stored(c.number, server.index)), Fraction(0))
            limit = max(limit, used - (used if server.storage is None else server.storage))
    return limit
