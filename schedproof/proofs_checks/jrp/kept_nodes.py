"""Data nodes that are kept though their job is not accepted: claim kept_nodes_released."""

from __future__ import annotations

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.jrp.house import WITNESSES
from schedproof.proofs_checks.jrp.literal import Node, accepted, after, kept, present, prune
from schedproof.proofs_checks.jrp.model import ONE, ZERO
from schedproof.proofs_checks.jrp.model import accepted as levels
from schedproof.proofs_checks.jrp.rounds import ROUNDS, Round, of_round, read
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.writing import table


def left_over(found: Round, drawn: dict[Node, int]) -> set[int]:
    """The jobs of which line 14 sets an x to 1 and line 17 no y."""
    stay = kept(found.instance, drawn, found.y)
    return {k for k, _ in stay} - set(accepted(found.instance, stay))


def after_iteration(case: Case) -> Finding | None:
    """After an iteration x, with what line 14 sets, and y satisfy (6): the probability that they do not is 0."""
    found = read(case)
    if found is None:
        return None
    return Finding(found.chance(lambda drawn: bool(left_over(found, drawn))), ZERO, "at most", "Pr((6) is violated)")


def at_the_end(case: Case) -> Finding | None:
    """The output satisfies (6); it does not where the next PRUNE rejects a job that has an x of 1."""
    found = read(case)
    if found is None:
        return None

    def stays(drawn: dict[Node, int]) -> bool:
        stay = kept(found.instance, drawn, found.y)
        gone = set(accepted(found.instance, stay))
        rest = [k for k in range(len(found.y)) if k not in gone]
        live = {rest[k] for k in present(prune(after(found.instance, stay)))}
        return bool(left_over(found, drawn) - live)

    return Finding(found.chance(stays), ZERO, "at most", "Pr(a rejected job has an x of 1)")


def released(case: Case) -> Finding | None:
    """When the x of jobs that are not accepted are set back to 0, x and y satisfy (6) after each iteration.

    Proof
    -----
    In one iteration each data node is drawn for one server of its A_i at most, so that its x add up to at most 1. By
    line 17 they add up to 1 for each data node of an accepted job, with y = 1, and after the release to 0 for those of
    the others, with y = 0. An accepted job leaves the instance: later iterations do not touch its x.
    """
    found = read(case)
    if found is None:
        return None

    def breaks(drawn: dict[Node, int]) -> bool:
        stay = kept(found.instance, drawn, found.y)
        live = set(accepted(found.instance, stay))
        rows = [(k, i, j, ONE) for (k, i), j in stay.items() if k in live]
        return levels(found.instance, rows) != [ONE * (k in live) for k in range(len(found.y))]

    return Finding(found.chance(breaks), ZERO, "at most", "Pr((6) is violated)")


def _accepts_all(case: Case) -> Finding | None:
    """A false variant: jobs that lose a data node on the way are none."""
    found = read(case)
    if found is None:
        return None
    some = found.chance(
        lambda drawn: len(accepted(found.instance, kept(found.instance, drawn, found.y))) < len(found.y)
    )
    return Finding(some, ZERO, "at most", "Pr(a job is not accepted)")


_PARTLY = of_round(
    "a job with several data nodes and 0 < y < 1", lambda r: any(i and r.y[k] < 1 for k, i, *_ in r.rows)
)
KEPT = Claim(
    id="jrp.kept_nodes_released",
    source="paper 003, Algorithm 1, lines 14 and 17, and its output",
    statement="The x and y of Algorithm 1 satisfy (6).",
    readings=(
        Reading("after an iteration", "Line 14 sets x to 1 and no line sets it back.", after_iteration),
        Reading("the output", "The same, when the algorithm ends.", at_the_end),
        Reading("released", "The x of jobs that are not accepted are set back before the next iteration.", released),
    ),
    regimes=(*ROUNDS, _PARTLY),
    strategy=draw.rounds(),
    planted=(Planted("every job is accepted", _accepts_all),),
    witnesses=WITNESSES,
    repaired_by="jrp.kept_nodes_released_repaired",
    small_repair=True,
)
KEPT_REPAIRED = Claim(
    id="jrp.kept_nodes_released_repaired",
    source="paper 003, Algorithm 1, lines 14 and 17, repaired",
    statement="If each iteration sets the x of jobs that it does not accept back to 0, x and y satisfy (6).",
    readings=(Reading("released", "After each iteration, and so at the end.", released),),
    regimes=(*ROUNDS, _PARTLY),
    strategy=draw.rounds(),
    planted=(Planted("without the release", after_iteration),),
)

CLAIMS = table(KEPT, KEPT_REPAIRED)
