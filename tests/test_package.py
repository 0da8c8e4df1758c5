from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINKS = ("formulations", "relaxations", "rounding", "online", "offline", "proofs_checks")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".hypothesis", "notebooks"
    )
    shutil.copytree(ROOT, source, symlinks=True, ignore=ignored)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_contains_exactly_the_modules_and_data_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "schedproof").rglob("*.py")}
    data = {str(path.relative_to(ROOT)) for path in (ROOT / "schedproof").rglob("*.json")}
    assert modules <= names
    assert data <= names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"schedproof"}


def test_the_page_of_an_index_is_the_readme_without_links_to_files_and_pictures(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    head, _, page = archive.read(name).decode().partition("\n\n")
    assert "Description-Content-Type: text/markdown" in head
    assert page.startswith("# schedproof\n") and "pip install schedproof" in page and "*Picture: A_online" in page
    links = re.findall(r"\]\(([^)]*)\)", page)
    assert links and all(link.startswith("https://") for link in links) and "![" not in page


@pytest.mark.skipif(not (ROOT / LINKS[0]).exists(), reason="the links are the repository's; a source archive has none")
@pytest.mark.parametrize("link", LINKS)
def test_each_link_points_to_its_package(link: str) -> None:
    assert (ROOT / link).is_symlink()
    assert (ROOT / link).resolve() == ROOT / "schedproof" / link


def in_fresh_python(code: str, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def test_importing_everything_uses_no_link() -> None:
    code = (
        "import pkgutil, sys, schedproof\n"
        "from contextlib import suppress\n"
        "from schedproof.core.errors import MissingExtra\n"
        "for m in pkgutil.walk_packages(schedproof.__path__, 'schedproof.'):\n"
        "    with suppress(MissingExtra):\n"
        "        if not m.name.endswith('__main__'): __import__(m.name)\n"
        "print(sorted(set(sys.argv[1:]) & set(sys.modules)), 'schedproof.online.preemptive.a_online' in sys.modules)\n"
    )
    assert in_fresh_python(code, *LINKS).split() == ["[]", "True"]


def test_the_command_line_loads_no_heavy_module_before_a_command_runs() -> None:
    code = (
        "import sys\n"
        "import schedproof.cli\n"
        "heavy = {'numpy', 'pyomo', 'cvxpy', 'ortools', 'highspy', 'numba', 'pandas', 'matplotlib',\n"
        "    'networkx', 'hypothesis', 'msgspec', 'pydantic', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    assert in_fresh_python(code).strip() == "[]"


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        ("show preemptive.ilp4", {"pyomo", "cvxpy", "scipy", "numba", "pandas", "pydantic", "rich"}),
        ("show placement.exact", {"pyomo", "cvxpy", "scipy", "numba", "pandas", "pydantic", "rich"}),
        ("show jrp.conic", {"pyomo", "cvxpy", "scipy", "numba", "pandas", "pydantic", "rich"}),
        ("show multiserver.stationary", {"pyomo", "cvxpy", "scipy", "numba", "pandas", "pydantic", "rich"}),
        ("show dmlrs.exact", {"pyomo", "cvxpy", "scipy", "numba", "pandas", "pydantic", "rich"}),
        (
            "solve preemptive.ilp4 schedproof/instances/embedded/day.json",
            {"scipy.stats", "cvxpy", "pandas", "matplotlib"},
        ),
        (
            "bound preemptive.lp4 schedproof/instances/embedded/day.json",
            {"scipy.stats", "pyomo", "cvxpy", "pandas", "matplotlib", "flint"},
        ),
        (
            "compare schedproof/instances/embedded/day.json --policy srtf --json",
            {"scipy.stats", "pyomo", "cvxpy", "matplotlib", "flint", "numba"},
        ),
    ],
)
def test_a_command_loads_no_module_that_it_does_not_need(command: str, unneeded: set[str]) -> None:
    code = (
        "import sys\n"
        "from schedproof.cli import main\n"
        "unneeded, sys.argv = sys.argv[1].split(), ['schedproof', *sys.argv[2:]]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code\n"
        "print()\n"
        "print(sorted({*unneeded} & sys.modules.keys()))\n"
    )
    assert in_fresh_python(code, " ".join(sorted(unneeded)), *command.split()).splitlines()[-1] == "[]"
