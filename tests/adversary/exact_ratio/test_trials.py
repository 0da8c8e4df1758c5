from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.adversary.exact_ratio.best import Best
from schedproof.adversary.exact_ratio.proof import Proof
from schedproof.adversary.exact_ratio.prove import proof
from schedproof.adversary.walks.search import heavier, proves
from schedproof.adversary.walks.trials import TRIALS, Trial, trial_of
from schedproof.core.base.untyped import Json
from schedproof.core.data.reading import parse
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import USUAL
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.runtime.files import encode
from tests.command_line import Cli, told

WORDS: dict[str, Any] = {"sizes": 2, "present": 4}
Work = Callable[..., Proof | Best]


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Json]]:
    ratios: list[Json] = []
    add = Store.add

    def counted(store: Store, key: Row, row: Row) -> Row:
        ratios.append(key["ratio"])
        return add(store, key, row)

    monkeypatch.setattr(Store, "add", counted)
    return ratios


@pytest.mark.parametrize(
    ("work", "words"),
    [(partial(sp.prove, "srtf", **WORDS), "[0-9]+ states: at least"), (partial(sp.best_ratio, **WORDS), "at least")],
)
def test_it_resumes_after_every_interrupt(work: Work, words: str, tmp_path: Path, tried: list[Json]) -> None:
    store = tmp_path / "trials.sqlite"
    at_once = encode(work().to_file())
    assert encode(work(store=tmp_path / "whole.sqlite").to_file()) == at_once
    whole = [*tried]
    assert len(whole) > 2
    tried.clear()

    def stop(message: str, done: float | None = None) -> None:
        if re.match(words, message) and tried:
            raise KeyboardInterrupt

    intervals = []
    for n in range(len(whole)):
        tried.clear()
        with pytest.raises(Interrupted) as caught:
            work(store=store, progress=stop)
        assert tried == whole[n : n + 1]
        intervals.append(caught.value.best)
    assert [each.least for each in intervals] == sorted(each.least for each in intervals)
    tried.clear()
    assert encode(work(store=store).to_file()) == at_once and not tried


def test_another_setting_has_another_proof(tmp_path: Path, tried: list[Json]) -> None:
    store = tmp_path / "trials.sqlite"
    assert sp.prove("srtf", store=store, sizes=2, present=3).exact == Fraction(3, 2)
    tried.clear()
    assert sp.prove("srtf", store=store, sizes=2, present=4).exact == Fraction(11, 7) and tried


def test_false_rows_of_a_store_are_recomputed(
    tmp_path: Path, tried: list[Json], caplog: pytest.LogCaptureFixture
) -> None:
    honest = encode(sp.prove("srtf", **WORDS).to_file())
    graph = sp.prove("srtf", **WORDS).graph
    states = graph.states
    slot = int(np.flatnonzero(graph.tail + graph.head == 0)[0])  # nothing is present, and nothing arrives
    for more, enough in (
        ([], [0] * states),
        ([], [2**70] * states),
        ([], [-1] * states),
        ([], []),
        ([0, 3], []),
        ([slot], []),
        ([len(graph.tail)], []),
        ([-1], []),
    ):
        store = tmp_path / f"{len([*tmp_path.iterdir()])}.sqlite"
        sp.prove("srtf", store=store, **WORDS)
        with Store(TRIALS, store, trial_of) as kept:
            keys = [parse(key.encode()) for (key,) in kept._do("SELECT key FROM rows")]
            kept.forget(keys)
            for key in keys:
                kept.add(key, {"more": more, "enough": enough})
        tried.clear()
        assert encode(sp.prove("srtf", store=store, **WORDS).to_file()) == honest and len(tried) == len(keys)
        assert "recomputed" in caplog.text
        caplog.clear()


def test_a_damaged_file_gives_a_message(cli: Cli, tmp_path: Path) -> None:
    store = tmp_path / "trials.sqlite"
    words = ("prove", "srtf", "--option", "sizes=2", "--option", "present=3", "--store", store)
    first = told(cli(*words, "--json"))
    assert told(cli(*words, "--json")) == first
    pages = store.read_bytes()
    for n in range(0, len(pages), 997):  # a byte of the file, wherever it is
        store.write_bytes(pages[:n] + bytes([pages[n] ^ 0x55]) + pages[n + 1 :])
        code, out, error = cli(*words, "--json")
        assert parse(out.encode()) == first if code == 0 else code == 2 and len(error.splitlines()) == 1
    store.write_text("no database")
    code, _, error = cli(*words)
    assert code == 2 and f"is not a store of {TRIALS}" in error


def test_a_potential_violated_by_a_step_proves_no_bound() -> None:
    graph = sp.prove("srtf", sizes=2, present=3).graph
    _, potential = heavier(graph, Fraction(3, 2), USUAL)
    assert proves(graph, Fraction(3, 2), Trial(enough=potential))
    assert not proves(graph, Fraction(7, 5), Trial(enough=potential))
    wrong = 0
    for n in np.flatnonzero(potential).tolist():
        lower = potential.copy()
        lower[n] -= 1
        weight = 2 * graph.large.astype(int) - 3 * graph.small.astype(int)
        plain = (lower[graph.head] + weight <= lower[graph.tail]).all()
        assert proves(graph, Fraction(3, 2), Trial(enough=lower)) == plain
        wrong += not plain
    assert wrong


def test_a_store_without_a_place_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        proof("srtf", {}, USUAL, tmp_path / "nowhere" / "trials.sqlite")
