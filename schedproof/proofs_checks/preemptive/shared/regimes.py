"""The regimes of the preemptive claims, each a predicate of a case."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from schedproof.core.claims.claim import Regime
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.strategies.preemptive import OfInstance, Online
from schedproof.reference.preemptive import Options, Outcome, a_online


@lru_cache(maxsize=64)
def run(instance: Instance, options: Options) -> Outcome:
    """A_online on an instance, cached for the readings and regimes of one case."""
    return a_online(instance, options)


def outcome(case: Online, **settings: Any) -> Outcome:
    return run(case.instance, Options(speed=case.speed, **settings))


def _preempts(case: Online) -> bool:
    out = outcome(case)
    return any(len(out.runs(chunk)) > 1 for chunk in out.chunks)


def _in_transit(case: Online) -> bool:
    """Whether a chunk joins a worker before an earlier one in transit has landed.

    The new chunk lands before the earlier chunk.
    """
    chunks = outcome(case).chunks
    return any(a.worker == b.worker and b.landing < a.landing for a in chunks for b in chunks if a.number < b.number)


def _delays_differ(case: OfInstance) -> bool:
    edges = case.instance.edges
    return any(len({job.delay(s) for s in edges} - {None}) > 1 for job in case.instance.jobs)


def _scarce(case: OfInstance) -> bool:
    servers = case.instance.edges
    return sum(sum(s.parameter_servers.values()) for s in servers) < min(
        len(case.instance.jobs), sum(sum(s.workers.values()) for s in servers)
    )


def _mixes_edge_and_cloud(case: Online) -> bool:
    places: dict[str, set[bool]] = {}
    for chunk in outcome(case).chunks:
        places.setdefault(chunk.job.name, set()).add(chunk.server.cloud)
    return any(len(where) > 1 for where in places.values())


def _storage_binds(case: Online) -> bool:
    free = outcome(case)
    kept = outcome(case, storage=True)
    return [c.server.index for c in free.chunks] != [c.server.index for c in kept.chunks]


def _queue(case: Online) -> bool:
    out = outcome(case)
    return any(out.runs(c)[0][0] > c.landing for c in out.chunks)


PREEMPTION = Regime("preemption", _preempts)
TRANSIT = Regime("chunk in transit overtaken", _in_transit)
DELAYS: Regime[OfInstance] = Regime("delays differ between servers", _delays_differ)
BROKEN: Regime[OfInstance] = Regime(
    "durations not whole", lambda c: any(j.chunk_time.denominator > 1 for j in c.instance.jobs)
)
SCARCE: Regime[OfInstance] = Regime("scarce parameter servers", _scarce)
ZERO_DELAY: Regime[OfInstance] = Regime(
    "zero delay", lambda c: any(0 in j.upload_delay.values() for j in c.instance.jobs)
)
SINGLE_CHUNK: Regime[OfInstance] = Regime("single chunk", lambda c: any(j.chunks == 1 for j in c.instance.jobs))
SEVERAL_CHUNKS: Regime[OfInstance] = Regime("several chunks", lambda c: any(j.chunks > 1 for j in c.instance.jobs))
MIXED = Regime("job mixed between cloud and edge", _mixes_edge_and_cloud)
CLOUD_FREE: Regime[OfInstance] = Regime("cloud-free", lambda c: c.instance.cloud is None)
CLOUD: Regime[OfInstance] = Regime("with a cloud", lambda c: c.instance.cloud is not None)
TIE: Regime[Online] = Regime(
    "tie", lambda case: any(list(c.prices.values()).count(c.alpha) > 1 for c in outcome(case).chunks)
)
STORAGE = Regime("storage-bound", _storage_binds)
QUEUE = Regime("chunks wait", _queue)
RUNS = (PREEMPTION, QUEUE, DELAYS, BROKEN, ZERO_DELAY, SINGLE_CHUNK, SEVERAL_CHUNKS, CLOUD_FREE, CLOUD, TIE)
JOBS = (ZERO_DELAY, DELAYS, BROKEN, SINGLE_CHUNK, SEVERAL_CHUNKS)
ALONE = (*JOBS, CLOUD_FREE)
STORED = (STORAGE, CLOUD, SINGLE_CHUNK, SEVERAL_CHUNKS)
