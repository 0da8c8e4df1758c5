"""Checks of runs of OGASched, which speak about the cases that have an exact one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from hypothesis import strategies as st

from schedproof.core.claim import Domain, Finding
from schedproof.proofs_checks.multiserver.shared import regimes
from schedproof.proofs_checks.strategies import multiserver_runs as draw
from schedproof.proofs_checks.strategies.multiserver_runs import Started
from schedproof.reference.multiserver_oga import NoExactRun

P = ParamSpec("P")


def of_exact_runs(check: Callable[P, Finding | None]) -> Callable[P, Finding | None]:
    """The check, which says nothing where a step or a gradient is irrational."""

    @wraps(check)
    def found(*arguments: P.args, **settings: P.kwargs) -> Finding | None:
        try:
            return check(*arguments, **settings)
        except NoExactRun:
            return None

    return found


SQUARES = st.integers(1, 5).map(lambda m: draw.two_port_contention(m * m))
ANY_RUN = Domain(
    Started,
    st.one_of(
        draw.started(),
        draw.started(full=True, nodes=1),
        draw.one_at_a_time(),
        SQUARES,
        st.just(draw.one_then_the_other(9, 11)),
    ),
    (*regimes.RUNS, *regimes.MANY, regimes.LENGTHS),
)
