"""The placement family: tasks that choose an edge cluster and how much of it they take."""

from schedproof.core.cards.family import BoundEntry, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import Option, any_value, choice, file, increasing, text, whole

LI23 = Paper(
    short="Li et al. 2023",
    authors=("Yihong Li", "Tianyu Zeng", "Xiaoxi Zhang", "Jingpu Duan", "Chuan Wu"),
    title="TapFinger: Task Placement and Fine-Grained Resource Allocation for Edge Machine Learning",
    venue="IEEE INFOCOM",
    year=2023,
    number="004",
)

PREEMPTION = Option(
    "preemption",
    choice(none="a task runs once, (3)", allowed="a task may be stopped, half a slot lost each time"),
    "none",
)
ON = choice("on", "off")
WINDOW = Option("window", whole(), 10, "the earliest so many tasks of a cluster's queue, of which it may start one")

FAMILY = Family(
    name="placement",
    sentence="Tasks that choose an edge cluster and how much of it they take.",
    paper=LI23,
    data=Data(
        instance="schedproof.instances.placement.instance:Instance",
        schedule="schedproof.instances.placement.schedule:Schedule",
        drive="schedproof.instances.placement.drive:drive",
        check="schedproof.instances.placement.checker:violations",
        picture="schedproof.instances.placement.picture:draw_gantt",
        notes="schedproof.instances.placement.instance:notes",
        gap="schedproof.relaxations.placement.gap:parts",
        size=("tasks", "task"),
        measure=Measure("total JCT", "slots", "mean JCT", "slots"),
    ),
    programs=(
        Entry(
            "exact",
            "schedproof.formulations.placement.exact:exact",
            "Program (1)-(8): the least total completion time of all tasks.",
            (
                Option(
                    "each",
                    choice("exactly", "at_most"),
                    "exactly",
                    "every task starts exactly once, as (1) needs it, or at most once, as (3) is printed",
                ),
                Option(
                    "interval",
                    choice("half_open", "closed"),
                    "half_open",
                    "a task holds its resources while it runs, and, as (5) is printed, in the slot of its completion",
                ),
            ),
        ),
        Entry(
            "lp",
            "schedproof.relaxations.placement.lp:lp",
            "The time-indexed LP: `placement.exact` with tasks that may be split over several starts, a lower bound on"
            " it.",
        ),
    ),
    policies=(
        Entry(
            "random",
            "schedproof.online.placement.heuristics:Random",
            "Random: every cluster starts any pending task that fits, with any allocation that fits.",
            (WINDOW,),
            compared=({},),
        ),
        Entry(
            "minimum",
            "schedproof.online.placement.heuristics:Minimum",
            "Minimum: every cluster starts any pending task that fits, with the least allocation that fits.",
            (WINDOW,),
            compared=({},),
        ),
        Entry(
            "tiresias",
            "schedproof.online.placement.tiresias:Tiresias",
            "Tiresias: two queues by attained GPU time, first in first out by start, minimum allocations.",
            (
                PREEMPTION,
                Option(
                    "threshold",
                    whole(),
                    None,
                    "GPU-slots after which a task is in the lower queue; if not given, the median of completed tasks",
                ),
            ),
            rule="schedproof.online.placement.rules:first_come.py",
            compared=({},),
        ),
        Entry(
            "optimus",
            "schedproof.online.placement.optimus:Optimus",
            "Optimus: a fitted speed for each task, and the allocation with the largest marginal gain, unit by unit.",
            (PREEMPTION, WINDOW),
            rule="schedproof.online.placement.rules:first_come.py",
            compared=({},),
        ),
        Entry(
            "table",
            "schedproof.online.placement.table:Table",
            "Table: an allocation for each kind of tasks, the kinds that are served first standing first.",
            (
                Option(
                    "table",
                    any_value("kind -> amounts, or text like sensitive:2,7;insensitive:2,1"),
                    None,
                    "if not given, sensitive:2,7;insensitive:2,1, which is tuned to ``synthetic3``",
                ),
                Option("turns", choice("together", "in_order"), "together", "conflicts by (11), or none: one by one"),
                WINDOW,
            ),
            compared=({}, {"turns": "in_order"}),
        ),
        Entry(
            "tapfinger",
            "schedproof.online.placement.tapfinger.policy:TapFinger",
            "TapFinger: every cluster starts a task and with an allocation that a trained network draws.",
            (
                Option("weights", text("a preset, like tiny, or a file of weights"), "tiny", "of the network"),
                Option("decode", choice("sequential", "sampled"), "sequential", "one by one, or all at once and drawn"),
                Option(
                    "rule",
                    choice("repaired", "printed"),
                    "repaired",
                    "when sampled: the argmax of (11) is over the clusters that chose a task, or, as printed, over all",
                ),
                Option(
                    "modes",
                    choice("all", "listed"),
                    "all",
                    "what fits, or of it what no other allocation of the task dominates, which leaks its profile",
                ),
            ),
            compared=({},),
        ),
        Entry(
            "offline",
            "schedproof.offline.placement.local_search:LocalSearch",
            "Offline: a local search gives tasks that start about the same time other clusters, slots and allocations.",
            (
                Option("rounds", whole(0, 10**9), 200, "in each, as many steps are tried as there are tasks"),
                Option(
                    "start",
                    file("a schedule's file"),
                    None,
                    "to begin with, in place of tasks in order of arrival: a search goes on",
                ),
            ),
            offline=True,
        ),
    ),
    bounds=(
        BoundEntry(
            "lp",
            "schedproof.relaxations.placement.bounds:lp_bound",
            "A certified lower bound on `placement.exact`, from the time-indexed LP.",
            kind="lower",
            certificate="schedproof.relaxations.placement.certificate:StartPrices",
            rules={"preemption": "beyond"},
            among="schedules without preemption",
        ),
    ),
    generators=(
        Entry(
            "placement",
            "schedproof.workloads.placement:generate",
            "Random placement instances with the paper's evaluation settings (section V-A).",
            presets=("tiny", "synthetic3", "synthetic6", "testbed3", "testbed6"),
            settings="schedproof.workloads.placement.settings:Settings",
        ),
    ),
    trainers=(
        Entry(
            "placement",
            "schedproof.online.placement.tapfinger.train:train",
            "TapFinger's network, by MAPPO on environments of the generator.",
            (
                Option("updates", whole(), None, "as often it plays and learns; if not given, the preset's number"),
                Option("self_message", ON, "on", "whether a node of the graph keeps what it is"),
                Option("graph", ON, "on", "whether nodes take in messages at all"),
                Option("pointer", ON, "on", "whether tasks are chosen by (10), or by their places"),
                Option(
                    "modes",
                    choice("all", "listed"),
                    "all",
                    "what (12) leaves: what fits, or of it what no other allocation of the task dominates, which leaks"
                    " its profile",
                ),
                Option(
                    "turns",
                    choice("in_order", "together"),
                    None,
                    "clusters choose one by one, or at once and (11) resolves conflicts; if not given, as the preset",
                ),
            ),
            presets=("tiny", "synthetic3", "testbed3"),
        ),
    ),
    traces=(
        Entry(
            "tapfinger",
            "schedproof.workloads.tapfinger:load",
            "TapFinger's test-bed profile of three ML tasks, with tasks drawn from it, and a report on what was read.",
        ),
    ),
    games=(
        Entry(
            "starts",
            "schedproof.adversary.placement.starts:solve",
            "Tasks for one unit, each to its end: the total completion time (1), over the least for the same arrivals.",
            (
                Option("tasks", whole(1, 40), 5, "how many come at most"),
                Option("sizes", increasing(), (1, 4), "how many slots a task takes"),
                Option("slots", whole(1, 60), 6, "in the first so many of which tasks come"),
            ),
        ),
    ),
    rules=(PREEMPTION,),
    claims=("schedproof.proofs_checks.placement",),
)
