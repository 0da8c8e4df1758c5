"""Multipliers of `lp4`'s rows from the prices of the LP of (4).

alpha_j belongs to a job's work (4a), -beta_q(t) to a class's capacity (4b), -delta_j(t) to (4e).
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.programs.exact.listing import Listing
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.prices import BITS, PriceCertificate


def multipliers(listing: Listing, certificate: PriceCertificate, instance: Instance) -> dict[int, Fraction]:
    """Return alpha, -beta and -delta by the number of the row."""
    job = {job.name: job.index for job in instance.jobs}
    place = {(q.server.name, q.type): q.index for q in instance.classes}
    alpha, beta = certificate.values, certificate.prices.units
    result: dict[int, Fraction] = {}
    for i, row in enumerate(listing.rows):
        index = row.place[1]
        if row.group == "class_work":
            result[i] = Fraction(int(alpha[job[index]]), 1 << BITS)
        elif row.group == "class_capacity" and index[-1] < beta.shape[1]:
            result[i] = -Fraction(int(beta[place[index[:2]], index[-1]]), 1 << BITS)
    rest = listing.remaining_costs(result)
    for i, row in enumerate(listing.rows):
        if row.group == "chunks_at_once":
            result[i] = min(Fraction(0), *(rest[j] for j in row.terms))
    return result
