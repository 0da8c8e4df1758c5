"""The multiserver family: job types that hold shares of several nodes' resources, slot by slot."""

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
COUNTED = Option("gain", GAINS, "node", "how the reward is counted, by (12) or (7); no baseline looks at it")
OF_TASKS = Option("gain", GAINS, "node", "(12), a job's tasks together at each node; or as III-E prints it, f_k of all")
SLOT = Option("slot", whole(0), REQUIRED, "from 0 on; its arrivals are known")
POINT = Option(
    "point",
    any_value("an array (edges, resources)"),
    REQUIRED,
    "or as text: [[1,0.5],[2,0]], an .npy or JSON file that holds one, or one number for all entries",
)
GAP = Option("gap", number(0, 1), Fraction(1, 10**6), "of each optimum, relative to the bound")
PROTOCOL = Option(
    "protocol",
    choice("responds", "commits"),
    "responds",
    "after seeing the slot's arrivals, or before, going by the last slot's",
)
NODES = Option("nodes", choice("one", "all"), "one", "of each job and resource")
OGA_SCHED = (
    Option(
        "step",
        choice("constant", "decayed", "printed53", "anytime"),
        "constant",
        "D/(G sqrt T), eta_0 lambda^t (Table II), D/(|g_t| sqrt T), or D/sqrt(2 sum |g_s|^2)",
    ),
    GAIN,
    Option("constants", choice("sharper", "printed"), "sharper", "D and G, or as printed in (51) and (48)"),
    Option("initial", number(), None, "eta_0 of step=decayed, 25 if not given; or eta of step=constant"),
    Option("decay", number(0, 2, or_equal=True), None, "lambda of step=decayed, 0.9999 if not given"),
    Option("projection", choice("exact", "printed"), "exact", "or Algorithm 1, lines 6-31, which may leave Y"),
    Option("threads", whole(), None, "at most, as long as they are faster than one; the digits do not depend on it"),
)

FAMILY = Family(
    name="multiserver",
    sentence="Job types that hold shares of several nodes' resources, slot by slot.",
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
            "The stationary optimum (10): the largest reward, added up over all slots, of one allocation for all.",
            (GAIN,),
        ),
        Entry(
            "projection",
            "schedproof.formulations.multiserver.projection:projection",
            "The projection (32): the feasible allocation that is nearest to a point.",
            (POINT,),
        ),
        Entry(
            "slot_optimum",
            "schedproof.formulations.multiserver.optima:slot_optimum",
            "The slot optimum: the largest reward (8) of a slot whose arrivals are known.",
            (SLOT, GAIN),
        ),
        Entry(
            "gang",
            "schedproof.formulations.multiserver.gang:gang",
            "Gang scheduling (III-E): the largest reward of a slot in which a job starts enough of its tasks, or none.",
            (SLOT, OF_TASKS),
        ),
    ),
    policies=(
        Entry(
            "oga_sched",
            "schedproof.online.multiserver.oga_sched:oga_sched",
            "OGASched: online gradient ascent, each slot's allocation projected onto what is feasible.",
            OGA_SCHED,
            compared=({}, {"step": "decayed"}, {"step": "anytime"}),
        ),
        Entry(
            "slot_optimum",
            "schedproof.online.multiserver.slot_optimum:SlotOptimum",
            "The slot optimum: in every slot the best allocation for what arrived there, to within a gap.",
            (GAIN, GAP),
        ),
        Entry(
            "drf",
            "schedproof.online.multiserver.drf:DominantResourceFairness",
            "DRF: one port after the other takes its demand, or what is left; the smallest dominant share first.",
            (COUNTED, PROTOCOL),
            compared=({},),
        ),
        Entry(
            "fairness",
            "schedproof.online.multiserver.fairness:Fairness",
            "FAIRNESS as printed: shares in proportion to demands, those of all connected ports in the denominator.",
            (COUNTED, PROTOCOL),
            compared=({},),
        ),
        Entry(
            "fairness_arrived",
            "schedproof.online.multiserver.fairness:FairnessArrived",
            "FAIRNESS with the demands of the ports that arrived in the denominator.",
            (COUNTED, PROTOCOL),
        ),
        Entry(
            "binpacking",
            "schedproof.online.multiserver.packing:BinPacking",
            "BINPACKING: every job on the fullest of its nodes, resource by resource.",
            (NODES, COUNTED, PROTOCOL),
            compared=({},),
        ),
        Entry(
            "spreading",
            "schedproof.online.multiserver.packing:Spreading",
            "SPREADING: every job on the emptiest of its nodes, resource by resource.",
            (NODES, COUNTED, PROTOCOL),
            compared=({},),
        ),
    ),
    bounds=(
        BoundEntry(
            "stationary",
            "schedproof.relaxations.multiserver.bounds:stationary_bound",
            "A certified upper bound on what the best fixed allocation (10) earns over all slots.",
            (GAIN, GAP),
            kind="upper",
            certificate="schedproof.relaxations.multiserver.certificate:StationaryCertificate",
            parameters=("gain",),
            beatable=True,  # by allocations that change from slot to slot
        ),
        BoundEntry(
            "slot_optimum",
            "schedproof.relaxations.multiserver.bounds:slot_optimum_bound",
            "A certified upper bound on what any policy earns, also one that sees x(t) before it allocates.",
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
            "Random multiserver instances with the paper's evaluation settings (section IV, Tables II and III).",
            presets=("tiny", "default", "figure2", "large"),
            settings="schedproof.workloads.multiserver.settings:Settings",
        ),
    ),
    traces=(
        Entry(
            "openb",
            "schedproof.workloads.openb:load",
            "Alibaba's cluster-trace-gpu-v2023 (openb): real nodes, pods and arrivals, and a report on them.",
        ),
        Entry(
            "alibaba",
            "schedproof.workloads.alibaba:load",
            "Alibaba's cluster-trace-v2018 and cluster-trace-gpu-v2020 (PAI), as far as they go, and a report on them.",
        ),
    ),
    games=(
        Entry(
            "regret",
            "schedproof.adversary.multiserver.regret:solve",
            "Arrivals of ports, slot by slot: what the best fixed allocation earns, less what is earned.",
            (
                Option("slots", whole(1, 100), 4, "how many"),
                Option(
                    "instance",
                    file("the file of an instance with linear utilities and no overheads"),
                    None,
                    "whose system is meant; two ports and a node that has what one asks for, if not given",
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
        "The regret (11) of a run or a schedule as a curve in t, both of its sides enclosed.",
        (
            Option("points", whole(2, 100_000), 100, "of the curve, at most; evenly spaced in ln t"),
            Option("gain", GAINS, None, "that of the schedule if not given"),
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
            Option("initial", number(0, 1000, or_equal=True), None, "as of oga_sched, in D/G"),
            Option("decay", number(0, 2, or_equal=True), None, "lambda of step=decayed, 0.9999 if not given"),
        ),
    ),
)
