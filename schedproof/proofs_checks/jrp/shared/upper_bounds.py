"""The instances for the claims about bounds on JRP."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from schedproof.core.claims.claim import Domain, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.strategies import jrp as draw
from schedproof.proofs_checks.strategies.jrp import OfInstance
from schedproof.reference.jrp import cone, storage_only
from schedproof.reference.jrp_model import optimum


def _of(name: str, reached: Callable[[Instance], bool]) -> Regime[OfInstance]:
    return Regime(name, lambda case: reached(case.instance))


SHAPES = (
    _of("several servers", lambda i: len(i.servers) > 1),
    _of("several jobs", lambda i: len(i.jobs) > 1),
    _of("a job with several data nodes", lambda i: any(len(job.nodes) > 1 for job in i.jobs)),
    _of("a job without data nodes", lambda i: not all(job.nodes for job in i.jobs)),
    _of("a data node without servers", lambda i: not all(n.servers for job in i.jobs for n in job.nodes)),
    _of("a job without a deadline", lambda i: any(job.deadline is None for job in i.jobs)),
    _of("scarce storage", lambda i: optimum(i, storage_only) < len(i.jobs)),
    _of("scarce time", lambda i: optimum(i, cone) < optimum(i, storage_only)),
)
INSTANCES = Domain(
    OfInstance,
    st.one_of(draw.instances(), draw.deadline_instances(odd=False), draw.just_enough().map(lambda pair: pair[0])).map(
        OfInstance
    ),
    SHAPES,
)
