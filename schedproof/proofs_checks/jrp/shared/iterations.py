"""The iterations of Algorithm 1 for the claims about them, and the data kept."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.claims.claim import Domain, Regime
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.strategies.jrp_rounds import Drawn, Iteration
from schedproof.reference.jrp import ONE, ZERO, Fits, Row, all_three, data, needs, storage
from schedproof.reference.jrp_vertices import unique

Choice = Callable[[Iteration, Drawn], list[Row]]


def all_kept(case: Iteration, drawn: Drawn, fits: Fits = storage) -> list[Row]:
    """Lines 9-15: every drawn data node that its server keeps."""
    return [(k, i, j, ONE) for (k, i), j in case.kept(drawn, fits=fits).items()]


def all_accepted(case: Iteration, drawn: Drawn, fits: Fits = storage) -> list[Row]:
    """Line 17: the kept data nodes of accepted jobs."""
    live = case.accepted(drawn, fits=fits)
    return [row for row in all_kept(case, drawn, fits) if row[0] in live]


def all_tests(case: Iteration, drawn: Drawn) -> list[Row]:
    """The data kept by servers that test storage, compute and bandwidth."""
    return all_kept(case, drawn, all_three)


def preliminary(case: Iteration, drawn: Drawn) -> list[Row]:
    """Line 8: every drawn data node, without a test."""
    return [(k, i, j, ONE) for (k, i), j in drawn.items()]


def _overbooks(case: Iteration) -> bool:
    held = data(case.pruned, preliminary(case, {(k, i): j for k, i, j, _ in case.x}))
    return any(sum(here.values()) > server.storage for here, server in zip(held, case.pruned.servers, strict=True))


def _compute_binds(case: Iteration) -> bool:
    share = 1 - case.instance.communication_share
    computing = [sum((c for c, _ in needs(case.pruned, here)), ZERO) for here in data(case.pruned, case.x)]
    return any(c == share * server.compute > 0 for c, server in zip(computing, case.pruned.servers, strict=True))


def _two_deadlines(case: Iteration) -> bool:
    timed = [row for row in case.x if case.pruned.jobs[row[0]].deadline is not None]
    return any(len(here) > 1 for here in data(case.pruned, timed))


def _tie(case: Iteration) -> bool:
    fractions = [y for y in case.y if 0 < y < 1]
    return len(fractions) > len(set(fractions))


ROUNDS: tuple[Regime[Iteration], ...] = (
    Regime("no job has y = 1", lambda case: case.y[case.top] < 1),
    Regime("a job has y = 1", lambda case: case.y[case.top] == 1),
    Regime("a y is a fraction", lambda case: any(y.denominator > 1 for y in case.y)),
    Regime("two jobs with the same fraction", _tie),
    Regime("a job with several data nodes", lambda case: any(i for _, i, _, _ in case.x)),
    Regime("several servers in use", lambda case: len({j for _, _, j, _ in case.x}) > 1),
    Regime("PRUNE rejects a job", lambda case: len(case.present) < len(case.y)),
    Regime("the optimum is unique", lambda case: unique(case.pruned, case.prices)),
)
SPREAD: Regime[Iteration] = Regime(
    "a data node drawn between servers", lambda case: len({row[:2] for row in case.x}) < len(case.x)
)
ITERATIONS = Domain(Iteration, draw.rounds(), (*ROUNDS, SPREAD))
DRAWN = ITERATIONS.but(
    regimes=(
        *ITERATIONS.regimes,
        Regime("more may be drawn than there is storage for", _overbooks),
        Regime("compute binds in LP_I", _compute_binds),
        Regime("two jobs with deadlines on a server", _two_deadlines),
    )
)
