"""The drawn server loads are what PRUNE and LP_I leave, and reach every situation of the claims about one server."""

from __future__ import annotations

import pytest

from schedproof.core.claim import Case, Regime
from schedproof.proofs_checks.jrp import load_regimes
from schedproof.proofs_checks.jrp.load import kept, read, whichever
from schedproof.proofs_checks.strategies import jrp_loads as strategies
from schedproof.proofs_checks.trials import draw

SIZE = 100


def cases(strategy, count: int = SIZE) -> list[Case]:
    found: list[Case] = []
    draw(strategy, count, 0, found.append)
    return found


ALL = {
    "loads": strategies.loads(),
    "full loads": strategies.loads(full=True),
    "loads not full": strategies.loads(full=False),
    "crowds": strategies.crowds(),
    "blocked": strategies.blocked(),
    "any": strategies.any_loads(),
    "tails": strategies.tails(sizes=strategies.UNIT),
}


@pytest.mark.parametrize("strategy", ALL.values(), ids=list(ALL))
def test_every_drawn_load_is_one_that_the_claims_speak_of(strategy):
    drawn = cases(strategy)
    assert all(read(case) is not None for case in drawn)
    assert len({str(case.data) for case in drawn}) > min(len(drawn) // 2, 12)


def test_settings_do_what_they_say():
    for name in ("full loads", "crowds", "blocked"):
        for case in cases(ALL[name]):
            load = read(case)
            assert load is not None and load.mean == load.storage
    means = [(load.mean, load.storage) for load in map(read, cases(ALL["loads not full"])) if load is not None]
    assert sum(mean < storage for mean, storage in means) > SIZE // 3 and min(means)[0] == 0
    for case in cases(strategies.loads(sizes=strategies.UNIT)):
        load = read(case)
        assert load is not None and load.largest <= 1
    assert all(0 < case.data["delta"] < 1 for case in cases(ALL["tails"]))


def test_a_blocked_server_keeps_its_small_data_nodes_only():
    for case in cases(ALL["blocked"], 40):
        load = read(case)
        assert load is not None
        small = case.data["jobs"][0]["times"]
        assert kept(load).mean == small == kept(load).least and whichever(load) <= small


def test_every_regime_is_reached():
    regimes = [regime for regime in vars(load_regimes).values() if isinstance(regime, Regime)]
    drawn = cases(strategies.any_loads())
    assert len(regimes) > 10
    assert [regime.name for regime in regimes if not any(map(regime.reached, drawn))] == []
    assert [regime.name for regime in regimes if all(map(regime.reached, drawn))] == []
