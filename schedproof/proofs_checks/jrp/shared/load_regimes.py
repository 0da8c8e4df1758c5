"""The regimes of the claims about one server's load."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.claims.claim import Domain, Regime
from schedproof.proofs_checks.strategies import jrp_loads as draw
from schedproof.proofs_checks.strategies.jrp_loads import ServerLoad
from schedproof.reference.jrp_load import Load, kept_prefix


def _of_load(name: str, reached: Callable[[Load], bool]) -> Regime[ServerLoad]:
    return Regime(name, lambda case: reached(case.load))


def _drawn_sizes(load: Load) -> int:
    return len({d for d, x in load.nodes if x})


SMALL = _of_load("no data node above 1 GB", lambda load: load.largest <= 1)
LARGE = _of_load("a data node above 1 GB", lambda load: load.largest > 1)
ONE_SIZE = _of_load("one size", lambda load: _drawn_sizes(load) == 1)
SIZES = _of_load("several sizes", lambda load: _drawn_sizes(load) > 1)
EMPTY_NODE = _of_load("a data node of 0 GB", lambda load: any(not d for d, _ in load.nodes))
SURE = _of_load("a certain data node", lambda load: any(x == 1 for _, x in load.nodes))
INSIDE = _of_load("every x between 1/10 and 9/10", lambda load: all(0.1 <= x <= 0.9 for _, x in load.nodes))
NOTHING = _of_load("a mean of 0", lambda load: not load.mean)
MANY = _of_load("twenty data nodes", lambda load: len(load.nodes) >= 20)
FULL = _of_load("mu = r", lambda load: load.mean == load.storage)
SLACK = _of_load("mu < r", lambda load: load.mean < load.storage)
OVERFULL = _of_load("it may be overfull", lambda load: len(load.nodes) < 50 and kept_prefix(load).overfull > 0)
JOB = _of_load("a job with several data nodes", lambda load: load.heaviest > load.largest)
ELSEWHERE = _of_load("another server that serves more", lambda load: load.elsewhere > len(load.nodes))
LOADS = (FULL, SLACK, OVERFULL, ONE_SIZE, SIZES, SURE, INSIDE, JOB, MANY)
OF_DRAWS = Domain(  # of what is said of each draw: full servers or not, overfull draws
    ServerLoad, draw.any_loads(), (OVERFULL, FULL, SLACK, ONE_SIZE, SIZES, JOB, EMPTY_NODE)
)
