from __future__ import annotations

from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, UnknownName
from schedproof.core.runtime.files import write_json


@pytest.fixture
def day(tmp_path: Path) -> Path:
    file = tmp_path / "day.json"
    write_json(file, sp.embedded("day").to_json())
    return file


def test_a_file_replaces_its_instance(day: Path) -> None:
    inst, online = sp.read(day), sp.policy("srtf")
    run = online.run(str(day))
    assert run.objective == online.run(inst).objective and run.instance.sha256 == inst.sha256
    bound = sp.bound("preemptive.lp4", day)
    assert bound.exact == sp.bound("preemptive.lp4", inst).exact
    assert run.ratio("preemptive.lp4").exact == run.ratio(bound).exact
    assert run.ratio(sp.preemptive.lp4).exact == run.ratio(sp.bound(sp.preemptive.lp4.relaxed(), inst)).exact
    assert sp.preemptive.lp4.solve(day).objective == sp.preemptive.lp4.solve(inst).objective
    with pytest.raises(InputError, match=r"no-day\.json: cannot be read"):
        online.run("no-day.json")


def test_a_policys_name_replaces_the_policy(day: Path) -> None:
    slow = sp.policy(sp.policy("a_online", order="residual"), speed=2)
    assert (slow.name, slow.options) == ("a_online", {"order": "residual", "speed": 2})
    assert sp.policy(sp.preemptive.srtf) == sp.preemptive.srtf
    one = sp.compare(day, "srtf", bound=None)
    many = sp.compare([sp.read(day)], [sp.preemptive.srtf], bound=None)
    assert one.objective.tolist() == many.objective.tolist() and len(one) == 1


def test_all_names_are_listed() -> None:
    assert {"preemptive.lp4", "jrp.conic"} <= sp.programs().keys() and "jrp.conic" not in sp.programs("placement")
    assert sp.policies("preemptive").keys() < sp.policies().keys() and all(sp.policies().values())
    assert {name.partition(".")[2] for name in sp.policies("preemptive")} < {*dir(sp.preemptive)}
    with pytest.raises(UnknownName, match="did you mean preemptive"):
        sp.policies("preemptiv")


def test_instances_and_schedules_are_frames() -> None:
    for family in ("preemptive", "dmlrs", "jrp", "placement"):
        inst = sp.generate(family)
        frame = inst.to_frame()
        assert len(frame) == inst.extent[0] and frame.attrs["instance_sha256"] == inst.sha256
        assert frame.name.is_unique
    run = sp.policy("srtf").run(sp.embedded("day"))
    assert run.schedule.to_frame().equals(run.schedule.to_frame(run.instance))
    assert run.schedule.plot().get_title() == run.schedule.plot(run.instance).get_title()
