"""Hypothesis strategies for tiny preemptive instances, steered into the situations that the claims are about.

Every drawn object is a valid instance file (`from_json` reads it): a job has an edge server or the cloud to go to, some
parameter server is open to it, and the horizon is longer than running everything one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from hypothesis import strategies as st

from schedproof.instances.preemptive import Instance, from_json

Cloud = Literal["none", "any", "unmixed"]
WHOLE: tuple[int | Decimal, ...] = (1, 2, 3, 4)
BROKEN: tuple[int | Decimal, ...] = (Decimal("0.5"), Decimal("1.1"), Decimal("1.5"), Decimal("2.5"))
SPEEDS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10))


@dataclass(frozen=True)
class OfInstance:
    """A case with an instance."""

    instance: Instance


@dataclass(frozen=True)
class Online(OfInstance):
    """A_online on an instance.

    Attributes
    ----------
    speed
        1 + eps.
    plan
        A comparison schedule at speed 1, one row (job, server, start) for each job of one chunk; None for A_online's.
    """

    speed: Fraction = Fraction(1)
    plan: tuple[tuple[int, int, int], ...] | None = None


@dataclass(frozen=True)
class WorkerCounts:
    """A job of so many chunks of a chunk time, and how many workers it holds in each slot."""

    chunks: int
    time: Fraction
    workers: tuple[int, ...]


@dataclass(frozen=True)
class Priced(OfInstance):
    """An instance with prices beta of its edge workers by slot.

    Attributes
    ----------
    speed
        1 + eps.
    share
        The share of its largest alpha that each job takes.
    """

    speed: Fraction
    beta: tuple[tuple[Fraction, ...], ...]
    share: Fraction


@st.composite
def objects(
    draw: Any,
    *,
    most_jobs: int = 3,
    cloud: Cloud = "any",
    in_order: bool | None = None,
    whole: bool | None = None,
    scarce: bool | None = None,
    storage: bool = False,
    even: bool = False,
    roomy: bool = False,
    typed: bool = False,
    most_chunks: int = 3,
) -> dict[str, Any]:
    """A tiny instance as a JSON object.

    Parameters
    ----------
    cloud
        ``unmixed``: a job of several chunks pays nothing for leaving the cloud (gradient_size 0).
    in_order
        Whether all jobs have the same delay to a server, so that chunks land in the order of arrival; drawn if None.
    whole
        Whether chunk times are whole numbers of slots; drawn if None.
    scarce
        Whether one parameter server is all there is; drawn if None.
    even
        Whether chunk times are even numbers of slots (whole at double speed too).
    roomy
        Whether that room is enough for everything.
    typed
        Whether parameter servers may be few, and of two types that not every job can use.
    storage
        Whether servers have room for a few chunks only (a cloud is then always there to take the rest).
    """
    scenes = ("plain", "plain", "preemption", "transit", *(("mixed",) if cloud == "any" and not storage else ()))
    scene = draw(st.sampled_from(scenes)) if most_jobs > 1 else "plain"
    edges = [f"e{n}" for n in range(1 if scene != "plain" else draw(st.integers(1, 2)))]
    in_order = (scene != "transit" and draw(st.booleans())) if in_order is None else in_order
    whole = draw(st.booleans()) if whole is None else whole
    scarce = draw(st.booleans()) if scarce is None else scarce
    has_cloud = storage or scene == "mixed" or (cloud != "none" and draw(st.booleans()))
    times = (2, 4, 6, 8) if even else WHOLE if whole else BROKEN
    delays = st.sampled_from((0, 0, 1, 2, 6))
    common = {name: 0 if scene == "mixed" else draw(delays) for name in edges}
    room = storage + 50 * roomy
    servers: list[dict[str, Any]] = [_server(draw, name, scarce, room, name == edges[0]) for name in edges]
    typed_servers = typed and draw(st.booleans())
    if typed_servers:
        for server in servers:
            server["parameter_servers"] = {"a": draw(st.integers(1, 3)), "b": draw(st.integers(0, 3))}
    jobs = []
    for n in range(draw(st.integers(1 if scene == "plain" else 2, most_jobs))):
        may = [name for name in edges if name == edges[0] or draw(st.booleans())]
        delay: dict[str, int] = {name: common[name] if in_order else draw(delays) for name in may}
        if scene == "transit" and not in_order:
            delay = {edges[0]: 0 if n else 6}
        chunks = draw(st.integers(1, most_chunks))
        if has_cloud and draw(st.integers(0, 3)):
            delay["cloud"] = draw(st.integers(1, 6))
        if scene == "mixed" and n == 0:  # its first chunk stays near, and the others find a queue there
            chunks, delay = most_chunks, {edges[0]: 0, "cloud": 1}
        free = cloud == "unmixed" and chunks > 1
        row = {
            "name": f"j{n}",
            "arrival": n if scene == "preemption" else draw(st.integers(0, 4 if n else 1)),
            "chunks": chunks,
            "epochs": 1,
            "minibatches": 1,
            "worker_types": ["gpu"],
            "minibatch_time": draw(st.sampled_from(_times(scene, n, times))),
            "update_time": 0,
            "gradient_size": 0 if free or even else draw(st.sampled_from((0, 0, 1, 3))),
            "bandwidth": 2,
            "upload_delay": delay,
        }
        if typed and typed_servers:
            row["ps_types"] = draw(st.sampled_from((["a"], ["a", "b"])))
        jobs.append(row | ({"chunk_size": draw(st.integers(1, 2))} if storage else {}))
        if storage:
            delay["cloud"] = draw(st.integers(1, 6))
    tail = [{"name": "cloud", "cloud": True}] if has_cloud else []
    return {"version": 1, "family": "preemptive", "horizon": 300, "servers": servers + tail, "jobs": jobs}


def _times(scene: str, n: int, times: tuple[int | Decimal, ...]) -> tuple[int | Decimal, ...]:
    """Where preemption is wanted, the first job is long and those that follow are short."""
    if scene != "preemption":
        return times
    return times[:2] if n else tuple(6 * time for time in times[-2:])


def _server(draw: Any, name: str, scarce: bool, storage: int, first: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": name,
        "workers": {"gpu": draw(st.integers(1, 2))},
        "parameter_servers": (1 if first else 0) if scarce else 20,
    }
    return row | ({"storage": draw(st.integers(storage, storage + 3))} if storage else {})


def instances(**settings: Any) -> Any:
    """Tiny instances, as `objects` draws them."""
    return objects(**settings).map(from_json)


def online(speeds: tuple[Fraction, ...] = SPEEDS, **settings: Any) -> st.SearchStrategy[Online]:
    """An instance and the speed 1 + eps at which A_online runs on it."""
    return st.builds(Online, instances(**settings), st.sampled_from(speeds))


def alone() -> st.SearchStrategy[Online]:
    """One job on edge servers, whose optima can be written down."""
    return instances(most_jobs=1, cloud="none").map(Online)


@st.composite
def worker_counts(draw: st.DrawFn) -> WorkerCounts:
    """A job's chunks, its chunk time, and how many workers it holds in each slot."""
    chunks = draw(st.integers(1, 3))
    time = draw(st.sampled_from((Fraction(1), Fraction(2), Fraction(3, 2), Fraction(1, 2), Fraction(4, 3))))
    counts = draw(st.lists(st.integers(0, chunks + 1), min_size=1, max_size=4))
    return WorkerCounts(chunks, time, tuple(counts))


@st.composite
def priced(draw: st.DrawFn) -> Priced:
    """An instance with prices beta of its edge workers by slot, and the share of its largest alpha that is taken."""
    instance: Instance = draw(instances(most_jobs=2, cloud="none"))
    value = st.sampled_from([Fraction(n, 2) for n in range(5)])
    slots = draw(st.integers(1, 4))
    beta = tuple(tuple(draw(value) for _ in range(slots)) for q in instance.classes for _ in range(q.count))
    share = draw(st.sampled_from((Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1))))
    return Priced(instance, draw(st.sampled_from(SPEEDS)), beta, share)
