from __future__ import annotations

import re
from contextlib import chdir
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check.bound import check
from schedproof.check.ratio import check as check_ratio
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import ProgramError
from tests.command_line import plugged_in
from tests.recorder.product import call

PAGE = (Path(__file__).parents[1] / "docs" / "your_own.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run the page's Python in a folder; return its names."""
    names: dict[str, Any] = {"__name__": "page", "folder": tmp_path_factory.mktemp("page")}
    printed: list[str] = []
    names["print"] = lambda *words: printed.append(" ".join(map(str, words)))
    with chdir(names["folder"]):
        for language, text in BLOCKS:
            if language == "python" and not text.startswith("# "):
                exec(compile(text, "docs/your_own.md", "exec", dont_inherit=True), names)
    return names | {"printed": printed}


def test_every_policy_is_feasible(told: dict[str, Any]) -> None:
    assert [line.split()[0] for line in told["printed"][:5]] == ["True"] * 5


def test_a_guarantee_bears_its_authors_name(told: dict[str, Any]) -> None:
    assert told["printed"][5].endswith("(M. E., Notes, 2026)") or told["printed"][5].endswith("says M. E., Notes, 2026")


def test_the_constraint_costs_something_and_two_routes_agree(told: dict[str, Any]) -> None:
    free, mine = told["printed"][6].split()[:2]
    assert float(mine) > float(free) and told["solution"].ended == "optimal"
    assert "maintenance" in told["printed"][7] and "[n = 1]" in told["printed"][8]


def test_the_constraint_has_a_bound_a_ratio_and_an_account(told: dict[str, Any]) -> None:
    bound, shares, tasks = told["bound"], told["shares"], told["tasks"]
    assert bound.verify(tasks) and bound.exact <= told["solution"].objective <= told["late"].objective
    assert {"maintenance", "capacity"} <= {part.name for part in shares.parts}
    assert sum(part.amount for part in shares.parts) == told["late"].objective - bound.exact
    with pytest.raises(ProgramError, match="does not cover this schedule: maintenance"):
        sp.policy(told["FirstFit"]()).run(tasks).ratio(bound)
    write_object(told["folder"] / "tasks.json", tasks.to_json())
    result = check(str(told["folder"] / "tasks.json"), str(told["folder"] / "mine.json"))
    assert result["statement"].endswith("of the program as listed")


def test_the_other_families_relaxations_take_a_constraint_as_well(told: dict[str, Any]) -> None:
    assert len(told["ratios"]) == 4
    for ratio in told["ratios"]:
        bound, instance = ratio.bound, ratio.run.instance
        plain = sp.bound(sp.program(bound.of.id), instance)
        assert bound.verify(instance) and abs(bound.value - plain.value) > 0.1
        assert sum(part.amount for part in ratio.gap.parts) == abs(bound.exact - ratio.run.objective)
        write_object(told["folder"] / "theirs.json", instance.to_json())
        write_bound(told["folder"] / "own.json", bound)
        result = check(str(told["folder"] / "theirs.json"), str(told["folder"] / "own.json"))
        assert result["statement"].endswith("of the program as listed")


def test_generated_rows_equal_listed_rows(told: dict[str, Any]) -> None:
    assert told["same"].objective == told["solution"].objective
    full, lazy = told["bounds"]
    assert lazy.value == pytest.approx(full.value) and lazy.details["rows"] < full.details["rows"]


def test_the_claim_is_refuted_by_its_smallest_counterexample(told: dict[str, Any]) -> None:
    result = told["result"]
    assert result.verdict == "refuted" and result.evidence == "exact certificate" and not result.blocks
    (case,) = result.found.values()
    assert 0 < case.x < 1
    assert told["printed"][9].splitlines()[0].startswith("notes.square")
    assert "x^2 >= x for every rational x." in told["printed"][9]
    assert told["printed"][10].startswith("notes.square is contradicted by the last of ")


def commands(first_line: str, folder: Path, number: int) -> str:
    """Run the page's commands on a file; return the last one's output."""
    card = next(text for language, text in BLOCKS if text.startswith(first_line))
    (folder / first_line.removeprefix("# ")).write_text(card)
    with chdir(folder), plugged_in(str(folder / first_line.removeprefix("# ").removesuffix(".py"))):
        for line in [text for language, text in BLOCKS if language == "sh"][number].splitlines():
            code, out, error = call(*line.split()[1:])
            assert (code, error) == (0, "")
    return out


def test_the_file_on_the_command_line(tmp_path: Path) -> None:
    assert " to the optimum among " in commands("# first_fit.py", tmp_path, 0)


def test_a_family_in_one_page(tmp_path: Path) -> None:
    assert "makespan: 0 of " in commands("# makespan.py", tmp_path, 1)


def test_the_ratio_of_a_rule_is_proven(told: dict[str, Any]) -> None:
    folder = told["folder"]
    assert told["proof"].exact == Fraction(3, 2) and told["proof"].sentence == told["printed"][-1]
    assert check_ratio(str(folder / "fewest_left.py"), str(folder / "fewest_left.json"))["at_most"] == "3/2"
