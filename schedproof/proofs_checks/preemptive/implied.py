"""Below (4h): do the binary y_jdsw(t), t >= r_j + Delta_js, imply (2a) and (2i)?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.strategies import preemptive_details as draw
from schedproof.proofs_checks.strategies.preemptive_details import Entry

IMPLIED = Claim(
    "preemptive.implied",
    WANG22.at("section IV-B, below (4h)"),
    "(2a) and (2i) are implied in y_jdsw(t) in {0, 1} and t >= r_j + Delta_js.",
    Domain.of(
        Entry,
        draw.entries(),
        {
            "not qualified": lambda case: not case.qualified,
            "not landed": lambda case: not case.landed,
            "neither": lambda case: not (case.qualified or case.landed),
        },
    ),
    severity="slip",
)
REPAIRED = IMPLIED.repair(
    "With y_jdsw(t) = 0 before the landing and for n_jsw = 0, (4h) implies (2a) and (2i).", small=True
)
FOUR = Exhaustive("a worker qualified or not, a chunk landed there or not", 4, draw.every_entry)


@IMPLIED.reading(
    "not restricted before",
    "(4h) does not restrict y_jdsw(t) for t < r_j + Delta_js, over which (4a) and (3) sum too.",
    absent_before=False,
)
@IMPLIED.reading("absent before", "y_jdsw(t) is not a variable before the landing; n_jsw = 0 is only a factor in rows.")
@IMPLIED.reading(
    "absent there, too",
    "y_jdsw(t) is not a variable before the landing or for n_jsw = 0.",
    exhaustive=FOUR,
    absent_unqualified=True,
    also=REPAIRED,
)
def extra_entry(case: Entry, absent_before: bool = True, absent_unqualified: bool = False) -> Finding:
    """(2a) and (2i) allow an entry y_jdsw(t) = 1 that (4) allows.

    The entry is added to a complete schedule: (4a) holds without it, (4b) and (4e) have room for it, and it costs 0
    where n_jsw = 0.
    """
    in_4 = (case.landed or not absent_before) and (case.qualified or not absent_unqualified)
    return Finding(Fraction(in_4), Fraction(case.qualified and case.landed), "at most", "allowed by (4), by (2)")


IMPLIED.false_variant("nothing is allowed")(lambda case: Finding(extra_entry(case).measured, Fraction(0), "at most"))
