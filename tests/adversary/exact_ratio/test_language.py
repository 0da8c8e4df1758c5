from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof import online
from schedproof.adversary.exact_ratio.language import parse
from schedproof.check.ratio import Refused, definitions
from schedproof.core.errors import InputError
from tests.command_line import EXAMPLES

SHIPPED = sorted(Path(online.__path__[0]).glob("*/rules/[a-z]*.py"))
RULES = [*SHIPPED, EXAMPLES / "migrating_srtf.py", EXAMPLES / "highest_density.py"]
OTHERS = [file for file in sorted(EXAMPLES.glob("*.py")) if file not in RULES]

EXPRESSIONS = (
    *("x", "jobs", "0", "-1", "True", "None", "'a'", "(1, 'a')", "b'a'", "1.5", "2j", "...", "open", "__x", "f'a'"),
    *("{0} + {1}", "{0} // {1}", "{0} % {1}", "{0} / {1}", "{0} ** {1}", "{0} @ {1}", "{0} << {1}", "{0} | {1}"),
    *("not {0}", "-{0}", "+{0}", "~{0}", "{0} and {1}", "{0} == {1} < {2}", "{0} in {1}", "{0} is {1}"),
    *("[{0}, *{1}]", "({0}, {1})", "{{{0}}}", "{{{0}: {1}}}", "{0}[{1}]", "{0}[{1}:{2}]", "{0}.append({1})"),
    *("{0}.sort()", "{0}.__class__", "{0}.pop", "max({0}, key={1})", "f(*{0}, **{1})", "f(__x={0})", "f'{{{0}}}'"),
    *("[{0} for x in {1} if {2}]", "sum({0} for x, *y in {1})", "{{{0} for x in {1}}}", "{{{0}: 1 for x in {1}}}"),
    *(
        "{0} if {1} else {2}",
        "(lambda x, *, y=0: {0})",
        "(lambda x={0}: x)",
        "(x := {0})",
        "(yield {0})",
        "(await {0})",
    ),
)
STATEMENTS = (
    *("{0}", "x = {0}", "x, y = {0}", "x = y = {0}", "x: int = {0}", "x[0] = {0}", "x.a = {0}", "x += {0}", "x **= 2"),
    *(
        "__x = {0}",
        "return {0}",
        "pass",
        "break",
        "continue",
        "del x",
        "assert {0}",
        "raise {0}",
        "global x",
        "import os",
    ),
    *("from __future__ import annotations", "from os import path", "nonlocal x", "for x in {0}: pass", "'a text'"),
    *("for x in {0}: break\nelse: pass", "while {0}: pass", "if {0}: pass\nelse: x = {1}", "with {0} as x: pass"),
    *("try: pass\nexcept: pass", "class A: pass", "match {0}:\n case 1: pass", "async def f(): pass", "type(x)"),
    *(
        "def run(jobs): return {0}",
        "def f(x={0}, *y, z: {1} = 1, **w) -> {2}: pass",
        "def __f(): pass",
        "def f(__x): pass",
    ),
    *(
        "@max\ndef f(x): pass",
        "def f(x):\n return x\n x = {0}",
        "f = lambda x: {0}",
        "MACHINES = 2",
        "place = keep = 3",
    ),
)


def read(parser: Callable[[str], dict[str, Any]], text: str) -> dict[str, Any] | None:
    try:
        found = parser(text)
    except (InputError, Refused):
        return None
    return {name: meaning(value) for name, value in found.items()}


def meaning(value: Any) -> Any:
    if isinstance(value, FunctionType):
        return value.__code__, repr(value.__defaults__), repr(value.__kwdefaults__)
    return repr(value)


def both(text: str) -> dict[str, Any] | None:
    mine, theirs = read(lambda given: parse(given, "rule"), text), read(definitions, text)
    assert mine == theirs
    return mine


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.stem)
def test_both_accept_a_rule(file: Path) -> None:
    found = both(file.read_text())
    assert found is not None and "run" in found


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: file.stem)
def test_both_reject_invalid_rules(file: Path) -> None:
    assert both(file.read_text()) is None


def inside(text: str) -> str:
    return "def run(jobs):\n" + "\n".join(f" {line}" for line in text.splitlines())


def test_both_know_every_piece_of_the_language() -> None:
    pieces = [inside(each.format("x", "y", "1")) for each in (*EXPRESSIONS, *STATEMENTS)]
    pieces += [before + each.format("1", "2", "3") for each in STATEMENTS for before in ("", "x = 1\n")]
    accepted = [text for text in pieces if both(text) is not None]
    assert len(pieces) / 3 < len(accepted) < len(pieces) * 2 / 3


def filled(forms: tuple[str, ...], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(str.format, st.sampled_from(forms), inner, inner, inner)


DRAWN = filled(STATEMENTS, st.recursive(st.sampled_from(EXPRESSIONS[:15]), lambda inner: filled(EXPRESSIONS, inner)))


@given(st.lists(DRAWN | DRAWN.map(inside), max_size=4))
def test_both_agree_on_random_texts(statements: list[str]) -> None:
    both("\n".join(statements))


@given(st.sampled_from(RULES), st.lists(st.tuples(st.integers(0, 99), DRAWN), min_size=1, max_size=2))
def test_both_agree_on_a_rule_with_other_lines(file: Path, changes: list[tuple[int, str]]) -> None:
    lines = file.read_text().splitlines()
    for number, statement in changes:
        old = lines[number % len(lines)]
        margin = old[: len(old) - len(old.lstrip())]
        lines[number % len(lines)] = "\n".join(margin + line for line in statement.splitlines())
    both("\n".join(lines))


@given(
    st.sampled_from(RULES), st.integers(0, 3000), st.integers(0, 3), st.sampled_from(EXPRESSIONS) | st.text(max_size=3)
)
def test_both_agree_on_a_rule_with_other_characters(file: Path, at: int, gone: int, more: str) -> None:
    text = file.read_text()
    at %= len(text)
    both(text[:at] + more + text[at + gone :])
