"""OGASched as proofs/oga.v defines it, extracted to OCaml, gives the schedules of the reference and of the policy."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import schedproof as sp
from schedproof.instances.multiserver import Instance, Utility, from_json
from schedproof.reference import multiserver as model
from schedproof.reference import multiserver_oga as oga
from tests.proofs.extracted import PROOFS, build
from tests.support import size
from tests.tiny.multiserver import KINDS, tiny_multiserver

STEPS = tuple(Fraction(n, 8) for n in (1, 2, 4, 12))
ROUNDING = 1e-9  # of the policy's doubles, in a few slots with amounts below 10
THEORIES = (
    *("sums", "ascent", "multiserver", "regret", "rows", "oga"),
    *("oga_regret", "oga_utilities", "oga_rational", "extract_oga"),
)

Schedule = list[model.Matrix]
Case = tuple[Instance, str, model.Gain, Fraction]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("built"), THEORIES, "oga_run", "run_oga")


def words(instance: Instance, slopes: str, gain: model.Gain, step: Fraction) -> list[object]:
    """Return the words of one run, in the order that run_oga.ml reads."""
    net = model.network(instance)

    def listed(items: Iterable[Iterable[object]]) -> list[object]:
        rows = [list(item) for item in items]
        return [len(rows), *(word for row in rows for word in row)]

    def numbers(row: Iterable[Fraction]) -> list[object]:
        return listed((x.numerator, x.denominator) for x in row)

    def utilities(row: Iterable[Utility]) -> list[object]:
        return listed((f.kind, f.alpha.numerator, f.alpha.denominator) for f in row)

    return [
        *(slopes, gain, step.numerator, step.denominator),
        *listed(listed([net.edges[e][1]] for e in edges) for edges in net.of_copy),
        *listed(map(numbers, net.demand)),
        *listed(map(numbers, net.capacity)),
        *numbers(net.overhead),
        *listed(map(utilities, net.channel)),
        *utilities(net.total),
        *listed(model.present(instance, slot) for slot in range(instance.horizon)),
    ]


def extracted(program: Path, cases: list[Case]) -> list[Schedule]:
    """Return each run's allocations, slot by slot."""
    text = "\n".join(" ".join(map(str, words(*case))) for case in cases)
    ended = subprocess.run([program], input=f"{len(cases)}\n{text}", capture_output=True, text=True, check=True)
    lines = iter(ended.stdout.splitlines())
    return [
        [
            tuple(tuple(binary(word) for word in next(lines).split()) for _ in model.network(instance).edges)
            for _ in range(instance.horizon)
        ]
        for instance, *_ in cases
    ]


def binary(word: str) -> Fraction:
    above, below = word.split("/")
    return Fraction(int(above, 2), int(below, 2))


def drawn(count: int, kinds: Sequence[str], horizon: int, slopes: str = "exact") -> list[Case]:
    cases: list[Case] = []
    for seed in range(count):
        instance = from_json(tiny_multiserver(seed, horizon=horizon, copies=1 + seed % 2, kinds=kinds))
        cases.append((instance, slopes, "node" if seed % 3 else "total", STEPS[seed % 4]))
    return cases


def clear_slots(instance: Instance, schedule: Schedule) -> int:
    """Return the number of slots before one whose dominant overhead is nearly tied, which rounding may decide."""
    overhead = model.network(instance).overhead
    for slot, y in enumerate(schedule):
        for copy in range(len(model.network(instance).demand)):
            charges = sorted(b * total for b, total in zip(overhead, model.totals(instance, y, copy), strict=True))
            if any(high - low < Fraction(1, 10**6) for low, high in pairwise(charges[-2:])) and charges[-1] > 0:
                return slot + 1
    return len(schedule)


def policy(instance: Instance, gain: model.Gain, step: Fraction) -> np.ndarray:
    schedule = sp.policy("multiserver.oga_sched", initial=str(step), gain=gain).run(instance).schedule
    return np.concatenate([*schedule.blocks()])


def test_extracted_runs_are_those_of_the_reference_and_of_the_policy(program: Path) -> None:
    few = size(25, 25, 50)
    cases = drawn(few, KINDS[:1], 8) + drawn(3 * few, KINDS[:3], 3) + drawn(few, KINDS, 6, "short")
    counted = Counter[str]()
    for (instance, slopes, gain, step), schedule in zip(cases, extracted(program, cases), strict=True):
        if slopes == "exact":
            run = oga.play(instance, model.nothing(instance), oga.constant(step), gain)
            assert schedule == [*run.decided]
        clear = clear_slots(instance, schedule)
        found, expected = (
            np.array(ys, dtype=np.float64).reshape(len(schedule), -1)[:clear]
            for ys in (policy(instance, gain, step), schedule)
        )
        assert np.abs(found - expected).max(initial=0) <= ROUNDING
        counted.update(moved=schedule[-1] != schedule[0], compared=clear, slots=len(schedule))
    print(dict(counted))
    assert counted["moved"] > len(cases) / 2 and counted["compared"] > 0.8 * counted["slots"]


# --- the embedded instance, which Coq itself runs ---------------------------------------------------------------------

EMBEDDED = PROOFS / "oga_embedded.v"
STEP = Fraction(1, 2)


def coq_list(items: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, items))}]"


def coq_data(instance: Instance) -> list[str]:
    """Return the lists of an instance's data as oga_embedded.v has them."""
    net = model.network(instance)

    def numbers(row: Iterable[Fraction]) -> str:
        return coq_list(f"{x.numerator}#{x.denominator}" for x in row)

    def utilities(row: Iterable[Utility]) -> str:
        return coq_list(f"({f.kind.capitalize()}, {f.alpha.numerator}#{f.alpha.denominator})" for f in row)

    return [
        coq_list(coq_list(net.edges[e][1] for e in edges) for edges in net.of_copy),
        coq_list(map(numbers, net.demand)),
        coq_list(map(numbers, net.capacity)),
        numbers(net.overhead),
        coq_list(map(utilities, net.channel)),
        utilities(net.total),
        coq_list(
            coq_list(str(bool(x)).lower() for x in model.present(instance, slot)) for slot in range(instance.horizon)
        ),
        f"{STEP.numerator}#{STEP.denominator}",
    ]


def test_coq_computes_the_policy_on_the_embedded_instance() -> None:
    text, instance = EMBEDDED.read_text(encoding="utf-8"), sp.embedded("ports")
    assert isinstance(instance, Instance)
    assert all(part in text for part in coq_data(instance))
    (table,) = re.findall(r"= (\[\[\[[-\d\[\]; \n]*\]\]\])%Z", text)
    computed = np.array(json.loads(table.replace(";", ",")), dtype=np.float64) / 10**12
    schedule = policy(instance, "node", STEP)
    assert computed.shape == schedule.shape == (16, 10, 3) and len(np.unique(computed.round(6), axis=0)) > 10
    assert np.abs(computed - schedule).max() <= ROUNDING
