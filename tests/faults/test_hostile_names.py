"""Names with markup, control characters and text direction marks in pages, pictures and terminals."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.simulation.pictures import save
from schedproof.experiments.curves import picture
from schedproof.proofs_checks import errata
from tests.command_line import Cli
from tests.faults.names import _renamed
from tests.support import size

MARKUP = "<script>alert(1)</script>]]>\\input{x}$x^$\"'|"
HOSTILE = MARKUP + "\n\x1b[31m\u202e\x07"
INDEXED = "x_(<script>\\input{x}) and y^(<script>\\input{x}) " + HOSTILE
COMMANDS = [
    "run srtf day.json --json",
    "ratio srtf day.json --bound preemptive.lp4 --plot ratio.svg",
    "compare day.json --what-if machines=2,3 --policy srtf --jobs 1 --plot curve.svg",
    "run srtf day.json --plot gantt.svg",
    "compare day.json --policy srtf --policy fifo --plot means.svg",
    "solve preemptive.minlp2 day.json",
    "plot day.json --out day.svg",
    "\x1b[31m\u202e",
    "--\x1b[31m",
    "run \x1b[31m\u202e day.json",
    "show \x1b[31m\u202e",
]


def require_harmless(svg: Path) -> None:
    text = svg.read_text(encoding="utf-8")
    xml.etree.ElementTree.fromstring(text)
    assert "<script" not in text and all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.parametrize("words", COMMANDS[: size(3, 6, len(COMMANDS))])
def test_a_command_prints_and_draws_no_control_character(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    day = _renamed(sp.embedded("day").to_json(), HOSTILE)
    Path("day.json").write_text(json.dumps(day, default=float))
    code, out, error = cli(*words.split(" "))
    assert code in (0, 2)
    assert all(letter.isprintable() or letter == "\n" for letter in out + error)
    for svg in tmp_path.glob("*.svg"):
        require_harmless(svg)


def test_a_hostile_policy_in_a_curve(tmp_path: Path) -> None:
    table = sp.compare([sp.embedded("day")], ["srtf"]).replace("srtf", HOSTILE)
    save(picture(table).figure, tmp_path / "curve.svg")
    require_harmless(tmp_path / "curve.svg")


def test_errata_escape_statements_and_notes() -> None:
    paper: Any = registry.family("jrp").paper
    found = [errata.Erratum(MARKUP, "false theorem", MARKUP, INDEXED, ((INDEXED, INDEXED),))]
    page, source = errata._as_html(paper, found), errata._as_latex(paper, found)
    assert "<script" not in page
    assert not re.search(r"\\input", source)
    assert all(letter.isprintable() or letter == "\n" for letter in page + source)
