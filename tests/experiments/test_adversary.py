"""The table of the worst ratios: a row for each search, with what is proved beside what was found."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core import registry
from schedproof.core.bound import Guarantee
from schedproof.experiments.adversary import LINES, Line, main, row


def test_it_is_written_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ratios.md"
    words = [
        str(file),
        "--store",
        str(tmp_path / "s.sqlite"),
        *["--chains", "1", "--steps", "2", "--policy", "dmlrs.fifo"],
    ]
    main(words)
    first = file.read_text()
    assert "| dmlrs.fifo | " in first and "| dmlrs.exact | infinite |" in first and capsys.readouterr().out
    main(words)
    assert file.read_text() == first


def test_every_policy_but_the_slow_ones_is_in_it() -> None:
    families = ("preemptive", "dmlrs", "jrp", "placement")
    known = {id for id in registry.entries("policy") if id.partition(".")[0] in families}
    assert known - {line.policy for line in LINES} == {"preemptive.a_online_edge", "placement.tapfinger"}
    for line in LINES:
        registry.find("policy", line.policy)


def test_what_is_above_a_proved_value_stands_out() -> None:
    found = sp.worst("fifo", "dmlrs.exact", sp.generate("dmlrs", seed=1, jobs=2), free=["jobs[*].arrival=0..1"])
    line = Line("dmlrs.fifo", "dmlrs.exact")
    for value, answer, seen in (
        (Fraction(1, 2), "yes", True),
        (Fraction(1, 2), "no", False),
        (Fraction(9), "yes", False),
    ):
        run = replace(found.run, guarantee=Guarantee(value, "theorem", {"premise": answer}))
        told = row(line, replace(found, judged=found.judged._replace(run=run)))
        assert ("exceeded" in told) is seen and ("a premise fails" in told) is (answer == "no")
