"""Random draws of preemptive instances: servers, arrivals, jobs and delays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal

import numpy as np

from schedproof.core.base.untyped import Json
from schedproof.core.data.reading import MOST
from schedproof.core.errors import InputError
from schedproof.instances.preemptive.entities import ANY
from schedproof.workloads.draws import Rng, Row, affordable, draw_weighted, number
from schedproof.workloads.preemptive.measured import (
    JOB_SIZES,
    JOBS_BY_HOUR,
    MACHINE_SIZES,
    MODELS,
    TESTBED_PARAMETER_SERVERS,
    TESTBED_WORKERS,
)
from schedproof.workloads.preemptive.settings import Settings
from schedproof.workloads.settings import WIDE

CLOUD = "cloud"
LONGEST_ARRIVAL = MOST // 2  # latest slot of an arrival: the format has room for the work after it
LONGEST_CHUNK = MOST // 5  # slots
UP = Context(prec=60, rounding=ROUND_CEILING)  # rounded up: never below the exact value
GRID = Decimal("1e-12")  # slots


def in_slots(seconds: Decimal, slot_seconds: Decimal, context: Context = WIDE) -> int | Decimal:
    """Return a time in slots, rounded to 12 decimals; shorter decimals stay exact."""
    return number(context.quantize(context.divide(seconds, slot_seconds), GRID))


def servers(rng: Rng, names: Sequence[str], gpus: Sequence[int] | None, settings: Settings) -> list[Row]:
    """Return edge servers, then the cloud.

    The testbed's hardware needs no draws. Otherwise the draws are: GPUs per server if ``gpus`` is None, then the type
    of every worker (one per GPU), then the type of every parameter server. If there is only one type, it is not drawn.
    """
    if settings.hardware == "testbed":
        edges: list[Row] = [
            {"name": n, "workers": dict(TESTBED_WORKERS), "parameter_servers": TESTBED_PARAMETER_SERVERS} for n in names
        ]
    else:
        if gpus is None and settings.hardware == "uniform":
            gpus = settings.gpus.draw(rng, len(names)).tolist()
        elif gpus is None:
            gpus = draw_weighted(rng, MACHINE_SIZES, len(names))
        cpus = [int(UP.to_integral_value(UP.multiply(settings.ps_per_gpu, n))) for n in gpus]
        workers = _draw_types(
            rng, gpus, ["gpu"] if settings.types == 1 else _numbered_names("type", settings.types), "workers"
        )
        ps = _draw_types(rng, cpus, _numbered_names("ps", settings.ps_types), "parameter servers")
        edges = [
            {"name": n, "workers": w, "parameter_servers": c if settings.ps_types == 1 else p}
            for n, w, c, p in zip(names, workers, cpus, ps, strict=True)
        ]
    if settings.storage:
        edges = [row | {"storage": number(settings.storage)} for row in edges]
    return [*edges, {"name": CLOUD, "cloud": True}] if settings.cloud == "yes" else edges


def arrivals(rng: Rng, settings: Settings) -> list[int]:
    """Return sorted arrival slots; a job draws a weighted hour and a second in it."""
    weights = JOBS_BY_HOUR if settings.arrivals == "daily" else (1,)
    hours = draw_weighted(rng, {h: weights[h % len(weights)] for h in range(settings.hours)}, settings.jobs)
    seconds = np.array(hours) * 3600 + rng.integers(3600, size=settings.jobs)
    return to_slots(sorted(seconds.tolist()), settings)


def to_slots(seconds: Iterable[int], settings: Settings) -> list[int]:
    """Return times as slots since the first time, sped up by ``load``.

    Raises
    ------
    InputError
        If an arrival is too late for the format.
    """
    (a, b), (c, d) = settings.load.as_integer_ratio(), settings.slot_seconds.as_integer_ratio()
    slots = [second * (b * d) // (a * c) for second in seconds]
    if max(slots, default=0) > LONGEST_ARRIVAL:
        raise InputError(
            f"expected longer slots or a shorter time span: the last arrival would be in slot {max(slots)}",
            path="slot_seconds",
            value=settings.slot_seconds,
        )
    return slots


def jobs(
    rng: Rng,
    names: Sequence[str],
    arrival: Sequence[int],
    sizes: Sequence[int] | None,
    system: Sequence[Row],
    settings: Settings,
) -> list[Row]:
    """Return jobs of the paper's workload on the servers ``system``.

    ``sizes`` are GPU counts; if None, they are drawn if needed. The draws, each a column over all jobs, are in this
    order: model of Table II, GPU count (for uniform chunks, D_j and B_j instead of both); worker type and
    parameter-server type among those of the servers; E_j, m_j, G_j, q_j, b_j; u_j; delays.
    """
    count = len(names)
    _targets(count, system, settings)  # too many jobs are refused before any draw
    if settings.chunks == "uniform":
        chunks = settings.chunk_count.draw(rng, count).tolist()
        minibatches = settings.minibatches.draw(rng, count).tolist()
    else:
        models = [MODELS[i] for i in rng.integers(len(MODELS), size=count).tolist()]
        minibatches = [model.minibatches for model in models]
        chunks = [model.chunks for model in models]
        if settings.chunks == "gpus":
            chunks = list(sizes) if sizes is not None else draw_weighted(rng, JOB_SIZES, count)
    columns: dict[str, Sequence[object]] = {
        "name": names,
        "arrival": arrival,
        "chunks": chunks,
        "epochs": (),  # drawn at the end; this is its place in the file
        "minibatches": minibatches,
        "worker_types": _kinds(rng, system, "workers", count),
    }
    ps_types = _kinds(rng, system, "parameter_servers", count)
    slot = settings.slot_seconds
    columns["epochs"] = settings.epochs.draw(rng, count).tolist()
    columns["minibatch_time"] = [in_slots(3600 * m, slot) for m in settings.minibatch_hours.numbers(rng, count)]
    columns["update_time"] = [in_slots(g / 1000, slot) for g in settings.update_ms.numbers(rng, count)]
    columns["gradient_size"] = [number(q) for q in settings.gradient_mb.numbers(rng, count)]
    columns["bandwidth"] = [number(WIDE.multiply(b / 8, slot)) for b in settings.bandwidth_mbps.numbers(rng, count)]
    if settings.chunk_gb.high:
        columns["chunk_size"] = [number(u) for u in settings.chunk_gb.numbers(rng, count)]
    columns["upload_delay"] = delays(rng, count, system, settings)
    if ps_types:
        columns["ps_types"] = ps_types
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def delays(rng: Rng, count: int, system: Sequence[Row], settings: Settings) -> list[dict[str, int]]:
    """Return upload delays in slots.

    There is one draw per job and edge server (or one per job), then one per job for the cloud.

    Raises
    ------
    InputError
        If there are too many delays.
    """
    edges = _targets(count, system, settings)
    to_edges = settings.delay.draw(rng, (count, len(edges))).tolist()
    rows = [dict(zip(edges, row, strict=True)) for row in to_edges]
    if settings.cloud == "yes":
        for row, delay in zip(rows, settings.cloud_delay.draw(rng, count).tolist(), strict=True):
            row[CLOUD] = delay
    return rows


def _targets(count: int, system: Sequence[Row], settings: Settings) -> list[str]:
    """Return the keys of an upload delay, except the cloud's."""
    edges = [ANY] if settings.delays == "job" else [row["name"] for row in system if not row.get("cloud")]
    what = "upload delays, one per job and server (set delays=job, or take fewer jobs or servers)"
    affordable(count * len(edges), what)
    return edges


def horizon(rows: Sequence[Row], lengths: Sequence[int], restart: int = 0) -> int:
    """Return a horizon that suffices for every work-conserving schedule.

    The horizon is max_j (r_j + max_s Delta_js) + sum_j D_j ceil(p_j) slots, but at most 10^9, the format's limit.
    After the last upload some chunk runs in every slot, even with one worker or one parameter server. With restarts,
    the slots without progress may precede each slot of work.

    Parameters
    ----------
    rows, lengths
        Jobs, and ceil(p_j) of each in slots (`chunk_slots`).
    restart
        Slots without progress of an interrupted chunk.

    Raises
    ------
    InputError
        If a chunk takes more slots than the format allows.
    """
    for row, length in zip(rows, lengths, strict=True):
        if length > LONGEST_CHUNK:
            raise InputError(
                f"expected shorter chunks or longer slots: a chunk of {row['name']} would take {length} slots"
            )
    landed = max((row["arrival"] + max(row["upload_delay"].values()) for row in rows), default=0)
    work = sum(row["chunks"] * length for row, length in zip(rows, lengths, strict=True))
    return min(MOST, landed + (1 + restart) * work)


def instance(system: Sequence[Row], rows: Sequence[Row], lengths: Sequence[int], restart: int = 0) -> Row:
    """Return the JSON object of an instance."""
    head = {"version": 1, "family": "preemptive", "horizon": horizon(rows, lengths, restart)}
    return head | {"servers": system, "jobs": rows} | ({"restart": restart} if restart else {})


def chunk_slots(row: Mapping[str, Json]) -> int:
    """Return one chunk's whole slots (1): ceil(E_j B_j (m_j + G_j + 2 q_j / b_j))."""
    shared = UP.divide(2 * row["gradient_size"], Decimal(row["bandwidth"]))
    one = UP.add(UP.add(Decimal(row["minibatch_time"]), Decimal(row["update_time"])), shared)
    return int(UP.to_integral_value(UP.multiply(row["epochs"] * row["minibatches"], one)))


def _numbered_names(word: str, count: int) -> list[str]:
    return [f"{word}-{i}" for i in range(1, count + 1)]


def _draw_types(rng: Rng, counts: Sequence[int], kinds: Sequence[str], what: str) -> list[dict[str, int]]:
    """Return the counts by type of every server; a type is drawn for each unit."""
    if len(kinds) == 1:
        return [{kinds[0]: n} for n in counts]
    affordable(max(sum(counts), len(counts) * len(kinds)), what)
    owner = np.repeat(np.arange(len(counts)), counts)
    drawn = rng.integers(len(kinds), size=len(owner))
    table = np.zeros((len(counts), len(kinds)), dtype=np.int64)
    np.add.at(table, (owner, drawn), 1)
    return [{kind: n for kind, n in zip(kinds, row, strict=True) if n} for row in table.tolist()]


def _kinds(rng: Rng, system: Sequence[Row], key: str, count: int) -> list[list[str]]:
    """Return one of the servers' types per job; empty if counts have no types."""
    typed = [row[key] for row in system if isinstance(row.get(key), dict)]
    present = list(dict.fromkeys(kind for row in typed for kind in row))
    if not present:
        return []
    return [[present[i]] for i in rng.integers(len(present), size=count).tolist()]
