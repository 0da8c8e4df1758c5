from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.adversary.documents import copy, text
from schedproof.adversary.doubt import Doubted
from schedproof.adversary.objective import objective, quotient
from schedproof.adversary.search import Chain, State
from schedproof.adversary.shrink import Shrinking
from schedproof.adversary.space import of_preset
from schedproof.check.bound import check
from schedproof.core.cards import registry
from schedproof.core.data.store import Store
from schedproof.core.errors import InputError, NoSolution, PolicyTimeout, SchedproofError
from schedproof.core.results.run import Policy, policy
from schedproof.core.runtime import deadline, supervision
from schedproof.experiments import pieces
from schedproof.experiments import worst as module
from schedproof.instances import from_json
from schedproof.online.preemptive.srtf import ShortestRemainingTimeFirst
from tests.command_line import Cli
from tests.command_line import told as json_told
from tests.support import size

SHORT = sp.Engine(chains=2, steps=size(10, 10, 200))


def day(jobs: int = 2) -> Any:
    return sp.generate("preemptive", seed=2, jobs=jobs)


def told(found: Any) -> dict[str, Any]:
    return found.to_json()


def test_a_small_space_is_enumerated_and_no_instance_is_worse() -> None:
    found = sp.worst("srtf", "preemptive.lp4", sp.Space(day(), free=["jobs[*].arrival=0..2"]))
    document, ratios = day().to_json(), []
    for arrivals in product(range(3), repeat=2):
        jobs = [job | {"arrival": arrival} for job, arrival in zip(document["jobs"], arrivals, strict=True)]
        instance = from_json(document | {"jobs": jobs})
        ratios.append(sp.policy("srtf").run(instance).ratio(sp.bound("preemptive.lp4", instance)).exact)
    assert found.complete and found.looked_at == (9, 0) and found.exact == max(ratios)
    assert found.bound is not None and found.bound.verify(found.instance) and "no instance is worse" in found.scope
    wide, short = sp.Space(day(), free=["jobs[*].arrival=0..9"]), sp.Engine(chains=1, steps=5)
    assert not sp.worst("srtf", "preemptive.lp4", wide, short).complete


def test_against_a_program_the_better_schedule_is_the_proof() -> None:
    found = sp.worst("srtf", "preemptive.minlp2", sp.Space(day(), free=["jobs[*].arrival=0..1"]))
    better = found.schedule
    assert better is not None and not better.violations(found.instance) and found.bound is None
    assert found.exact == found.run.objective / better.objective(found.instance) >= 1
    with pytest.raises(InputError, match="dmlrs"):
        sp.worst("srtf", "dmlrs.exact", sp.Space(day(), free=["jobs[*].arrival=0..1"]))


def test_zero_utility_has_no_finite_ratio() -> None:
    nothing = replace(sp.policy("greedy").run(sp.generate("jrp", seed=1)), objective=Fraction(0))
    assert quotient(nothing, Fraction(3)) == inf
    with pytest.raises(SchedproofError, match="is undefined"):
        quotient(nothing, Fraction(0))


@pytest.mark.parametrize(
    ("name", "against"),
    [
        ("drf", "dmlrs.rdmlrs_lp"),
        ("oga_sched", "multiserver.regret"),
        ("greedy", "jrp.conic"),
        ("table", "placement.lp"),
    ],
)
def test_every_family_is_searched_and_the_files_are_the_proof(name: str, against: str, tmp_path: Path) -> None:
    engine = sp.Engine(chains=1, steps=size(8, 8, 60), time_limit=size(10, 10, 300))
    found = sp.worst(name, against, engine=engine)
    files = [path.name for path in found.write(tmp_path / "out")]
    assert sp.read(tmp_path / "out" / "instance.json").sha256 == found.instance.sha256
    if found.bound is not None:
        proven = check(str(tmp_path / "out" / "instance.json"), str(tmp_path / "out" / "bound.json"))
        assert "bound.json" in files and Fraction(proven["value"]) == found.bound.exact
        assert found.exact == found.run.ratio(found.bound).exact
    else:
        assert found.exact <= Fraction(found.run.regret().upper[-1])
    panels = found.plot().figure.axes
    assert list(found.to_frame()["score"]) and (found.bound is None or panels[1].get_xlabel())


def test_the_trace_has_the_instances_on_the_way() -> None:
    found = sp.worst("srtf", "preemptive.lp4", engine=SHORT)
    assert found.goal is not None and found.trace
    for step in found.trace:
        assert found.goal.judge(step.instance).score == step.score and step.looked_at <= SHORT.steps
    assert max(step.score for step in found.trace) == found.found


def test_the_result_does_not_depend_on_cuts_of_a_search() -> None:
    space, goal = of_preset("preemptive", "tiny", {}), objective(policy("srtf"), "preemptive", "lp4")
    chain = Chain(space, goal, 3, 0, 1, SHORT.steps)
    whole, cut = chain.advance(State(), 1e9), State()
    while not cut.done:
        cut = State.from_row(chain.advance(cut, 0).to_row())
    assert cut == whole and whole.done and whole.steps == SHORT.steps
    assert Chain(space, goal, 4, 0, 1, SHORT.steps).advance(State(), 1e9) != whole
    row = whole.to_row()
    with pytest.raises(ValueError, match="expected a rational"):
        State.from_row(row | {"trace": [(1, "", row["best"])]})


def test_it_resumes_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = replace(SHORT, keep="9/10")
    first = sp.worst("srtf", "preemptive.lp4", engine=engine)
    run, left, store = Policy.run, [7], tmp_path / "worst.sqlite"

    def dies(self: Policy, *given: Any, **more: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return run(self, *given, **more)

    monkeypatch.setattr(Policy, "run", dies)
    monkeypatch.setattr(pieces, "AT_ONCE", 0)  # a state after every instance
    cuts, again = 0, None
    while again is None:
        left[0] = 7
        try:
            again = sp.worst("srtf", "preemptive.lp4", engine=replace(engine, store=store))
        except KeyboardInterrupt:
            cuts += 1
    assert cuts > 2 and told(again) == told(first)
    with Store(module.SEARCHES, store) as kept:
        assert sum(row["steps"] == SHORT.steps for row in kept.rows) >= 2


def test_a_time_limit_ends_it_early_and_is_reported(tmp_path: Path) -> None:
    engine = replace(SHORT, store=tmp_path / "worst.sqlite")
    early = sp.worst("srtf", "preemptive.lp4", engine=replace(engine, time_limit=0))
    assert early.unfinished and "so far" in early.scope and early.looked_at[0] < 2 * SHORT.steps
    assert not sp.worst("srtf", "preemptive.lp4", engine=engine).unfinished


class Stuck(ShortestRemainingTimeFirst):
    """A policy that never ends if a job arrives at this time or later."""

    since = 0

    def order(self, gang: Any, now: int) -> tuple[int, ...]:
        while gang.job.arrival >= self.since:
            pass
        return super().order(gang, now)


def test_a_policy_that_never_ends_is_stopped_at_the_time_limit(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(deadline, "grace", lambda _: 0.0)  # the tests' minute is for policies that check the clock
    space, engine = sp.Space(day(), free=["jobs[*].arrival=0..2"]), sp.Engine(time_limit=0.2)
    with pytest.raises(PolicyTimeout, match=re.escape("Stuck did not end within the time limit of 0.2 s")):
        sp.worst(Stuck, "preemptive.lp4", space, engine)
    monkeypatch.setattr(Stuck, "since", 2)
    found = sp.worst(Stuck, "preemptive.lp4", space, replace(engine, time_limit=1))
    assert found.unfinished and not found.unjudged and "Stuck did not end" in caplog.text


def test_shrinking_keeps_the_share_and_ends_at_a_minimum() -> None:
    goal = objective(policy("srtf"), "preemptive", "lp4")
    document = day(3).to_json()
    score = goal.judge(from_json(document)).score
    share = Fraction(4, 5)
    shrunk = Shrinking(goal, document, score, share, 10**6).advance(State(), 1e9)
    assert shrunk.done and shrunk.score is not None and shrunk.score >= share * Fraction(score)
    assert shrunk.best is not None and len(shrunk.best) < len(str(document)) / 2
    again = Shrinking(goal, module.read(shrunk.best), score, share, 10**6).advance(State(), 1e9)
    assert again.best == shrunk.best


class Products:
    """The product of the chunks of the first two jobs, minus one for each job."""

    enough = inf

    def judge(self, instance: Any) -> Doubted:
        chunks = [job.chunks for job in instance.jobs]
        return Doubted(Fraction(chunks[0] * chunks[1] - len(chunks) if len(chunks) > 1 else -9))


def test_a_search_continues_while_it_shrinks_and_keeps_gains() -> None:
    document = registry.generate("preemptive", "tiny", 3, {"jobs": "4"})
    for job in document["jobs"]:
        job["chunks"] = 2
    shrunk = Shrinking(Products(), document, Fraction(0), Fraction(1), 10**4).advance(State(), 1e9)
    assert shrunk.done and shrunk.score == 0  # two jobs, of one chunk and of two
    numbers = {"jobs[*].chunks": [1, 2, 3]}
    larger = Shrinking(Products(), document, Fraction(0), Fraction(1), 10**4, numbers, numbers).advance(State(), 1e9)
    found = module.read(str(larger.best))["jobs"]
    assert larger.done and larger.score == 7 and [job["chunks"] for job in found] == [3, 3]
    assert [score for _, score, _ in larger.trace] == sorted({score for _, score, _ in larger.trace}, key=Fraction)


def test_the_results_of_all_chains_are_shrunk_and_the_worst_is_returned() -> None:
    steps = size(12, 12, 20)
    engine = sp.Engine(chains=3, steps=steps, seed=5)
    found = sp.worst("srtf", "preemptive.lp4", engine=engine)
    assert found.goal is not None and found.exact >= found.found == max(step.score for step in found.trace)
    assert found.looked_at[0] == 3 * steps and 0 < found.looked_at[1] <= 6 * steps
    one = sp.worst("srtf", "preemptive.lp4", engine=replace(engine, chains=1))
    assert one.looked_at[0] == steps and len({step.piece for step in found.trace}) == 3


@pytest.mark.parametrize("engine", ["joblib", "dask"])
def test_engines_find_the_same(engine: str) -> None:
    pytest.importorskip({"dask": "distributed"}.get(engine, engine))
    here = sp.Engine(chains=2, steps=4, keep="1/2")
    mine, theirs = (
        sp.worst("srtf", "preemptive.lp4", engine=each) for each in (here, replace(here, engine=engine, jobs=2))
    )
    assert told(mine) == told(theirs)


def test_the_command_prints_writes_and_resumes(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["worst", "srtf", "--against", "lp4", "--set", "jobs=1", "--steps", "5", "--chains", "1", "--jobs", "1"]
    words += ["--out", "bad"]
    code, out, _ = cli(*words, "--plot", "bad.png", "--lift", "5")
    assert code == 0 and "ratio of preemptive.srtf is at most" in out and (tmp_path / "bad.png").is_file()
    monkeypatch.setattr(deadline, "grace", lambda _: 0.6)
    result = json_told(cli(*words, "--lift", str(10**9), "--time-limit", "0", "--json"))  # sizes without end
    assert (
        result["out"] == "bad" and (tmp_path / "bad" / "bound.json").is_file() and (tmp_path / "worst.sqlite").is_file()
    )

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    said: list[str] = []
    monkeypatch.setattr(supervision, "say_at_an_early_end", said.append)
    monkeypatch.setattr(module, "worst", interrupt)
    assert cli(*words)[0] == 130
    assert said == ["finished results are in worst.sqlite; the same command resumes from there"]


@pytest.mark.parametrize(
    "words",
    [
        {"engine": sp.Engine(keep=2)},
        {"engine": sp.Engine(chains=0)},
        {"engine": sp.Engine(steps="x")},  # type: ignore[arg-type]
        {"engine": sp.Engine(slurm={"time": "1"})},
        {"against": "nothing"},
        {"space": sp.Space(preset="huge")},
        {"space": sp.Space(free=["jobs=3"])},
        {"space": sp.Space(only="some")},
        {"space": sp.Space(within=["jobs[*].chunk=1"])},
        {"space": sp.Space(within=["jobs[*].chunks"])},
        {"space": sp.Space(cases_of="preemptive.nothing")},
        {"space": sp.Space(free=["horizon=30"], within=["horizon=30"])},
    ],
)
def test_unknown_settings_give_one_message(words: dict[str, Any]) -> None:
    with pytest.raises(SchedproofError):
        sp.worst("srtf", **{"against": "preemptive.lp4"} | words)


def test_a_space_without_measurable_instances_gives_the_reason() -> None:
    with pytest.raises(NoSolution, match="not an instance of the family"):
        sp.worst("srtf", "preemptive.lp4", sp.Space(day(), free=["horizon=0,0"]))


def test_stored_witnesses_widen_the_space() -> None:
    more = module.witness_instances("placement")
    space = of_preset("placement", "tiny", {}, more={"stored witnesses": more})
    assert more and [text(start) for start in space.starts[: len(more)]] == [text(copy(one)) for one in more]
    assert f"{len(more)} stored witnesses" in space.sentence
    narrow = of_preset("placement", "tiny", {})
    assert set(narrow.numbers["tasks[*].arrival"]) <= set(space.numbers["tasks[*].arrival"])


def test_the_cases_that_hypothesis_draws_of_a_claim_are_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CASES", 10)
    cases = module.claim_instances("lemma2_repaired", "preemptive")
    assert (
        cases
        == module.claim_instances("preemptive.lemma2_repaired", "preemptive")
        != module.claim_instances("lemma2", "preemptive", 1)
    )
    assert len({text(copy(case)) for case in cases}) == len(cases) > module.CASES / 2
    goal = objective(policy("srtf"), "preemptive", "lp4")
    assert all(goal.judge(from_json(case)).score >= 1 for case in cases[:5])
    for id in ("jrp.chernoff23", "dmlrs.theorem5_ratio"):
        with pytest.raises(InputError, match=f"the cases of {id} have no instance"):
            module.claim_instances(id, "preemptive")


def test_the_share_of_a_guarantee_is_searched_under_its_premises() -> None:
    space, engine = sp.Space(cases_of="theorem5_ratio_repaired", only="guaranteed"), sp.Engine(chains=1, steps=15)
    found = sp.worst("pd_ors", "dmlrs.exact", space, engine, options={"bounds": "repaired", "share": "1/2"})
    promised = found.run.guarantee
    assert promised.value is not None and set(promised.premises.values()) == {"yes"}
    assert found.share == found.exact / promised.value <= 1 and promised.source in found.sentence
    assert any("does not apply" in why for why in found.unjudged)
    assert found.to_json()["share"] == str(found.share)
    with pytest.raises(NoSolution, match="has no guarantee"):
        sp.worst("srtf", "preemptive.lp4", sp.Space(only="guaranteed"), sp.Engine(chains=1, steps=1))


def test_a_regret_has_its_share_of_the_theorems_bound() -> None:
    words: dict[str, Any] = {"against_options": {"points": 2}, "space": sp.Space(only="guaranteed")}
    found = sp.worst("oga_sched", "multiserver.regret", **words, engine=sp.Engine(chains=1, steps=2))
    regret = found.run.regret(points=2)
    assert found.share == regret.lower[-1] / regret.guarantee <= 1 and "multiserver.theorem1" in found.sentence
    with pytest.raises(NoSolution, match="constant step D/"):
        one = sp.Engine(chains=1, steps=1)
        sp.worst("oga_sched", "multiserver.regret", **words, engine=one, options={"step": "anytime"})


def test_instances_with_zero_utility_may_be_excluded() -> None:
    found = sp.worst("fifo", "dmlrs.exact", engine=sp.Engine(chains=1, steps=2))
    assert found.exact == inf and found.goal is not None
    with pytest.raises(SchedproofError, match=r"the reward of .*fifo is 0"):
        replace(found.goal, only="finite").judge(found.instance)
    finite, engine = sp.Space(only="finite"), sp.Engine(chains=1, steps=4)
    assert 1 <= sp.worst("fifo", "dmlrs.exact", finite, engine).exact < inf


def test_a_plug_ins_family_needs_no_extra_code() -> None:
    found = sp.worst("threshold", "toy.knapsack", engine=sp.Engine(chains=1, steps=10))
    assert found.bound is not None and found.bound.verify(found.instance) and found.exact >= 1
