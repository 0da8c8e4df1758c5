from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLUG_IN = ROOT / "tests" / "plug_in"
TEXT = (ROOT / "docs" / "contributing.md").read_text()
WALKS = dict(re.findall(r"^## (Add .+?)\n(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL))
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "schedproof", folder / "schedproof")
    for body in WALKS.values():
        for language, text in BLOCK.findall(body):
            if language == "python":
                head, _, rest = text.partition("\n")
                path, _, table = head.removeprefix("# ").partition(", ")
                file = folder / path
                file.write_text(
                    file.read_text().replace(f"    {table}=(\n", f"    {table}=(\n{rest}") if table else rest
                )
    return folder


def test_there_are_three_walks() -> None:
    assert [title.partition(":")[0] for title in WALKS] == ["Add a policy", "Add a claim", "Add a family"]


@pytest.mark.parametrize("walk", WALKS)
def test_the_commands_of_a_walk_run(house: Path, tmp_path: Path, walk: str) -> None:
    script = "\n".join(text for language, text in BLOCK.findall(WALKS[walk]) if language == "sh")
    command = f'schedproof() {{ "{sys.executable}" -m schedproof "$@"; }}\n{script}'
    path = os.pathsep.join((str(house), str(PLUG_IN)))
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=tmp_path,
        env=dict(os.environ, PYTHONPATH=path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    expected = {
        "Add a policy": r"^feasible",
        "Add a claim": r"^jrp.later_deadline +holds",
        "Add a family": r"^toy.half +refuted",
    }
    assert re.search(expected[walk.partition(":")[0]], run.stdout, re.MULTILINE)
