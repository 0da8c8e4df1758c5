"""The dmlrs family's letters."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import Any

from schedproof.formulations.dmlrs.schedules import by_job
from schedproof.formulations.dmlrs.staircase import finishing_rows, serving_rows
from schedproof.instances.dmlrs import Instance, Job
from tests.mathematics.evaluation import Setting, UndefinedError

NOTHING = Fraction(0)


def divisor(amounts: list[Fraction]) -> Fraction:
    """The greatest common divisor."""
    scale = reduce(lcm, (a.denominator for a in amounts), 1)
    return Fraction(reduce(gcd, (int(a * scale) for a in amounts), 0), scale)


def by_arity(*functions: Callable[..., Any]) -> Callable[..., Any]:
    table = {f.__code__.co_argcount: f for f in functions}
    return lambda *indices: table[len(indices)](*indices)


def setting(program: Any, instance: Instance, model: Any) -> Setting:
    """Jobs i, machines h, resources r, slots t and k, schedules pi_i, rows m."""
    kind = program.id.partition(".")[2].split(":")[0]
    rules = {"slot": _slot, "dorm": _dorm, "exact": _exact}
    extra = rules.get(kind, _schedules)(program, instance, model)
    shared = {
        "a": lambda i: i.arrival,
        "F": lambda i: i.batch_size,
        r"\gamma": lambda i: i.workers_per_ps,
        r"\alpha": lambda i, r: i.worker.get(r, NOTHING),
        r"\beta": lambda i, r: i.ps.get(r, NOTHING),
        r"\hat C": lambda h, r, t: instance.free(t, h, r),
        "u": lambda i, x: Fraction(i.utility.lower(int(x))),
    }
    ranges = {
        "i": lambda _: instance.jobs,
        "h": lambda _: instance.machines,
        "r": lambda _: instance.resources,
        "t": lambda _: range(instance.horizon),
        "k": lambda _: range(instance.horizon),
    }
    return Setting(ranges | extra.ranges, shared | extra.symbols, extra.entries)


def _schedules(program: Any, instance: Instance, model: Any) -> Setting:
    plans = [list(enumerate(mine)) for mine in by_job(instance, program.parameters["schedules"])]
    choice, payoff, price = (model.component(name) for name in ("schedule_choice", "job_payoff", "resource_price"))

    def used(t: int, h: Any) -> list[Any]:
        return [p for mine in plans for p in mine if any((q.slot, q.machine) == (t, h.index) for q in p[1].placements)]

    def count(plan: Any, h: Any, t: int, what: str) -> int:
        return sum(getattr(q, what) for q in plan[1].placements if (q.slot, q.machine) == (t, h.index))

    return Setting(
        ranges={r"\pi_i": lambda env: plans[env["i"].index]},
        symbols={
            r"\Pi": lambda i: plans[i.index],
            r"\Gamma": used,
            r"\tilde t": lambda plan: plan[1].completion,
            "w": lambda h, t, plan: count(plan, h, t, "workers"),
            "s": lambda h, t, plan: count(plan, h, t, "ps"),
        },
        entries={
            "x": lambda plan: choice.chosen[plan[1].job.name, plan[0]],
            r"\lambda": lambda i: payoff.payoff[i.name],
            "p": lambda h, r, t: price.price._data.get((t, h.name, r)),
        },
    )


def _slot(program: Any, instance: Instance, model: Any) -> Setting:
    here = next(
        c for c in (model.component(n) for n in ("counts", "pattern_shares", "internal_counts_as_printed")) if c
    )
    query, job = here.query, here.query.job
    rows = serving_rows(job)
    patterns = model.component("pattern_shares") is not None
    shares = list(here.share) if patterns else []

    def whole(h: Any) -> bool:
        n, s = query.internal_workers, job.ps_needed(query.internal_workers)
        room = (job.worker.get(r, 0) * n + job.ps.get(r, 0) * s <= query.free(h, r) for r in instance.resources)
        return n <= job.batch_size and all(room)

    def rate(*h: Any) -> Any:
        owner = here if patterns else model.rate
        return owner.together._data.get(h[0].name) if h else owner.apart

    letters = {
        "v": program.parameters["workload"],
        "c^i": job.internal_time,
        "c^e": job.external_time,
        "n^i": query.internal_workers,
        "n^e": query.external_workers,
        "F": job.batch_size,
        r"\gamma": job.workers_per_ps,
        r"\alpha": lambda r: job.worker.get(r, NOTHING),
        r"\beta": lambda r: job.ps.get(r, NOTHING),
        "g": lambda r: divisor([d.get(r, NOTHING) for d in (job.worker, job.ps)]),
        r"\hat C": lambda h, r: query.free(h, r),
        r"\mathcal{H}": [h for h in instance.machines if whole(h)],
        "p": query.price,
        "p^w": query.worker_price,
        "p^s": query.ps_price,
        r"\phi": lambda m: rows[m][0],
        r"\chi": lambda m: rows[m][1],
        r"\psi": lambda m: rows[m][2],
    }
    if patterns:
        letters |= {"w": lambda h, k: k[0], "s": lambda h, k: k[1]}
        entries: dict[str, Any] = {r"\lambda": lambda h, k: here.share[(h.name, *k)], "z": rate}
    else:
        entries = {"w": lambda h: here.workers[h.name], "s": lambda h: here.ps[h.name], "z": rate}
    return Setting(
        ranges={"m": lambda _: range(len(rows)), "k": lambda env: [k for h, *k in shares if h == env["h"].name]},
        symbols=letters,
        entries=entries,
    )


def _exact(program: Any, instance: Instance, model: Any) -> Setting:
    work = {i.name: finishing_rows(i, i.batch_size * instance.horizon) for i in instance.jobs}
    serve = {i.name: serving_rows(i) for i in instance.jobs}

    def entry(rows: dict[str, Any], n: int) -> Callable[..., Any]:
        def number(i: Job, m: int) -> Any:
            if m >= len(rows[i.name]):
                raise UndefinedError
            return rows[i.name][m][n]

        return number

    return Setting(
        ranges={"m": lambda env: range(max(len(rows[env["i"].name]) for rows in (work, serve)))},
        symbols={
            "g": lambda r: divisor([d.get(r, NOTHING) for i in instance.jobs for d in (i.worker, i.ps)]),
            r"\phi": entry(work, 0),
            r"\chi": entry(work, 1),
            r"\psi": entry(work, 2),
            r"\phi'": entry(serve, 0),
            r"\chi'": entry(serve, 1),
            r"\psi'": entry(serve, 2),
        },
        entries={
            "w": lambda i, h, t: model.placement.workers[i.name, h.name, t],
            "s": lambda i, h, t: model.placement.ps[i.name, h.name, t],
            "e": lambda i, t: model.completion.last._data.get((i.name, t)),
            "x": lambda i: model.completion.admitted[i.name],
            "n^i": lambda i, t: model.rates.internal[i.name, t],
            "n^e": lambda i, t: model.rates.external[i.name, t],
        },
    )


def _dorm(program: Any, instance: Instance, model: Any) -> Setting:
    given = program.parameters
    slot, held, most = given["slot"], given["held"], given["most"]
    jobs = [i for i in instance.jobs if i.arrival <= slot]
    capacity = {r: sum((h.capacity.get(r, NOTHING) for h in instance.machines), NOTHING) for r in instance.resources}
    free = {r: sum((instance.free(slot, h, r) for h in instance.machines), NOTHING) for r in instance.resources}
    enough = {i.name: max(most.get(i.name, i.batch_size), held.get(i.name, 0)) for i in jobs}

    def need(i: Job, n: int, r: str) -> Fraction:
        return i.worker.get(r, NOTHING) * n + i.ps.get(r, NOTHING) * i.ps_needed(n)

    def largest(i: Job) -> str | None:
        size = {
            r: (i.worker.get(r, NOTHING) + i.ps.get(r, NOTHING) / i.workers_per_ps) / c
            for r, c in capacity.items()
            if c
        }
        return max(size, key=size.__getitem__) if any(size.values()) else None

    fair = model.allocation.now.fair_workers()
    wished = {r: sum((need(i, enough[i.name], r) for i in jobs), NOTHING) for r in instance.resources}

    def has(i: Job) -> int:
        if i.name not in held:
            raise UndefinedError
        return held[i.name]

    def share(i: Job) -> Any:
        r = largest(i)
        if r is None:
            return None
        workers, ps = (float(d.get(r, NOTHING) / capacity[r]) for d in (i.worker, i.ps))
        return workers * model.allocation.workers[i.name] + ps * model.allocation.ps[i.name]

    def fair_share(i: Job) -> Fraction:
        if (r := largest(i)) is None:
            raise UndefinedError
        return need(i, fair[i.name], r) / capacity[r]

    return Setting(
        ranges={"i": lambda _: jobs},
        symbols={
            r"\hat U": sum((min(free[r], wished[r]) / c for r, c in capacity.items() if c), NOTHING),
            "C": lambda r: capacity[r],
            r"\hat C": lambda h, r: instance.free(slot, h, r),
            r"\bar n": lambda i: enough[i.name],
            r"\bar u": 200 if all(wished[r] <= free[r] for r in free) else 198,
            r"\mathcal{H}": [i for i in jobs if i.name in held],
            r"\mathcal{D}": [i for i in jobs if largest(i)],
            "d": largest,
            r"\hat{\sigma}": fair_share,
            "n^-": has,
            "N": lambda i: i.workers_per_ps.numerator,
            "m": sum(c > 0 for c in capacity.values()),
            "k": len(held),
            r"\theta": lambda n: given[f"theta{n}"],
        },
        entries={
            "n": lambda i: model.allocation.workers[i.name],
            "s": lambda i: model.allocation.ps[i.name],
            "r": lambda i: model.adjustment.adjusted._data.get(i.name),
            "l": lambda i: model.distance.loss._data.get(i.name),
            "u": lambda: model.level.steps,
            r"\sigma": share,
        },
    )
