"""Algorithm 1 as a policy; a batch gets the amounts left by earlier batches.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from schedproof.core.errors import InputError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.jrp import Assignment, Instance
from schedproof.rounding.jrp import round_as_printed, round_repaired

USUAL_LIMIT = 1000  # iterations of the printed algorithm


class JrpRounding:
    """For more than 40,000 edges, LP_I is solved to within 2 % of its optimum.

    `schedproof.rounding.jrp.guided` solves it in both variants; rounding and checks are unchanged.

    Every batch uses the same seed. No guarantee is quoted, because Theorem 1 is false (`jrp.theorem1`).
    """

    def __init__(
        self,
        *,
        variant: str = "repaired",
        iterations: int | None = None,
        resolves: int | None = None,
        batches: int = 1,
        context: Context = USUAL,
    ) -> None:
        for option, value, only in (("iterations", iterations, "printed"), ("resolves", resolves, "repaired")):
            if value is not None and variant != only:
                raise InputError(f"{option}={value}: expected only with variant={only}")
        self.variant, self.iterations, self.resolves = variant, iterations, resolves
        self.batches, self.seed = batches, context.seed

    def assign(self, instance: Instance) -> Assignment:
        if self.variant == "printed":
            return round_as_printed(instance, self.seed, self.iterations or USUAL_LIMIT)
        return round_repaired(instance, self.seed, self.resolves)
