"""Wrong plug-ins end in one sentence: the error and its fix."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.cli import main
from schedproof.core.cards import plug_ins, registry
from schedproof.core.claims import claims
from schedproof.core.runtime.files import write_json

BEGINNING = """\
from schedproof.core.certificates.bound import Bound
from schedproof.core.cards.family import BoundEntry, Entry, Family
from schedproof.core.programs.group import group
from schedproof.core.base.lazy import pyo
from schedproof.core.data.options import Option, choice, whole
from schedproof.core.programs.program import Program
class Mine:
    def start(self, system): pass
    def decide(self, view): return []
class Needy(Mine):
    def __init__(self, k): pass
class Broken(Mine):
    def __init__(self): raise RuntimeError('no data')
@group('variables', '(1)', 'x', ())
def x(block, instance): block.x = pyo.Var(bounds=(0, 1))
@group('objective', '(2)', 'x', ('x',))
def cost(block, instance): block.term = 2 * block.model().x.x
@group('constraints', '(3)', 'x', ('y',))
def needs_y(block, instance): pass
@group('constraints', '(4)', 'x', ('x',))
def looks_for_y(block, instance): block.row = pyo.Constraint(expr=block.model().y.x <= 1)
@group('constraints', '(5)', 'x', ('x',))
def empty_sum(block, instance): block.row = pyo.Constraint(expr=sum([]) >= 1)
@group('constraints', '(6)', 'x', ('x',))
def wants_speed(block, instance, *, speed): pass
@group('objective', '(7)', 'x', ('x',))
def no_term(block, instance): block.cost = pyo.Expression(expr=2 * block.model().x.x)
def program(*groups):
    return Program('placement.mine', 'minimize', (*groups, x))
def a_number(instance, **more): return 3
def raising(*given, **more): return {}['tasks']
"""


def card(rows: str, name: str = "placement") -> str:
    return f"FAMILY = Family('{name}', {rows})"


def policy(more: str = "", home: str = "plug_in:Mine") -> str:
    return card(f"policies=(Entry('mine', '{home}', 'Mine.'{more}),)")


def program(*groups: str) -> str:
    rows = ", ".join((*groups, "x"))
    return f"def mine(): return Program('placement.mine', 'minimize', ({rows},))\n" + card(
        "programs=(Entry('mine', 'plug_in:mine', 'Mine.'),)"
    )


def bound(home: str = "a_number", kind: str = "lower") -> str:
    certificate = "'schedproof.relaxations.placement.bounds:Prices'"
    row = f"BoundEntry('mine', 'plug_in:{home}', 'Mine.', kind='{kind}', certificate={certificate})"
    return card(f"bounds=({row},)")


LINE = "plug_in.py, line"
RUN, SOLVE, BOUND = "run mine clusters.json", "solve placement.mine clusters.json", "bound placement.mine clusters.json"
FILES = [
    # no card
    ("y = 1", RUN, 2, "plug_in.py", "FAMILY = Family(...)"),
    ("import nmupy", RUN, 2, "nmupy", LINE),
    ("y = (1", RUN, 2, "'(' was never closed", "line "),
    ("y = 1 / 0", RUN, 2, "division by zero", LINE),
    ("raise SystemExit(3)", RUN, 2, "SystemExit", LINE),
    # a card with mistakes
    (card("policies=(Entry('mine', 'plug_in:Mine'),)"), RUN, 2, "'sentence'", LINE),
    (card("policies=Entry('mine', 'plug_in:Mine', 'M')"), RUN, 2, "placement", "tuple of Entry"),
    (card("bounds=(Entry('mine', 'plug_in:mine', 'M'),)"), RUN, 2, "bounds", "BoundEntry"),
    (card("claims=('no_such_claims',)"), "claims --family placement", 2, "no_such_claims", "module"),
    (card("", "placment"), RUN, 2, "placment", "placement"),
    (policy().replace("'mine'", "'tiresias'"), RUN, 2, "placement.tiresias", "rename one"),
    (bound(kind="lowr"), BOUND, 2, "lowr", "lower"),
    # a home that leads nowhere
    (policy(home="plug_in.Mine"), RUN, 2, "plug_in.Mine", "module:attribute"),
    (policy(home="plug_on:Mine"), RUN, 2, "plug_on", "module"),
    (policy(home="plug_in:Mime"), RUN, 2, "Mime", "Mine"),
    (policy(home="plug_in:BEGINNING"), RUN, 2, "BEGINNING", "plug_in"),
    # options
    (policy(", (Option('k', int, 1, 'K.'),)"), RUN, 2, "int", "whole()"),
    (policy(", ('k',)"), RUN, 2, "mine", "tuple of Option"),
    (policy(", (Option('k', whole(), 1, 'K.'),)"), f"{RUN} --option k=2", 2, "option k", "plug_in:Mine"),
    (policy(", (Option('k', whole(), 1, 'K.'),)"), f"{RUN} --option k=0", 2, "k=0", "integer >= 1"),
    (policy(", (Option('k', choice('a', 'b'), 'a', 'K.'),)"), f"{RUN} --option k=c", 2, "k=c", "a, b"),
    (policy(), f"{RUN} --option k=2", 2, "'k'", "available: none"),
    (policy(home="plug_in:Needy"), RUN, 2, "'k'", "plug_in:Needy"),
    (policy(home="plug_in:Broken"), RUN, 2, "no data", LINE),
    # programs
    (program("cost").replace("mine()", "mine(k)"), SOLVE, 2, "'k'", "plug_in:mine"),
    (card("programs=(Entry('mine', 'plug_in:a_number', 'M'),)"), SOLVE, 2, "a_number", "'instance'"),
    (card("programs=(Entry('mine', 'plug_in:raising', 'M'),)"), SOLVE, 2, "'tasks'", LINE),
    (card("programs=(Entry('mine', 'plug_in:Mine', 'M'),)"), SOLVE, 2, "Mine", "Program"),
    (program(), SOLVE, 2, "objective", "keep one"),
    (program("cost", "cost"), SOLVE, 2, "'cost'", "drop it first"),
    (program("cost", "needs_y"), SOLVE, 2, "'needs_y' (3)", "'y'"),
    (program("cost", "looks_for_y"), SOLVE, 2, "'looks_for_y' (4)", LINE),
    (program("cost", "empty_sum"), SOLVE, 2, "'empty_sum' (5)", LINE),
    (program("cost", "wants_speed"), SOLVE, 2, "'wants_speed' (6)", "speed"),
    (program("no_term"), SOLVE, 2, "'no_term' (7)", "block.term"),
    # bounds
    (bound(), BOUND, 2, "3", "Bound"),
    (bound("raising"), BOUND, 2, "'tasks'", LINE),
    (bound("nothing"), BOUND, 2, "nothing", "plug_in"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an instance; no plug-in stays registered."""
    monkeypatch.setenv(plug_ins.VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    write_json(tmp_path / "clusters.json", sp.embedded("clusters").to_json())
    clears = [registry.forget, claims.of_family.cache_clear, claims.ledger.cache_clear]
    for clear in clears:
        clear()
    yield tmp_path
    sys.modules.pop("plug_in", None)
    for clear in clears:
        clear()


@pytest.mark.parametrize(("text", "words", "code", "wrong", "way_on"), FILES)
def test_a_wrong_file_gives_one_message_with_a_fix(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    words: str,
    code: int,
    wrong: str,
    way_on: str,
) -> None:
    (folder / "plug_in.py").write_text(f"{BEGINNING}{text}\n")
    monkeypatch.setattr(sys, "argv", ["schedproof", *words.split(), "--plugin", "plug_in.py"])
    with pytest.raises(SystemExit) as caught:
        main()
    out, error = capsys.readouterr()
    assert caught.value.code == code and out == "", error
    assert error.startswith("schedproof: ") and error.count("\n") == 1, error
    assert wrong in error and way_on in error.replace(wrong, "", 1), error
