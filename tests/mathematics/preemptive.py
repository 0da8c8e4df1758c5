"""The preemptive family's letters."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from schedproof.formulations.preemptive.index import slots
from schedproof.instances.preemptive import Instance, Job, Server
from tests.mathematics.evaluation import Setting, UndefinedError

AT_EDGE_RATE, AT_CLOUD_RATE = "at the edge rate", "at the cloud's rate"  # the cloud's two workers


def setting(program: Any, instance: Instance, model: Any) -> Setting:
    """Jobs j, chunks d, servers s, workers w, classes q, types of PS p, slots t.

    If chunks float, w are the classes of workers. The cloud has two workers, one per rate, or one where a program has
    no column at the cloud's rate.
    """
    given = program.parameters
    speed, reading = given.get("speed", Fraction(1)), given.get("reading", "ceil_chunk")
    stays = bool(given.get("stays"))
    mixed = program.id.split(".")[1].startswith(("ilp", "dual"))
    pinned, floating = model.component("pinned_workers"), model.component("floating_workers")
    training, classes = model.component("training"), model.component("class_use")
    duals = model.component("chunk_value")
    cloud = instance.cloud

    def chunk_slots(j: Job, in_cloud: bool = False) -> Fraction:
        if reading == "ceil_job":
            return (j.chunk_time_in_cloud if in_cloud else j.chunk_time) / speed
        return slots(j, in_cloud, reading, speed)

    def workers(s: Server) -> list[Any]:
        if s.cloud:
            return [AT_EDGE_RATE, AT_CLOUD_RATE] if training or duals else [AT_EDGE_RATE]
        if floating:
            return [kind for kind, count in s.workers.items() if count]
        return [(kind, n) for kind, count in s.workers.items() for n in range(count)]

    def kind(s: Server, w: Any) -> Any:
        return None if s.cloud else w if floating else w[0]

    def qualified(j: Job, s: Server, w: Any) -> bool:
        return j.delay(s) is not None and (s.cloud or kind(s, w) in j.worker_types)

    def rate(j: Job, *place: Any) -> Fraction:
        if len(place) == 2 and not qualified(j, *place):
            return Fraction(0)
        fast = len(place) == 1 or place[1:] == (AT_CLOUD_RATE,)
        return j.epochs * j.minibatches / chunk_slots(j, fast)

    def delay(j: Job, s: Any) -> float:
        found = None if s is None else (s[0] if isinstance(s, tuple) else s)
        if found is None or j.delay(found) is None or (isinstance(s, tuple) and s[1] and s[1] not in j.worker_types):
            return inf
        return j.delay(found)  # type: ignore[return-value]

    def last(j: Job, place: Server | None) -> int:
        ends, without = instance.last_slot(j, mixed, speed, stays), instance.last_slot(j, mixed, speed)
        return max(ends, without) if place is None else without if place.cloud else ends

    def times(env: Any) -> range:
        jobs = [env["j"]] if "j" in env else instance.jobs
        return range(max((last(j, env["s"] if "w" in env else None) for j in jobs), default=-1) + 1)

    def y(j: Job, *index: Any) -> Any:
        if training:
            d, s, w, t = index
            found = (
                training.edge if not s.cloud else training.cloud if w == AT_CLOUD_RATE else training.cloud_at_edge_rate
            )
            return found._data.get((j.name, d, t) if s.cloud else (j.name, d, s.name, *w, t))
        s, w, t = index
        use, place = pinned or floating, w if isinstance(w, tuple) else (w,)
        found = use.cloud_at_edge_rate if s.cloud else use.edge
        return found._data.get((j.name, t) if s.cloud else (j.name, s.name, *place, t))

    def stored(j: Job, *index: Any) -> Any:
        if pinned:
            return model.stored_chunks.stored._data.get((j.name, index[0].name, index[1]))
        d, s, *t = index
        places = model.chunk_places
        return (places.occupies if t else places.on)._data.get((j.name, d, s.name, *t))

    def held(j: Job, s: Server, w: Any) -> Any:
        return (pinned.holds_in_cloud if s.cloud else pinned.holds)._data.get(
            j.name if s.cloud else (j.name, s.name, *w)
        )

    def in_use(j: Job, q: Any, t: int) -> Any:
        return (classes.cloud if q[0].cloud else classes.edge)._data.get(
            (j.name, t) if q[0].cloud else (j.name, q[0].name, q[1], t)
        )

    def ends_in_time(j: Job) -> int:
        upload = instance.cloud_delay(j)
        return int(upload is not None and j.arrival + upload + j.slots(in_cloud=True, speed=speed) <= instance.horizon)

    def beta(s: Server, w: Any, t: int) -> Any:
        return 0.0 if s.cloud else model.worker_rent.beta._data.get((s.name, *w, t))

    def eta(s: Server, t: int) -> Any:
        return 0.0 if s.cloud or s.storage is None else model.storage_rent.eta._data.get((s.name, t))

    def processing(j: Job, q: Any) -> Fraction:
        return chunk_slots(j, q[0].cloud)

    alive = model.component("completion") or model.component("chunk_places")
    all_classes: list[Any] = [(q.server, q.type) for q in instance.classes] + ([(cloud, "")] if cloud else [])
    symbols = {
        r"\infty": inf,
        "s_c": cloud,
        "w_c": AT_CLOUD_RATE,
        "q_c": (cloud, ""),
        "r": lambda j: j.arrival,
        "E": lambda j: Fraction(j.epochs),
        "B": lambda j: Fraction(j.minibatches),
        "D": lambda j: j.chunks,
        "n": rate,
        "p": processing,
        "v": lambda j, s, w: int(qualified(j, s, w)),
        "o": lambda j, s, p: int(j.opens(s, p)),
        "u": lambda j: j.chunk_size,
        r"\Delta": delay,
        r"\bar{\zeta}": ends_in_time,
        "T": lambda j: instance.last_slot(j, speed=speed),
        "U": lambda s: inf if s.cloud or s.storage is None else s.storage,
        "P": lambda s, p: s.parameter_servers[p],
        "W": lambda *place: instance_count(instance, place, floating is not None),
    }
    entries: dict[str, Any] = {
        "y": y,
        "Y": in_use,
        "N": held,
        "x": stored,
        "z": lambda j, s, p, t: model.parameter_server.serves._data.get((j.name, s.name, p, t)),
        r"\rho": lambda j, t: model.running.runs._data.get((j.name, t)),
        r"\zeta": lambda j: model.placement.all_in_cloud[j.name],
        "a": lambda j, t: alive.alive._data.get((j.name, t)),
        r"\varphi": lambda j: model.completion.jct[j.name],
        "c": lambda j: j.arrival + model.completion.jct[j.name],
        r"\alpha": lambda j, d: model.chunk_value.alpha[j.name, d],
        r"\beta": beta,
        r"\eta": eta,
    }
    return Setting(
        ranges={
            "j": lambda _: instance.jobs,
            "d": lambda env: range(env["j"].chunks if "j" in env else 0),
            "s": lambda _: instance.servers,
            "w": lambda env: workers(env["s"]),
            "p": lambda env: ["*"] if env["s"].cloud else list(env["s"].parameter_servers),
            "q": lambda _: all_classes,
            "t": times,
        },
        symbols=symbols,
        entries=entries,
    )


def instance_count(instance: Instance, place: tuple[Any, ...], floating: bool) -> float:
    """W_q or W_sw, the number of workers; unlimited in the cloud."""
    if len(place) == 1:
        ((server, kind),) = place
        return inf if server.cloud else float(server.workers[kind])
    server, worker = place
    if server.cloud:
        return inf
    return float(server.workers[worker]) if floating else 1.0


__all__ = ["UndefinedError", "setting"]
