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
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import takewhile
from math import isqrt, lcm
from pathlib import Path
from typing import Any

MOST_BYTES, MOST_STEPS, DEAREST, INFINITE = 1 << 30, 10**10, 1 << 60, 1 << 200
BITS, ZERO = 192, Fraction(0)  # binary places of what is irrational
Units = tuple[int, ...]
Range = tuple[Fraction, Fraction]  # of values that are accepted


class Refused(Exception):
    """The certificate does not prove what it says, in one sentence."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def whole(value: Any, most: int = DEAREST, least: int = 0) -> int:
    need(type(value) is int and least <= value <= most, f"expected a whole number up to {most}, found {value!s:.40}")
    return int(value)


def number(value: Any) -> Fraction:
    fine = type(value) is int or (isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < 110)
    need(fine and 0 <= value < 10**100, f"expected a number >= 0, found {value!s:.40}")
    return Fraction(value)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch("-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?", text)
    need(fine, f"expected a rational like 7/3, found {text!s:.40}")
    return Fraction(text)


def up(value: Fraction, bits: int = BITS) -> int:
    """In multiples of 2^-bits, rounded up."""
    return -((-value.numerator << bits) // value.denominator)


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def rows(value: Any, width: int, count: int | None = None) -> list[Any]:
    fits = isinstance(value, list) and all(isinstance(row, list) and len(row) == width for row in value)
    need(fits and count in (None, len(value)), f"expected rows of {width} numbers: is it of another instance?")
    return list(value)


def read(path: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key stands twice in one object")
        return dict(pairs)

    try:
        need(Path(path).stat().st_size <= MOST_BYTES, "the file is too large")
        value = json.loads(Path(path).read_text("utf-8-sig"), parse_float=Decimal, object_pairs_hook=once)
    except (OSError, ValueError, ArithmeticError, RecursionError, Refused) as error:
        raise Refused(f"{path}: cannot be read: {' '.join(str(error).split())[:200]}") from None
    need(isinstance(value, dict), f"{path}: expected a JSON object")
    return value


WORDS = (  # the fields of instances
    "version family horizon communication_share resources machines name size servers jobs reserved capacity "
    "workers parameter_servers storage cloud compute deadline arrival chunks epochs samples batch_size "
    "workers_per_ps sample_time model_size bandwidth_internal bandwidth_external worker ps utility minibatches "
    "worker_types minibatch_time update_time gradient_size bandwidth upload_delay chunk_size ps_types "
    "minibatch_size minibatch_work parameter_size sync_period data_nodes kind value slope values theta1 theta2 "
    "theta3 "
)
FIELDS = WORDS.split()  # in their order in the text whose SHA-256 identifies an instance
MAPS = {"workers", "parameter_servers", "upload_delay", "capacity", "worker", "ps"}  # with keys that the file chose


def written(value: Any, place: str = "", by_name: bool = False) -> str:
    """JSON without spaces, fields in order, decimals in their shortest form, without what says nothing."""
    if isinstance(value, dict):
        if by_name or place == "reserved":
            value = {k: value[k] for k in (sorted(value) if by_name else value) if by_name or value[k]}
        elif place not in MAPS:
            need(value.keys() <= {*FIELDS}, "no instance has such a field")
            used = any(any(here.values()) for slot in value.get("reserved", []) for here in slot)
            kept = {"cloud": value.get("cloud"), "chunk_size": value.get("chunk_size"), "reserved": used}
            value = {name: value[name] for name in FIELDS if name in value and kept.get(name, True)}
        return "{" + ",".join(f"{written(k)}:{written(each, k, by_name)}" for k, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(each, place, by_name) for each in value) + "]"
    if isinstance(value, Decimal):
        return str(int(value) if number(value).denominator == 1 else value.normalize(Context(prec=1000)))
    return json.dumps(value, ensure_ascii=False)


def identity(instance: Any, family: str) -> str:
    if family == "multiserver":
        counts = hashlib.sha256(b"".join(array("q", slot).tobytes() for slot in instance["arrivals"])).hexdigest()
        own = {name: each for name, each in instance.get("node_utilities", {}).items() if each}
        ports = [{k: v for k, v in port.items() if v or k != "tasks"} for port in instance["ports"]]
        for port in ports:  # a gang that does not say how many of its tasks must start needs all of them
            port |= {"minimum_tasks": port.get("minimum_tasks", len(port["tasks"]))} if "tasks" in port else {}
        ports = [{k: v for k, v in port.items() if k != "minimum_tasks" or "tasks" in port} for port in ports]
        instance = {k: v for k, v in instance.items() if k != "node_utilities"} | (
            {"node_utilities": own} if own else {}
        )
        instance |= {"ports": ports, "arrivals": {"slots": len(instance["arrivals"]), "sha256": counts}}
    return hashlib.sha256(written(instance, by_name=family == "multiserver").encode()).hexdigest()


def preemptive(instance: Any, program: str, asked: dict[str, str], proof: Any) -> Range:
    """(4) by classes q of W_q workers: sum_j D_j (alpha_j - sum_t delta_j(t)) - sum_q W_q sum_t beta_q(t), where

    delta_j(t) = max(0, max over the job's places of (alpha_j - (t - r_j [+ (p + 1)/2]) / D_j) / p - beta_q(t)).
    """
    unit, half, speed = 1 << 24, asked["cost"] == "half", rational(asked["speed"])
    need(asked["cost"] in ("half", "printed") and 0 < speed < 10**9, "the parameters are no cost and speed")
    need(proof.keys() == {"unit", "values", "prices"} and proof["unit"] == "2^-24", "expected multiples of 2^-24")
    horizon, servers, jobs, steps = whole(instance["horizon"]), instance["servers"], instance["jobs"], 0
    cloud = next((s["name"] for s in servers if s.get("cloud")), None)
    classes = [
        (s["name"], kind, n) for s in servers if not s.get("cloud") for kind, n in s["workers"].items() if whole(n)
    ]
    beta: list[dict[int, int]] = [{} for _ in classes]
    for q, t, price in rows(proof["prices"], 3):
        need(whole(q) < len(classes) and whole(t) < horizon and t not in beta[q], "a price is for no class and slot")
        beta[q][t] = whole(price, 1 << 62)

    @cache
    def cheapest(places: Units) -> dict[int, int]:
        common = set.intersection(*(set(beta[q]) for q in places)) if places else ()
        return {t: min(beta[q][t] for q in places) for t in common}  # elsewhere one of them is free

    def of_job(job: Any) -> tuple[list[tuple[int, int]], int, int]:
        """The classes that may train it, with their delays; and a chunk's slots there and in the cloud."""
        delay = job["upload_delay"]
        ways = [
            (q, delay.get(s, delay.get("*"))) for q, (s, kind, _) in enumerate(classes) if kind in job["worker_types"]
        ]
        work = Fraction(whole(job["epochs"]) * whole(job["minibatches"])) / speed
        own, sync = number(job["minibatch_time"]) + number(job["update_time"]), 2 * number(job["gradient_size"])
        slots = up(work * (own + sync / number(job["bandwidth"])), 0)
        return [(q, whole(d)) for q, d in ways if d is not None], slots, up(work * own, 0)

    known = [of_job(job) for job in jobs]
    enough = max((job["arrival"] + d for job, (ways, *_) in zip(jobs, known, strict=True) for _, d in ways), default=0)
    enough += sum(job["chunks"] * p for job, (_, p, _) in zip(jobs, known, strict=True))  # one job after the other
    total = Fraction(-sum(n * sum(beta[q].values()) for q, (_, _, n) in enumerate(classes)), unit)
    for job, (ways, p, p_cloud), alpha in zip(jobs, known, rows([proof["values"]], len(jobs))[0], strict=True):
        chunks, arrival, worth = whole(job["chunks"]), whole(job["arrival"]), 2 * job["chunks"] * whole(alpha, 1 << 62)
        in_cloud = job["upload_delay"].get(cloud) if cloud is not None else None
        end = min(horizon, enough if in_cloud is None else arrival + whole(in_cloud) + p_cloud) - arrival
        end = min(end, up(Fraction(worth, 2 * unit), 0))  # from then on the charge exceeds alpha
        starts = sorted({d for _, d in ways} | ({in_cloud} if in_cloud is not None else set()))
        rent, rent_in_cloud, steps = 0, 0, steps + end
        need(steps <= MOST_STEPS, "it takes too many steps to check in plain Python")
        for start, stop in zip(starts, [*starts[1:], end], strict=True):
            places, far = tuple(q for q, d in ways if d <= start), in_cloud is not None and in_cloud <= start
            price = cheapest(places)
            for t in range(start, min(stop, end)):
                left = worth - 2 * t * unit
                there = left - half * (p + 1) * unit - 2 * chunks * p * price.get(arrival + t, 0) if places else 0
                away = left - half * (p_cloud + 1) * unit if far else 0
                if max(there, 0) * p_cloud >= away * p:
                    rent += max(there, 0)
                else:
                    rent_in_cloud += away
        total += (worth - Fraction(rent, p) - Fraction(rent_in_cloud, p_cloud)) / (2 * unit)
    return total, total


def jrp(instance: Any, program: str, asked: dict[str, str], proof: Any) -> Range:
    """Prices of the servers' sides: the rent of all there is, and of each job what it is worth beyond its nodes' costs.

    A GB of job k on server j costs sigma_j + p_j a_k + q_j b_k, and by (10), with Cauchy and Schwarz, 2 sqrt(p a q b)
    more. Each server's and job's part is rounded up to a multiple of 2^-64, the root down to one of 1/(u s).
    """
    share, servers = number(instance["communication_share"]), instance["servers"]
    sides = ("storage", "compute", "bandwidth")
    need(proof.keys() == {*sides}, "expected prices of storage, compute and bandwidth")
    prices = [[rational(text) for text in rows([proof[name]], len(servers))[0]] for name in sides]
    need(all(price >= 0 for row in prices for price in row), "a price is negative")
    one = Fraction(1)
    usable = (one, 1 - share, share) if program == "jrp.lp_i" else (one, one, one)
    u, total = lcm(*(price.denominator for row in prices for price in row)), 0
    for j, server in enumerate(servers):
        stock = zip(sides, prices, usable, strict=True)
        total += up(sum((number(server[name]) * row[j] * part for name, row, part in stock), ZERO), 64)
    sigma, p, q = ([int(price * u) for price in row] for row in prices)
    place = {server["name"]: j for j, server in enumerate(servers)}
    for job in instance["jobs"]:
        nodes = [(number(node["size"]), [place[name] for name in node["servers"]]) for node in job["data_nodes"]]
        rate = ZERO if "deadline" not in job else whole(job["epochs"]) / number(job["minibatch_size"])
        rate /= number(job.get("deadline", 1))
        work = rate * number(job["minibatch_work"])
        sync = rate * number(job["parameter_size"]) / whole(job["sync_period"])
        s, cost = lcm(work.denominator, sync.denominator), dict[int, int]()
        a, b = int(work * s), int(sync * s)
        for j in {j for _, choice in nodes for j in choice}:
            root = isqrt(4 * p[j] * a * q[j] * b) if program == "jrp.conic" else 0
            cost[j] = sigma[j] * s + p[j] * a + q[j] * b + root
        if all(choice for _, choice in nodes):
            paid = sum((size * min(cost[j] for j in choice) for size, choice in nodes), ZERO)
            total += max(0, up(1 - paid / (u * s), 64))
    return Fraction(total, 1 << 64), Fraction(total, 1 << 64)


def exponential(y: Fraction) -> Range:
    """Around e^y for 0 <= y <= 256: the series at y/256, squared eight times."""
    term, x = 1 << BITS, up(y / 256)
    low = high = term
    for n in range(1, 50):
        term = (term * x >> BITS) // n
        low, high = low + term, high + term
    low, high = max(low - 200, 1 << BITS), high + 200  # fifty roundings, x's own, and the rest of the series
    for _ in range(8):
        low, high = low * low >> BITS, (high * high >> BITS) + 1
    return Fraction(low, 1 << BITS), Fraction(high, 1 << BITS)


def utility(u: Any, time: int) -> Fraction:
    """At least what a job is worth that is done after so many slots."""
    if u["kind"] == "table":
        return number(u["values"][min(time, len(u["values"])) - 1])
    if u["kind"] != "sigmoid":
        return max(ZERO, number(u["value"]) - (time * number(u["slope"]) if u["kind"] == "linear" else 0))
    late = number(u["theta2"]) * (time - number(u["theta3"]))
    low, high = exponential(min(abs(late), Fraction(256)))
    return number(u["theta1"]) / (1 + (low if late > 0 else 1 / high if late > -256 else 0) if late else 2)


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


def dmlrs(instance: Any, program: str, asked: dict[str, str], proof: Any) -> Range:
    """Weak duality for (8)-(9): what is free at prices p, and for each job the most by which a utility exceeds a cost.

    In a slot n workers with S(n) = ceil(n / gamma) servers cost A(n) on one machine, and anywhere at least
    B(n) = lambda n + mu S(n) - sum_h max over what fits on h of (lambda - p_w) w + (mu - p_s) s. A job is done after
    ceil(k V c_e) units; n workers at the internal rate make at most ceil(n k c_e / c_i) of them, at the external n k.
    """
    need(proof.keys() == {"bits", "prices", "fineness", "tangents"}, "expected bits, prices, fineness and tangents")
    names, machines, jobs, steps = instance["resources"], instance["machines"], instance["jobs"], 0
    used = instance.get("reserved") or [[{}] * len(machines)] * whole(instance["horizon"], 10**5)
    amounts = [*(m["capacity"] for m in machines), *(job[kind] for job in jobs for kind in ("worker", "ps"))]
    amounts += [here for slot in used for here in slot]
    grid = [lcm(*{number(row.get(name, 0)).denominator for row in amounts}) for name in names]

    def units(row: Any) -> Units:
        return tuple(int(number(row.get(name, 0)) * n) for name, n in zip(names, grid, strict=True))

    stock = [units(m["capacity"]) for m in machines]
    held = [[units(here) for here in slot] for slot in rows(used, len(machines), instance["horizon"])]
    free = [[tuple(c - r for c, r in zip(*two, strict=True)) for two in zip(stock, slot, strict=True)] for slot in held]
    price = [[(0,) * len(names)] * len(machines) for _ in free]
    for t, first, last, *each in proof["prices"]:
        fits = whole(t) < len(free) and whole(first) <= whole(last) < len(machines) and len(each) == len(names)
        need(fits, "a price is for no slot, machine and resource of the instance")
        price[t][first : last + 1] = [tuple(whole(n) for n in each)] * (last + 1 - first)
    tangents: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i, t, *pair in rows(proof["tangents"], 4):
        tangents.setdefault((whole(i), whole(t)), []).append((whole(pair[0]), whole(pair[1])))
    scale = Fraction(2) ** whole(proof["bits"], 2000, -2000)
    total = Fraction(sum(dot(*two) for slots in zip(price, free, strict=True) for two in zip(*slots, strict=True)))
    for i, (job, k) in enumerate(zip(jobs, rows([proof["fineness"]], len(jobs))[0], strict=True)):
        count, arrival, gamma = (
            range(whole(job["batch_size"], 10**4) + 1),
            job["arrival"],
            number(job["workers_per_ps"]),
        )
        alpha, beta, servers = units(job["worker"]), units(job["ps"]), tuple(up(n / gamma, 0) for n in count)
        transfer = 2 * number(job["model_size"]) * gamma / count[-1]
        inside, outside = (
            number(job["sample_time"]) + transfer / number(job[f"bandwidth_{s}ternal"]) for s in ("in", "ex")
        )
        gains = [up(n * whole(k, 1 << 20, 1) * outside / inside, 0) for n in count], [n * k for n in count]
        goal, payoff = up(k * whole(job["epochs"]) * whole(job["samples"]) * outside, 0), ZERO
        if max(gains[0][-1], gains[1][-1]) * (len(free) - arrival) < goal:
            continue
        need(goal <= 10**7, "a fineness takes too many units of progress")
        costs = [0]  # of at least 0, 1, ... units of progress; what is not worth its cost any more is left out
        for t in range(whole(arrival), len(free)):
            worth = utility(job["utility"], t + 1 - arrival) * scale
            if worth <= max(payoff, scale / 2**40):  # nothing later is worth more, and so little is granted
                payoff = max(payoff, worth)
                break
            alike = Counter(zip(free[t], price[t], strict=True))
            ways = [(room(f, alpha, beta, servers), dot(p, alpha), dot(p, beta), n) for (f, p), n in alike.items()]
            limit = together(tuple(room(f, alpha, beta, servers) for f in sorted(free[t])), servers)
            lowest = min((w for fit, w, _, _ in ways if len(fit) > 1), default=0)
            pairs = [(lowest, min((s for fit, _, s, _ in ways if fit[0] > 0), default=0)), *tangents.get((i, t), [])]
            lost = [
                sum(m * max((lam - w) * n + max(0, mu - s) * y for n, y in enumerate(fit)) for fit, w, s, m in ways)
                for lam, mu in pairs
            ]
            options = dict.fromkeys((*gains[0], *gains[1]), INFINITE)
            for n in count[1:]:
                alone = (n * w + servers[n] * s for fit, w, s, _ in ways if n < len(fit) and fit[n] >= servers[n])
                options[gains[0][n]] = min(options[gains[0][n]], *alone, INFINITE)
                if n <= limit:
                    spread = (lam * n + mu * servers[n] - gone for (lam, mu), gone in zip(pairs, lost, strict=True))
                    options[gains[1][n]] = min(options[gains[1][n]], max(0, *spread))
            kept, least = list[tuple[int, int]](), INFINITE  # the gains that nothing larger has at their price
            for gain in sorted(options, reverse=True):
                if gain and options[gain] < least:
                    kept, least = [*kept, (min(gain, goal), options[gain])], options[gain]
            old, cap = costs, up(worth - payoff, 0)
            costs = old + [INFINITE] * (min(goal, len(old) - 1 + max((n for n, _ in kept), default=0)) - len(old) + 1)
            for gain, cost in kept:
                steps += len(old) + gain
                if cost < cap:
                    before = [*([0] * gain), *old][: len(costs)]
                    costs[: len(before)] = [
                        a if a <= b + cost else b + cost for a, b in zip(costs, before, strict=False)
                    ]
            need(steps <= MOST_STEPS, "it takes too many steps to check in plain Python")
            costs = costs[: bisect_left(costs, max(cap, 1))]
            if len(costs) > goal:
                payoff = max(payoff, worth - costs[goal])
        total += payoff
    return total / scale, total / scale + Fraction(len(jobs), 1 << 90)


def logarithm(x: Fraction) -> Fraction:
    """At least ln x for x >= 1: 2 atanh z with z = (m - 1) / (m + 1) for x = m 2^e, and the same for ln 2."""
    e = x.numerator.bit_length() - x.denominator.bit_length()
    m, total = x / Fraction(2) ** e, 1 << 24  # the roundings of both series together are less than that
    for z, times in (((m - 1) / (m + 1), 1), (Fraction(1, 3), e)):
        term, square = up(z), up(z * z)
        for n in range(1, 130, 2):
            total, term = total + times * (2 * term // n), term * square >> BITS
    return Fraction(total, 1 << BITS)


def root(x: Fraction) -> Fraction:
    """At most sqrt x, and less than 2^-192 below."""
    return Fraction(isqrt((x.numerator << 2 * BITS) // x.denominator), 1 << BITS)


def steepest(kind: str, a: Fraction) -> Fraction:
    """f'(0)."""
    return {"linear": a, "log": a, "reciprocal": 1 / a**2, "poly": a / 2}[kind]


def largest(kind: str, a: Fraction, slope: Fraction, most: Fraction | None) -> Fraction:
    """At least the largest f(y) - slope y over 0 <= y <= most, for a utility (54) and a slope > 0, or with a limit."""
    if slope >= steepest(kind, a):
        return ZERO
    if kind == "linear":
        return (a - slope) * (ZERO if most is None else most)
    if kind == "log":
        if most is None or a < slope * (1 + most):  # the largest is where f'(y) = slope
            return a * logarithm(a / slope) - a + slope
        return a * logarithm(1 + most) - slope * most
    if kind == "reciprocal":
        if most is None or slope * (most + a) ** 2 > 1:
            return 1 / a - 2 * root(slope) + a * slope
        return 1 / a - 1 / (most + a) - slope * most
    if most is None or 4 * slope**2 * (1 + most) > a**2:
        return (a / 2 - slope) ** 2 / slope
    return a * (root(1 + most) + Fraction(1, 1 << BITS) - 1) - slope * most


def multiserver(instance: Any, program: str, asked: dict[str, str], proof: Any) -> Range:
    """Prices p of rows, and shares w of each copy's overheads max_k beta_k T: what n slots with a copy earn is at most

    sum p c + sum over channels of the largest n f(y) - (n w beta + p) y over 0 <= y <= m = min(a, c), or, with
    utilities of totals and slopes sigma, sum p c + sum n f*(sigma) + sum over channels of m (n sigma - n w beta - p)^+.
    """
    names, arrivals, by_node = instance["resources"], instance["arrivals"], asked["gain"] == "node"
    need(by_node or asked["gain"] == "total", "the parameter gain is neither node nor total")
    place = {node["name"]: r for r, node in enumerate(instance["nodes"])}
    capacity = [[number(node["capacity"].get(name, 0)) for name in names] for node in instance["nodes"]]
    own, overhead = instance.get("node_utilities", {}), [number(instance["overhead"][name]) for name in names]
    rules = [[own.get(node, {}).get(name, instance["utilities"][name]) for name in names] for node in (*place, "")]
    curves = [[(rule["kind"], number(rule["alpha"])) for rule in row] for row in rules]  # the last row is of totals
    copies = [max(1, *(slot[i] for slot in arrivals)) for i in range(len(instance["ports"]))]
    owners = [port for port, n in zip(instance["ports"], copies, strict=True) for _ in range(n)]

    sizes: list[Fraction] = []  # of the products whose differences are added up: in doubles these differ by so much

    def double(value: Any) -> Fraction:
        exact = Fraction(float(number(value)))
        need(exact == 0 or 2**-300 <= exact <= 2**300, "a price or slope is too large or too small")
        return exact

    def earned(parts: Any, counts: Sequence[int]) -> int:
        need(
            parts.keys() == {"resources", "unit", "weights", "prices", "slopes"}, "expected weights, prices and slopes"
        )
        need(
            (parts["resources"], parts["unit"]) == (len(names), "2^-48"),
            "expected multiples of 2^-48 for each resource",
        )
        prices = [[double(p) for p in row] for row in rows(parts["prices"], len(names), len(capacity))]
        slopes = rows(parts["slopes"], len(names), 0 if by_node else len(counts))
        total = sum(up(p * c) for two in zip(prices, capacity, strict=True) for p, c in zip(*two, strict=True))
        for c, weights in enumerate(rows(parts["weights"], len(names), len(counts))):
            port, n = owners[c], counts[c]
            need(sum(map(whole, weights)) == 1 << 48, "the weights of a copy's overheads do not add up to 1")
            for k, name in enumerate(names):
                kind, a = curves[-1][k]
                sigma = ZERO if by_node else double(slopes[c][k])
                need(by_node or sigma > 0, "a slope is not positive")
                sigma = a if kind == "linear" else sigma  # below it there is no largest, above it only costs
                total += 0 if by_node else up(n * largest(kind, a, sigma, None))
                for r in (place[node] for node in port["nodes"]):
                    most = min(number(port["demand"].get(name, 0)), capacity[r][k])
                    cost = n * overhead[k] * Fraction(weights[k], 1 << 48) + prices[r][k]
                    sizes.append(most * (n * (steepest(*curves[r][k]) if by_node else sigma) + cost))
                    if not by_node:
                        total += up(most * max(ZERO, n * sigma - cost))
                    elif n and most:
                        total += up(n * largest(*curves[r][k], cost / n, most))
        return total

    if program == "multiserver.stationary":
        seen = [Counter(slot[i] for slot in arrivals) for i in range(len(copies))]
        times = [sum(n for x, n in seen[i].items() if x > j) for i, most in enumerate(copies) for j in range(most)]
        total = earned(proof, times)
    else:
        found, total = Counter(map(tuple, arrivals)), 0
        need(proof.keys() == {"patterns"} and len(proof["patterns"]) == len(found), "it is for other arrivals")
        for parts, x in zip(proof["patterns"], sorted(found), strict=True):
            total += found[x] * earned(parts, [x[i] > j for i, most in enumerate(copies) for j in range(most)])
    return Fraction(total, 1 << BITS), Fraction(total, 1 << BITS) + sum(sizes, Fraction(total, 1 << BITS)) / (1 << 36)


def counted(path: str, given: Any, ports: int) -> list[Any]:
    """The arrivals of every slot: in the instance's file, or in an .npy array of little-endian integers beside it."""
    if isinstance(given, list):
        return [[whole(x, 10**9) for x in slot] for slot in rows(given, ports)]
    need(re.fullmatch(r"[^/\\]+\.npy", given["file"]), "expected the name of an .npy file beside the instance")
    content = Path(path).with_name(given["file"]).read_bytes()
    start = 10 if content[6] == 1 else 12
    body = start + int.from_bytes(content[8:start], "little")
    header = ast.literal_eval(content[start:body].decode("ascii"))
    flat = array("bBhHiIqQ"["i1u1i2u2i4u4i8u8".index(header["descr"][1:]) // 2], content[body:])
    need(header["descr"][0] in "<|" and not header["fortran_order"], "expected an array in C's order, little-endian")
    need(
        header["shape"] == (len(flat) // ports, ports) and 0 <= min(flat) <= max(flat) <= 10**9, "expected whole counts"
    )
    return [flat[i : i + ports] for i in range(0, len(flat), ports)]


BOUNDS: dict[
    str, tuple[Callable[..., Range], str, str, set[str]]
] = {  # what it is recomputed by, side, among, parameters
    "preemptive.lp4": (preemptive, "lower", "", {"cost", "speed"}),
    "dmlrs.rdmlrs_lp": (dmlrs, "upper", "", set()),
    "jrp.conic": (jrp, "upper", "", set()),
    "jrp.split_free_lp": (jrp, "upper", "", set()),
    "jrp.lp_i": (jrp, "upper", "schedules that split their time at communication_share", set()),
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
    family, (prove, kind, among, parameters) = program.partition(".")[0], BOUNDS[program]
    need(instance.get("family") == family, f"{program} takes a {family} instance")
    need((given["kind"], given["among"]) == (kind, among), f"{program} gives a {kind} bound, among {among or 'all'}")
    need(isinstance(asked, dict) and asked.keys() == parameters, f"{program} has the parameters {sorted(parameters)}")
    try:
        if family == "multiserver":
            instance["arrivals"] = counted(instance_file, instance["arrivals"], len(instance["ports"]))
        need(digest == identity(instance, family), "the certificate is for another instance")
        least, most = prove(instance, program, asked, given["multipliers"])
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
    value = rational(given["value"])
    need(
        least <= value <= most,
        f"the multipliers prove {least.numerator / least.denominator:.17g}, not {given['value']:.60}",
    )
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
