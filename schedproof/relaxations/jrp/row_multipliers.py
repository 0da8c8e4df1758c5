"""Row multipliers of LP_I and the split-free LP from their prices.

The prices are the multipliers of (7), (8), (9), and of the rows (16), (17) or (10). A data node's row (6) has the cost
on its cheapest server as multiplier, and y_k <= 1 the job's remaining surplus.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.programs.exact.listing import Listing
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.certificate import Prices

TAKES = {  # rows of each job and server -> the server's resource that they use
    "computing_time": "compute",
    "computing_alone": "compute",
    "communication_time": "bandwidth",
    "communication_alone": "bandwidth",
}


def multipliers(listing: Listing, certificate: Prices, instance: Instance) -> dict[int, Fraction]:
    """Multipliers of (7), then the share rows and (8) or (9), then (6), by row number."""
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
            result[i] = turned * max(paid, default=Fraction(-1))  # without a server: the job's whole value
    return result
