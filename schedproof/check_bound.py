"""Check a bound's certificate with the standard library alone: ``python -I check_bound.py INSTANCE CERTIFICATE``.

Written from the papers by weak duality, one function for each family; it imports nothing of the package whose
certificates it reads. All sums are rationals. What is irrational (ln, exp, sqrt) is rounded to the safe side, and a
value is accepted when it is at least as safe as what is proven here, and next to nothing more.
"""

import ast
import hashlib
import json
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from math import isqrt, lcm
from operator import mul, sub
from pathlib import Path
from typing import Any

MOST_BYTES, MOST_STEPS = 1 << 30, 10**10
BITS, DIGITS, TINY = 192, Context(prec=60), Fraction(1, 10**50)  # of what is irrational
Units = tuple[int, ...]
Range = tuple[Fraction, Fraction]  # of values that are accepted


class Refused(Exception):
    """The certificate does not prove what it says, in one sentence."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch("-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?", text)
    need(fine, f"expected a rational like 7/3, found {text!s:.40}")
    return Fraction(text)


def exact(value: Any, named: bool) -> Any:
    """The same with rationals in place of decimals, all >= 0; where nothing has a name, in place of texts as well."""
    if isinstance(value, dict):
        return {key: exact(each, named) for key, each in value.items()}
    if isinstance(value, list):
        return [exact(each, named) for each in value]
    if named and isinstance(value, str | bool):
        return value
    fine = type(value) is int or (isinstance(value, Decimal) and abs(value.adjusted()) < 400)
    number = rational(value) if isinstance(value, str) else Fraction(value if fine else -1)
    need(number >= 0, f"expected a number >= 0, found {value!s:.40}")
    return value if type(value) is int else number


def up(value: Fraction, bits: int = BITS) -> int:
    """In multiples of 2^-bits, rounded up."""
    return -((-value.numerator << bits) // value.denominator)


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def read(path: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key stands twice in one object")
        return dict(pairs)

    try:
        need(Path(path).stat().st_size <= MOST_BYTES, "the file is too large")
        value = json.loads(Path(path).read_text("utf-8-sig"), parse_float=Decimal, object_pairs_hook=once)
        need(isinstance(value, dict), "expected a JSON object")
        return dict(value)
    except (OSError, ValueError, ArithmeticError, RecursionError, Refused) as error:
        raise Refused(f"{path}: cannot be read: {' '.join(str(error).split())[:200]}") from None


FIELDS = (  # in their order in the text whose SHA-256 identifies an instance
    "version family horizon communication_share resources machines name size servers jobs reserved capacity workers "
    "parameter_servers storage cloud compute deadline arrival chunks epochs samples batch_size workers_per_ps "
    "sample_time model_size bandwidth_internal bandwidth_external worker ps utility minibatches worker_types "
    "minibatch_time update_time gradient_size bandwidth upload_delay chunk_size ps_types minibatch_size "
    "minibatch_work parameter_size sync_period data_nodes kind value slope values theta1 theta2 theta3 "
).split()
MAPS = {"workers", "parameter_servers", "upload_delay", "capacity", "worker", "ps", "reserved"}  # of names in the file
OPTIONAL = {"cloud", "chunk_size", "reserved", "tasks", "node_utilities"}  # left out where they say nothing


def says(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value
    return any(map(says, inside)) if isinstance(value, dict | list) else bool(value)


def written(value: Any, place: str = "", by_name: bool = False) -> str:
    """JSON without spaces, fields in their order, decimals in their shortest form."""
    if isinstance(value, dict):
        optional = set(value) if place in ("reserved", "node_utilities") else OPTIONAL
        keys = [key for key in value if key not in optional or says(value[key])]
        if by_name or place not in MAPS:
            keys.sort(key=None if by_name else FIELDS.index)
        return "{" + ",".join(f"{written(key)}:{written(value[key], key, by_name)}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(each, place, by_name) for each in value) + "]"
    if isinstance(value, Decimal):
        return str(int(value) if value == int(value) else value.normalize(Context(prec=1000)))
    return json.dumps(value, ensure_ascii=False)


def identity(instance: dict[str, Any]) -> str:
    if by_name := instance["family"] == "multiserver":
        counts = hashlib.sha256(b"".join(array("q", slot).tobytes() for slot in instance["arrivals"])).hexdigest()
        instance = instance | {"arrivals": {"slots": len(instance["arrivals"]), "sha256": counts}}
        instance["ports"] = ports = [dict(port) for port in instance["ports"]]
        for port in ports:  # a gang that does not say how many of its tasks must start needs all of them
            least = port.pop("minimum_tasks", len(port.get("tasks", [])))
            port |= {"minimum_tasks": least} if port.get("tasks") else {}
    return hashlib.sha256(written(instance, by_name=by_name).encode()).hexdigest()


def preemptive(instance: Any, asked: dict[str, str], proof: Any) -> Range:
    """(4) by classes q of W_q workers: sum_j D_j (alpha_j - sum_t delta_j(t)) - sum_q W_q sum_t beta_q(t), where

    delta_j(t) = max(0, max over the job's places of (alpha_j - (t - r_j [+ (p + 1)/2]) / D_j) / p - beta_q(t)).
    """
    one, half, speed, horizon = 1 << 24, asked["cost"] == "half", rational(asked["speed"]), instance["horizon"]
    need(asked["cost"] in ("half", "printed") and 0 < speed < 10**9, "the parameters are no cost and speed")
    need(proof.keys() == {"unit", "values", "prices"} and proof["unit"] * one == 1, "expected multiples of 2^-24")
    servers, jobs, steps = instance["servers"], instance["jobs"], 0
    cloud = next((server["name"] for server in servers if server.get("cloud")), None)
    edge = [server for server in servers if server["name"] != cloud]
    classes = [(server["name"], kind, n) for server in edge for kind, n in server["workers"].items() if n]
    beta: list[dict[int, int]] = [{} for _ in classes]
    for q, t, price in proof["prices"]:
        beta[q][t] = price

    @cache
    def cheapest(places: Units) -> dict[int, int]:
        """In the slots in which none of them is free."""
        return {t: min(beta[q][t] for q in places) for t in set.intersection(*(set(beta[q]) for q in places))}

    def slots(job: Any, here: bool) -> int:
        """p, of one chunk, on the edge or in the cloud."""
        sync = 2 * job["gradient_size"] / Fraction(job["bandwidth"]) if here else 0
        return up(job["epochs"] * job["minibatches"] * (job["minibatch_time"] + job["update_time"] + sync) / speed, 0)

    landed = [job["arrival"] + delay for job in jobs for s, delay in job["upload_delay"].items() if s != cloud]
    enough = max(landed, default=0) + sum(job["chunks"] * slots(job, True) for job in jobs)  # one job after the other
    total = -Fraction(sum(n * sum(prices.values()) for (_, _, n), prices in zip(classes, beta, strict=True)), one)
    for job, alpha in zip(jobs, proof["values"], strict=True):
        chunks, arrival, delays = job["chunks"], job["arrival"], job["upload_delay"]
        p, p_cloud, in_cloud, worth, rent = (
            slots(job, True),
            slots(job, False),
            delays.get(cloud),
            2 * chunks * alpha,
            0,
        )
        ways = [
            (q, delays.get(s, delays.get("*"))) for q, (s, kind, _) in enumerate(classes) if kind in job["worker_types"]
        ]
        ways = [(q, delay) for q, delay in ways if delay is not None]
        end = min(horizon, enough if in_cloud is None else arrival + in_cloud + p_cloud) - arrival
        end = min(end, up(Fraction(worth, 2 * one), 0))  # from then on the charge exceeds alpha
        steps += end
        need(steps <= MOST_STEPS, "it takes too many steps to check in plain Python")
        for start, stop in pairwise([*sorted({delay for _, delay in [*ways, (-1, in_cloud)]} - {None}), end]):
            places, far = tuple(q for q, delay in ways if delay <= start), in_cloud is not None and in_cloud <= start
            price = cheapest(places) if places else {}
            for t in range(start, min(stop, end)):
                left, beside = worth - 2 * t * one, 2 * chunks * p * price.get(arrival + t, 0)
                there = left - half * (p + 1) * one - beside if places else 0
                away = left - half * (p_cloud + 1) * one if far else 0
                rent += max(0, there * p_cloud, away * p)
        total += Fraction(worth * p * p_cloud - rent, 2 * one * p * p_cloud)
    return total, total


def jrp(instance: Any, asked: dict[str, str], proof: Any) -> Range:
    """Prices of the servers' sides: the rent of all there is, and of each job what it is worth beyond its nodes' costs.

    A GB of job k on server j costs sigma_j + p_j a_k + q_j b_k, and by (10), with Cauchy and Schwarz, 2 sqrt(p a q b)
    more. Each server's and job's part is rounded up to a multiple of 2^-64, the root down to one of 1/(u s).
    """
    share, servers, sides = instance["communication_share"], instance["servers"], ("storage", "compute", "bandwidth")
    need(proof.keys() == {*sides}, "expected prices of storage, compute and bandwidth")
    usable = (1, 1 - share, share) if asked["program"] == "jrp.lp_i" else (1, 1, 1)
    rent = [[server[side] * part for side, part in zip(sides, usable, strict=True)] for server in servers]
    prices = list(zip(*(proof[side] for side in sides), strict=True))
    total = sum(up(Fraction(sum(map(mul, *two))), 64) for two in zip(prices, rent, strict=True))
    u = lcm(*(price.denominator for row in prices for price in row))
    place = {server["name"]: [int(price * u) for price in row] for server, row in zip(servers, prices, strict=True)}
    for job in instance["jobs"]:
        rate = job["epochs"] / Fraction(job["minibatch_size"] * job["deadline"]) if "deadline" in job else Fraction(0)
        work, sync, cost = rate * job["minibatch_work"], rate * job["parameter_size"] / job["sync_period"], {}
        s = lcm(work.denominator, sync.denominator)
        for name in {name for node in job["data_nodes"] for name in node["servers"]}:
            sigma, p, q = place[name]
            a, b = p * int(work * s), q * int(sync * s)
            cost[name] = sigma * s + a + b + (isqrt(4 * a * b) if asked["program"] == "jrp.conic" else 0)
        if all(node["servers"] for node in job["data_nodes"]):
            paid = sum(node["size"] * min(cost[name] for name in node["servers"]) for node in job["data_nodes"])
            total += max(0, up(1 - Fraction(paid) / (u * s), 64))
    return Fraction(total, 1 << 64), Fraction(total, 1 << 64)


def decimal(x: Fraction | int) -> Decimal:
    return DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator))


def utility(u: Any, time: int) -> Fraction:
    """At least what a job is worth that is done after so many slots."""
    if u["kind"] == "table":
        return Fraction(u["values"][min(time, len(u["values"])) - 1])
    if u["kind"] != "sigmoid":
        return Fraction(max(0, u["value"] - time * u.get("slope", 0)))
    late = min(u["theta2"] * (time - u["theta3"]), 1000)
    return Fraction(u["theta1"]) / (1 + (Fraction(DIGITS.exp(decimal(late))) * (1 - TINY) if late else 1))


@cache
def room(free: Units, worker: Units, ps: Units, servers: Units) -> Units:
    """The parameter servers that fit beside 0, 1, ... workers on a machine, as far as they are needed."""
    left = ([c - n * a for c, a in zip(free, worker, strict=True)] for n in range(len(servers)))
    fits = takewhile(lambda row: min(row) >= 0, left)
    return tuple(min([servers[-1], *(c // b for c, b in zip(row, ps, strict=True) if b)]) for row in fits)


@cache
def together(rooms: tuple[Units, ...], servers: Units) -> int:
    """The most workers that fit on all machines with the parameter servers that they need."""
    best = [0] + [-1] * (len(servers) - 1)  # the most of these beside so many workers
    for fit in rooms:
        ways = [[(best[n - w], fit[w]) for w in range(min(n + 1, len(fit)))] for n in range(len(servers))]
        best = [max((a + b for a, b in row if a >= 0), default=-1) for row in ways]
    return max(n for n, most in enumerate(best) if most >= servers[n])


@lru_cache(1000)
def beyond(options: tuple[Units, ...], rate: int) -> tuple[int, list[Units]]:
    """The most that progress at this rate is worth beyond its cost, and what each option falls short of it."""
    surplus = max(rate * gain - cost for gain, cost in options)
    return surplus, sorted((surplus - rate * gain + cost, gain) for gain, cost in options)


def dmlrs(instance: Any, asked: dict[str, str], proof: Any) -> Range:
    """Weak duality for (8)-(9): what is free at prices p, and for each job a payoff: no utility exceeds a cost by more.

    In a slot n workers with S(n) = ceil(n / gamma) servers cost A(n) on one machine, and anywhere at least
    B(n) = lambda n + mu S(n) - sum_h max over what fits on h of (lambda - p_w) w + (mu - p_s) s. A job is done after
    ceil(k V c_e) units; n workers at the internal rate make at most ceil(n k c_e / c_i) of them, at the external n k.
    At a rate r for a unit, schedules cost r ceil(k V c_e) - sum_t max(r gain - cost), and more by what they fall short
    of those largest ones, and by r for each unit too many: all are followed that could be cheap enough to pay more.
    """
    expected = {"unit", "prices", "fineness", "tangents", "payoffs", "rates"}
    need(proof.keys() == expected, f"expected {', '.join(sorted(expected))}")
    names, machines, jobs, horizon, steps = (*(instance[k] for k in ("resources", "machines", "jobs", "horizon")), 0)
    small = horizon <= 10**5 and all(job["batch_size"] <= 10**4 for job in jobs)
    need(small, "it is too large for plain Python")
    reserved = instance.get("reserved") or [[{}] * len(machines)] * horizon
    amounts = [
        *(machine["capacity"] for machine in machines),
        *(job[kind] for job in jobs for kind in ("worker", "ps")),
    ]
    amounts += [here for slot in reserved for here in slot]
    grid = [lcm(*{row.get(name, 0).denominator for row in amounts}) for name in names]

    def units(row: Any) -> Units:
        return tuple(int(row.get(name, 0) * n) for name, n in zip(names, grid, strict=True))

    stock, none = [units(machine["capacity"]) for machine in machines], (0,) * len(names)
    free = [[tuple(map(sub, c, units(here))) for c, here in zip(stock, slot, strict=True)] for slot in reserved]
    price = [[none] * len(machines) for _ in free]
    for t, first, last, *each in proof["prices"]:
        price[t][first : last + 1] = [tuple(each)] * (last + 1 - first)
    alike = [Counter(zip(*two, strict=True)) for two in zip(free, price, strict=True)]
    tangents: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i, t, *pair in proof["tangents"]:
        tangents.setdefault((i, t), []).append((pair[0], pair[1]))
    total = proof["unit"] * sum(n * dot(*two) for slot in alike for two, n in slot.items()) + sum(proof["payoffs"])

    for i, (job, k, payoff, rates) in enumerate(
        zip(jobs, *(proof[each] for each in ("fineness", "payoffs", "rates")), strict=True)
    ):
        arrival, count, gamma = job["arrival"], range(job["batch_size"] + 1), Fraction(job["workers_per_ps"])
        alpha, beta, servers = units(job["worker"]), units(job["ps"]), tuple(up(n / gamma, 0) for n in count)
        transfer = 2 * job["model_size"] * gamma / count[-1]
        inside, outside = (job["sample_time"] + transfer / job[f"bandwidth_{which}ternal"] for which in ("in", "ex"))
        goal, slots = up(k * job["epochs"] * job["samples"] * outside, 0), list[tuple[Units, ...]]()
        for t in range(arrival, horizon):
            bar = up((utility(job["utility"], t + 1 - arrival) - payoff) / proof["unit"], 0)
            if bar <= 0:
                break  # nothing later is worth more
            ways = [(room(f, alpha, beta, servers), dot(p, alpha), dot(p, beta), n) for (f, p), n in alike[t].items()]
            limit = together(tuple(room(f, alpha, beta, servers) for f in sorted(free[t])), servers)
            lowest = min((w for fit, w, _, _ in ways if len(fit) > 1), default=0)
            pairs = [(lowest, min((s for fit, _, s, _ in ways if fit[0] > 0), default=0)), *tangents.get((i, t), [])]
            lost = [
                sum(m * max((lam - w) * n + max(0, mu - s) * y for n, y in enumerate(fit)) for fit, w, s, m in ways)
                for lam, mu in pairs
            ]
            options = [(0, 0)]
            for n in count[1:]:
                alone = [n * w + servers[n] * s for fit, w, s, _ in ways if n < len(fit) and fit[n] >= servers[n]]
                options += [(up(n * k * outside / inside, 0), min(alone))] if alone else []
                spread = (lam * n + mu * servers[n] - gone for (lam, mu), gone in zip(pairs, lost, strict=True))
                options += [(n * k, max(0, *spread))] if n <= limit else []
            slots.append(tuple(options))
            rate = rates[t - arrival]
            known = [beyond(each, rate) for each in slots]
            spare = bar - rate * goal + sum(surplus for surplus, _ in known)
            reached = {0: 0} if spare > 0 else {}
            for _, short in known:
                before, reached = reached, {}
                for progress, over in before.items():
                    for more, gain in short:
                        if over + more >= spare:
                            break
                        steps += 1
                        after, dear = min(goal, progress + gain), over + more + rate * max(0, progress + gain - goal)
                        if dear < reached.get(after, spare):
                            reached[after] = dear
                need(steps <= MOST_STEPS, "it takes too many steps to check in plain Python")
            need(goal not in reached, "a job may pay more than its payoff in the certificate")
    return total, total


def logarithm(x: Fraction) -> Fraction:
    """At least ln x."""
    return Fraction(DIGITS.ln(decimal(x))) + TINY


def root(x: Fraction) -> Fraction:
    """At most sqrt x, and less than 2^-192 below."""
    return Fraction(isqrt((x.numerator << 2 * BITS) // x.denominator), 1 << BITS)


def slope_at(kind: str, a: Fraction, y: Fraction) -> float:
    """f'(y) of a utility (54), about."""
    slopes = {"linear": a, "log": a / (1 + y), "reciprocal": 1 / (y + a) ** 2, "poly": a / 2 / (1 + y) ** 0.5}
    return float(slopes[kind])


def conjugate(kind: str, a: Fraction, slope: Fraction) -> Fraction:
    """At least the largest f(y) - slope y over y >= 0."""
    if slope >= {"linear": a, "log": a, "reciprocal": 1 / a**2, "poly": a / 2}[kind]:  # f'(0)
        return Fraction(0)
    need(slope > 0 and kind != "linear", "a slope is too small")
    if kind == "log":
        return a * logarithm(a / slope) - a + slope
    return 1 / a - 2 * root(slope) + a * slope if kind == "reciprocal" else (a / 2 - slope) ** 2 / slope


def multiserver(instance: Any, asked: dict[str, str], proof: Any) -> Range:
    """Prices p of rows, shares w of each copy's overheads max_k beta_k T, and slopes sigma > 0: n slots with a copy earn

    at most sum p c + sum n f*(sigma) + sum over channels of m (n sigma - n w beta - p)^+ with m = min(a, c), where f is
    of totals and sigma in the certificate, or f is of channels and any sigma will do: here about the best.
    """
    names, arrivals, by_node = instance["resources"], instance["arrivals"], asked["gain"] == "node"
    need(by_node or asked["gain"] == "total", "the parameter gain is neither node nor total")
    capacity = {node["name"]: [node["capacity"].get(name, 0) for name in names] for node in instance["nodes"]}
    own, usual = instance.get("node_utilities", {}), instance["utilities"]
    rules = {node: [own.get(node, {}).get(name, usual[name]) for name in names] for node in [*capacity, None]}
    curves = {node: [(rule["kind"], Fraction(rule["alpha"])) for rule in row] for node, row in rules.items()}
    copies = [max(1, *(slot[i] for slot in arrivals)) for i in range(len(instance["ports"]))]
    need(sum(copies) <= 10**6, "it has too many jobs for plain Python")
    owners = [port for port, n in zip(instance["ports"], copies, strict=True) for _ in range(n)]
    sizes = Fraction(0)  # of the products whose differences are added up: in doubles these differ by so much

    def earned(parts: Any, counts: Sequence[int]) -> int:
        nonlocal sizes
        fields = {"resources", "unit", "weights", "prices", "slopes"}
        need(parts.keys() == fields and parts["resources"] == len(names), f"expected {', '.join(sorted(fields))}")
        need(by_node or len(parts["slopes"]) == len(counts), "expected a slope for each copy")
        prices = {node: [Fraction(float(p)) for p in row] for node, row in zip(capacity, parts["prices"], strict=True)}
        total = sum(up(dot(prices[node], row)) for node, row in capacity.items())
        for c, (port, n, weights) in enumerate(zip(owners, counts, parts["weights"], strict=True)):
            need(sum(weights) * parts["unit"] == 1, "the weights of a copy's overheads do not add up to 1")
            for k, (name, weight) in enumerate(zip(names, weights, strict=True)):
                kind, a = curves[None][k]
                sigma = Fraction(float(parts["slopes"][c][k])) if not by_node and kind != "linear" else a
                total += 0 if by_node else up(n * conjugate(kind, a, sigma))
                for node in port["nodes"] if n else []:
                    most = min(port["demand"].get(name, 0), capacity[node][k])
                    cost = n * instance["overhead"][name] * weight * parts["unit"] + prices[node][k]
                    if by_node:
                        kind, a = curves[node][k]
                        sigma = a if kind == "linear" else Fraction(max(float(cost / n), slope_at(kind, a, most)))
                        total += up(n * conjugate(kind, a, sigma))
                    sizes += most * (n * sigma + cost)
                    total += up(most * max(Fraction(0), n * sigma - cost))
        return total

    if asked["program"] == "multiserver.stationary":
        seen = [Counter(slot[i] for slot in arrivals) for i in range(len(copies))]
        times = [sum(n for x, n in seen[i].items() if x > j) for i, most in enumerate(copies) for j in range(most)]
        total = earned(proof, times)
    else:
        found, total = Counter(map(tuple, arrivals)), 0
        for parts, x in zip(proof["patterns"], sorted(found), strict=True):
            total += found[x] * earned(parts, [x[i] > j for i, most in enumerate(copies) for j in range(most)])
    return Fraction(total, 1 << BITS), Fraction(total, 1 << BITS) + sizes / (1 << 36)


def counted(path: str, given: Any, ports: int) -> list[Any]:
    """The arrivals of every slot: in the instance's file, or in an .npy array of little-endian integers beside it."""
    if not isinstance(given, list):
        need(re.fullmatch(r"[^/\\]+\.npy", given["file"]), "expected the name of an .npy file beside the instance")
        content = Path(path).with_name(given["file"]).read_bytes()
        start = 10 if content[6] == 1 else 12
        body = start + int.from_bytes(content[8:start], "little")
        header = ast.literal_eval(content[start:body].decode("ascii"))
        flat = array("bBhHiIqQ"["i1u1i2u2i4u4i8u8".index(header["descr"][1:]) // 2], content[body:]).tolist()
        plain = header["descr"][0] in "<|" and not header["fortran_order"]
        need(plain and header["shape"] == (len(flat) // ports, ports), "expected rows of counts, little-endian")
        given = [flat[i : i + ports] for i in range(0, len(flat), ports)]
    need(all(len(slot) == ports for slot in given), "expected a count for each port in every slot")
    return list(given)


SPLIT = "schedules that split their time at communication_share"
BOUNDS: dict[str, tuple[Callable[..., Range], str, str, set[str]]] = {  # what recomputes it, side, among, parameters
    "preemptive.lp4": (preemptive, "lower", "", {"cost", "speed"}),
    "dmlrs.rdmlrs_lp": (dmlrs, "upper", "", set()),
    "jrp.conic": (jrp, "upper", "", set()),
    "jrp.split_free_lp": (jrp, "upper", "", set()),
    "jrp.lp_i": (jrp, "upper", SPLIT, set()),
    "multiserver.stationary": (multiserver, "upper", "", {"gain"}),
    "multiserver.slot_optimum": (multiserver, "upper", "", {"gain"}),
}
SAYS = {"version", "program", "kind", "among", "parameters", "instance_sha256", "value", "multipliers"}


def check(instance_file: str, certificate_file: str) -> dict[str, Any]:
    """What a certificate proves of an instance; raises `Refused` with one sentence where it does not."""
    instance, given = read(instance_file), read(certificate_file)
    need(
        given.keys() == SAYS and given["version"] == 1, f"expected version 1 with the fields {', '.join(sorted(SAYS))}"
    )
    program, asked, digest = given["program"], given["parameters"], given["instance_sha256"]
    need(isinstance(program, str) and program in BOUNDS, f"no bound is known as {program!s:.40}")
    prove, kind, among, parameters = BOUNDS[program]
    need(instance.get("family") == prove.__name__, f"{program} takes a {prove.__name__} instance")
    need((given["kind"], given["among"]) == (kind, among), f"{program} gives a {kind} bound, among {among or 'all'}")
    need(isinstance(asked, dict) and asked.keys() == parameters, f"{program} has the parameters {sorted(parameters)}")
    try:
        if prove is multiserver:
            instance["arrivals"] = counted(instance_file, instance["arrivals"], len(instance["ports"]))
        numbers, multipliers = exact(instance, named=True), exact(given["multipliers"], named=False)
        need(digest == identity(instance), "the certificate is for another instance")
        least, most = prove(numbers, asked | {"program": program}, multipliers)
        value = rational(given["value"])
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        OSError,
        SyntaxError,
        TypeError,
        ValueError,
    ) as error:
        raise Refused(f"it is malformed: {type(error).__name__}: {' '.join(str(error).split())[:80]}") from None
    proven = f"{least.numerator / least.denominator:.17g}"
    need(least <= value <= most, f"the multipliers prove {proven}, not {given['value']:.60}")
    told = "".join(f", {name}={asked[name]}" for name in asked)
    about = f"the optimum among {among}" if among else "the optimum"
    statement = f"{kind} bound on {about} of {program}{told}, instance {digest[:12]}"
    return {"statement": statement, "program": program, "kind": kind, "parameters": asked, "value": given["value"]}


if __name__ == "__main__":
    try:
        need(len(sys.argv) == 3, "usage: python -I check_bound.py INSTANCE CERTIFICATE")
        result = check(*sys.argv[1:])
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
    print(f"proven: {result['statement']}\nvalue {result['value']}")
