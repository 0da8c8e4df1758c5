"""The cases of the preemptive claims, and Hypothesis strategies for their regimes.

Every drawn object is a valid instance file (`from_json` reads it). A job can reach an edge server or the cloud and
some parameter server, and the horizon exceeds the time of running everything one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from hypothesis import strategies as st

from schedproof.core.claims.cases import AboveOne, Amount, AtLeastOne, PositiveAmount, Share
from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect
from schedproof.instances.preemptive import Instance, from_json

Row = dict[str, Any]
Cloud = Literal["none", "any", "unmixed"]
WHOLE: tuple[int | Decimal, ...] = (1, 2, 3, 4)
BROKEN: tuple[int | Decimal, ...] = (Decimal("0.5"), Decimal("1.1"), Decimal("1.5"), Decimal("2.5"))
SPEEDS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10))


# --- instances written down by hand ----------------------------------------------------------------------------------


def edge(name: str, workers: int = 1, parameter_servers: int = 100, **more: Any) -> Row:
    return {"name": name, "workers": {"gpu": workers}, "parameter_servers": parameter_servers} | more


CLOUD: Row = {"name": "cloud", "cloud": True}


def job(
    name: str, time: int | Decimal | Fraction, delay: Mapping[str, int], arrival: int = 0, chunks: int = 1, **more: Any
) -> Row:
    return {
        "name": name,
        "arrival": arrival,
        "chunks": chunks,
        "epochs": 1,
        "minibatches": 1,
        "worker_types": ["gpu"],
        "minibatch_time": time,
        "update_time": 0,
        "gradient_size": 0,
        "bandwidth": 2,
        "upload_delay": dict(delay),
    } | more


MOST_CHUNKS = 5000


def require_small(chunks: int) -> None:
    """Refuse a member of a family that is too large to be built and run.

    Raises
    ------
    InputError
        The message has the number of chunks, or a lower bound on it.
    """
    expect(
        chunks <= MOST_CHUNKS, f"expected a member of at most {MOST_CHUNKS:,} chunks, so that it can be run", "", chunks
    )


def build_instance(servers: Sequence[Row], jobs: Sequence[Row], horizon: int = 1000) -> Instance:
    head = {"version": 1, "family": "preemptive", "horizon": horizon}
    return from_json(head | {"servers": list(servers), "jobs": list(jobs)})


# --- cases -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfInstance:
    instance: Instance


@dataclass(frozen=True)
class Online(OfInstance):
    """A_online on an instance.

    Attributes
    ----------
    speed
        1 + eps.
    plan
        A comparison schedule at speed 1, with one row (job, server, start) per job. A job's chunks start together on
        separate workers. By default it is A_online's schedule.
    """

    speed: AtLeastOne = Fraction(1)
    plan: tuple[tuple[int, int, int], ...] | None = None


@dataclass(frozen=True)
class WorkerCounts:
    """A job's chunks, their chunk time, and its workers in each slot."""

    chunks: Positive
    time: PositiveAmount
    workers: tuple[Count, ...]

    def __post_init__(self) -> None:
        expect(bool(self.workers), "expected at least one slot", "workers")


@dataclass(frozen=True)
class Priced(OfInstance):
    """An instance with prices beta of its edge workers by slot.

    Attributes
    ----------
    speed
        1 + eps.
    share
        The share of its largest feasible alpha that each job takes.
    """

    speed: AboveOne
    beta: tuple[tuple[Amount, ...], ...]
    share: Share

    def __post_init__(self) -> None:
        rows = sum(q.count for q in self.instance.classes)
        fit = len(self.beta) == rows and all(self.beta)
        expect(fit, f"expected a row of prices for each of {rows} edge workers, none empty", "beta", len(self.beta))


@dataclass(frozen=True)
class Sizes:
    sizes: tuple[Positive, ...]
    machines: Positive


@dataclass(frozen=True)
class Growing:
    """The n-th member of a growing family on one worker.

    The families are n chunks of one job, n jobs, or two jobs of n slots.
    """

    kind: Literal["chunks", "jobs", "duration"]
    n: Positive

    @cached_property
    def instance(self) -> Instance:
        jobs = {
            "chunks": [job("j", 1, {"e": 0}, chunks=self.n)],
            "jobs": [job(f"j{i}", 1, {"e": 0}) for i in range(self.n)],
            "duration": [job(name, self.n, {"e": 0}) for name in ("a", "b")],
        }
        return build_instance([edge("e")], jobs[self.kind], horizon=10 * self.n + 10)


@dataclass(frozen=True)
class Multipliers:
    """One job of one chunk on one server, and a point (alpha, beta, eta) of (9).

    Attributes
    ----------
    time, workers, size, room
        The chunk's slots, the server's workers, u_j and U_s.
    """

    time: PositiveAmount
    workers: PositiveAmount
    size: PositiveAmount
    room: Amount
    alpha: Amount
    beta: tuple[Amount, ...]
    eta: tuple[Amount, ...]

    def __post_init__(self) -> None:
        expect(len(self.beta) == len(self.eta), "expected as many slots as in beta", "eta", len(self.eta))


# --- strategies ------------------------------------------------------------------------------------------------------


@st.composite
def _rows(
    draw: Any,
    *,
    most_jobs: int = 3,
    cloud: Cloud = "any",
    in_order: bool | None = None,
    whole: bool | None = None,
    even: bool = False,
    storage: bool = False,
    ample: bool = False,
    typed: bool = False,
    alike: bool = False,
) -> tuple[list[Row], list[Row]]:
    """The servers and jobs of a tiny instance.

    Parameters
    ----------
    cloud
        ``unmixed``: a job of several chunks pays no cost for leaving the cloud (gradient_size 0).
    in_order
        Whether all jobs have the same delay to a server, so that chunks land in the order of arrival; drawn if None.
    whole, even
        Whether chunk times are whole numbers of slots (drawn if None), and whether they are even, thus whole also at
        double speed.
    storage, ample
        Whether servers store only a few chunks (a cloud takes the rest), and whether they store enough chunks.
    typed
        Whether PSs may be scarce and of two types that not every job can use. The cloud may then be as near as an edge
        server.
    alike
        Whether all jobs have the same number of chunks.
    """
    scenes = ("plain", "plain", "preemption", "transit", *(("mixed",) if cloud == "any" and not storage else ()))
    scene = draw(st.sampled_from(scenes)) if most_jobs > 1 else "plain"
    edges = [f"e{n}" for n in range(1 if scene != "plain" else draw(st.integers(1, 2)))]
    in_order = (scene != "transit" and draw(st.booleans())) if in_order is None else in_order
    whole = draw(st.booleans()) if whole is None else whole
    scarce = draw(st.booleans())  # one parameter server is all there is
    has_cloud = storage or scene == "mixed" or (cloud != "none" and draw(st.booleans()))
    times = (2, 4, 6, 8) if even else WHOLE if whole else BROKEN
    delays = st.sampled_from((0, 0, 1, 2, 6))
    common = {name: 0 if scene == "mixed" else draw(delays) for name in edges}
    least = storage + 50 * ample
    servers = []
    for n, name in enumerate(edges):
        servers.append(edge(name, draw(st.integers(1, 2)), (0 if n else 1) if scarce else 20))
        servers[-1] |= {"storage": draw(st.integers(least, least + 3))} if storage else {}
    near = typed and has_cloud and draw(st.booleans())
    typed = typed and draw(st.booleans())
    for server in servers if typed else ():
        server["parameter_servers"] = {"a": draw(st.integers(1, 3)), "b": draw(st.integers(0, 3))}
    jobs, equal = [], draw(st.integers(1, 3))
    for n in range(draw(st.integers(1 if scene == "plain" else 2, most_jobs))):
        may = [name for name in edges if name == edges[0] or draw(st.booleans())]
        delay: dict[str, int] = {name: common[name] if in_order else draw(delays) for name in may}
        if scene == "transit" and not in_order:
            delay = {edges[0]: 0 if n else 6}
        chunks = equal if alike else draw(st.integers(1, 3))
        if has_cloud and draw(st.integers(0, 3)):
            delay["cloud"] = draw(st.integers(1, 6))
        if near:
            delay["cloud"] = min(delay[name] for name in may)
        if scene == "mixed" and n == 0:  # its first chunk stays near, and the others find a queue there
            chunks, delay = equal if alike else 3, {edges[0]: 0, "cloud": 1}
        arrival = n if scene == "preemption" else draw(st.integers(0, 4 if n else 1))
        if scene == "preemption":  # the first job is long, and those that follow are short
            time = draw(st.sampled_from(times[:2] if n else tuple(6 * time for time in times[-2:])))
        else:
            time = draw(st.sampled_from(times))
        free = even or (cloud == "unmixed" and chunks > 1)
        more = {"gradient_size": 0 if free else draw(st.sampled_from((0, 0, 1, 3)))}
        more |= {"ps_types": draw(st.sampled_from((["a"], ["a", "b"])))} if typed else {}
        more |= {"chunk_size": draw(st.integers(1, 2))} if storage else {}
        delay |= {"cloud": draw(st.integers(1, 6))} if storage else {}
        jobs.append(job(f"j{n}", time, delay, arrival, chunks, **more))
    return ([*servers, CLOUD] if has_cloud else servers), jobs


def instances(**settings: Any) -> st.SearchStrategy[Instance]:
    return _rows(**settings).map(lambda rows: build_instance(*rows, horizon=300))


def online(speeds: tuple[Fraction, ...] = SPEEDS, **settings: Any) -> st.SearchStrategy[Online]:
    return st.builds(Online, instances(**settings), st.sampled_from(speeds))


def at_speed_1(**settings: Any) -> st.SearchStrategy[Online]:
    return st.builds(Online, instances(**settings))


def alone() -> st.SearchStrategy[Online]:
    return at_speed_1(most_jobs=1, cloud="none")


@st.composite
def uploads(draw: st.DrawFn) -> Online:
    """One short chunk after a long upload, at a high speed.

    Its completion time is mostly upload.
    """
    speed, delay = draw(st.sampled_from((20, 50))), draw(st.sampled_from((500, 2000)))
    instance = build_instance([edge("e")], [job("j", speed, {"e": delay})], horizon=3000)
    return Online(instance, Fraction(speed))


@st.composite
def worker_counts(draw: st.DrawFn) -> WorkerCounts:
    chunks = draw(st.integers(1, 3))
    time = draw(st.sampled_from((Fraction(1), Fraction(2), Fraction(3, 2), Fraction(1, 2), Fraction(4, 3))))
    counts = draw(st.lists(st.integers(0, chunks + 1), min_size=1, max_size=4))
    return WorkerCounts(chunks, time, tuple(counts))


@st.composite
def priced_cases(draw: st.DrawFn) -> Priced:
    instance: Instance = draw(instances(most_jobs=2, cloud="none"))
    value = st.sampled_from([Fraction(n, 2) for n in range(5)])
    slots = draw(st.integers(1, 4))
    beta = tuple(tuple(draw(value) for _ in range(slots)) for q in instance.classes for _ in range(q.count))
    share = draw(st.sampled_from((Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1))))
    return Priced(instance, draw(st.sampled_from(SPEEDS)), beta, share)


@st.composite
def blocked_cases(draw: st.DrawFn) -> Online:
    speed, shorts, delay = draw(st.sampled_from((2, 3))), draw(st.integers(1, 5)), draw(st.integers(2, 24))
    storage = draw(st.sampled_from((1, 1, 2)))
    both = {"edge": 0, "cloud": delay}
    jobs = [job("long", shorts * speed, both, chunk_size=1)]
    jobs += [job(f"short{n}", 1, both, arrival=n, chunk_size=1) for n in range(shorts)]
    plan = ((0, 1, delay), *((n + 1, 0, n) for n in range(shorts)))
    return Online(build_instance([edge("edge", storage=storage), CLOUD], jobs), Fraction(speed), plan)


@st.composite
def sizes(draw: st.DrawFn) -> Sizes:
    drawn = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    return Sizes(tuple(drawn), draw(st.integers(1, 2)))


def growing() -> st.SearchStrategy[Growing]:
    return st.builds(Growing, st.sampled_from(("chunks", "jobs", "duration")), st.integers(4, 6))


@st.composite
def multipliers(draw: st.DrawFn) -> Multipliers:
    """alpha, then the least eta (or beta) that the rows of (9) allow."""
    slots = 8
    time, workers = Fraction(draw(st.integers(1, 3))), Fraction(draw(st.integers(1, 2)))
    size, room = Fraction(draw(st.integers(1, 3))), Fraction(draw(st.integers(1, 3)))
    alpha, by_storage = Fraction(draw(st.integers(0, 6)), 2), draw(st.booleans())
    need = tuple(max(Fraction(0), (alpha - t) / time) for t in range(slots))
    zero = (Fraction(0),) * slots
    beta, eta = (zero, tuple(n / size for n in need)) if by_storage else (need, zero)
    return Multipliers(time, workers, size, room, alpha, beta, eta)
