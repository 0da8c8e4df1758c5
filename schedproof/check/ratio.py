"""Check a policy's exact competitive ratio with the standard library alone: ``python -I ratio.py RULE CERTIFICATE``.

RULE is the text that defines the policy, in the language of `definitions`; CERTIFICATE says what is proven of it. Jobs
arrive slot by slot, and cost one for each slot that begins with them unfinished. At most so many are present at any
time, in the policy's schedule and in the other one; the two run side by side, and a step is one arrival, or one slot.
The other schedule is any that such machines can have. Where jobs have places, it is any place for each job, and on each
machine the least work first, than which no order leaves fewer jobs at any time; elsewhere any jobs run, as many as
there are machines, since who runs more can follow who runs less. With ``PREEMPTIVE = False`` in the rule, a job runs to
its end once it has begun, and machines may be free.

At most: each state (policy, other) has a number, 0 where none is given. For a slot with a and o jobs present, q a - p o
and the number after it are at most the number before, p/q the ratio; for an arrival likewise with a = o = 0. Added up
over the steps of a sequence, from nothing present to nothing present, the numbers cancel.

At least: a way leads to a state and a cycle back to it; who goes round often enough has every ratio below the cycle's.
"""

import ast
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from inspect import signature
from itertools import combinations, islice
from math import comb
from pathlib import Path
from typing import Any

MOST_BYTES, MOST_STEPS = 1 << 25, 5 * 10**6  # of a file, and from state to state
RATIONAL = "-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?"
State = tuple[Any, ...]


class Refused(Exception):
    """The certificate does not prove what it says, in one sentence."""


def need(holds: object, sentence: str) -> None:
    if not holds:
        raise Refused(sentence)


def rational(text: Any) -> Fraction:
    fine = isinstance(text, str) and re.fullmatch(RATIONAL, text)
    need(fine, f"expected a rational like 7/3, found {text!a:.40}")
    return Fraction(text)


def content(path: str | Path, most: int) -> bytes:
    with Path(path).open("rb") as stream:
        found = b"".join(islice(iter(lambda: stream.read(1 << 20), b""), (most >> 20) + 1))
    need(len(found) <= most, f"the file has more than {most} bytes")
    return found


def read(path: str, most: int = MOST_BYTES) -> Any:
    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key stands twice in one object")
        return dict(pairs)

    try:
        value = json.loads(content(path, most).decode("utf-8-sig"), parse_float=Decimal, object_pairs_hook=unique_keys)
        need(isinstance(value, dict), "expected a JSON object")
        return value
    except (OSError, ValueError, ArithmeticError, RecursionError, Refused) as error:
        raise Refused(f"{path}: cannot be read: {' '.join(str(error).split())[:200]}") from None


def fields(value: Any, names: str) -> None:
    need(isinstance(value, dict) and value.keys() == {*names.split()}, f"expected the fields: {names or 'none'}")


def count(value: Any, least: int = 0, most: int = 10**6) -> int:
    fine = type(value) is int and least <= value <= most
    need(fine, f"expected a whole number from {least} to {most}, found {value!a:.40}")
    return int(value)


def state(value: Any) -> State:
    """Lists of whole numbers, or of such lists."""
    need(isinstance(value, list), "expected a list")
    return tuple(state(each) if isinstance(each, list) else count(each) for each in value)


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
    """What a rule's text defines: functions and constants, in a part of Python in which nothing is remembered.

    There are no imports, classes, attributes but a list's methods, loops that may not end, and no names in common but
    functions and constants that never change: a function returns the same whenever it is called with the same.
    """
    try:
        tree = ast.parse(text)
        body = tree.body = [node for n, node in enumerate(tree.body) if not said(node, n)]
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                need(node in body and not node.decorator_list, flaw(node))
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
        raise Refused(f"it is no Python: {' '.join(str(error).split())[:80]}") from None
    return found


def said(node: ast.stmt, n: int) -> bool:
    """Whether a statement is the docstring or ``from __future__ import annotations``."""
    text = n == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def fine(node: ast.AST) -> bool:
    """Whether a piece of a text is of the language."""
    if isinstance(node, ast.Attribute):
        return node.attr in METHODS and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, int | str)
    if isinstance(node, ast.arguments):
        return all(constant(default) for default in (*node.defaults, *node.kw_defaults) if default)
    name = getattr(node, "id", getattr(node, "arg", getattr(node, "name", None)))
    return isinstance(node, SYNTAX) and not (isinstance(name, str) and name.startswith("__"))


def constant(node: ast.expr) -> bool:
    """Whether it is a number, a text, or a tuple of such."""
    if isinstance(node, ast.Tuple):
        return all(map(constant, node.elts))
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def flaw(node: ast.AST) -> str:
    where = getattr(node, "lineno", 1)
    return f"line {where}: a rule has functions and constants in a part of Python, without {type(node).__name__}"


class Policy:
    """The rule, and what it makes of the jobs that are present: a step of it each."""

    def __init__(self, text: str, setting: Any, options: Any) -> None:
        self.machines, self.present = count(setting["machines"], 1, 100), count(setting["present"], 1, 100)
        unit = count(setting["unit"], 1)
        self.sizes = [unit * n for n in range(1, count(setting["sizes"], unit) // unit + 1)]
        self.speed = rational(setting["speed"])
        need(self.speed > 0, "a speed is positive")
        names = definitions(text)
        need(callable(names.get("run")), "a rule has a function run(jobs)")
        known = {name: state(value) if isinstance(value, list) else value for name, value in options.items()}
        need(all(type(value) in (int, str, tuple) for value in known.values()), "an option is no number, text or list")
        known["machines"] = self.machines
        self.functions: dict[str, Callable[..., Any]] = {}
        taken: set[str] = set()
        for word in ("run", "place", "keep"):
            if callable(function := names.get(word)):
                words = {name: known[name] for name in signature(function).parameters if name in known}
                taken |= words.keys()
                self.functions[word] = lambda *given, function=function, words=words: function(*given, **words)
        need(taken >= options.keys(), "an option is none of the rule's")
        self.pinned = "place" in self.functions
        self.order, self.turns, self.whole = (
            names.get(flag) is value for flag, value in (("ORDER", True), ("TURNS", True), ("PREEMPTIVE", False))
        )
        self.turns |= self.whole
        need(not (self.whole and self.pinned), "jobs that run to their end are given no place before")
        need(names.get("MACHINES", self.machines) == self.machines, "the rule is for another number of machines")

    def line(self, jobs: list[State]) -> State:
        """The state of some jobs in the order of their arrival."""
        return tuple(jobs if self.order else sorted(jobs))

    def after_arrival(self, jobs: State, size: int) -> State:
        slots = -(-size // self.speed)
        job: State = (int(slots),)
        if "keep" in self.functions:
            job += (self.functions["keep"](slots),)
            need(type(job[-1]) is int, "the rule keeps what is no whole number")
        if self.pinned:
            machine = self.functions["place"](jobs, slots)
            need(type(machine) is int and machine in range(self.machines), "the rule places a job on no machine")
            job += (machine,)
        return self.line([*jobs, job + (0,) * self.turns])

    def after_slot(self, jobs: State) -> State:
        runs = list(self.functions["run"](jobs)) if jobs else []
        need(all(type(n) is int and n in range(len(jobs)) for n in runs), "the rule runs a job that is not there")
        need(len({*runs}) == len(runs) <= self.machines, "the rule runs a job twice, or too many")
        if self.pinned:
            machine = 2 if "keep" in self.functions else 1
            need(len({jobs[n][machine] for n in runs}) == len(runs), "the rule runs two jobs on one machine")
        after = [(job[0] - 1, *job[1:]) if n in runs else job for n, job in enumerate(jobs)]
        if self.turns:
            first = 1 if self.whole else max((job[-1] for job in jobs), default=0) + 1
            need(
                not self.whole or all(n in runs for n, job in enumerate(jobs) if job[-1]), "a job waits that has begun"
            )
            after = [(*job[:-1], first) if n in runs and not job[-1] else job for n, job in enumerate(after)]
        after = [job for job in after if job[0]]
        if self.turns:
            ranks = sorted({job[-1] for job in after} - {0})
            after = [(*job[:-1], ranks.index(job[-1]) + 1 if job[-1] else 0) for job in after]
        return self.line(after)


class Other:
    """The other schedule: the work left of each job, by machine where jobs have places."""

    def __init__(self, policy: Policy) -> None:
        self.machines, self.pinned, self.whole = policy.machines, policy.pinned, policy.whole
        self.empty: State = ((),) * policy.machines if policy.pinned else ((), ()) if policy.whole else ()

    def size(self, left: State) -> int:
        return sum(map(len, left)) if self.pinned or self.whole else len(left)

    def after_arrival(self, left: State, size: int) -> set[State]:
        if self.whole:
            return {(left[0], tuple(sorted((*left[1], size))))}
        if not self.pinned:
            return {tuple(sorted((*left, size)))}
        lines = ([*left[:m], tuple(sorted((*left[m], size))), *left[m + 1 :]] for m in range(self.machines))
        return {tuple(sorted(line)) for line in lines}

    def after_slot(self, left: State) -> set[State]:
        if self.pinned:
            rest = (line[1:] if line[:1] == (1,) else (line[0] - 1, *line[1:]) if line else () for line in left)
            return {tuple(sorted(rest))}
        if self.whole:
            return {*self.after_starts(*left)}
        chosen = combinations(range(len(left)), min(self.machines, len(left)))
        rest = (tuple(work - (n in runs) for n, work in enumerate(left)) for runs in chosen)
        return {tuple(sorted(work for work in each if work)) for each in rest}

    def choices(self, left: State) -> int:
        """How many ways there are to spend a slot, counted before they are listed."""
        if self.pinned:
            return 1
        begun, waiting = left if self.whole else ((), left)
        free = min(self.machines - len(begun), len(waiting))
        return sum(comb(len(waiting), n) for n in range(free + 1)) if self.whole else comb(len(waiting), free)

    def after_starts(self, begun: State, waiting: State) -> Iterator[State]:
        for starts in range(min(self.machines - len(begun), len(waiting)) + 1):
            for new in combinations(range(len(waiting)), starts):
                runs = [*begun, *(waiting[n] for n in new)]
                waits = tuple(work for n, work in enumerate(waiting) if n not in new)
                yield tuple(sorted(work - 1 for work in runs if work > 1)), waits


Step = tuple[State, State, int, int]  # the state after it, and how many jobs were present in the slot, if it is one


class Graph:
    """Both side by side; what follows a state of one of them is computed once."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.other = policy, Other(policy)
        self.start: tuple[State, State] = ((), self.other.empty)
        self.known: tuple[dict[Any, Any], dict[Any, Any]] = {}, {}
        self.taken = 0

    def after(self, side: int, before: State, size: int) -> Any:
        """What may follow: an arrival of that size, or a slot for 0."""
        known, who = self.known[side], (self.policy, self.other)[side]
        if (before, size) not in known:
            self.take(self.other.choices(before) if side and not size else 1)
            known[before, size] = who.after_arrival(before, size) if size else who.after_slot(before)
        return known[before, size]

    def take(self, steps: int) -> None:
        """Count steps, before they are gone."""
        self.taken += steps
        need(self.taken <= MOST_STEPS, "it takes too many steps to check in plain Python")

    def steps(self, mine: State, theirs: State, size: int) -> Iterator[Step]:
        """Those of an arrival, or of a slot for 0; none where too many would be present, or nothing is."""
        present = len(mine), self.other.size(theirs)
        if max(present) >= self.policy.present if size else not any(present):
            return
        a, o = (0, 0) if size else present
        after = self.after(0, mine, size)
        for left in self.after(1, theirs, size):
            self.take(1)
            yield after, left, a, o

    def prove(self, value: dict[tuple[State, State], int], ratio: Fraction) -> int:
        """No step overtakes the numbers; returns how many states there are."""
        p, q = ratio.numerator, ratio.denominator
        seen, todo = {self.start}, [self.start]
        while todo:
            here = todo.pop()
            for size in (0, *self.policy.sizes):
                for mine, theirs, a, o in self.steps(*here, size):
                    there = mine, theirs
                    need(q * a - p * o + value.get(there, 0) <= value.get(here, 0), "a step overtakes the potential")
                    if there not in seen:
                        seen.add(there)
                        todo.append(there)
        return len(seen)

    def follow(self, here: tuple[State, State], moves: Any) -> tuple[tuple[State, State], int, int]:
        """Where moves lead, and what they cost: each an arriving job's size, or 0, and the other schedule's state."""
        total, other = 0, 0
        for move in moves:
            size, theirs = count(move[0]), state(move[1])
            need(not size or size in self.policy.sizes, "a job has none of the sizes")
            step = next((step for step in self.steps(*here, size) if step[1] == theirs), None)
            need(step is not None, "a move of the cycle is none")
            assert step is not None
            here, total, other = step[:2], total + step[2], other + step[3]
        return here, total, other


def check(rule: str, certificate: str) -> dict[str, Any]:
    """What a certificate proves of a rule; raises `Refused` with one sentence where it does not."""
    given = read(certificate)
    fields(given, "version rule setting options at_least at_most policy other potential way cycle")
    need(given["version"] == 1, "expected version 1")
    try:
        text = content(rule, MOST_BYTES)
        need(hashlib.sha256(text).hexdigest() == given["rule"], "the certificate is of another rule")
        fields(given["setting"], "machines sizes unit present speed")
        graph = Graph(Policy(text.decode(), given["setting"], given["options"]))
        most, least = (None if given[side] is None else rational(given[side]) for side in ("at_most", "at_least"))
        need(most is not None or least is not None, "it says nothing")
        states = 0
        if most is not None:
            mine, theirs = ([state(row) for row in given[word]] for word in ("policy", "other"))
            rows = [[count(n, 0, 10**18) for n in row] for row in given["potential"]]
            states = graph.prove({(mine[a], theirs[o]): number for a, o, number in rows}, most)
        if least is not None:
            turn, _, _ = graph.follow(graph.start, given["way"])
            back, a, o = graph.follow(turn, given["cycle"])
            need(back == turn and o > 0 and Fraction(a, o) >= least, "the cycle does not close, or costs too little")
    except Refused:
        raise
    except OSError as error:
        raise Refused(f"{rule}: cannot be read: {error.strerror}") from None
    except Exception as error:  # whatever kind: both files are anybody's
        raise Refused(f"it is malformed: {type(error).__name__}: {' '.join(str(error).split())[:80]}") from None
    setting, options = given["setting"], given["options"]
    words = ", ".join(f"{name}={value}" for name, value in {**setting, **options}.items())
    side = {"at_least": given["at_least"], "at_most": given["at_most"]}
    return {"statement": f"{bounds(least, most)} ({words})", "rule": given["rule"], **side, "states": states}


def bounds(least: Fraction | None, most: Fraction | None) -> str:
    what = "the competitive ratio of the rule for the total JCT"
    if least == most:
        return f"{what} is {most}"
    sides = [*([f"at least {least}"] if least is not None else []), *([f"at most {most}"] if most is not None else [])]
    return f"{what} is {' and '.join(sides)}"


def lines(result: dict[str, Any]) -> list[str]:
    """The same for a person."""
    return [f"proven: {result['statement']}", f"rule {result['rule'][:16]}, {result['states']} states"]


if __name__ == "__main__":
    try:
        need(len(sys.argv) == 3, "usage: python -I ratio.py RULE CERTIFICATE")
        print(*lines(check(*sys.argv[1:])), sep="\n")
    except Refused as refused:
        raise SystemExit(f"NOT proven: {refused}") from None
