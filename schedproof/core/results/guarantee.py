"""Guarantees of policies: backed by a claim judged to hold, or by a named author."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import UNPROVEN, Guarantee
from schedproof.core.claims import claims
from schedproof.core.claims.verdict import STANDING
from schedproof.core.errors import PolicyError, short

QUOTABLE = (*STANDING, "holds_under", "argued_under")  # verdicts of a claim that may be quoted


def guarantee_of(policy: AnyFamily, instance: AnyFamily) -> Guarantee:
    """Return a policy's guarantee for its run; a subclass inherits no guarantee.

    Raises
    ------
    PolicyError
        If the result is no `Guarantee`, has no source, or quotes a claim that belongs to another package or was not
        judged to hold.
    """
    promise = getattr(policy, "guarantee", None)
    if promise is None:
        return UNPROVEN
    home = _package(type(policy))
    if home != _package(promise):  # the proof is for the original class, not for the subclass
        return UNPROVEN
    result = promise(instance)
    if not isinstance(result, Guarantee) or not isinstance(result.value, Fraction | int | None):
        wanted = "expected a Guarantee whose value is a rational number or None"
        raise PolicyError(f"guarantee of the policy returned {short(result)}, {wanted}")
    if result.value is not None:
        _require_quotable(result.source, home)
    return result


def is_claim(source: str) -> bool:
    """Whether a guarantee's source is the id of a claim, not the name of an author."""
    family, dot, _ = source.partition(".")
    return bool(dot) and family in registry.families()


def _require_quotable(source: str, home: str) -> None:
    if not source or source == UNPROVEN.source:
        raise PolicyError("a guarantee needs a source: the id of a claim or the name of its author")
    if not is_claim(source):
        return
    family = source.partition(".")[0]
    if home not in {package.partition(".")[0] for package in registry.family(family).claims}:
        raise PolicyError(f"the guarantee quotes the claim {source}, which is not about this policy; name its author")
    verdict = claims.ledger(family).get(source, {"verdict": "not judged yet"})["verdict"]
    if verdict not in QUOTABLE:
        raise PolicyError(
            f"the guarantee quotes the claim {source}, whose verdict '{claims.in_words(verdict)}' cannot be quoted"
        )


def _package(of: AnyFamily) -> str:
    return str(getattr(of, "__module__", "")).partition(".")[0]
