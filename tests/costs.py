"""The processor time of each test, and the cases that the profiles ``dev`` and ``ci`` run.

``pytest -p tests.costs`` runs all cases of the profile and writes ``costs.csv``: the test functions that took `COSTLY`
seconds of processor time or more, with the processes that they started and the shared fixtures that they use. The
rows of functions that it does not run, or skips, stay: so ``pytest -p tests.costs FILE`` renews the rows of a file.
Such a function runs only as many of its cases as take the seconds of `KEPT` together, but at least the part `LEAST` of
them, and in ``ci`` all cases of `WHOLE_IN_CI` (columns ``dev`` and ``ci``); ``deep`` runs all cases.
"""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest

COSTLY = 1.0
KEPT = {"dev": 0.5, "ci": 1.0}
LEAST = {"dev": Fraction(0), "ci": Fraction(1, 10)}
WHOLE_IN_CI = (  # each claim, command and record counts, and the checker that Coq verifies
    "tests/check/test_verified.py::",
    "::test_every_verdict_is_the_ledgers",
    "::test_a_trap_neither_runs_nor_changes_an_output",
    "::test_it_is_as_recorded",
)
FILE = Path(__file__).with_suffix(".csv")
OWN, SHARED = "seconds", "seconds of shared fixtures"
STARTED = pytest.StashKey[float]()
COLUMNS = ("function", "cases", *KEPT, "seconds")

costs: defaultdict[str, list[float]] = defaultdict(list)  # of each function's cases, without shared fixtures
fixtures: defaultdict[str, float] = defaultdict(float)  # of each function, the shared ones
skipped: set[str] = set()
shared: dict[tuple[str, str], float] = {}  # place and name of a fixture for several tests: its seconds


def processor() -> float:
    """Return the processor time of this process and of its children; of those that still run only on Linux."""
    running = 0
    for children in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # one has ended
            for child in children.read_text().split():
                running += sum(map(int, Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return sum(os.times()[:4]) + running / os.sysconf("SC_CLK_TCK")


def function(nodeid: str) -> str:
    return nodeid.split("[")[0]


def kept(profile: str, name: str, cases: int, own: float, fixtures: float) -> int:
    """How many of the `cases`, which take `own` seconds together and `fixtures` seconds before, a profile runs."""
    least = cases if profile == "ci" and any(part in name for part in WHOLE_IN_CI) else ceil(LEAST[profile] * cases)
    within = KEPT[profile] - (0.0 if least else fixtures)  # where a case runs anyway, so do the fixtures
    fitting = int(cases * max(0.0, within) / own) if own else 0
    return min(cases, max(fitting, least))


def listed() -> list[dict[str, str]]:
    with FILE.open(newline="") as file:
        return list(csv.DictReader(file))


def left_out(items: list[pytest.Item], profile: str) -> list[pytest.Item]:
    """The cases that a profile does not run: of each costly function all but some spread evenly over its cases."""
    runs = {row["function"]: int(row[profile]) for row in listed()}
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[function(item.nodeid)].append(item)
    left = []
    for name, own in cases.items():
        if name in runs:
            chosen = {own[i * len(own) // runs[name]] for i in range(runs[name])}
            left += [item for item in own if item not in chosen]
    return left


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
    started = processor()
    result = yield
    if fixturedef.scope != "function":
        shared[fixturedef.baseid, fixturedef.argname] = processor() - started
    return result


def without_shared() -> float:
    """Return the processor time so far, less that of the shared fixtures."""
    return processor() - sum(shared.values())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[STARTED] = without_shared()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Function, call: pytest.CallInfo[None]) -> None:
    if call.when == "teardown":
        used = [s for (place, name), s in shared.items() if item.nodeid.startswith(place) and name in item.fixturenames]
        item.user_properties += [(OWN, without_shared() - item.stash[STARTED]), (SHARED, sum(used))]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:
        skipped.add(report.nodeid)
    if report.when == "teardown" and report.nodeid not in skipped:
        name, seconds = function(report.nodeid), dict(report.user_properties)
        costs[name].append(float(str(seconds[OWN])))
        fixtures[name] = max(fixtures[name], float(str(seconds[SHARED])))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        write()


def write() -> None:
    rows = [tuple(row.values()) for row in listed() if row["function"] not in costs]
    for name, seconds in costs.items():
        own, setting_up = sum(seconds), fixtures[name]
        if own + setting_up >= COSTLY:
            runs = [str(kept(profile, name, len(seconds), own, setting_up)) for profile in KEPT]
            rows.append((name, str(len(seconds)), *runs, f"{own + setting_up:.1f}"))
    with FILE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(sorted(rows, key=lambda row: (-float(row[-1]), row[0])))
