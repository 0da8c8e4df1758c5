"""How near cases come to what the ledger's claims promise of a policy: a table of the page `adversary` writes.

Only claims that hold are in it; a share above 1 would refute one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schedproof.adversary.nearest import Nearest, nearest
from schedproof.adversary.objective import in_a_cell
from schedproof.core import claims
from schedproof.core.numbers import decimals

PROMISES = (
    *(f"preemptive.theorem3_{program}_repaired" for program in ("lp", "ilp_fluid", "minlp")),
    *(f"dmlrs.{name}" for name in ("theorem5_ratio_repaired", "theorem6_ratio_repaired", "better_price")),
    *(f"jrp.{name}" for name in ("theorem1_repaired", "theorem1_equal_sizes")),
    *(f"multiserver.theorem1_{step}" for step in ("constant", "step53_repaired", "anytime", "decayed_repaired")),
    *(f"multiserver.{name}" for name in ("worst_case_from_zero", "worst_case_from_centre", "gang_sublinear")),
    *(f"placement.{name}" for name in ("no_starvation", "terminates")),
)
COLUMNS = ("claim", "reading", "what is compared", "measured", "promised", "share", "cases compared")


def rows(ids: Sequence[str], cases: int, seed: int) -> Iterator[str]:
    """The nearest of so many cases of each reading of some claims, as rows of the table."""
    for id in ids:
        claim = claims.claim(id)
        for reading in claim.readings:
            found = nearest(claim, reading, cases, seed)
            if found is not None:
                yield row(id, reading.name, found)


def row(id: str, reading: str, found: Nearest) -> str:
    """The nearest case as a row of the table."""
    finding, above = found.finding, " **exceeded**" if found.share > 1 else ""
    sides = (in_a_cell(finding.measured), in_a_cell(finding.claimed))
    share = f"{decimals(found.share, 4, up=False)}{above}"
    return f"| {' | '.join([id, reading, finding.where, *sides, share, str(found.compared)])} |"
