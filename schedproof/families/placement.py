"""The placement family: tasks that choose an edge cluster and an allocation on it."""

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
    choice(none="a task runs once, (3)", allowed="a task may be stopped; each stop loses half a slot"),
    "none",
)
ON = choice("on", "off")
WINDOW = Option(
    "window", whole(), 10, "length of the prefix of a cluster's queue from which the cluster may start a task"
)

FAMILY = Family(
    name="placement",
    sentence="Tasks that choose an edge cluster and an allocation on it.",
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
                    "every task starts exactly once, as (1) needs, or at most once, as printed in (3)",
                ),
                Option(
                    "interval",
                    choice("half_open", "closed"),
                    "half_open",
                    "a task holds its resources while it runs, or, as printed in (5), also in its completion slot",
                ),
            ),
        ),
        Entry(
            "lp",
            "schedproof.relaxations.placement.lp:lp",
            "The time-indexed LP: `placement.exact` with tasks split over several starts, a lower bound on it.",
        ),
    ),
    policies=(
        Entry(
            "random",
            "schedproof.online.placement.heuristics:Random",
            "Random: every cluster starts a random pending task that fits, with a random allocation that fits.",
            (WINDOW,),
            compared=({},),
        ),
        Entry(
            "minimum",
            "schedproof.online.placement.heuristics:Minimum",
            "Minimum: every cluster starts a random pending task that fits, with its least allocation that fits.",
            (WINDOW,),
            compared=({},),
        ),
        Entry(
            "tiresias",
            "schedproof.online.placement.tiresias:Tiresias",
            "Tiresias: two queues by attained GPU time, FIFO by start, minimum allocations.",
            (
                PREEMPTION,
                Option(
                    "threshold",
                    whole(),
                    None,
                    "GPU-slots after which a task is in the lower queue; by default the median of completed tasks",
                ),
            ),
            rule="schedproof.online.placement.rules:first_come.py",
            compared=({},),
        ),
        Entry(
            "optimus",
            "schedproof.online.placement.optimus:Optimus",
            "Optimus: a fitted speed for each task; units go to the largest marginal gain.",
            (PREEMPTION, WINDOW),
            rule="schedproof.online.placement.rules:first_come.py",
            compared=({},),
        ),
        Entry(
            "table",
            "schedproof.online.placement.table:Table",
            "Table: a fixed allocation for each kind of tasks; kinds listed first have priority.",
            (
                Option(
                    "table",
                    any_value("kind -> amounts, or text like sensitive:2,7;insensitive:2,1"),
                    None,
                    "default sensitive:2,7;insensitive:2,1, tuned on ``synthetic3``",
                ),
                Option(
                    "turns",
                    choice("together", "in_order"),
                    "together",
                    "conflict resolution by (11), or clusters in sequence",
                ),
                WINDOW,
            ),
            compared=({}, {"turns": "in_order"}),
        ),
        Entry(
            "tapfinger",
            "schedproof.online.placement.tapfinger.policy:TapFinger",
            "TapFinger: a trained network draws each cluster's task and allocation.",
            (
                Option("weights", text("a preset, like tiny, or a file of weights"), "tiny", "of the network"),
                Option(
                    "decode",
                    choice("sequential", "sampled"),
                    "sequential",
                    "clusters in sequence, or all at once by random draws",
                ),
                Option(
                    "rule",
                    choice("repaired", "printed"),
                    "repaired",
                    "with sampled: argmax of (11) over the clusters that chose a task, or, as printed, over all",
                ),
                Option(
                    "modes",
                    choice("all", "listed"),
                    "all",
                    "allocations that fit, or only undominated allocations, which reveal the task's profile",
                ),
            ),
            compared=({},),
        ),
        Entry(
            "offline",
            "schedproof.offline.placement.local_search:LocalSearch",
            "Offline: a local search that changes clusters, slots and allocations of tasks with similar starts.",
            (
                Option("rounds", whole(0, 10**9), 200, "number of rounds; each tries as many steps as there are tasks"),
                Option(
                    "start",
                    file("a schedule's file"),
                    None,
                    "starting schedule; by default tasks in order of arrival",
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
                Option("updates", whole(), None, "number of updates; by default the preset's"),
                Option("self_message", ON, "on", "whether a node of the graph keeps its own features"),
                Option("graph", ON, "on", "whether nodes receive messages"),
                Option("pointer", ON, "on", "whether tasks are chosen by (10), or by their positions"),
                Option(
                    "modes",
                    choice("all", "listed"),
                    "all",
                    "mask (12): allocations that fit, or only undominated allocations, which reveal the task's profile",
                ),
                Option(
                    "turns",
                    choice("in_order", "together"),
                    None,
                    "clusters choose in sequence, or at once with conflicts resolved by (11); default: the preset's",
                ),
            ),
            presets=("tiny", "synthetic3", "testbed3"),
        ),
    ),
    traces=(
        Entry(
            "tapfinger",
            "schedproof.workloads.tapfinger:load",
            "Tasks drawn from TapFinger's test-bed profile of three ML tasks, with a report.",
        ),
    ),
    games=(
        Entry(
            "starts",
            "schedproof.adversary.placement.starts:solve",
            "Tasks for one unit without preemption: the total completion time (1) over the optimum.",
            (
                Option("tasks", whole(1, 40), 5, "largest number of tasks"),
                Option("sizes", increasing(), (1, 4), "slots of a task"),
                Option("slots", whole(1, 60), 6, "number of initial slots in which tasks arrive"),
            ),
        ),
    ),
    rules=(PREEMPTION,),
    claims=("schedproof.proofs_checks.placement",),
)
