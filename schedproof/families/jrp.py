"""The jrp family: jobs whose data nodes are spread over edge servers, accepted whole or not at all."""

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

BATCHES = Option("batches", whole(), 1, "the number of batches into which the jobs are split, in file order")
RESOURCES = Option(
    "resources", choice("split", "cone"), "split", "deadlines are met by (16)-(17), as in Algorithm 1, or by (10)"
)

FAMILY = Family(
    name="jrp",
    sentence="Jobs whose data nodes are spread over edge servers, accepted whole or not at all.",
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
            "JRP (5)-(13): the largest number of jobs whose deadlines can all be met.",
        ),
        Entry(
            "split",
            "schedproof.formulations.jrp.exact:split",
            "JRP with the time of every job split at ``communication_share``: (16) and (17) in place of (10), so it is"
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
            "An upper bound on `jrp.exact`, weaker than `conic`: computing and communicating each have all the time.",
        ),
    ),
    policies=(
        Entry(
            "jrp_rounding",
            "schedproof.online.jrp.jrp_rounding:JrpRounding",
            "Algorithm 1, randomized rounding of LP_I.",
            (
                Option(
                    "variant",
                    choice("repaired", "printed"),
                    "repaired",
                    "always feasible and done after at most as many iterations as jobs, or as printed, which may"
                    " overfill compute and bandwidth, and be stopped by its limit; of more than 40,000 edges"
                    " both round a point within 2 % of LP_I's optimum",
                ),
                Option("iterations", whole(1, 100_000), None, "at most, with variant=printed; 1000 if not given"),
                Option("resolves", whole(), None, "LPs at most, with variant=repaired; no limit if not given"),
                BATCHES,
            ),
            compared=({}, {"variant": "printed"}),
        ),
        Entry(
            "random",
            "schedproof.online.jrp.baselines:Random",
            "The first baseline: any qualified server.",
            (RESOURCES, BATCHES),
            compared=({},),
        ),
        Entry(
            "greedy",
            "schedproof.online.jrp.baselines:Greedy",
            "The second baseline, greedy load balancing: the least used qualified server.",
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
                    "between the bound and a point of the relaxation, relative, at which no more tangents are added",
                ),
                Option("rounds", whole(1, 1000), 60, "the most linear programs, each with more tangents"),
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
            "A certified upper bound on `jrp.split`, from LP_I: on schedules that split their time, not on all of"
            " them.",
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
