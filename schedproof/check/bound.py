"""Check a bound's certificate: ``python -I bound.py INSTANCE CERTIFICATE [ROWS]``.

A certificate of version 2 or 3 lists its program. The checker writes the rows of the programs in `WRITERS` from the
instance and compares. ROWS is a file with the rows of another program for the instance, by a writer that shares no code
with the certificate's writer. Otherwise the rows are trusted, which the statement and the assumptions state. A last
argument ``--steps=N`` limits the check to N steps, of about a microsecond each, and the files that are read as a whole
to 4 N bytes. Certificates of version 3 have any size: they are read line by line, by `Blocks`.

The checker is written from the papers by weak duality, one function for each family. It is one standard-library file,
without imports of the package or of another checker, so that a sceptic can copy and read it. All sums are
rationals. Irrational terms (ln, exp, sqrt) are rounded to the safe side, and the recomputed value must imply the
claimed one, up to that rounding.
"""

import json
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import sha256
from heapq import heappush, heappushpop
from itertools import accumulate, chain, islice, pairwise, takewhile
from math import inf, isqrt, lcm
from operator import le, mul, sub
from pathlib import Path
from stat import S_ISREG
from typing import Any

MOST_BYTES, MOST_DEPTH = 1 << 28, 50
MOST_SHOWN = 200  # characters of a rational on the screen
MOST_NAME, OPENS = 1000, b'"blocks":[\n'  # of a certificate of version 3
MOST_STEPS = 2 * 10**6  # default
BITS = 192  # sums are rounded up to multiples of 2^-BITS
MOST_POWER = 20_000  # of e: beyond it no numbers of 4,000 digits differ by a factor
DIGITS, TINY = Context(prec=60), Fraction(1, 10**50)  # digits of ln, exp and sqrt, correctly rounded, and a margin
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
Units = tuple[int, ...]
Range = tuple[Fraction, Fraction]  # least and largest accepted value


class Refused(Exception):
    """A reason, in one sentence, why the certificate proves nothing."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch(RATIONAL, text)
    need(fine, f"expected a rational like 7/3, found {text!a:.40}")
    return Fraction(text)


again = lru_cache(1 << 16)(rational)  # a large program has few different coefficients


class Steps:
    """The steps left to a check; a step with long numbers counts several times."""

    def __init__(self, most: int) -> None:
        self.most, self.left, self.each = most, most, 1

    def most_bytes(self) -> int:
        """The largest size of a file."""
        return min(MOST_BYTES, 4 * self.most)

    def add(self, count: int) -> None:
        self.left -= count * self.each
        need(self.left >= 0, f"the check takes more than {self.most} steps; allow more with --steps=N or --time-limit")

    def count_values(self, *files: Any) -> None:
        """Count the steps of reading the files, as a later step may sum over all numbers."""
        level, depth, divisors, common, tens, longest = [*files], 0, set[str](), 1, 0, 64
        while level:
            depth, inside = depth + 1, list[Any]()
            need(depth <= MOST_DEPTH, f"expected JSON with at most {MOST_DEPTH} levels of nesting")
            numbers = 0
            for value in level:
                if isinstance(value, dict | list):
                    inside += value.values() if isinstance(value, dict) else value
                elif isinstance(value, int):
                    longest = max(longest, value.bit_length())
                elif isinstance(value, Decimal):
                    numbers, (_, digits, exponent) = numbers + 1, value.as_tuple()
                    fine = len(digits) <= 4000 and isinstance(exponent, int) and abs(exponent) <= 4000
                    need(fine, "expected decimals of at most 4000 digits")
                    tens, longest = max(tens, -int(exponent)), max(longest, 4 * (len(digits) + int(exponent)))
                elif isinstance(value, str) and re.fullmatch(RATIONAL, value):
                    numbers, longest = numbers + 1, max(longest, 4 * len(value))
                    divisors.add(value.partition("/")[2] or "1")
            self.add(3 * len(level) + 4 * numbers)
            level = inside
        for divisor in divisors:
            common = lcm(common, int(divisor))
            self.each = 1 + (common.bit_length() + 4 * tens + longest >> 9) ** 2
            self.add(1)


def exact(value: Any, names: bool) -> Any:
    """Convert decimals, and texts unless ``names``, to rationals; refuse numbers < 0."""
    if isinstance(value, dict):
        return {key: exact(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [exact(each, names) for each in value]
    if (names and isinstance(value, str | bool)) or (type(value) is int and value >= 0):
        return value
    fine = isinstance(value, Decimal) and abs(value.adjusted()) < 400
    number = again(value) if isinstance(value, str) else Fraction(value if fine else -1)
    need(number >= 0, f"expected a number >= 0, found {value!a:.40}")
    return number


def scalar(value: Any) -> Any:
    """Refuse a list, which a product with a large number would repeat."""
    need(not isinstance(value, list), "multipliers.unit: expected a rational, found a list")
    return value


def up(value: Fraction, bits: int = BITS) -> int:
    """Round up to multiples of 2^-bits."""
    return -((-value.numerator << bits) // value.denominator)


def dot(a: Any, b: Any) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def unreadable(path: str | Path, error: Exception) -> Refused:
    kinds = {RecursionError: "it is nested too deeply", InvalidOperation: "an exponent is too large"}
    why = kinds.get(type(error)) or " ".join(str(error).split(";")[0].split())[:200] or type(error).__name__
    return Refused("".join(c if c.isprintable() else ascii(c)[1:-1] for c in f"{path}: cannot be read: {why}"))


def content(path: str | Path, most: int) -> bytes:
    need(S_ISREG(Path(path).stat().st_mode), "expected a regular file")  # a pipe or a device may never end
    with Path(path).open("rb") as stream:
        found = b"".join(islice(iter(lambda: stream.read(1 << 20), b""), (most >> 20) + 1))
    need(len(found) <= most, f"the file has more than {most} bytes")
    return found


def read(path: str, most: int = MOST_BYTES) -> Any:
    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key occurs twice in one object")
        return dict(pairs)

    try:
        text = content(path, most).decode("utf-8-sig")
        need(text.strip(), "expected a JSON object, found an empty file")
        value = json.loads(text, parse_float=Decimal, parse_constant=rational, object_pairs_hook=unique_keys)
        need(isinstance(value, dict), "expected a JSON object")
        return value
    except (OSError, ValueError, ArithmeticError, RecursionError, MemoryError, Refused) as error:
        raise unreadable(path, error) from None


def certificate(path: str, most: int) -> Any:
    """Return a certificate; version 3 with its path in place of its blocks."""

    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key occurs twice in one object")
        return dict(pairs)

    try:
        need(S_ISREG(Path(path).stat().st_mode), "expected a regular file")
        with Path(path).open("rb") as stream:
            head = stream.readline(most)
        if not head.endswith(OPENS):
            return read(path, most)
        given = json.loads(head + b"]}}", parse_float=Decimal, parse_constant=rational, object_pairs_hook=unique_keys)
        need(given["multipliers"]["blocks"] == [], "expected the blocks at the end of the file")
        given["multipliers"]["blocks"] = Path(path)
        return given
    except (OSError, ValueError, ArithmeticError, RecursionError, MemoryError, LookupError, TypeError) as error:
        raise unreadable(path, error) from None


def blocks(path: Path, most: int) -> Iterator[Any]:
    """Yield the blocks of a certificate of version 3, one on each line."""
    with path.open("rb") as stream:
        stream.readline(most)
        for line in iter(lambda: stream.readline(most), b""):
            if line == b"]}}\n":
                need(not stream.read(1), "expected the end of the file after its blocks")
                return
            need(line.endswith(b"\n"), f"expected lines of at most {most} bytes; allow more with --steps N")
            yield json.loads(line.rstrip(b",\n"), parse_float=rational, parse_constant=rational)
    raise Refused("the file is truncated")


FIELDS = (  # of instances, in the order of the text whose SHA-256 identifies an instance
    " version family horizon communication_share resources machines name size servers jobs restart reserved capacity "
    "workers parameter_servers storage cloud compute deadline arrival chunks epochs samples batch_size workers_per_ps "
    "sample_time model_size bandwidth_internal bandwidth_external worker ps utility minibatches worker_types "
    "minibatch_time update_time gradient_size bandwidth upload_delay chunk_size ps_types minibatch_size "
    "minibatch_work parameter_size sync_period data_nodes clusters tasks minimum kind durations allocation slots "
    "value slope values theta1 theta2 theta3 breaks machine start end "
)
MAPS = {
    "workers",
    "parameter_servers",
    "upload_delay",
    "capacity",
    "worker",
    "ps",
    "reserved",
}  # whose keys are names of the file
MAPS |= {"minimum", "allocation"}
OPTIONAL = {"cloud", "chunk_size", "reserved", "tasks", "node_utilities"}  # omitted at these values


def says(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value
    return any(map(says, inside)) if isinstance(value, dict | list) else bool(value)


def as_json(value: Any, place: str, by_name: bool | None) -> str:
    """Return JSON without spaces; fields are in order unless ``by_name`` is None."""
    if isinstance(value, dict):
        optional = OPTIONAL if by_name else OPTIONAL - {"tasks"}
        keys = [key for key in value if by_name is None or not {key, place} & optional or says(value[key])]
        if by_name or (by_name is not None and place not in MAPS):
            keys.sort(key=None if by_name else lambda key: FIELDS.index(f" {key} "))
        return "{" + ",".join(f"{as_json(key, '', False)}:{as_json(value[key], key, by_name)}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(as_json(each, place, by_name) for each in value) + "]"
    if isinstance(value, Decimal):
        return str(int(value) if value == int(value) else value.normalize(Context(prec=1000)))
    return str(value) if type(value) is int else json.dumps(value, ensure_ascii=False)


def identity(instance: Any) -> str:
    known = {bound.partition(".")[0] for bound in BOUNDS}
    instance = {key: value for key, value in instance.items() if value or key not in ("breaks", "restart")}
    by_name = instance["family"] == "multiserver" if instance["family"] in known else None
    if by_name:
        counts = sha256(b"".join(array("q", slot).tobytes() for slot in instance["arrivals"])).hexdigest()
        ports = [dict(port) for port in instance["ports"]]
        for port in ports:  # a gang without a minimum needs all of its tasks
            least = port.pop("minimum_tasks", len(port.get("tasks", [])))
            port |= {"minimum_tasks": least} if port.get("tasks") else {}
        instance = instance | {"ports": ports, "arrivals": {"slots": len(instance["arrivals"]), "sha256": counts}}
    return sha256(as_json(instance, "", by_name).encode()).hexdigest()


def breaks_of(instance: Any, names: list[str]) -> dict[str, list[tuple[int, int]]]:
    """Return the breaks of each named machine; "*" means every machine."""
    rows = [(row["machine"], row["start"], row["end"]) for row in instance.get("breaks", ())]
    return {name: [(start, end) for machine, start, end in rows if machine in (name, "*")] for name in names}


def inside(breaks: list[tuple[int, int]], first: int, last: int) -> bool:
    """Return whether a break overlaps the slots from first to before last."""
    return any(start < last and first < end for start, end in breaks)


class Chunks:
    """Classes of workers, and when and for how long they train a chunk of each job."""

    def __init__(self, instance: Any, asked: Any) -> None:
        servers, self.jobs, self.horizon = instance["servers"], instance["jobs"], instance["horizon"]
        self.speed = rational(asked["speed"])
        need(0 < self.speed < 10**9, "parameters.speed: expected a number above 0 and below 10^9")
        self.cloud = next((server["name"] for server in servers if server.get("cloud")), None)
        edge = [(server["name"], server["workers"]) for server in servers if server["name"] != self.cloud]
        self.classes = [(name, kind, n) for name, workers in edge for kind, n in workers.items() if n]
        self.breaks = breaks_of(instance, [name for name, _ in edge])
        delays = [(job["arrival"], job["upload_delay"]) for job in self.jobs]
        landed = [start + delay for start, row in delays for s, delay in row.items() if s != self.cloud]
        self.enough = max(landed, default=0) + sum(job["chunks"] * self.slots(job, True) for job in self.jobs)
        self.enough += sum(row["end"] - row["start"] for row in instance.get("breaks", ()))

    def workers(self, q: int, slot: int) -> int:
        """Return the workers of a class in a slot: none in a break of the server."""
        server, _, count = self.classes[q]
        return 0 if inside(self.breaks[server], slot, slot + 1) else count

    def time(self, job: Any, on_edge: bool) -> Fraction:
        """Return the time of one chunk, on the edge or in the cloud, in slots."""
        sync = 2 * job["gradient_size"] / Fraction(job["bandwidth"]) if on_edge else 0
        batches = job["epochs"] * job["minibatches"]
        return Fraction(batches * (job["minibatch_time"] + job["update_time"] + sync) / self.speed)

    def slots(self, job: Any, on_edge: bool) -> int:
        return up(self.time(job, on_edge), 0)

    def ways(self, job: Any) -> dict[int, int]:
        """Return the upload delay of each class that can train the job."""
        kinds, delays = job["worker_types"], job["upload_delay"]
        known = [(q, delays.get(s, delays.get("*"))) for q, (s, kind, _) in enumerate(self.classes) if kind in kinds]
        return {q: delay for q, delay in known if delay is not None}

    def end(self, job: Any) -> int:
        """Return when the job is done: in the cloud, or after all jobs one by one."""
        away = job["upload_delay"].get(self.cloud)
        last = self.enough if away is None else job["arrival"] + away + self.slots(job, False)
        return int(min(self.horizon, last))


def preemptive(instance: Any, asked: Any, proof: Any, steps: Steps) -> Range:
    """Dual of (4) by classes q of W_q workers.

    sum_j D_j (alpha_j - sum_t delta_j(t)) - sum_q W_q sum_t beta_q(t).

    delta_j(t) = max(0, max over the job's places of (alpha_j - (t - r_j [+ (p + 1)/2]) / D_j) / p - beta_q(t)), and
    each job's term is rounded down to a multiple of 2^-64. If chunks never move, only capacity is relaxed: sum_j
    min(Delta_jc + p' of the cloud, min_C C + D_j times the p cheapest prices of its places among the C slots after r_j
    and its delays) - sum_q W_q sum_t beta_q(t). If chunks may move, a slot from Delta_jc on costs 0. The bound also
    holds with restarts: without the slots without progress, a schedule has no restarts, and no job completes later. W_q
    is 0 in a break of the class's server.
    """
    one, half, all_jobs = 1 << 24, asked.get("cost") == "half", Chunks(instance, asked)
    moves = asked["program"] == "preemptive.floating_configuration_lp"
    by_completion = moves or asked["program"] == "preemptive.configuration_lp"
    need(by_completion or asked["cost"] in ("half", "printed"), "parameters.cost: expected half or printed")
    need(proof["unit"] == Fraction(1, one), "multipliers.unit: expected 1/2^24")
    jobs, classes = all_jobs.jobs, all_jobs.classes
    beta: list[dict[int, int]] = [{} for _ in classes]
    for alike, first, prices in proof["prices"]:
        steps.add(len(alike) * len(prices))
        for q in alike:
            need(not beta[q], "multipliers.prices: expected each class at most once")
            beta[q] = {t: units for t, units in enumerate(prices, first) if units}

    @cache
    def cheapest(places: Units) -> dict[int, int]:
        steps.add(sum(1 + len(beta[q]) for q in places))
        return {t: min(beta[q][t] for q in places) for t in set.intersection(*(set(beta[q]) for q in places))}

    steps.add(sum(len(prices) * len(all_jobs.breaks[s]) for (s, _, _), prices in zip(classes, beta, strict=True)))
    total = -sum(all_jobs.workers(q, t) * units for q, prices in enumerate(beta) for t, units in prices.items()) << 40
    for job, alpha in zip(jobs, proof.get("values", [0] * len(jobs)), strict=True):
        arrival, chunks, in_cloud = job["arrival"], job["chunks"], job["upload_delay"].get(all_jobs.cloud)
        p, p_cloud = all_jobs.slots(job, True), all_jobs.slots(job, False)
        steps.add(len(classes))
        ways = all_jobs.ways(job)
        if by_completion:
            t, heap, paid = min(ways.values(), default=0), list[int](), 0
            best: Any = inf if in_cloud is None else (in_cloud + p_cloud) * one
            need(ways or best < inf, "a job can run on no server")
            while ways and (t + 1) * one < best:
                rent = cheapest(tuple(q for q, delay in ways.items() if delay <= t)).get(arrival + t, 0)
                rent = 0 if moves and in_cloud is not None and in_cloud <= t else rent
                paid += rent if len(heap) < p else min(0, rent + heap[0])
                (heappush if len(heap) < p else heappushpop)(heap, -rent)
                t += 1
                steps.add(2 + len(ways))
                if len(heap) == p:
                    best = min(best, t * one + chunks * paid)
                    if not heap[0]:
                        break
            total += best << 40
            continue
        gain, rent = 2 * chunks * alpha, 0
        end = min(all_jobs.end(job) - arrival, up(Fraction(gain, 2 * one), 0))  # later the charge exceeds alpha
        steps.add(max(end, 0) + len(ways) ** 2)
        for start, stop in pairwise([*sorted({*ways.values(), in_cloud} - {None}), end]):
            places = tuple(q for q, delay in ways.items() if delay <= start)
            far = in_cloud is not None and in_cloud <= start
            price = cheapest(places) if places else {}
            for t in range(start, min(stop, end)):
                left = gain - 2 * t * one
                there = left - half * (p + 1) * one - 2 * chunks * p * price.get(arrival + t, 0) if places else 0
                away = left - half * (p_cloud + 1) * one if far else 0
                rent += max(0, there * p_cloud, away * p)
        total += ((gain * p * p_cloud - rent) << 39) // (p * p_cloud)
    return Fraction(total, 1 << 64), Fraction(total, 1 << 64)


def rates(job: Any) -> tuple[Fraction, Fraction]:
    """Return the compute and the bandwidth that a GB of a job needs."""
    rate = job["epochs"] / Fraction(job["minibatch_size"] * job["deadline"]) if "deadline" in job else Fraction(0)
    return rate * job["minibatch_work"], rate * job["parameter_size"] / job["sync_period"]


def jrp(instance: Any, asked: Any, proof: Any, steps: Steps) -> Range:
    """Prices of resources: total price of all capacity, plus each job's surplus.

    Let sigma, p, q be the prices of storage, compute and bandwidth. A GB of job k on server j costs sigma_j + p_j a_k +
    q_j b_k, plus 2 sqrt(p a q b) by (10) and the Cauchy-Schwarz inequality. A job's surplus is its value less its
    nodes' costs. The term of each server and job is rounded up to a multiple of 2^-64, the root down to a multiple of
    1/(u s).
    """
    share, servers, sides = instance["communication_share"], instance["servers"], ("storage", "compute", "bandwidth")
    usable = (1, 1 - share, share) if asked["program"] == "jrp.lp_i" else (1, 1, 1)
    stock = [[server[side] * part for side, part in zip(sides, usable, strict=True)] for server in servers]
    prices = list(zip(*(proof[side] for side in sides), strict=True))
    total = sum(up(Fraction(dot(*two)), 64) for two in zip(prices, stock, strict=True))
    u = lcm(*(price.denominator for row in prices for price in row))
    place = {server["name"]: [int(price * u) for price in row] for server, row in zip(servers, prices, strict=True)}
    for job in instance["jobs"]:
        (work, sync), nodes = rates(job), job["data_nodes"]
        s, cost = lcm(work.denominator, sync.denominator), dict[str, int]()
        for name in {name for node in nodes for name in node["servers"]}:
            sigma, p, q = place[name]
            a, b = p * int(work * s), q * int(sync * s)
            cost[name] = sigma * s + a + b + (isqrt(4 * a * b) if asked["program"] == "jrp.conic" else 0)
        if all(node["servers"] for node in nodes):
            paid = sum(node["size"] * min(cost[name] for name in node["servers"]) for node in nodes)
            total += max(0, up(1 - Fraction(paid) / (u * s), 64))
    return Fraction(total, 1 << 64), Fraction(total, 1 << 64)


def placement(instance: Any, asked: Any, proof: Any, steps: Steps) -> Range:
    """Prices of resources and starts: the tasks' cheapest starts minus all capacity.

    A start of task j (arrival a_j) in slot t with amounts x for d slots costs t + d - a_j, plus the price of the start,
    plus x times the resources' prices in the d slots. Each task starts once, a cluster starts at most one task in a
    slot, and (5) limits capacity. In a break a cluster has no resources and no starts.
    """
    one, names = 1 << 24, instance["resources"]
    need(proof["unit"] == Fraction(1, one), "multipliers.unit: expected 1/2^24")
    clusters, wide = instance["clusters"], 1 + len(names)
    need(
        all(row[1] < len(names) for row in proof["resources"]),
        "multipliers.resources: expected resources of the instance",
    )
    given = [tuple(row) for row in proof["resources"]] + [(n, len(names), t, price) for n, t, price in proof["starts"]]
    need(
        len({row[:3] for row in given}) == len(given),
        "multipliers: expected one price for each cluster, resource and slot",
    )
    end = max((t + 1 for _, _, t, _ in given), default=0)
    steps.add((1 + end) * len(clusters) * wide)
    room = [[*(cluster["capacity"].get(r, 0) for r in names), 1] for cluster in clusters]
    price = [[[0] * (end + 1) for _ in there] for there in room]
    for n, r, t, units in given:
        price[n][r][t] = units
    breaks = breaks_of(instance, [cluster["name"] for cluster in clusters])
    steps.add((1 + end) * wide * sum(map(len, breaks.values())))
    total = 0
    for there, table, times in zip(room, price, breaks.values(), strict=True):
        total -= dot(there, (sum(x for t, x in enumerate(row) if not inside(times, t, t + 1)) for row in table))
    sums = [[[0, *accumulate(row)] for row in table[:-1]] for table in price]  # over the slots before
    for task in instance["tasks"]:
        arrival, best = task["arrival"], 0
        allowed = {*task["clusters"]}
        among = [n for n, cluster in enumerate(clusters) if cluster["name"] in allowed]
        steps.add(len(clusters) + (1 + len(among)) * len(task["durations"]) * wide)
        modes = sorted((row["slots"], [row["allocation"].get(r, 0) for r in names]) for row in task["durations"])
        ways = [(n, d, x) for n in among for d, x in modes if all(map(le, x, room[n]))]
        need(ways, "a task fits on no cluster")
        for n, d, x in ways:
            for t in range(arrival, max(arrival, end) + 1):  # later slots cost more
                if best and (t + d - arrival) * one >= best:
                    break
                steps.add(wide)
                begin, done = min(t, end), min(t + d, end)
                cost = (t + d - arrival) * one + price[n][-1][begin]
                cost += sum(a * (row[done] - row[begin]) for a, row in zip(x, sums[n], strict=True) if a)
                best = min(cost, best or cost)
        total += best
    return Fraction(total, one), Fraction(total, one)


def decimal(x: Any) -> Decimal:
    return DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator))


def utility(u: Any, time: int) -> Fraction:
    """Return an upper bound on the utility of a job after so many slots."""
    if u["kind"] == "table":
        return Fraction(u["values"][min(time, len(u["values"])) - 1])  # the largest from then on
    if u["kind"] != "sigmoid":
        return Fraction(max(0, u["value"] - time * u.get("slope", 0)))
    late = min(u["theta2"] * (time - u["theta3"]), 1000)
    if late < -1000:
        return Fraction(u["theta1"])
    return Fraction(u["theta1"]) / (1 + (Fraction(DIGITS.exp(decimal(late))) * (1 - TINY) if late else 1))


@lru_cache(1000)
def room(steps: Steps, free: Units, worker: Units, ps: Units, servers: Units) -> Units:
    """Return the PSs that fit with 0, 1, ... workers on a machine, up to the need."""
    steps.add(len(servers) * len(free))
    left = ([c - n * a for c, a in zip(free, worker, strict=True)] for n in range(len(servers)))
    fits = takewhile(lambda row: min(row) >= 0, left)
    return tuple(min([servers[-1], *(c // b for c, b in zip(row, ps, strict=True) if b)]) for row in fits)


@lru_cache(1000)
def together(steps: Steps, rooms: tuple[Units, ...], servers: Units) -> int:
    """Return the most workers that fit on all machines together with their PSs."""
    steps.add(sum(len(servers) * len(fit) for fit in rooms))
    best = [0] + [-1] * (len(servers) - 1)  # the most parameter servers with so many workers
    for fit in rooms:
        ways = [[(best[n - w], fit[w]) for w in range(min(n + 1, len(fit)))] for n in range(len(servers))]
        best = [max((a + b for a, b in row if a >= 0), default=-1) for row in ways]
    return max(n for n, most in enumerate(best) if most >= servers[n])


@lru_cache(1000)
def beyond(options: tuple[Units, ...], rate: int) -> tuple[int, list[Units]]:
    """Return the best payoff at this rate, and each option's distance from it."""
    surplus = max(rate * gain - cost for gain, cost in options)
    return surplus, sorted((surplus - rate * gain + cost, gain) for gain, cost in options)


def dmlrs(instance: Any, asked: Any, proof: Any, steps: Steps) -> Range:
    """Weak duality for (8)-(9): prices p of free resources, and each job's payoff.

    A payoff is valid if no schedule's utility exceeds the schedule's cost by more than the payoff. In a slot n workers
    with S(n) = ceil(n / gamma) servers cost A(n) on one machine, and anywhere at least B(n) = lambda n + mu S(n) -
    sum_h max over what fits on h of (lambda - p_w) w + (mu - p_s) s. A job is done after ceil(k V c_e) units; n workers
    make at most ceil(n k c_e / c_i) units at the internal rate, n k at the external rate. At a rate r per unit, a
    schedule costs r ceil(k V c_e) - sum_t max(r gain - cost), plus its distances from these maxima, plus r for each
    excess unit. The search follows every schedule whose cost could be low enough for a larger payoff.
    """
    names, jobs, horizon, unit = instance["resources"], instance["jobs"], instance["horizon"], proof["unit"]
    stock = [machine["capacity"] for machine in instance["machines"]]
    steps.add(horizon * (8 + len(stock) * (2 + len(names))))
    reserved = instance.get("reserved") or [[{}] * len(stock)] * horizon
    amounts = [*stock, *(job[kind] for job in jobs for kind in ("worker", "ps")), *chain(*reserved)]
    steps.add(len(amounts) * len(names))
    grid = [lcm(*{row.get(name, 0).denominator for row in amounts}) for name in names]

    def units(row: Any) -> Units:
        return tuple(int(row.get(name, 0) * n) for name, n in zip(names, grid, strict=True))

    free = [[tuple(map(sub, units(c), units(held))) for c, held in zip(stock, slot, strict=True)] for slot in reserved]
    price = [[(0,) * len(names)] * len(stock) for _ in range(horizon)]
    for t, first, last, *each in proof["prices"]:
        steps.add(max(0, last - first))
        for h in range(first, last + 1):
            price[t][h] = tuple(each)
    alike = [Counter(zip(*two, strict=True)) for two in zip(free, price, strict=True)]
    tangents: dict[tuple[int, int], list[Units]] = {}
    for i, t, lam, mu in proof["tangents"]:
        tangents.setdefault((i, t), []).append((int(lam), int(mu)))
    total = sum(n * dot(*two) for slot in alike for two, n in slot.items()) * unit + sum(proof["payoffs"])
    known = zip(jobs, proof["fineness"], proof["payoffs"], proof["rates"], strict=True)
    for i, (job, k, payoff, rates) in enumerate(known):
        steps.add(10 * job["batch_size"] + 2 * len(names))
        arrival, count, gamma = job["arrival"], range(job["batch_size"] + 1), Fraction(job["workers_per_ps"])
        alpha, beta, servers = units(job["worker"]), units(job["ps"]), tuple(up(n / gamma, 0) for n in count)
        transfer = 2 * job["model_size"] * gamma / count[-1]
        inside, outside = (job["sample_time"] + transfer / job[f"bandwidth_{which}ternal"] for which in ("in", "ex"))
        goal, slots = up(k * job["epochs"] * job["samples"] * outside, 0), list[tuple[Units, ...]]()
        gains = [up(n * k * outside / inside, 0) for n in count]
        for t in range(arrival, horizon):
            bar = up((utility(job["utility"], t + 1 - arrival) - payoff) / unit, 0)
            if bar <= 0:
                break  # later completions are worth no more
            steps.add((len(stock) + len(alike[t])) * (2 + 2 * len(names)))
            fits = {f: room(steps, f, alpha, beta, servers) for f in {*free[t]}}
            ways = [(fits[f], dot(p, alpha), dot(p, beta), n) for (f, p), n in alike[t].items()]
            limit, lines = together(steps, tuple(fits[f] for f in sorted(free[t])), servers), []
            for lam, mu in [(min(w for _, w, _, _ in ways), min(s for _, _, s, _ in ways)), *tangents.get((i, t), [])]:
                steps.add(sum(1 + len(fit) for fit, *_ in ways) + limit)
                most = (m * max((lam - w) * n + max(0, mu - s) * y for n, y in enumerate(fit)) for fit, w, s, m in ways)
                lines.append((lam, mu, sum(most)))
            spread = [max(0, *(lam * n + mu * servers[n] - most for lam, mu, most in lines)) for n in range(limit + 1)]
            steps.add(len(count) * (1 + len(ways)))
            options = [(n * k, cost) for n, cost in enumerate(spread)]
            for n in count[1:]:
                alone = [n * w + servers[n] * s for fit, w, s, _ in ways if n < len(fit) and fit[n] >= servers[n]]
                options += [(gains[n], min(alone))] if alone else []
            slots.append(tuple(options))
            rate = rates[t - arrival]
            steps.add(sum(map(len, slots)))
            spare = bar - rate * goal + sum(beyond(each, rate)[0] for each in slots)
            reached = {0: 0} if spare > 0 else {}
            for each in slots:
                before, reached = reached, {}
                for progress, over in before.items():
                    steps.add(1)
                    for more, gain in beyond(each, rate)[1]:
                        if over + more >= spare:
                            break
                        steps.add(1)
                        after, dear = progress + gain, over + more
                        if after > goal:
                            after, dear = goal, dear + rate * (after - goal)
                        if dear < reached.get(after, spare):
                            reached[after] = dear
            need(goal not in reached, "the payoff of a job exceeds its value in the certificate")
    return total, total


def slope_at(kind: str, a: Fraction, y: Fraction) -> Fraction:
    """Return f'(y) of a utility (54); a square root is approximate."""
    half = Fraction((1 + y) ** 0.5) if y else 1
    return {"linear": a, "log": a / (1 + y), "reciprocal": 1 / (y + a) ** 2, "poly": a / 2 / half}[kind]


def conjugate(kind: str, a: Fraction, slope: Fraction) -> Fraction:
    """Return an upper bound on f(y) - slope y over y >= 0."""
    if slope >= slope_at(kind, a, Fraction(0)):
        return Fraction(0)
    need(slope > 0 and kind != "linear", "multipliers: expected larger slopes; the conjugate of a utility is infinite")
    if kind == "log":
        return a * (Fraction(DIGITS.ln(decimal(a / slope))) + TINY) - a + slope
    if kind == "reciprocal":
        return 1 / a - 2 * Fraction(DIGITS.sqrt(decimal(slope))) * (1 - TINY) + a * slope
    return (a / 2 - slope) ** 2 / slope


def multiserver(instance: Any, asked: Any, proof: Any, steps: Steps) -> Range:
    """Prices p of rows, weights w of a copy's overheads max_k beta_k T, slopes sigma.

    n slots with a copy have a reward of at most sum p c + sum n f*(sigma) + sum over channels of m (n sigma - n w beta
    - p)^+ with m = min(a, c). If f is a function of totals, sigma is in the certificate. If f is a function of
    channels, any sigma is valid, and a nearly optimal sigma is used.
    """
    names, arrivals, by_node = instance["resources"], instance["arrivals"], asked["gain"] == "node"
    need(by_node or asked["gain"] == "total", "parameters.gain: expected node or total")
    steps.add(len(instance["nodes"]) * len(names))
    capacity = {node["name"]: [node["capacity"].get(name, 0) for name in names] for node in instance["nodes"]}
    own, usual = instance.get("node_utilities", {}), instance["utilities"]
    copies = [max(1, *(slot[i] for slot in arrivals)) for i in range(len(instance["ports"]))]
    found = Counter(map(tuple, arrivals))
    steps.add(sum(copies) * len(found))
    owners = [port for port, n in zip(instance["ports"], copies, strict=True) for _ in range(n)]
    sizes = 0  # of the products whose differences are summed: in doubles these differ by so much

    def value_at(parts: Any, counts: list[int]) -> int:
        nonlocal sizes
        unit = scalar(parts["unit"])
        prices = {node: [Fraction(float(p)) for p in row] for node, row in zip(capacity, parts["prices"], strict=True)}
        total = sum(up(dot(prices[node], row)) for node, row in capacity.items())
        steps.add(sum(20 * len(names) * (1 + len(port["nodes"])) for port in owners))
        for c, (port, n, weights) in enumerate(zip(owners, counts, parts["weights"], strict=True)):
            need(sum(weights) * unit == 1, "the weights of a copy's overheads do not sum to 1")
            for k, (name, weight) in enumerate(zip(names, weights, strict=True)):
                rule, cost = usual[name], n * instance["overhead"][name] * weight * unit
                kind, a = rule["kind"], Fraction(rule["alpha"])
                sigma = a if by_node else Fraction(float(parts["slopes"][c][k]))
                sigma = a if kind == "linear" else sigma  # smaller slopes have no conjugate, larger ones only cost
                total += 0 if by_node else up(n * conjugate(kind, a, sigma))
                for node in port["nodes"]:
                    most, paid = min(port["demand"].get(name, 0), capacity[node][k]), cost + prices[node][k]
                    if by_node and n * most:
                        rule = own.get(node, {}).get(name, usual[name])
                        kind, a = rule["kind"], Fraction(rule["alpha"])
                        sigma = a if kind == "linear" else max(paid / n, slope_at(kind, a, most))  # any slope is valid
                        total += up(n * conjugate(kind, a, sigma))
                    sizes += up(most * (n * sigma + paid))
                    total += up(most * max(Fraction(0), n * sigma - paid))
        return total

    present = {x: [int(x[i] > j) for i, most in enumerate(copies) for j in range(most)] for x in sorted(found)}
    if asked["program"] == "multiserver.stationary":
        columns = zip(*(present[x] for x in found), strict=True)
        total = value_at(proof, [sum(map(mul, found.values(), column)) for column in columns])
    else:
        total = sum(found[x] * value_at(parts, present[x]) for x, parts in zip(present, proof["patterns"], strict=True))
    return Fraction(total, 1 << BITS), Fraction(total + (sizes >> 36) + 1, 1 << BITS)


def arrivals_of(path: str, given: Any, ports: int, steps: Steps) -> Any:
    if not isinstance(given, list):
        need(
            re.fullmatch(r"[^/\\]+\.npy", given["file"]),
            "arrivals.file: expected the name of an .npy file in the instance's folder",
        )
        beside = Path(path).resolve().with_name(given["file"])
        need(beside.is_file(), "arrivals.file: the file does not exist in the instance's folder")
        array_file = content(beside, steps.most_bytes())
        start = array_file.index(b"\n", 10) + 1
        header = rb".*'[<|]([iu][1248])', 'fortran_order': False, 'shape': \((\d+), (\d+)\).*\n"
        kind, length, width = re.fullmatch(header, array_file[10:start]).groups()  # type: ignore[union-attr]
        flat = array("bBhHiIqQ"["i1u1i2u2i4u4i8u8".index(kind.decode()) // 2], array_file[start:])
        steps.add(5 * len(flat))
        need(
            len(flat) == int(length) * int(width) > 0,
            "arrivals.file: expected as many counts as the array's header states",
        )
        given = [flat[i : i + ports].tolist() for i in range(0, len(flat), ports)]
    need(all(len(slot) == ports for slot in given), "arrivals: expected a count for each port in every slot")
    return given


SPLIT = "schedules that split their time at communication_share"
STAYS = "schedules whose chunks never move"
WHOLE = "schedules without preemption"
BOUNDS: dict[
    str, tuple[Callable[..., Range], str, str, str, str]
] = {  # prover, side, solutions, parameters, multipliers
    "preemptive.lp4": (preemptive, "lower", "", "cost speed", "unit values prices"),
    "preemptive.configuration_lp": (preemptive, "lower", STAYS, "speed", "unit prices"),
    "preemptive.floating_configuration_lp": (preemptive, "lower", "", "speed", "unit prices"),
    "dmlrs.rdmlrs_lp": (dmlrs, "upper", "", "", "unit prices fineness tangents payoffs rates"),
    "jrp.conic": (jrp, "upper", "", "", "storage compute bandwidth"),
    "jrp.split_free_lp": (jrp, "upper", "", "", "storage compute bandwidth"),
    "jrp.lp_i": (jrp, "upper", SPLIT, "", "storage compute bandwidth"),
    "multiserver.stationary": (multiserver, "upper", "", "gain", "resources unit weights prices slopes"),
    "multiserver.slot_optimum": (multiserver, "upper", "", "gain", "patterns"),
    "placement.lp": (placement, "lower", WHOLE, "", "unit resources starts"),
}


NAMED = {  # by family: the lists of an instance whose entries have unique names
    "preemptive": "servers jobs",
    "dmlrs": "machines jobs resources",
    "jrp": "servers jobs",
    "placement": "clusters tasks resources",
    "multiserver": "nodes ports resources",
}


def distinct(rows: Any, what: str) -> set[str]:
    names = [row if isinstance(row, str) else row["name"] for row in rows]
    need(len({*names}) == len(names), f"{what}: expected each name once")
    return {*names}


def require_known(names: Any, known: set[str], what: str) -> None:
    need(distinct(names, what) <= known, f"{what}: expected names of the instance")


def require_sound(instance: Any) -> None:
    """Refuse a malformed instance: repetitions, missing parts, impossible values."""
    family = instance["family"]
    names = {key: distinct(instance[key], key) for key in NAMED[family].split()}
    flags = [key for row in instance.get("servers", []) for key, value in row.items() if isinstance(value, bool)]
    need({*flags} <= {"cloud"}, "servers: expected true and false for the key cloud only")
    {"preemptive": sound_chunks, "dmlrs": sound_training, "jrp": sound_data}.get(family, sound_shares)(instance, names)


def sound_chunks(instance: Any, names: dict[str, set[str]]) -> None:
    need(sum(bool(server.get("cloud")) for server in instance["servers"]) < 2, "servers: expected at most one cloud")
    places = {*names["servers"], "*"}
    for row in instance.get("breaks", ()):
        need(row["machine"] in places and row["start"] < row["end"], "breaks: expected a server, and start < end")
    for job in instance["jobs"]:
        require_known(job["upload_delay"], places, "upload_delay")
        need(distinct(job["worker_types"], "worker_types"), "worker_types: expected at least one type")
        need(
            job["minibatch_time"] + job["update_time"] > 0 < job["chunks"],
            "expected chunks >= 1 and minibatch_time + update_time > 0 in each job",
        )
        need(
            job["bandwidth"] > 0 < job["epochs"] * job["minibatches"],
            "expected bandwidth, epochs and minibatches > 0 in each job",
        )


def sound_training(instance: Any, names: dict[str, set[str]]) -> None:
    machines, horizon = instance["machines"], instance["horizon"]
    reserved = instance.get("reserved") or []
    need(len(reserved) in (0, horizon), "reserved: expected a row for each slot")
    for slot in reserved:
        need(len(slot) == len(machines), "reserved: expected an entry for each machine")
        for held, machine in zip(slot, machines, strict=True):
            require_known(held, names["resources"], "reserved")
            fits = all(amount <= machine["capacity"].get(name, 0) for name, amount in held.items())
            need(fits, "reserved: expected at most the capacity")
    for row in [machine["capacity"] for machine in machines] + [job[key] for job in instance["jobs"] for key in PARTS]:
        require_known(row, names["resources"], "amounts")
    for job in instance["jobs"]:
        need(
            job["bandwidth_internal"] >= job["bandwidth_external"] > 0,
            "expected bandwidth_internal >= bandwidth_external > 0 in each job",
        )
        need(job["workers_per_ps"] > 0 < job["batch_size"], "expected workers_per_ps and batch_size > 0 in each job")
        need(job["arrival"] < horizon, "arrival: expected a slot before the horizon")
        utilities = job["utility"].get("values", [1])
        need(
            0 < len(utilities) <= horizon and sorted(utilities, reverse=True) == utilities,
            f"utility.values: expected 1 to {horizon} values that never increase",
        )


def sound_data(instance: Any, names: dict[str, set[str]]) -> None:
    need(0 < instance["communication_share"] < 1, "communication_share: expected a number between 0 and 1")
    for job in instance["jobs"]:
        distinct(job["data_nodes"], "data_nodes")
        for node in job["data_nodes"]:
            require_known(node["servers"], names["servers"], "the servers of a data node")
        need(job["minibatch_size"] > 0 < job["sync_period"], "expected minibatch_size and sync_period > 0 in each job")
        need(job.get("deadline", 1) > 0, "deadline: expected a number > 0")


def sound_shares(instance: Any, names: dict[str, set[str]]) -> None:
    for row in instance.get("breaks", ()):
        known = row["machine"] in {*names.get("clusters", ()), "*"}
        need(known and row["start"] < row["end"], "breaks: expected a cluster, and start < end")
    for task in instance.get("tasks", []):
        require_known(task["clusters"], names["clusters"], "the clusters of a task")
        modes = {frozenset(row["allocation"].items()) for row in task["durations"]}
        need(len(modes) == len(task["durations"]) > 0, "durations: expected each allocation once")
        for row in task["durations"]:
            require_known(row["allocation"], names["resources"], "an allocation")
            least = [(name, n) for name, n in task.get("minimum", {}).items() if n]
            need(
                all(row["allocation"].get(name, 0) >= n for name, n in least),
                "durations: expected allocations of at least the task's minimum",
            )
            need(row["slots"] > 0, "durations: expected slots > 0")
    for row in [each["capacity"] for key in ("clusters", "nodes") for each in instance.get(key, [])]:
        require_known(row, names["resources"], "capacity")
    for port in instance.get("ports", []):
        require_known(port["nodes"], names["nodes"], "the nodes of a port")
        require_known(port["demand"], names["resources"], "demand")
        need(
            port.get("minimum_tasks", 0) <= len(port.get("tasks", [])),
            "minimum_tasks: expected at most the number of tasks",
        )
    own = instance.get("node_utilities", {})
    require_known(own, names.get("nodes", set()), "node_utilities")
    for rule in chain(instance.get("utilities", {}).values(), *(row.values() for row in own.values())):
        need(
            rule["kind"] in UTILITIES and rule["alpha"] > 0,
            f"utilities: expected alpha > 0 and a kind among {', '.join(UTILITIES)}",
        )
    for name in names["resources"] if "ports" in instance else ():
        need(
            name in instance["utilities"] and instance["overhead"][name] <= 1,
            "expected a utility and an overhead of at most 1 for each resource",
        )


PARTS, UTILITIES = ("worker", "ps"), ("linear", "log", "reciprocal", "poly")


def fields(value: Any, names: str) -> None:
    need(isinstance(value, dict) and value.keys() == {*names.split()}, f"expected the fields: {names or 'none'}")


def entries(pairs: Any, count: int) -> Any:
    """Return pairs (number, rational) with distinct numbers below ``count``."""
    need(len(dict(pairs)) == len(pairs), "an index of a row or column occurs twice")
    need(all(type(n) is int and 0 <= n < count for n, _ in pairs), "an index of a row or column is out of range")
    return [(n, again(value) if isinstance(value, str) else rational(value)) for n, value in pairs]


def pays(kind: str, y: list[Fraction]) -> bool:
    """Return whether multipliers of a cone's rows are in its dual.

    For a second-order cone, y_0 is at least the norm of the others. For the exponential cone of (x, y, z) with
    y exp(x / y) <= z, the dual has (u, v, w) with -u exp(v / u - 1) <= w.
    """
    if kind == "second_order":
        return y[0] >= 0 and y[0] ** 2 >= sum(x * x for x in y[1:])
    need(kind == "exponential" and len(y) == 3, "expected a second-order cone, or an exponential one of three rows")
    u, v, w = y
    if u >= 0 or w <= 0:
        return u == 0 and min(v, w) >= 0
    power = max(v / u - 1, Fraction(-MOST_POWER))
    if power <= 0 <= w + u:
        return True
    need(power < MOST_POWER, "multipliers of an exponential cone are too large")
    return -u * Fraction(DIGITS.exp(decimal(power))) * (1 + TINY) <= w


def multiplier_range(proof: Any) -> Range:
    """Return the bound that multipliers y of rows prove for min c x.

    The rows are lower <= A x <= upper, with ranges of x. With d = c - y A, the bound sums y_i times the lower side if
    y_i > 0, else the upper side, over all rows. Over all columns it adds d_j times the lower or upper end in the same
    way. A maximum exchanges the sides. The rows of a cone, A x - lower, have multipliers of any sign that together lie
    in the dual cone, and count with their lower sides. The total reduced cost of unlisted columns is trusted.
    """
    sign, wide = {"minimize": 1, "maximize": -1}[proof["sense"]], len(proof["columns"])
    need(wide or proof.get("rest"), "the listed program has no columns")
    columns = [(rational(cost), end(low), end(up)) for _, cost, low, up in proof["columns"]]
    rows = [(end(low), end(up), entries(terms, wide)) for _, low, up, terms in proof["rows"]]
    left = [cost for cost, _, _ in columns]
    times = dict(entries(proof["multipliers"], len(rows)))
    conic = set[int]()
    for kind, members in proof.get("cones", []):
        own = {i for i in members if type(i) is int and 0 <= i < len(rows) and i not in conic}
        need(len(own) == len(members) > 0, "multipliers.cones: expected numbers of rows, each once")
        need(
            all(rows[i][0] is not None and rows[i][1] is None for i in own),
            "multipliers.cones: expected rows with a lower side only",
        )
        need(
            pays(kind, [sign * times.get(i, Fraction(0)) for i in members]),
            "the multipliers of a cone's rows are not in the dual cone",
        )
        conic |= own
    total = rational(proof["constant"])
    for i, y in times.items():
        lower, upper, terms = rows[i]
        for j, coefficient in terms:
            left[j] -= y * coefficient
        total += paid(y, lower if y * sign > 0 or i in conic else upper)
    for d, (_, lower, upper) in zip(left, columns, strict=True):
        total += paid(d, lower if d * sign > 0 else upper)
    total += sum(map(rational, proof.get("rest", {}).values()))
    return total, total


def reserve(proof: Any, steps: Steps) -> None:
    """Count the steps for a certificate of version 3, by its stated sizes."""
    sizes, digits = proof["sizes"], proof["digits"]
    need(isinstance(sizes, list) and len(sizes) == 3, "multipliers.sizes: expected numbers of rows, columns and terms")
    need(all(type(n) is int and n >= 0 for n in [*sizes, digits]), "multipliers.sizes: expected whole numbers >= 0")
    need(digits <= 4000, "multipliers.digits: expected at most 4000")
    rows, columns, terms = sizes
    steps.each = max(steps.each, 1 + (4 * digits >> 9) ** 2)
    steps.add(6 * rows + 8 * columns + 2 * terms)


class Blocks:
    """Rows, then columns, of a certificate of version 3, read line by line.

    All numbers are integers. A row is (name, scale, lower side, upper side, multiplier), multiplied by its scale. A
    column is (name, cost, lower end, upper end, terms). Its terms are pairs (row, coefficient) by increasing row. A
    name consists of the stated number of characters of the previous name, and an ending. One number replaces a list
    of equal ones.
    """

    def __init__(self, proof: Any, steps: Steps) -> None:
        reserve(proof, steps)
        need(isinstance(proof["blocks"], Path), 'expected "blocks":[ at the end of the first line')
        self.path, self.most, self.most_bytes = proof["blocks"], 10 ** proof["digits"], steps.most_bytes()
        self.left = dict(zip(("rows", "columns", "terms"), proof["sizes"], strict=True))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for kind, shared, endings, *parts in blocks(self.path, self.most_bytes):
            need(kind in ("rows", "columns"), "expected blocks of rows, then of columns")
            need(kind == "rows" or not self.left["rows"], "expected the stated number of rows before the columns")
            need(isinstance(endings, list), "expected a list of names in each block")
            self.take(kind, len(endings))
            yield from (self.rows if kind == "rows" else self.columns)(
                self.names(shared, endings), len(endings), *parts
            )
        need(not any(self.left.values()), "the blocks have fewer rows, columns or terms than stated")

    def take(self, what: str, count: int) -> None:
        self.left[what] -= count
        need(self.left[what] >= 0, f"the blocks have more {what} than stated")

    def names(self, shared: Any, endings: Any) -> Iterator[str]:
        name = ""
        for same, ending in zip(self.whole(shared, len(endings), 0), endings, strict=True):
            need(same <= len(name) and isinstance(ending, str), "a name is not built from the name before")
            name = name[:same] + ending
            need(0 < len(name) <= MOST_NAME, f"expected names of 1 to {MOST_NAME} characters")
            yield name

    def whole(self, part: Any, count: int, least: int | None = None, *, sides: bool = False) -> list[Any]:
        """Return integers of at most the stated digits; sides may be None."""
        numbers = part if isinstance(part, list) else [part] * count
        low = 1 - self.most if least is None else least
        need(len(numbers) == count, "a block has lists of different lengths")
        fine = all(low <= n < self.most if type(n) is int else sides and n is None for n in numbers)
        need(fine, "expected integers with at most the stated number of digits")
        return numbers

    def rows(
        self, names: Any, count: int, scales: Any, lower: Any, upper: Any, times: Any
    ) -> Iterator[tuple[Any, ...]]:
        ends = (self.whole(side, count, sides=True) for side in (lower, upper))
        yield from zip(names, self.whole(scales, count, 1), *ends, self.whole(times, count), strict=True)

    def columns(
        self, names: Any, count: int, costs: Any, lower: Any, upper: Any, counts: Any, rows: Any, coefficients: Any
    ) -> Iterator[tuple[Any, ...]]:
        ends = (self.whole(side, count, sides=True) for side in (lower, upper))
        counts = self.whole(counts, count, 0)
        many = sum(counts)
        self.take("terms", many)
        terms = zip(self.whole(rows, many, 0), self.whole(coefficients, many), strict=True)
        for name, cost, low, high, own in zip(names, self.whole(costs, count), *ends, counts, strict=True):
            pairs = [*islice(terms, own)]
            need(
                all(one[0] < other[0] for one, other in pairwise(pairs)), "expected a column's terms by increasing row"
            )
            yield name, cost, low, high, pairs


def compact_range(proof: Any, steps: Steps) -> Range:
    """Return the bound of `multiplier_range` for version 3, in integers.

    With row scales s, the multipliers y / s are multiples of 1 / unit; costs and ends of columns are multiples of
    1 / scale. Memory is needed for the multipliers of the rows only.
    """
    sign, unit, scale = {"minimize": 1, "maximize": -1}[proof["sense"]], proof["unit"], proof["scale"]
    entries, count = iter(Blocks(proof, steps)), proof["sizes"][0]
    need(
        all(type(n) is int and 0 < n < 10 ** proof["digits"] for n in (unit, scale)), "expected a unit and a scale > 0"
    )
    need(proof["sizes"][1] or proof.get("rest"), "the listed program has no columns")

    def times_side(number: int, lower: int | None, upper: int | None) -> int:
        side = lower if number * sign > 0 else upper
        need(side is not None or not number, "expected multiplier or reduced cost 0 where a bound is missing")
        return number * (side or 0)

    y, by_rows, by_columns = list[int](), 0, 0
    for _, _, lower, upper, times in islice(entries, count):
        y.append(times)
        by_rows += times_side(times, lower, upper)
    for _, cost, lower, upper, terms in entries:
        left = cost * unit - scale * sum(y[i] * a for i, a in terms)
        by_columns += times_side(left, lower, upper)
    total = rational(proof["constant"]) + Fraction(by_rows, unit) + Fraction(by_columns, scale * scale * unit)
    total += sum(map(rational, proof.get("rest", {}).values()))
    return total, total


def in_full(proof: Any, steps: Steps) -> dict[str, Any]:
    """Return the program of a certificate of version 3 as version 2 lists it."""

    def over(number: int | None, scale: int) -> str | None:
        return None if number is None else str(Fraction(number, scale))

    entries, columns, scale = iter(Blocks(proof, steps)), list[Any](), proof["scale"]
    rows: list[Any] = [[*row[:4], []] for row in islice(entries, proof["sizes"][0])]
    for name, cost, lower, upper, terms in entries:
        for i, a in terms:
            rows[i][-1].append([len(columns), over(a, rows[i][1])])
        columns.append([name, *(over(number, scale) for number in (cost, lower, upper))])
    every = [[name, over(lower, s), over(upper, s), terms] for name, s, lower, upper, terms in rows]
    kept = {name: proof[name] for name in ("sense", "constant", "rest") if name in proof}
    return kept | {"columns": columns, "rows": every}


def sides(entries: Any) -> list[tuple[Fraction | None, Fraction | None]]:
    return [(end(low), end(up)) for _, low, up, *_ in entries]


def no_point(proof: Any, value: Any, steps: Steps) -> None:
    """Refuse multipliers that do not prove infeasibility: with costs 0, a bound > 0.

    A range whose lower end exceeds its upper end needs no multipliers. Programs with integers have a tree. The costs do
    not matter, but must be numbers.
    """
    need(proof["sense"] in ("minimize", "maximize"), "multipliers.sense: expected minimize or maximize")
    costs = [rational(number) for number in (proof["constant"], *(cost for _, cost, *_ in proof["columns"]))]
    need(len(costs) > 1, "the listed program has no columns")
    need(not proof.get("rest"), "expected all columns: unlisted columns could make the rows feasible")
    if "integers" in proof:
        every_part(proof, lambda part: no_point(part, None, steps), steps)
        return
    columns = [[name, "0", low, up] for name, _, low, up in proof["columns"]]
    ranges = sides(proof["rows"] + [[name, low, up] for name, _, low, up in columns])
    crossed = any(low is not None and up is not None and low > up for low, up in ranges)
    entries(proof["multipliers"], len(proof["rows"]))  # also where they are not needed
    zero = {"sense": "minimize", "constant": "0", "columns": columns}
    bound, _ = multiplier_range(proof | zero | ({"multipliers": []} if crossed else {}))
    need(crossed or bound > 0, "the multipliers do not combine the rows to a contradiction")


def every_part(proof: Any, closed: Callable[[Any], None], steps: Steps) -> None:
    """Refuse a tree with a part that is not closed.

    The tree is a list, depth first. A branch [j, v] splits the range of an integer column j at x_j <= v, which comes
    first, or x_j >= v + 1. A leaf has the multipliers that close its part.
    """
    need(not {"rest", "cones", "parts"} & proof.keys(), "expected all rows and columns of a linear program")
    columns, names = proof["columns"], proof["integers"]
    integers = {j for j in names if type(j) is int and 0 <= j < len(columns)}
    need(len(integers) == len(names), "multipliers.integers: expected numbers of columns, each once")
    size = len(columns) + len(proof["rows"]) + sum(len(terms) for *_, terms in proof["rows"])
    whole = [*columns]
    for j in integers:
        name, cost, low, high = columns[j]
        whole[j] = [name, cost, low and str(up(rational(low), 0)), high and str(-up(-rational(high), 0))]
    later, rest = [whole], {name: part for name, part in proof.items() if name not in ("integers", "tree", "point")}
    for node in proof["tree"]:
        need(later, "multipliers.tree: expected one leaf more than branches")
        steps.add(size)
        part = later.pop()
        if node and type(node[0]) is int:
            j, v = node
            need(
                j in integers and type(v) is int,
                "multipliers.tree: expected branches at integer columns and whole numbers",
            )
            name, cost, low, high = part[j]
            for new in ([name, cost, str(v + 1), high], [name, cost, low, str(v)]):
                later.append([*part[:j], new, *part[j + 1 :]])
        else:
            closed(rest | {"columns": part, "multipliers": node})
    need(not later, "multipliers.tree: expected one leaf more than branches")


def best_point(proof: Any, value: Any, steps: Steps) -> None:
    """Refuse a point without the value, or a tree that allows a better point."""
    best, sign = rational(value), {"minimize": 1, "maximize": -1}[proof["sense"]]

    def closed(part: Any) -> None:
        try:
            bound, _ = multiplier_range(part)
            need(sign * (bound - best) >= 0, "multipliers.tree: a part may have a better point than the value")
        except Refused:
            no_point(part, None, steps)

    point = met(proof, "point")
    objective = rational(proof["constant"]) + sum((rational(proof["columns"][j][1]) * x for j, x in point.items()), 0)
    need(objective == best, "multipliers.point: expected a point with the certificate's value")
    every_part(proof, closed, steps)


def met(proof: Any, name: str) -> dict[int, Fraction]:
    """Return a point that meets all rows, or a ray that meets them with sides 0."""
    wide, ray = len(proof["columns"]), name == "ray"
    found = dict(entries(proof[name], wide))
    own = [(low, up, [(j, Fraction(1))]) for j, (_, _, low, up) in enumerate(proof["columns"])]
    for low, up, terms in own + [(low, up, entries(terms, wide)) for _, low, up, terms in proof["rows"]]:
        at = sum((a * found.get(j, 0) for j, a in terms), Fraction(0))
        need(low is None or at >= (0 if ray else rational(low)), f"the {name} violates a lower bound")
        need(up is None or at <= (0 if ray else rational(up)), f"the {name} violates an upper bound")
    fine = ray or all(found.get(j, Fraction(0)).denominator == 1 for j in proof.get("integers", []))
    need(fine, "multipliers.point: expected whole numbers in integer columns")
    return found


def no_end(proof: Any, value: Any, steps: Steps) -> None:
    """Refuse a point that violates a row, or a ray that does not improve.

    With integers, whole multiples of the ray lead to further points.
    """
    need(not {"cones", "rest", "parts"} & proof.keys(), "expected all rows and columns of a linear program")
    met(proof, "point")
    ray = met(proof, "ray")
    better = sum((rational(proof["columns"][j][1]) * step for j, step in ray.items()), Fraction(0))
    need(better < 0 if proof["sense"] == "minimize" else better > 0, "the objective does not improve along the ray")


ENDS = {"infeasible": no_point, "unbounded": no_end, "optimal": best_point}


def end(text: Any) -> Fraction | None:
    return None if text is None else rational(text)


def paid(times: Fraction, side: Fraction | None) -> Fraction:
    need(side is not None or not times, "expected multiplier or reduced cost 0 where a bound is missing")
    return times * side if side is not None else Fraction(0)


class Rows:
    """A program's costs, ranges, rows and integer columns by column name.

    A row and its negative are the same.
    """

    def __init__(self, sense: str, constant: Fraction, steps: Steps) -> None:
        self.objective, self.steps, self.integers = (sense, constant), steps, set[str]()
        self.columns = dict[str, tuple[Fraction, Any, Any]]()
        self.rows = dict[Any, str]()  # content -> name

    def column(self, name: str, cost: Any, low: Any = Fraction(0), high: Any = None, *, whole: bool = False) -> str:
        self.steps.add(4)
        need(name not in self.columns, f"expected distinct names of columns, found {name!a:.80} twice")
        self.columns[name] = cost, low, high
        self.integers |= {name} if whole else set()
        return name

    def row(self, name: str, low: Any, high: Any, terms: dict[str, Any]) -> None:
        self.steps.add(4 + len(terms))
        terms = {column: a for column, a in terms.items() if a}
        if terms and terms[min(terms)] < 0:
            low, high = (None if side is None else -side for side in (high, low))
            terms = {column: -a for column, a in terms.items()}
        self.rows.setdefault((low, high, frozenset(terms.items())), name)


def as_listed(listing: Any, steps: Steps) -> Rows:
    """Return the program that a file lists."""
    rows, names, wide = (
        Rows(listing["sense"], rational(listing["constant"]), steps),
        list[str](),
        len(listing["columns"]),
    )
    whole = {j for j in listing.get("integers", []) if type(j) is int}
    for j, (name, cost, low, high) in enumerate(listing["columns"]):
        names.append(rows.column(name, rational(cost), end(low), end(high), whole=j in whole))
    for name, low, high, terms in listing["rows"]:
        rows.row(name, end(low), end(high), {names[j]: a for j, a in entries(terms, wide)})
    return rows


def summed(terms: Any) -> dict[Any, dict[str, Any]]:
    """Return the terms (key, column, coefficient) by key."""
    found: dict[Any, dict[str, Any]] = {}
    for key, column, a in terms:
        found.setdefault(key, {})[column] = a
    return found


def rows_of_chunks(instance: Any, asked: Any, steps: Steps) -> Rows:
    """Rows of (4) by classes of workers.

    W workers of a class train a job of D chunks in a slot, and the cloud any number.
    """
    need(asked["cost"] in ("half", "printed"), "parameters.cost: expected half or printed")
    need(asked["reading"] in ("ceil_chunk", "fluid"), "parameters.reading: expected ceil_chunk or fluid")
    rows, found, half = Rows("minimize", Fraction(0), steps), Chunks(instance, asked), asked["cost"] == "half"
    trained, busy, together = list[Any](), list[Any](), list[Any]()
    for job in found.jobs:
        name, start, chunks, last = job["name"], job["arrival"], job["chunks"], found.end(job)
        away, ways = job["upload_delay"].get(found.cloud), found.ways(job)
        steps.add(len(found.classes))
        places: list[Any] = [
            (f"edge[{name},{found.classes[q][0]},{found.classes[q][1]}", q, wait) for q, wait in ways.items()
        ]
        places += [] if away is None else [(f"cloud[{name}", None, away)]
        for place, q, wait in places:  # a class, or None for the cloud
            time = (found.time if asked["reading"] == "fluid" else found.slots)(job, q is not None)
            steps.add(8 * max(0, last - start - wait))
            for t in range(start + wait, last):
                cost = (t - start + half * Fraction(time + 1) / 2) / (chunks * time)
                column = rows.column(f"class_use.{place},{t}]", cost)
                trained.append((name, column, 1 / Fraction(time)))
                together.append(((name, t), column, 1))
                busy += [] if q is None else [((q, t), column, 1)]
    count, work = {job["name"]: job["chunks"] for job in found.jobs}, summed(trained)
    for name, chunks in count.items():
        rows.row(f"class_work[{name}]", chunks, None, work.get(name, {}))
    for (name, t), terms in summed(together).items():
        rows.row(f"chunks_at_once[{name},{t}]", None, count[name], terms)
    for (q, t), terms in summed(busy).items():
        rows.row(f"class_capacity[{q},{t}]", None, found.workers(q, t), terms)
    return rows


def rows_of_data(instance: Any, asked: Any, steps: Steps) -> Rows:
    """Rows (5)-(9), (16), (17): acceptance, places of data nodes, grants.

    Without the split of time, computing and communication each take all the time.
    """
    share, splits = instance["communication_share"], asked["program"] != "jrp.split_free_lp"
    rows, whole = Rows("maximize", Fraction(0), steps), asked["program"] == "jrp.split"
    stored, used = list[Any](), {"compute": list[Any](), "bandwidth": list[Any]()}
    for job in instance["jobs"]:
        k, held = job["name"], dict[str, dict[str, Any]]()
        accepted = rows.column(f"admit.accepted[{k}]", 1, high=1, whole=whole)
        for node in job["data_nodes"]:
            there = dict[str, Any]()
            for s in node["servers"]:
                placed = rows.column(f"assign.placed[{k},{node['name']},{s}]", 0, high=1, whole=whole)
                there[placed] = 1
                stored.append((s, placed, node["size"]))
                held.setdefault(s, {})[placed] = node["size"]
            rows.row(f"assignment[{k},{node['name']}]", 0, 0, there | {accepted: -1})
        parts = (1 - share, share) if splits else (1, 1)
        for (what, list_of_users), rate, part in zip(used.items(), rates(job), parts, strict=True):
            for s, sizes in held.items():
                granted = rows.column(f"allocate.{what}[{k},{s}]", 0)
                list_of_users.append((s, granted, 1))
                if rate:
                    terms = {placed: rate * size for placed, size in sizes.items()}
                    rows.row(f"time of {what}[{k},{s}]", None, 0, terms | {granted: -part})
    servers = {server["name"]: server for server in instance["servers"]}
    for what, users in [("storage", stored), *used.items()]:
        for s, terms in summed(users).items():
            rows.row(f"{what}[{s}]", None, servers[s][what], terms)
    return rows


def rows_of_starts(instance: Any, asked: Any, steps: Steps) -> Rows:
    """Return the rows of (1)-(8), with a column for each start of a task.

    A start has a cluster, a mode and a slot.

    Every best schedule ends by the time at which all tasks could have run one by one, with an additional slot for each.
    """
    rows, names = Rows("minimize", Fraction(0), steps), instance["resources"]
    clusters = {cluster["name"]: cluster["capacity"] for cluster in instance["clusters"]}
    whole, ways, tasks = asked["program"] == "placement.exact", list[Any](), instance["tasks"]
    for task in tasks:
        steps.add(len(task["clusters"]) * len(task["durations"]) * len(names))
        modes = [(x, row["slots"], row["allocation"]) for x, row in enumerate(task["durations"])]
        fits = [
            [n, *mode]
            for n in task["clusters"]
            for mode in modes
            if all(mode[2].get(r, 0) <= clusters[n].get(r, 0) for r in names)
        ]
        ways.append(fits)
    breaks = breaks_of(instance, [*clusters])
    ends = [end for times in breaks.values() for _, end in times]
    enough = max([0, *ends, *(task["arrival"] for task in tasks)]) + len(tasks)
    last = min(instance["horizon"], enough + sum(min((d for _, _, d, _ in fits), default=0) for fits in ways))
    begun, held = list[Any](), list[Any]()
    for task, fits in zip(tasks, ways, strict=True):
        own = dict[str, Any]()
        for n, x, d, allocation in fits:
            steps.add(max(0, last - d + 1 - task["arrival"]) * (8 + 4 * d * len(names)))
            for t in range(task["arrival"], last - d + 1):
                if inside(breaks[n], t, t + d):
                    continue
                cost = t + d - task["arrival"]
                column = rows.column(f"starts.on[{task['name']},{n},{x},{t}]", cost, high=1, whole=whole)
                own[column] = 1
                begun.append(((n, t), column, 1))
                held += [((n, r, s), column, a) for r, a in allocation.items() if a for s in range(t, t + d)]
        if not own:
            own = {rows.column(f"starts.nowhere[{task['name']}]", 0, high=0): 1}
        rows.row(f"every_task_once[{task['name']}]", 1, 1, own)
    for (n, t), terms in summed(begun).items():
        rows.row(f"one_start_each[{n},{t}]", None, 1, terms)
    for (n, r, s), terms in summed(held).items():
        rows.row(f"capacity[{n},{r},{s}]", None, clusters[n].get(r, 0), terms)
    return rows


WRITERS: dict[str, tuple[Callable[[Any, Any, Steps], Rows], str]] = {  # writer of the rows, parameters
    "preemptive.lp4": (rows_of_chunks, "cost reading speed"),
    "jrp.lp_i": (rows_of_data, ""),
    "jrp.split": (rows_of_data, ""),
    "jrp.split_free_lp": (rows_of_data, ""),
    "placement.exact": (rows_of_starts, ""),
    "placement.lp": (rows_of_starts, ""),
}


def require_written(proof: Any, written: Rows, kind: str) -> None:
    """Refuse a listing whose objective, columns or rows differ from the written ones.

    A proof with a point needs all rows and integers; a proof of a bound or of infeasibility may omit some.
    """
    need(not proof.get("cones"), "expected a listing without cones for the comparison of rows")
    need(not proof.get("rest"), "expected all columns for the comparison of rows")
    found = as_listed(proof, written.steps)
    need(
        found.objective == written.objective,
        "the certificate has another sense or constant than the program's",
    )
    for name in [*found.columns, *written.columns]:
        same = found.columns.get(name) == written.columns.get(name)
        need(same, f"the column {name!a:.80} differs from the program's")
    for content, name in found.rows.items():
        need(content in written.rows, f"the certificate's row {name!a:.80} is no row of the program")
    need(
        found.integers <= written.integers,
        "an integer column of the certificate is no integer column of the program",
    )
    if kind in ("unbounded", "optimal"):
        for content, name in written.rows.items():
            need(content in found.rows, f"the program's row {name!a:.80} is not in the certificate")
        need(found.integers == written.integers, "the certificate lacks an integer column of the program")


def prover(instance: Any, given: Any) -> tuple[Callable[..., Range], str]:
    """Return the function that recomputes the value, and the covered solutions.

    Other labels are refused. A certificate of version 2 lists its program.
    """
    program, asked, proof = given["program"], given["parameters"], given["multipliers"]
    if type(given["version"]) is int and given["version"] in (2, 3):
        need(isinstance(program, str) and isinstance(asked, dict), "expected a program's name and its parameters")
        need(
            instance.get("family") == program.partition(".")[0], f"{program!a:.80} needs an instance of its own family"
        )
        ended = given["kind"] in ENDS
        compact = given["version"] == 3
        more = [*(["integers"] if ended else []), *([] if compact else ["cones"])]
        optional = " ".join({"parts", "rest", *more} & proof.keys())
        optional += {"unbounded": " point ray", "optimal": " integers tree point"}.get(given["kind"], "")
        optional += " tree" if given["kind"] == "infeasible" and "integers" in proof else ""
        listed = "unit scale digits sizes blocks" if compact else "columns rows multipliers"
        fields(proof, f"sense constant {listed} {optional}")
        need(proof["sense"] in ("minimize", "maximize"), "multipliers.sense: expected minimize or maximize")
        kind, among = "lower" if proof["sense"] == "minimize" else "upper", ""
        prove: Callable[..., Range] = compact_range if compact else multiplier_range
        if ended:
            need(not compact, "version: expected 2 for a program without a bound")
            need(
                given["kind"] == "optimal" or given["value"] is None,
                "value: expected null for a program without an optimum",
            )
            kind = given["kind"]
    else:
        need(given["version"] == 1, "version: expected 1, 2 or 3")
        known = isinstance(program, str) and program in BOUNDS
        need(known, f"program: expected one of {', '.join(BOUNDS)}")
        prove, kind, among, parameters, multipliers = BOUNDS[program]
        fields(asked, parameters)
        fields(proof, multipliers)
        scalar(proof.get("unit"))
        need(instance.get("family") == prove.__name__, f"{program} needs a {prove.__name__} instance")
    need((given["kind"], given["among"]) == (kind, among), f"expected kind {kind}, among {among!a} for {program}")
    return prove, among


def assumptions(program: str, rest: Any, written: bool) -> list[str]:
    """Return the statements about a certificate that the check takes on trust."""
    rows = [] if written else [f"the listed rows and columns are those of {program!a:.80} for the instance"]
    return rows + [f"the stated total of the unlisted columns of {name!a:.80} is right" for name in rest]


def belief(kind: str, rest: Any) -> str:
    """Return the believed parts: listed rows, and totals of unlisted columns."""
    side = "least" if kind == "lower" else "most"
    columns = (f", whose {name!a:.80} are in total at {side} {shown(at)}" for name, at in rest.items())
    return ", of the program as listed" + "".join(columns)


def check(instance: str, certificate: str, rows: str = "", *, most_steps: int = MOST_STEPS) -> dict[str, Any]:
    """Return the statement that a certificate proves; else raise `Refused`."""
    return proven(instance, certificate, rows, Steps(most_steps))


def proven(instance_file: str, certificate_file: str, rows_file: str, steps: Steps) -> dict[str, Any]:
    """Return the statement within these steps."""
    instance, given = read(instance_file, steps.most_bytes()), certificate(certificate_file, steps.most_bytes())
    rows = read(rows_file, steps.most_bytes()) if rows_file and given.get("version") in (2, 3) else None
    steps.count_values(instance, given, rows)
    fields(given, "version program kind among parameters instance_sha256 value multipliers")
    program, kind, asked, digest, value, proof = (
        given[name] for name in ("program", "kind", "parameters", "instance_sha256", "value", "multipliers")
    )
    try:
        prove, among = prover(instance, given)
        if instance["family"] == "multiserver":
            instance["arrivals"] = arrivals_of(instance_file, instance["arrivals"], len(instance["ports"]), steps)
        sound = exact(instance, names=True) if instance["family"] in NAMED else None
        if sound is not None:
            require_sound(sound)
        listed, compact = prove in (multiplier_range, compact_range), prove is compact_range
        if listed:
            numbers: tuple[Any, ...] = (proof, steps) if compact else (proof,)
        else:
            numbers = sound, asked | {"program": program}, exact(proof, names=False), steps
        need(digest == identity(instance), "the certificate is for another instance")
        written = [] if rows is None else [as_listed(rows, steps)]
        if listed and (known := WRITERS.get(program.removesuffix(" (relaxed)"))):
            write, parameters = known
            fields(asked, parameters)
            written.append(write(sound, asked | {"program": program}, steps))
        for each in written:
            require_written(in_full(proof, steps) if compact else proof, each, kind)
        if kind in ENDS:
            ENDS[kind](proof, value, steps)
        else:
            least, most = prove(*numbers)
            claimed = rational(value)
            told = f"the multipliers prove {least.numerator / least.denominator:.17g}, not {value:.60}"
            need(least <= claimed <= most, told)
    except Refused:
        raise
    except Exception as error:  # any exception: the files are untrusted
        raise Refused(f"malformed input: {type(error).__name__}: {' '.join(str(error).split())[:80]}") from None
    told = "".join(f", {name}={asked[name]}" for name in asked)
    about = f"the optimum among {among}" if among else "the optimum"
    rest = proof.get("rest", {})
    believed = belief(kind, rest) if listed and not written else ""
    unchecked = assumptions(program, rest, bool(written)) if listed else []
    claims = {"infeasible": "infeasible: ", "unbounded": "unbounded: ", "optimal": f"{about.removeprefix('the ')} of "}
    claim = claims.get(kind, f"{kind} bound on {about} of ")
    statement = f"{claim}{program}{told}, instance {digest[:12]}{believed}"
    result = {"statement": statement, "program": program, "kind": kind, "parameters": asked, "value": value}
    return result | {"assumptions": unchecked}


def shown(number: str) -> str:
    return number if len(number) <= MOST_SHOWN else f"{number[:20]}... (a fraction of {len(number)} digits)"


def needed(file: str) -> int:
    """Return the steps for reading a certificate, without a comparison of rows."""
    given, steps = certificate(file, MOST_BYTES), Steps(sys.maxsize)
    steps.count_values(given)
    compact = given["version"] == 3
    if compact:
        reserve(given["multipliers"], steps)
    return max(steps.most - steps.left, 0 if compact else Path(file).stat().st_size // 4)


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    statement = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in result["statement"])  # it has names of a file
    known = result["program"] in BOUNDS and result["assumptions"]  # whose rows version 1 takes from the instance
    proven = "proven if the assumptions below hold" if known else "proven"
    unchecked = [f"not checked: {assumption}" for assumption in result["assumptions"]]
    if result["value"] is None:
        return [f"{proven} {statement}", *unchecked]
    return [f"{proven}: {statement}", f"value {shown(result['value'])}", *unchecked]


if __name__ == "__main__":
    try:
        asked = re.fullmatch("--steps=([0-9]{1,18})", sys.argv[-1])
        files = sys.argv[1:-1] if asked else sys.argv[1:]
        need(len(files) in (2, 3), "usage: python -I bound.py INSTANCE CERTIFICATE [ROWS] [--steps=N]")
        print(*lines(check(*files, most_steps=int(asked[1]) if asked else MOST_STEPS)), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
