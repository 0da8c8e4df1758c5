from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from schedproof.core.runtime import provenance as module
from schedproof.core.runtime.provenance import code, commit, provenance


def test_the_hash_of_the_code_covers_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package, single = tmp_path / "a_package_of_mine", tmp_path / "a_module_of_mine.py"
    package.mkdir()
    (package / "__init__.py").touch()
    single.write_text("x = 1")
    seen = []
    for change in (lambda: None, (package / "more.py").touch, lambda: (package / "data.json").write_text("{}")):
        change()
        code.cache_clear()
        seen.append(code("a_package_of_mine"))
    (package / "__pycache__").mkdir(exist_ok=True)
    (package / "__pycache__" / "more.pyc").touch()
    (package / ".schedproof-0123.part.json").touch()  # is gone before it is read, perhaps
    (package / ".#more.py").symlink_to("an editor's lock")
    code.cache_clear()
    assert len(set(seen)) == 3 and code("a_package_of_mine") == seen[-1]
    assert code("a_module_of_mine") != code("schedproof")
    without = code("a_package_of_mine", frozenset(["theirs"]))
    for name in ("theirs", "theirs_too"):
        (package / f"{name}.py").touch()
    code.cache_clear()
    assert code("a_package_of_mine", frozenset(["theirs"])) == without != code("a_package_of_mine")
    (package / "not_theirs.py").touch()
    code.cache_clear()
    assert code("a_package_of_mine", frozenset(["theirs"])) != without
    code.cache_clear()


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_a_commit_is_that_of_the_packages_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    def told() -> str | None:
        commit.cache_clear()
        return commit()

    git("init", "-q")
    copy = tmp_path / "schedproof" / "core" / "runtime" / "provenance.py"
    copy.parent.mkdir(parents=True)
    shutil.copy(str(module.__file__), copy)
    (tmp_path / "theirs").touch()
    git("add", "theirs")
    git("commit", "-qm", "of somebody else, in whose folder the package is installed")
    monkeypatch.setattr(module, "__file__", str(copy))
    assert told() is None
    git("add", "schedproof")
    git("commit", "-qm", "its own")
    assert told() == git("rev-parse", "HEAD")
    copy.write_text("changed")
    assert told() == git("rev-parse", "HEAD") + "-dirty"
    monkeypatch.setenv("PATH", "")
    assert told() is None
    commit.cache_clear()
    monkeypatch.undo()
    assert f"python {sys.version.split()[0]}" in str(provenance()["software"])
    commit.cache_clear()


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
@pytest.mark.parametrize("place", ["site-packages", "."])
def test_no_command_of_another_projects_checkout_runs(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "config", "core.fsmonitor", f"touch {tmp_path}/ran; true"], cwd=tmp_path, check=True)
    copy = tmp_path / place / "schedproof" / "core" / "runtime" / "provenance.py"
    copy.parent.mkdir(parents=True)
    (tmp_path / "theirs").touch()
    subprocess.run(["git", "add", "-N", "theirs"], cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    shutil.copy(str(module.__file__), copy)
    (tmp_path / "ran").unlink(missing_ok=True)
    monkeypatch.setattr(module, "__file__", str(copy))
    commit.cache_clear()
    assert commit() is None
    assert not (tmp_path / "ran").exists()
    commit.cache_clear()
