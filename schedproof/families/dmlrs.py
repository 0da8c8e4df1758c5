"""The dmlrs family: jobs of workers and parameter servers on shared machines."""

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
    "Map each job to at most one worker per GPU; all workers take its duration.",
    (
        Option("slot_seconds", whole(), 3600, "length of a slot"),
        Option("patience", whole(2), 10, "a job's utility is 0 after this multiple of the job's duration"),
    ),
)
SCHEDULES = Option(
    "schedules",
    any_value("listed, or plans"),
    "listed",
    "source of the schedules: listed (all useful schedules, for tiny instances) or generated columns",
)
PART = number(0, 1, or_equal=True, from_equal=True)
LOSS = Option("theta1", PART, Fraction(1, 10), "allowed fairness loss, as a fraction of the largest loss")
ADJUSTED = Option("theta2", PART, Fraction(1, 10), "fraction of the jobs with workers that may be adjusted")
BOUNDS = Option("bounds", choice("printed", "repaired"), "printed", "U^r and L of the prices: (12)-(14), or repaired")
SHARE = Option(
    "share",
    number(0, 1),
    None,
    "largest share of a machine-slot for one job; only with ``bounds=repaired``, default 1/4",
)
SPAN = Option("span", number(), None, "ln(U^r / L) for the largest U^r; by default L is (14)")
FINENESS = Option(
    "fineness",
    either(whole(), choice("exact")),
    None,
    "k: the search counts progress in 1/k external workers; or ``exact``; by default exact for jobs of few "
    "worker-slots, fine for others",
)

FAMILY = Family(
    name="dmlrs",
    sentence="Jobs of workers and parameter servers on shared machines.",
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
            "DMLRS (3)-(7): the maximum total utility, exactly.",
            (
                Option(
                    "transformation",
                    choice("hull", "bigm"),
                    "hull",
                    "Pyomo.GDP's transformation of the disjunction into linear rows",
                ),
                Option(
                    "ratio",
                    choice("at_least", "printed"),
                    "at_least",
                    "one parameter server per gamma workers, rounded up, or (2) as an equality",
                ),
            ),
        ),
        Entry(
            "rdmlrs",
            "schedproof.formulations.dmlrs.rdmlrs:rdmlrs",
            "R-DMLRS (8)-(9), set packing: the maximum total utility with at most one schedule per job.",
            (SCHEDULES,),
        ),
        Entry(
            "slot",
            "schedproof.formulations.dmlrs.slot:slot",
            "The slot problem (19): theta(t, v), the least cost of training v samples of a job in slot t.",
            (
                Option("job", text("the name of a job"), REQUIRED, "the job's name"),
                Option("slot", whole(0), REQUIRED, "the slot, at or after the job's arrival"),
                Option("workload", number(from_equal=True), REQUIRED, "v, in samples"),
                Option(
                    "prices",
                    any_value("a number, machine -> resource -> price, or a JSON file of this form"),
                    REQUIRED,
                    "price per unit of a resource: one price for all, or prices by machine and resource",
                ),
                Option(
                    "form",
                    choice("milp", "pattern", "printed22", "printed23"),
                    "milp",
                    "exact; its LP over each machine's integer hull, a lower bound; or the printed internal case (22) "
                    "or external case (23)",
                ),
            ),
        ),
        Entry(
            "dorm",
            "schedproof.formulations.dmlrs.dorm:dorm",
            "Dorm's program for one slot and the jobs that have arrived by then.",
            (LOSS, ADJUSTED, Option("slot", whole(0), 0, "the slot whose free capacity is used")),
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
            "PD-ORS (Algorithms 1-4): accept a job if its utility exceeds its best schedule's price.",
            (
                Option(
                    "theta",
                    choice("exact", "lp_rounding", "lp_rounding_shrunk"),
                    "exact",
                    "the slot problem exactly; by Algorithm 4; or by an LP with less capacity and more demand, as a "
                    "margin for rounding",
                ),
                BOUNDS,
                SHARE,
                SPAN,
                FINENESS,
                Option(
                    "gain",
                    either(choice("resources", "workload"), number()),
                    Fraction(1),
                    "G of ``lp_rounding``: a number, or the value of (29) or (30)",
                ),
                Option("delta", number(0, 1, or_equal=True), Fraction(1, 2), "of (29) and (30)"),
                Option(
                    "draws",
                    whole(1, 10_000),
                    20,
                    "S, the number of roundings of an LP point; the cheapest feasible rounding is kept",
                ),
                Option(
                    "raised",
                    whole(0),
                    1,
                    "relative excess of workers and parameter servers that ``lp_rounding_shrunk`` plans",
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
            "FIFO: jobs strictly in order of arrival, with a fixed number of workers each.",
            (
                Option(
                    "workers",
                    either(choice("drawn"), whole()),
                    "drawn",
                    "drawn for each job from 1..30, or one number of workers for all jobs",
                ),
            ),
            compared=({},),
        ),
        Entry(
            "drf",
            "schedproof.online.dmlrs.drf:DominantResourceFairness",
            "DRF: max-min fair dominant shares, recomputed in every slot.",
            compared=({},),
        ),
        Entry(
            "dorm",
            "schedproof.online.dmlrs.dorm:Dorm",
            "Dorm: the numbers of workers with the highest utilisation, under fairness and adjustment limits.",
            (LOSS, ADJUSTED),
            compared=({},),
        ),
        Entry(
            "offline",
            "schedproof.offline.dmlrs.local_search:LocalSearch",
            "Offline: a local search that replans jobs of similar arrival, each for its earliest completion.",
            (
                Option("rounds", whole(0, 10**9), 200, "number of rounds; each tries as many steps as there are jobs"),
                Option("start", file("a schedule's file"), None, "starting schedule; by default empty"),
            ),
            offline=True,
        ),
    ),
    bounds=(
        BoundEntry(
            "rdmlrs_lp",
            "schedproof.relaxations.dmlrs.bounds:rdmlrs_lp_bound",
            "A certified upper bound on the maximum total utility, from R-DMLRS's LP.",
            (
                Option(
                    "gap",
                    number(0, 1, from_equal=True),
                    Fraction(1, 10_000),
                    "relative gap between the LP over the generated schedules and the bound at which generation stops",
                ),
                Option(
                    "fineness",
                    either(whole(), choice("auto", "exact")),
                    "auto",
                    "progress of a job is counted in 1/fineness of an external worker-slot; ``auto`` adapts it to the "
                    "job's work, ``exact`` is for small jobs",
                ),
                Option(
                    "resume",
                    file("a file"),
                    None,
                    "a file that stores the state; an interrupted or timed-out computation resumes from it",
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
            "A part of Google's cluster trace of 2011 (clusterdata-2011-2), in T slots.",
        ),
        *logs("dmlrs", JOBS),
    ),
    games=(
        Entry(
            "offers",
            "schedproof.adversary.dmlrs.offers:solve",
            "Equal jobs for one machine, one by one: the optimal utility over that of the admitted jobs.",
            (
                Option("fits", whole(1, 20), 2, "number of jobs that fill the machine"),
                Option("values", increasing(), (2, 3, 4, 5, 6, 7, 8), "the utilities, in any unit"),
            ),
        ),
    ),
    claims=("schedproof.proofs_checks.dmlrs",),
)
