"""The LP of (4) by classes, row by row in rationals under the names of `lp4`'s groups, and a certificate's multipliers.

alpha_j is the multiplier of a job's work, beta_q(t) of a class's capacity, and delta_j(t) of the job's chunks at once,
no larger than what its columns in that slot would otherwise gain.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from schedproof.core.vipr import Name, RationalProgram, Row, require_listable
from schedproof.formulations.preemptive.index import charge, cloud_window, slots, window
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.prices import BITS, PriceCertificate


def lp4(instance: Instance, *, cost: str, speed: Fraction) -> RationalProgram:
    """The class LP in whole slots; ``edge[j,q,t]`` and ``cloud[j,t]`` are workers that train job j in slot t."""
    edge = [(j, q, window(instance, j, delay, speed)) for j in instance.jobs for q, delay in instance.qualified(j)]
    uses = [*edge, *((j, None, span) for j, span in cloud_window(instance, speed))]
    require_listable("preemptive.lp4", sum(len(span) for *_, span in uses))
    costs: dict[Name, Fraction] = {}
    work, capacity, at_once = (defaultdict[tuple[int, ...], dict[Name, Fraction]](dict) for _ in range(3))
    for job, q, span in uses:
        takes = slots(job, q is None, "ceil_chunk", speed)
        for t in span:
            name: Name = ("cloud", (job.index, t)) if q is None else ("edge", (job.index, q.index, t))
            costs[name] = charge(job, t, takes, cost)
            work[job.index,][name] = 1 / takes
            at_once[job.index, t][name] = Fraction(1)
            if q is not None:
                capacity[q.index, t][name] = Fraction(1)
    chunks = [Fraction(job.chunks) for job in instance.jobs]
    rows: dict[Name, Row] = {("class_work", (j,)): Row(work[j,], ">=", most) for j, most in enumerate(chunks)}
    for qt, terms in capacity.items():
        rows["class_capacity", qt] = Row(terms, "<=", Fraction(instance.classes[qt[0]].count))
    for jt, terms in at_once.items():
        rows["chunks_at_once", jt] = Row(terms, "<=", chunks[jt[0]])
    return RationalProgram("minimize", costs, {}, rows, multipliers)


def multipliers(program: RationalProgram, certificate: PriceCertificate) -> dict[Name, Fraction]:
    """alpha, -beta and -delta."""
    alpha, beta = certificate.values, certificate.prices.units
    found: dict[Name, Fraction] = {}
    for group, index in program.rows:
        if group == "class_work":
            found[group, index] = Fraction(int(alpha[index]), 1 << BITS)
        elif group == "class_capacity" and index[1] < beta.shape[1]:
            found[group, index] = -Fraction(int(beta[index]), 1 << BITS)
    left = program.reduced_costs(found)
    for (group, index), row in program.rows.items():
        if group == "chunks_at_once":
            found[group, index] = min(Fraction(0), *(left[column] for column in row.terms))
    return found
