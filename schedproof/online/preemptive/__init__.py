"""The preemptive family's policies: A_online, its edge-only variant, and the paper's three baselines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.options import positive
from schedproof.core.policy import ArrivalPolicy
from schedproof.online.preemptive.a_online import AOnline
from schedproof.online.preemptive.batch_sche import batch_sche
from schedproof.online.preemptive.srtf import srtf
from schedproof.online.preemptive.tiresias_l import tiresias_l


def a_online(*, order: str = "static", price: str = "eq5", speed: str | Fraction = Fraction(1)) -> AOnline:
    """A_online.

    Parameters
    ----------
    order
        ``static`` (by gamma_jd = 1/(D p), as printed) or ``residual`` (by the rate of what remains).
    price
        ``eq5`` (Q of (5)) or ``marginal`` (the exact growth of sum (C - r)/D on the worker; slow).
    speed
        1 + eps; divides every chunk time before it is rounded up.
    """
    return AOnline(order, price, positive("speed", speed), use_cloud=True)


def a_online_edge(*, order: str = "static", price: str = "eq5", speed: str | Fraction = Fraction(1)) -> AOnline:
    """A_online-E of section V: the same without the cloud's workers; options as in `a_online`.

    A parameter server may still be the cloud's, where no edge server has a free one.
    """
    return AOnline(order, price, positive("speed", speed), use_cloud=False)


POLICIES: dict[str, Callable[..., ArrivalPolicy]] = {
    "preemptive.a_online": a_online,
    "preemptive.a_online_edge": a_online_edge,
    "preemptive.srtf": srtf,
    "preemptive.tiresias_l": tiresias_l,
    "preemptive.batch_sche": batch_sche,
}
