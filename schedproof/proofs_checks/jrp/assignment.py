"""Section III-D: what (6) says of a data node. Claim assignment6.

A case is one data node: m servers, those that are assignable (A_i), x_i^j by server and y_k.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.strategies.jrp import st
from schedproof.proofs_checks.writing import of_data, table


def satisfies6(case: Case) -> bool:
    """(6), the sum over the assignable servers."""
    d = case.data
    return sum(d["x"][j] for j in d["assignable"]) == d["y"]


def workers(case: Case) -> Finding | None:
    """With (6), (11) and (12), the data node has y_k workers: one if its job is accepted, else none."""
    d = case.data
    return Finding(Fraction(sum(d["x"])), Fraction(d["y"]), "equal", "workers, y") if satisfies6(case) else None


def assignable_workers(case: Case) -> Finding | None:
    """The same with x_i^j = 0 for the servers outside A_i.

    Proof
    -----
    The sum over all servers is then the sum over A_i, which is y_k by (6); x is binary, so that exactly one of them is
    1 if y_k = 1, and none if y_k = 0.
    """
    d = case.data
    outside = any(x for j, x in enumerate(d["x"]) if j not in d["assignable"])
    return None if outside else workers(case)


def _any_sum(case: Case) -> Finding:
    return Finding(Fraction(sum(case.data["x"])), Fraction(case.data["y"]), "equal")


@st.composite
def _nodes(pick: Any) -> Case:
    """Often a solution of (6)."""
    servers = pick(st.integers(1, 3))
    assignable = sorted(pick(st.sets(st.integers(0, servers - 1))))
    x = [pick(st.integers(0, 1)) if pick(st.booleans()) else 0 for _ in range(servers)]
    y = min(1, sum(x[j] for j in assignable)) if pick(st.booleans()) else pick(st.integers(0, 1))
    return Case(None, {"assignable": assignable, "x": x, "y": y})


_INSIDE = Reading("x for j in A_i", "x_i^j stands for assignable servers only, or is 0 elsewhere.", assignable_workers)
_REGIMES = (
    of_data("accepted", lambda d: d["y"] == 1),
    of_data("rejected", lambda d: d["y"] == 0),
    of_data("every server assignable", lambda d: len(d["assignable"]) == len(d["x"])),
    of_data("some servers assignable", lambda d: 0 < len(d["assignable"]) < len(d["x"])),
    of_data("no server assignable", lambda d: not d["assignable"]),
)
ASSIGNMENT = Claim(
    id="jrp.assignment6",
    source="paper 003, section III-D, after (13)",
    statement="By (6), a data node of an accepted job has one and only one worker; of a rejected job it has none.",
    readings=(Reading("x for j in M", "As (12) has it: x_i^j is a variable for every server.", workers), _INSIDE),
    regimes=_REGIMES,
    strategy=_nodes(),
    planted=(Planted("without (6)", _any_sum),),
    witnesses=WITNESSES,
    repaired_by="jrp.assignment6_repaired",
    small_repair=True,
)
ASSIGNMENT_REPAIRED = Claim(
    id="jrp.assignment6_repaired",
    source="paper 003, section III-D, after (13), repaired",
    statement="By (6) and x_i^j = 0 for j outside A_i, a data node has exactly y_k workers.",
    readings=(_INSIDE,),
    regimes=_REGIMES,
    strategy=_nodes(),
    planted=(Planted("x for j in M", workers),),
)

CLAIMS = table(ASSIGNMENT, ASSIGNMENT_REPAIRED)
