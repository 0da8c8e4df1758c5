from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from fractions import Fraction
from operator import eq, ge, le
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "refutations"
SCRIPTS = sorted(PAGES.glob("*/*.py"))
NUMBER = r"(-?\d+(?:/\d+)?)"
LINE = re.compile(rf"^(bound )?(.+): {NUMBER} should be (at most|at least|equal to) {NUMBER}$", re.MULTILINE)
RELATIONS = {"at most": le, "at least": ge, "equal to": eq}
NEAR = Fraction(1, 50)  # what a proven bound of a script's own may differ from a stored one, as a share of it
each = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}.{path.stem}")

Numbers = tuple[str, Fraction, Fraction]  # a reading, measured, claimed


def output(script: Path) -> str:
    command = [sys.executable, "-I", "-Werror", script]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def stored(family: str, claim: str, root: Path = ROOT) -> set[Numbers]:
    folder = root / "schedproof" / "proofs_checks" / family / "witnesses"
    witnesses = [json.loads(path.read_text()) for path in folder.glob(f"{claim}*.json")]
    return {
        (reading, Fraction(numbers["measured"]), Fraction(numbers["claimed"]))
        for witness in witnesses
        if witness["claim"] == f"{family}.{claim}"
        for reading, numbers in witness["violates"].items()
    }


def faults(text: str, witnesses: set[Numbers]) -> list[str]:
    found, lines = [], LINE.findall(text)
    for bound, reading, measured, relation, claimed in lines:
        left, right = Fraction(measured), Fraction(claimed)
        off = NEAR if bound else Fraction(0)
        known = any(name == reading and close(left, m, off) and close(right, c, off) for name, m, c in witnesses)
        if not known or RELATIONS[relation](left, right):
            found.append(f"{reading}: {measured} {relation} {claimed}")
    return found if lines else ["no reading"]


def close(printed: Fraction, stored: Fraction, off: Fraction) -> bool:
    return abs(printed - stored) <= off * abs(stored)


@each
def test_a_script_recomputes_stored_numbers(script: Path) -> None:
    assert faults(output(script), stored(script.parent.name, script.stem)) == []


@each
def test_a_script_is_short_and_imports_the_standard_library_only(script: Path) -> None:
    lines = script.read_text().splitlines()
    assert len(lines) <= 60 and max(map(len, lines)) <= 120
    tree = ast.parse(script.read_text())
    assert ast.get_docstring(tree)
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names
    assert "open" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_each_page_has_a_script_and_each_script_a_page() -> None:
    pages = {path.relative_to(PAGES).with_suffix("") for path in PAGES.glob("*/*.md")}
    assert {path.relative_to(PAGES).with_suffix("") for path in SCRIPTS} == pages


def test_a_changed_number_is_detected(tmp_path: Path) -> None:
    text = output(PAGES / "preemptive" / "lemma1.py")
    witness = {"measured": "210/11", "claimed": "12/1"}
    folder = tmp_path / "schedproof" / "proofs_checks" / "preemptive" / "witnesses"
    folder.mkdir(parents=True)
    for change, noticed in ({}, False), ({"measured": "211/11"}, True), ({"claimed": "13/1"}, True):
        violates = {"as printed": witness | change}
        (folder / "lemma1.json").write_text(json.dumps({"claim": "preemptive.lemma1", "violates": violates}))
        assert bool(faults(text, stored("preemptive", "lemma1", tmp_path))) == noticed
    numbers = stored("preemptive", "lemma1")
    assert faults(text, numbers) == []
    assert faults("bound as printed: 19 should be at most 12", numbers) == []
    for wrong in (
        "as printed: 210/11 should be at least 12",
        "as printed: 19 should be at most 12",
        "another: 210/11 should be at most 12",
        "bound as printed: 18 should be at most 12",
        "as printed",
    ):
        assert faults(wrong, numbers)


def test_a_script_that_fails_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text("print('as printed: 2 should be at most 1')\nassert 1 > 2\n")
    with pytest.raises(AssertionError, match="at most 1"):
        output(tmp_path / "fails.py")
