"""Section IV-B: the embedding after L layers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.core.data.reading import Positive
from schedproof.families.placement import LI23


@dataclass(frozen=True)
class Layers:
    count: Positive


EMBEDDING = Claim(
    "placement.embedding_layers",
    LI23.at("section IV-B, below (9): 'After L layers [...] we get the final graph embedding G_t^(L-1)'"),
    "With G^(0) of (9) and G^(l) = g(G^(l-1)), the output of L layers is G^(L-1).",
    Domain.of(
        Layers,
        st.builds(Layers, st.integers(1, 10)),
        {"one layer": lambda case: case.count == 1, "several": lambda case: case.count > 1},
    ),
    severity="slip",
)
REPAIRED = EMBEDDING.repair("With G^(0) of (9) and G^(l) = g(G^(l-1)), the output of L layers is G^(L).", small=True)


@EMBEDDING.reading("the input is G^(0)", "The input is G^(0), as printed in (9); each layer is one g.", short=1)
@REPAIRED.false_variant("as printed", short=1)
@REPAIRED.reading(
    "the input is G^(0)",
    "The input is G^(0), as printed in (9); each layer is one g.",
    """
    G^(0) has passed no layer, and G^(l) has passed one layer more than G^(l-1). By induction G^(l) has passed l layers.
    So the output of L layers is G^(L).
    Coq: placement.v embedding_layers. Objects: after_layers. In words: only that g is a layer.
    - *With layers 0 to L - 1 the last output is G^(L-1).* Then G^(0) is the output of a layer; (9) has it as the input.
    - **The network does not change.* True. With the six layers of section V-A it is G^(6).
    """,
)
def applied(case: Layers, short: int = 0) -> Finding:
    return Finding(Fraction(passed(case.count - short)), Fraction(case.count), "equal", "times that g is applied")


def passed(index: int) -> int:
    """The number of layers of G^(index), by the recursion."""
    return 0 if index == 0 else passed(index - 1) + 1


@EMBEDDING.reading(
    "the input is no layer's",
    "Layers are counted from 0, and G^(l) is the output of layer l: G^(0) is the output of the first.",
    """
    The layers are 0, ..., L - 1. G^(0) has passed one layer, and G^(l) one more than G^(l-1). So G^(L-1) has passed L
    layers.
    - *(9) prints G^(0) as the features.* It does, which is against this reading; only the sentence allows it.
    """,
)
@EMBEDDING.false_variant("a layer too many", more=1)
def counted_from_zero(case: Layers, more: int = 0) -> Finding:
    return Finding(Fraction(passed(case.count - 1 + more) + 1), Fraction(case.count), "equal", "layers seen")
