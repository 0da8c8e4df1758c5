"""Python with ``-O`` and ``-OO``: the same output, and no check is lost."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import schedproof

ROOT = Path(schedproof.__file__).parent
PLUG_IN = ROOT.parent / "tests" / "plug_in"


LISTS = """
import re
from tests.recorder.product import call
assert call.__doc__
for words in ("show toy.knapsack --json", "show preemptive.ilp4 --json", "claims"):
    code, out, error = call(*words.split())
    print(words, code, error, re.sub('"built":.*?}],', "", out))
"""


def told(flag: str) -> str:
    environment = os.environ | {"PYTHONPATH": f"{ROOT.parent}{os.pathsep}{PLUG_IN}", "PYTHONOPTIMIZE": flag}
    ended = subprocess.run([sys.executable, "-c", LISTS], env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_lists_are_equal_without_docstrings() -> None:
    listed = told("")
    assert listed == told("2") and "toy.knapsack --json 0 " in listed and "\nclaims 0 " in listed


def test_asserts_only_narrow_types() -> None:
    for path in ROOT.rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "assert " in text else ():
            if isinstance(node, ast.Assert):
                parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
                known = all(isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.IsNot) for part in parts)
                assert known, f"{path}:{node.lineno}: under python -O nobody would check this"
