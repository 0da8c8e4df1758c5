"""Algorithm 1 of paper 003 as a policy; with several batches it is run on each, with what those before have left."""

from __future__ import annotations

from schedproof.core.bound import Guarantee
from schedproof.core.errors import InputError
from schedproof.core.options import pick, whole
from schedproof.instances.jrp import Assignment, Instance
from schedproof.rounding.jrp import printed, repaired

LIMIT = 1000  # iterations of the printed algorithm


class JrpRounding:
    """A batch policy; every batch is drawn from the same seed.

    Parameters
    ----------
    variant
        ``printed`` or ``repaired``.
    cap
        Of its iterations, or of its linear programs; None for none.
    """

    def __init__(self, variant: str, seed: int, cap: int | None, batches: int) -> None:
        self.variant, self.seed, self.cap, self.batches = variant, seed, cap, batches

    def assign(self, instance: Instance) -> Assignment:
        """Decide a batch."""
        if self.variant == "printed":
            return printed(instance, self.seed, self.cap or LIMIT)
        return repaired(instance, self.seed, self.cap)

    def guarantee(self, instance: Instance) -> Guarantee:
        """Theorem 1 has no premises that an instance could be held to, and fails (`jrp.theorem1`)."""
        return Guarantee(None, "none", {})


def jrp_rounding(
    *,
    variant: str = "repaired",
    seed: str | int = 0,
    iterations: str | int | None = None,
    resolves: str | int | None = None,
    batches: str | int = 1,
) -> JrpRounding:
    """Algorithm 1, randomized rounding of LP_I.

    Parameters
    ----------
    variant
        ``repaired``, always feasible and done after at most as many iterations as jobs; or ``printed``, which may
        overfill compute and bandwidth, and be stopped by its limit.
    seed
        Of the draws.
    iterations
        The limit of ``printed``, 1000 if not given.
    resolves
        How many linear programs ``repaired`` solves at the most; if not given, one for each iteration.
    batches
        Jobs come in so many batches, in file order.
    """
    limits = {"printed": ("iterations", iterations), "repaired": ("resolves", resolves)}
    name, cap = pick("variant", variant, limits)
    for other, (option, value) in limits.items():
        if other != variant and value is not None:
            raise InputError(f"{option}={value}: expected with variant={other} only")
    most = None if cap is None else whole(name, cap)
    return JrpRounding(variant, whole("seed", seed, 0), most, whole("batches", batches))
