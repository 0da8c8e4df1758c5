"""The jrp family: jobs with data nodes on edge servers, accepted or rejected."""

from fractions import Fraction

from schedproof.core.cards.family import BoundEntry, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import Option, choice, number, whole

WANG19 = Paper(
    short="Wang et al. 2019",
    authors=("Haichuan Wang", "Xi Chen", "Hongli Xu", "Jianchun Liu", "Liusheng Huang"),
    title="Joint Job Offloading and Resource Allocation for Distributed Deep Learning in Edge Computing",
    venue="IEEE HPCC/SmartCity/DSS",
    year=2019,
    number="003",
)

BATCHES = Option("batches", whole(), 1, "number of batches into which the jobs are split, in file order")
RESOURCES = Option(
    "resources",
    choice("split", "cone"),
    "split",
    "rule by which deadlines are met: (16)-(17), as in Algorithm 1, or (10)",
)

FAMILY = Family(
    name="jrp",
    sentence="Jobs with data nodes on edge servers, accepted whole or rejected.",
    paper=WANG19,
    data=Data(
        instance="schedproof.instances.jrp.instance:Instance",
        schedule="schedproof.instances.jrp.schedule:Schedule",
        drive="schedproof.instances.jrp.drive:drive",
        check="schedproof.instances.jrp.checker:violations",
        picture="schedproof.instances.jrp.picture:draw_map",
        notes="schedproof.instances.jrp.instance:notes",
        gap="schedproof.relaxations.jrp.gap:parts",
        measure=Measure("throughput", "jobs", "acceptance ratio"),
    ),
    programs=(
        Entry(
            "exact",
            "schedproof.formulations.jrp.exact:exact",
            "JRP (5)-(13): the maximum number of jobs that meet their deadlines.",
        ),
        Entry(
            "split",
            "schedproof.formulations.jrp.exact:split",
            "JRP with each job's time split at ``communication_share``: (16) and (17) replace (10), so the program is"
            " linear.",
        ),
        Entry(
            "lp_i",
            "schedproof.relaxations.jrp.programs:lp_i",
            "LP_I (5)-(9), (14)-(17), the LP that Algorithm 1 rounds.",
        ),
        Entry(
            "conic",
            "schedproof.relaxations.jrp.conic:conic",
            "The conic relaxation, the strongest upper bound on `jrp.exact` here: (5)-(10) with x and y from 0 to 1.",
        ),
        Entry(
            "split_free_lp",
            "schedproof.relaxations.jrp.programs:split_free_lp",
            "An upper bound on `jrp.exact`, weaker than `conic`: computation and communication each take all the time.",
        ),
    ),
    policies=(
        Entry(
            "jrp_rounding",
            "schedproof.online.jrp.jrp_rounding:JrpRounding",
            "Algorithm 1, randomised rounding of LP_I.",
            (
                Option(
                    "variant",
                    choice("repaired", "printed"),
                    "repaired",
                    "repaired: always feasible, with at most as many iterations as jobs; printed: as in the paper, may"
                    " exceed compute and bandwidth, and may reach its limit; with more than 40,000 edges"
                    " both round a point within 2 % of LP_I's optimum",
                ),
                Option("iterations", whole(1, 100_000), None, "most iterations with variant=printed; default 1000"),
                Option("resolves", whole(), None, "most LPs with variant=repaired; unlimited by default"),
                BATCHES,
            ),
            compared=({}, {"variant": "printed"}),
        ),
        Entry(
            "random",
            "schedproof.online.jrp.baselines:Random",
            "The first baseline: each data node goes to any qualified server.",
            (RESOURCES, BATCHES),
            compared=({},),
        ),
        Entry(
            "greedy",
            "schedproof.online.jrp.baselines:Greedy",
            "The second baseline, greedy load balancing: the qualified server with the lowest utilisation.",
            (RESOURCES, BATCHES),
            compared=({}, {"resources": "cone"}),
        ),
    ),
    bounds=(
        BoundEntry(
            "conic",
            "schedproof.relaxations.jrp.bounds:conic_bound",
            "A certified upper bound on `jrp.exact`, from the conic relaxation.",
            (
                Option(
                    "gap",
                    number(),
                    Fraction(1, 10**7),
                    "relative gap between the bound and a point of the relaxation, at which no more tangents are added",
                ),
                Option(
                    "rounds",
                    whole(1, 1000),
                    60,
                    "largest number of linear programs; each has more tangents than the last",
                ),
            ),
            kind="upper",
            certificate="schedproof.relaxations.jrp.certificate:ConicPrices",
        ),
        BoundEntry(
            "split_free_lp",
            "schedproof.relaxations.jrp.bounds:split_free_bound",
            "A certified upper bound on `jrp.exact`, from the split-free LP; weaker than `jrp.conic`.",
            kind="upper",
            certificate="schedproof.relaxations.jrp.certificate:SplitFreePrices",
            linear="schedproof.relaxations.jrp.row_multipliers:multipliers",
        ),
        BoundEntry(
            "lp_i",
            "schedproof.relaxations.jrp.bounds:lp_i_bound",
            "A certified upper bound on `jrp.split`, from LP_I; it covers only schedules that split their time.",
            kind="upper",
            certificate="schedproof.relaxations.jrp.certificate:SplitPrices",
            among="schedules that split their time at communication_share",
            beatable=True,
            linear="schedproof.relaxations.jrp.row_multipliers:multipliers",
        ),
    ),
    generators=(
        Entry(
            "jrp",
            "schedproof.workloads.jrp:generate",
            "Random jrp instances with the paper's evaluation settings (section V-B).",
            presets=("tiny", "figure4", "figure5", "figure6"),
            settings="schedproof.workloads.jrp.settings:Settings",
        ),
    ),
    claims=("schedproof.proofs_checks.jrp",),
)
