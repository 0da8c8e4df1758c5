from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.check import bound as checker
from schedproof.check.bound import Refused, check
from schedproof.core.base.balls import enclose
from schedproof.core.cards import registry
from schedproof.core.certificates.bounds import bound as certified
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.runtime.files import encode
from schedproof.instances import from_json, multiserver
from schedproof.instances.dmlrs.utility import Sigmoid
from tests.certificates import FORGERIES, OPTIONS, Desk, honest, instance_of
from tests.support import FAMILIES, size
from tests.tiny.multiserver import tiny_multiserver
from tests.tiny.restarts import few_jobs

TOOL = Path(str(checker.__file__))


def decoded(row: Any) -> Any:
    return json.loads(encode(row))


def test_the_independent_checker_knows_every_bound_of_the_cards() -> None:
    ours = {id: entry for id, entry in registry.entries("bound").items() if id.split(".")[0] in FAMILIES}
    assert ours.keys() == checker.BOUNDS.keys() == OPTIONS.keys()
    for id, (_, kind, among, parameters, _) in checker.BOUNDS.items():
        entry = registry.bound_entry(id)
        assert (kind, among, set(parameters.split())) == (entry.kind, entry.among, set(entry.parameters))


@pytest.mark.parametrize("family", FAMILIES)
def test_both_accept_valid_certificates(family: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for seed, instance, bound in honest(family, size(20, 24, 500)):
        desk.put(instance)
        assert desk.refusals(instance, bound.to_file()) == ("", ""), (seed, bound.statement)


@pytest.mark.parametrize("family", FAMILIES)
def test_both_reject_changed_certificates(family: str, tmp_path: Path) -> None:
    desk, rng, each = Desk(tmp_path), random.Random(family), 10
    for seed, instance, bound in honest(family, size(20, 24, 1000) // each):
        desk.put(instance)
        row = decoded(bound.to_file())
        for n in range(each):
            forge = FORGERIES[n % len(FORGERIES)]
            forged = copy.deepcopy(row)
            forge(rng, forged, instance)
            assert encode(forged) != encode(row)
            first, second = desk.refusals(instance, forged)
            assert first and second, (seed, bound.statement, forge.__name__, first, second)
            assert "\n" not in first + second and max(len(first), len(second)) < 600


@pytest.mark.parametrize("family", FAMILIES)
def test_both_reject_the_certificate_of_another_instance(family: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for seed, _, bound in honest(family, size(3, 6, 100)):
        other = instance_of(family, seed + 100)
        desk.put(other)
        assert all("another instance" in words for words in desk.refusals(other, bound.to_file()))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_hash_depends_on_the_content_not_on_the_format(family: str, tmp_path: Path) -> None:
    rng = random.Random(5)
    names = 'plain "quoted" \\ slash / \u00e9\u4e16\U0001f600 \x7f\u2028 \t\n\x01'

    def shuffled(value: Any, place: str = "") -> Any:
        if isinstance(value, list):
            return [shuffled(each, place) for each in value]
        if not isinstance(value, dict):
            return value
        free = place in checker.MAPS  # the order of these keys is part of what is said
        keys = list(value) if free else rng.sample(list(value), len(value))
        return {key: shuffled(value[key], key) for key in keys}

    for seed in range(size(5, 12, 200)):
        value = instance_of(family, seed).to_json()
        rows = registry.family(family).own.size[0] if family != "multiserver" else "ports"
        if value[rows]:
            value[rows][0]["name"] = names
        instance = from_json(value)
        text = json.dumps(shuffled(json.loads(encode(value), parse_float=_Number)), indent=3, default=str)
        (tmp_path / "instance.json").write_text(text)
        told = checker.read(str(tmp_path / "instance.json"))
        assert checker.identity(told) == instance.sha256, seed


class _Number(float):
    """A decimal with its original text."""

    def __new__(cls, text: str) -> _Number:
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str

    def __repr__(self) -> str:
        return self.text


def test_a_bound_holds_for_restarts(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for seed in range(3):
        desk.put(instance := few_jobs(seed, restart=2))
        for program in ("lp4", "configuration_lp", "floating_configuration_lp"):
            assert desk.refusals(instance, certified(f"preemptive.{program}", instance).to_file()) == ("", "")


def test_arrivals_may_be_in_a_separate_file(tmp_path: Path) -> None:
    for n, kind in enumerate((np.uint8, np.int16, np.int64, np.uint32)):
        value = tiny_multiserver(n, horizon=3000, copies=2)
        value["arrivals"] = np.array(value["arrivals"], dtype=kind)
        instance = multiserver.from_json(value)
        write_object(tmp_path / "instance.json", value)
        assert (tmp_path / "instance.arrivals.npy").exists()
        for id in ("stationary", "slot_optimum"):
            bound = sp.bound(id, instance)
            write_bound(tmp_path / "bound.json", bound)
            assert (
                check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))["value"]
                == bound.to_file()["value"]
            )
    array = (tmp_path / "instance.arrivals.npy").read_bytes()
    for content in (array[:-4], array[:50], b"", array[:-4] + b"\xff" * 4, array.replace(b"False", b"True ")):
        (tmp_path / "instance.arrivals.npy").write_bytes(content)
        with pytest.raises(Refused):
            check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))


def test_unusable_files_give_one_message(tmp_path: Path) -> None:
    desk, instance = Desk(tmp_path), sp.embedded("day")
    desk.put(instance)
    good = encode(sp.bound("preemptive.lp4", instance).to_file())
    bad = [
        b"",
        b"{",
        b"[]",
        b"7",
        good[:-20],
        good.replace(b'"kind"', b'"version":1,"kind"'),
        b"[" * 10**5,
        b"\xff\xfe",
    ]
    bad += [good.replace(b'"half"', b"NaN"), good.replace(b'"values":[', b'"values":[1e999999999,')]
    bad += [good.replace(b'"values":[', b'"values":[' + b"9" * 5000 + b",")]
    bad += [good.replace(b'"values":[', b'"values":[' + b"[" * n + b"]" * n + b",") for n in (100, 900, 980)]
    bad += [good.replace(b'"values":[', b'"values":[1e399,')]
    for content in bad:
        (tmp_path / "bound.json").write_bytes(content)
        with pytest.raises(Refused) as caught:
            check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400, content[:40]
    with pytest.raises(Refused, match="cannot be read"):
        check(str(tmp_path / "instance.json"), str(tmp_path / "nothing.json"))


def test_the_tool_runs_without_the_package(tmp_path: Path) -> None:
    desk, instance = Desk(tmp_path), sp.embedded("cells")
    desk.put(instance)
    bound = sp.bound("jrp.lp_i", instance)
    write_bound(tmp_path / "bound.json", bound)
    words = [sys.executable, "-I", str(TOOL), str(tmp_path / "instance.json"), str(tmp_path / "bound.json")]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"proven: {bound.statement}\nvalue {bound.to_file()['value']}\n"
    ended = subprocess.run(words[:-1], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and ended.stderr.startswith("NOT proven: usage")
    source = TOOL.read_text()
    assert "schedproof" not in source.replace("``", "") and "numpy" not in source


def test_it_needs_only_the_standard_library() -> None:
    imported = {
        line.split()[1].split(".")[0] for line in TOOL.read_text().splitlines() if line.startswith(("import", "from"))
    }
    assert imported <= sys.stdlib_module_names


def test_irrational_values_are_rounded_to_the_safe_side() -> None:
    rng, tiny = random.Random(1), Fraction(1, 2**150)
    for _ in range(size(100, 600, 10_000)):
        a, y = (Fraction(rng.randrange(1, 10**6), rng.randrange(1, 10 ** rng.randrange(1, 7))) for _ in range(2))
        slope = a / (1 + y)
        low, high = enclose(lambda ball, a=a, y=y, slope=slope: ball(a) * ball(1 + y).log() - ball(a - slope), 170)
        assert low < checker.conjugate("log", a, slope) <= high + tiny * max(a, 1)
        slope = 1 / a**2 / (1 + y)
        low, high = enclose(lambda ball, a=a, slope=slope: ball(1 / a) - 2 * ball(slope).sqrt() + ball(a * slope), 170)
        assert low <= checker.conjugate("reciprocal", a, slope) <= high + tiny / a
        late = Decimal(rng.randrange(10**6)).scaleb(-rng.randrange(6))
        row = {"kind": "sigmoid", "theta1": 7, "theta2": Fraction(late), "theta3": rng.randrange(20)}
        exact = Sigmoid(Fraction(7), Fraction(late), Fraction(row["theta3"]))
        for time in (1, 5, 19, 50):
            found = checker.utility(row, time)
            assert exact.lower(time) <= found <= exact.upper(time)


def test_a_certificates_text_is_shown_on_one_line(tmp_path: Path) -> None:
    desk, instance = Desk(tmp_path), instance_of("jrp", 0)
    desk.put(instance)
    row = decoded(sp.bound("jrp.split_free_lp", instance).to_file())
    for text in ("\x00", "\u202e", "1\n/2", "\x1b[2J", "9" * 10**6):
        for forged in (row | {"value": text}, row | {"multipliers": row["multipliers"] | {"compute": [text]}}):
            first, second = desk.refusals(instance, forged)
            assert first.isprintable() and second.isprintable() and max(len(first), len(second)) < 1500


def test_a_value_beyond_all_doubles_is_refused_by_both(tmp_path: Path) -> None:
    desk, instance = Desk(tmp_path), instance_of("jrp", 0)
    desk.put(instance)
    row = decoded(sp.bound("jrp.split_free_lp", instance).to_file())
    first, second = desk.refusals(instance, row | {"value": "9" * 3000 + "/7"})
    assert "the multipliers prove" in first and "expected a magnitude below 1e300" in second


@pytest.mark.parametrize("program", ["preemptive.lp4", "dmlrs.rdmlrs_lp", "placement.lp", "multiserver.stationary"])
def test_a_list_as_a_unit_is_rejected_before_it_is_repeated(program: str, tmp_path: Path) -> None:
    _, instance, bound = next(row for row in honest(program.partition(".")[0], 24) if row[2].program == program)
    file = json.loads(encode(bound.to_file()))
    file["multipliers"]["unit"] = [1, 0, 2, 8388608]
    (tmp_path / "instance.json").write_bytes(encode(instance.to_json()))
    (tmp_path / "bound.json").write_bytes(encode(file))
    with pytest.raises(Refused, match=r"multipliers\.unit: expected a rational, found a list"):
        check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))


def test_a_pipe_next_to_an_instance_is_not_opened(tmp_path: Path) -> None:
    desk, instance = Desk(tmp_path), instance_of("multiserver", 0)
    bound = sp.bound("multiserver.stationary", instance)
    desk.put(instance)
    file = tmp_path / "instance.json"
    file.write_bytes(encode(json.loads(file.read_bytes()) | {"arrivals": {"file": "x.npy"}}))
    os.mkfifo(tmp_path / "x.npy")
    first, second = desk.refusals(instance, bound.to_file())
    assert first == "arrivals.file: the file does not exist in the instance's folder" and not second
