from __future__ import annotations

import pytest

from schedproof.core.claims.claim import Regime
from schedproof.proofs_checks.jrp.shared import load_regimes
from schedproof.proofs_checks.strategies import jrp_loads as strategies
from schedproof.reference.jrp_load import kept_prefix, worst_order_limit
from tests.support import size
from tests.tiny.jrp import drawn_cases

SIZE = size(50, 50, 100)
ALL = {
    "loads": strategies.loads(),
    "full loads": strategies.loads(full=True),
    "loads not full": strategies.loads(full=False),
    "crowds": strategies.crowds(),
    "blocked": strategies.full_servers(),
    "any": strategies.any_loads(),
    "tails": strategies.tails(sizes=strategies.UNIT),
}


@pytest.mark.parametrize("strategy", ALL.values(), ids=list(ALL))
def test_the_drawn_loads_differ(strategy):
    drawn = drawn_cases(strategy, SIZE)
    assert len(set(drawn)) > min(len(drawn) // 2, 12)


def test_settings_have_their_effect():
    for name in ("full loads", "crowds", "blocked"):
        assert all(case.load.full for case in drawn_cases(ALL[name], SIZE))
    means = [(case.load.mean, case.load.storage) for case in drawn_cases(ALL["loads not full"], SIZE)]
    assert sum(mean < storage for mean, storage in means) > SIZE // 3 and min(means)[0] == 0
    assert all(case.load.largest <= 1 for case in drawn_cases(strategies.loads(sizes=strategies.UNIT), SIZE))
    assert all(0 < case.delta < 1 for case in drawn_cases(ALL["tails"], SIZE))


def test_a_blocked_server_keeps_only_its_small_data_nodes():
    for case in drawn_cases(ALL["blocked"], 40):
        small = case.jobs[0].times
        assert (
            kept_prefix(case.load).mean == small == kept_prefix(case.load).least
            and worst_order_limit(case.load) <= small
        )


def test_every_regime_is_reached():
    regimes = [regime for regime in vars(load_regimes).values() if isinstance(regime, Regime)]
    drawn = drawn_cases(strategies.any_loads(), SIZE)
    assert len(regimes) > 10
    assert [regime.name for regime in regimes if not any(map(regime.reached, drawn))] == []
    assert [regime.name for regime in regimes if all(map(regime.reached, drawn))] == []
