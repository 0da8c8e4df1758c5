"""The preemptive family: jobs of data chunks, preempted on the workers of edge servers, with a cloud behind them."""

from fractions import Fraction

from schedproof.core.cards.family import BoundEntry, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import REQUIRED, Option, choice, file, increasing, number, whole
from schedproof.families.logs import logs

WANG22 = Paper(
    short="Wang et al. 2022",
    authors=("Ne Wang", "Ruiting Zhou", "Lei Jiao", "Renli Zhang", "Bo Li", "Zongpeng Li"),
    title="Preemptive Scheduling for Distributed Machine Learning Jobs in Edge-Cloud Networks",
    venue="IEEE Journal on Selected Areas in Communications",
    year=2022,
    number="000",
)

SPEED = Option("speed", number(), Fraction(1), "1 + eps; divides every chunk time before it is rounded up")
READING = Option("reading", choice("ceil_chunk", "fluid"), "ceil_chunk", "a chunk takes whole slots, or its exact time")
COST = Option("cost", choice("printed", "half"), "printed", "t - r_j, or that and half of the processing time")
PS_RELEASE = Option(
    "ps_release",
    choice(
        printed="(2i) and (4h) bind parameter servers, too: none on s before r_j + Delta_js",
        none="parameter servers need not wait",
    ),
    "printed",
)
CHUNKS = Option(
    "chunks",
    choice(pinned="a chunk never moves (section III-A)", floating="a chunk may move, as (2) prints it"),
    "pinned",
)
ROUNDING = Option(
    "reading",
    choice(
        ceil_chunk="slots are rounded up for each chunk",
        ceil_job="the slots of floating chunks are rounded up once for the job",
    ),
    "ceil_chunk",
)
ORDER = Option(
    "order", choice("static", "residual"), "static", "by gamma = 1/(D p) as printed, or by the rate of what remains"
)
PRICE = Option(
    "price", choice("eq5", "marginal"), "eq5", "Q of (5), or the exact growth of sum (C - r)/D on the worker (slow)"
)
STEPS = Option("steps", whole(0, 1_000_000), 60, "of an ascent of prices; each takes as long as a look at every job")
JOBS = Entry(
    "jobs",
    "schedproof.workloads.preemptive.recorded:from_jobs",
    "A job is as many chunks as it has GPUs, each of its duration; nothing is drawn.",
    (
        Option("slot_seconds", whole(), 60, "length of a slot"),
        Option("machines", whole(), None, "how many; as many as the jobs keep busy where it is not given"),
        Option("machine_gpus", whole(), 8, "GPUs of a machine"),
        Option("load", number(), Fraction(1), "arrivals come so many times as fast"),
    ),
)
NO_CLOUD = {"cloud_jobs": "nothing runs in the cloud, which the others may use"}
GANG = {"split_jobs": "a job runs with all of its workers or not at all"}
UNINTERRUPTED = {"preemptions": "no chunk is interrupted"}
START = Option(
    "start",
    file("a certificate's file"),
    None,
    "prices to begin with, of a bound that was found before: an ascent goes on",
)

FAMILY = Family(
    name="preemptive",
    sentence="Jobs of data chunks, preempted on the workers of edge servers, with a cloud behind them.",
    paper=WANG22,
    data=Data(
        instance="schedproof.instances.preemptive.instance:Instance",
        schedule="schedproof.instances.preemptive.schedule:Schedule",
        drive="schedproof.instances.preemptive.drive:drive",
        check="schedproof.instances.preemptive.checker:violations",
        picture="schedproof.instances.preemptive.picture:draw_gantt",
        gap="schedproof.relaxations.preemptive.gap:parts",
        measure=Measure("total JCT", "slots", "mean JCT", "slots"),
    ),
    programs=(
        Entry(
            "minlp2",
            "schedproof.formulations.preemptive.minlp:minlp2",
            "MINLP (2): the least total JCT, exactly.",
            (
                CHUNKS,
                ROUNDING,
                PS_RELEASE,
                SPEED,
            ),
        ),
        Entry(
            "ilp4",
            "schedproof.formulations.preemptive.ilp:ilp4",
            "ILP (4): the least average fractional flow time.",
            (COST, READING, PS_RELEASE, SPEED),
        ),
        Entry(
            "minlp7",
            "schedproof.formulations.preemptive.storage:minlp7",
            "MINLP (7): (2) with storage, chunks pinned.",
            (
                Option(
                    "stored",
                    choice("one_server", "as_printed"),
                    "one_server",
                    "a chunk is stored on one server, as the text means, or by (7c) to the letter",
                ),
                PS_RELEASE,
                SPEED,
            ),
        ),
        Entry(
            "ilp8",
            "schedproof.formulations.preemptive.storage:ilp8",
            "ILP (8): (4) with storage.",
            (COST, READING, PS_RELEASE, SPEED),
        ),
        Entry(
            "lp4",
            "schedproof.relaxations.preemptive.lp4:lp4",
            "The LP relaxation of (4) by classes: a lower bound on (4) and on the total JCT.",
            (Option("cost", choice("half", "printed"), "half", COST.meaning), READING, SPEED),
        ),
        Entry(
            "dual6",
            "schedproof.relaxations.preemptive.duals:dual6",
            "Dual (6) of relaxed (4) without (4c)-(4g).",
            (
                COST,
                ROWS := Option(
                    "rows",
                    choice("columns", "printed"),
                    "columns",
                    "t >= r_j + Delta_js, where (4) has columns, or t >= r_j as printed",
                ),
                READING,
                SPEED,
            ),
        ),
        Entry(
            "dual9",
            "schedproof.relaxations.preemptive.duals:dual9",
            "Dual (9) with storage, as printed.",
            (COST, READING, SPEED),
        ),
        Entry(
            "dual11",
            "schedproof.relaxations.preemptive.duals:dual11",
            "Dual (11): (6) for an offline system that is 1 + eps times slower; chunk times stay exact (``fluid``).",
            (Option("eps", number(), REQUIRED, "how much slower"), COST, ROWS),
        ),
    ),
    policies=(
        Entry(
            "a_online",
            "schedproof.online.preemptive.a_online:AOnline",
            "A_online (Algorithms 1-5): every chunk goes where it adds least to the average completion time.",
            (ORDER, PRICE, PS_RELEASE, SPEED),
            rule="schedproof.online.preemptive.rules:a_online.py",
            compared=({}, {"order": "residual"}, {"price": "marginal"}),
        ),
        Entry(
            "a_online_edge",
            "schedproof.online.preemptive.a_online:AOnlineEdge",
            "A_online-Edge, A_online-E in section V: A_online without the cloud's workers.",
            (ORDER, PRICE, PS_RELEASE, SPEED),
            forgoes=NO_CLOUD,
            compared=({},),
        ),
        Entry(
            "gang_online",
            "schedproof.online.preemptive.gang_online:GangOnline",
            "Each job goes, as a whole, where its last chunk is done early and other jobs lose little.",
            (
                Option(
                    "critical",
                    number(below=1, or_equal=True, from_equal=True),
                    Fraction(1, 32),
                    "for how much it counts that another job is done later; the rest for 1/D_j of each chunk's delay",
                ),
                PS_RELEASE,
                SPEED,
            ),
        ),
        Entry(
            "srtf",
            "schedproof.online.preemptive.srtf:ShortestRemainingTimeFirst",
            "SRTF: the job with the least remaining time runs first, all its workers together.",
            (CHUNKS, PS_RELEASE, SPEED),
            rule="schedproof.online.preemptive.rules:srtf_{chunks}.py",
            forgoes=NO_CLOUD | GANG,
            compared=({},),
        ),
        Entry(
            "tiresias_l",
            "schedproof.online.preemptive.tiresias_l:TiresiasL",
            "Tiresias-L: queues by attained service, first come first served, all workers of a job together.",
            (
                CHUNKS,
                PS_RELEASE,
                SPEED,
                Option("thresholds", increasing(), (500, 3000), "between one queue and the next, in worker-slots"),
            ),
            rule="schedproof.online.preemptive.rules:tiresias_l.py",
            forgoes=NO_CLOUD | GANG,
            compared=({},),
        ),
        Entry(
            "srpt_floating",
            "schedproof.online.preemptive.srpt_floating:ShortestRemainingWorkFirst",
            "SRPT, floating: the least remaining work first, on as many workers as it can use, wherever they are.",
            (
                Option("chunks", choice(floating="a chunk may move, as (2) prints it"), "floating"),
                PS_RELEASE,
                SPEED,
            ),
            rule="schedproof.online.preemptive.rules:srpt_floating.py",
            forgoes=NO_CLOUD,
        ),
        Entry(
            "batch_sche",
            "schedproof.online.preemptive.batch_sche:BatchSche",
            "BatchSche: batch by batch, each job where its resources cost least, without preemption.",
            (
                CHUNKS,
                PS_RELEASE,
                SPEED,
                Option("window", whole(), 1, "slots from one batch to the next"),
                Option(
                    "cloud_price", number(), Fraction(1, 2), "of a worker-slot in the cloud; one on the edge costs 1"
                ),
            ),
            forgoes=GANG | UNINTERRUPTED,
            compared=({},),
        ),
        Entry(
            "offline",
            "schedproof.offline.preemptive.local_search:LocalSearch",
            "Offline: a local search moves chunks between workers, each of which runs least remaining work first.",
            (
                Option("rounds", whole(0, 10**9), 500, "in each, as many steps are tried as there are chunks"),
                PS_RELEASE,
                Option(
                    "start", file("a schedule's file"), None, "to begin with, in place of A_online's: a search goes on"
                ),
            ),
            offline=True,
        ),
    ),
    bounds=(
        BoundEntry(
            "lp4",
            "schedproof.relaxations.preemptive.bounds:lp4_bound",
            "A certified lower bound from the class LP of (4).",
            (
                Option(
                    "cost",
                    choice("half", "printed"),
                    "half",
                    "half bounds the total JCT and sum (C_jd - r_j)/D_j; printed bounds (4) as well",
                ),
                Option("speed", number(), Fraction(1), "of the system that is bounded"),
                Option(
                    "prices",
                    choice(
                        "auto",
                        "lp",
                        flow="the LP's best, where it is a min-cost flow: each job takes one time, wherever it may run",
                        ascent="near the LP's best, for any number of jobs",
                        free="zero at once: what jobs would need if nobody waited",
                    ),
                    "auto",
                    "of worker slots",
                ),
                Option(
                    "block",
                    whole(1, 100_000),
                    1,
                    "slots that share a price; more of them for an LP that is too large",
                ),
                STEPS,
                START,
            ),
            kind="lower",
            certificate="schedproof.relaxations.preemptive.prices:PriceCertificate",
            parameters=("cost", "speed"),
            rules={"speed": "beyond", "ps_release": "any", "chunks": "any"},
            linear="schedproof.relaxations.preemptive.row_multipliers:multipliers",
        ),
        BoundEntry(
            "configuration_lp",
            "schedproof.relaxations.preemptive.configuration:configuration_bound",
            "A certified lower bound that counts a job until its last chunk is done, by an ascent of prices.",
            (Option("speed", number(), Fraction(1), "of the system that is bounded"), STEPS, START),
            kind="lower",
            certificate="schedproof.relaxations.preemptive.configuration:ConfigurationCertificate",
            parameters=("speed",),
            rules={"speed": "beyond", "ps_release": "any"},
            among="schedules whose chunks stay where they are",
        ),
        BoundEntry(
            "floating_configuration_lp",
            "schedproof.relaxations.preemptive.configuration:floating_bound",
            "The same bound for chunks that may move: weaker where a job may use the cloud, elsewhere the same number.",
            (Option("speed", number(), Fraction(1), "of the system that is bounded"), STEPS, START),
            kind="lower",
            certificate="schedproof.relaxations.preemptive.configuration:FloatingCertificate",
            parameters=("speed",),
            rules={"speed": "beyond", "ps_release": "any", "chunks": "any"},
        ),
    ),
    generators=(
        Entry(
            "preemptive",
            "schedproof.workloads.preemptive:generate",
            "Random preemptive instances with the paper's evaluation ranges (section V-A and Table II).",
            presets=("tiny", "testbed", "simulator"),
            settings="schedproof.workloads.preemptive.settings:Settings",
        ),
    ),
    traces=(
        Entry(
            "philly", "schedproof.workloads.philly:load", "The Philly trace of deep learning jobs and its machine list."
        ),
        *logs("preemptive", JOBS),
    ),
    games=(
        Entry(
            "arrivals",
            "schedproof.adversary.preemptive.arrivals:solve",
            "Jobs of one chunk on one server's workers: the total JCT, over the least for the same arrivals.",
            (
                Option("workers", whole(1, 5), 2, "how many"),
                Option("jobs", whole(1, 12), 6, "how many arrive at most"),
                Option("sizes", increasing(), (1, 2), "how many slots a chunk takes"),
                Option("slots", whole(1, 20), 3, "in the first so many of which jobs arrive"),
            ),
        ),
    ),
    claims=("schedproof.proofs_checks.preemptive",),
    rules=(SPEED, CHUNKS, ROUNDING, PS_RELEASE),
    timetable="schedproof.instances.preemptive.timetable:timetable",
)
