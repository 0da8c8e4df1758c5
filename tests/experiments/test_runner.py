import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from time import sleep

import schedproof.experiments as experiments
from schedproof.experiments.__main__ import NAMES


def runner(*words: str, path: Path | None = None) -> subprocess.Popen[str]:
    beside = {} if path is None else {"PYTHONPATH": f"{path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    return subprocess.Popen(
        [sys.executable, "-m", "schedproof.experiments", *words],
        env={**os.environ, **beside},
        cwd=Path(experiments.__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_knows_every_experiment() -> None:
    modules = (m.name for m in iter_modules(experiments.__path__) if m.name != "__main__")
    assert sorted(NAMES) == [m for m in modules if hasattr(import_module(f"schedproof.experiments.{m}"), "main")]


def test_it_starts_the_named_experiment_and_otherwise_lists_all(tmp_path: Path) -> None:
    process = runner("compare", "--preset", "nothing")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "") and err.startswith("schedproof: ") and err.count("\n") == 1
    for words in ([], ["nothing"]):
        process = runner(*words)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out) == (2, "") and all(name in err for name in NAMES)


def test_an_interrupt_of_its_imports_gives_one_message(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    slow = f"open({str(ready)!r}, 'w').close()\nimport time\ntime.sleep(60)\n"
    (tmp_path / "ast.py").write_text(slow)  # which the experiment imports first
    process = runner("mathematics", path=tmp_path)
    while not ready.exists():
        sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "schedproof: interrupted\n")
