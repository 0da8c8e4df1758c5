from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.check.bound import check
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import write_json
from schedproof.experiments.standings import Standings
from schedproof.instances import from_json
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive import ascent, bounds, slot_flow
from schedproof.relaxations.preemptive.prices import NoRoom
from schedproof.relaxations.preemptive.slot_flow import SlotFlow, one_rate
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.support import size
from tests.tiny.preemptive import instance_of, job


def queues(seed: int) -> Instance:
    rng, rows = random.Random(seed), []
    for n in range(rng.randrange(1, 12)):
        delay = {name: rng.randrange(4) for name in rng.sample(("e0", "e1", "e2"), rng.randrange(0, 4))}
        away = not delay or rng.random() < 0.2
        delay |= {"sky": rng.randrange(12)} if away else {}
        work = {"chunks": rng.randrange(1, 5), "minibatch_time": rng.randrange(1, 9), "upload_delay": delay}
        work |= {"gradient_size": rng.choice([0, 3])} if len(delay) == away else {}  # its two rates are one
        rows.append(job(f"j{n}", arrival=rng.randrange(6), **work))
    servers = [{"name": f"e{n}", "workers": {"gpu": 1 + n}, "parameter_servers": 9} for n in range(3)]
    servers.append({"name": "sky", "cloud": True})
    head = {"version": 1, "family": "preemptive", "horizon": rng.choice([25, 40, 90])}
    return from_json(head | {"servers": servers, "jobs": rows})


def lp(instance: Instance, **options: object) -> float | None:
    try:
        return sp.bound("preemptive.lp4", instance, prices="lp", **options).details["lp_optimum"]
    except (NoSolution, NoRoom):
        return None


@pytest.mark.parametrize("first", [slot_flow.FIRST_WINDOW, 0.0])
def test_it_equals_the_lps_optimum_and_its_prices_prove_it(first: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot_flow, "FIRST_WINDOW", first)
    proven = grown = 0
    for seed in range(size(15, 24, 2000)):
        instance, options = queues(seed), {"cost": ("printed", "half")[seed % 2], "speed": SPEEDS[seed % 4]}
        optimum = lp(instance, **options)
        if optimum is None:
            with pytest.raises((NoSolution, NoRoom)):
                sp.bound("preemptive.lp4", instance, prices="flow", **options)
            continue
        bound = sp.bound("preemptive.lp4", instance, prices="flow", **options)
        assert bound.verify(instance) and bound.details["ended"] == "optimal"
        assert bound.details["lp_optimum"] == pytest.approx(optimum, rel=1e-9, abs=1e-9), seed
        assert optimum - 1e-4 <= bound.value <= bound.details["lp_optimum"] + 1e-12, seed
        proven, grown = proven + 1, grown + (bound.details["flows"] > 1)
    assert proven and (grown or first), "windows that begin empty grow"


def test_the_checker_recomputes_its_proof(tmp_path: Path) -> None:
    for seed in (1, 2):
        instance = queues(seed)
        files = tmp_path / "instance.json", tmp_path / "certificate.json"
        write_json(files[0], instance.to_json())
        bound = sp.bound("preemptive.lp4", instance, prices="flow")
        write_bound(files[1], bound)
        assert Fraction(check(*map(str, files))["value"]) == bound.exact


def test_a_flow_with_windows_is_a_bound_that_rises() -> None:
    rose = False
    for seed in range(size(6, 12, 200)):
        instance = queues(seed)
        market, _ = ascent.market(instance, Fraction(1))
        rate = one_rate(market)
        assert rate is not None
        search = SlotFlow(market, rate, 1, 1 << 24, instance.horizon)
        search._window[:] = 1
        values = [Fraction(0)]
        while not search.round(Context()):
            assert values[-1] <= search.value, seed
            values.append(search.value)
        rose |= search.value > values[1]
    assert rose


def test_two_rates_are_no_flow_and_one_is() -> None:
    def rated(**more: object) -> bool:
        instance = instance_of(job("a", **more), horizon=30)
        return one_rate(ascent.market(instance, Fraction(1))[0]) is not None

    assert rated()
    assert rated(upload_delay={"e": 0, "sky": 1})
    two = {"gradient_size": 2, "minibatch_time": 2}
    assert not rated(upload_delay={"e": 0, "sky": 1}, **two)
    assert rated(upload_delay={"sky": 1}, **two)  # the cloud's alone
    assert rated(upload_delay={"e": 0, "sky": 40}, **two)  # which it does not reach in time


def test_for_two_rates_the_flow_is_refused_and_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    row = job("a", gradient_size=2, upload_delay={"e": 0, "sky": 1})
    two, one = (instance_of(row | more, horizon=30) for more in ({}, {"upload_delay": {"e": 0}}))
    with pytest.raises(ProgramError, match="the LP is not a flow; use prices=lp"):
        sp.bound("preemptive.lp4", two, prices="flow")

    def chosen(instance: Instance, block: int = 1) -> str:
        return bounds.way(instance, Fraction(1), block).prices

    assert chosen(one) == chosen(two) == "lp"  # small
    monkeypatch.setattr(bounds, "SMALL", 1)
    assert chosen(instance_of(row | {"upload_delay": {"e": 0}}, workers=9, horizon=30)) == "free"  # no worker is short
    assert (chosen(one), chosen(two)) == ("flow", "lp")
    assert chosen(one, block=2) == "lp"
    monkeypatch.setattr(bounds, "LARGE", 1)
    assert (chosen(one), chosen(two)) == ("flow", "ascent")
    assert [sp.bound("preemptive.lp4", i).details["prices"] for i in (one, two)] == ["flow", "ascent"]
    assert "near the optimum" in sp.bound("preemptive.lp4", two).details["note"]
    monkeypatch.setattr(bounds, "MOST_PRICES", 1)
    in_blocks = sp.bound("preemptive.lp4", two)
    assert in_blocks.verify(two) and in_blocks.details["block"] > 1 and "a price for" in in_blocks.details["note"]
    monkeypatch.setattr(bounds, "MOST_IN_A_FLOW", 0)
    assert chosen(one) == "ascent", "many jobs"


def test_the_chosen_bound_has_zero_prices_and_says_so_if_the_memory_does_not_suffice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = queues(4)
    best = sp.bound("preemptive.lp4", instance)
    monkeypatch.setattr(memory, "free_memory", lambda: 2000.0)
    bound = sp.bound("preemptive.lp4", instance)
    assert bound.verify(instance) and 0 < bound.exact < best.exact
    assert "each job's time without waiting; the LP would have" in bound.details["note"]
    table = sp.compare(instance, ["srtf"])
    assert any(note.startswith("bound lp4: each job's time without waiting") for note in Standings.of(table).notes)


def test_a_flow_that_exceeds_memory_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = micro_instance(1, cloud=False)
    monkeypatch.setattr(memory, "free_memory", lambda: 2000.0)
    with pytest.raises(ProgramError, match=r"the flow would have .* GiB are free; use prices=ascent"):
        sp.bound("preemptive.lp4", instance, prices="flow")


def test_time_that_is_over_leaves_a_bound() -> None:
    instance = queues(4)
    kept: list[Bound] = []
    late = replace(Context(keep=kept.append), time_limit=0.0)
    bound = bounds.lp4_bound(instance, prices="flow", context=late)
    assert bound.verify(instance) and bound.details["ended"] in ("time", "optimal")
