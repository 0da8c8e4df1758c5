"""The toy family's card."""

from fractions import Fraction

from schedproof.core.cards.family import BoundEntry, Data, Entry, Family
from schedproof.core.cards.sources import Paper
from schedproof.core.data.options import Option, number

DANTZIG57 = Paper(
    "Dantzig 1957", ("G. B. Dantzig",), "Discrete-Variable Extremum Problems", "Operations Research", 1957
)
BOUND, PROOF = "schedproof_toy.bound:fractional", "schedproof_toy.bound:PriceOfWeight"

FAMILY = Family(
    name="toy",
    sentence="Items arrive one by one, and a sack takes some of them.",
    paper=DANTZIG57,
    data=Data(
        instance="schedproof_toy.sack:Sack",
        schedule="schedproof_toy.sack:Packing",
        drive="schedproof_toy.policy:drive",
        check="schedproof_toy.checker:violations",
        picture="schedproof_toy.policy:draw",
        size=("items", "item"),
    ),
    programs=(Entry("knapsack", "schedproof_toy.program:knapsack", "The largest value that fits the sack."),),
    policies=(
        Entry(
            "threshold",
            "schedproof_toy.policy:Threshold",
            "Takes what fits and is worth its weight.",
            (Option("density", number(), Fraction(1), "the least value for each unit of weight"),),
        ),
    ),
    bounds=(BoundEntry("knapsack", BOUND, "A bound from a price of weight.", kind="upper", certificate=PROOF),),
    generators=(Entry("toy", "schedproof_toy.files:generate", "Random items.", presets=("tiny", "heavy")),),
    traces=(Entry("toylog", "schedproof_toy.files:load", "Lines of name, arrival, value and weight."),),
    claims=("schedproof_toy.claims",),
    checker="schedproof_toy.check",
)
