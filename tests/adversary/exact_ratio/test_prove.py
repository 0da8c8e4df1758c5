from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import inf
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import schedproof as sp
from schedproof.adversary.exact_ratio import automata, prove
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.exact_ratio.proof import Proof
from schedproof.adversary.exact_ratio.repeated import repeated
from schedproof.adversary.exact_ratio.rule import Jobs, Rule
from schedproof.adversary.walks.search import Bounds, search
from schedproof.check.ratio import check
from schedproof.core.errors import InputError, NoSolution, PolicyError, UnknownName
from schedproof.core.runtime.context import USUAL
from schedproof.core.runtime.deadline import Interrupted
from tests.adversary.exact_ratio.literal import Left, Machines, most, runs_by
from tests.command_line import EXAMPLES, Cli, told
from tests.support import size

MIGRATING = str(EXAMPLES / "migrating_srtf.py")
DENSITY = str(EXAMPLES / "highest_density.py")


@pytest.mark.parametrize(
    ("machines", "sizes", "ratio"), [(1, 3, "1"), (1, 5, "1"), (2, 2, "3/2"), (2, 3, "2"), (2, 4, "2")]
)
def test_the_prototype(machines: int, sizes: int, ratio: str) -> None:
    assert sp.prove(MIGRATING, machines=machines, sizes=sizes, present=4).exact == Fraction(ratio)


def by_srtf(left: Left, machines: int) -> Iterable[int]:
    return sorted(range(len(left)), key=lambda n: left[n].slots)[:machines]


def by_density(left: Left, machines: int) -> Iterable[int]:
    work = [sum(job.slots) for job in left]
    return sorted(range(len(left)), key=lambda n: (-Fraction(left[n].weight, work[n]), work[n], left[n]))[:machines]


def by_density_in_place(left: Left, machines: int) -> Iterable[int]:
    lines = ([n for n, job in enumerate(left) if job.at == machine and not job.upload] for machine in range(machines))
    return [line[k] for line in lines for k in by_density(tuple(left[n] for n in line), 1)]


def by_density_to_the_end(left: Left, machines: int) -> Iterable[int]:
    begun = [n for n, job in enumerate(left) if job.at]
    return [*begun, *(n for n in by_density(left, len(left)) if n not in begun)][:machines]


def by_density_in_chunks(left: Left, machines: int) -> Iterable[int]:
    return [n for n in by_density(left, len(left)) for _ in left[n].slots][:machines]


IN_PLACE = """
WEIGHTS = True
UPLOADS = True

def place(jobs, slots, weight, machines):
    return min(range(machines), key=lambda m: (len([1 for job in jobs if job[2] == m]), m))

def run(jobs, machines):
    landed = [job for job in jobs if not job[3]]
    denser = [sum(w * job[0] > job[1] * left for left, w, m, _ in landed if m == job[2]) for job in jobs]
    order = sorted([n for n, job in enumerate(jobs) if not job[3]], key=lambda n: (denser[n], jobs[n]))
    lines = [[n for n in order if jobs[n][2] == m] for m in range(machines)]
    return [line[0] for line in lines if line]
"""
TO_THE_END = """
WEIGHTS = True
PREEMPTIVE = False

def run(jobs, machines):
    denser = [sum(w * slots > weight * left for left, w, begun in jobs) for slots, weight, begun in jobs]
    return sorted(range(len(jobs)), key=lambda n: (-jobs[n][2], denser[n], jobs[n]))[:machines]
"""
IN_CHUNKS = """
WEIGHTS = True
CHUNKS = True

def run(jobs, machines):
    denser = [sum(w * work > weight * left for left, w, _ in jobs) for work, weight, _ in jobs]
    order = sorted(range(len(jobs)), key=lambda n: (denser[n], jobs[n][0], -jobs[n][2]))
    return [n for n in order for _ in range(min(jobs[n][0], jobs[n][2]))][:machines]
"""
RULES: dict[str, tuple[str, Callable[[Left, int], Iterable[int]], str]] = {
    "srtf": (Path(MIGRATING).read_text(), by_srtf, "migrating"),
    "density": (Path(DENSITY).read_text(), by_density, "migrating"),
    "in_place": (IN_PLACE, by_density_in_place, "pinned"),
    "to_the_end": (TO_THE_END, by_density_to_the_end, "whole"),
    "in_chunks": (IN_CHUNKS, by_density_in_chunks, "migrating"),
}


@pytest.mark.parametrize(
    ("rule", "setting", "slots"),
    [
        ("srtf", {"machines": 1, "present": 3}, size(5, 5, 7)),
        ("srtf", {"present": 4}, size(5, 5, 7)),
        ("srtf", {"sizes": 3, "present": 3}, size(5, 5, 7)),
        ("density", {"machines": 1, "weights": 2, "present": 3}, size(4, 4, 6)),
        ("density", {"machines": 1, "weights": 3, "present": 2}, size(5, 5, 6)),
        ("density", {"weights": 2, "present": 3}, size(3, 3, 6)),
        ("in_place", {"weights": 2, "present": 3}, size(4, 4, 6)),
        ("in_place", {"present": 3, "far": 1, "delay": 1}, size(5, 5, 7)),
        ("in_place", {"present": 4, "far": 1, "delay": 2}, size(4, 4, 6)),
        ("in_place", {"weights": 2, "present": 2, "far": 1, "delay": 1}, size(4, 4, 6)),
        ("to_the_end", {"machines": 1, "weights": 2, "present": 3}, size(4, 4, 6)),
        ("to_the_end", {"machines": 1, "sizes": 3, "weights": 2, "present": 2}, size(5, 5, 6)),
        ("to_the_end", {"weights": 2, "present": 3}, size(3, 3, 6)),
        ("in_chunks", {"chunks": 2, "present": 3}, size(4, 4, 7)),
        ("in_chunks", {"chunks": 2, "sizes": 3, "present": 2}, size(5, 5, 8)),
        ("in_chunks", {"machines": 3, "chunks": 2, "present": 3}, size(3, 3, 6)),
        ("in_chunks", {"chunks": 2, "weights": 2, "present": 2}, size(4, 4, 6)),
    ],
)
def test_no_short_sequence_has_a_larger_ratio(rule: str, setting: dict[str, int], slots: int, tmp_path: Path) -> None:
    text, run, schedules = RULES[rule]
    (tmp_path / "rule.py").write_text(text)
    proof = sp.prove(tmp_path / "rule.py", **setting)
    proof.write(tmp_path / "proof.json")
    assert check(str(tmp_path / "rule.py"), str(tmp_path / "proof.json"))["at_most"] == str(proof.exact)
    machines = Machines(proof.rule.machines, schedules, proof.present, proof.rule.delays)
    kinds = [*product(proof.sizes, *(range(1, most + 1) for most in (proof.weights, proof.chunks)))]
    player = runs_by(run, machines)
    assert most(player, machines, kinds, slots, proof.exact) == 0
    assert proof.exact == 1 or most(player, machines, kinds, slots, 1 + (proof.exact - 1) / 3) > 0


def test_least_work_first_is_optimal_if_each_job_can_use_all_machines() -> None:
    rule = sp.prove("srpt_floating", sizes=1).rule
    narrow, wide = [(size, 1, 1) for size in (1, 2, 3)], [(size, 1, 2) for size in (1, 2, 3)]
    for kinds, ratio in ((wide, 1), (wide + narrow, 2)):
        sides = automata.policy(rule, kinds, 3), automata.migrating(2, kinds, 3)
        assert search(Product(*sides, USUAL), USUAL, lambda bounds: None).least == ratio


WIDE, NARROW = (1, 2), (1, 1)  # slots of a chunk, and chunks
ONES_OWN = """
CHUNKS = True
ORDER = True

def run(jobs, machines):
    order = sorted(range(len(jobs)), key=lambda n: ({}))
    return [n for n in order for _ in range(min(jobs[n]))][:machines]
"""


def present_at_last(rule: Rule, slots: Iterable[list[tuple[int, int]]]) -> int:
    state, counts = (), list[int]()
    for new in slots:
        for length, chunks in new:
            state = rule.arrive(state, length, 1, chunks)
        counts.append(len(state))
        state = rule.advance(state)
    (count,) = {*counts[-5:]}
    return count


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_a_gang_has_as_many_as_one_likes_against_one(k: int) -> None:
    each = [[WIDE]] * (k - 1) + [[NARROW]]
    slots = [[WIDE, WIDE], *each[1:], *each] * (k - 1) + each * 5
    last_first = Rule("last first", ONES_OWN.format("-n"), 2, Fraction(1), {})
    assert present_at_last(sp.prove("srtf:chunks=floating", sizes=1, present=1).rule, slots) == k
    assert present_at_last(last_first, slots) == 1


@pytest.mark.parametrize("doublings", [3, 4, 5, 7])
def test_the_least_work_first_has_a_logarithm_against_one(doublings: int) -> None:
    # In windows of 2^d, ..., 8 slots arrive half as many wide jobs and a narrow one.
    windows = [2**n for n in range(doublings, 2, -1)]
    slots = [new for n in windows for new in ([[WIDE] * (n // 2) + [(n, 1)]] + [[]] * (n - 1))] + [[WIDE]] * 9
    narrow_first = Rule("narrow first", ONES_OWN.format("jobs[n][1]"), 2, Fraction(1), {})
    assert present_at_last(sp.prove("srpt_floating", sizes=1, present=1).rule, slots) == doublings - 1
    assert present_at_last(narrow_first, slots) == 1


def test_the_largest_ratio_of_a_graph() -> None:
    for present in (2, 3):
        proof = sp.prove("srtf", machines=2, sizes=2, present=present)
        graph, plain = proof.graph, nx.DiGraph()
        steps = {ends: step for step, ends in enumerate(zip(graph.tail.tolist(), graph.head.tolist(), strict=True))}
        plain.add_edges_from(steps)
        cycles = [cycle for cycle in nx.simple_cycles(plain, length_bound=8) if cycle != [0]]
        walks = [[steps[ends] for ends in pairwise([*cycle, cycle[0]])] for cycle in cycles]
        assert len(walks) > 10 and max(map(graph.ratio, walks)) <= proof.least
        assert graph.ratio(proof.bounds.walk) == proof.least == proof.most


def test_a_repeated_cycle_has_the_stated_ratio() -> None:
    proof = sp.prove("a_online", machines=2, sizes=4, present=5, order="residual")
    state: Jobs = ()
    cost = other = present = 0
    for n, moves in enumerate((proof.way, *[proof.cycle] * 500)):
        before = (cost, other)
        for arriving, theirs in moves:
            if arriving:
                state = proof.rule.arrive(state, arriving)
            else:
                cost, state = cost + len(state), proof.rule.advance(state)
                other += present
            present = sum(map(len, theirs))
        assert n == 0 or Fraction(cost - before[0], other - before[1]) == proof.least
    assert proof.exact == Fraction(5, 2) and Fraction(cost, other) > Fraction(12, 5)


TO_AND_FRO = """
ORDER = True

def place(jobs, slots):
    return 1 - jobs[0][1] if jobs else 0

def run(jobs):
    order = sorted(range(len(jobs)), key=lambda n: jobs[n][0])
    lines = [[n for n in order if jobs[n][1] == m] for m in (0, 1)]
    return [line[0] for line in lines if line]
"""


def test_states_that_do_the_same_for_ever_are_one(tmp_path: Path) -> None:
    (tmp_path / "mirror.py").write_text(TO_AND_FRO)
    rounds = set()
    for policy, options in (
        ("tiresias_l", {"sizes": 2, "present": 4}),
        ("a_online", {"sizes": 3, "present": 3}),
        (tmp_path / "mirror.py", {"sizes": 2, "present": 3}),
    ):
        proof = sp.prove(policy, **options)
        whole = Product(proof.policy, proof.graph.schedule, USUAL)
        assert proof.graph.size < whole.size and search(whole, USUAL, lambda bounds: None).least == proof.exact
        proof.write(tmp_path / "proof.json")
        (tmp_path / "rule.py").write_text(proof.rule.text)
        checked = check(str(tmp_path / "rule.py"), str(tmp_path / "proof.json"))
        assert (checked["states"], checked["at_least"]) == (whole.size[0], checked["at_most"])
        rounds.add(len(proof.cycle) // len(proof.bounds.walk))
    assert rounds == {1, 2}


def test_an_early_end_leaves_an_interval() -> None:
    kept: list[Proof] = []
    proof = prove._prove("srtf", {"sizes": 3}, replace(USUAL, keep=kept.append))
    assert kept and kept[-1].exact == proof.exact
    for early in kept[:-1]:
        assert early.least <= proof.least and (early.most is None or early.most >= proof.most)
    interval = next(early for early in kept if early.exact is None and early.most is not None)
    assert " at least " in interval.sentence and " and at most " in interval.sentence


def test_without_a_proof_in_time_the_message_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prove, "_prove", lambda *given: None)
    with pytest.raises(NoSolution, match="no bound was proven within the time limit"):
        sp.prove("srtf", time_limit=0)


def test_an_interrupt_keeps_the_interval() -> None:
    def stop(message: str, done: float | None = None) -> None:
        if "at most 8" in message:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        sp.prove("srtf", sizes=3, progress=stop)
    early = caught.value.best
    assert early.least <= 2 <= early.most and early.exact is None


def test_a_rule_that_starves_a_job_has_no_ratio(tmp_path: Path) -> None:
    (tmp_path / "lazy.py").write_text("def run(jobs):\n    return [0] if jobs[0][0] > 1 else []\n")
    proof = sp.prove(tmp_path / "lazy.py")
    assert (proof.least, proof.most, proof.to_json()["at_least"]) == (inf, None, "inf")
    proof.write(tmp_path / "proof.json")
    checked = check(str(tmp_path / "lazy.py"), str(tmp_path / "proof.json"))
    assert "infinite" in proof.sentence and "JCT is infinite (" in checked["statement"]


def test_a_search_can_start_from_an_empty_state() -> None:
    graph = sp.prove(MIGRATING, machines=1, sizes=1, present=1).graph
    assert search(graph, USUAL, lambda bounds: None).least == 1
    assert Bounds().least == 0 and np.array_equal(graph.large, graph.small)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import os\n", "without Import"),
        ("run = 3\n", "expected a function run"),
        ("def run(jobs):\n    return [0, 0]\n", "at most 2 numbers of jobs"),
        ("def run(jobs):\n    return jobs[9]\n", "stopped with IndexError"),
        ("def run(jobs):\n    return []\ndef place(jobs, slots):\n    return 7\n", "expected a machine's number"),
        ("def run(jobs):\n    return []\ndef keep(slots):\n    return 'a'\n", "expected a whole number"),
        ("PREEMPTIVE = False\ndef run(jobs):\n    return [len(jobs) - 1]\n", "omitted a started job"),
        ("PREEMPTIVE = False\nCHUNKS = True\ndef run(jobs):\n    return [0]\n", "may move and wait at any time"),
        ("CHUNKS = True\ndef run(jobs):\n    return [0, 0]\n", "at most 2 numbers of jobs"),
        (
            "PREEMPTIVE = False\ndef run(jobs):\n    return []\ndef place(jobs, slots):\n    return 0\n",
            "place cannot be combined",
        ),
        ("def run(jobs, width):\n    return []\n", "needs the option width"),
        (
            "def run(jobs):\n    return [0, 1][:len(jobs)]\ndef place(jobs, slots):\n    return 0\n",
            "two jobs of one machine",
        ),
        (
            "UPLOADS = True\ndef run(jobs):\n    return [0]\ndef place(jobs, slots):\n    return 1\n",
            "a job whose upload has not ended",
        ),
        ("UPLOADS = True\ndef run(jobs):\n    return [0]\n", "supports no uploads"),
    ],
)
def test_an_invalid_rule_gives_a_message(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises((InputError, PolicyError), match=words):
        sp.prove(str(tmp_path / "mine.py"), **({"far": 1, "delay": 1} if "UPLOADS" in text else {}))


def test_an_unprovable_request_gives_a_message(tmp_path: Path) -> None:
    (tmp_path / "endless.py").symlink_to("/dev/zero")
    cases: tuple[tuple[Any, dict[str, Any], type[Exception], str], ...] = (
        ("batch_sche", {}, InputError, "batch_sche has no rule; expected one of .*preemptive.a_online"),
        ("chess", {}, UnknownName, "unknown policy"),
        ("srtf", {"sizes": 2, "unit": 3}, InputError, "at least unit=3"),
        ("srtf", {"machines": 0}, InputError, "an integer from 1 to 8"),
        ("srtf", {"ps_release": "none"}, InputError, "no option 'ps_release'"),
        ("srtf", {"colour": 1}, UnknownName, "unknown option"),
        ("srtf", {"far": 3, "delay": 1}, InputError, "far=3: expected at most machines=2"),
        ("tiresias_l", {"far": 1, "delay": 1}, InputError, "delay=1: the rule preemptive.tiresias_l supports no"),
        ("srtf", {"weights": 2}, InputError, "weights=2: the rule preemptive.srtf supports no weights"),
        ("srtf:chunks=any", {}, InputError, "chunks=any: expected one of pinned, floating"),
        ("srtf:colour=red", {}, UnknownName, "unknown option"),
        ("tiresias_l:chunks=floating", {}, InputError, "has no option 'chunks', only thresholds"),
        ("srtf", {"chunks": 2}, InputError, "chunks=2: the rule preemptive.srtf supports one-chunk jobs only"),
        (tmp_path / "nowhere.py", {}, InputError, "cannot be read"),
        (tmp_path / "endless.py", {}, InputError, "found a device or a pipe"),
    )
    for policy, options, error, words in cases:
        with pytest.raises(error, match=words):
            sp.prove(policy, **options)


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("srtf", {}),
        ("a_online", {"sizes": 3, "speed": "3/2", "order": "residual"}),
        ("srtf", {"machines": 3, "present": 3, "far": 2, "delay": 2}),
        ("a_online", {"present": 3, "far": 1, "delay": 1}),
        ("srpt_floating", {"present": 3, "chunks": 2}),
        ("srpt_floating", {"machines": 3, "present": 4}),
        ("srtf:chunks=floating", {"present": 2, "chunks": 2}),
    ],
)
def test_the_package_agrees_on_the_instances_of_a_cycle(policy: str, options: dict[str, Any]) -> None:
    # After repetitions of the cycle the ratio is within 4/times of the proven one.
    proof = sp.prove(policy, **options)
    for times in (1, 8, 32):
        one = repeated(proof, times)
        reading = "pinned" if proof.rule.pinned else "floating"
        assert one.run.feasible and one.better.violations(one.instance, chunks=reading) == []
        assert proof.most - Fraction(4, times) < one.ratio <= proof.most
        assert one.better.objective(one.instance) == sum(paid(one.better, one.instance))


def paid(better: Any, instance: Any) -> list[int]:
    rows = better.intervals.rows()
    return [max(row[-1] for row in rows if row[0] == n) - job.arrival for n, job in enumerate(instance.jobs)]


@pytest.mark.parametrize(("policy", "chunks"), [("srtf", ()), ("srtf:chunks=floating", ("--option", "chunks=2"))])
def test_the_files_of_a_cycle(policy: str, chunks: tuple[str, ...], cli: Cli, tmp_path: Path) -> None:
    words = (policy, "--option", "sizes=2", "--option", "present=3", *chunks, "--out", tmp_path)
    ratios = told(cli("prove", *words, "--json"))["ratios"]
    assert list(ratios) == ["1", "4", "16", "64"]
    assert cli("prove", *words, "--plot", tmp_path / "cycle.png")[0] == 0
    assert (tmp_path / "cycle.png").stat().st_size > 5000
    instance, better = tmp_path / "instance_4.json", tmp_path / "better_4.json"
    by = ("--option", "chunks=floating") if chunks else ()
    assert cli("check", instance, better, *by)[0] == 0
    run = told(cli("ratio", "srtf", instance, *by, "--bound", "preemptive.lp4", "--against", better, "--json"))
    assert Fraction(run["interval"][0]) == Fraction(ratios["4"])


def test_the_picture_has_each_state_and_step_of_the_cycle() -> None:
    proof = sp.prove(MIGRATING, sizes=2, present=3)
    ax = proof.plot()
    texts = [each.get_text() for each in ax.texts]
    assert "1\n-\n2" in texts and texts.count("3 : 2") == 1  # left alone with the long job, and again and again
    assert sum(text.startswith("+") for text in texts) == sum(size > 0 for size, _ in (*proof.way, *proof.cycle))
    weighted = sp.prove(DENSITY, machines=1, sizes=2, present=2, weights=2).plot()
    assert {"+2:2", "2:2\n1:1 1:2\n0"} <= {text.get_text() for text in weighted.texts}
    wide = sp.prove("srpt_floating", sizes=2, present=2, chunks=2).plot()
    assert {"+1:1:2"} <= {text.get_text() for text in wide.texts}
    with pytest.raises(InputError, match="has found no cycle yet"):
        replace(proof, bounds=Bounds()).plot()


def test_the_commands(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    small = ("srtf", "--option", "machines=2", "--option", "sizes=2", "--option", "present=3")
    result = told(cli("prove", *small, "--certificate", file, "--json"))
    assert (result["at_least"], result["at_most"], result["exact"]) == ("3/2", "3/2", True)
    assert told(cli("check-ratio", "srtf", file, "--json"))["at_most"] == "3/2"
    assert cli("prove", *small)[1].startswith(
        "the competitive ratio of preemptive.srtf for the total JCT is 3/2 = 1.5, while neither schedule, "
        "the policy's or the offline one, has more than 3 jobs present\n"
    )
    assert cli("check-ratio", "a_online", file)[:2] == (
        1,
        "NOT proven: the certificate is for another version of the file\n",
    )
    assert cli("prove", MIGRATING, "--option", "sizes=3", "--certificate", file)[0] == 0
    assert cli("check-ratio", MIGRATING, file)[0] == 0
    code, _, error = cli("prove", MIGRATING, "--out", tmp_path / "family")
    assert code == 2 and "has no family; instances can be written for" in error
    assert cli("prove", "batch_sche")[0] == cli("check-ratio", "batch_sche", file)[0] == 2


def test_an_upper_bound_states_that_the_limit_holds_for_the_offline_schedule_too(cli: Cli, tmp_path: Path) -> None:
    # On these four jobs A_online at speed 2 pays 7 with three jobs present; the optimum is 13, with four present.
    premise = ", while neither schedule, the policy's or the offline one, has more than 3 jobs present"
    options = {"order": "residual", "speed": 2, "machines": 2, "sizes": 4, "unit": 2, "present": 3}
    proof = sp.prove("a_online", **options)
    assert proof.exact == Fraction(1, 2) < Fraction(7, 13) and proof.sentence.endswith(premise)
    assert "all schedules" not in "\n".join(proof.lines())
    file = tmp_path / "proof.json"
    proof.write(file)
    assert told(cli("check-ratio", "a_online", file, "--json"))["statement"].endswith(premise)
    best = sp.best_ratio(machines=1, sizes=2, present=3)
    assert best.sentence.endswith(premise)
    wider = sp.prove("a_online", **options | {"present": 4})
    assert wider.exact is not None and wider.exact >= Fraction(7, 13)
