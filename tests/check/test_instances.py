from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound as checker
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import encode
from schedproof.core.simulation.instance import Instance
from schedproof.instances import from_json
from tests.certificates import instance_of
from tests.support import FAMILIES, size

BOUND = {
    "preemptive": "preemptive.lp4",
    "dmlrs": "dmlrs.rdmlrs_lp",
    "jrp": "jrp.lp_i",
    "placement": "placement.lp",
    "multiserver": "multiserver.stationary",
}
Change = Callable[[dict[str, Any]], None]


def twice(key: str) -> Change:
    return lambda value: value[key].append(copy.deepcopy(value[key][0]))


def beyond(value: dict[str, Any]) -> None:
    row = [{name: amount + 1 for name, amount in m["capacity"].items()} for m in value["machines"]]
    value["reserved"] = [row] * value["horizon"]


def of(*path: str | int, value: Any) -> Change:
    def change(row: Any) -> None:
        for step in path[:-1]:
            row = row[step]
        row[path[-1]] = value

    return change


def repeated(*path: str | int) -> Change:
    def change(row: Any) -> None:
        for step in path:
            row = row[step]
        row.append(copy.deepcopy(row[0]))

    return change


def dear(value: dict[str, Any]) -> None:
    value["overhead"] = dict.fromkeys(value["overhead"], 2)


def data_nodes(value: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[list[dict[str, Any]]] = [job["data_nodes"] for job in value["jobs"] if job["data_nodes"]]
    return rows[0]


CASES: list[tuple[str, str, Change]] = [
    ("preemptive", "servers: expected each name once", twice("servers")),
    ("preemptive", "jobs: expected each name once", twice("jobs")),
    ("preemptive", "upload_delay: expected names of the instance", of("jobs", 0, "upload_delay", "no", value=0)),
    ("preemptive", "worker_types: expected each name once", repeated("jobs", 0, "worker_types")),
    ("dmlrs", "machines: expected each name once", twice("machines")),
    ("dmlrs", "resources: expected each name once", twice("resources")),
    ("dmlrs", "reserved: expected at most the capacity", beyond),
    ("dmlrs", "reserved: expected a row for each slot", of("reserved", value=[[{}]])),
    ("dmlrs", "expected bandwidth_internal >= bandwidth_external", of("jobs", 0, "bandwidth_external", value=10**6)),
    ("dmlrs", "values that never increase", of("jobs", 0, "utility", value={"kind": "table", "values": [1, 2]})),
    ("jrp", "servers: expected each name once", twice("servers")),
    ("jrp", "communication_share: expected a number between 0 and 1", of("communication_share", value=2)),
    ("jrp", "the servers of a data node: expected names", lambda value: data_nodes(value)[0].update(servers=["no"])),
    ("jrp", "data_nodes: expected each name once", lambda value: data_nodes(value).append(data_nodes(value)[0])),
    ("placement", "clusters: expected each name once", twice("clusters")),
    ("placement", "tasks: expected each name once", twice("tasks")),
    ("placement", "durations: expected each allocation once", repeated("tasks", 0, "durations")),
    ("placement", "the clusters of a task: expected names", of("tasks", 0, "clusters", value=["no"])),
    ("multiserver", "nodes: expected each name once", twice("nodes")),
    ("multiserver", "the nodes of a port: expected each name once", repeated("ports", 0, "nodes")),
    (
        "multiserver",
        "expected a utility and an overhead of at most 1 for each resource",
        lambda value: value["overhead"].update(dict.fromkeys(value["overhead"], 2)),
    ),
    ("multiserver", "demand: expected names", of("ports", 0, "demand", "no", value=1)),
]


def files(folder: Path, family: str, change: Change | None) -> tuple[dict[str, Any], str]:
    instance: Instance = instance_of(family, 1)
    value = json.loads(encode(instance.to_json()))
    row = json.loads(encode(sp.bound(BOUND[family], instance).to_file()))
    if change is not None:
        change(value)
    (folder / "instance.json").write_text(json.dumps(value))
    row["instance_sha256"] = checker.identity(checker.read(str(folder / "instance.json")))
    (folder / "bound.json").write_text(json.dumps(row))
    try:
        checker.check(str(folder / "instance.json"), str(folder / "bound.json"))
    except checker.Refused as refused:
        return value, str(refused)
    return value, ""


@pytest.mark.parametrize(("family", "sentence", "change"), CASES)
def test_checker_and_reader_reject_it_with_a_message(
    family: str, sentence: str, change: Change, tmp_path: Path
) -> None:
    value, refusal = files(tmp_path, family, change)
    assert re.search(re.escape(sentence), refusal), refusal
    with pytest.raises(InputError):
        from_json(json.loads(json.dumps(value), parse_float=Fraction))


@pytest.mark.parametrize("family", FAMILIES)
def test_instances_accepted_by_the_reader_are_sound(family: str, tmp_path: Path) -> None:
    assert files(tmp_path, family, None)[1] == ""
    for seed in range(size(20, 60, 1000)):
        checker.require_sound(
            checker.exact(
                json.loads(encode(instance_of(family, seed).to_json()), parse_float=checker.Decimal), names=True
            )
        )
