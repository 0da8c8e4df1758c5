"""(10), first line: over which embeddings is the mean?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import Embedded

MEAN = Claim(
    "placement.mean_embedding",
    LI23.at(
        "(10), first line, and section IV-B, 'We pad the pending set with dummy entities p_0'; a statement of ours"
    ),
    "If the mean in (10) is over the pending tasks without the dummies, h-bar and with it all scores do not "
    "depend on the padding.",
    Domain.of(
        Embedded,
        draw.embedded_cases(),
        {
            "dummies": lambda case: case.dummies > 0,
            "no dummies": lambda case: case.dummies == 0,
            "several tasks": lambda case: len(case.tasks) > 1,
        },
    ),
)

MEAN_PROOF = """
Then the dummies' embeddings do not occur in h-bar. In (10) u_j is a function of h_j and h-bar, and the dummies' terms
in the softmax are 0. So no score of a task depends on the number of dummies.
Coq: placement.v mean_embedding. Objects: softmax. In words: a dummy's weight in the softmax is exp(-inf) = 0.
- *How is (10) printed?* It sums over j: p_j in P_nt and divides by |P_nt|. Section IV-B calls this a set of fixed
size, padded with dummy entities p_0. Then h-bar counts the dummies, and with two tasks of ten it is mainly the
embedding of a dummy. The same section has 'up to |P_nt| tasks', which would exclude dummies.
- *And the transformer encoder in front of (10)?* Its attention must exclude the dummies as well, otherwise h_j depends
on them. The statement is about (10), for given h_j.
"""


@MEAN.reading("for given h_j", "The mean is taken in each coordinate of h-bar.", MEAN_PROOF)
@MEAN.false_variant("over the padded set", of_tasks=False)
def padding_effect(case: Embedded, of_tasks: bool = True) -> Answer:
    padded = [*case.tasks, *[case.dummy] * case.dummies]
    result, alone = mean(list(case.tasks) if of_tasks else padded), mean(list(case.tasks))
    return worst(Finding(a, b, "equal", "a coordinate of h-bar") for a, b in zip(result, alone, strict=True))


def mean(rows: list[tuple[int, ...]]) -> list[Fraction]:
    return [Fraction(sum(column), len(rows)) for column in zip(*rows, strict=True)]
