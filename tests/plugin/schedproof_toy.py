"""A package of somebody else's: one program, one policy and one claim for the preemptive family."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, Regime
from schedproof.core.program import Program
from schedproof.core.registry import program
from schedproof.online.preemptive import a_online


def no_parameter_servers() -> Program:
    """MINLP (2) for jobs that need no parameter server."""
    return program("preemptive.minlp2").without("served_while_running", "parameter_server_capacity", "parameter_server")


def eager(*, order: str = "residual") -> object:
    """A_online under another name."""
    return a_online(order=order)


def squares(case: Case) -> Finding:
    """A square is at least 0.

    Proof
    -----
    The product of two numbers of the same sign is not negative, and a number has its own sign.
    """
    return Finding(case.data["x"] ** 2, Fraction(0), "at least")


PROGRAMS = {"preemptive.toy": no_parameter_servers}
POLICIES = {"preemptive.toy_policy": eager}
CLAIMS = {
    "preemptive.toy_claim": Claim(
        id="preemptive.toy_claim",
        source="nowhere",
        statement="A square is at least 0.",
        readings=(Reading("rational", "Over the rationals.", squares),),
        regimes=(Regime("negative", lambda case: case.data["x"] < 0),),
        strategy=st.builds(lambda n: Case(None, {"x": Fraction(n, 3)}), st.integers(-9, 9)),
        planted=(Planted("at least 1", lambda case: Finding(case.data["x"] ** 2, Fraction(1), "at least")),),
    )
}
