"""The placement family: tasks that choose an edge cluster and how much of it they take."""

from schedproof.core.family import Data, Family
from schedproof.core.options import Option, choice
from schedproof.core.sources import Paper

LI23 = Paper(
    short="Li et al. 2023",
    authors=("Yihong Li", "Tianyu Zeng", "Xiaoxi Zhang", "Jingpu Duan", "Chuan Wu"),
    title="TapFinger: Task Placement and Fine-Grained Resource Allocation for Edge Machine Learning",
    venue="IEEE INFOCOM",
    year=2023,
)

PREEMPTION = Option(
    "preemption",
    choice("none", "allowed"),
    "none",
    "a task runs once, (3), or may be stopped, half a slot lost each time",
)

FAMILY = Family(
    name="placement",
    sentence="Tasks that choose an edge cluster and how much of it they take.",
    paper=LI23,
    data=Data(
        instance="schedproof.instances.placement.instance:Instance",
        schedule="schedproof.instances.placement.schedule:Schedule",
        read="schedproof.instances.placement.file:from_json",
        write="schedproof.instances.placement.file:to_json",
        rows="schedproof.instances.placement.file:InstanceRow",
        read_schedule="schedproof.instances.placement.schedule_file:from_json",
        write_schedule="schedproof.instances.placement.schedule_file:to_json",
        drive="schedproof.instances.placement.drive:drive",
        check="schedproof.instances.placement.checker:violations",
        picture="schedproof.instances.placement.picture:draw_gantt",
        notes="schedproof.instances.placement.instance:notes",
        size=("tasks", "task"),
    ),
    rules=(PREEMPTION,),
    claims=("schedproof.proofs_checks.placement",),
)
