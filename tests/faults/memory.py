"""Memory of a process that repeats one action, each time with a new instance.

``python -m tests.faults.memory WHAT COUNT FAMILY...``, WHAT a function here or ``everything``, prints the resident
memory in KiB of each family after garbage collection. Every policy, bound and program runs once before the count, since
compiled kernels and imports are not leaks.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError
from schedproof.formulations import dmlrs, jrp, multiserver, placement, preemptive  # noqa: F401  what is imported later is no leak
from tests.formulations.preemptive.micro import micro_instance
from tests.online.test_policies import GAMES

SAMPLES = 20
PAGE = 4  # KiB
PROGRAMS = {
    "preemptive": ("preemptive.lp4", "preemptive.minlp2"),
    "dmlrs": ("dmlrs.dorm",),
    "multiserver": ("multiserver.stationary", "multiserver.projection"),
    "jrp": ("jrp.exact", "jrp.conic"),
    "placement": ("placement.exact", "placement.lp"),
}
OPTIONS = {"multiserver.projection": {"point": 1}}
kept: list[Any] = []


def names(kind: str, family: str) -> list[str]:
    return [name for name in registry.entries(kind) if name.startswith(family + ".")]


def read(family: str, seed: int) -> None:
    GAMES[family].drawn(seed)


def policies(family: str, seed: int) -> None:
    each = names("policy", family)
    sp.policy(each[seed % len(each)]).run(GAMES[family].drawn(seed), seed=seed)


def bounds(family: str, seed: int) -> None:
    each = names("bound", family)
    sp.bound(each[seed % len(each)], GAMES[family].drawn(seed))


def programs(family: str, seed: int) -> None:
    name = PROGRAMS[family][seed % len(PROGRAMS[family])]
    instance = micro_instance(seed, units=4) if family == "preemptive" else GAMES[family].drawn(seed)
    sp.program(name, **OPTIONS.get(name, {})).solve(instance)


def pictures(family: str, seed: int) -> None:
    sp.policy(names("policy", family)[0]).run(GAMES[family].drawn(seed), seed=seed).plot()


def leak(family: str, seed: int) -> None:
    """A cache by instance without a limit: 16 MB in all."""
    kept.append((GAMES[family].drawn(seed), bytearray(16_000_000 // int(sys.argv[2]))))


EACH = (read, policies, bounds, programs, pictures)
WHAT: dict[str, Callable[[str, int], None]] = {one.__name__: one for one in (*EACH, leak)}


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def held(what: str, count: int, family: str) -> list[int]:
    each = {"policies": names("policy", family), "bounds": names("bound", family), "programs": PROGRAMS[family]}
    warm = {one: len(each.get(one.__name__, "1")) for one in (EACH if what == "everything" else (WHAT[what],))}
    first, samples = max(warm.values()), []
    for seed in range(first + count):
        if seed == first:
            gc.freeze()  # `resident` collects only what was made since
        for one in warm:
            if warm[one] <= seed < first:
                continue  # each name was used
            with suppress(SchedproofError):  # an instance without a solution
                one(family, seed)
        if seed >= first and (seed + 1 - first) % max(1, count // SAMPLES) == 0:
            samples.append(resident())
    return samples


if __name__ == "__main__":
    print(json.dumps({family: held(sys.argv[1], int(sys.argv[2]), family) for family in sys.argv[3:]}))
