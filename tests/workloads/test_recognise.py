from __future__ import annotations

from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, UnknownName
from schedproof.workloads.recognise import likely
from tests.workloads.good_traces import NODES, PHILLY, PODS, PROFILE, TASKS

SACCT = "JobID|Submit|Start|End|Elapsed|State|AllocTRES\n1|2024-03-01T10:00:00|||00:10:00|COMPLETED|gres/gpu=2\n"
SWF = "; MaxProcs: 32\n1 0 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n"
FILES = {
    "sacct": SACCT,
    "swf": SWF,
    "table": "job;submit;n\na;2024-03-01 10:00;2\n",
    "philly": PHILLY,
    "alibaba_jobs": PODS,
    "openb": NODES,
    "alibaba": TASKS,
    "tapfinger": PROFILE,
    "google": "0,2,3418309,0,4155527081,0,70s3=,3,9,,,,\n",
    "gavel": "ResNet-18\tcd %s && python3 main.py\t--num_steps\t1\t100\t0.0\t1\n",
    "pollux": "name,time,application,num_replicas,batch_size\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_has_its_reader(name: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(FILES[name])
    assert likely(tmp_path / "log") == name


@pytest.mark.parametrize(("name", "right"), [("slurm", "sacct"), ("pbs", "swf"), ("csv", "table")])
def test_an_unknown_reader_gets_the_likely_one(name: str, right: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(FILES[right])
    with pytest.raises(InputError, match=f"^unknown trace '{name}'; log looks like a file of the reader `{right}`$"):
        sp.trace(name, tmp_path / "log")
    with pytest.raises(UnknownName, match=f"unknown trace '{name}'; available: "):
        sp.trace(name, tmp_path / "none")


@pytest.mark.parametrize(("name", "right"), [("sacct", "swf"), ("table", "sacct"), ("swf", "table")])
def test_a_wrong_reader_names_the_likely_one(name: str, right: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_text(FILES[right])
    with pytest.raises(InputError, match=f"log looks like a file of the reader `{right}`$"):
        sp.trace(name, tmp_path / "log")


def test_a_wrong_option_is_no_wrong_reader(tmp_path: Path) -> None:
    (tmp_path / "log").write_text(FILES["swf"])
    with pytest.raises(InputError) as caught:
        sp.trace("table", tmp_path / "log", machines=0)
    assert "looks like" not in str(caught.value)
