"""LP_I and the split-free LP as a VIPR file states them are the Pyomo programs, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.core import vipr
from schedproof.instances.jrp import Instance
from tests.relaxations.jrp.odd import ODD
from tests.support import size
from tests.tiny.jrp import tiny_cells
from tests.vipr import assert_same, of_model, proven

SERVERS_ALONE = ("storage", "compute", "bandwidth")  # the groups with a row for each server


def numbered(instance: Instance, component: Any) -> str:
    """``placed[0,2,1]`` for the third data node of the first job on the second server."""
    block, kind = component.parent_block().local_name, component.parent_component().local_name
    index = component.index() if isinstance(component.index(), tuple) else (component.index(),)
    servers = [server.name for server in instance.servers]
    if block in SERVERS_ALONE:
        return f"{block}[{servers.index(index[0])}]"
    k = [job.name for job in instance.jobs].index(index[0])
    numbers = [k]
    if kind == "placed" or block == "assignment":
        numbers.append([node.name for node in instance.jobs[k].nodes].index(index[1]))
    if kind != "accepted" and block != "assignment":
        numbers.append(servers.index(index[-1]))
    return f"{block if kind == 'row' else kind}[{','.join(map(str, numbers))}]"


@pytest.mark.parametrize("id", ["jrp.lp_i", "jrp.split_free_lp"])
def test_it_is_the_program(id: str, tmp_path: Path) -> None:
    instances = [tiny_cells(seed, split=seed % 2 == 0) for seed in range(size(10, 24, 400))]
    for instance in [*instances, *(instance for name, (instance, _) in ODD.items() if name != "no jobs")]:
        vipr.write_vipr(tmp_path / "a.vipr", sp.bound(id, instance), vipr.listed(id, instance, {}))
        stated, *_ = proven((tmp_path / "a.vipr").read_text())
        model = sp.program(id).build(instance)
        assert_same(stated, of_model(model, lambda component, instance=instance: numbered(instance, component)))
