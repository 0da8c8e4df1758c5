from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.exact_ratio import best as module
from schedproof.adversary.exact_ratio.best import Best
from schedproof.check import ratio as checker
from schedproof.core.errors import InputError, NoSolution, UnknownName
from schedproof.core.runtime.deadline import Interrupted
from tests.adversary.exact_ratio.literal import Machines, any_policy, most
from tests.command_line import Cli, told
from tests.support import size

SMALL: dict[str, dict[str, Any]] = {
    "3 present": {"sizes": 2, "present": 3},
    "4 present": {"sizes": 2, "present": 4},
    "sizes up to 3": {"sizes": 3, "present": 4},
    "one machine": {"machines": 1, "sizes": 3, "present": 4},
    "with a memory": {"sizes": 4, "present": 3},
    "pinned": {"sizes": 2, "present": 4, "schedules": "pinned"},
    "whole": {"machines": 1, "sizes": 3, "present": 3, "schedules": "whole"},
    "faster": {"sizes": 3, "present": 3, "speed": "3/2"},
}
RATIOS = {
    "3 present": "6/5",
    "4 present": "4/3",
    "sizes up to 3": "7/5",
    "one machine": "1",
    "with a memory": "4/3",
    "pinned": "3/2",
    "whole": "3/2",
}


@cache
def found(name: str) -> Best:
    return sp.best_ratio(**SMALL[name])


@pytest.mark.parametrize("name", SMALL)
def test_both_sides_are_proven_by_the_checker(name: str, tmp_path: Path) -> None:
    result = found(name)
    result.write(tmp_path / "best.json")
    checked = checker.check(str(tmp_path / "best.json"))
    assert checked["at_least"] == checked["at_most"] == str(result.exact) == RATIOS.get(name, str(result.exact))


@pytest.mark.parametrize("name", ["3 present", "4 present", "sizes up to 3", "one machine"])
def test_the_policy_is_a_rule_of_that_ratio(name: str, tmp_path: Path) -> None:
    result, options = found(name), SMALL[name]
    result.write_rule(tmp_path / "mine.py")
    assert sp.prove(tmp_path / "mine.py", **options).exact == result.exact
    (tmp_path / "shortest.py").write_text("def run(jobs, machines):\n    return [*range(len(jobs))][:machines]\n")
    srtf = sp.prove(tmp_path / "shortest.py", **options).exact
    assert srtf is not None and result.exact <= srtf
    assert bool(result.departures) == (result.exact < srtf)
    for jobs, runs in result.departures:
        assert len(runs) == options.get("machines", 2) < len(jobs)


@pytest.mark.parametrize(("sizes", "present", "policy"), [(2, 3, "srtf"), (3, 4, "srtf"), (2, 4, "a_online")])
def test_our_policies_that_attain_the_best_ratio(sizes: int, present: int, policy: str) -> None:
    least = sp.best_ratio(sizes=sizes, present=present, schedules="pinned").exact
    assert least == sp.prove(policy, sizes=sizes, present=present).exact
    assert least <= sp.prove("tiresias_l", sizes=sizes, present=present).exact


def test_a_short_game_forces_no_more() -> None:
    exact, machines, kinds = found("4 present").exact, Machines(2, "migrating", 4), [(1, 1, 1), (2, 1, 1)]
    assert exact is not None
    player, slots = any_policy(machines), size(4, 5, 7)
    assert most(player, machines, kinds, slots, exact) == 0
    assert most(player, machines, kinds, slots, Fraction(8, 7)) > 0


def test_each_bound_by_itself_is_a_certificate(tmp_path: Path) -> None:
    result = found("3 present")
    for sides, words in (
        (result.sides._replace(kept=None), "is at least 6/5 ("),
        (result.sides._replace(forced=None), "is at most 6/5 ("),
    ):
        alone = replace(result, sides=sides)
        alone.write(tmp_path / "side.json")
        assert words in checker.check(str(tmp_path / "side.json"))["statement"]
        assert next(alone.lines()) == alone.sentence


def test_an_interrupt_keeps_the_proven_bounds() -> None:
    def stop(message: str, done: float | None = None) -> None:
        if message.startswith("at least 1, at most 2"):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        sp.best_ratio(sizes=3, present=4, schedules="pinned", progress=stop)
    assert caught.value.best.least <= 2 <= caught.value.best.most


def test_without_a_proof_in_time_the_message_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "best_within", lambda *given: None)
    with pytest.raises(NoSolution, match="no bound was proven within the time limit"):
        sp.best_ratio()


def test_invalid_requests_give_a_message(tmp_path: Path) -> None:
    cases: tuple[tuple[dict[str, Any], type[Exception], str], ...] = (
        ({"schedules": "floating"}, InputError, "one of migrating, pinned, whole"),
        ({"sizes": 2, "unit": 3}, InputError, "at least unit=3"),
        ({"colour": 1}, UnknownName, "unknown option"),
        ({"sizes": 6, "present": 8}, InputError, "expected at most 1000 states of a schedule, found 3003"),
    )
    for options, error, words in cases:
        with pytest.raises(error, match=words):
            sp.best_ratio(**options)
    with pytest.raises(InputError, match="depends on past arrivals"):
        found("with a memory").write_rule(tmp_path / "rule.py")


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    file, rule = tmp_path / "best.json", tmp_path / "best.py"
    small = ("--option", "sizes=2", "--option", "present=3")
    result = told(cli("best-ratio", *small, "--certificate", file, "--out", rule, "--json"))
    assert (result["at_least"], result["at_most"], result["exact"]) == ("6/5", "6/5", True)
    assert told(cli("check-best", file, "--json"))["at_least"] == "6/5"
    assert told(cli("prove", rule, *small, "--json"))["at_most"] == "6/5"
    assert "of 1 1 2 it runs 1 2" in cli("best-ratio", *small)[1]
    assert "runs the jobs with the shortest remaining time" in cli("best-ratio", *small, "--option", "machines=1")[1]
    file.write_text(file.read_text().replace('"6/5"', '"7/5"'))
    assert cli("check-best", file)[0] == 1
