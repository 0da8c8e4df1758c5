"""What is guaranteed of a policy's run, by whom: a claim that was judged to hold, or an author who is named."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import UNPROVEN, Guarantee
from schedproof.core.claims import claims
from schedproof.core.errors import PolicyError, short

PROVEN = ("holds", "holds_under")  # verdicts of a claim that may be quoted


def guarantee_of(policy: AnyFamily, instance: AnyFamily) -> Guarantee:
    """What a policy says is guaranteed of the run that it has just made; nothing of one that only inherits a proof.

    Raises
    ------
    PolicyError
        For what is no `Guarantee`, one without a source, and a claim of our ledger, or another package's, that a policy
        from elsewhere quotes, or that was not judged to hold.
    """
    promise = getattr(policy, "guarantee", None)
    if promise is None:
        return UNPROVEN
    home = _package(type(policy))
    if home != _package(promise):  # the proof is of the class that was changed
        return UNPROVEN
    result = promise(instance)
    if not isinstance(result, Guarantee) or not isinstance(result.value, Fraction | int | None):
        raise PolicyError(f"guarantee of the policy returned {short(result)}, expected a Guarantee of a rational")
    if result.value is not None:
        _require_quotable(result.source, home)
    return result


def is_claim(source: str) -> bool:
    """Whether a guarantee's source is the id of a claim, not the name of an author."""
    family, dot, _ = source.partition(".")
    return bool(dot) and family in registry.families()


def _require_quotable(source: str, home: str) -> None:
    if not source or source == UNPROVEN.source:
        raise PolicyError("a guarantee bears the name of a claim or of its author, this one has none")
    if not is_claim(source):
        return
    family = source.partition(".")[0]
    if home not in {package.partition(".")[0] for package in registry.family(family).claims}:
        raise PolicyError(f"the guarantee quotes the claim {source}, which is not about this policy: name its author")
    verdict = claims.ledger(family).get(source, {"verdict": "not judged yet"})["verdict"]
    if verdict not in PROVEN:
        raise PolicyError(f"the guarantee quotes the claim {source}, whose verdict is '{claims.in_words(verdict)}'")


def _package(of: AnyFamily) -> str:
    return str(getattr(of, "__module__", "")).partition(".")[0]
