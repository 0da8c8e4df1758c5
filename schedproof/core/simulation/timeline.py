"""A schedule over time: arrivals, runs, completions, queue and use of resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import fsum
from typing import NamedTuple

import numpy as np

from schedproof.core.base.numbers import as_fraction, ceil
from schedproof.core.base.untyped import Value

Span = tuple[int, int, Fraction | float]  # first slot, first slot after, amount (exact if the family's amounts are)
PERCENTILES = (50, 95, 99)
MEASURES = (
    *(f"jct_p{p}" for p in PERCENTILES),
    *("utilisation", "queue_mean", "queue_max", "fairness_mean", "fairness_max"),
)
LEGEND = (
    "jct: slots from arrival to completion, or to the horizon; utilisation: of the fullest resource, from the first "
    "arrival to the last completion; queue: jobs that are present and hold nothing; fairness: a job's JCT over its JCT "
    "alone on 1/n of the cluster, with n jobs present (above 1, a private share would have been better)"
)


class Steps(NamedTuple):
    """A step function of time: ``value[i]`` holds from ``time[i]`` on; 0 before."""

    time: np.ndarray
    value: np.ndarray

    def until(self, times: np.ndarray) -> np.ndarray:
        """Return the exact integral up to each time; Python integers avoid overflow."""
        wide = object if self.time.size and int(self.time[-1]) * int(abs(self.value).max()) >= 2**62 else np.int64
        widths, value = np.diff(self.time).astype(wide), self.value.astype(wide)
        before = np.concatenate([np.zeros(1, dtype=wide), np.cumsum(value[:-1] * widths)])
        at = np.maximum(np.searchsorted(self.time, times, side="right") - 1, 0)
        result: np.ndarray = before[at] + value[at] * np.maximum(times - self.time[at], 0).astype(wide)
        return result


def steps(starts: np.ndarray, ends: np.ndarray, amounts: np.ndarray | int = 1) -> Steps:
    """Return the step function of the total amount of intervals."""
    times, at = np.unique(np.concatenate([starts, ends]), return_inverse=True)
    amounts = np.broadcast_to(amounts, starts.shape)
    change = np.zeros(len(times), dtype=amounts.dtype)
    np.add.at(change, at, np.concatenate([amounts, -amounts]))
    return Steps(times, np.cumsum(change))


@dataclass(frozen=True)
class Timeline:
    """A schedule over time.

    Attributes
    ----------
    arrival, end
        Arrival and completion of each job in slots, shape (jobs,), int64. ``end`` is the slot at whose start the job is
        done; the horizon for an unfinished job.
    running
        For each interval in which a job holds resources: the job, the first slot, and the first slot after the
        interval; shape (intervals, 3), int64.
    use, room
        Resource -> spans of used amounts and of capacities. Resources without a limit are omitted.
    alone
        ``alone(job, n)``: JCT of a job, by position, with 1/n of the cluster to itself, or None if it would never
        complete. None if the family does not define it.
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
        """Return the timeline of plain numbers; completions before arrival are corrected."""
        arrival = np.fromiter(arrivals, dtype=np.int64)
        end = np.maximum(np.fromiter(ends, dtype=np.int64), arrival)
        return cls(arrival, end, np.array([*running], dtype=np.int64).reshape(-1, 3), **more)

    @property
    def period(self) -> tuple[int, int]:
        """The first arrival and the last completion."""
        return int(self.arrival.min(initial=2**62)), int(self.end.max(initial=0))

    @cached_property
    def present(self) -> Steps:
        """The number of arrived and unfinished jobs over time."""
        return steps(self.arrival, self.end)

    @cached_property
    def queue(self) -> Steps:
        """The number of present jobs without resources over time."""
        starts, ends = _joined(self.running)
        return steps(
            np.concatenate([self.arrival, starts]),
            np.concatenate([self.end, ends]),
            np.repeat([1, -1], [len(self.arrival), len(starts)]),
        )

    def percentile(self, percent: int) -> int:
        """Return the least JCT in slots that `percent` of the jobs do not exceed."""
        jct = np.sort(self.end - self.arrival)
        return int(jct[ceil(Fraction(percent * len(jct), 100)) - 1])

    @cached_property
    def utilisation(self) -> dict[str, Fraction]:
        """Return the used fraction of each resource with capacity over the period."""
        room = {name: _amount(spans, *self.period) for name, spans in self.room.items()}
        return {name: _amount(self.use[name], *self.period) / there for name, there in room.items() if there}

    @cached_property
    def fairness(self) -> list[Fraction]:
        """Finish-time fairness rho of each job (Themis; Mahajan et al., NSDI 2020).

        Rho is the job's JCT divided by its JCT on a private 1/n of the cluster. Here n is the mean number of present
        jobs, including this job, from its arrival to its completion. Themis' sharing incentive is rho <= 1 for all
        jobs. The family's `alone` returns the JCT on 1/n of the cluster, which equals that on the whole cluster if the
        job uses at most 1/n. Themis uses n times the JCT on the whole cluster instead. Jobs without a slot, or that
        would never complete on 1/n, are omitted.
        """
        if self.alone is None:
            return []
        beside = self.present.until(self.end) - self.present.until(self.arrival)
        jcts = enumerate(zip((self.end - self.arrival).tolist(), beside.tolist(), strict=True))
        pairs = ((jct, self.alone(j, Fraction(jobs, jct))) for j, (jct, jobs) in jcts if jct)
        return [Fraction(jct, alone) for jct, alone in pairs if alone is not None]

    @cached_property
    def measures(self) -> dict[str, Fraction | int | float]:
        """The values of `MEASURES`; undefined ones are omitted.

        All are exact except the mean fairness, which is the mean of doubles with one rounding.
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
            most = max(doubles)  # nearest doubles keep the order and compare faster
            largest = max(exact for exact, double in zip(rho, doubles, strict=True) if double == most)
            found |= {"fairness_mean": fsum(doubles) / len(rho), "fairness_max": largest}
        return found

    @property
    def sentence(self) -> str:
        """The measures in one line; empty without any."""
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
    job, start, end = running[np.lexsort(running.T[::-1])].T
    times, at = np.unique(np.concatenate([start, end]), return_inverse=True)
    first, last = (at[: len(start)] + job * len(times), at[len(start) :] + job * len(times))
    reached = np.maximum.accumulate(last)
    new = np.ones(len(job), dtype=bool)
    new[1:] = first[1:] > reached[:-1]
    begins = np.flatnonzero(new)
    return start[begins], times[np.maximum.reduceat(last, begins) % len(times)] if len(begins) else end


def _amount(spans: Iterable[Span], start: int, end: int) -> Fraction:
    slots: Counter[Fraction | float] = Counter()  # slots by amount; a trace has few distinct amounts
    for first, last, amount in spans:
        slots[amount] += max(0, min(last, end) - max(first, start))
    return sum((as_fraction(amount) * width for amount, width in slots.items()), Fraction(0))
