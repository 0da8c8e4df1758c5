"""The situations that the preemptive claims must be tried in, each a predicate of a case."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from schedproof.core.claim import Case, Regime
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.preemptive.literal import Options, Outcome, simulate


@lru_cache(maxsize=64)
def run(instance: Instance, options: Options) -> Outcome:
    """A_online on an instance; several readings and regimes of one case share it."""
    return simulate(instance, options)


def speed(case: Case) -> Fraction:
    """The case's 1 + eps (1 where it has none)."""
    return Fraction(case.data.get("speed", 1))


def _outcome(case: Case) -> Outcome:
    return run(case.instance, Options(speed=speed(case)))


def _preempted(case: Case) -> bool:
    out = _outcome(case)
    return any(len(out.runs(chunk)) > 1 for chunk in out.chunks)


def _in_transit(case: Case) -> bool:
    """Whether a chunk is placed on a worker for which an earlier one is still on its way, and lands before it."""
    chunks = _outcome(case).chunks
    return any(a.worker == b.worker and b.landing < a.landing for a in chunks for b in chunks if a.number < b.number)


def _delays_differ(case: Case) -> bool:
    edges = case.instance.edges
    return any(len({job.delay(s) for s in edges} - {None}) > 1 for job in case.instance.jobs)


def _broken(case: Case) -> bool:
    return any(job.chunk_time.denominator > 1 for job in case.instance.jobs)


def _scarce(case: Case) -> bool:
    servers = case.instance.edges
    return sum(sum(s.parameter_servers.values()) for s in servers) < min(
        len(case.instance.jobs), sum(sum(s.workers.values()) for s in servers)
    )


def _mixed(case: Case) -> bool:
    places: dict[str, set[bool]] = {}
    for chunk in _outcome(case).chunks:
        places.setdefault(chunk.job.name, set()).add(chunk.server.cloud)
    return any(len(where) > 1 for where in places.values())


def _tie(case: Case) -> bool:
    return any(list(c.prices.values()).count(c.alpha) > 1 for c in _outcome(case).chunks)


def _storage_binds(case: Case) -> bool:
    """Whether A_online would place some chunk elsewhere if there were room everywhere."""
    free = run(case.instance, Options(speed=speed(case)))
    kept = run(case.instance, Options(speed=speed(case), storage=True))
    return [c.server.index for c in free.chunks] != [c.server.index for c in kept.chunks]


def _queue(case: Case) -> bool:
    out = _outcome(case)
    return any(out.runs(c)[0][0] > c.landing for c in out.chunks)


PREEMPTION = Regime("preemption", _preempted)
TRANSIT = Regime("chunk in transit overtaken", _in_transit)
DELAYS = Regime("delays differ between servers", _delays_differ)
BROKEN = Regime("durations not whole", _broken)
SCARCE = Regime("scarce parameter servers", _scarce)
ZERO_DELAY = Regime("zero delay", lambda c: any(0 in j.upload_delay.values() for j in c.instance.jobs))
SINGLE_CHUNK = Regime("single chunk", lambda c: any(j.chunks == 1 for j in c.instance.jobs))
SEVERAL_CHUNKS = Regime("several chunks", lambda c: any(j.chunks > 1 for j in c.instance.jobs))
MIXED = Regime("job mixed between cloud and edge", _mixed)
CLOUD_FREE = Regime("cloud-free", lambda c: c.instance.cloud is None)
CLOUD = Regime("with a cloud", lambda c: c.instance.cloud is not None)
TIE = Regime("tie", _tie)
STORAGE = Regime("storage-bound", _storage_binds)
QUEUE = Regime("chunks wait", _queue)
