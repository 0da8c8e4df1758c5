"""Traps in the working folder neither run nor change a command's output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import schedproof
from tests.support import PROFILE

DAY = Path(schedproof.__file__).parent / "instances" / "embedded" / "day.json"
LINES = {  # command -> a command line that works in a folder with the embedded instances
    "tour": "tour --out tour",
    "programs": "programs --json",
    "policies": "policies --json",
    "claims": "claims --json",
    "show": "show lp4 --json",
    "schema": "schema jrp",
    "solve": "solve lp4 day.json --json",
    "run": "run srtf day.json --out run.json",
    "check": "check day.json given.json --json",
    "bound": "bound lp4 day.json --certificate bound.json",
    "ratio": "ratio srtf day.json --bound lp4 --json",
    "worst": "worst srtf day.json --against lp4 --free jobs[*].arrival=0..2 --chains 2 --steps 2 --jobs 2 --json",
    "prove": "prove srtf --option machines=2 --option sizes=2 --option present=2 --json",
    "verify": "verify jrp.share_of_time --json",
    "check-bound": "check-bound day.json given_bound.json --json",
    "generate": "generate jrp --out drawn.json",
    "sweep": "sweep plan.toml --out sweep.csv --jobs 2",
    "compare": "compare day.json --policy srtf --json",
    "plot": "plot day.json --out picture.svg",
}
PLAN = 'policies = ["drf", "fifo"]\n[[generators]]\nname = "dmlrs"\npresets = ["tiny"]\nseeds = 2\n'
HOSTILE = {  # what libraries read from the folder in which they start
    "matplotlibrc": "figure.facecolor: red\ntext.usetex: True\n",
    ".numba_config.yaml": "cache_dir: .\ndisable_jit: 1\n",
    "gurobi.env": "LogFile gurobi.log\n",
    "setup.cfg": "[tool:pytest]\naddopts = --trap\n",
    "evil-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n",
    "evil-1.0.dist-info/entry_points.txt": "[schedproof.families]\nevil = random:FAMILY\n",
}


def folder_for(home: Path, name: str) -> Path:
    """Return a folder with the files that the command lines read."""
    folder = home / name
    folder.mkdir()
    (folder / "day.json").write_bytes(DAY.read_bytes())
    (folder / "plan.toml").write_text(PLAN)
    run(folder, "run srtf day.json --out given.json")
    run(folder, "bound lp4 day.json --certificate given_bound.json")
    return folder


def set_traps(folder: Path, ran: Path) -> None:
    """Fill a folder with modules of all names that could be imported, and with configuration."""
    trap = f"open({str(ran)!r}, 'a').write(__name__ + chr(10))\n"
    for name in {*sys.stdlib_module_names, *packages_distributions(), "sitecustomize", "usercustomize"}:
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


def names(folder: Path) -> set[Path]:
    return {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}


def written(folder: Path, before: set[Path]) -> dict[Path, bytes]:
    """Return the bytes of new files, except tables and stores, which contain times."""
    timed = (".sqlite", ".csv")
    return {name: b"" if name.suffix in timed else (folder / name).read_bytes() for name in names(folder) - before}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Return a folder without traps, one with traps, and the file in which a trap writes its name."""
    home = tmp_path_factory.mktemp("folders")
    clean, hostile, ran = folder_for(home, "clean"), folder_for(home, "hostile"), home / "ran.txt"
    set_traps(hostile, ran)
    return clean, hostile, ran


@pytest.mark.parametrize("command", [name for name in LINES if name != "tour" or PROFILE == "deep"])
def test_a_trap_neither_runs_nor_changes_an_output(folders: tuple[Path, Path, Path], command: str) -> None:
    clean, hostile, ran = folders
    results = []
    for folder in (clean, hostile):
        before = names(folder)
        results.append((*run(folder, LINES[command]), written(folder, before)))
    assert results[0][0] == 0
    assert without_seconds(results[0]) == without_seconds(results[1])
    assert not ran.exists(), ran.read_text()


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
