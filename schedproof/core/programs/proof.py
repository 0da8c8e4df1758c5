"""Proofs of a program's status and optimum, for the checkers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.errors import Contradiction, ProgramError, SchedproofError, is_plain
from schedproof.core.programs.exact.certificate import status_file
from schedproof.core.programs.exact.form import as_stated, listing_in
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import columns_of
from schedproof.core.programs.exact.status import settle
from schedproof.core.programs.exact.tree import settle_integers
from schedproof.core.programs.solve import Solvable, slack
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.solvers.solution import PROOF, STATEMENTS, Solution


def with_proof(program: Solvable, instance: AnyFamily, first: Solution, context: Context) -> Solution:
    """Return the solution with a proof if found; ``disputed`` if it is proven wrong."""
    from schedproof.core.programs.exact.branching import prove

    if first.ended not in STATEMENTS:
        return first
    context.progress("looking for a proof")
    if (listed := _listing(program, instance)) is not None:
        return _with_certificate(program, instance, first, *listed, context)
    optimum = first.objective if first.ended == "optimal" else None
    try:
        if not program.provable or first.ended == "unbounded":
            raise ProgramError(f"{program.id}: only unchanged programs of families with proofs can be proven")
        proof = prove(program.id, {name: str(x) for name, x in program.parameters.items()}, instance, optimum, context)
    except Contradiction as error:
        return replace(
            first, status="disputed", rests_on="", message=f"{first.solver} reports {first.words}, but {error}"
        )
    except SchedproofError as error:
        return replace(first, message=f"no proof: {error}")
    except KeyboardInterrupt:
        raise Interrupted(first) from None
    if optimum is not None and abs(float(Fraction(str(proof["value"]))) - optimum) > slack(optimum):
        message = f"{first.solver} reports {first.words}, but the optimum is {proof['value']}"
        return replace(first, status="disputed", rests_on="", message=message, proof=proof)
    rests_on = f"a proof of {len(proof['tree'])} parts, for check-optimum"
    return replace(first, status=f"{first.ended} ({PROOF})", rests_on=rests_on, proof=proof)


def _listing(program: Solvable, instance: AnyFamily) -> tuple[Listing, frozenset[int]] | None:
    if program.provable or program.generated:
        return None
    model = as_stated(program.build, instance)
    if program.backend == "cvxpy":
        return None if model.is_mixed_integer() else (listing_in("cvxpy", model), frozenset())
    integers = frozenset(j for j, column in enumerate(columns_of(model)) if column.is_integer())
    return listing_in("pyomo", model), integers


def _with_certificate(
    program: Solvable,
    instance: AnyFamily,
    first: Solution,
    listing: Listing,
    integers: frozenset[int],
    context: Context,
) -> Solution:
    """Return the solution with its certificate for ``schedproof check-bound``."""
    if is_plain(instance):
        return replace(first, message="no proof: plain data have no family and no SHA-256; see help(sp.family)")
    whole = integers and not listing.cones
    settled = settle_integers(listing, integers, context) if whole else settle(listing, context)
    if settled is None:
        return replace(first, message="no proof: the program is too large for rationals, or the time limit too short")
    near = settled.status != "optimal" or abs(float(settled.value) - (first.objective or 0.0)) <= slack(settled.value)
    if settled.status != first.ended or not near:
        words = f"{first.solver} reports {first.words}, but in rationals the program is {settled.words}"
        return replace(first, status="disputed", rests_on="", message=words)
    proof = status_file(program.title, program.parameters, instance, settled)
    rests_on = f"{settled.rests_on}, for check-bound"
    return replace(first, status=first.ended, rests_on=rests_on, proof=proof)
