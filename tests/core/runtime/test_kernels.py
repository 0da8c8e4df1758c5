from __future__ import annotations

import gc
import os
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import schedproof as sp
from schedproof.core.runtime import compiled
from schedproof.core.runtime.files import encode
from tests.support import size

KERNELS = """
import logging, sys
from schedproof.core.runtime import compiled
from schedproof.core.runtime.kernels import kernel
compiled.PATIENCE = -1  # no call runs as Python
logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stdout)

@kernel
def cube(x):
    return x**3

print(cube(3), cube(0.5))
"""
COMPILED, KEPT = "compiling kernels, once\n27 0.125\n", "27 0.125\n"


POLICY = """
from time import perf_counter

import schedproof as sp
from schedproof.core.runtime import compiled
from schedproof.core.runtime.clock import compile_seconds
from schedproof.core.runtime.kernels import kernel
from schedproof.instances.placement.drive import Place

compiled.PATIENCE = -1


@kernel
def least(numbers):
    place = 0
    for other in range(len(numbers)):
        place = other if numbers[other] < numbers[place] else place
    return place


class First:
    def start(self, system):
        pass

    def decide(self, view):
        for task in view.pending:
            for n in task.clusters:
                if fitting := view.fitting(task, n):
                    return [Place(task.index, n, fitting[least([float(sum(amounts)) for amounts in fitting])])]
        return []


instance = sp.embedded("clusters")
started = perf_counter()
run = sp.policy(First()).run(instance)
print(run.seconds, compile_seconds(), perf_counter() - started)
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    file = tmp_path / "cubes.py"
    file.write_text(KERNELS)
    return file


def start(module: Path, **environment: str) -> subprocess.Popen[str]:
    ours = {name: value for name, value in os.environ.items() if name != "NUMBA_CPU_NAME"}
    variables = ours | {"NUMBA_CACHE_DIR": str(module.parent / "cache")} | environment
    command = [sys.executable, str(module)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    variables["PYTHONPATH"] = str(Path(__file__).parents[3])
    return subprocess.Popen(command, env=variables, text=True, **pipes)  # type: ignore[call-overload,no-any-return]


def told(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=500)
    assert (process.returncode, error) == (0, "")
    return out


def kept(module: Path) -> list[Path]:
    return sorted((module.parent / "cache").rglob("*.nb?"))


def test_a_kernel_is_compiled_once_per_cpu_and_again_after_a_change(module: Path) -> None:
    generic = {"NUMBA_CPU_NAME": "generic"}
    assert [told(start(module)), told(start(module, **generic)), told(start(module))] == [COMPILED, COMPILED, KEPT]
    assert len(kept(module)) == 1 + 4
    module.write_text(KERNELS.replace("x**3", "x**2"))
    assert told(start(module)) == "compiling kernels, once\n9 0.25\n"
    assert len(kept(module)) == 1 + 2, "machine code of the old file is gone: an index must never name it again"


def test_compiling_is_not_the_time_of_a_policy(tmp_path: Path) -> None:
    module = tmp_path / "first.py"
    module.write_text(POLICY)
    for _ in ("compiled", "kept"):
        seconds, compiling, wall = map(float, told(start(module)).split())
        assert 0 < seconds < compiling < wall and seconds + compiling <= wall


def test_an_unreadable_cache_is_recompiled(module: Path) -> None:
    told(start(module))
    for seed in range(size(1, 1, 200)):
        rng = random.Random(seed)
        for file in rng.sample(kept(module), rng.randint(1, 3)):
            whole = file.read_bytes()
            bad = (
                whole[: rng.randrange(len(whole))],
                rng.randbytes(rng.randrange(1, 100)),
                pickle.dumps("0.1") + whole[:40],
            )
            file.write_bytes(rng.choice(bad))
        assert told(start(module)) in (COMPILED, KEPT), seed
        assert told(start(module)) == KEPT, seed


def test_processes_that_compile_at_the_same_time_do_not_interfere(module: Path) -> None:
    for _ in range(size(1, 1, 30)):
        both = [start(module) for _ in range(2)]
        assert {told(process) for process in both} <= {COMPILED, KEPT}
        assert told(start(module)) == KEPT
        for file in kept(module):
            file.unlink()


def test_without_a_place_to_keep_them_kernels_are_compiled_all_the_same(module: Path) -> None:
    nowhere = {"NUMBA_CACHE_DIR": "/dev/null/x", "HOME": "/dev/null/x", "XDG_CACHE_HOME": "/dev/null/x"}
    nowhere["NUMBA_CACHE_LOCATOR_CLASSES"] = "UserProvidedCacheLocator,UserWideCacheLocator"
    assert told(start(module, **nowhere)) == COMPILED


INTERPRETED = """
import sys
import numpy as np
from schedproof.core.runtime import compiled
from schedproof.core.runtime.kernels import kernel

@kernel
def inner(values, k):
    if k < 50:
        return values[k] * 2
    return inner(values, k - 50) + 100

@kernel
def outer(values):
    total = 0
    for k in range(len(values)):
        total += inner(values, k)
    return total

dispatched, dispatch = [], compiled._Interpreting.__call__

def noted(self, *args):
    dispatched.append(self._dispatcher.__name__)
    return dispatch(self, *args)

compiled._Interpreting.__call__ = noted
print(outer(np.arange(int(sys.argv[1]))), len(outer.signatures))
assert dispatched == ["outer"], "the call of a kernel by an interpreted kernel is dispatched"
compiled.PATIENCE = float(sys.argv[2])
print(outer(np.arange(int(sys.argv[1]))), len(outer.signatures))
"""


@pytest.mark.parametrize(
    ("numbers", "patience", "first", "then"),
    [(100, 2.0, "9900 0", "9900 0"), (100, 0.0, "9900 0", "9900 1"), (3000, 2.0, "8997000 1", "8997000 1")],
)
def test_small_calls_run_as_python_until_patience_ends(
    numbers: int, patience: float, first: str, then: str, tmp_path: Path
) -> None:
    file = tmp_path / "sums.py"
    file.write_text(INTERPRETED)
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    command = [sys.executable, str(file), str(numbers)]
    for asked, expected in ((patience, [first, then]), (2.0, [first if patience else "9900 1", then])):
        out = subprocess.run([*command, str(asked)], check=True, capture_output=True, text=True, env=environment).stdout
        assert out.splitlines() == expected


@pytest.mark.parametrize("first", ["inner", "outer"])
def test_an_inner_kernel_is_compiled_for_other_kernels_and_runs_as_python(first: str) -> None:
    @compiled.njit(inner=True)
    def inner(number: float) -> float:
        return number / 4

    @compiled.njit()
    def outer(number: float) -> float:
        return inner(number) + 1

    assert first == "inner" or outer(2.0) == 1.5
    assert inner(2.0) == inner(number=2.0) == 0.5
    assert len(inner.signatures) == (first == "outer")
    assert outer(2.0) == 1.5


def test_without_compilation_kernels_are_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    for options in ({"inner": True}, {"cache": True, "scratch": ("number",)}):
        assert compiled.njit(**options)(lambda number: number / 4)(2.0) == 0.5


@pytest.mark.parametrize(
    ("policy", "family"),
    [
        ("gang_online", "preemptive"),
        ("pd_ors", "dmlrs"),
        ("fairness", "multiserver"),
        ("oga_sched", "multiserver"),
        ("placement.offline", "placement"),
    ],
)
def test_a_first_run_equals_a_compiled_one(policy: str, family: str, tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    file.write_bytes(encode(sp.generate(family, seed=3).to_json()))
    start = "from schedproof.core.runtime import compiled; compiled.PATIENCE = {}\n"
    start += "from schedproof.__main__ import main; main()"
    written = []
    for patience in ("2.0", "-1"):
        out = tmp_path / patience / "schedule.json"
        out.parent.mkdir()
        command = [sys.executable, "-c", start.format(patience), "run", policy, str(file)]
        command += ["--seed", "1", "--out", str(out)]
        cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")} if patience == "2.0" else {}
        run = subprocess.run(command, capture_output=True, check=False, env=os.environ | cache)
        assert run.returncode in (0, 1)  # 1: gang_online violates rows of parameter servers
        assert not cache or b"compiling" not in run.stderr
        written.append(re.sub(r'"\w*seconds": ?[0-9.e-]+', "", out.read_text()))
    assert written[0] == written[1]


def test_a_failed_compilation_leaves_garbage_collection_on() -> None:
    with pytest.raises(numba.TypingError):
        compiled.njit()(lambda number: number.missing)(1)
    assert gc.isenabled()
