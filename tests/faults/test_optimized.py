"""Python without asserts (``-O``) and without docstrings (``-OO``): the same output, and no check is lost."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import schedproof

ROOT = Path(schedproof.__file__).parent
PLUG_IN = ROOT.parent / "tests" / "plug_in"


def told(flag: str, *words: str) -> str:
    environment = os.environ | {"PYTHONPATH": f"{ROOT.parent}{os.pathsep}{PLUG_IN}", "PYTHONOPTIMIZE": flag}
    command = [sys.executable, "-m", "schedproof", *words]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize(
    "words", [("show", "toy.knapsack", "--json"), ("show", "preemptive.ilp4", "--json"), ("claims",)]
)
def test_what_is_listed_is_the_same_without_docstrings(words: tuple[str, ...]) -> None:
    assert told("2", *words) == told("", *words)


def test_asserts_say_what_is_known_of_types_and_check_nothing() -> None:
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assert):
                parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
                known = all(isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.IsNot) for part in parts)
                assert known, f"{path}:{node.lineno}: under python -O nobody would check this"
