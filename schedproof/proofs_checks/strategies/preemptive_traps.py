"""Families of instances on which least-loaded rules fail: pool and knockout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor, isqrt, prod

from hypothesis import strategies as st

from schedproof.core.claims.cases import AboveOne, PositiveAmount
from schedproof.core.data.reading import AtLeastTwo, Positive
from schedproof.core.errors import expect
from schedproof.proofs_checks.strategies.preemptive import Online, Row, build_instance, edge, job, require_small


def pool(slot: int, on_hub: str, speed: Fraction = Fraction(2)) -> Online:
    """The static order's trap: a pool of almost finished jobs.

    Each job is preempted by the next. Let the speed be a/b, and let there be N jobs. Job i takes b (slot + N - i)
    slots at this speed and arrives at b i slot, when job i - 1 has b or a few times b left. Job i is shorter, so the
    static order runs it first. Its price on the ``hub`` is its own time, for itself and for each of the i jobs that it
    postpones. Its own server ``far`` costs one slot more.

    Parameters
    ----------
    on_hub
        The comparison schedule, for each job in order of arrival: ``1`` for the hub, ``0`` for its own server.
    """
    fast, slow = speed.denominator, speed.numerator
    rows, servers, plan, free = [], [edge("hub")], [], 0
    for i, side in enumerate(on_hub):
        length, arrival = slot + len(on_hub) - i, i * fast * slot
        delay = i * fast * length + 1
        rows.append(job(f"j{i}", slow * length, {"hub": 0, f"far{i}": delay}, arrival=arrival))
        servers.append(edge(f"far{i}"))
        start = max(free, arrival) if side == "1" else arrival + delay
        free = start + slow * length if side == "1" else free
        plan.append((i, 0 if side == "1" else i + 1, start))
    return Online(
        build_instance(servers, rows, horizon=3 * len(on_hub) * slow * (slot + len(on_hub))), speed, tuple(plan)
    )


@st.composite
def pools(draw: st.DrawFn) -> Online:
    return pool(20, "".join(str(draw(st.integers(0, 1))) for _ in range(draw(st.integers(2, 5)))))


def knockout(rounds: Sequence[tuple[int, int]], speed: Fraction = Fraction(2), group: int = 2, stay: int = 1) -> Online:
    """The trap of every rule that sends a job to the emptiest server.

    All jobs arrive at once. In each round the remaining servers are put into groups. ``both`` jobs may go to any
    server of a group, and A_online distributes them evenly. Then ``first`` jobs come that need the servers that stay
    for the next round. In the comparison schedule all ``both`` jobs run on the other servers, distributed evenly.

    Parameters
    ----------
    rounds
        (both, first) of each round, for each group; there are group^rounds servers.
    speed
        a/b; a job takes b slots at this speed, and a at speed 1.
    group, stay
        The number of servers in a group, and the number of them that stay.
    """
    rest = list(range(group ** len(rounds)))
    rows: list[Row] = []
    plan: list[tuple[int, int, int]] = []
    ends = dict.fromkeys(rest, 0)
    for both, first in rounds:
        groups = [rest[n : n + group] for n in range(0, len(rest), group)]
        for servers in groups:
            stays, goes = servers[:stay], servers[stay:]
            for may, runs, count in ((servers, goes, both), (stays, stays, first)):
                for n in range(count):
                    server = runs[n % len(runs)]
                    plan.append((len(rows), server, ends[server]))
                    ends[server] += speed.numerator
                    rows.append(job(f"j{len(rows)}", speed.numerator, {f"e{n}": 0 for n in may}))
        rest = [server for servers in groups for server in servers[:stay]]
    edges = [edge(f"e{n}") for n in ends]
    return Online(build_instance(edges, rows, horizon=speed.numerator * len(rows)), speed, tuple(plan))


@dataclass(frozen=True)
class Knockout:
    """A knockout with equal rounds: (w - 1)^2 of each group of w^2 servers stay.

    The load of a server at a round's end is w/(w - 1) times that at the end of the round before.

    Attributes
    ----------
    width
        w.
    scale
        u: at the end of the first round u (2 w - 1) (w - 1)^(R - 1) jobs wait on each server.
    """

    speed: AboveOne
    width: AtLeastTwo
    rounds: Positive
    scale: Positive

    @cached_property
    def online(self) -> Online:
        """The trap with this number of rounds R; it has at least 4^R jobs."""
        require_small(4 ** min(self.rounds, 32))
        w, last = self.width, self.rounds - 1
        waiting = [self.scale * (2 * w - 1) * (w - 1) ** (last - i) * w**i for i in range(self.rounds)]
        more = [b - a for a, b in pairwise((0, *waiting))]
        groups = [w ** (2 * (last - i)) * (w - 1) ** (2 * i) for i in range(self.rounds)]
        require_small(sum(n * count * w**2 for n, count in zip(groups, more, strict=True)))
        return knockout([(n * w**2, 0) for n in more], self.speed, w**2, (w - 1) ** 2)


def knockouts() -> st.SearchStrategy[Knockout]:
    sizes = st.sampled_from(((2, 1, 1), (2, 1, 3), (2, 2, 1), (2, 2, 2), (2, 3, 1), (3, 1, 1), (3, 1, 2)))
    speeds = st.sampled_from((Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3)))
    return st.builds(lambda speed, size: Knockout(speed, *size), speeds, sizes)


@dataclass(frozen=True)
class Trap:
    """A pool with long enough slots and a simple comparison schedule.

    Of the first A = floor(N speed/(1 + speed)) jobs every speed-th one runs on the hub, the others on their own
    servers; all later ones run on the hub.
    """

    speed: AboveOne
    jobs: Positive

    @cached_property
    def online(self) -> Online:
        require_small(self.jobs)
        first = floor(self.jobs * self.speed / (1 + self.speed))
        shares = [floor(i / self.speed) for i in range(first + 1)]
        early = "".join(str(b - a) for a, b in pairwise(shares))
        return pool(self.jobs**3, early + "1" * (self.jobs - first), self.speed)


def traps() -> st.SearchStrategy[Trap]:
    speeds = (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(4), Fraction(7, 3))
    return st.builds(Trap, st.sampled_from(speeds), st.integers(2, 40))


ONE = 1 << 256  # of the fixed point in which a ladder is summed up
MOST_LEVELS = 1_200_000


def ladder(stops: Sequence[int], length: int) -> Online:
    """The trap of the emptiest server in which servers stop one by one, at speed 2.

    All jobs have one chunk and come at 0. The servers that hold k jobs are put into groups of m_k + 1, of which one
    stops there. First a short job comes for the server that stops. Then m_k jobs come, each for this server or for
    another server of the group. The other server is less full, so A_online chooses it. In the comparison schedule all
    these jobs go to the server that stops.

    Parameters
    ----------
    stops
        m_0, m_1, ...; there are (m_0 + 1) (m_1 + 1) ... servers.
    length
        Slots of a chunk at speed 2; at speed 1 a chunk takes twice as many. Short jobs take 1 and 2 slots.
    """
    rest = list(range(prod(m + 1 for m in stops)))
    servers, rows, plan = [edge(f"e{n}") for n in rest], list[Row](), list[tuple[int, int, int]]()
    for m in stops:
        after = []
        for n in range(0, len(rest), m + 1):
            stays, *others = rest[n : n + m + 1]
            plan.append((len(rows), stays, 0))
            rows.append(job(f"j{len(rows)}", 2, {f"e{stays}": 0}))
            for k, other in enumerate(others):
                plan.append((len(rows), stays, 2 + 2 * k * length))
                rows.append(job(f"j{len(rows)}", 2 * length, {f"e{stays}": 0, f"e{other}": 0}))
            after += others
        rest = after
    return Online(build_instance(servers, rows, 10 * length * len(stops)), Fraction(2), (*plan,))


@dataclass(frozen=True)
class Ladder:
    """A `ladder` with too many servers to list, summed up level by level.

    Attributes
    ----------
    goal
        The m_k bring sum (2 k + 1) A_k above this multiple of sum m_k A_k after as few levels as possible. A_k, the
        product of m_i/(m_i + 1) up to k, is the share of the servers with more than k jobs.
    length
        Slots of a chunk at speed 2.
    """

    goal: PositiveAmount
    length: Positive

    @property
    def speed(self) -> Fraction:
        return Fraction(2)

    @cached_property
    def stops(self) -> list[int]:
        """The m_k, chosen by prices that prove the quotient ``goal``.

        A price L_k for each server with k jobs proves the quotient if m L_k <= r_k + goal m^2 for all m. This holds
        while r_k = L_0 + ... + L_(k-1) - k^2 is not negative. The chosen m meets the largest such L_k.
        """
        rest, result, goal = 0, list[int](), int(self.goal * ONE)
        while rest >= 0 and len(result) < MOST_LEVELS:
            near = isqrt(rest // goal)
            price, m = min((rest // m + goal * m, m) for m in range(max(1, near - 1), near + 3))
            rest += price - (2 * len(result) + 1) * ONE
            result.append(m)
        expect(rest < 0, f"expected a goal that {MOST_LEVELS:,} levels reach", "goal", self.goal)
        return result

    @cached_property
    def costs(self) -> tuple[Fraction, Fraction]:
        """Bounds on the objective (4) per server, for A_online and the comparison.

        The cost in continuous time, rounded to whole slots, is a lower bound for A_online and an upper bound for the
        comparison schedule. The (k+1)-st job on its
        server costs A_online at least (k + 1/2) L. On a server that stops, the short job costs 1, and the m_k others L
        m_k^2 + 2 m_k.
        """
        low, high, online, shown = ONE, ONE, 0, 0
        for k, m in enumerate(self.stops):
            low, high = low * m // (m + 1), -(-high * m // (m + 1))
            online, shown = online + (2 * k + 1) * low, shown + (self.length * m + 2) * high - (-high // m)
        return Fraction(self.length * online // (2 * ONE)), Fraction(-(-shown // ONE))
