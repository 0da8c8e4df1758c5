"""The dmlrs family: jobs of workers and parameter servers that share machines, slot by slot."""

from fractions import Fraction

from schedproof.core.cards.family import BoundEntry, Data, Entry, Family, Measure
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import (
    REQUIRED,
    Option,
    any_value,
    choice,
    either,
    file,
    increasing,
    number,
    text,
    whole,
)
from schedproof.families.logs import logs

YU22 = Paper(
    short="Yu et al. 2022",
    authors=("Menglu Yu", "Jia Liu", "Chuan Wu", "Bo Ji", "Elizabeth S. Bentley"),
    title="Toward Efficient Online Scheduling for Distributed Machine Learning Systems",
    venue="IEEE Transactions on Network Science and Engineering",
    year=2022,
    doi="10.1109/TNSE.2021.3104513",
    number="001",
)

JOBS = Entry(
    "jobs",
    "schedproof.workloads.dmlrs.recorded:from_jobs",
    "A job has at most as many workers as GPUs, and needs all of them for its duration; nothing is drawn.",
    (
        Option("slot_seconds", whole(), 3600, "length of a slot"),
        Option("machines", whole(), None, "how many; as many as the jobs keep busy where it is not given"),
        Option("machine_gpus", whole(), 8, "GPUs of a machine"),
        Option("patience", whole(2), 10, "a job is worth nothing after so many times its duration"),
    ),
)
SCHEDULES = Option(
    "schedules",
    any_value("listed, or plans"),
    "listed",
    "all that are worth having (listed), for tiny instances; or the plans to choose from: generated columns, say",
)
PART = number(0, 1, or_equal=True, from_equal=True)
LOSS = Option("theta1", PART, Fraction(1, 10), "the fairness loss allowed, of the largest there is")
ADJUSTED = Option("theta2", PART, Fraction(1, 10), "the part of the jobs holding workers that may be adjusted")
BOUNDS = Option("bounds", choice("printed", "repaired"), "printed", "U^r and L of the prices: (12)-(14), or repaired")
SHARE = Option(
    "share",
    number(0, 1),
    None,
    "the largest share of a machine-slot that one job may take; with ``bounds=repaired`` only, 1/4 if not given",
)
SPAN = Option("span", number(), None, "ln(U^r / L) for the largest U^r; if not given, L is (14)")
FINENESS = Option(
    "fineness",
    either(whole(), choice("exact")),
    None,
    "k, to count progress in 1/k external workers when the best schedule is sought, or ``exact``; if not given, exact "
    "for jobs of few worker-slots and fine for others",
)

FAMILY = Family(
    name="dmlrs",
    sentence="Jobs of workers and parameter servers that share machines, slot by slot.",
    paper=YU22,
    data=Data(
        instance="schedproof.instances.dmlrs.instance:Instance",
        schedule="schedproof.instances.dmlrs.schedule:Schedule",
        drive="schedproof.instances.dmlrs.drive:drive",
        check="schedproof.instances.dmlrs.checker:violations",
        picture="schedproof.instances.dmlrs.picture:draw_slots",
        notes="schedproof.instances.dmlrs.instance:notes",
        gap="schedproof.relaxations.dmlrs.gap:parts",
        measure=Measure("total utility", mean="mean utility", mean_unit="per job"),
    ),
    programs=(
        Entry(
            "exact",
            "schedproof.formulations.dmlrs.exact:exact",
            "DMLRS (3)-(7): the largest total utility, exactly.",
            (
                Option(
                    "transformation",
                    choice("hull", "bigm"),
                    "hull",
                    "how Pyomo.GDP makes linear rows of the disjunction",
                ),
                Option(
                    "ratio",
                    choice("at_least", "printed"),
                    "at_least",
                    "a parameter server for every gamma workers, or (2) as an equality",
                ),
            ),
        ),
        Entry(
            "rdmlrs",
            "schedproof.formulations.dmlrs.rdmlrs:rdmlrs",
            "R-DMLRS (8)-(9), set packing: the largest total utility of at most one schedule for each job.",
            (SCHEDULES,),
        ),
        Entry(
            "slot",
            "schedproof.formulations.dmlrs.slot:slot",
            "The slot problem (19): theta(t, v), the least cost of training v samples of a job in slot t.",
            (
                Option("job", text("the name of a job"), REQUIRED, "the job's name"),
                Option("slot", whole(0), REQUIRED, "the slot, not before the job's arrival"),
                Option("workload", number(from_equal=True), REQUIRED, "v, in samples"),
                Option(
                    "prices",
                    any_value("a number, machine -> resource -> price, or a JSON file of that"),
                    REQUIRED,
                    "per unit of a resource, the same for all of them or machine by machine",
                ),
                Option(
                    "form",
                    choice("milp", "pattern", "printed22", "printed23"),
                    "milp",
                    "exact; its LP over the corners of each machine's integer hull, a lower bound; as printed, the "
                    "internal case (22) or the external one (23)",
                ),
            ),
        ),
        Entry(
            "dorm",
            "schedproof.formulations.dmlrs.dorm:dorm",
            "Dorm's program for one slot, for the jobs that have arrived by then.",
            (LOSS, ADJUSTED, Option("slot", whole(0), 0, "whose free capacity counts")),
        ),
        Entry(
            "rdmlrs_lp",
            "schedproof.relaxations.dmlrs.duals:rdmlrs_lp",
            "The LP relaxation of R-DMLRS (8)-(9).",
            (SCHEDULES,),
        ),
        Entry(
            "dual",
            "schedproof.relaxations.dmlrs.duals:dual",
            "D-R-DMLRS (10)-(11), the dual of relaxed R-DMLRS.",
            (SCHEDULES,),
        ),
    ),
    policies=(
        Entry(
            "pd_ors",
            "schedproof.online.dmlrs.pd_ors:PdOrs",
            "PD-ORS (Algorithms 1-4): a job is accepted when its utility exceeds the price of its best schedule.",
            (
                Option(
                    "theta",
                    choice("exact", "lp_rounding", "lp_rounding_shrunk"),
                    "exact",
                    "the slot problem exactly; by Algorithm 4; or with an LP that leaves room on each machine for what "
                    "rounding adds, and takes more than is needed",
                ),
                BOUNDS,
                SHARE,
                SPAN,
                FINENESS,
                Option(
                    "gain",
                    either(choice("resources", "workload"), number()),
                    Fraction(1),
                    "G of ``lp_rounding``: a number, or that of (29) or (30)",
                ),
                Option("delta", number(0, 1, or_equal=True), Fraction(1, 2), "of (29) and (30)"),
                Option(
                    "draws",
                    whole(1, 10_000),
                    20,
                    "S, the roundings of one LP point, of which the cheapest feasible one is kept",
                ),
                Option(
                    "raised",
                    whole(0),
                    1,
                    "workers and parameter servers that ``lp_rounding_shrunk`` takes beyond those needed",
                ),
            ),
            compared=({}, {"span": 12}, {"bounds": "repaired"}),
        ),
        Entry(
            "oasis",
            "schedproof.online.dmlrs.oasis:Oasis",
            "OASiS: PD-ORS with workers and parameter servers on separate halves of the machines.",
            (BOUNDS, SHARE, SPAN, FINENESS),
            compared=({}, {"span": 12}),
        ),
        Entry(
            "fifo",
            "schedproof.online.dmlrs.fifo:FirstInFirstOut",
            "FIFO: strictly in order of arrival, a fixed number of workers for each job.",
            (
                Option(
                    "workers",
                    either(choice("drawn"), whole()),
                    "drawn",
                    "drawn for each job from 1..30, or the number of workers of every job",
                ),
            ),
            compared=({},),
        ),
        Entry(
            "drf",
            "schedproof.online.dmlrs.drf:DominantResourceFairness",
            "DRF: max-min fair in dominant shares, in every slot anew.",
            compared=({},),
        ),
        Entry(
            "dorm",
            "schedproof.online.dmlrs.dorm:Dorm",
            "Dorm: the numbers of workers that use the cluster best, near fairness and near what is held.",
            (LOSS, ADJUSTED),
            compared=({},),
        ),
        Entry(
            "offline",
            "schedproof.offline.dmlrs.local_search:LocalSearch",
            "Offline: a local search plans jobs that arrive about the same time anew, each done as soon as it can.",
            (
                Option("rounds", whole(0, 10**9), 200, "in each, as many steps are tried as there are jobs"),
                Option(
                    "start", file("a schedule's file"), None, "to begin with, in place of nothing: a search goes on"
                ),
            ),
            offline=True,
        ),
    ),
    bounds=(
        BoundEntry(
            "rdmlrs_lp",
            "schedproof.relaxations.dmlrs.bounds:rdmlrs_lp_bound",
            "A certified upper bound on the largest total utility, from R-DMLRS's LP.",
            (
                Option(
                    "gap",
                    number(0, 1, from_equal=True),
                    Fraction(1, 10_000),
                    "between the LP over the generated schedules and the bound, relative to it, at which it stops",
                ),
                Option(
                    "fineness",
                    either(whole(), choice("auto", "exact")),
                    "auto",
                    "progress of a job is counted in 1/fineness of an external worker-slot; ``auto`` fits that to the "
                    "job's work, ``exact`` is for small jobs",
                ),
                Option(
                    "resume",
                    file("a file"),
                    None,
                    "a file that keeps the state; an interrupted or timed-out computation goes on from it",
                ),
            ),
            kind="upper",
            certificate="schedproof.relaxations.dmlrs.certificate:PriceCertificate",
        ),
    ),
    generators=(
        Entry(
            "dmlrs",
            "schedproof.workloads.dmlrs:generate",
            "Random dmlrs instances with the paper's evaluation ranges (section V).",
            presets=("tiny", "figure6", "figure9", "figure10"),
            settings="schedproof.workloads.dmlrs.settings:Settings",
        ),
    ),
    traces=(
        Entry(
            "google",
            "schedproof.workloads.google:load",
            "Google's cluster trace of 2011 (clusterdata-2011-2) as dmlrs instances: a snippet of it, scaled to T "
            "slots.",
        ),
        *logs("dmlrs", JOBS),
    ),
    games=(
        Entry(
            "offers",
            "schedproof.adversary.dmlrs.offers:solve",
            "Equal jobs for one machine, one by one: what the best that fit are worth, over what is admitted for good.",
            (
                Option("fits", whole(1, 20), 2, "how many of the jobs fill the machine"),
                Option("values", increasing(), (2, 3, 4, 5, 6, 7, 8), "the utilities, in a unit of their own"),
            ),
        ),
    ),
    claims=("schedproof.proofs_checks.dmlrs",),
)
