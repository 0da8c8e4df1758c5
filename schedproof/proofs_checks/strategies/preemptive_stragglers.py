"""The family on which A_online loses the factor D_max.

One chunk of each of many jobs waits behind short jobs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from hypothesis import strategies as st

from schedproof.core.claims.cases import AboveOne
from schedproof.core.data.reading import AtLeastTwo, Positive
from schedproof.proofs_checks.strategies.preemptive import Online, Row, build_instance, edge, job, require_small


@dataclass(frozen=True)
class Stragglers:
    """Jobs with a chunk each on a hub of one worker, delayed by short jobs.

    Let the speed be a/b. A chunk takes 2 b slots at this speed and 2 a slots at speed 1. A short job takes D - 1 times
    as many slots. ``groups`` jobs of D chunks arrive at 0, and fill the hub with m = ``groups`` D chunks. Then m more
    jobs arrive, one every 2 b slots. A_online sends one chunk of each to the hub. From slot 2 m b on the short jobs
    arrive, each when the previous short job is done. Each job may use the hub, without a delay, and its own server.

    Attributes
    ----------
    chunks
        The number D of chunks of a job.
    short
        The number of short jobs.
    """

    speed: AboveOne
    chunks: AtLeastTwo
    groups: Positive
    short: Positive

    @property
    def waiting(self) -> int:
        """The number m of chunks on the hub."""
        return self.groups * self.chunks

    @cached_property
    def online(self) -> Online:
        require_small((self.groups + self.waiting) * self.chunks + self.short)
        slow, fast = 2 * self.speed.numerator, 2 * self.speed.denominator
        pause, last = (self.chunks - 1) * fast, self.waiting * fast
        far, farther = last - 1, self.groups * pause + 1
        early = [max(0, k - self.groups + 1) * fast for k in range(self.groups + self.waiting)]
        times = [(arrival, self.chunks, slow, far) for arrival in early]
        times += [(last + k * pause, 1, (self.chunks - 1) * slow, farther) for k in range(self.short)]
        servers, rows, plan = [edge("hub", parameter_servers=10**5)], list[Row](), []
        for i, (arrival, chunks, time, delay) in enumerate(times):
            servers.append(edge(f"own{i}", chunks, 10**5))
            rows.append(job(f"j{i}", time, {"hub": 0, f"own{i}": delay}, arrival, chunks))
            plan.append((i, i + 1, arrival + delay))
        work = sum(chunks * time for _, chunks, time, _ in times)
        return Online(
            build_instance(servers, rows, last + self.short * pause + far + farther + work), self.speed, (*plan,)
        )


def stragglers() -> st.SearchStrategy[Stragglers]:
    speeds = (Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(7, 3), Fraction(10))
    return st.builds(Stragglers, st.sampled_from(speeds), st.integers(2, 4), st.integers(1, 4), st.integers(1, 30))
