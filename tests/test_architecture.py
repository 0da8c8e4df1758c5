from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from architecture import (
    CORE,
    LAYERS,
    SHARED,
    core_imports,
    core_packages,
    draw,
    draw_core,
    family_of,
    imports,
    layer_of,
    modules,
    sizes,
)

from schedproof.experiments import mathematics
from tests.support import FAMILIES

ROOT = Path(__file__).parents[1]
CODE = ROOT / "schedproof"
REASONS = {
    "check/bound.py": "one standard-library file",
    "check/optimum.py": "one standard-library file",
    "check/ratio.py": "in one file",
    "offline/preemptive/kernels.py": "All functions are in this file because",
    "online/multiserver/kernels.py": "All functions are in this file because",
    "relaxations/dmlrs/slot_kernels.py": "All kernels are in one file, because",
}  # of files that are longer than others may be
ABOVE = {layer: n for n, row in enumerate(LAYERS) for layer in row}


def test_the_layers_are_those_of_the_lint_step() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract for contract in contracts if contract["type"] == "layers")["layers"]
    rows = [tuple(name.strip().removeprefix("schedproof.") for name in row.split("|")) for row in layers]
    assert [row for row in rows if row == ("cli",) or layer_of(f"schedproof.{row[0]}") != "cli"] == list(LAYERS)


def test_no_arrow_points_up() -> None:
    assert len(imports()) > 20
    assert all(ABOVE[above] < ABOVE[below] for above, below in imports())


def test_only_the_command_line_imports_the_package_itself() -> None:
    importing = {
        name
        for name, nodes, _ in modules()
        for node in nodes
        if (isinstance(node, ast.Import) and any(alias.name == "schedproof" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "schedproof")
    }
    assert importing and {layer_of(name) for name in importing} == {"cli"}


@pytest.mark.parametrize(
    ("module", "layer", "family"),
    [
        ("schedproof.online.jrp.loads", "online", "jrp"),
        ("schedproof.proofs_checks.strategies.jrp_rounds", "proofs_checks", "jrp"),
        ("schedproof.reference.dmlrs", "reference", "dmlrs"),
        ("schedproof.core.cards.registry", "core", SHARED),
        ("schedproof.cli.terminal", "cli", SHARED),
        ("schedproof.check.regret", "core", SHARED),
    ],
)
def test_two_words_find_a_module(module: str, layer: str, family: str) -> None:
    assert (layer_of(module), family_of(module)) == (layer, family)


def test_every_line_is_counted_once() -> None:
    assert sum(sizes().values()) == sum(lines for _, _, lines in modules())
    assert all(sizes()[layer, family] for layer in ("instances", "formulations", "online") for family in FAMILIES)


def test_a_file_above_400_lines_states_its_reason() -> None:
    texts = {file.relative_to(CODE).as_posix(): file.read_text() for file in CODE.rglob("*.py")}
    long = {name: text for name, text in texts.items() if len(text.splitlines()) > 400}
    assert long.keys() == REASONS.keys()
    assert all(REASONS[name] in text.partition('\n"""\n')[0] for name, text in long.items())


def test_nine_files_are_at_the_top() -> None:
    assert len([file for file in CODE.iterdir() if file.suffix == ".py"]) <= 9


def test_it_is_drawn() -> None:
    texts = {text.get_text() for text in draw().texts}
    assert {*ABOVE, *FAMILIES, SHARED} <= texts


@pytest.mark.parametrize(
    ("family", "number", "group", "program", "claim", "rule", "policy"),
    [
        (
            "preemptive",
            "(4e)",
            "one_worker_per_chunk",
            "ilp",
            "eq4e_redundant",
            "chunk_on_one_worker_at_a_time",
            "a_online",
        ),
        ("jrp", "(10)", "completion", "groups", "split_equivalent", "completion", "loads"),
        ("multiserver", "(6)", "capacity", "allocation", "matrix18", "_capacity", "kernels"),
    ],
)
def test_the_walks_lead_to_the_stated_places(
    family: str, number: str, group: str, program: str, claim: str, rule: str, policy: str
) -> None:
    docs, code = ROOT / "docs", ROOT / "schedproof"
    page = (docs / "architecture.md").read_text()
    walk = next(line for line in page.splitlines() if line.startswith(f"| {number}, {family} |"))
    home, proofs = f"formulations/{family}/{program}.py", f"proofs_checks/{family}/{claim}.py"
    places = f"online/{family}/{policy}.py"
    assert all(f"`{word}`" in walk for word in (group, rule, home, proofs, places)) and (code / places).is_file()
    formulas = mathematics.page(family)
    row = next(line for line in formulas.splitlines() if line.startswith(f"| {number} |") and f"| `{group}` |" in line)
    assert f"[{claim}](../schedproof/{proofs}#{claim})" in row and home in formulas
    assert f"def {group}(" in (code / home).read_text()
    rules = (code / "instances" / family / "checker.py").read_text()
    assert f"def {rule}(" in rules and f'"""{number} ' in rules.partition(f"def {rule}(")[2][:200]


POINTER = "Versions of this algorithm: docs/architecture.md."
PATH = re.compile(r"`([\w/]+\.py)(?:::(\w+))?`")


def versions() -> list[list[str]]:
    table = (
        (ROOT / "docs/architecture.md").read_text().partition("## Versions of an algorithm")[2].partition("\n## ")[0]
    )
    rows = [line.strip("| ").split(" |") for line in table.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows[1:]]


def test_each_version_of_an_algorithm_points_to_the_table() -> None:
    files = {CODE / path for row in versions() for cell in row[1:5] for path, _ in PATH.findall(cell)}
    assert len(files) > 30 and all(file.is_file() for file in files)
    pointing = {file.parent / "__init__.py" if file.parent.name == "rules" else file for file in files}
    found = {file for file in CODE.rglob("*.py") if POINTER in file.read_text()}
    assert found == pointing


def test_each_algorithm_with_several_versions_names_tests_that_exist() -> None:
    for name, *_, tests in versions():
        assert PATH.findall(tests), name
        for file, test in PATH.findall(tests):
            assert f"def {test}(" in (ROOT / "tests" / file).read_text(), (name, file, test)


def test_the_packages_of_core_are_those_of_the_lint_step() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract.get("containers") == ["schedproof.core"])
    assert [tuple(name.strip() for name in row.split("|")) for row in rows] == list(CORE)
    above = {package: n for n, row in enumerate(CORE) for package in row}
    assert core_packages().keys() == above.keys()
    assert len(core_imports()) > 20 and all(above[one] < above[other] for one, other in core_imports())


def test_core_is_drawn_with_every_module() -> None:
    text = " ".join(text.get_text() for text in draw_core().texts).replace(",", "").split()
    assert {*core_packages(), *(name for names in core_packages().values() for name in names)} <= set(text)
