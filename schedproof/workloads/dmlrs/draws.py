"""Random draws of dmlrs instances: machines, arrivals, classes and jobs."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError
from schedproof.instances.dmlrs import from_json
from schedproof.workloads.dmlrs.settings import CLASSES, RESOURCES, Settings
from schedproof.workloads.draws import Rng, Row, affordable, draw_weighted, number
from schedproof.workloads.settings import WIDE

ROUNDS, CANDIDATES = 1_000, 100  # most rounds of redraws, and fewest draws in a round
ODD, EVEN = 1, 2  # arrival rates 1/3 and 2/3 of the paper's odd and even slots; its first slot is our slot 0


def cluster(rng: Rng, settings: Settings) -> Row:
    """Return an instance without jobs, with drawn capacities."""
    affordable(settings.machines * len(RESOURCES), "capacities")
    columns = []
    for resource in RESOURCES:
        demand = getattr(settings, f"worker_{resource}")
        mean = (demand.low + demand.high) / 2
        times = settings.capacity.numbers(rng, settings.machines)
        columns.append([number(WIDE.multiply(mean, n)) for n in times])
    rows = enumerate(zip(*columns, strict=True), start=1)
    return {
        "version": 1,
        "family": "dmlrs",
        "horizon": settings.horizon,
        "resources": list(RESOURCES),
        "machines": [{"name": f"m{h}", "capacity": dict(zip(RESOURCES, row, strict=True))} for h, row in rows],
    }


def arrivals(rng: Rng, settings: Settings) -> list[int]:
    """Return sorted arrival slots; the paper's even slots are twice as likely."""
    return sorted(draw_weighted(rng, {t: EVEN if t % 2 else ODD for t in range(settings.horizon)}, settings.jobs))


def classes(rng: Rng, settings: Settings) -> list[str]:
    """Return each job's class of criticality, drawn with the setting ``mix``."""
    shares = {n: int(share) for n, share in enumerate(settings.mix.split("/"))}
    return [CLASSES[n] for n in draw_weighted(rng, shares, settings.jobs)]


def jobs(
    rng: Rng, names: Sequence[str], arrival: Sequence[int], criticality: Sequence[str], settings: Settings
) -> list[Row]:
    """Return jobs of the paper's workload.

    The draws, each a column over all jobs, are in this order: E, K, F, gamma, tau, g, b^e, b^i / b^e; alpha, then
    beta, resource by resource; theta1, theta3, theta2 as if all jobs were time-sensitive, and theta2 as if all jobs
    were time-critical.
    """
    count, s = len(names), settings

    def column(name: str) -> list[int | Decimal]:
        return [number(n) for n in getattr(s, name).numbers(rng, count)]

    columns: dict[str, Sequence[Json]] = {"name": names, "arrival": arrival}
    for key in ("epochs", "samples", "batch_size", "workers_per_ps", "sample_time"):
        columns[key] = column(key)
    columns["model_size"] = column("model_mb")
    external = [WIDE.multiply(b / 8, s.slot_seconds) for b in s.external_mbps.numbers(rng, count)]
    internal = [WIDE.multiply(b, n) for b, n in zip(external, s.internal_times.numbers(rng, count), strict=True)]
    columns["bandwidth_internal"] = [number(b) for b in internal]
    columns["bandwidth_external"] = [number(b) for b in external]
    for role in ("worker", "ps"):
        amounts = zip(*(column(f"{role}_{resource}") for resource in RESOURCES), strict=True)
        columns[role] = [{r: n for r, n in zip(RESOURCES, row, strict=True) if n} for row in amounts]
    thetas = zip(*(column(name) for name in ("priority", "target", "sensitive", "critical")), strict=True)
    columns["utility"] = [_utility(kind, row, s) for kind, row in zip(criticality, thetas, strict=True)]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def without_unservable(
    rng: Rng, rows: list[Row], criticality: Sequence[str], system: Row, settings: Settings
) -> list[Row]:
    """Return the jobs; ``infeasible_alone=redraw`` draws unservable jobs again.

    Raises
    ------
    InputError
        If some job still cannot finish after `ROUNDS` rounds.
    """
    if settings.infeasible_alone == "keep":
        return rows
    rows = list(rows)
    redraw = [job.index for job in from_json(system | {"jobs": rows}).unservable_jobs]
    for _ in range(ROUNDS):
        if not redraw:
            break
        owners = [n for n in redraw for _ in range(max(1, CANDIDATES // len(redraw)))]
        arrival = [rows[n]["arrival"] for n in owners]
        again = jobs(rng, [f"{i}" for i in range(len(owners))], arrival, [criticality[n] for n in owners], settings)
        unservable = {job.index for job in from_json(system | {"jobs": again}).unservable_jobs}
        for i, n in enumerate(owners):
            if n in redraw and i not in unservable:
                rows[n] = again[i] | {"name": rows[n]["name"]}
                redraw.remove(n)
    if redraw:
        raise InputError(
            f"no servable job that arrives in slot {rows[redraw[0]]['arrival']} in {ROUNDS} rounds of draws: "
            "expected a longer horizon, more machines or less work",
            path="infeasible_alone",
            value="redraw",
        )
    return rows


def _utility(kind: str, thetas: Sequence[Json], settings: Settings) -> Row:
    priority, target, sensitive, critical = thetas
    if settings.utilities == "sigmoid":
        slope = {"insensitive": 0, "sensitive": sensitive, "critical": critical}[kind]
        return {"kind": "sigmoid", "theta1": priority, "theta2": slope, "theta3": target}
    if kind == "insensitive":
        return {"kind": "constant", "value": priority}
    if kind == "sensitive":
        return {"kind": "linear", "value": priority, "slope": number(WIDE.multiply(Decimal(priority), sensitive))}
    return {"kind": "table", "values": [*[priority] * target, 0][: settings.horizon]}
