"""Hypothesis profiles ``dev`` (default), ``ci``, ``deep`` (SCHEDPROOF_PROFILE); fixtures."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from math import inf
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from schedproof.cli import main, terminal
from schedproof.core.runtime import deadline
from schedproof.proofs_checks.trials import by_the_seed_alone
from tests.command_line import COMPILING, Cli, written
from tests.costs import KEPT, left_out
from tests.support import PROFILE

KERNELS = Path(__file__).parents[1] / ".ci" / "kernels.py"
LONG = ("tests/faults/", "tests/experiments/", "tests/test_")  # files whose tests take seconds
EXAMPLES = {"dev": 10, "ci": 20, "deep": 1000}

for name, examples in EXAMPLES.items():
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,  # nothing is judged by the clock
        print_blob=True,
        derandomize=name != "deep",  # a run that fails once fails again: see `the_same_draws`
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(PROFILE)


def pytest_sessionstart(session: pytest.Session) -> None:
    option = session.config.option
    if getattr(option, "dist", "no") != "no" and not hasattr(session.config, "workerinput") and not option.collectonly:
        subprocess.run([sys.executable, KERNELS], check=False)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    everything = [Path(word).name for word in config.args] == ["tests"]  # a file or test that is named is run whole
    if PROFILE in KEPT and everything and not config.pluginmanager.hasplugin("tests.costs"):
        left = left_out(items, PROFILE)
        config.hook.pytest_deselected(items=left)
        gone = set(left)
        items[:] = [item for item in items if item not in gone]


def pytest_runtest_setup() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def the_same_draws() -> Iterator[None]:
    with nullcontext() if PROFILE == "deep" else by_the_seed_alone():
        yield


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let interrupted work end by itself, on slow machines too."""
    monkeypatch.setattr(deadline, "TO_END", 60.0)
    monkeypatch.setattr(deadline, "grace", lambda _: 60.0)


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run the command line in this process: exit code, stdout, stderr."""
    monkeypatch.setattr(terminal, "MINUTE", inf)  # on a busy machine little work takes one

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["schedproof", *map(str, words)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, error = capsys.readouterr()
        assert "Traceback" not in error
        return int(caught.value.code or 0), out, error.replace(COMPILING, "")

    return call


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """The embedded instance as a file."""
    return written("day", tmp_path)
