"""Traps in the working folder neither run nor change a command's output."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib.metadata import entry_points, packages_distributions
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import schedproof
from schedproof.cli import main
from schedproof.core.cards import plug_ins, registry
from schedproof.core.runtime.files import write_json
from schedproof.instances import from_json
from tests.command_line import EXAMPLES
from tests.support import PROFILE, size

DAY = Path(schedproof.__file__).parent / "instances" / "embedded" / "day.json"
MADE = {  # a file that commands read -> the command line that makes it
    "given.json": "run srtf day.json --out given.json",
    "bound.json": "bound lp4 day.json --certificate bound.json",
    "optimum.json": "solve minlp2 day.json --certificate optimum.json",
    "regret.json": "worst-regret multiserver --option slots=2 --certificate regret.json",
    "strategy.json": "game bin_stretching --option bins=2 --option capacity=6 --out strategy.json",
    "ratio.json": "prove srtf --option machines=2 --option sizes=2 --option present=2 --certificate ratio.json",
    "best.json": "best-ratio --option machines=1 --option sizes=2 --option present=2 --certificate best.json",
    "system.json": "prove code/rent.py:Rent --certificate system.json",
    "randomised.json": "best-ratio code/rent.py:RentGame --certificate randomised.json",
}
LINES = {  # command -> a command line that works in a folder with the inputs
    "tour": "tour --out tour",
    "programs": "programs --json",
    "policies": "policies --json",
    "claims": "claims --json",
    "show": "show lp4 --json",
    "schema": "schema jrp",
    "solve": "solve lp4 day.json --json",
    "run": "run srtf day.json --out run.json",
    "check": "check day.json given.json --json",
    "bound": "bound lp4 day.json --certificate new_bound.json",
    "ratio": "ratio srtf day.json --bound lp4 --json",
    "regret": "regret oga_sched few.json --plot regret.svg --json",
    "worst": "worst srtf --against lp4 --free jobs[*].arrival=0..2 --chains 2 --steps 2 --jobs 1 --json",
    "worst-regret": "worst-regret multiserver --option slots=1 --certificate new_regret.json --json",
    "refute": "refute preemptive.lemma1 --cases 20 --store attack.sqlite --json",
    "game": "game bin_stretching --option bins=2 --option capacity=4 --out new_strategy.json --json",
    "prove": "prove srtf --option machines=2 --option sizes=2 --option present=2 --plot cycle.svg --json",
    "prove of a system": "prove code/rent.py:Rent --store trials.sqlite --graph graph.graphml --json",
    "best-ratio": "best-ratio --option machines=1 --option sizes=2 --option present=2 --store best.sqlite --json",
    "best-ratio of a game": "best-ratio code/rent.py:RentGame --json",
    "doctor": "--plugin code/sack.py doctor knapsack --draws 1 --json",
    "verify": "verify jrp.share_of_time --record verdicts.sqlite --json",
    "errata": "errata --paper placement --out errata.html",
    "check-bound": "check-bound day.json bound.json --json",
    "check-optimum": "check-optimum day.json optimum.json --json",
    "check-regret": "check-regret regret.json --json",
    "check-ratio": "check-ratio srtf ratio.json --json",
    "check-ratio of a system": "check-ratio code/rent.py:Rent system.json --json",
    "check-ratio of a game": "check-ratio code/rent.py:RentGame randomised.json --json",
    "check-best": "check-best best.json --json",
    "check-game": "check-game strategy.json --json",
    "generate": "generate jrp --out drawn.json",
    "trace": "trace table log.csv --map arrival=a,gpus=g,duration=d --option slot_seconds=10 --out log.json",
    "sweep": "sweep plan.toml --out sweep.csv --jobs 2",
    "sweep on dask": "sweep plan.toml --out sweep.csv --jobs 2 --engine dask --store dask.sqlite",
    "compare": "compare day.json --policy srtf --json",
    "compare of a plug-in": "--plugin code/sack.py compare sack.json --policy greedy --json",
    "compare --what-if": "compare log.csv --map arrival=a,gpus=g,duration=d --trace-option slot_seconds=10 "
    "--policy fifo --what-if machines=1,2 --jobs 1 --json",
    "evaluate": "--plugin code/sack.py evaluate code/mine.py:mine sack.json --bound none --json",
    "plot": "plot day.json --out picture.svg",
    "figure": "figure dmlrs:fig5 --jobs 1 --json",
}
LACKS = {  # command -> why this machine cannot run it
    "sweep on dask": None if find_spec("distributed") else "the extra dask is not installed",
}
RENT = """from fractions import Fraction

import schedproof as sp


class Rent(sp.System):
    def start(self):
        return 0

    def offline(self):
        return "no skis"

    def requests(self, offline):
        return ["day"]

    def answer(self, state, request):
        return ("skis", 0) if state == "skis" else (1, 1) if state == 0 else ("skis", 2)

    def moves(self, offline, request):
        return [("skis", 0)] if offline == "skis" else [("no skis", 1), ("skis", 2)]


class RentGame:
    def start(self):
        return 0, 0, False

    def moves(self, state):
        return ["day"] if state[0] < 3 else []

    def answers(self, state, move):
        days, cost, bought = state
        return [(days + 1, cost, True)] if bought else [(days + 1, cost + 1, False), (days + 1, cost + 2, True)]

    def payoff(self, state):
        return Fraction(state[1], min(state[0], 2)) if state[0] else None
"""
MINE = """import random


def mine(sack):
    return [[item for item in sack.items if item.weight <= sack.capacity][:1]]
"""
SACK = '{"family": "knapsack", "version": 1, "capacity": 9, "items": [{"name": "a", "weight": 4, "value": 5}]}'
OURS = [entry for entry in entry_points(group="schedproof.families") if entry.module.startswith("schedproof.")]
LOG = "a,g,d\n0,1,20\n10,1,30\n30,2,20\n"
PLAN = 'policies = ["drf", "fifo"]\n[[generators]]\nname = "dmlrs"\npresets = ["tiny"]\nseeds = 2\n'
OPTIONAL = """
IPython bottleneck cplex cupy coverage cvxopt dask distributed gurobipy gymnasium jax knitro lxml lz4 mosek mpi4py
numexpr psutil pyarrow pytz scikits submitit torch unicodedata2 viztracer xpress zstandard
"""  # what libraries and this package import if it is installed
STARTED = """
import os, sys
from schedproof.core.runtime.startup import ignore_working_folder
ignore_working_folder()
import schedproof.cli
from schedproof.__main__ import main

for line in sys.stdin:
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open("../out.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        sys.argv = ["schedproof", *line.split()]
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""  # forks each command after the first imports, which are the same for all commands
HOOKS = ("sitecustomize", "usercustomize", "conftest", "setup")
HOSTILE = {  # what libraries read from the folder in which they start
    "matplotlibrc": "figure.facecolor: red\ntext.usetex: True\n",
    ".numba_config.yaml": "cache_dir: .\ndisable_jit: 1\n",
    "gurobi.env": "LogFile gurobi.log\n",
    "jupyter_config.py": "open('ran', 'w')\n",
    "ipython_config.py": "open('ran', 'w')\n",
    "joblib.ini": "[joblib]\nn_jobs = 1\n",
    "dask.yaml": "distributed: {scheduler: {allowed-failures: 0}}\n",
    "pyomo.json": "{}",
    "scip.set": "limits/nodes = 0\n",
    "Highs.options": "time_limit = 0\n",
    ".env": "PYTHONPATH=.\nSCHEDPROOF_PLUGINS=random.py\n",
    ".coveragerc": "[run]\nplugins = random\n",
    "tox.ini": "[pytest]\naddopts = --trap\n",
    "pyvenv.cfg": "home = .\n",
    ".git/config": "[core]\nfsmonitor = touch ran\n",
    "setup.cfg": "[tool:pytest]\naddopts = --trap\n",
    "evil-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n",
    "evil-1.0.dist-info/entry_points.txt": "[schedproof.families]\nevil = random:FAMILY\n",
}


def folder_for(home: Path) -> Path:
    """Return a folder with the files that the command lines read; its code is in a folder of its own."""
    folder = home / "clean"
    (folder / "code").mkdir(parents=True)
    (folder / "day.json").write_bytes(DAY.read_bytes())
    drawn = from_json(registry.generate("multiserver", "tiny", 1, {}))
    write_json(folder / "few.json", {**drawn.to_json(), "arrivals": np.asarray(drawn.arrivals).tolist()})
    shutil.copy(EXAMPLES / "knapsack.py", folder / "code" / "sack.py")
    texts = {"plan.toml": PLAN, "sack.json": SACK, "log.csv": LOG, "code/rent.py": RENT, "code/mine.py": MINE}
    for name, text in texts.items():
        (folder / name).write_text(text)
    for name, line in MADE.items():
        assert in_process(folder, line)[0] == 0 and (folder / name).is_file()
    return folder


def set_traps(folder: Path, ran: Path) -> None:
    """Fill a folder with modules of all names that could be imported, and with configuration."""
    trap = f"open({str(ran)!r}, 'a').write(__name__ + chr(10))\n"
    for name in {*sys.stdlib_module_names, *packages_distributions(), *OPTIONAL.split(), *HOOKS}:
        if name.isidentifier():
            (folder / f"{name}.py").write_text(trap)
    (folder / "evil.pth").write_text(f"import os; {trap}")
    for name, text in HOSTILE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def run(folder: Path, line: str) -> tuple[int, str]:
    words = [sys.executable, "-P", "-m", "schedproof", *line.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout if "--json" in line else ""


def in_process(folder: Path, line: str) -> tuple[int, str]:
    """Run a command line as `run` does, but in one process, this one, which takes half the time."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), pytest.raises(SystemExit) as ended:
        patch.chdir(folder)
        patch.setattr(registry, "entry_points", lambda group: OURS)
        patch.setenv(plug_ins.VARIABLE, "")
        patch.setattr(plug_ins, "DRAFTS", dict(plug_ins.DRAFTS))
        patch.setattr(sys, "argv", ["schedproof", *line.replace("--jobs 2", "--jobs 1").split()])
        registry.forget()
        main()
    sys.modules.pop("sack", None)
    registry.forget()
    return int(ended.value.code or 0), out.getvalue() if "--json" in line else ""


def names(folder: Path) -> set[Path]:
    return {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}


def written(folder: Path, before: set[Path]) -> dict[Path, bytes]:
    """Return the bytes of new files, except tables, stores and compiled modules, which contain times or paths."""
    timed = (".sqlite", ".csv", ".pyc")
    return {name: b"" if name.suffix in timed else (folder / name).read_bytes() for name in names(folder) - before}


Run = Callable[[Path, str], tuple[int, str]]


@pytest.fixture(scope="module")
def forked(folders: tuple[Path, Path, Path]) -> Iterator[Run]:
    """Run command lines as `run` does, in the folder with traps; one process starts them all."""
    words = [sys.executable, "-P", "-c", STARTED]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, cwd=folders[1], text=True, **pipes) as server:

        def call(folder: Path, line: str) -> tuple[int, str]:
            print(line, file=server.stdin, flush=True)
            code = int(server.stdout.readline())
            return code, (folder.parent / "out.txt").read_text() if "--json" in line else ""

        yield call


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Return a folder without traps, one with traps, and the file in which a trap writes its name."""
    home = tmp_path_factory.mktemp("folders")
    clean, hostile, ran = folder_for(home), home / "hostile", home / "ran.txt"
    shutil.copytree(clean, hostile)
    set_traps(hostile, ran)
    return clean, hostile, ran


@pytest.mark.parametrize("command", [name for name in LINES if name != "tour" or PROFILE == "deep"][:: size(3, 1, 1)])
def test_a_trap_neither_runs_nor_changes_an_output(folders: tuple[Path, Path, Path], forked: Run, command: str) -> None:
    if why := LACKS.get(command):
        pytest.skip(why)
    clean, hostile, ran = folders
    results = []
    for folder, call in ((clean, in_process), (hostile, forked)):
        before = names(folder)
        results.append((*call(folder, LINES[command]), written(folder, before)))
    assert results[0][0] == 0
    assert without_seconds(results[0]) == without_seconds(results[1])
    assert not ran.exists(), ran.read_text()
    assert not (hostile / "ran").exists()


def without_seconds(result: tuple[int, str, dict[Path, bytes]]) -> object:
    return result[0], re.sub(r'seconds":[\d.e-]+', "", result[1]), result[2]


def test_a_trap_runs_where_the_working_folder_is_on_the_path(folders: tuple[Path, Path, Path]) -> None:
    _, hostile, ran = folders
    subprocess.run([sys.executable, "-c", "import colorsys"], cwd=hostile, check=True)
    assert ran.read_text() == "colorsys\n"
    ran.unlink()


@pytest.mark.parametrize("name", ["matplotlibrc", ".numba_config.yaml"])
def test_a_pipe_in_place_of_configuration_does_not_hang(
    folders: tuple[Path, Path, Path], name: str, tmp_path: Path
) -> None:
    (tmp_path / "day.json").write_bytes(DAY.read_bytes())
    os.mkfifo(tmp_path / name)
    assert run(tmp_path, "plot day.json --out picture.svg")[0] == 0
