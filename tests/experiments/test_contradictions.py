from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import Contradiction
from schedproof.experiments.table import contradictions
from schedproof.relaxations.preemptive.prices import PriceCertificate
from tests.command_line import Cli, written

SENTENCE = r"objective \d+ of its checked schedule is below the certified lower bound [\d/]+ on preemptive\.lp4"
PLAN: dict[str, Any] = {
    "generators": [{"name": "preemptive", "presets": "tiny", "seeds": 1}],
    "policies": ["srtf"],
    "bounds": ["preemptive.lp4"],
}


@pytest.fixture
def doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = PriceCertificate.value

    def lie(self: PriceCertificate, *words: Any, **more: Any) -> Fraction:
        return 2 * honest(self, *words, **more)

    monkeypatch.setattr(PriceCertificate, "value", lie)


def search() -> Any:
    day = sp.generate("preemptive", seed=2)
    return sp.worst("srtf", "preemptive.lp4", sp.Space(day, free=["jobs[0].arrival=0..1"]))


@pytest.mark.usefixtures("doubled")
@pytest.mark.parametrize(
    "work",
    [
        lambda: sp.policy("srtf").run(sp.embedded("day")).ratio(sp.bound("preemptive.lp4", sp.embedded("day"))),
        lambda: sp.compare([sp.embedded("day")], [sp.policy("srtf")]),
        lambda: sp.sweep(PLAN, jobs=1),
        search,
    ],
    ids=["ratio", "compare", "sweep", "worst"],
)
def test_every_command_stops(work: Callable[[], Any]) -> None:
    with pytest.raises(Contradiction, match=SENTENCE):
        work()


@pytest.mark.usefixtures("doubled")
def test_a_command_exits_with_the_message_and_code_1(cli: Cli, tmp_path: Path) -> None:
    code, out, error = cli("ratio", "srtf", written("day", tmp_path), "--bound", "preemptive.lp4")
    assert code == 1 and "certified ratio" not in out and "is below the certified lower bound" in error


def test_valid_rows_and_other_rules_cause_no_contradiction() -> None:
    day = sp.embedded("day")
    run: dict[str, Any] = {"kind": "run", "family": "preemptive", "policy": "srtf", "feasible": True}
    run |= {"instance_sha256": day.sha256, "objective": "10/1", "rules": {"speed": "1"}}
    bound: dict[str, Any] = {
        "kind": "bound",
        "proves": "preemptive.configuration_lp",
        "side": "lower",
        "verified": True,
    }
    bound |= {"instance_sha256": day.sha256, "value": "12/1", "parameters": {}}
    assert list(contradictions([run, bound])) == [day.sha256]
    assert contradictions([run | {"rules": {"chunks": "floating"}}, bound | {"proves": "preemptive.lp4"}])
    for more in (
        {"rules": {"speed": "2"}},
        {"rules": {"chunks": "floating"}},
        {"feasible": False},
        {"objective": "12"},
    ):
        assert not contradictions([run | more, bound])
    for more in ({"verified": False}, {"proves": ""}, {"parameters": {"speed": "1/2"}}, {"instance_sha256": "another"}):
        assert not contradictions([run, bound | more])
