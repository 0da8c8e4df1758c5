"""Rules of all messages: the glossary's words, short sentences, and what was expected."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.test_words_of_pages import ROOT, avoided

RAISED = re.compile(r"(Error|Refused|NoSolution|Unproven|Undecided|SystemExit|WrongFile|Contradiction|Disagreement)$")
CALLED = {"expect", "require", "need", "warning", "info", "complain", "say"}
CALLS = re.compile(rf"({'|'.join(CALLED)}|{RAISED.pattern[:-1]})\(")  # a module without any need not be parsed
VAGUE = re.compile(r"\b(invalid|illegal|bad)\b", re.I)
FIRST = re.compile(r"[a-z{$'`%(*0-9-]|[A-Z]+\b|[A-Z]\w*[A-Z.(_]|(SQLite|Pyomo|LaTeX|Python|Encoding)\b")
WORD = re.compile(r"[\w.]+")


class Message(NamedTuple):
    place: str
    text: str


def text_of(node: ast.AST) -> str:
    """The text of a literal, with {} for each inserted value; empty for other expressions."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    if isinstance(node, ast.BinOp):
        return text_of(node.left) + text_of(node.right)
    return ""


def messages(source: str, place: str) -> Iterator[Message]:
    """The literal texts of at least two words in calls that raise, warn or print."""
    for node in ast.walk(ast.parse(source)) if CALLS.search(source) else ():
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CALLED or RAISED.search(name):
                texts = map(text_of, node.args)
                yield from (Message(f"{place}:{node.lineno}", text) for text in texts if " " in text.strip())


def faults(text: str) -> list[str]:
    """The rules that a message breaks."""
    found = [f"avoided: {word}" for word in avoided(text)]
    if any(len(WORD.findall(sentence)) > 40 for sentence in re.split(r"[.?!] ", text)):
        found.append("more than 40 words")
    if VAGUE.search(text) and "expected" not in text:
        found.append("not what was expected")
    if not FIRST.match(text.strip()):
        found.append("a capital first letter")
    return found + ["a full stop at the end"] * (text.endswith(".") and not text.endswith("..."))


def test_each_broken_rule_is_found() -> None:
    assert faults("jobs: expected a number >= 0, got {}") == []
    assert faults("an invalid file") == ["not what was expected"]
    assert faults("The verifier failed.") == ["avoided: verifier", "a capital first letter", "a full stop at the end"]
    assert faults("word " * 41) == ["more than 40 words"]
    source = "def f(x):\n    expect(x > 0, f'a {x}' ' b', 'x')\n    raise InputError('is late')\n"
    assert [*messages(source, "a")] == [("a:2", "a {} b"), ("a:3", "is late")]


def test_messages_obey_the_rules() -> None:
    files = sorted((ROOT / "schedproof").rglob("*.py"))
    every = [message for path in files for message in messages(path.read_text(), str(path.relative_to(ROOT)))]
    assert len(every) > 1000
    assert {message: broken for message in every if (broken := faults(message.text))} == {}
