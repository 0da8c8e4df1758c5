from __future__ import annotations

import copy
import random
import subprocess
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.exact_ratio.best import Best
from schedproof.adversary.exact_ratio.proof import Proof
from schedproof.check import ratio as checker
from schedproof.check.ratio import Refused, check, definitions
from schedproof.core.runtime import deadline
from schedproof.core.runtime.files import encode, sha256
from tests.command_line import EXAMPLES, Cli
from tests.support import size

MIGRATING = str(EXAMPLES / "migrating_srtf.py")
DENSITY = str(EXAMPLES / "highest_density.py")
SMALL: dict[str, tuple[str, dict[str, Any]]] = {
    "srtf": ("srtf", {"sizes": 2, "present": 3}),
    "a_online": ("a_online", {"sizes": 3, "present": 3, "speed": "3/2"}),
    "residual": ("a_online", {"sizes": 3, "present": 3, "order": "residual"}),
    "tiresias_l": ("tiresias_l", {"machines": 1, "sizes": 3, "present": 3, "thresholds": (1,)}),
    "first_come": ("placement.tiresias", {"machines": 1, "sizes": 3, "present": 3}),
    "migrating": (MIGRATING, {"sizes": 2, "present": 4}),
    "upload": ("srtf", {"sizes": 2, "present": 3, "far": 1, "delay": 1}),
    "density": (DENSITY, {"machines": 1, "sizes": 2, "present": 3, "weights": 3}),
    "chunks": ("srpt_floating", {"sizes": 2, "present": 3, "chunks": 2}),
    "gang": ("srtf:chunks=floating", {"sizes": 2, "present": 2, "chunks": 2}),
}
File = dict[str, Any]


@cache
def proven(name: str) -> Proof:
    policy, options = SMALL[name]
    return sp.prove(policy, **options)


def judged(name: str, file: Any, folder: Path, text: str | None = None) -> dict[str, Any] | str:
    (folder / "rule.py").write_text(proven(name).rule.text if text is None else text)
    (folder / "proof.json").write_bytes(encode(file))
    try:
        return check(str(folder / "rule.py"), str(folder / "proof.json"))
    except Refused as refused:
        return str(refused)


def honest(name: str) -> File:
    file: File = checker.json.loads(encode(proven(name).to_file()))
    return file


@pytest.mark.parametrize("name", SMALL)
def test_proven_results_are_accepted(name: str, tmp_path: Path) -> None:
    result, proof = judged(name, honest(name), tmp_path), proven(name)
    assert isinstance(result, dict)
    assert result["at_least"] == result["at_most"] == str(proof.exact)
    assert result["states"] >= proof.graph.size[0]
    assert result["statement"].startswith(
        f"{proof.sentence.partition(', while')[0].partition(' = ')[0].replace(proof.rule.name, 'the rule')} ("
    )


def another_number(rng: random.Random, file: File) -> None:
    if not file["potential"]:  # of two changes, the other has taken it
        return
    row, n = rng.choice(file["potential"]), rng.randrange(3)
    row[n] = max(0, row[n] + rng.choice((-2, -1, 1, 2)))


def one_less(rng: random.Random, file: File) -> None:
    rows = file[rng.choice(["potential", "walk", "way", "policy", "other"])]
    if rows:
        del rows[rng.randrange(len(rows))]


def another_state(rng: random.Random, file: File) -> None:
    rows = file[rng.choice(["policy", "other"])]
    if rows:
        rows[rng.randrange(len(rows))] = rng.choice(rows)


def another_move(rng: random.Random, file: File) -> None:
    if file["walk"]:
        size = rng.randrange(1 + file["setting"]["sizes"])
        more = [rng.randint(1, max(1, file["setting"][most])) for most in ("weights", "chunks")]
        several = 2 if file["setting"]["chunks"] > 1 else file["setting"]["weights"] > 1
        rng.choice(file["walk"])[0] = [size, *more[:several]] if size and several else size


def a_cycle_from_elsewhere(rng: random.Random, file: File) -> None:
    turn = rng.randrange(1 + len(file["walk"]))
    file["walk"] = file["walk"][turn:] + file["walk"][:turn]


def a_little_less(rng: random.Random, file: File) -> None:
    file["at_most"] = str(Fraction(file["at_most"]) - Fraction(1, rng.randrange(2, 10**9)))


def a_little_more(rng: random.Random, file: File) -> None:
    file["at_least"] = str(Fraction(file["at_least"]) + Fraction(1, rng.randrange(2, 10**9)))


def another_setting(rng: random.Random, file: File) -> None:
    key = rng.choice(["machines", "sizes", "present", "unit", "weights", "chunks", "far", "delay"])
    file["setting"][key] += rng.choice((-1, 1))


def another_speed(rng: random.Random, file: File) -> None:
    file["setting"]["speed"] = rng.choice(["1", "3/2", "2", "1/2"])


CHANGES = (
    another_number,
    one_less,
    another_state,
    another_move,
    a_cycle_from_elsewhere,
    a_little_less,
    a_little_more,
    another_setting,
    another_speed,
)


@cache
def truth(name: str, setting: str) -> Fraction | None:
    policy, options = SMALL[name]
    numbers = checker.json.loads(setting)
    if numbers["present"] > 5 or numbers["machines"] * numbers["sizes"] * numbers["weights"] * numbers["chunks"] > 12:
        return None
    rule = {key: value for key, value in options.items() if key not in numbers}
    return sp.prove(policy, **numbers, **rule).exact


@pytest.mark.parametrize("name", SMALL)
def test_no_changed_certificate_proves_a_false_ratio(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    refused = accepted = 0
    for n in range(size(16, 44, 720)):
        file = honest(name)
        CHANGES[n % len(CHANGES)](rng, file)
        if rng.random() < 0.3:
            rng.choice(CHANGES)(rng, file)
        result = judged(name, file, tmp_path)
        if isinstance(result, str):
            refused += 1
            continue
        accepted += 1
        exact = truth(name, encode(file["setting"]).decode())
        assert exact is not None
        assert Fraction(result["at_least"]) <= exact <= Fraction(result["at_most"]), (n, file)
    print(f"{name}: {refused + accepted} changed, {refused} refused, {accepted} accepted and true")
    assert refused > accepted > 0


BEST: dict[str, dict[str, Any]] = {
    "migrating": {"sizes": 2, "present": 4},
    "pinned": {"sizes": 2, "present": 3, "schedules": "pinned"},
    "whole": {"machines": 1, "sizes": 3, "present": 3, "schedules": "whole"},
}


@cache
def least(name: str) -> Best:
    return sp.best_ratio(**BEST[name])


def best_file(name: str) -> File:
    file: File = checker.json.loads(encode(least(name).to_file()))
    return file


def of_best(file: Any, folder: Path) -> dict[str, Any] | str:
    (folder / "best.json").write_bytes(encode(file))
    try:
        return check(str(folder / "best.json"))
    except Refused as refused:
        return str(refused)


def changed_somewhere(rng: random.Random, value: Any) -> None:
    while isinstance(value, list) and value:
        n = rng.randrange(len(value))
        if type(value[n]) is int:
            value[n] = max(0, value[n] + rng.choice((-2, -1, 1, 2)))
            return
        if rng.random() < 0.2:
            value[n : n + 1] = rng.choice(([], [value[n]] * 2, [rng.choice(value)]))
            return
        value = value[n]


def another_bound(rng: random.Random, file: File) -> None:
    side = rng.choice(("at_least", "at_most"))
    file[side] = str(Fraction(file[side]) + Fraction(rng.choice((-1, 1)), rng.choice((2, 7, 10**6))))


@pytest.mark.parametrize("name", BEST)
def test_no_changed_certificate_proves_a_false_least_ratio(name: str, tmp_path: Path) -> None:
    rng = random.Random(name)
    refused = accepted = 0
    for _ in range(size(40, 70, 1667)):
        file, exact = copy.deepcopy(best_file(name)), least(name).exact
        for _ in range(rng.choice((1, 1, 2))):
            kind = rng.random()
            if kind < 0.75:
                changed_somewhere(rng, file[rng.choice(PARTS)])
            elif kind < 0.9:
                another_bound(rng, file)
            else:
                key = rng.choice(["machines", "sizes", "present", "unit"])
                file["setting"][key] = max(1, file["setting"][key] + rng.choice((-1, 1)))
        result = of_best(file, tmp_path)
        if isinstance(result, str):
            refused += 1
            continue
        accepted += 1
        if file["setting"] != best_file(name)["setting"]:
            exact = in_setting(encode(file["setting"]).decode())
        assert exact is not None and Fraction(result["at_least"]) <= exact <= Fraction(result["at_most"]), file
    print(f"{name}: {refused + accepted} changed, {refused} refused, {accepted} accepted and true")
    assert refused > accepted > 0


PARTS = ("policy", "other", "potential", "functions", "moves", "positions")


@cache
def in_setting(setting: str) -> Fraction | None:
    return sp.best_ratio(**checker.json.loads(setting)).exact


def test_illegal_moves_of_an_adversary_are_rejected(tmp_path: Path) -> None:
    file = best_file("migrating")
    assert isinstance(of_best(file, tmp_path), dict)
    slot = next(n for n, move in enumerate(file["moves"]) if not move[1])
    wait = {"functions": [[[[], 0]]], "moves": [[0, 0, 0, 0]], "positions": [[[], 0, 0]]}
    for change, words in (
        ({"positions": file["positions"][1:]}, "positions: expected a first position without jobs"),
        ({"positions": file["positions"][:-1]}, "an answer of the policy leads to no position of the certificate"),
        ({"at_least": "3/2"}, "an answer of the policy costs less than the ratio requires"),
        ({"at_most": "5/4"}, "a step violates the potential's inequality"),
        ({"functions": [*file["functions"][:-1], [[[], 0]]]}, "the cost of a schedule is too small"),
        (
            {"moves": [*file["moves"][:slot], [*file["moves"][slot][:3], 99], *file["moves"][slot + 1 :]]},
            "costs less than the ratio requires",
        ),
        (wait, "moves: expected no cycle of moves without cost"),
        (
            wait | {"functions": [[[[], 0]], []], "moves": [[0, 0, 1, 0]]},
            "moves: expected at least one schedule after each move",
        ),
        ({"policy": []}, "policy: expected a first row without jobs"),
        (
            {"setting": file["setting"] | {"schedules": "floating"}},
            "setting.schedules: expected one of migrating, pinned, whole",
        ),
        ({"at_least": None, "at_most": None}, "expected at_least, at_most or both"),
        ({"at_least": "0"}, "at_least: expected a number above 0"),
        ({"positions": 3}, "malformed"),
        ({"version": 2}, "expected version 1"),
    ):
        alone = {"at_most": None} if "at_most" not in change and "policy" not in change else {"at_least": None}
        assert words in str(of_best(file | alone | change, tmp_path)), words


def test_each_kind_of_change_is_refused_or_harmless(tmp_path: Path) -> None:
    for name in SMALL:
        for change in (a_little_less, a_little_more):
            file = honest(name)
            change(random.Random(name), file)
            assert isinstance(judged(name, file, tmp_path), str)


def test_a_certificate_is_of_one_text(tmp_path: Path) -> None:
    text = proven("srtf").rule.text
    assert judged("srtf", honest("srtf"), tmp_path, text + "\n") == "the certificate is for another version of the file"
    worse = text.replace("key=lambda n: jobs[n][0]", "key=lambda n: -jobs[n][0]")
    assert worse != text
    file = honest("srtf") | {"source": sha256(worse.encode())}
    assert isinstance(judged("srtf", file, tmp_path, worse), str)


def test_one_side_may_be_proven_without_the_other(tmp_path: Path) -> None:
    most, least = honest("srtf") | {"at_least": None, "way": [], "walk": []}, honest("srtf") | {"at_most": None}
    for file, words in ((most, "is at most 3/2 ("), (least, "is at least 3/2 (")):
        result = judged("srtf", file, tmp_path)
        assert isinstance(result, dict) and words in result["statement"]
    assert judged("srtf", most | {"at_most": None}, tmp_path) == "expected at_least, at_most or both"


def test_an_invalid_certificate_gives_a_message(tmp_path: Path) -> None:
    setting = honest("srtf")["setting"]
    for change, words in (
        ({"version": 1}, "expected version 2"),
        ({"potential": 3}, "malformed"),
        ({"potential": [[0, 0]]}, "malformed"),
        ({"potential": [[0, 10**5, 1]]}, "a whole number from 0 to"),
        ({"options": {"colour": 1}}, "options: expected parameters of the rule's functions"),
        ({"options": {"colour": [[1]]}}, "options: expected parameters of the rule's functions"),
        ({"options": {"colour": None}}, "options: expected integers, texts or lists"),
        ({"setting": setting | {"speed": "0"}}, "setting.speed: expected a number above 0"),
        ({"setting": setting | {"present": 10**9}}, "a whole number from 1 to 100"),
        ({"setting": {}}, "expected the fields: machines"),
        ({"walk": []}, "expected a closed walk"),
        ({"at_most": 2}, "a rational"),
        ({"walk": [[7, [[], [7]]]]}, "walk: the system does not offer a request"),
    ):
        assert words in str(judged("srtf", honest("srtf") | change, tmp_path)), change
    assert "cannot be read" in str(_of_no_rule(tmp_path))


def _of_no_rule(folder: Path) -> str:
    with pytest.raises(Refused) as caught:
        (folder / "proof.json").write_bytes(encode(honest("srtf")))
        check(str(folder / "nowhere.py"), str(folder / "proof.json"))
    return str(caught.value)


Costly = tuple[str, dict[str, Any], dict[str, Any]]  # a small proof, and what is changed in its setting and fields
COSTLY: dict[str, Costly] = {
    "fifty of sixty jobs run": (
        "migrating",
        {"machines": 50, "sizes": 1, "present": 100},
        {"at_most": None, "way": [[1, [1] * n] for n in range(1, 61)] + [[0, [1] * 10]]},
    ),
    "many sizes": ("srtf", {"sizes": 10_000, "present": 100}, {"at_most": "1000000", "potential": []}),
    "many places": ("srtf", {"sizes": 1000, "machines": 100}, {"at_most": "1000000", "potential": []}),
    "long uploads": (
        "a_online",
        {"machines": 100, "present": 100, "far": 99, "delay": 100},
        {"at_most": "1000000", "potential": []},
    ),
    "none may come": ("srtf", {"sizes": 100_000, "present": 1}, {"at_most": "1000000", "potential": []}),
    "a long option": ("tiresias_l", {"present": 100}, {"options": {"thresholds": [1] * 10**5}}),
    "many values": ("srtf", {}, {"other": [[]] * 180_000}),
    "fifty of sixty chunks run": (
        "chunks",
        {"machines": 50, "sizes": 1, "chunks": 60, "present": 100},
        {"at_most": None, "way": [[[1, 1, 60], [[60, 1, 50]]], [[1, 1, 10], [[10, 1, 10], [60, 1, 50]]], [0, []]]},
    ),
}
BEST_COSTLY: dict[str, Costly] = {
    "thirty of sixty jobs run": (
        "migrating",
        {"machines": 30, "sizes": 1, "present": 60},
        {
            "at_least": None,
            "at_most": "1000000",
            "potential": [],
            "policy": [[[1] * n, [min(n + 1, 60)], max(0, n - 30)] for n in range(61)],
        },
    ),
    "many moves": (
        "migrating",
        {},
        {"at_most": None, "functions": [[[[], 0]]], "moves": [[0, 0, 0, 0]] * 20_000, "positions": [[[], 0, 0]]},
    ),
    "many places": (
        "pinned",
        {"machines": 100, "present": 100},
        {
            "at_most": None,
            "functions": [[[[[]] * 100, 0]], [[[[]] * 99 + [[1]], 0]]],
            "moves": [[0, 1, 1, 0]] * 1000,
            "positions": [[[[]] * 100, 0, 0]],
        },
    ),
}


@pytest.mark.parametrize("words", [*COSTLY, *BEST_COSTLY])
def test_certificates_that_need_minutes_are_rejected(words: str, tmp_path: Path) -> None:
    name, setting, change = COSTLY.get(words) or BEST_COSTLY[words]
    file = (honest if words in COSTLY else best_file)(name) | change
    file["setting"] = file["setting"] | setting
    (tmp_path / "rule.py").write_text(proven(name).rule.text if words in COSTLY else "")
    (tmp_path / "proof.json").write_bytes(encode(file))
    files = [tmp_path / "rule.py"] * (words in COSTLY) + [tmp_path / "proof.json"]
    with pytest.raises(Refused, match="the check takes more than 300000 steps; "):
        check(*map(str, files), most_steps=300_000)


def test_certificates_with_endless_steps_are_rejected(tmp_path: Path) -> None:
    weighted, slow, file = honest("density"), honest("srtf"), best_file("pinned") | {"at_most": None}
    weighted["setting"] |= {"sizes": 10**6, "weights": 100}
    slow["setting"]["speed"] = "1/1000000"
    assert "expected at most 100000 kinds of jobs" in str(judged("density", weighted, tmp_path))
    assert "setting.sizes: expected jobs of at most a million slots" in str(judged("srtf", slow, tmp_path))
    assert "the file has more than 65536 bytes" in str(judged("srtf", honest("srtf"), tmp_path, "1\n" * 40_000))
    for lines in ([[]] * 10**4, [[1] * 10**4, []]):
        many = {"functions": [[[[[], []], 0]], [[lines, 0]]], "moves": [[0, 0, 0, 0], [1, 0, 1, 0]]}
        assert "a state has more jobs than setting.present" in str(
            of_best(file | many | {"positions": [[[[], []], 0, 0]]}, tmp_path)
        )


def test_the_step_limit_can_be_raised(tmp_path: Path) -> None:
    proven("srtf").write(tmp_path / "proof.json")
    (tmp_path / "rule.py").write_text(proven("srtf").rule.text)
    files = [str(tmp_path / "rule.py"), str(tmp_path / "proof.json")]
    script = [sys.executable, "-I", str(checker.__file__), *files]
    ended = [subprocess.run([*script, f"--steps={n}"], capture_output=True, text=True) for n in (2000, 10**5)]
    assert [run.returncode for run in ended] == [1, 0] and "more than 2000 steps" in ended[0].stderr


def test_a_time_limit_replaces_the_step_limit(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "grace", float)  # a checker does not end by itself
    file = honest("srtf") | {"at_most": "1000000", "potential": []}
    file["setting"] |= {"sizes": 10_000, "present": 100}
    (tmp_path / "proof.json").write_bytes(encode(file))
    words = "check-ratio", "srtf", str(tmp_path / "proof.json")
    more = "allow more with --steps=N or --time-limit"
    refused = f"NOT proven: the check takes more than {checker.MOST_STEPS} steps; {more}\n"
    assert cli(*words) == (1, refused, "")
    assert cli(*words, "--time-limit", "0.1")[:2] == (3, "the check did not end within 0.1 s\n")


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "from os import path",
        "kept = []",
        "kept = (1, [])",
        "def run(jobs, kept=[]): return kept",
        "def run(jobs): run.append = 1",
        "def run(jobs): return (lambda kept=[]: kept)()",
        "class Run: pass",
        "def run(jobs): return ().__class__",
        "def run(jobs): return __builtins__",
        "def run(jobs):\n while True: pass",
        "def run(jobs):\n global kept",
        "def run(jobs):\n def inner(): return 1\n return inner",
        "def run(jobs): return {1}",
        "def run(jobs): return 1.5",
        "def run(jobs): return f'{jobs}'",
        "def run(jobs): yield 1",
        "def run(jobs):\n try: pass\n except: pass",
        "@sorted\ndef run(jobs): return 1",
        "print(1)",
        "run = lambda jobs: jobs",
        "def run(jobs: int",
        "(" * 200,
    ],
)
def test_a_text_in_which_something_could_be_remembered_is_no_rule(text: str) -> None:
    with pytest.raises(Refused):
        definitions(text)


def test_a_rule_has_no_names_but_those_of_the_language() -> None:
    run = definitions("def run(jobs): return open('x')")["run"]
    with pytest.raises(NameError):
        run(())


def test_forbidden_operations_in_a_rule_are_rejected(tmp_path: Path) -> None:
    for text, words in (
        ("def run(jobs, machines): return [0, 0]", "the rule runs too many jobs"),
        ("def run(jobs, machines): return [len(jobs)]", "runs an unknown job"),
        ("def run(jobs, machines): return [0]\ndef place(jobs, slots): return 2", "places a job on an unknown machine"),
        ("def run(jobs): return [*range(len(jobs))][:2]\ndef place(jobs, slots): return 0", "two jobs on one machine"),
        ("def run(jobs): return [0]\ndef keep(slots): return (1,)", "keeps a value that is not an integer"),
        ("def run(jobs): return []\nMACHINES = 1", "the rule is for 1 machines"),
        ("PREEMPTIVE = False\ndef run(jobs): return [len(jobs) - 1]", "the rule lets a started job wait"),
        (
            "PREEMPTIVE = False\ndef run(jobs): return []\ndef place(jobs, slots): return 0",
            "place cannot be combined with PREEMPTIVE",
        ),
        ("keep = 1", "expected a function run"),
        ("CHUNKS = True\ndef run(jobs): return [0, 0]", "a job more often than it has chunks"),
        ("CHUNKS = PREEMPTIVE = False\ndef run(jobs): return []", "supports one-chunk jobs only"),
        ("CHUNKS = True\nPREEMPTIVE = False\ndef run(jobs): return []", "CHUNKS = True cannot be combined"),
        ("def run(jobs): return []", "does not support weights"),
    ):
        of = "density" if "weights" in words else "chunks" if "chunk" in words.lower() else "srtf"
        file = copy.deepcopy(honest(of)) | {"source": sha256(text.encode())}
        assert words in str(judged("srtf", file, tmp_path, text)), text
