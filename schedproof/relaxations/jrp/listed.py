"""LP_I and the split-free LP, row by row in rationals under the names of their groups, and a certificate's multipliers.

The prices are the multipliers of (7), of (8) and (9), and of what a job's data take of its share. A data node pays by
its row of (6) what its cheapest server costs; what accepting the job is worth beyond that is for y_k <= 1.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from schedproof.core.vipr import Name, RationalProgram, Row, require_listable
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.certificate import Prices

ONE, NOTHING = Fraction(1), Fraction(0)


def lp_i(instance: Instance) -> RationalProgram:
    """LP_I (5)-(9), (14)-(17)."""
    share = instance.communication_share
    return _program(instance, "jrp.lp_i", "time", 1 - share, share)


def split_free_lp(instance: Instance) -> RationalProgram:
    """(5)-(9), (14), (15), and what (10) asks of computing alone and of communicating alone."""
    return _program(instance, "jrp.split_free_lp", "alone", ONE, ONE)


def _program(instance: Instance, id: str, times: str, computing: Fraction, communicating: Fraction) -> RationalProgram:
    """``accepted[k]`` is y_k, ``placed[k,i,j]`` x_i^j of its node i, ``compute`` and ``bandwidth`` [k,j] are r_jk."""
    places = [{j for node in job.nodes for j in node.servers} for job in instance.jobs]
    edges = sum(len(node.servers) for job in instance.jobs for node in job.nodes)
    require_listable(id, len(places) + edges + 2 * sum(map(len, places)))
    costs: dict[Name, Fraction] = {("accepted", (job.index,)): ONE for job in instance.jobs}
    rows: dict[Name, Row] = {}
    on = defaultdict[tuple[str, int], dict[Name, Fraction]](dict)  # what takes of a server's storage, and so on
    for job, servers in zip(instance.jobs, places, strict=True):
        k, data = job.index, defaultdict[int, dict[Name, Fraction]](dict)
        for i, node in enumerate(job.nodes):
            joined: dict[Name, Fraction] = {("placed", (k, i, j)): ONE for j in node.servers}
            rows["assignment", (k, i)] = Row(joined | {("accepted", (k,)): -ONE}, "=", NOTHING)
            for j, name in zip(node.servers, joined, strict=True):
                costs[name], data[j][name] = NOTHING, node.size
        for j in servers:
            on["storage", j] |= data[j]
            for what, time, share, rate in (
                ("compute", f"computing_{times}", computing, job.compute_rate),
                ("bandwidth", f"communication_{times}", communicating, job.bandwidth_rate),
            ):
                given: Name = (what, (k, j))
                costs[given], on[what, j][given] = NOTHING, ONE
                if rate:
                    need = {name: rate * size for name, size in data[j].items()}
                    rows[time, (k, j)] = Row(need | {given: -share}, "<=", NOTHING)
    for (what, j), terms in on.items():
        rows[what, (j,)] = Row(terms, "<=", getattr(instance.servers[j], what))
    most = {name: ONE for name in costs if name[0] in ("accepted", "placed")}
    return RationalProgram("maximize", costs, most, rows, multipliers)


def multipliers(program: RationalProgram, certificate: Prices) -> dict[Name, Fraction]:
    """Of (7), then of what data take and of (8) or (9), then of (6)."""
    found: dict[Name, Fraction] = {}
    for (group, index), row in program.rows.items():
        if group == "storage":
            found[group, index] = certificate.storage[index[0]]
        for start, what in (("computing", "compute"), ("communication", "bandwidth")):
            if group.startswith(start):
                price, given = getattr(certificate, what)[index[1]], row.terms[what, index]
                found[group, index], found[what, index[1:]] = price, -price * given
    left = program.reduced_costs(found)
    for (group, index), row in program.rows.items():
        if group == "assignment":
            paid = [left[column] for column in row.terms if column[0] == "placed"]
            found[group, index] = max(paid, default=-ONE)  # without a server: all that the job is worth
    return found
