"""The iterations in which the claims about one iteration of Algorithm 1 are tried."""

from __future__ import annotations

from schedproof.core.claim import Domain, Regime
from schedproof.proofs_checks.strategies import jrp_rounds as draw
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration
from schedproof.reference.jrp_vertices import unique


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
