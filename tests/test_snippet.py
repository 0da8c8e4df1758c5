"""The first page's snippet runs unchanged on the embedded instance."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.axes import Axes

import schedproof as sp
from schedproof.core.runtime.files import write_json
from schedproof.instances.preemptive import to_json


def test_the_snippet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_json("day.json", to_json(sp.embedded("day")))

    inst = sp.read("day.json")
    lp = sp.program("preemptive.ilp4").drop("one_worker_per_chunk").relaxed()
    sol = lp.solve(inst, solver="highs")
    run = sp.policy("a_online", order="residual").run(inst)
    ratio = run.ratio(sp.bound("preemptive.lp4", inst))
    frame, picture = run.to_frame(), ratio.plot()

    assert sol.status == "optimal" and sol.objective == pytest.approx(sol.bound, rel=1e-9)
    assert sol.values["training.edge"] and lp.build(inst).find_component("chunk_work") is not None
    assert run.feasible and run.schedule.violations(inst) == []
    assert isinstance(ratio.exact, Fraction) and ratio.exact >= 1
    assert ratio.guarantee is None and set(ratio.premises.values()) <= {"yes", "no", "undetermined"}
    assert isinstance(frame, pd.DataFrame) and frame["jct"].sum() == run.objective
    assert frame.attrs["policy"] == "preemptive.a_online" and frame.attrs["options"] == {"order": "residual"}
    assert isinstance(picture, Axes)
