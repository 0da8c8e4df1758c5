"""Checks of certificates on the command line: what a limit cuts off is undecided, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from schedproof.cli.proofs import _check


class Refused(Exception):
    """As of a checker."""


def checker(work: Any) -> Any:
    return SimpleNamespace(check=work, Refused=Refused, lines=lambda result: [f"proven: {result['value']}"])


def forever(_: str) -> Any:
    while True:
        pass


def refuse(_: str) -> Any:
    raise Refused("it is for another instance")


@pytest.mark.parametrize(
    ("work", "code", "line"),
    [
        (forever, 3, "not checked within 0.1 s"),
        (refuse, 1, "NOT proven: it is for another instance"),
        (lambda _: {"value": "3/2"}, 0, "proven: 3/2"),
    ],
)
def test_a_limit_leaves_undecided_only_what_it_cuts_off(work: Any, code: int, line: str) -> None:
    answer = _check(checker(work), 0.1, Path("certificate.json"))
    assert (answer.exit_code, answer.lines) == (code, [line])
    assert answer.result["proven"] is {0: True, 1: False, 3: None}[code]
