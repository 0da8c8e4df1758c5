from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schedproof.check import bound as checker
from schedproof.check.bound import MOST_STEPS, Refused, Steps, check, proven
from schedproof.core.data.arrays import write_object
from schedproof.core.runtime import deadline
from schedproof.core.runtime.files import encode
from tests.certificates import honest, instance_of
from tests.command_line import Cli
from tests.support import FAMILIES

Files = tuple[Any, Any]
PRIMES = [n for n in range(2, 20_000) if all(n % k for k in range(2, int(n**0.5) + 1))]


def files(family: str, folder: Path) -> Files:
    _, instance, bound = next(honest(family, 1))
    write_object(folder / "instance.json", instance.to_json())
    return json.loads((folder / "instance.json").read_bytes()), json.loads(encode(bound.to_file()))


def written(folder: Path, instance: Any, row: Any) -> tuple[str, str]:
    names = folder / "instance.json", folder / "bound.json"
    names[0].write_bytes(encode(instance))
    row["instance_sha256"] = checker.identity(checker.read(str(names[0])))
    names[1].write_bytes(encode(row))
    return str(names[0]), str(names[1])


def _many_prices(instance: Any, row: Any) -> None:
    row["multipliers"]["prices"] = [[[0] * 3000, 0, [0] * 3000]]


def _long_horizon(instance: Any, row: Any) -> None:
    instance["horizon"] = 10**9
    instance["jobs"][0] |= {"minibatches": 10**6, "epochs": 10**6, "chunks": 10**6}
    row["multipliers"]["values"] = [10**18] * len(row["multipliers"]["values"])


def _late_price(instance: Any, row: Any) -> None:
    row["multipliers"]["resources"] = [[0, 0, 16_000_000, 1]]


def _slots_of_machines(instance: Any, row: Any) -> None:
    instance["horizon"] = 10**6
    instance.pop("reserved", None)


def _large_batch(instance: Any, row: Any) -> None:
    instance["jobs"][0]["batch_size"] = 10**7


def _many_copies(instance: Any, row: Any) -> None:
    instance["arrivals"][0] = [10**9 for _ in instance["ports"]]


def _many_denominators(instance: Any, row: Any) -> None:
    row["multipliers"]["compute"] = [f"1/{prime}" for prime in PRIMES]


def _many_servers(instance: Any, row: Any) -> None:
    row["multipliers"]["compute"] = ["0"] * 10**6


COSTLY: list[tuple[str, Callable[[Any, Any], None]]] = [
    ("preemptive", _many_prices),
    ("preemptive", _long_horizon),
    ("placement", _late_price),
    ("dmlrs", _slots_of_machines),
    ("dmlrs", _large_batch),
    ("multiserver", _many_copies),
    ("jrp", _many_denominators),
    ("jrp", _many_servers),
]


@pytest.mark.parametrize(("family", "change"), COSTLY, ids=[change.__name__[1:] for _, change in COSTLY])
def test_inputs_that_need_minutes_or_gigabytes_are_rejected(
    family: str, change: Callable[[Any, Any], None], tmp_path: Path
) -> None:
    instance, row = files(family, tmp_path)
    change(instance, row)
    with pytest.raises(Refused, match=f"the check takes more than {MOST_STEPS} steps"):
        check(*written(tmp_path, instance, row))


@pytest.mark.parametrize(
    ("put", "says"),
    [
        ("1/" + "3" * 5000, "expected the fields"),
        (json.loads("[" * 60 + "]" * 60), "levels of nesting"),
        ("@1." + "3" * 5000, "expected decimals of at most 4000 digits"),
        ("@1e5000", "expected decimals of at most 4000 digits"),
        ("x" * 4 * MOST_STEPS, f"more than {4 * MOST_STEPS} bytes"),
    ],
)
def test_deep_long_or_large_files_are_rejected(put: Any, says: str, tmp_path: Path) -> None:
    instance, row = files("jrp", tmp_path)
    of, file = written(tmp_path, instance, row | {"parameters": put})
    Path(file).write_text(re.sub('"@(.*?)"', r"\1", Path(file).read_text()))  # numbers as they stand
    with pytest.raises(Refused, match=says):
        check(of, file)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_step_limit_can_be_raised(family: str, tmp_path: Path) -> None:
    of, file = written(tmp_path, *files(family, tmp_path))
    steps = Steps(10**5)
    proven(of, file, "", steps)
    few, script = 10**5 - steps.left - 1, [sys.executable, "-I", checker.__file__, of, file]
    with pytest.raises(Refused, match=f"more than ({few} steps|{4 * few} bytes)"):
        check(of, file, most_steps=few)
    ended = [subprocess.run([*script, f"--steps={most}"], capture_output=True, text=True) for most in (few, 10**5)]
    assert [run.returncode for run in ended] == [1, 0]
    assert re.search(f"more than ({few} steps|{4 * few} bytes)", ended[0].stderr)


def test_a_time_limit_replaces_the_step_limit(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "grace", float)  # a checker does not end by itself
    instance, row = files("preemptive", tmp_path)
    _long_horizon(instance, row)
    words = written(tmp_path, instance, row)
    assert cli("check-bound", *words)[:2] == (
        1,
        f"NOT proven: the check takes more than {MOST_STEPS} steps; allow more with --steps=N or --time-limit\n",
    )
    assert cli("check-bound", *words, "--time-limit", "0.1")[:2] == (3, "the check did not end within 0.1 s\n")


def test_a_step_is_as_long_as_the_sums_of_all_numbers() -> None:
    short, long, many = Steps(10**9), Steps(10**9), Steps(10**9)
    short.count_values({"a": ["1/3", "2/3", 7]})
    long.count_values({"a": ["1/" + "3" * 999]})
    many.count_values({"a": [f"1/{prime}" for prime in PRIMES[:300]]})
    assert short.each == 1 < many.each < long.each


def test_a_certificate_whose_multipliers_are_a_list_is_refused(tmp_path: Path) -> None:
    instance = instance_of("jrp", 0)
    row = {"version": 2, "program": "jrp.mine", "kind": "lower", "among": "", "parameters": {}, "multipliers": []}
    with pytest.raises(Refused, match="malformed"):
        check(*written(tmp_path, json.loads(encode(instance.to_json())), row | {"value": "1"}))
