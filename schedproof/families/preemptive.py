"""The preemptive family: jobs of chunks on edge workers and in a cloud."""

from fractions import Fraction

from schedproof.core.cards.family import BoundEntry, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import REQUIRED, Option, choice, either, file, increasing, number, whole
from schedproof.families.logs import logs

WANG22 = Paper(
    short="Wang et al. 2022",
    authors=("Ne Wang", "Ruiting Zhou", "Lei Jiao", "Renli Zhang", "Bo Li", "Zongpeng Li"),
    title="Preemptive Scheduling for Distributed Machine Learning Jobs in Edge-Cloud Networks",
    venue="IEEE Journal on Selected Areas in Communications",
    year=2022,
    number="000",
)

SPEED = Option("speed", number(), Fraction(1), "1 + eps; divides every chunk time before rounding up")
READING = Option("reading", choice("ceil_chunk", "fluid"), "ceil_chunk", "a chunk takes whole slots, or its exact time")
COST = Option("cost", choice("printed", "half"), "printed", "t - r_j, or t - r_j plus half of the processing time")
PS_RELEASE = Option(
    "ps_release",
    choice(
        printed="(2i) and (4h) also hold for parameter servers: none serves j on s before r_j + Delta_js",
        none="parameter servers do not wait for uploads",
    ),
    "printed",
)
CHUNKS = Option(
    "chunks",
    choice(pinned="a chunk never moves (section III-A)", floating="a chunk may move, as printed in (2)"),
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
    "order",
    choice("static", "residual"),
    "static",
    "order by gamma = 1/(D p) as printed, or by the rate of the remaining work",
)
PRICE = Option(
    "price", choice("eq5", "marginal"), "eq5", "Q of (5), or the exact increase of sum (C - r)/D on the worker (slow)"
)
STEPS = Option("steps", whole(0, 1_000_000), 60, "rounds of the price ascent; each visits every job")
JOBS = Entry(
    "jobs",
    "schedproof.workloads.preemptive.recorded:from_jobs",
    "Map each job to one chunk per GPU; every chunk takes the job's duration.",
    (
        Option(
            "slot_seconds",
            either(choice("auto"), whole()),
            60,
            "length of a slot; auto: the longest of 1 s to 1 h with growth of the work within `inflation`",
        ),
        Option(
            "inflation",
            number(),
            Fraction(1, 100),
            "for slot_seconds=auto: largest growth of the work by rounding to slots",
        ),
        Option("load", number(), Fraction(1), "speed-up of the arrivals"),
        Option("restart", whole(0, 10**9), 0, "slots without progress before an interrupted job resumes"),
    ),
)
NO_CLOUD = {"cloud_jobs": "no job runs in the cloud; other policies may use the cloud"}
GANG = {"split_jobs": "a job runs with all of its workers or not at all"}
UNINTERRUPTED = {"preemptions": "chunks are not interrupted"}
START = Option(
    "start",
    file("a certificate's file"),
    None,
    "starting prices, from an earlier bound",
)

FAMILY = Family(
    name="preemptive",
    sentence="Jobs of data chunks on edge workers, with preemption, and a cloud.",
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
            "MINLP (2): the minimum total JCT, exactly.",
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
            "ILP (4): the minimum average fractional flow time.",
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
                    "a chunk is stored on one server, as in the text, or by (7c) as printed",
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
                    "t >= r_j + Delta_js, as in (4)'s columns, or t >= r_j as printed",
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
            "Dual (11): (6) for an offline system slower by the factor 1 + eps; chunk times stay exact (``fluid``).",
            (Option("eps", number(), REQUIRED, "how much slower"), COST, ROWS),
        ),
    ),
    policies=(
        Entry(
            "a_online",
            "schedproof.online.preemptive.a_online:AOnline",
            "A_online (Algorithms 1-5): each chunk goes to the least increase of the average completion time.",
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
            "Each job goes, whole, to a place that balances its completion and other jobs' delay.",
            (
                Option(
                    "critical",
                    number(below=1, or_equal=True, from_equal=True),
                    Fraction(1, 32),
                    "weight of other jobs' later completions; the remaining weight is for 1/D_j of each chunk's delay",
                ),
                PS_RELEASE,
                SPEED,
            ),
        ),
        Entry(
            "srtf",
            "schedproof.online.preemptive.srtf:ShortestRemainingTimeFirst",
            "SRTF: shortest remaining time first, all workers of a job together.",
            (CHUNKS, PS_RELEASE, SPEED),
            rule="schedproof.online.preemptive.rules:srtf_{chunks}.py",
            forgoes=NO_CLOUD | GANG,
            compared=({},),
        ),
        *(
            Entry(
                name,
                f"schedproof.online.preemptive.queues:{home}",
                sentence,
                (CHUNKS, PS_RELEASE, SPEED),
                forgoes=NO_CLOUD | GANG | UNINTERRUPTED,
            )
            for name, home, sentence in (
                ("fifo", "FirstInFirstOut", "FIFO: first come, first served, all workers of a job together."),
                (
                    "easy",
                    "Easy",
                    "EASY: FIFO with backfill: a later job starts early if it does not delay the first.",
                ),
                ("sjf", "ShortestJobFirst", "SJF: shortest job first, without preemption, as a strict queue."),
            )
        ),
        Entry(
            "tiresias_l",
            "schedproof.online.preemptive.tiresias_l:TiresiasL",
            "Tiresias-L: queues by attained service, FIFO, all workers of a job together.",
            (
                CHUNKS,
                PS_RELEASE,
                SPEED,
                Option("thresholds", increasing(), (500, 3000), "thresholds between queues, in worker-slots"),
            ),
            rule="schedproof.online.preemptive.rules:tiresias_l.py",
            forgoes=NO_CLOUD | GANG,
            compared=({},),
        ),
        Entry(
            "srpt_floating",
            "schedproof.online.preemptive.srpt_floating:ShortestRemainingWorkFirst",
            "SRPT, floating: least remaining work first, on as many workers as the job can use.",
            (
                Option("chunks", choice(floating="a chunk may move, as printed in (2)"), "floating"),
                PS_RELEASE,
                SPEED,
            ),
            rule="schedproof.online.preemptive.rules:srpt_floating.py",
            forgoes=NO_CLOUD,
        ),
        Entry(
            "batch_sche",
            "schedproof.online.preemptive.batch_sche:BatchSche",
            "BatchSche: in batches, each job at its cheapest resources, without preemption.",
            (
                CHUNKS,
                PS_RELEASE,
                SPEED,
                Option("window", whole(), 1, "slots between batches"),
                Option(
                    "cloud_price",
                    number(),
                    Fraction(1, 2),
                    "price of a worker-slot in the cloud; the edge's price is 1",
                ),
            ),
            forgoes=GANG | UNINTERRUPTED,
            compared=({},),
        ),
        Entry(
            "offline",
            "schedproof.offline.preemptive.local_search:LocalSearch",
            "Offline: a local search that moves chunks between workers; each runs least remaining work first.",
            (
                Option(
                    "rounds", whole(0, 10**9), 500, "number of rounds; each tries as many steps as there are chunks"
                ),
                PS_RELEASE,
                Option("start", file("a schedule's file"), None, "starting schedule; by default A_online's"),
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
                    "half bounds the total JCT and sum (C_jd - r_j)/D_j; printed also bounds (4)",
                ),
                Option("speed", number(), Fraction(1), "speed of the bounded system"),
                Option(
                    "prices",
                    choice(
                        "auto",
                        "lp",
                        flow="the LP optimum if the LP is a min-cost flow: each job has one chunk time at all places",
                        ascent="near the LP optimum, for any number of jobs",
                        free="zero prices, fastest: each job's time without waiting",
                    ),
                    "auto",
                    "of worker slots",
                ),
                Option(
                    "block",
                    whole(1, 100_000),
                    1,
                    "slots that share a price; set a larger value if the LP is too large",
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
            "A certified lower bound that charges a job until its last chunk ends, by a price ascent.",
            (Option("speed", number(), Fraction(1), "speed of the bounded system"), STEPS, START),
            kind="lower",
            certificate="schedproof.relaxations.preemptive.configuration:ConfigurationCertificate",
            parameters=("speed",),
            rules={"speed": "beyond", "ps_release": "any"},
            among="schedules whose chunks never move",
        ),
        BoundEntry(
            "floating_configuration_lp",
            "schedproof.relaxations.preemptive.configuration:floating_bound",
            "The bound `configuration_lp` for chunks that may move; weaker if jobs may use the cloud.",
            (Option("speed", number(), Fraction(1), "speed of the bounded system"), STEPS, START),
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
            "Random preemptive instances with the paper's evaluation ranges.",
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
            "Jobs of one chunk on one server's workers: the total JCT over the optimum for the same arrivals.",
            (
                Option("workers", whole(1, 5), 2, "how many"),
                Option("jobs", whole(1, 12), 6, "largest number of jobs"),
                Option("sizes", increasing(), (1, 2), "slots of a chunk"),
                Option("slots", whole(1, 20), 3, "number of initial slots in which jobs arrive"),
            ),
        ),
    ),
    claims=("schedproof.proofs_checks.preemptive",),
    what_if=Entry(
        "what_if",
        "schedproof.workloads.preemptive.what_if:change",
        "The instance with other machines, arrivals, speed, restarts or slots.",
        (
            Option("machines", whole(1, 1_000_000), None, "number of edge servers, of the file's kinds"),
            Option("load", number(), Fraction(1), "speed-up of the arrivals"),
            Option("speed", number(), Fraction(1), "speed-up of the workers; transfers take the same time"),
            Option("restart", whole(0, 10**9), None, "slots without progress before an interrupted chunk resumes"),
            Option("parts", whole(1), 1, "number of shorter slots in each slot"),
        ),
    ),
    rules=(SPEED, CHUNKS, ROUNDING, PS_RELEASE),
    relaxed={
        "chunks": ("pinned", "floating"),
        "reading": ("ceil_chunk", "ceil_job"),
        "ps_release": ("printed", "none"),
    },
    timetable="schedproof.instances.preemptive.timetable:timetable",
)
