"""The claims of paper 000 (preemptive), each judged by `schedproof.proofs_checks.verify`."""

from schedproof.proofs_checks.preemptive import dual_fitting, equivalence

CLAIMS = {**equivalence.CLAIMS, **dual_fitting.CLAIMS}

__all__ = ["CLAIMS"]
