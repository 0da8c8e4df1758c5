"""The multiserver family: job types with shares of several nodes' resources."""

from fractions import Fraction

from schedproof.core.cards.family import Attack, BoundEntry, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import REQUIRED, Option, any_value, choice, file, number, whole

ZHAO24 = Paper(
    short="Zhao et al. 2024",
    authors=(
        *("Hailiang Zhao", "Shuiguang Deng", "Zhengzhe Xiang", "Xueqiang Yan", "Jianwei Yin", "Schahram Dustdar"),
        "Albert Y. Zomaya",
    ),
    title="Scheduling Multi-Server Jobs With Sublinear Regrets via Online Learning",
    venue="IEEE Transactions on Services Computing",
    year=2024,
    doi="10.1109/TSC.2023.3303344",
    number="002",
)

GAINS = choice(node="(12), each channel through its node's utility", total="(7), f_k of a job's total")
GAIN = Option("gain", GAINS, "node")
COUNTED = Option("gain", GAINS, "node", "formula of the reward, (12) or (7); baselines ignore it")
OF_TASKS = Option(
    "gain",
    GAINS,
    "node",
    "gain of (12), for a job's tasks together at each node; or of III-E as printed, f_k of the total",
)
SLOT = Option("slot", whole(0), REQUIRED, "slot, from 0, whose arrivals are known")
POINT = Option(
    "point",
    any_value("an array (edges, resources)"),
    REQUIRED,
    "or text: [[1,0.5],[2,0]], an .npy or JSON file, or one number for all entries",
)
GAP = Option("gap", number(0, 1), Fraction(1, 10**6), "gap of each slot's optimum, relative to the bound")
PROTOCOL = Option(
    "protocol",
    choice("responds", "commits"),
    "responds",
    "decide after seeing the slot's arrivals, or before, from the previous slot's arrivals",
)
NODES = Option("nodes", choice("one", "all"), "one", "weight of each job and resource")
OGA_SCHED = (
    Option(
        "step",
        choice("constant", "decayed", "printed53", "anytime"),
        "constant",
        "D/(G sqrt T), eta_0 lambda^t (Table II), D/(|g_t| sqrt T), or D/sqrt(2 sum |g_s|^2)",
    ),
    GAIN,
    Option("constants", choice("sharper", "printed"), "sharper", "D and G, or as printed in (51) and (48)"),
    Option("initial", number(), None, "eta_0 of step=decayed, default 25; or eta of step=constant"),
    Option("decay", number(0, 2, or_equal=True), None, "lambda of step=decayed, default 0.9999"),
    Option("projection", choice("exact", "printed"), "exact", "exact, or Algorithm 1, lines 6-31, which may leave Y"),
    Option(
        "threads", whole(), None, "largest number of threads, used while faster than one; results do not depend on it"
    ),
)

FAMILY = Family(
    name="multiserver",
    sentence="Job types with shares of several nodes' resources.",
    paper=ZHAO24,
    data=Data(
        instance="schedproof.instances.multiserver.instance:Instance",
        schedule="schedproof.instances.multiserver.schedule:Schedule",
        drive="schedproof.instances.multiserver.drive:drive",
        check="schedproof.instances.multiserver.schedule:violations",
        picture="schedproof.instances.multiserver.picture:draw_average",
        notes="schedproof.instances.multiserver.instance:notes",
        gap="schedproof.relaxations.multiserver.gap:parts",
        size=("arrivals", "slot"),
        measure=Measure("cumulative reward", mean="mean reward", mean_unit="per slot"),
        arrays=("arrivals", "allocation"),
    ),
    programs=(
        Entry(
            "stationary",
            "schedproof.formulations.multiserver.optima:stationary",
            "The stationary optimum (10): the largest total reward of one allocation for all slots.",
            (GAIN,),
        ),
        Entry(
            "projection",
            "schedproof.formulations.multiserver.projection:projection",
            "The projection (32): the feasible allocation nearest to a point.",
            (POINT,),
        ),
        Entry(
            "slot_optimum",
            "schedproof.formulations.multiserver.optima:slot_optimum",
            "The slot optimum: the largest reward (8) of a slot with known arrivals.",
            (SLOT, GAIN),
        ),
        Entry(
            "gang",
            "schedproof.formulations.multiserver.gang:gang",
            "Gang scheduling (III-E): the largest reward of a slot in which each job starts enough tasks or none.",
            (SLOT, OF_TASKS),
        ),
    ),
    policies=(
        Entry(
            "oga_sched",
            "schedproof.online.multiserver.oga_sched:oga_sched",
            "OGASched: online gradient ascent with projection onto the feasible region in each slot.",
            OGA_SCHED,
            compared=({}, {"step": "decayed"}, {"step": "anytime"}),
        ),
        Entry(
            "slot_optimum",
            "schedproof.online.multiserver.slot_optimum:SlotOptimum",
            "The slot optimum: the best allocation for each slot's arrivals, to within a gap.",
            (GAIN, GAP),
        ),
        Entry(
            "drf",
            "schedproof.online.multiserver.drf:DominantResourceFairness",
            "DRF: ports by smallest dominant share; each takes its demand, or the rest.",
            (COUNTED, PROTOCOL),
            compared=({},),
        ),
        Entry(
            "fairness",
            "schedproof.online.multiserver.fairness:Fairness",
            "FAIRNESS as printed: shares in proportion to demands; the denominator has all connected ports.",
            (COUNTED, PROTOCOL),
            compared=({},),
        ),
        Entry(
            "fairness_arrived",
            "schedproof.online.multiserver.fairness:FairnessArrived",
            "FAIRNESS with only the arrived ports in the denominator.",
            (COUNTED, PROTOCOL),
        ),
        Entry(
            "binpacking",
            "schedproof.online.multiserver.packing:BinPacking",
            "BINPACKING: every job on its fullest node, resource by resource.",
            (NODES, COUNTED, PROTOCOL),
            compared=({},),
        ),
        Entry(
            "spreading",
            "schedproof.online.multiserver.packing:Spreading",
            "SPREADING: every job on its emptiest node, resource by resource.",
            (NODES, COUNTED, PROTOCOL),
            compared=({},),
        ),
    ),
    bounds=(
        BoundEntry(
            "stationary",
            "schedproof.relaxations.multiserver.bounds:stationary_bound",
            "A certified upper bound on the total reward of the best fixed allocation (10).",
            (GAIN, GAP),
            kind="upper",
            certificate="schedproof.relaxations.multiserver.certificate:StationaryCertificate",
            parameters=("gain",),
            beatable=True,  # by allocations that change from slot to slot
        ),
        BoundEntry(
            "slot_optimum",
            "schedproof.relaxations.multiserver.bounds:slot_optimum_bound",
            "A certified upper bound on any policy's reward, even if it sees x(t) before it allocates.",
            (GAIN, GAP),
            kind="upper",
            certificate="schedproof.relaxations.multiserver.certificate:SlotCertificate",
            parameters=("gain",),
        ),
    ),
    generators=(
        Entry(
            "multiserver",
            "schedproof.workloads.multiserver:generate",
            "Random multiserver instances with the paper's evaluation settings.",
            presets=("tiny", "default", "figure2", "large"),
            settings="schedproof.workloads.multiserver.settings:Settings",
        ),
    ),
    traces=(
        Entry(
            "openb",
            "schedproof.workloads.openb:load",
            "Alibaba's trace gpu-v2023 (openb): nodes, pods and arrivals, with a report.",
        ),
        Entry(
            "alibaba",
            "schedproof.workloads.alibaba:load",
            "Alibaba's cluster traces v2018 and gpu-v2020 (PAI), with a report.",
        ),
    ),
    games=(
        Entry(
            "regret",
            "schedproof.adversary.multiserver.regret:solve",
            "Arrivals of ports, slot by slot: the best fixed allocation's reward less the policy's.",
            (
                Option("slots", whole(1, 100), 4, "how many"),
                Option(
                    "instance",
                    file("the file of an instance with linear utilities and no overheads"),
                    None,
                    "instance whose ports and nodes are used; by default two ports and a node that fits one of them",
                ),
            ),
        ),
    ),
    rules=(GAIN,),
    attacks=(Attack("oga_sched", "regret", "schedproof.adversary.multiserver.worst_arrivals:attack"),),
    claims=("schedproof.proofs_checks.multiserver",),
    regret=Entry(
        "regret",
        "schedproof.online.multiserver.regret:regret",
        "The regret (11) of a run or a schedule as a curve in t, enclosed.",
        (
            Option("points", whole(2, 100_000), 100, "largest number of points of the curve, evenly spaced in ln t"),
            Option("gain", GAINS, None, "reading of the gain; by default the schedule's"),
            Option("gap", number(0, 1), Fraction(1, 10**7), GAP.meaning),
        ),
    ),
    worst_regret=Entry(
        "worst_regret",
        "schedproof.relaxations.multiserver.worst_regret:worst_regret",
        "The worst regret of projected ascent, over all sets of diameter D and gradients of norm G, with certificates.",
        (
            OGA_SCHED[0],
            Option("slots", whole(1, 40), 5, "T"),
            Option("initial", number(0, 1000, or_equal=True), None, "step rule as in oga_sched; steps are in D/G"),
            Option("decay", number(0, 2, or_equal=True), None, "lambda of step=decayed, default 0.9999"),
        ),
    ),
)
