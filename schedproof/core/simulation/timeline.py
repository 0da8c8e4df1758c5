"""A schedule over time: when jobs arrive, run and are done, how many wait, and how full resources are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import fsum
from typing import NamedTuple

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Value

Span = tuple[int, int, Fraction | float]  # first slot, first slot after, amount: exact where the family's is
PERCENTILES = (50, 95, 99)
MEASURES = (
    *(f"jct_p{p}" for p in PERCENTILES),
    *("utilisation", "queue_mean", "queue_max", "fairness_mean", "fairness_max"),
)
LEGEND = (
    "jct: slots from arrival to completion, or to the horizon; utilisation: of the fullest resource, from the first "
    "arrival to the last completion; queue: jobs that are present and hold nothing; fairness: a job's JCT over its JCT "
    "alone on 1/n of the cluster, with n jobs present (above 1, a share of its own would have been better)"
)


class Steps(NamedTuple):
    """A function of time that changes at some moments; ``value[i]`` holds from ``time[i]`` on, and nothing before."""

    time: np.ndarray
    value: np.ndarray

    def until(self, times: np.ndarray) -> np.ndarray:
        """The integral up to each of some times, exact: in Python's integers where 64 bits could be too few."""
        wide = object if self.time.size and int(self.time[-1]) * int(abs(self.value).max()) >= 2**62 else np.int64
        widths, value = np.diff(self.time).astype(wide), self.value.astype(wide)
        before = np.concatenate([np.zeros(1, dtype=wide), np.cumsum(value[:-1] * widths)])
        at = np.maximum(np.searchsorted(self.time, times, side="right") - 1, 0)
        result: np.ndarray = before[at] + value[at] * np.maximum(times - self.time[at], 0).astype(wide)
        return result


def steps(starts: np.ndarray, ends: np.ndarray, amounts: np.ndarray | int = 1) -> Steps:
    """How much there is at each time of what is there from starts to ends."""
    times, at = np.unique(np.concatenate([starts, ends]), return_inverse=True)
    amounts = np.broadcast_to(amounts, starts.shape)
    change = np.zeros(len(times), dtype=amounts.dtype)
    np.add.at(change, at, np.concatenate([amounts, -amounts]))
    return Steps(times, np.cumsum(change))


@dataclass(frozen=True)
class Timeline:
    """What a schedule is over time.

    Attributes
    ----------
    arrival, end
        Of each job, in slots; ``end`` is the slot at whose start it is done, the horizon for one that never is. Shape
        (jobs,), int64.
    running
        The job, the first slot and the first slot after of each stretch of time in which a job holds something.
        Shape (stretches, 3), int64.
    use, room
        Resource -> spans: what is held of it, and what there is of it. The resources that count in the family: what
        has no limit is not among them.
    alone
        ``alone(job, n)``: the JCT that a job, by position, would have with 1/n of the cluster to itself, None for one
        that would never complete; no function where the family does not say.
    """

    arrival: np.ndarray
    end: np.ndarray
    running: np.ndarray
    use: Mapping[str, Sequence[Span]]
    room: Mapping[str, Sequence[Span]]
    alone: Callable[[int, Fraction], Fraction | int | None] | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls, arrivals: Iterable[int], ends: Iterable[int], running: Iterable[tuple[int, int, int]], **more: Value
    ) -> Timeline:
        """Of plain numbers; a job does not end before it arrives, whatever an infeasible schedule says."""
        arrival = np.fromiter(arrivals, dtype=np.int64)
        end = np.maximum(np.fromiter(ends, dtype=np.int64), arrival)
        return cls(arrival, end, np.array([*running], dtype=np.int64).reshape(-1, 3), **more)

    @property
    def period(self) -> tuple[int, int]:
        """From the first arrival to the last completion."""
        return int(self.arrival.min(initial=2**62)), int(self.end.max(initial=0))

    @cached_property
    def present(self) -> Steps:
        """How many jobs have arrived and are not done."""
        return steps(self.arrival, self.end)

    @cached_property
    def queue(self) -> Steps:
        """How many of them hold nothing."""
        starts, ends = _joined(self.running)
        return steps(
            np.concatenate([self.arrival, starts]),
            np.concatenate([self.end, ends]),
            np.repeat([1, -1], [len(self.arrival), len(starts)]),
        )

    def percentile(self, percent: int) -> int:
        """The least JCT (slots) that so many percent of the jobs do not exceed: always the JCT of one of them."""
        jct = np.sort(self.end - self.arrival)
        return int(jct[ceil(Fraction(percent * len(jct), 100)) - 1])

    @cached_property
    def utilisation(self) -> dict[str, Fraction]:
        """Resource -> the part of it that is held, over the period; what there is none of is left out."""
        room = {name: _amount(spans, *self.period) for name, spans in self.room.items()}
        return {name: _amount(self.use[name], *self.period) / there for name, there in room.items() if there}

    @cached_property
    def fairness(self) -> list[Fraction]:
        """Of each job the finish-time fairness rho of Themis (Mahajan et al., NSDI 2020): its JCT over its JCT alone.

        Alone it has 1/n of the cluster, where n is the number of jobs that are present, itself among them, on average
        from its arrival to its completion. At most 1 for all jobs is Themis' sharing incentive. What a job does with
        1/n of the cluster is the family's own `alone`: never less than with all of it, and of a job that uses no more
        than 1/n just that, where Themis takes n times the time with all of it. A job that never completes with its
        share, or has no slot, is left out.
        """
        if self.alone is None:
            return []
        beside = self.present.until(self.end) - self.present.until(self.arrival)
        jcts = enumerate(zip((self.end - self.arrival).tolist(), beside.tolist(), strict=True))
        pairs = ((jct, self.alone(j, Fraction(jobs, jct))) for j, (jct, jobs) in jcts if jct)
        return [Fraction(jct, alone) for jct, alone in pairs if alone is not None]

    @cached_property
    def measures(self) -> dict[str, Fraction | int | float]:
        """What `MEASURES` lists; without jobs nothing, and what the family does not say is left out.

        All are exact but the mean of the fairness, a double: that of the jobs' doubles, whose sum is rounded once.
        """
        if not len(self.arrival):
            return {}
        start, end = self.period
        found: dict[str, Fraction | int | float] = {f"jct_p{p}": self.percentile(p) for p in PERCENTILES}
        if self.utilisation:
            found["utilisation"] = max(self.utilisation.values())
        if end > start:
            waited = int(self.queue.until(np.array([end]))[0])
            found |= {"queue_mean": Fraction(waited, end - start), "queue_max": int(self.queue.value.max())}
        if rho := self.fairness:
            doubles = [*map(float, rho)]
            most = max(doubles)  # nearest doubles keep the order, and are compared faster
            largest = max(exact for exact, double in zip(rho, doubles, strict=True) if double == most)
            found |= {"fairness_mean": fsum(doubles) / len(rho), "fairness_max": largest}
        return found

    @property
    def sentence(self) -> str:
        """Its measures in one line; empty where there are none."""
        shown, parts = self.measures, []
        if "jct_p50" in shown:
            words = ", ".join(f"p{p} {shown[f'jct_p{p}']}" for p in PERCENTILES)
            parts.append(f"JCT {words} slots")
        if "utilisation" in shown:
            fullest = max(self.utilisation, key=lambda name: self.utilisation[name])
            parts.append(f"{float(100 * shown['utilisation']):.3g} % of {fullest} in use")
        for name, words in (("queue", "jobs waiting"), ("fairness", "finish-time fairness")):
            if f"{name}_mean" in shown:
                mean, most = (float(shown[f"{name}_{which}"]) for which in ("mean", "max"))
                parts.append(f"{words} {mean:.3g} on average, {most:.3g} at most")
        return "; ".join(parts)


def _joined(running: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The starts and ends of the times in which a job runs anywhere: stretches of a job that touch are one."""
    job, start, end = running[np.lexsort(running.T[::-1])].T
    times, at = np.unique(np.concatenate([start, end]), return_inverse=True)
    first, last = (at[: len(start)] + job * len(times), at[len(start) :] + job * len(times))
    reached = np.maximum.accumulate(last)
    new = np.ones(len(job), dtype=bool)
    new[1:] = first[1:] > reached[:-1]
    begins = np.flatnonzero(new)
    return start[begins], times[np.maximum.reduceat(last, begins) % len(times)] if len(begins) else end


def _amount(spans: Iterable[Span], start: int, end: int) -> Fraction:
    """Amount times slots of what lies between two times."""
    slots: Counter[Fraction | float] = Counter()  # by amount, of which a trace has few
    for first, last, amount in spans:
        slots[amount] += max(0, min(last, end) - max(first, start))
    return sum((Fraction(amount) * width for amount, width in slots.items()), Fraction(0))
