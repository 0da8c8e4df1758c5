"""Commands that write, their undisturbed output, and their start."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.runtime.files import write_json
from schedproof.instances import from_json

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Command:
    """A command that writes files.

    Attributes
    ----------
    words
        Command line after ``python -m``; inputs are in the parent folder.
    states
        Allowed states of the files at any time, one letter each: old, new or gone.
    stores
        Whether the files are stores, which grow and may differ in their times.
    table, kept
        A file that grows row by row, and a file to resume from that is deleted at the end.
    """

    words: str
    files: tuple[str, ...]
    states: tuple[str, ...] = ("o", "n")
    stores: bool = False
    table: str = ""
    kept: str = ""


ARRAY = ("oo", "no", "nn")  # a new array with an old object is refused by whoever reads them
COMMANDS = {
    "run": Command(
        "schedproof run a_online ../day.json --out plan.json --plot plan.png",
        ("plan.json", "plan.png"),
        ("oo", "og", "ng", "nn"),
    ),
    "run-array": Command(
        "schedproof run oga_sched ../ports.json --out shares.json", ("shares.allocation.npy", "shares.json"), ARRAY
    ),
    "solve": Command("schedproof solve preemptive.minlp2 ../day.json --out solved.json", ("solved.json",)),
    "bound": Command("schedproof bound preemptive.lp4 ../day.json --certificate bound.json", ("bound.json",)),
    "bound-vipr": Command("schedproof bound preemptive.lp4 ../day.json --certificate bound.vipr", ("bound.vipr",)),
    "generate": Command("schedproof generate preemptive --preset testbed --out drawn.json", ("drawn.json",)),
    "generate-array": Command(
        "schedproof generate multiserver --preset default --set horizon=1000 --out drawn.json",
        ("drawn.arrivals.npy", "drawn.json"),
        ARRAY,
    ),
    "trace": Command(
        "schedproof trace openb ../nodes.csv ../pods.csv --option horizon=10 --option contention=1 --out openb.json",
        ("openb.json",),
    ),
    "tour": Command("schedproof tour --out .", ("gantt.png", "ratio.png", "lemma2.png"), ("ooo", "noo", "nno", "nnn")),
    "regret": Command("schedproof regret oga_sched ../few.json --plot regret.svg", ("regret.svg",)),
    "ratio": Command("schedproof ratio a_online ../day.json --bound preemptive.lp4 --plot ratio.pdf", ("ratio.pdf",)),
    "compare": Command(
        "schedproof compare --seeds 2 --policy srtf --policy a_online --out cells",
        ("cells",),
        stores=True,
    ),
    "verify": Command(
        "schedproof verify preemptive.lemma5 jrp.split_equivalent --record claims", ("claims",), stores=True
    ),
    "sweep": Command("schedproof sweep ../plan.toml --jobs 1 --store cells", ("cells",), stores=True),
    "worst": Command(
        "schedproof worst srtf --against preemptive.lp4 --chains 2 --steps 4 --keep 9/10 --jobs 1 --store places",
        ("places",),
        stores=True,
    ),
    "refute": Command("schedproof refute preemptive.lemma1 --cases 40 --store attack", ("attack",), stores=True),
}
STORES = tuple(name for name, command in COMMANDS.items() if command.stores)
LEARNED = {  # needs PyTorch, and takes long
    "train": Command(
        "schedproof train placement --preset tiny --seed 3 --option updates=6 --out w.safetensors",
        ("w.csv", "w.safetensors"),
        ("oo", "no", "nn", "on"),  # what is trained again has a new table and the old weights
        table="w.csv",
        kept="w.state",
    )
}
ALL = COMMANDS | LEARNED
PLAN = """
policies = ["srtf", "tiresias_l"]
bounds = ["preemptive.lp4"]
generators = [{ name = "preemptive", presets = ["tiny"], seeds = 6, settings = { jobs = 2 } }]
"""
PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"


@cache
def inputs() -> Path:
    """Return a folder with the inputs; it is removed with the process."""
    holder = tempfile.TemporaryDirectory(prefix="writing-")
    atexit.register(holder.cleanup)
    home = Path(holder.name)
    write_json(home / "day.json", sp.embedded("day").to_json())
    for name, preset, settings in (("ports", "default", {"horizon": "20"}), ("few", "tiny", {})):
        drawn = from_json(registry.generate("multiserver", preset, 1, settings))
        write_json(home / f"{name}.json", {**drawn.to_json(), "arrivals": np.asarray(drawn.arrivals).tolist()})
    (home / "plan.toml").write_text(PLAN)
    (home / "nodes.csv").write_text("sn,cpu_milli,memory_mib,gpu,model\nn1,64000,262144,2,P100\n")
    pods = [f"pod-{t},12000,16384,1,1000,,LS,Running,{t},{t + 50},{t}\n" for t in (0, 50, 99)]
    (home / "pods.csv").write_text(PODS + "\n" + "".join(pods))
    return home


@dataclass
class Ended:
    code: int
    out: str
    error: str
    seconds: float = 0.0  # from the disturbance on; 0 for none
    told: bool = False  # whether it was still running then


def start(
    command: Command, folder: Path, environment: Mapping[str, str] = MappingProxyType({}), **more: Any
) -> subprocess.Popen[str]:
    """Start a command in a folder, in a separate process group."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "plug_in"), os.environ.get("PYTHONPATH", "")))
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    more["env"] = {**os.environ, "PYTHONPATH": path, **environment}
    more["env"].pop("SCHEDPROOF_PROFILE", None)  # `verify` itself would run the deep profile's trials
    words = [sys.executable, "-m", *command.words.split()]
    return subprocess.Popen(words, cwd=folder, text=True, process_group=0, **more)


def end(process: subprocess.Popen[str]) -> Ended:
    """Wait for an undisturbed command; ignore progress messages of slow machines."""
    out, error = process.communicate(timeout=300)
    said = "".join(line for line in (error or "").splitlines(keepends=True) if not line.startswith("note: "))
    return Ended(process.returncode, out or "", said)


@dataclass(frozen=True)
class Undisturbed:
    files: dict[str, bytes]
    out: str
    seconds: float


@cache
def undisturbed(name: str) -> Undisturbed:
    command, folder = ALL[name], inputs() / f"{name}-undisturbed"
    folder.mkdir()
    began = time.perf_counter()
    ended = end(start(command, folder))
    seconds = time.perf_counter() - began
    assert (ended.code, ended.error) == (0, ""), ended
    assert sorted(p.name for p in folder.iterdir()) == sorted(command.files)
    return Undisturbed({file: (folder / file).read_bytes() for file in command.files}, ended.out, seconds)


def timeless(row: Any) -> Any:
    """Return a row without its seconds."""
    if isinstance(row, dict):
        return {key: timeless(value) for key, value in row.items() if not key.endswith("seconds")}
    return [timeless(value) for value in row] if isinstance(row, list) else row


def rows_of(store: Path) -> list[Any]:
    """Return the rows of a copy of a store, as SQLite repairs files that it opens."""
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{store}{end}", f"{folder}/copy{end}")
        with closing(sqlite3.connect(f"{folder}/copy")) as base:
            tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
            rows = base.execute("SELECT key, row FROM rows").fetchall() if "rows" in tables else []
    return [(key, timeless(json.loads(row))) for key, row in rows]
