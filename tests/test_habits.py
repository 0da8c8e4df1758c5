from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.command_lines import command_names

yaml = pytest.importorskip("yaml", reason="PyYAML, of the extra test, is not installed")

ROOT = Path(__file__).parent.parent
GITHUB = ROOT / ".github"
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))


def read(path: Path) -> dict[Any, Any]:
    content: dict[Any, Any] = yaml.safe_load(path.read_text())
    assert isinstance(content, dict), path
    return content


def test_the_hooks_are_commands_of_the_environment() -> None:
    repos = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [repo["repo"] for repo in repos] == ["local"]
    hooks = {hook["id"]: hook for hook in repos[0]["hooks"]}
    assert [*hooks] == ["ruff", "format", "imports"]
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    ci = (ROOT / ".ci" / "run").read_text()
    for hook in hooks.values():
        command = shlex.split(hook["entry"])[0]
        assert shutil.which(command, path=path), f"{command} is not installed"
        assert hook["language"] == "system" and f".venv/bin/{hook['entry']}" in ci


def test_the_workflow_runs_the_script_of_ci() -> None:
    steps = read(GITHUB / "workflows" / "ci.yml")["jobs"]["run"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == [".ci/run"] and os.access(ROOT / commands[0], os.X_OK)
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]) for step in steps if "uses" in step)


def test_the_forms_cover_bugs_claims_and_features() -> None:
    assert [form.stem for form in FORMS] == ["bug", "claim", "feature"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_has_labelled_fields(form: Path) -> None:
    content = read(form)
    assert content["name"] and content["description"]
    ids = [field["id"] for field in content["body"]]
    assert len(set(ids)) == len(ids)
    assert all(field["type"] in ("input", "textarea") and field["attributes"]["label"] for field in content["body"])
    assert any(field.get("validations", {}).get("required") for field in content["body"])


def test_the_templates_name_commands_and_files_that_exist() -> None:
    text = "\n".join(path.read_text() for path in GITHUB.rglob("*") if path.is_file())
    commands = set(re.findall(r"`schedproof ([a-z][\w-]*)", text))
    assert {"claims", "generate", "refute"} <= commands <= set(command_names())
    files = re.findall(r"`([\w./-]+/[\w./-]+|[A-Z]+\.md)`", text)
    assert ".ci/run" in files and all((ROOT / file).exists() for file in files)


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert {"cff-version", "title", "message", "authors", "version", "license"} <= citation.keys()
    assert citation["version"] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
