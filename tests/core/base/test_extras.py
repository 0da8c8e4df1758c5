from __future__ import annotations

import subprocess
import sys

import pytest

import schedproof as sp

WITHOUT = """
import importlib.machinery as machinery, sys
find = machinery.PathFinder.find_spec
def found(cls, name, path=None, target=None):
    return None if name.partition(".")[0] in {missing!r} else find(name, path, target)
machinery.PathFinder.find_spec = classmethod(found)
import schedproof as sp
{code}
"""
RUNS = """
for name in sp.policies({family!r}):
    print(name, sp.policy(name).run(sp.embedded({instance!r})).objective)
"""


def without(missing: tuple[str, ...], code: str) -> str:
    command = [sys.executable, "-c", WITHOUT.format(missing=missing, code=code)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize(("family", "instance"), [("preemptive", "day"), ("placement", "clusters")])
def test_kernels_that_run_as_python_decide_the_same(family: str, instance: str) -> None:
    runs = [f"{name} {sp.policy(name).run(sp.embedded(instance)).objective}\n" for name in sp.policies(family)]
    assert without(("numba", "llvmlite"), RUNS.format(family=family, instance=instance)) == "".join(runs)


@pytest.mark.parametrize(
    ("missing", "code", "extra"),
    [
        (("numba", "llvmlite"), 'sp.policy("oga_sched").run(sp.embedded("ports"))', "fast"),
        (("piqp",), 'sp.jrp.conic.solve(sp.embedded("cells"), "piqp")', "convex"),
        (("scs",), 'sp.jrp.conic.solve(sp.embedded("cells"), "scs")', "convex"),
        (("pyscipopt",), 'sp.jrp.exact.solve(sp.embedded("cells"), "scip")', "minlp"),
    ],
)
def test_a_missing_extra_gives_a_message(missing: tuple[str, ...], code: str, extra: str) -> None:
    words = without(missing, code)
    assert "MissingExtra" in words and f"pip install 'schedproof[{extra}]'" in words
