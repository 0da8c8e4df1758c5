"""What the prices of LP_I and of the split-free LP multiply their rows with.

The prices are the multipliers of (7), of (8) and (9), and of what a job's data take of its share. A data node pays by
its row of (6) what its cheapest server costs; what accepting the job is worth beyond that is for y_k <= 1.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.programs.exact.listing import Listing
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.certificate import Prices

TAKES = {  # rows of each job and server -> the server's resource that they take of
    "computing_time": "compute",
    "computing_alone": "compute",
    "communication_time": "bandwidth",
    "communication_alone": "bandwidth",
}


def multipliers(listing: Listing, certificate: Prices, instance: Instance) -> dict[int, Fraction]:
    """Of (7), then of what data take and of (8) or (9), then of (6), by the number of the row."""
    servers = {server.name: server.index for server in instance.servers}
    number = {row.place: i for i, row in enumerate(listing.rows)}
    result: dict[int, Fraction] = {}
    for i, row in enumerate(listing.rows):
        what = TAKES.get(row.group, row.group)
        if what not in ("storage", "compute", "bandwidth"):
            continue
        server = row.place[1] if what == row.group else row.place[1][1]
        price = getattr(certificate, what)[servers[server]]
        if what == "storage":
            result[i] = price
        elif what != row.group:
            given = next(a for j, a in row.terms.items() if listing.columns[j].place[0] == f"allocate.{what}")
            result[i], result[number[f"{what}.row", server]] = price, -price * given
    rest = listing.remaining_costs(result)
    for i, row in enumerate(listing.rows):
        if row.group == "assignment":
            turned = next(-a for j, a in row.terms.items() if listing.columns[j].group == "admit")
            paid = [rest[j] for j in row.terms if listing.columns[j].group == "assign"]
            result[i] = turned * max(paid, default=Fraction(-1))  # without a server: all that the job is worth
    return result
