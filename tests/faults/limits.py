"""Time limits of every program by every solver and route, and of every bound.

``python -m tests.faults.limits CASE LIMIT`` runs one case in a supervised process. It prints the seconds after imports,
the outcome, and whether there is a bound or a point.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from schedproof.core.cards import registry
from schedproof.core.certificates.bounds import bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import SchedproofError
from schedproof.core.programs import named
from schedproof.core.programs.backends import BACKENDS
from schedproof.core.runtime import deadline
from schedproof.core.runtime.supervision import supervise
from schedproof.instances import read

OPTIONS: dict[str, dict[str, str]] = {  # that a program cannot do without
    "dmlrs.slot": {"job": "j1", "slot": "19", "workload": "9", "prices": "1"},
    "preemptive.dual11": {"eps": "1"},
    "multiserver.gang": {"slot": "0"},
    "multiserver.slot_optimum": {"slot": "0"},
    "multiserver.projection": {"point": "1"},
}
LARGE = {  # settings of the generators: no solver ends on them in 20 s, and some do not even build their model
    "preemptive": ("testbed", {"jobs": "12"}),
    "dmlrs": ("figure10", {}),
    "multiserver": ("default", {}),
    "jrp": ("figure4", {}),
    "placement": ("synthetic3", {}),
}


class Ended(NamedTuple):
    """The outcome of a case: seconds (None if killed), words, and exit code."""

    seconds: float | None
    words: str
    code: int


def allowed(limit: float) -> float:
    """Return the seconds that a limit may take: 20 % more, or one more."""
    return limit + max(1.0, 0.2 * limit)


def cases() -> Iterator[str]:
    for id in _ours("program"):
        program = named.program(id, **OPTIONS.get(id, {}))
        names = dict.fromkeys((*program.routes, *BACKENDS[program.backend].solvers))
        yield from (f"solve {id} {name}" for name in names if name != "gurobi")
    yield from (f"bound {id}" for id in _ours("bound"))


def _ours(kind: str) -> list[str]:
    return [id for id in registry.entries(kind) if id.split(".")[0] in LARGE]


def timed(case: str, limit: float, more: float = 0.0) -> Ended:
    """Run a case in a process that is killed after several grace periods."""
    command = [sys.executable, "-m", "tests.faults.limits", case, str(limit), str(more)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if not done.stdout:
        return Ended(None, done.stderr.strip(), done.returncode)
    return Ended(**json.loads(done.stdout), code=done.returncode)


def _do(case: str, limit: float) -> None:
    what, id, *solver = case.split()
    family = id.split(".")[0]
    preset, settings = LARGE[family]
    with TemporaryDirectory() as folder:  # large arrays lie beside the file
        file = Path(folder, "instance.json")
        write_object(file, registry.generate(family, preset, 1, settings))
        instance = read(file)
    program = named.program(id, **OPTIONS.get(id, {})) if what == "solve" else None
    if program is not None:
        BACKENDS[program.backend].load()
    started = perf_counter()
    try:
        if program is None:
            words = f"bound {bound(id, instance, time_limit=limit).value}"
        else:
            found = program.solve(instance, solver[0], limit)
            words = f"{found.status}, objective {found.objective}, bound {found.bound}. {found.message}"
    except SchedproofError as error:
        words = str(error)
    print(json.dumps({"seconds": perf_counter() - started, "words": words}))


if __name__ == "__main__":
    given_case, given_limit, given_more = (*sys.argv[1:], "0")[:3]
    deadline.LAST += float(given_more)
    supervise(lambda: _do(given_case, float(given_limit)))
