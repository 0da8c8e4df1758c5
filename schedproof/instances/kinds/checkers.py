"""Exact checkers of the stock kinds of schedules, separate from their drivers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from schedproof.core.base.numbers import as_fraction
from schedproof.core.data import checking
from schedproof.core.data.checking import Violation, violation
from schedproof.instances.kinds.rows import amounts, machine_names, places, rows


def bins(plan: Any, instance: Any) -> list[Violation]:
    """Return every broken constraint of items in bins."""
    return checking.violations(plan, instance, _bins_exist, (_items_once, _bins_hold))


def _bins_exist(plan: Any, instance: Any) -> Iterator[Violation]:
    """The number of bins is at most ``most``."""
    most = type(plan).count(instance)
    if most is not None and len(plan.bins) > most:
        yield violation("exists", f"bin {most}", len(plan.bins) - most)


def _items_once(plan: Any, instance: Any) -> Iterator[Violation]:
    """Every item is in exactly one bin, or, if items are optional, at most one bin."""
    times = [0] * len(rows(instance))
    for held in plan.bins:
        for i in held:
            times[i] += 1
    for item, count in zip(rows(instance), times, strict=True):
        if count > 1 or (plan.every and not count):
            yield violation("once", item.name, abs(count - 1))


def _bins_hold(plan: Any, instance: Any) -> Iterator[Violation]:
    """The items of a bin fit in every resource."""
    for n, held in enumerate(plan.bins):
        sizes = [type(plan).sizes(instance, rows(instance)[i]) for i in held]
        for r, room in enumerate(type(plan).limits(instance, n) if held else ()):
            over = sum((as_fraction(size[r]) for size in sizes), Fraction(0)) - room
            if over > 0:
                yield violation("fits", f"bin {n}, resource {r}", over)


def order(plan: Any, instance: Any) -> list[Violation]:
    """Return every broken constraint of an order."""
    return checking.violations(plan, instance, _jobs_once, ())


def _jobs_once(plan: Any, instance: Any) -> Iterator[Violation]:
    """Every job occurs once."""
    for job in rows(instance):
        if (count := plan.order.count(job.index)) != 1:
            yield violation("once", job.name, abs(count - 1))


def intervals(plan: Any, instance: Any, speed: Fraction) -> list[Violation]:
    """Return every broken constraint of jobs' stays on machines of a speed."""
    kind = type(plan)
    work = partial(_all_work if kind.everywhere else _all_work_on_one_machine, speed=speed)
    rules: list[checking.Rule] = [_one_on_a_machine, _not_in_a_break, _after_arrival, work]
    rules += [] if kind.at_once else [_one_machine_at_a_time]
    rules += [] if kind.preemptive else [_without_interruption]
    return checking.violations(plan, instance, _stays_exist, rules)


def _stays_exist(plan: Any, instance: Any) -> Iterator[Violation]:
    """Each stay is on a machine of the instance and ends after its start."""
    machines = len(machine_names(instance))
    for stay in plan.stays:
        if stay.machine >= machines or stay.start >= stay.end:
            yield violation("exists", _where(stay, instance))


def _where(stay: Any, instance: Any) -> str:
    return f"{rows(instance)[stay.job].name} on machine {stay.machine}, {stay.start} to {stay.end}"


def _overlaps(stays: Sequence[Any]) -> Iterator[tuple[Any, int]]:
    """Yield the stays that overlap an earlier stay, and the length of the overlap."""
    last = None
    for stay in sorted(stays, key=lambda stay: (stay.start, stay.end)):
        if last is not None and stay.start < last:
            yield stay, min(last, stay.end) - stay.start
        last = stay.end if last is None else max(last, stay.end)


def _by(stays: Sequence[Any], *names: str) -> dict[tuple[int, ...], list[Any]]:
    groups: dict[tuple[int, ...], list[Any]] = defaultdict(list)
    for stay in stays:
        groups[tuple(getattr(stay, name) for name in names)].append(stay)
    return groups


def _one_on_a_machine(plan: Any, instance: Any) -> Iterator[Violation]:
    """A machine runs one job at a time."""
    for stays in _by(plan.stays, "machine").values():
        for stay, by in _overlaps(stays):
            yield violation("one_on_a_machine", _where(stay, instance), by)


def _not_in_a_break(plan: Any, instance: Any) -> Iterator[Violation]:
    """A machine does no work in its breaks."""
    names = machine_names(instance)
    for row in getattr(instance, "breaks", ()):
        for stay in plan.stays:
            over = min(row.end, stay.end) - max(row.start, stay.start)
            if row.machine in ("*", names[stay.machine]) and over > 0:
                yield violation("not_in_a_break", _where(stay, instance), over)


def _one_machine_at_a_time(plan: Any, instance: Any) -> Iterator[Violation]:
    """A job runs on one machine at a time."""
    for stays in _by(plan.stays, "job").values():
        for stay, by in _overlaps(stays):
            yield violation("one_machine_at_a_time", _where(stay, instance), by)


def _after_arrival(plan: Any, instance: Any) -> Iterator[Violation]:
    """No job runs before it arrives."""
    for stay in plan.stays:
        early = getattr(rows(instance)[stay.job], "arrival", 0) - stay.start
        if early > 0:
            yield violation("after_arrival", _where(stay, instance), early)


def _all_work(plan: Any, instance: Any, speed: Fraction) -> Iterator[Violation]:
    """A job runs on each machine for exactly its time there, divided by the speed."""
    done = {
        key: sum(stay.end - stay.start for stay in stays) for key, stays in _by(plan.stays, "job", "machine").items()
    }
    for job in rows(instance):
        for i, machine in enumerate(machine_names(instance)):
            if gap := done.get((job.index, i), 0) - type(plan).time(instance, i, job) / speed:
                yield violation("work", f"{job.name} on machine {machine}", abs(gap))


def _all_work_on_one_machine(plan: Any, instance: Any, speed: Fraction) -> Iterator[Violation]:
    """A job runs on one machine, for exactly its time there, divided by the speed."""
    by_job = _by(plan.stays, "job")
    for job in rows(instance):
        stays = by_job.get((job.index,), [])
        if len(machines := {stay.machine for stay in stays}) > 1:
            yield violation("one_machine", job.name, len(machines) - 1)
        done = sum(stay.end - stay.start for stay in stays)
        needed = [type(plan).time(instance, i, job) for i in (machines or range(len(machine_names(instance))))]
        if gap := min(abs(done - time / speed) for time in needed):
            yield violation("work", job.name, gap)


def _without_interruption(plan: Any, instance: Any) -> Iterator[Violation]:
    """A job is not interrupted on a machine."""
    for stays in _by(plan.stays, "job", "machine").values():
        for before, after in pairwise(sorted(stays, key=lambda stay: stay.start)):
            if after.start > before.end:
                yield violation("without_interruption", _where(after, instance), after.start - before.end)


def shares(plan: Any, instance: Any, speed: Fraction) -> list[Violation]:
    """Return every broken constraint of jobs' shares of machines of a speed in slots."""
    limits = (partial(_within_capacity, speed=speed), partial(_within_demand, speed=speed), _in_its_time)
    return checking.violations(plan, instance, _shares_exist, limits)


def _shares_exist(plan: Any, instance: Any) -> Iterator[Violation]:
    """Shares are positive, on known machines, and at most one per job, slot and part."""
    machines, count = len(places(instance)), type(plan).count(instance)
    for key, held in _by(plan.shares, "job", "machine", "slot", "part").items():
        if key[1] >= machines or key[3] >= count or len(held) > 1 or held[0].amount <= 0:
            yield violation("exists", _share(held[0], instance))


def _share(share: Any, instance: Any) -> str:
    part = f" (part {share.part})" if share.part else ""
    return f"{rows(instance)[share.job].name} on machine {share.machine} in slot {share.slot}{part}"


def _within_capacity(plan: Any, instance: Any, speed: Fraction) -> Iterator[Violation]:
    """In a slot the jobs' amounts, divided by the speed, use at most the capacities."""
    kind, count, jobs = type(plan), type(plan).count(instance), rows(instance)
    used: dict[tuple[int, ...], list[Any]] = defaultdict(list)
    for (job, machine, slot), held in _by(plan.shares, "job", "machine", "slot").items():
        parts = [Fraction(0)] * count
        for share in held:
            parts[share.part] = share.amount / speed
        used[machine, slot].append(kind.uses(instance, machine, jobs[job], tuple(parts)))
    for (machine, slot), uses in used.items():
        for r, limit in enumerate(amounts(kind.capacity(instance, machine))):
            over = sum((as_fraction(use[r]) for use in uses), Fraction(0)) - limit
            if over > 0:
                resource = f", resource {r}" if r else ""
                yield violation(
                    "capacity", f"machine {machine_names(instance)[machine]} in slot {slot}{resource}", over
                )


def _within_demand(plan: Any, instance: Any, speed: Fraction) -> Iterator[Violation]:
    """A job's share of a machine is at most its limit on that machine times the speed."""
    kind, count = type(plan), type(plan).count(instance)
    for share in plan.shares:
        limit = kind.most(instance, share.machine, rows(instance)[share.job])
        if limit is not None and (over := share.amount - speed * amounts(limit, count)[share.part]) > 0:
            yield violation("demand", _share(share, instance), over)


def _in_its_time(plan: Any, instance: Any) -> Iterator[Violation]:
    """A job has shares only between its arrival and the horizon."""
    for share in plan.shares:
        early = getattr(rows(instance)[share.job], "arrival", 0) - share.slot
        if early > 0:
            yield violation("after_arrival", _share(share, instance), early)
        if share.slot >= instance.horizon:
            yield violation("horizon", _share(share, instance), share.slot - instance.horizon + 1)


def answers(plan: Any, instance: Any) -> list[Violation]:
    """Return the broken constraints of answers, up to the first request with one."""
    return checking.violations(plan, instance, _answers_once, (_answers_allowed,))


def _answers_once(plan: Any, instance: Any) -> Iterator[Violation]:
    """Each request has one answer; with fractional answers, each answer at most once."""
    by_request = _by(plan.answers, "request")
    for request in rows(instance):
        given = [row.answer for row in by_request.get((request.index,), [])]
        if extra := len(given) - (len(set(given)) if plan.fractional else 1):
            yield violation("once", request.name, abs(extra))


def _answers_allowed(plan: Any, instance: Any) -> Iterator[Violation]:
    """Each answer and its amount are allowed after the earlier answers."""
    for _, _, broken in replay(plan, instance):
        yield from broken
        if broken:
            return


def replay(plan: Any, instance: Any) -> Iterator[tuple[Any, dict[Any, Fraction], list[Violation]]]:
    """Yield each request's view, its amounts by answer, and their broken constraints."""
    kind = type(plan)
    past: tuple[Any, ...] = ()
    by_request = _by(plan.answers, "request")
    arrive = all(hasattr(request, "arrival") for request in rows(instance))
    for request in sorted(rows(instance), key=lambda one: one.arrival if arrive else 0):
        view = kind.view(instance, request, past)
        given = {row.answer: row.amount for row in by_request.get((request.index,), [])}
        yield view, given, [*_limits(view, given)]
        past = (*past, (request, given if kind.fractional else next(iter(given), None)))


def _limits(view: Any, given: dict[Any, Fraction]) -> Iterator[Violation]:
    name, kind = view.request.name, view.kind
    for answer, amount in given.items():
        if answer not in view.allowed:
            yield violation("allowed", f"answer {answer} to {name}")
        elif over := (max(0, amount - kind.most(view, answer)) if kind.fractional else abs(amount - 1)):
            yield violation("amount", f"answer {answer} to {name}", over)
    least, most = kind.total(view) if kind.fractional else (1, 1)
    total = sum(given.values(), Fraction(0))
    if gap := max(least - total, total - most, 0):
        yield violation("total", name, gap)
