"""Run every policy and compute every bound once on an embedded instance, which leaves their kernels in numba's cache.

It stands beside an install, so that the tests' processes find what they would compile one after the other. It judges
nothing: what fails here fails in the tests, with its reason.
"""

from __future__ import annotations

from contextlib import suppress

import schedproof as sp
from schedproof.core import registry
from schedproof.core.errors import SchedproofError


def main() -> None:
    """Family after family."""
    for instance in map(sp.embedded, ("day", "cluster", "ports", "cells", "clusters")):
        card = registry.families()[instance.family]
        for name, _ in card.entries("policy"):
            with suppress(SchedproofError):
                sp.policy(name).run(instance)
        for name, _ in card.entries("bound"):
            with suppress(SchedproofError):
                sp.bound(name, instance)


if __name__ == "__main__":
    main()
