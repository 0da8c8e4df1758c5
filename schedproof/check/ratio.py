"""Check an exact competitive ratio: ``python -I ratio.py SOURCE CERTIFICATE``.

SOURCE defines a finite online system, and CERTIFICATE has the claimed bounds and their proof. Only the standard library
is used, in one file.

Requests come one by one. The algorithm answers each from its state, perhaps at random. The offline side chooses its
moves with all requests known. A belief is the distribution of the algorithm's state; the adversary does not see the
state itself. The checker lists all reachable pairs of the algorithm's state or belief and an offline state.

Upper bound: each pair has a number >= 0, by default 0; states of the algorithm may share numbers. Let p/q be the ratio.
For each step with the algorithm's cost a and the offline cost o, q a - p o plus the number after is at most the number
before. So the algorithm's cost for every sequence is at most p/q times the offline cost plus a constant. Without a
constant, the start has the number 0. For gains, a and o change places.

Lower bound: a path leads to a pair, and a walk returns to the pair. Enough rounds of this cycle reach every ratio below
the cycle's ratio. Without a constant, a single walk from the start may have the ratio.

``FILE.py:NAME`` is a class with the methods ``start``, ``offline``, ``requests``, ``answer`` and ``moves``. The class
is executed, and defines the statement: read FILE.py, and the files that it imports from its folder, first. The
certificate's hash covers FILE.py only.

Instead, NAME may be a finite game with the methods ``start``, ``moves``, ``answers`` and ``payoff``, and the
certificate a proof of its best randomised algorithm. The adversary chooses a sequence of moves in advance. The
certificate has the probabilities of the answers, and a distribution of sequences. The checker computes the worst
expected payoff of these answers over all sequences, and backwards the best expected payoff against the distribution.
The moves may not depend on the algorithm's state.

RULE is the text of a policy for jobs in slots, in the language of `definitions`. A request is an arriving job, which
costs nothing, or a slot. A job costs 1, or its weight, for each slot at whose start it is unfinished. The number of
jobs present is limited, in the policy's schedule and in the other schedule. So an upper bound compares the policy only
with schedules within this limit, which a slower schedule may exceed. The other schedule is any schedule of these
machines.

- If jobs have places, each job gets a place on arrival. Among jobs of equal weight, each machine runs the job with the
  least work: in the slots for this weight, no other order leaves fewer jobs at any time. On a remote machine a job runs
  after its upload.
- Otherwise any jobs run, as many as there are machines; running more jobs never costs more.
- With ``PREEMPTIVE = False`` in the rule, a started job runs to its end, and machines may idle.
- A job of D chunks is represented by the remaining slots of all its chunks and runs on up to D machines at once. If the
  slots go to the chunks in turn, simultaneous slots belong to different chunks.

``python -I ratio.py CERTIFICATE`` checks the least ratio of any deterministic online policy.

Upper bound: the policy is a table. A row has the remaining work of the jobs present, and the next row after each
arrival and after a slot. If several rows have no jobs, an additive constant is allowed.

Lower bound: an adversary has one move in each position. A position has the remaining work of the policy's jobs, and a
function: the costs at which schedules have reached some states, minus all payments so far. After a move, each cost is
at least the cost of a schedule before the move, plus the schedule's cost in the slot, minus the move's payment. A
policy runs as many jobs as there are machines, since idling never helps it; if jobs have places, each machine runs the
job with the least work. Each position has a number. For a slot with a jobs present and the ratio p/q, p times the
payment, minus q a, plus the number after the slot is at most the number before. For an arrival the same holds with a =
0. So q times the cost of any policy is at least p times the cost of a schedule, up to a constant. No cycle of moves is
free, so the cost grows without bound.

A last argument ``--steps=N`` limits the check to N steps, of about a microsecond each, and its files to 2 N bytes. The
rule's own computations do not count.
"""

import ast
import hashlib
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from inspect import signature
from itertools import chain, combinations, islice, product
from math import comb, inf, prod
from pathlib import Path
from stat import S_ISREG
from typing import Any

MOST_BYTES, MOST_RULE, MOST_FILE = 1 << 26, 1 << 16, 1 << 20  # bytes of a certificate, a rule, and a system's file
MOST_STEPS = 2 * 10**6  # default
MOST_KINDS = 10**5  # kinds of jobs
MOST_NUMBER = 10**4000  # of a potential
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
JOBS = "jobs in slots"
FIELDS = "version system source setting options at_least at_most unit policy other potential way walk"
GAME_FIELDS = "version game source options at_least at_most algorithm distribution"
State = tuple[Any, ...]
Belief = tuple[tuple[str, Fraction], ...]
Pair = tuple[Any, Any]  # of the algorithm's state or belief, and the offline state


class Refused(Exception):
    """A reason, in one sentence, why the certificate proves nothing."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch(RATIONAL, text)
    need(fine, f"expected a rational like 7/3, found {text!a:.40}")
    return Fraction(text)


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


class Steps:
    """The step budget of a check."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def take(self, count: int) -> None:
        """Count steps before taking them."""
        self.left -= count
        if self.left < 0:
            words = f"the check takes more than {self.most} steps"
            raise Refused(f"{words}; allow more with --steps=N or --time-limit")

    def read(self, path: str) -> Any:
        """Read a file of no more values than steps allow."""
        given = read(path, min(MOST_BYTES, 2 * self.most))
        level = [given]
        while level:
            self.take(2 * len(level))
            inside = [each for each in level if isinstance(each, dict | list)]
            level = [*chain.from_iterable(each.values() if isinstance(each, dict) else each for each in inside)]
        return given


def fields(value: Any, names: str) -> None:
    need(isinstance(value, dict) and value.keys() == {*names.split()}, f"expected the fields: {names or 'none'}")


def count(value: Any, least: int = 0, most: int = 10**6) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Refused(f"expected a whole number from {least} to {most}, found {value!a:.40}")
    return value


def state(value: Any) -> Any:
    """Return lists of integers or texts, or of such lists, as tuples."""
    if isinstance(value, list):
        return tuple(map(state, value))
    return value if isinstance(value, str) else count(value)


SYNTAX = (
    *(ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.If),
    *(ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Name, ast.Constant, ast.Tuple, ast.List, ast.ListComp),
    *(ast.GeneratorExp, ast.comprehension, ast.Subscript, ast.Slice, ast.Lambda, ast.IfExp, ast.Call, ast.keyword),
    *(ast.Starred, ast.Attribute, ast.Load, ast.Store, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE),
    *(ast.Gt, ast.GtE, ast.In, ast.NotIn),
)
FUNCTIONS = (
    *(abs, all, any, bool, divmod, enumerate, int, len, list, max, min, range, reversed, sorted, sum, tuple, zip),
)
METHODS = ("append", "count", "extend", "index", "insert", "pop", "remove")  # of lists and tuples


def definitions(text: str) -> dict[str, Any]:
    """Return a rule's functions and constants, in a subset of Python without state.

    Imports, classes, attributes other than a list's methods, unbounded loops and changing globals are not allowed. A
    function thus returns the same value for the same arguments.
    """
    try:
        tree = ast.parse(text)
        body = tree.body = [node for n, node in enumerate(tree.body) if not said(node, n)]
        outer = {*body}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                need(node in outer and not node.decorator_list, flaw(node))
                node.returns = None
            if isinstance(node, ast.arg):
                node.annotation = None
        for node in body:
            fixed = isinstance(node, ast.Assign) and all(isinstance(name, ast.Name) for name in node.targets)
            need(isinstance(node, ast.FunctionDef) or (fixed and constant(node.value)), flaw(node))  # type: ignore[attr-defined]
        for node in ast.walk(tree):
            need(fine(node), flaw(node))
        found: dict[str, Any] = {"__builtins__": {function.__name__: function for function in FUNCTIONS}}
        exec(compile(tree, "rule", "exec"), found)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Refused(f"the rule is not Python: {' '.join(str(error).split())[:80]}") from None
    return found


def said(node: ast.stmt, n: int) -> bool:
    """Return whether a statement is the docstring or imports ``annotations``."""
    text = n == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def fine(node: ast.AST) -> bool:
    """Return whether a node belongs to the language."""
    if isinstance(node, ast.Attribute):
        return node.attr in METHODS and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, int | str)
    if isinstance(node, ast.arguments):
        return all(constant(default) for default in (*node.defaults, *node.kw_defaults) if default)
    name = getattr(node, "id", getattr(node, "arg", getattr(node, "name", None)))
    return isinstance(node, SYNTAX) and not (isinstance(name, str) and name.startswith("__"))


def constant(node: ast.expr) -> bool:
    """Return whether a node is a number, a text, or a tuple of these."""
    if isinstance(node, ast.Tuple):
        return all(map(constant, node.elts))
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def flaw(node: ast.AST) -> str:
    where = getattr(node, "lineno", 1)
    return f"line {where}: a rule has functions and constants in a subset of Python, without {type(node).__name__}"


class Premises:
    """The premises of policy and optimum: machines, job sizes, speed and jobs present."""

    start: Any = ()
    pinned = whole = False
    delays: tuple[int, ...] = ()  # upload slots by machine

    def __init__(self, setting: Any) -> None:
        self.machines, self.present = count(setting["machines"], 1, 100), count(setting["present"], 1, 100)
        unit = count(setting["unit"], 1)
        self.sizes = range(unit, count(setting["sizes"], unit) + 1, unit)
        self.speed = rational(setting["speed"])
        need(self.speed > 0, "setting.speed: expected a number above 0")
        need(self.slots(self.sizes[-1]) <= 10**6, "setting.sizes: expected jobs of at most a million slots")
        self.weights, self.chunks = (count(setting.get(most, 1), 1, 100) for most in ("weights", "chunks"))
        need(
            len(self.sizes) * self.weights * self.chunks <= MOST_KINDS,
            f"setting: expected at most {MOST_KINDS} kinds of jobs",
        )
        more = [range(1, most + 1) for most in (self.weights, self.chunks)][: 1 + (self.chunks > 1)]
        plain = self.weights == self.chunks == 1
        self.kinds: Collection[Any] = self.sizes if plain else dict.fromkeys(product(self.sizes, *more))

    def slots(self, size: int) -> int:
        return int(-(-size // self.speed))

    def size(self, jobs: Any) -> int:
        return len(jobs)

    def cost(self, jobs: Any) -> int:
        return self.size(jobs)


def parts(kind: Any) -> tuple[int, int]:
    """Return the slots and the weight of a job; the default weight is 1."""
    return (kind[0], kind[1]) if isinstance(kind, tuple) else (kind, 1)


def width(kind: Any) -> int:
    """Return a job's number of chunks, or how many of them can run at once."""
    return kind[2] if isinstance(kind, tuple) and len(kind) > 2 else 1


class Policy(Premises):
    """The rule, and its steps on the present jobs."""

    def __init__(self, text: str, setting: Any, options: Any) -> None:
        super().__init__(setting)
        names = definitions(text)
        need(callable(names.get("run")), "expected a function run(jobs) in the rule")
        known = {name: state(value) if isinstance(value, list) else value for name, value in options.items()}
        need(
            all(type(value) in (int, str, tuple) for value in known.values()),
            "options: expected integers, texts or lists",
        )
        far, delay = count(setting["far"], 0, self.machines), count(setting["delay"], 0, 100)
        self.delays = (0,) * (self.machines - far) + (delay,) * far
        longest = max([1, *(len(value) for value in known.values() if type(value) is tuple)])
        each = self.present * (self.machines + longest)  # a rule may read all of that at each slot
        self.steps = 6 + each * (1 + 2 * far * delay) // 8
        known |= {"machines": self.machines, "delays": self.delays}
        self.functions: dict[str, Callable[..., Any]] = {}
        taken: set[str] = set()
        for word in ("run", "place", "keep"):
            if callable(function := names.get(word)):
                words = {name: known[name] for name in signature(function).parameters if name in known}
                taken |= words.keys()
                self.functions[word] = lambda *given, function=function, words=words: function(*given, **words)
        need(taken >= options.keys(), "options: expected parameters of the rule's functions")
        self.pinned = "place" in self.functions
        self.whole = names.get("PREEMPTIVE") is False
        flags = (names.get(flag) is True for flag in ("ORDER", "TURNS", "RAN", "WEIGHTS", "CHUNKS"))
        self.order, self.turns, self.ran, self.weighted, self.chunked = flags
        need(self.weighted or self.weights == 1, "setting.weights: expected 1, as the rule does not support weights")
        need(self.chunked or self.chunks == 1, "setting.chunks: expected 1, as the rule supports one-chunk jobs only")
        need(
            not self.chunked or not (self.pinned or self.whole),
            "CHUNKS = True cannot be combined with place or PREEMPTIVE = False",
        )
        self.machine = 1 + self.weighted + ("keep" in self.functions)  # position of the machine in a job
        self.uploads = self.pinned and names.get("UPLOADS") is True
        need(self.uploads or not any(self.delays), "setting.delay: expected 0, as the rule does not support uploads")
        self.ran |= self.whole
        self.turns &= not self.ran
        need(not (self.whole and self.pinned), "place cannot be combined with PREEMPTIVE = False")
        need(
            names.get("MACHINES", self.machines) == self.machines,
            f"setting.machines: the rule is for {names.get('MACHINES')!a:.40} machines",
        )

    def line(self, jobs: list[State]) -> State:
        """Return the state of jobs in order of arrival."""
        return tuple(jobs if self.order else sorted(jobs))

    def cost(self, jobs: State) -> int:
        return sum(job[1] for job in jobs) if self.weighted else len(jobs)

    def choices(self, jobs: State, kind: Any) -> int:
        return 1

    def after_arrival(self, jobs: State, kind: Any) -> State:
        size, weight = parts(kind)
        new: State = (self.slots(size) * width(kind), *(weight,) * self.weighted, *(width(kind),) * self.chunked)
        job = new
        if "keep" in self.functions:
            job += (self.functions["keep"](*new),)
            need(type(job[-1]) is int, "the rule keeps a value that is not an integer")
        if self.pinned:
            machine = self.functions["place"](jobs, *new)
            need(
                type(machine) is int and machine in range(self.machines), "the rule places a job on an unknown machine"
            )
            job += (machine, self.delays[machine])[: 1 + self.uploads]
        return self.line([*jobs, job + (0,) * (self.turns or self.ran)])

    def after_slot(self, jobs: State) -> State:
        runs = list(self.functions["run"](jobs)) if jobs else []
        chosen = {*runs}
        need(all(type(n) is int and n in range(len(jobs)) for n in runs), "the rule runs an unknown job")
        able = {n: min(jobs[n][0], jobs[n][1 + self.weighted]) if self.chunked else 1 for n in chosen}
        often = all(runs.count(n) <= able[n] for n in chosen)
        need(
            often and len(runs) <= self.machines, "the rule runs too many jobs, or a job more often than it has chunks"
        )
        if self.pinned:
            need(len({jobs[n][self.machine] for n in runs}) == len(runs), "the rule runs two jobs on one machine")
        after = [(job[0] - runs.count(n), *job[1:]) for n, job in enumerate(jobs)]
        if self.uploads:
            at = self.machine + 1
            need(not any(jobs[n][at] for n in runs), "the rule runs a job before its upload ends")
            after = [(*job[:at], job[at] - (job[at] > 0), *job[at + 1 :]) for job in after]
        if self.ran:
            begun = {n for n, job in enumerate(jobs) if job[-1]}
            need(not self.whole or begun <= chosen, "the rule lets a started job wait")
            after = [(*job[:-1], int(n in chosen)) for n, job in enumerate(after)]
        if self.turns:
            first = max((job[-1] for job in jobs), default=0) + 1
            after = [(*job[:-1], first) if n in chosen and not job[-1] else job for n, job in enumerate(after)]
        after = [job for job in after if job[0]]
        if self.turns:
            ranks = sorted({job[-1] for job in after} - {0})
            after = [(*job[:-1], ranks.index(job[-1]) + 1 if job[-1] else 0) for job in after]
        return self.line(after)


class Other:
    """Any schedule: the jobs' remaining work, by machine, or by whether started.

    With weights, each job also has a weight; with uploads, the slots until the upload ends; with several chunks, the
    number of chunks that can run at once.
    """

    def __init__(self, policy: Premises) -> None:
        self.machines, self.present = policy.machines, policy.present
        self.pinned, self.whole = policy.pinned, policy.whole
        self.delays = policy.delays if any(policy.delays) else ()
        self.near = policy.machines - sum(delay > 0 for delay in self.delays)
        self.steps = 4 + (self.present + self.machines) // 3  # steps to visit a state
        self.empty: State = ((),) * policy.machines if policy.pinned else ((), ()) if policy.whole else ()

    def jobs(self, left: State) -> list[Any]:
        return [*chain(*left)] if self.pinned or self.whole else [*left]

    def size(self, left: State) -> int:
        return len(self.jobs(left))

    def cost(self, left: State) -> int:
        return sum(parts(job)[1] for job in self.jobs(left))

    def fits(self, left: State) -> bool:
        """Return whether the numbers of jobs and machines are within the limits."""
        return len(self.empty) in (0, len(left)) and self.size(left) <= self.present

    def after_arrival(self, left: State, kind: Any) -> set[State]:
        if self.whole:
            return {(left[0], tuple(sorted((*left[1], kind))))}
        if not self.pinned:
            many = isinstance(kind, tuple) and len(kind) > 2
            new = (kind[0] * kind[2], kind[1], min(kind[2], self.machines)) if many else kind
            return {tuple(sorted((*left, new)))}
        new = [(*parts(kind), delay) for delay in self.delays] or [kind] * self.machines
        lines = ([*left[:m], tuple(sorted((*left[m], job))), *left[m + 1 :]] for m, job in enumerate(new))
        return {self.in_any_order(each) for each in lines}

    def after_slot(self, left: State) -> set[State]:
        if self.pinned:
            return {self.in_any_order(lines) for lines in product(*map(self.after_one, left))}
        if self.whole:
            return {*self.after_starts(*left)}
        places = [n for n, job in enumerate(left) for _ in range(width(job))]
        return {usable(ran(left, runs)) for runs in combinations(places, min(self.machines, len(places)))}

    def in_any_order(self, lines: Any) -> State:
        return (*sorted(lines[: self.near]), *sorted(lines[self.near :]))

    def weights(self, line: State) -> list[int]:
        """Return the weights of one machine's jobs, 0 during upload."""
        return [0 if self.delays and job[2] else parts(job)[1] for job in line]

    def after_one(self, line: State) -> list[State]:
        weights = self.weights(line)
        after = [ran(line, (weights.index(weight),)) for weight in {*weights} - {0}] or [line]
        if not self.delays:
            return after
        return [tuple(sorted((work, weight, wait - (wait > 0)) for work, weight, wait in left)) for left in after]

    def choices(self, left: State, kind: Any) -> int:
        """Return the number of ways to place a job or to spend a slot (0)."""
        if kind:
            return self.machines if self.pinned else 1
        if self.pinned:
            return prod(max(1, len({*self.weights(line)} - {0})) for line in left)
        if self.whole:
            free = min(self.machines - len(left[0]), len(left[1]))
            return sum(comb(len(left[1]), n) for n in range(free + 1))
        places = sum(map(width, left))
        return comb(places, min(self.machines, places))

    def after_starts(self, begun: State, waiting: State) -> Iterator[State]:
        for starts in range(min(self.machines - len(begun), len(waiting)) + 1):
            for new in combinations(range(len(waiting)), starts):
                runs = (*begun, *(waiting[n] for n in new))
                waits = tuple(work for n, work in enumerate(waiting) if n not in new)
                yield ran(runs, range(len(runs))), waits


def usable(jobs: State) -> State:
    """Return the same jobs, each on at most as many machines as it has slots left."""
    return tuple(sorted((*job[:2], min(job[0], job[2])) if width(job) > 1 else job for job in jobs))


def ran(jobs: State, runs: Sequence[int]) -> State:
    """Return the remaining work after a slot in which the jobs in ``runs`` run."""
    after = []
    for n, job in enumerate(jobs):
        work = parts(job)[0] - runs.count(n)
        if work:
            after.append((work, *job[1:]) if isinstance(job, tuple) else work)
    return tuple(sorted(after))


KINDS = {"migrating": (False, False), "pinned": (True, False), "whole": (False, True)}  # pinned, whole


class Free(Premises):
    """A policy without a rule: all schedules of such machines."""

    def __init__(self, setting: Any) -> None:
        fields(setting, "machines sizes unit present speed schedules")
        super().__init__(setting)
        need(setting["schedules"] in KINDS, f"setting.schedules: expected one of {', '.join(KINDS)}")
        self.pinned, self.whole = KINDS[setting["schedules"]]
        self.can = Other(self)
        self.steps = self.can.steps


class Table(Free):
    """A policy as a table: remaining work, and next rows after an arrival or a slot."""

    start = 0

    def __init__(self, setting: Any, rows: Any) -> None:
        super().__init__(setting)
        self.left = [state(row[0]) for row in rows]
        self.arrivals, self.slot = [row[1] for row in rows], [row[2] for row in rows]
        need(self.left[:1] == [self.can.empty], "policy: expected a first row without jobs")

    def size(self, jobs: int) -> int:
        return self.can.size(self.left[jobs])

    def after_arrival(self, jobs: int, size: int) -> int:
        after = self.row(self.arrivals[jobs][self.sizes.index(size)])
        may = self.can.after_arrival(self.left[jobs], self.slots(size))
        need(
            self.left[after] in may, "policy: expected that an arrival leads to a row with the old jobs and the new job"
        )
        return after

    def after_slot(self, jobs: int) -> int:
        after = self.row(self.slot[jobs])
        need(
            self.left[after] in self.can.after_slot(self.left[jobs]),
            "policy: expected that a slot leads to a row that the machines can reach",
        )
        return after

    def choices(self, jobs: int, kind: Any) -> int:
        return self.can.choices(self.left[jobs], kind)

    def row(self, number: Any) -> int:
        return count(number, 0, len(self.left) - 1)


class Pairs:
    """Pairs of the algorithm's state and an offline state, and their steps."""

    gains, constant = False, True
    start: Pair

    def requests(self, pair: Pair) -> Collection[Any]:
        raise NotImplementedError

    def steps(self, pair: Pair, request: Any) -> Iterator[tuple[Pair, Any, Any]]:
        """Yield the pair after each offline move, and both costs."""
        raise NotImplementedError

    def algorithm(self, given: Any) -> Any:
        """Return a state of the algorithm, or a belief, of a certificate."""
        raise NotImplementedError

    def is_empty(self, pair: Pair) -> bool:
        """Whether a sequence of requests may end in the pair, for the constant."""
        return True

    def states(self, pair: Pair) -> list[Any]:
        """Return the algorithm's possible states."""
        raise NotImplementedError

    def answers_of(self, state: Any, request: Any) -> list[tuple[Any, Any, Any]]:
        """Return the algorithm's answers: probability, next state and amount."""
        raise NotImplementedError

    def moves_of(self, place: Any, request: Any) -> list[tuple[Any, Any]]:
        """Return the next offline states and their amounts."""
        raise NotImplementedError

    def by_place(self) -> bool:
        """Whether the requests depend on the offline state only."""
        return False

    def tables(self) -> dict[str, Any]:
        """Return the reachable answers, moves and requests, by numbers of states."""
        states, places, requests = dict[Any, int](), dict[Any, int](), dict[Any, int]()

        def of(known: dict[Any, int], value: Any) -> int:
            return known.setdefault(value, len(known))

        start = [of(states, self.states(self.start)[0]), of(places, self.start[1])]
        answers, moves, comes = dict[int, Any](), dict[int, Any](), dict[int, Any]()
        seen, todo = {self.start}, [self.start]
        while todo:
            pair = todo.pop()
            own, o = {of(states, each): each for each in self.states(pair)}, of(places, pair[1])
            always, only = comes.setdefault(o, ({}, {}))
            come = always if self.by_place() else only.setdefault(min(own), {})
            for request in self.requests(pair):
                after = {step[0] for step in self.steps(pair, request)}
                if not after:
                    continue
                come[r := of(requests, request)] = True
                for s, each in own.items():
                    if r not in answers.setdefault(s, {}):
                        rows = self.answers_of(each, request)
                        answers[s][r] = [[str(p), of(states, then), str(paid)] for p, then, paid in rows]
                if r not in moves.setdefault(o, {}):
                    moves[o][r] = [[of(places, then), str(paid)] for then, paid in self.moves_of(pair[1], request)]
                todo += after - seen
                seen |= after
        return {
            **{"states": [*states], "places": [*places], "requests": [*requests], "start": start},
            "answers": [[*map(list, answers.get(s, {}).items())] for s in states.values()],
            "moves": [[*map(list, moves.get(o, {}).items())] for o in places.values()],
            "comes": [
                [[*always], [[s, [*come]] for s, come in only.items()]]
                for always, only in (comes[o] for o in places.values())
            ],
        }

    def weighed(self, own: Any, other: Any) -> tuple[Any, Any]:
        return (other, own) if self.gains else (own, other)

    def potential(self, rows: Any, given: Any, ratio: Fraction) -> tuple[int, Fraction]:
        """Check the numbers on every step; return the pairs, and the constant.

        ``rows`` lists the algorithm's states that share numbers.
        """
        ours = {self.algorithm(each): n for n, row in enumerate(rows) for each in row}
        theirs = {state(row): n for n, row in enumerate(given["other"])}
        ends = len(rows) - 1, len(theirs) - 1
        numbers = {
            (count(a, 0, ends[0]), count(o, 0, ends[1])): count(number, 0, MOST_NUMBER)
            for a, o, number in given["potential"]
        }

        def value(pair: Pair) -> int:
            return numbers.get((ours.get(pair[0], -1), theirs.get(pair[1], -1)), 0)

        need(self.constant or value(self.start) == 0, "expected potential 0 at the start, as no constant is allowed")
        unit = count(given.get("unit", 1), 1, MOST_NUMBER)
        p, q = ratio.numerator * unit, ratio.denominator * unit
        seen, todo = {self.start}, [self.start]
        while todo:
            pair = todo.pop()
            most = value(pair)
            for request in self.requests(pair):
                for after, own, other in self.steps(pair, request):
                    a, o = self.weighed(own, other)
                    need(q * a - p * o + value(after) <= most, "a step violates the potential's inequality")
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
        least = min(value(pair) for pair in seen if self.is_empty(pair))
        return len(seen), Fraction(value(self.start) - least, q)

    def follow(self, pair: Pair, moves: Any) -> tuple[Pair, Any, Any]:
        """Return the pair after the moves, and both costs.

        A move is a request and an offline state.
        """
        total, offline = 0, 0
        for request, place in map(state, moves):
            need(request in self.requests(pair), "walk: the system does not offer a request")
            step = next((step for step in self.steps(pair, request) if step[0][1] == place), None)
            need(step is not None, "walk: the system does not allow a step")
            assert step is not None
            pair, total, offline = step[0], total + step[1], offline + step[2]
        return pair, *self.weighed(total, offline)

    def walk(self, given: Any, least: Fraction | float) -> None:
        """Check that the walk of a certificate has at least a ratio."""
        turn, _, _ = self.follow(self.start, given["way"])
        end, a, o = self.follow(turn, given["walk"])
        closed = end == turn or not (self.constant or given["way"])
        large = a > 0 if o == 0 else least != inf and a >= least * o
        need(least == 0 or (closed and large), "walk: expected a closed walk whose cost ratio is at least at_least")


class JobsInSlots(Pairs):
    """A policy and another schedule; successors of each one's states are cached."""

    def __init__(self, policy: Any, left: Steps) -> None:
        self.policy, self.other, self.left = policy, Other(policy), left
        self.start = policy.start, self.other.empty
        self.known: tuple[dict[Any, Any], dict[Any, Any]] = {}, {}
        self.kinds = dict.fromkeys((0, *policy.kinds))  # 0 is a slot

    def requests(self, pair: Pair) -> Collection[Any]:
        return self.kinds

    def algorithm(self, given: Any) -> Any:
        return given if type(given) is int else state(given)

    def states(self, pair: Pair) -> list[Any]:
        return [pair[0]]

    def answers_of(self, state: Any, request: Any) -> list[tuple[Any, Any, Any]]:
        return [(1, self.after(0, state, request), 0 if request else self.policy.cost(state))]

    def moves_of(self, place: Any, request: Any) -> list[tuple[Any, Any]]:
        cost = 0 if request else self.other.cost(place)
        return [(then, cost) for then in self.after(1, place, request)]

    def is_empty(self, pair: Pair) -> bool:
        return not self.policy.size(pair[0]) + self.other.size(pair[1])

    def after(self, side: int, before: State, kind: Any) -> Any:
        """Return the next states after an arrival of ``kind``, or after a slot if it is 0."""
        known, who = self.known[side], (self.policy, self.other)[side]
        if (before, kind) not in known:
            self.left.take(who.steps * who.choices(before, kind))
            known[before, kind] = who.after_arrival(before, kind) if kind else who.after_slot(before)
        return known[before, kind]

    def steps(self, pair: Pair, request: Any) -> Iterator[tuple[Pair, int, int]]:
        """Yield the steps of an arrival, or of a slot if ``request`` is 0.

        Arrivals beyond the limits have no step.
        """
        self.left.take(1)
        mine, theirs = pair
        present = self.policy.size(mine), self.other.size(theirs)
        if max(present) >= self.policy.present if request else not any(present):
            return
        a, o = (0, 0) if request else (self.policy.cost(mine), self.other.cost(theirs))
        after = self.after(0, mine, request)
        for left in self.after(1, theirs, request):
            self.left.take(self.other.steps)
            yield (after, left), a, o


class Adversary:
    """The adversary's positions and moves, each checked separately."""

    def __init__(self, left: Steps, setting: Any, functions: Any, moves: Any, positions: Any) -> None:
        self.policy, self.left = Free(setting), left
        self.can = self.policy.can
        self.costs = [{state(left): count(cost) for left, cost in rows} for rows in functions]
        self.moves = [[count(n) for n in row] for row in moves]
        rows = [
            (state(jobs), count(move, 0, len(moves) - 1), count(number, 0, 10**18)) for jobs, move, number in positions
        ]
        self.at = {(jobs, self.moves[move][0]): (move, number) for jobs, move, number in rows}
        self.start = self.can.empty, self.moves[rows[0][1]][0] if rows else -1

    def after(self, left: State, size: int, slots: int) -> set[State]:
        """Return the states after an arrival of ``size`` slots, or after a slot (0)."""
        need(self.can.fits(left), "functions: a state has more jobs than setting.present")
        self.left.take(self.can.steps * (1 + self.can.choices(left, size)))
        return self.can.after_arrival(left, slots) if size else self.can.after_slot(left)

    def look_at(self, move: list[int]) -> None:
        before, size, after, paid = move
        need(self.costs[after], "moves: expected at least one schedule after each move")
        need(not size or (size in self.policy.sizes and not paid), "moves: expected the arrival of a job, or a slot")
        least: dict[State, int] = {}
        self.left.take(len(self.costs[before]) + len(self.costs[after]))
        for left, cost in self.costs[before].items():
            present = self.can.size(left)
            if not size or present < self.policy.present:
                for then in self.after(left, size, size):
                    cheapest = min(least.get(then, cost + present), cost + (0 if size else present))
                    least[then] = cheapest
        for left, cost in self.costs[after].items():
            need(left in least and least[left] - paid <= cost, "functions: the cost of a schedule is too small")

    def prove(self, ratio: Fraction) -> int:
        """Check that all answers are covered and cost enough; return the positions."""
        p, q = ratio.numerator, ratio.denominator
        nothing = {self.can.empty: 0}
        need(
            self.start in self.at and self.costs[self.start[1]] == nothing,
            "positions: expected a first position without jobs",
        )
        for each in self.moves:
            self.look_at(each)
        free: dict[Any, set[Any]] = {}
        for (jobs, function), (move, number) in self.at.items():
            _, size, ahead, paid = self.moves[move]
            present = self.can.size(jobs)
            need(not size or present < self.policy.present, "moves: a job arrives beyond setting.present jobs")
            weight = 0 if size else p * paid - q * present
            answers = self.after(jobs, size, self.policy.slots(size))
            for then in answers:
                need((then, ahead) in self.at, "an answer of the policy leads to no position of the certificate")
                need(
                    weight + self.at[then, ahead][1] <= number,
                    "an answer of the policy costs less than the ratio requires",
                )
            free[jobs, function] = {(then, ahead) for then in answers} if size or not present else set()
        try:
            TopologicalSorter(free).prepare()
        except CycleError:
            raise Refused("moves: expected no cycle of moves without cost") from None
        return len(self.at)


def text_of(value: Any) -> str:
    """Return a state or request as text, different for values and types."""
    kind = type(value)
    if kind is frozenset:
        return "{" + ", ".join(sorted(text_of(each) for each in value)) + "}"
    if isinstance(value, tuple):
        plain = kind is tuple or (hasattr(value, "_fields") and not hasattr(value, "__dict__"))
        need(plain, f"a state has a part of type {kind.__name__}")
        return ("" if kind is tuple else kind.__qualname__) + "(" + ", ".join(text_of(each) for each in value) + ")"
    if kind is Fraction:
        return f"{value.numerator}/{value.denominator}"
    need(value is None or kind in (str, bool, int), f"a state has a part of type {kind.__name__}")
    return repr(value)


def exact(value: Any) -> Fraction:
    need(isinstance(value, int | Fraction), f"expected an exact number, found {value!a:.40}")
    return Fraction(int(value.numerator), int(value.denominator))


def amount(value: Any) -> Fraction:
    found = exact(value)
    need(found >= 0, f"expected a number >= 0, found {value!a:.40}")
    return found


def made(path: Path, name: str, source: bytes, options: Any) -> Any:
    """Return the object that a file defines; the file is executed."""
    need(isinstance(options, dict) and all(isinstance(v, str) for v in options.values()), "options: expected texts")
    spec = importlib.util.spec_from_loader("system_to_check", loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[spec.name] = module  # for dataclasses, which look their module up
    sys.path.append(str(path.resolve().parent))  # for the files beside it
    exec(compile(source, str(path), "exec"), module.__dict__)
    need(hasattr(module, name), f"{path} has no {name}")
    found = getattr(module, name)
    return found(**{key: option(text) for key, text in options.items()}) if callable(found) else found


def option(text: str) -> bool | int | Fraction | str:
    if text in ("True", "False"):
        return text == "True"
    if re.fullmatch("-?[0-9]+", text):
        return int(text)
    return Fraction(text) if re.fullmatch(RATIONAL, text) else text


class System(Pairs):
    """A system, listed from its source; states are known by their texts."""

    def __init__(self, system: Any, left: Steps) -> None:
        self.system, self.left, self.name = system, left, type(system).__name__
        self.gains = bool(getattr(system, "gains", False))
        self.constant = bool(getattr(system, "constant", True))
        self.adaptive = len(signature(system.requests).parameters) > 1
        self.values: dict[str, Any] = {}
        self.answers: dict[tuple[Belief, str], tuple[Belief, Fraction]] = {}
        self.moves: dict[tuple[str, str], dict[str, Fraction]] = {}
        self.start = ((self.named(system.start()), Fraction(1)),), self.named(system.offline())

    def named(self, value: Any) -> str:
        text = text_of(value)
        self.values.setdefault(text, value)
        return text

    def algorithm(self, given: Any) -> Belief:
        return tuple(sorted((text, rational(weight)) for text, weight in given))

    def requests(self, pair: Pair) -> Collection[str]:
        belief, place = pair
        need(not self.adaptive or len(belief) == 1, "the requests depend on the state of a randomised algorithm")
        seen = [self.values[place], *([self.values[belief[0][0]]] if self.adaptive else [])]
        found = {}
        for request in self.system.requests(*seen):
            self.left.take(1)
            found[self.named(request)] = request
        return found

    def steps(self, pair: Pair, request: str) -> Iterator[tuple[Pair, Fraction, Fraction]]:
        then, own = self.answer(pair[0], request)
        for place, other in self.after(pair[1], request).items():
            self.left.take(1)
            yield (then, place), own, other

    def answer(self, belief: Belief, request: str) -> tuple[Belief, Fraction]:
        if (belief, request) not in self.answers:
            after, cost = dict[str, Fraction](), Fraction(0)
            for text, weight in belief:
                for p, name, paid in self.answers_of(text, request):
                    self.left.take(1)
                    after[name] = after.get(name, Fraction(0)) + weight * p
                    cost += weight * p * paid
            self.answers[belief, request] = tuple(sorted(after.items())), cost
        return self.answers[belief, request]

    def states(self, pair: Pair) -> list[str]:
        return [text for text, _ in pair[0]]

    def by_place(self) -> bool:
        return not self.adaptive

    def answers_of(self, state: str, request: str) -> list[tuple[Fraction, str, Fraction]]:
        given = self.system.answer(self.values[state], self.values[request])
        single = isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], int | Fraction)
        rows = [(1, *given)] if single else list(islice(given, self.left.left + 1))
        total = sum(amount(row[0]) for row in rows)
        need(total == 1, f"the probabilities of answer({state:.60}, ...) add up to {total}")
        return [(amount(p), self.named(then), amount(paid)) for p, then, paid in rows if p]

    def moves_of(self, place: str, request: str) -> list[tuple[str, Fraction]]:
        return [*self.after(place, request).items()]

    def after(self, place: str, request: str) -> dict[str, Fraction]:
        if (place, request) not in self.moves:
            given = self.system.moves(self.values[place], self.values[request])
            found: dict[str, Fraction] = {}
            for then, paid in given.items() if isinstance(given, Mapping) else given:
                self.left.take(1)
                text, cost = self.named(then), amount(paid)
                found[text] = (max if self.gains else min)(found.get(text, cost), cost)
            self.moves[place, request] = found
        return self.moves[place, request]


class Board:
    """All sequences of a game's moves, an algorithm and a distribution."""

    def __init__(self, game: Any, given: dict[str, Any], left: Steps) -> None:
        self.game, self.left = game, left
        self.gains = bool(getattr(game, "gains", False))
        self.chances = {
            (tuple(word), state, move): {then: amount(rational(p)) for then, p in after}
            for word, state, move, after in given["algorithm"]
        }
        rows = [(tuple(word), amount(rational(p))) for word, p in given["distribution"]]
        self.weights = dict(rows)
        need(len(rows) == len(self.weights) and sum(self.weights.values()) == 1, "the distribution's sum is not 1")
        self.worst: Fraction | None = None
        start = game.start()
        self.forced = self.visit((), {text_of(start): (start, Fraction(1))})[text_of(start)]
        need(not self.weights, "the distribution has a sequence of moves that the game does not offer")

    def visit(self, word: tuple[str, ...], states: dict[str, tuple[Any, Fraction]]) -> dict[str, Fraction]:
        """Return each state's best expected payoff; keep the algorithm's worst."""
        self.left.take(len(states))
        payoffs = {text: self.game.payoff(state) for text, (state, _) in states.items()}
        moves = {text: {text_of(m): m for m in self.game.moves(state)} for text, (state, _) in states.items()}
        first = next(iter(moves.values()))
        alone = all(each.keys() == first.keys() for each in moves.values())
        need(
            alone and len({each is None for each in payoffs.values()}) == 1,
            "the moves depend on the state of the algorithm",
        )
        weight, found = self.weights.pop(word, Fraction(0)), dict.fromkeys(states, Fraction(0))
        if None not in payoffs.values():
            expected = sum((p * exact(payoffs[text]) for text, (_, p) in states.items()), Fraction(0))
            worse = min if self.gains else max
            self.worst = expected if self.worst is None else worse(self.worst, expected)
            found = {text: weight * exact(payoffs[text]) for text in states}
        need(not weight or None not in payoffs.values(), "the distribution stops where the adversary must move")
        for move in first:
            then: dict[str, tuple[Any, Fraction]] = {}
            ways = {}
            for text, (state, p) in states.items():
                answers = {
                    text_of(after): after for after in islice(self.game.answers(state, moves[text][move]), 10**6)
                }
                need(answers, "expected at least one answer to each move")
                chances = self.chances.get((word, text, move), {})
                fair = chances.keys() <= answers.keys() and sum(chances.values()) == 1
                need(fair or not p, f"the algorithm's answers to {move:.60} have no probabilities that add up to 1")
                ways[text] = [*answers]
                for name, after in answers.items():
                    then[name] = after, then.get(name, (after, Fraction(0)))[1] + p * chances.get(name, Fraction(0))
            values = self.visit((*word, move), then)
            for text, names in ways.items():
                found[text] += (max if self.gains else min)(values[name] for name in names)
        return found


def of_best(left: Steps, certificate: str) -> dict[str, Any]:
    """Return the statement proven of the least ratio; else raise `Refused`."""
    given = left.read(certificate)
    fields(given, "version setting at_least at_most policy other potential functions moves positions")
    need(given["version"] == 1, "expected version 1")
    try:
        most, least = (None if given[side] is None else rational(given[side]) for side in ("at_most", "at_least"))
        need(most is not None or least is not None, "expected at_least, at_most or both")
        states, positions, beside = 0, 0, Fraction(0)
        if most is not None:
            pairs = JobsInSlots(Table(given["setting"], given["policy"]), left)
            states, beside = pairs.potential([[n] for n in range(len(given["policy"]))], given, most)
        if least is not None:
            need(least > 0, "at_least: expected a number above 0")
            moves = (given[each] for each in ("functions", "moves", "positions"))
            positions = Adversary(left, given["setting"], *moves).prove(least)
    except Refused:
        raise
    except Exception as error:  # any exception: the file is untrusted
        raise malformed(error) from None
    words = ", ".join(f"{name}={value}" for name, value in given["setting"].items())
    side = {"at_least": given["at_least"], "at_most": given["at_most"]}
    limit = "" if most is None else within(given["setting"]["present"])
    statement = f"{bounds(total('the least competitive ratio of a policy'), least, most)} ({words}){limit}"
    statement += f", up to an additive constant of {beside}" if beside else ""
    return {"statement": statement, **side, "states": states, "positions": positions}


Use = Callable[[Pairs, str, Any], dict[str, Any]]


def malformed(error: BaseException) -> Refused:
    return Refused(f"malformed input: {type(error).__name__}: {' '.join(str(error).split())[:80]}")


def check(*files: str, most_steps: int = MOST_STEPS) -> dict[str, Any]:
    """Return the statement proven of a rule, system or game, or of the best policy.

    Raises
    ------
    Refused
        If the certificate proves nothing.
    """
    left = Steps(most_steps)
    return of_source(left, files[0], files[1]) if len(files) == 2 else of_best(left, *files)


def listing(source: str, certificate: str, *, most_steps: int = MOST_STEPS) -> dict[str, Any]:
    """Return a certificate's system in tables, for the checker that Coq proves sound.

    Raises
    ------
    Refused
        If the certificate is for another system.
    """
    return of_source(Steps(most_steps), source, certificate, listed)


def of_source(left: Steps, source: str, certificate: str, use: Use | None = None) -> dict[str, Any]:
    """Return the proven statement, or ``use`` of the source's pairs."""
    given = left.read(certificate)
    is_game = "game" in given
    version = 1 if is_game else 2
    need(given.get("version", version) == version, f"expected version {version}; compute the certificate again")
    fields(given, GAME_FIELDS if is_game else FIELDS)
    file, _, name = source.rpartition(":") if re.fullmatch(r".+\.py:\w+", source) else (source, "", "")
    try:
        text = content(file, MOST_FILE if name else MOST_RULE)
    except (OSError, ValueError, Refused) as error:
        raise unreadable(file, error) from None
    try:
        need(hashlib.sha256(text).hexdigest() == given["source"], "the certificate is for another version of the file")
        if is_game:
            need(use is None, "the verified checker does not cover games")
            return of_game(left, made(Path(file), name, text, given["options"]), name, given)
        if name:
            return (use or of_pairs)(System(made(Path(file), name, text, given["options"]), left), name, given)
        fields(given["setting"], "machines sizes unit present speed weights chunks far delay")
        policy = Policy(text.decode(), given["setting"], given["options"])
        return (use or of_pairs)(JobsInSlots(policy, left), JOBS, given)
    except Refused:
        raise
    except (Exception, SystemExit) as error:  # any exception: both files are untrusted
        raise malformed(error) from None


def listed(pairs: Pairs, name: str, given: Any) -> dict[str, Any]:
    """Return the tables of a system, with the certificate's names of the system."""
    need(given["system"] in (name, getattr(pairs, "name", name)), "the certificate is for another system")
    about = {key: given[key] for key in ("system", "source", "setting", "options")}
    flags = {"gains": pairs.gains, "constant": pairs.constant, "random": isinstance(pairs, System)}
    return about | flags | pairs.tables()


def of_pairs(pairs: Pairs, name: str, given: Any) -> dict[str, Any]:
    """Return the statement that a certificate proves of a system."""
    need(given["system"] in (name, getattr(pairs, "name", name)), "the certificate is for another system")
    most = None if given["at_most"] is None else rational(given["at_most"])
    least = inf if given["at_least"] == "inf" else None if given["at_least"] is None else rational(given["at_least"])
    need(most is not None or least is not None, "expected at_least, at_most or both")
    states = 0 if most is None else pairs.potential(given["policy"], given, most)[0]
    if least is not None:
        pairs.walk(given, least)
    words = ", ".join(f"{key}={value}" for key, value in {**given["setting"], **given["options"]}.items())
    if isinstance(pairs, JobsInSlots):
        what = total("the competitive ratio of the rule", given["setting"]["weights"])
        statement = f"{bounds(what, least, most)} ({words}){within(given['setting']['present'])}"
    else:
        side = "up to an" if pairs.constant else "without an"
        what = f"the competitive ratio of {given['system']}{f' ({words})' if words else ''}"
        statement = f"{bounds(what, least, most)}, {side} additive constant"
    return proven(statement, given) | {"states": states}


def of_game(left: Steps, game: Any, name: str, given: Any) -> dict[str, Any]:
    """Return the statement proven of a game's best randomised algorithm."""
    need(given["game"] in (name, type(game).__name__), "the certificate is for another game")
    board = Board(game, given, left)
    need(board.worst is not None, "the adversary may never stop")
    assert board.worst is not None
    least, most = sorted((board.worst, board.forced))
    stated = rational(given["at_least"]), rational(given["at_most"])
    need(stated[0] <= least, f"the value is proven to be at least {least}, not {given['at_least']}")
    need(stated[1] >= most, f"the value is proven to be at most {most}, not {given['at_most']}")
    words = ", ".join(f"{key}={value}" for key, value in given["options"].items())
    what = f"the best expected payoff of a randomised algorithm in {given['game']}{f' ({words})' if words else ''}"
    return proven(bounds(what, *stated), given) | {"steps": left.most - left.left}


def proven(statement: str, given: Any) -> dict[str, Any]:
    return {"statement": statement, **{key: given[key] for key in ("source", "at_least", "at_most")}}


def total(what: str, weights: int = 1) -> str:
    return f"{what} for the total {'weighted ' if weights > 1 else ''}JCT"


def bounds(what: str, least: Fraction | float | None, most: Fraction | None) -> str:
    if least == inf:
        return f"{what} is infinite"
    if least == most:
        return f"{what} is {most}"
    sides = [*([f"at least {least}"] if least is not None else []), *([f"at most {most}"] if most is not None else [])]
    return f"{what} is {' and '.join(sides)}"


def within(present: int) -> str:
    """Return the premise that limits the jobs present in both schedules."""
    return f", while neither schedule, the policy's or the offline one, has more than {present} jobs present"


def lines(result: dict[str, Any]) -> list[str]:
    """Return the result as text."""
    counts = [f"{result[what]} {what}" for what in ("states", "positions", "steps") if what in result]
    source = [f"source {result['source'][:16]}"] if "source" in result else []
    return [f"proven: {result['statement']}", ", ".join([*source, *counts])]


if __name__ == "__main__":
    try:
        asked = re.fullmatch("--steps=([0-9]{1,18})", sys.argv[-1])
        files = sys.argv[1 : -1 if asked else None]
        need(len(files) in (1, 2), "usage: python -I ratio.py [RULE or FILE.py:NAME] CERTIFICATE [--steps=N]")
        print(*lines(check(*files, most_steps=int(asked[1]) if asked else MOST_STEPS)), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
