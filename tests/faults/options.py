"""Hostile values of any option, setting, rule or number, from shell and Python."""

from __future__ import annotations

import copy
import io
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import schedproof as sp
from schedproof.cli import main
from schedproof.core.cards import registry
from schedproof.core.cards.family import Entry
from schedproof.core.data.arrays import write_object
from schedproof.core.data.options import REQUIRED
from schedproof.core.errors import SchedproofError, short
from schedproof.instances import from_json
from tests.faults.guard import Attempt
from tests.faults.hostile import KEYS, number_text, option_text, option_value
from tests.instances.broken import formats
from tests.instances.fuzz import at, paths
from tests.instances.schedules import schedules
from tests.support import FAMILIES
from tests.tiny.preemptive import tiny_preemptive
from tests.workloads import test_alibaba, test_google, test_openb, test_philly

USUAL = {"slot": "0", "workload": "1", "prices": "1", "eps": "1", "point": "1"}  # of options that must be given
TRACES: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {  # the files of each format, and what fits them
    "philly": ((f"{test_philly.HEADER}\n{test_philly.GOOD}\n{test_philly.LATER}\n", test_philly.MACHINES), {}),
    "google": (("\n".join(test_google.GOOD) + "\n",), {"machines": "3"}),
    "openb": ((test_openb.NODES, test_openb.PODS_FILE), {"horizon": "10"}),
    "alibaba": ((test_alibaba.META_FILE, test_alibaba.TASKS), {"horizon": "10"}),
}
NUMBERS = {  # of commands: the words before it
    "--seed": ("run", "generate", "trace", "verify", "ratio", "regret"),
    "--time-limit": ("run", "solve", "bound", "ratio"),
    "--points": ("regret",),
    "--budget": ("verify",),
}
CLAIM = {
    "preemptive": "eq4e_redundant",
    "dmlrs": "dp21",
    "multiserver": "matrix18",
    "jrp": "assignment6",
    "placement": "mask12",
}
EXTREMES = [0, 1, 2, 10**6, 10**9 - 1, 10**9]


class Target(NamedTuple):
    kind: str
    family: str
    id: str
    names: tuple[str, ...]

    @property
    def choices(self) -> dict[str, tuple[str, ...]]:
        """Return the texts of an option's choices, if they are finite."""
        rows: tuple[Any, ...] = ()
        if self.kind in ("program", "policy", "bound"):
            rows = registry.entries(self.kind)[self.id].options
        elif self.kind == "regret":
            rows = registry.regret(self.family).options
        elif self.kind == "rule":
            rows = registry.family(self.family).rules
        return {option.name: option.kind.choices for option in rows}


def _needed(entry: Entry, family: str, value: Any) -> dict[str, str]:
    job = {"job": value["jobs"][0]["name"]} if family == "dmlrs" and value["jobs"] else {"job": "j1"}
    return {o.name: (USUAL | job)[o.name] for o in entry.options if o.default is REQUIRED}


@cache
def targets() -> list[Target]:
    found = [
        Target(kind, id.split(".")[0], id, tuple(option.name for option in entry.options))
        for kind in ("program", "policy", "bound")
        for id, entry in registry.entries(kind).items()
        if id.split(".")[0] in FAMILIES
    ]
    for family in FAMILIES:
        card = registry.family(family)
        found.append(Target("rule", family, family, tuple(rule.name for rule in card.rules)))
        if card.regret is not None:
            found.append(Target("regret", family, f"{family}.oga_sched", tuple(o.name for o in card.regret.options)))
        names = import_module(f"schedproof.workloads.{family}.settings").NAMES
        found.append(Target("setting", family, family, tuple(names)))
        found += [Target("number", family, option, (option,)) for option in NUMBERS]
    for format, (_, usual) in TRACES.items():
        found.append(Target("trace", "", format, tuple(_trace_options(format, usual))))
    return found


def _trace_options(format: str, usual: Mapping[str, str]) -> Iterator[str]:
    load = registry.load(registry.find("trace", format)[1].home)
    try:
        load([], 0, {"nothing": "1"})
    except SchedproofError as error:
        yield from str(error).partition("available: ")[2].split(", ")


@cache
def _value(family: str, seed: int) -> Any:
    return formats()[family].tiny(seed)


def _instance(rng: random.Random, family: str) -> Any:
    value = _value(family, rng.randrange(1, 8))
    if family == "preemptive":
        value = tiny_preemptive(rng.randrange(20), jobs=rng.randrange(1, 3), servers=rng.randrange(1, 3))
    if rng.random() < 0.8:
        return value
    places = [path for path in paths(value) if type(at(value, path)) is int and path != ("version",)]
    changed = copy.deepcopy(value)
    for path in rng.choices(places, k=rng.randrange(1, 3)) if places else ():
        at(changed, path[:-1])[path[-1]] = rng.choice(EXTREMES)
    with suppress(SchedproofError, IndexError):
        from_json(changed)
        return changed
    return value


def _shown(given: Any) -> str:
    try:
        return repr(given)[:300]
    except ValueError:  # an integer of thousands of digits
        return short(given)


def case(seed: int, folder: Path) -> Attempt:
    """One option is hostile; from the command line or from Python."""
    rng = random.Random(f"option {seed}")
    target = rng.choice(targets())
    while not target.names:
        target = rng.choice(targets())
    name = rng.choice(target.names) if rng.random() < 0.95 or target.kind == "number" else rng.choice(KEYS)
    choices = target.choices.get(name, ())
    typed = rng.random() < 0.5 or target.kind in ("number", "setting", "trace")
    given = option_text(rng, choices) if typed else option_value(rng, choices)
    if target.kind == "number":
        given = number_text(rng)
    value = _instance(rng, target.family) if target.family else {}
    beside = {n: rng.choice(c) for n, c in target.choices.items() if c and n != name and rng.random() < 0.3}
    words = f"{'command line' if typed else 'Python'}: {target.kind} {target.id} {name}={_shown(given)} {beside or ''}"
    _warm(target)
    if typed:
        return Attempt(words, lambda: _command(target, value, {name: given, **beside}, folder, rng))
    return Attempt(words, lambda: _python(target, from_json(value), {name: given, **beside}))


@cache
def _warm(target: Target) -> None:
    if target.kind in ("program", "policy", "bound", "regret"):
        with suppress(Exception):
            _python(target, from_json(_instance(random.Random(1), target.family)), {})
    if target.kind == "policy" and "threads" in target.names:  # another kernel
        _python(target, from_json(_instance(random.Random(1), target.family)), {"threads": 2})


def _python(target: Target, instance: Any, given: dict[str, Any]) -> str:
    if target.kind in ("program", "bound"):
        entry = registry.entries(target.kind)[target.id]
        options = _needed(entry, target.family, instance.to_json()) | given
        if target.kind == "bound":
            sp.bound(target.id, instance, time_limit=2, **options)
        else:
            sp.program(target.id, **options).solve(instance, time_limit=2)
    elif target.kind == "policy":
        sp.policy(target.id, **given).run(instance).to_json()
    elif target.kind == "regret":
        sp.policy(target.id).run(instance).regret(**given).to_json()
    else:
        of, schedule = _plan(target.family)
        schedule.violations(of, **given)
        schedule.objective(of, **given)
    return "done"


@cache
def _plan(family: str) -> tuple[Any, Any]:
    plan: tuple[Any, Any] = schedules()[family].drawn(1)
    return plan


def _command(target: Target, value: Any, given: dict[str, str], folder: Path, rng: random.Random) -> str:
    file, out = folder / "instance.json", folder / "out.json"
    words = [word for name, text in given.items() for word in ("--option", f"{name}={text}")]
    if target.kind in ("program", "bound"):
        write_object(file, value)
        entry = registry.entries(target.kind)[target.id]
        needed = {n: text for n, text in _needed(entry, target.family, value).items() if n not in given}
        words += [word for name, text in needed.items() for word in ("--option", f"{name}={text}")]
        command = "solve" if target.kind == "program" else "bound"
        return run(command, target.id, str(file), "--time-limit", "2", *words)
    if target.kind == "policy":
        write_object(file, value)
        return run("run", target.id, str(file), *words)
    if target.kind == "regret":
        write_object(file, value)
        points = [f"--points={given['points']}"] if "points" in given else []
        words = [word for name, text in given.items() if name != "points" for word in ("--option", f"{name}={text}")]
        return run("regret", target.id, str(file), *points, *words)
    if target.kind == "rule":
        instance, plan = _plan(target.family)
        write_object(file, instance.to_json())
        write_object(out, plan.to_json(instance))
        return run("check", str(file), str(out), *words)
    if target.kind == "setting":
        sets = [word for name, text in given.items() for word in ("--set", f"{name}={text}")]
        return run("generate", target.id, *sets, "--out", str(out))
    if target.kind == "trace":
        contents, usual = TRACES[target.id]
        files = [folder / f"part-{n}" for n in range(len(contents))]
        for path, content in zip(files, contents, strict=True):
            path.write_text(content)
        more = [word for n, text in usual.items() if n not in given for word in ("--option", f"{n}={text}")]
        return run("trace", target.id, *map(str, files), *words, *more, "--out", str(out))
    write_object(file, value)
    command = rng.choice(NUMBERS[target.id])
    policies = [id for id in registry.entries("policy") if id.startswith(f"{target.family}.")]
    bounds = [id for id in registry.entries("bound") if id.startswith(f"{target.family}.")]
    programs = [
        id
        for id, e in registry.entries("program").items()
        if id.startswith(f"{target.family}.") and not any(o.default is REQUIRED for o in e.options)
    ]
    before = {
        "run": [rng.choice(policies), str(file)],
        "solve": [rng.choice(programs), str(file)],
        "bound": [rng.choice(bounds), str(file)],
        "ratio": [rng.choice(policies), str(file), "--bound", rng.choice(bounds)],
        "regret": [rng.choice(policies), str(file)],
        "verify": [f"{target.family}.{CLAIM[target.family]}"],
        "generate": [target.family, "--out", str(out)],
        "trace": ["philly", str(file), "--out", str(out)],
    }
    return run(command, *before[command], f"{target.id}={given[target.id]}")


def run(*words: str) -> str:
    """Run the command line in this process; check its output, return its exit code."""
    out, errors, before = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO(), sys.argv
    sys.argv = ["schedproof", *words]
    code: object = 0
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.argv = before
    told = errors.getvalue()
    out.flush()
    assert code in (None, 0, 1, 2, 3), (code, told)
    assert "Traceback" not in told, told
    assert all(char.isprintable() or char == "\n" for char in told), repr(told)
    if code not in (None, 0) and not out.buffer.tell():  # type: ignore[attr-defined]
        assert told.startswith("Usage") or sum(not line.startswith("note: ") for line in told.splitlines()) == 1, told
    return f"exit {code or 0}"
