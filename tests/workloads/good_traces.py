"""Valid files for each loader, the starting point of tests with changed files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from schedproof.core.cards import registry
from schedproof.workloads import alibaba, google, openb, philly, tapfinger
from tests.workloads.trace_files import Loader, Row, Trace, accounted, check, table


@dataclass(frozen=True)
class Of:
    """A loader and valid files for it."""

    load: Loader
    files: Sequence[str]
    options: Mapping[str, str] = field(default_factory=dict)
    draws: bool = True
    check: Callable[[Row, Row], object] = accounted


def log(id: str) -> Loader:
    """The reader named on a log's card row."""
    return registry.entries("trace")[id].function


PHILLY = table(
    "timestamp,duration,num_gpus,gpu_time,cluster", *(f"2017-11-05 0{h}:30:00,{h}.5,{h},0,x" for h in (3, 4, 5))
)
ATTEMPT = {
    "start_time": "2017-10-07 01:00:00",
    "end_time": "2017-10-07 02:00:00",
    "detail": [{"ip": "m", "gpus": ["a"]}],
}
LOG = [
    {"status": "Pass", "vc": "v", "jobid": f"a{n}", "submitted_time": f"2017-10-07 00:0{n}:00", "attempts": [ATTEMPT]}
    for n in range(3)
]
MACHINES = ",machineId,number of GPUs\n0,m0,8\n1,m1,4\n3,m3,2\n"
GOOGLE = table(
    *(f"{time}000000,,{n},0,,0,user,{n % 4},0,0.0125,0.0159,0.0004,0" for n, time in enumerate((700, 710, 779)))
)
TASKS = table(
    *(f"M{time},3,j_1,1,Terminated,{time},{time + 10},{cpu},0.5" for time, cpu in ((100, 100), (150, 50), (199, 100)))
)
META = table(*(f"m_{n},0,219,17,96,100,USING" for n in range(3)))
PAI = table("a,T4,96,512,2", "b,P100,64,512,2", "c,CPU,96,384,0")
NODES = table(
    "sn,cpu_milli,memory_mib,gpu,model", "n1,64000,262144,2,P100", "n2,64000,262144,8,T4", "n3,8000,262144,0,"
)
PODS = table(
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time",
    *(
        f"pod-{time},12000,16384,1,{share},,LS,Running,{time},{time + 50},{time}"
        for time, share in ((0, 1000), (60, 460))
    ),
)
PROFILE = table(
    'image,2,1,30.5,"(1.5, 170.25)","(2.5, 160.0)"', "image,3,2,21", "speech,2,1,17.592518", "speech,2,2,17.25"
)
SLOTS = {"horizon": "10", "contention": "1"}
JOBS = table("id,arrival,gpus,duration", *(f"job {n},{n}00,{n},{n}0.5" for n in (1, 2, 3)))
SWF = table("; MaxProcs: 8", *(f"{n} {n}00 0 {n}0 {n} -1 -1 {n} -1 -1 1 7 -1 -1 -1 -1 -1 -1" for n in (1, 2, 3)))
SACCT = table(
    "JobID|User|Submit|Elapsed|State|AllocTRES",
    *(f"{n}|me|2024-03-01T10:0{n}:00Z|00:0{n}:00|COMPLETED|cpu=8,gres/gpu={n},node=1" for n in (1, 2, 3)),
)
HELIOS = table(
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue",
    *(
        f"{n},u,v,{n},4,1,COMPLETED,2020-06-09 18:4{n}:00Z,2020-06-09 18:5{n}:00Z,2020-06-09 18:5{2 * n}:00Z,"
        f"{60 * n},600"
        for n in (1, 2, 3)
    ),
)
SPOT = table(
    "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type",
    *(f"{n},5,A10,20,1,{n},{n}00,{n}0,HP" for n in (1, 2, 3)),
)
TRACES = {
    "philly": Of(philly.load, (PHILLY, MACHINES)),
    "philly, as in the paper": Of(philly.load, (PHILLY, MACHINES), {"mapping": "paper"}),
    "philly's log": Of(philly.load, (json.dumps(LOG), MACHINES)),
    "google": Of(google.load, (GOOGLE,), {"jobs": "50", "machines": "3"}),
    "alibaba": Of(alibaba.load, (TASKS, META), SLOTS, check=check),
    "alibaba, PAI": Of(alibaba.load, (TASKS, PAI), SLOTS | {"memory_scale": "5.12"}, check=check),
    "openb": Of(openb.load, (NODES, PODS), SLOTS, check=check),
    "tapfinger": Of(tapfinger.load, (PROFILE,), {"tasks": "6"}),
    "table": Of(log("preemptive.table"), (JOBS,), draws=False),
    "table, dmlrs": Of(log("dmlrs.table"), (JOBS,), draws=False),
    "swf": Of(log("preemptive.swf"), (SWF,), draws=False),
    "sacct": Of(log("preemptive.sacct"), (SACCT,), draws=False),
    "helios": Of(log("preemptive.helios"), (HELIOS,), draws=False),
    "alibaba_jobs": Of(log("preemptive.alibaba_jobs"), (SPOT,), draws=False),
}


def with_file(name: str, which: int, content: str | bytes) -> list[str | bytes]:
    return [content if n == which else text for n, text in enumerate(TRACES[name].files)]


def loaded(name: str, folder: Path, *contents: str | bytes, seed: int = 0) -> tuple[Row, Row]:
    """The loader's result for the files."""
    trace = Trace(TRACES[name].load, folder, **TRACES[name].options)
    data, report = trace.load(*(contents or TRACES[name].files), seed=seed)
    TRACES[name].check(data, report)
    return data, report
