"""Section IV: tables and percentages.

The figures are not computable from the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Answer, Claim, Domain, Exhaustive, Finding, Outside, Premise, worst
from schedproof.families.multiserver import ZHAO24

DEFAULTS = ("T = 2000", "rho = 0.7")  # the columns that have the defaults of Table II
A_BASELINE: Premise[Any] = Premise("a baseline", lambda case: case.policy != "OGASCHED")
OF_DEFAULTS: Premise[Any] = Premise("T = 2000 and rho = 0.7", lambda case: case.column in DEFAULTS)

# Table III, average rewards of a slot
TABLE3 = {
    "OGASCHED": "2578.53 2886.33 2911.37 3104.98 1904.87 2154.18 3117.29 2938.22 2816.18 2904.51 3127.47",
    "DRF": "2422.47 2493.02 2449.23 2497.85 1364.53 2086.59 2503.01 2755.41 2417.08 2786.94 2795.42",
    "FAIRNESS": "2532.24 2582.80 2552.41 2436.22 1295.53 1997.19 2628.02 2873.84 2501.54 2857.60 2918.98",
    "BINPACKING": "2386.01 2449.15 2444.32 2365.13 1246.39 1897.79 2518.98 2740.19 2374.31 2757.71 2829.19",
    "SPREADING": "2382.01 2466.71 2436.60 2362.88 1250.67 1888.06 2519.37 2737.93 2382.87 2766.07 2836.37",
}

COLUMNS = (
    *(f"T = {slots}" for slots in (1000, 2000, 5000, 10000)),
    *(f"rho = {chance}" for chance in ("0.3", "0.5", "0.7", "0.9")),
    *(f"dense = {edges}" for edges in ("2", "2.5", "3")),
)


@dataclass(frozen=True)
class Cell:
    column: str
    policy: str

    @property
    def value(self) -> Fraction:
        return Fraction(TABLE3[self.policy].split()[COLUMNS.index(self.column)])


def cells() -> Iterator[Cell]:
    return (Cell(column, policy) for policy in TABLE3 for column in COLUMNS)


DOMAIN = Domain.of(
    Cell,
    st.sampled_from(list(cells())),
    {
        "the horizon": lambda cell: cell.column.startswith("T"),
        "the arrivals": lambda cell: cell.column.startswith("rho"),
        "the graph": lambda cell: cell.column.startswith("dense"),
    },
    printed=True,
)

BEST = Claim(
    "multiserver.evaluation_best",
    ZHAO24.at("section IV-B, findings on Table III"),
    "For all parameter settings of Table III, OGASched performs better than a baseline.",
    DOMAIN,
)


def of_baselines() -> Iterator[Cell]:
    return (cell for cell in cells() if cell.policy != "OGASCHED")


@BEST.reading(
    "the printed numbers",
    "The statement is about the eleven columns. "
    "For all instances it is false: with T = 1 and y(1) = 0 the policy earns nothing.",
    exhaustive=Exhaustive("Table III, four baselines", 44, of_baselines),
    where=(A_BASELINE,),
)
@BEST.false_variant("by two percent at least", lead=Fraction(102, 100))
def best(case: Cell, lead: Fraction = Fraction(1)) -> Answer:
    if case.policy == "OGASCHED":
        return Outside(A_BASELINE)
    return Finding(Cell(case.column, "OGASCHED").value, lead * case.value, "at least", f"{case.column}, {case.policy}")


TABLE = Claim(
    "multiserver.evaluation_table3",
    ZHAO24.at("section IV, Tables II and III"),
    "In Table III one parameter varies and the others have the defaults of Table II: so T = 2000 and rho "
    "= 0.7, which are both defaults, have the same average rewards.",
    DOMAIN.but(regimes=DOMAIN.regimes[:2]),
    severity="slip",
)
REPAIRED = TABLE.repair(
    "The columns T = 2000 and rho = 0.7 of Table III differ in each row, the second being larger: by "
    "0.4 percent (DRF) to 8.002 percent (OGASched)."
)


@TABLE.reading("the same setting", "The numbers agree in the printed digits.", where=(OF_DEFAULTS,))
def same_setting(case: Cell) -> Answer:
    if case.column not in DEFAULTS:
        return Outside(OF_DEFAULTS)
    one, other = (Cell(column, case.policy).value for column in DEFAULTS)
    return Finding(one, other, "equal", f"{case.policy}, T = 2000 and rho = 0.7")


def of_defaults() -> Iterator[Cell]:
    return (Cell(column, policy) for column in DEFAULTS for policy in TABLE3)


@REPAIRED.reading(
    "the printed numbers",
    "The differences are in percent of the first number.",
    exhaustive=Exhaustive("the rows of Table III, from either column", 10, of_defaults),
    where=(OF_DEFAULTS,),
)
@REPAIRED.false_variant("by eight percent at most", most=Fraction(8))
def apart(case: Cell, most: Fraction = Fraction("8.002")) -> Answer:
    if case.column not in DEFAULTS:
        return Outside(OF_DEFAULTS)
    one, other = (Cell(column, case.policy).value for column in DEFAULTS)
    percent = 100 * (other - one) / one
    bounds = Finding(percent, Fraction(2, 5), "at least"), Finding(percent, most, "at most")
    return worst(replace(finding, where=f"{case.policy}, percent") for finding in bounds)


@TABLE.false_variant("every column is that of T = 2000")
def all_the_same(case: Cell) -> Finding:
    return Finding(case.value, Cell(DEFAULTS[0], case.policy).value, "equal")


TABLE.open_reading(
    "other draws",
    "Each column has its own random arrivals.",
    "the number of draws and their spread, with which two means could be compared",
)

LEADS: Claim[Case] = Claim(
    "multiserver.evaluation_leads",
    ZHAO24.at("abstract; section IV-A, Fig. 2(a)"),
    "OGASched outperforms DRF, FAIRNESS, BINPACKING and SPREADING by 11.33 %, 7.75 %, 13.89 % and 13.44 %.",
)

LEADS.open_reading(
    "average reward at T = 8000",
    "Contention level 11, beta in [0.4, 0.6].",
    "the sizes of the requests, the graph, which utility each node and resource has, y(1), the "
    "number of draws; three of the six resources are in neither trace",
)

STEP: Claim[Case] = Claim(
    "multiserver.evaluation_step",
    ZHAO24.at("section IV, on Table II; section IV-A"),
    "eta_0 = 25 with the decay 0.9999 tunes the learning rate around the value (53).",
)

STEP.open_reading(
    "Table II",
    "T = 2000, |L| = 10, |R| = 128, K = 6.",
    "requests, capacities and edges, on which diam(Y) and the gradient depend, and what 'around' allows",
)
