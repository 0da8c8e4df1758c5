"""Section V-A, Synthetic ML tasks: the duration of the resource-sensitive tasks.

The text names the hyperbolic tangent. Its scale, 1/16, is in the released configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import msgspec
from hypothesis import strategies as st

from schedproof.core.base.balls import Formula, enclose
from schedproof.core.base.untyped import Ball
from schedproof.core.claims.claim import Answer, Claim, Domain, Exhaustive, Finding, worst
from schedproof.families.placement import LI23


@dataclass(frozen=True)
class Gpus:
    number: Annotated[int, msgspec.Meta(ge=1, le=16)]


BITS, MOST = 64, 16


NUMBERS = Domain.of(
    Gpus,
    st.builds(Gpus, st.integers(1, MOST)),
    {
        "one GPU": lambda case: case.number == 1,
        "all GPUs": lambda case: case.number == MOST,
        "some": lambda case: 1 < case.number < MOST,
    },
)


PRINTED = Claim(
    "placement.synthetic_2_17",
    LI23.at("section V-A: 'the resource-sensitive tasks can be accomplished from 2 to 17 timesteps'"),
    "With a speed of tanh(g/16), g of 16 GPUs, a resource-sensitive task takes from 2 to 17 timesteps, and both occur.",
    NUMBERS,
)


Step = Callable[[Callable[[Fraction], Ball], Ball, int], Ball]  # progress of a timestep from the progress and the GPUs


def steady(ball: Callable[[Fraction], Ball], progress: Ball, gpus: int) -> Ball:
    """tanh(g/16), a hyperbolic tangent of the number of GPUs as in the text."""
    return ball(Fraction(gpus, MOST)).tanh()


def every() -> Iterator[Gpus]:
    return (Gpus(number) for number in range(1, MOST + 1))


ALL = Exhaustive("1 to 16 GPUs", MOST, every)


RELEASED = Claim(
    "placement.synthetic_2_17_released",
    LI23.at("section V-A and the released environment; a statement of ours"),
    "With the progress of the released environment, tanh(g/16) sqrt(1.2 - p) a timestep without noise, "
    "such a task takes from 2 to 21 timesteps, and both occur.",
    NUMBERS,
)


def released_curve(ball: Callable[[Fraction], Ball], progress: Ball, gpus: int) -> Ball:
    """tanh(g/16) sqrt(1.2 - progress), the released environment without noise."""
    return ball(Fraction(gpus, MOST)).tanh() * (ball(Fraction(6, 5)) - progress).sqrt()


@PRINTED.reading("between", "The statement is for each number of GPUs.", exhaustive=ALL)
@PRINTED.false_variant("from 3", least=3)
@PRINTED.false_variant("to 16", most=16)
@RELEASED.reading("between", "The statement is for each number of GPUs.", exhaustive=ALL, step=released_curve, most=21)
@RELEASED.false_variant("to 17", step=released_curve)
def within(case: Gpus, step: Step = steady, least: int = 2, most: int = 17) -> Answer:
    taken = Fraction(timesteps(step, case.number))
    where = f"{case.number} GPUs"
    return worst([Finding(taken, Fraction(least), "at least", where), Finding(taken, Fraction(most), "at most", where)])


@PRINTED.reading(
    "both occur",
    "A task takes 17 timesteps with one GPU and 2 with all, and never longer with more GPUs.",
    exhaustive=ALL,
)
@RELEASED.reading(
    "both occur",
    "A task takes 21 timesteps with one GPU and 2 with all.",
    exhaustive=ALL,
    step=released_curve,
    ends=(21, 2),
)
def both_ends(case: Gpus, step: Step = steady, ends: tuple[int, int] = (17, 2)) -> Answer:
    taken = Fraction(timesteps(step, case.number))
    if case.number == 1:
        return Finding(taken, Fraction(ends[0]), "equal", "1 GPU")
    if case.number == MOST:
        return Finding(taken, Fraction(ends[1]), "equal", "16 GPUs")
    return Finding(taken, Fraction(timesteps(step, case.number - 1)), "at most", f"{case.number} GPUs, one fewer")


def timesteps(step: Step, gpus: int) -> int:
    """The number of timesteps until the progress is at least 1; by enclosures."""

    def after(count: int) -> Formula:
        def progress(ball: Callable[[Fraction], Ball]) -> Ball:
            done = ball(Fraction(0))
            for _ in range(count):
                done = done + step(ball, done, gpus)
            return done

        return progress

    count = 1
    while enclose(after(count), BITS)[1] < 1:
        count += 1
    if enclose(after(count), BITS)[0] < 1:
        raise ArithmeticError("the number is too close to 1 for a decision")
    return count
