"""schedproof: papers on online scheduling of distributed ML jobs, as things that run.

>>> import schedproof as sp
>>> inst = sp.embedded("day")
>>> sp.program("preemptive.ilp4").drop("one_worker_per_chunk").relaxed()   # doctest: +ELLIPSIS
Program(id=preemptive.ilp4, sense=minimize, variables=continuous, groups=...
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from schedproof.adversary.catalogue import game as game
    from schedproof.adversary.exact_ratio.best import best_ratio as best_ratio
    from schedproof.adversary.exact_ratio.prove import prove as prove
    from schedproof.adversary.refute import refute as refute
    from schedproof.core.answer import Finding as Finding
    from schedproof.core.bound import Bound as Bound
    from schedproof.core.bounds import bound as bound
    from schedproof.core.claim import Claim as Claim
    from schedproof.core.claims import claim as claim
    from schedproof.core.draft import Draft as Draft
    from schedproof.core.draft import family as family
    from schedproof.core.duality import dualise as dualise
    from schedproof.core.family import Measure as Measure
    from schedproof.core.group import Group as Group
    from schedproof.core.group import group as group
    from schedproof.core.instance import Instance as Instance
    from schedproof.core.instance import Schedule as Schedule
    from schedproof.core.options import choice as choice
    from schedproof.core.options import number as number
    from schedproof.core.options import whole as whole
    from schedproof.core.program import Program as Program
    from schedproof.core.ratio import Ratio as Ratio
    from schedproof.core.reading import Amount as Amount
    from schedproof.core.reading import Count as Count
    from schedproof.core.reading import Name as Name
    from schedproof.core.reading import Number as Number
    from schedproof.core.reading import Positive as Positive
    from schedproof.core.reading import PositiveAmount as PositiveAmount
    from schedproof.core.records import Entity as Entity
    from schedproof.core.registry import policies as policies
    from schedproof.core.registry import program as program
    from schedproof.core.registry import programs as programs
    from schedproof.core.regret import worst_regret as worst_regret
    from schedproof.core.run import Policy as Policy
    from schedproof.core.run import Run as Run
    from schedproof.core.run import policy as policy
    from schedproof.core.solution import Solution as Solution
    from schedproof.core.sources import Paper as Paper
    from schedproof.experiments.compare import compare as compare
    from schedproof.experiments.doctor.health import doctor as doctor
    from schedproof.experiments.sweep import sweep as sweep
    from schedproof.experiments.worst import worst as worst
    from schedproof.instances import embedded as embedded
    from schedproof.instances import read as read
    from schedproof.instances import read_schedule as read_schedule
    from schedproof.instances.kinds.bins import Bins as Bins
    from schedproof.instances.kinds.intervals import Intervals as Intervals
    from schedproof.instances.kinds.order import Order as Order
    from schedproof.instances.kinds.shares import Shares as Shares
    from schedproof.proofs_checks.ratio_claims import ratio as ratio
    from schedproof.proofs_checks.ratio_claims import ratio_claim as ratio_claim
    from schedproof.proofs_checks.result import Result as Result
    from schedproof.proofs_checks.verify import verify as verify
    from schedproof.workloads import generate as generate
    from schedproof.workloads import trace as trace

# modules with a family's programs and policies by name
_FAMILIES = ("dmlrs", "jrp", "multiserver", "placement", "preemptive")
HOMES = {  # public name -> where it lives; imported on first use, so that `import schedproof` is quick
    "game": "schedproof.adversary.catalogue",
    "best_ratio": "schedproof.adversary.exact_ratio.best",
    "prove": "schedproof.adversary.exact_ratio.prove",
    "refute": "schedproof.adversary.refute",
    "Bound": "schedproof.core.bound",
    "bound": "schedproof.core.bounds",
    "Claim": "schedproof.core.claim",
    "claim": "schedproof.core.claims",
    "dualise": "schedproof.core.duality",
    "Group": "schedproof.core.group",
    "group": "schedproof.core.group",
    "Instance": "schedproof.core.instance",
    "Schedule": "schedproof.core.instance",
    "Program": "schedproof.core.program",
    "policies": "schedproof.core.registry",
    "program": "schedproof.core.registry",
    "programs": "schedproof.core.registry",
    "Policy": "schedproof.core.run",
    "Ratio": "schedproof.core.ratio",
    "Run": "schedproof.core.run",
    "worst_regret": "schedproof.core.regret",
    "policy": "schedproof.core.run",
    "Solution": "schedproof.core.solution",
    "compare": "schedproof.experiments.compare",
    "doctor": "schedproof.experiments.doctor.health",
    "sweep": "schedproof.experiments.sweep",
    "worst": "schedproof.experiments.worst",
    "Amount": "schedproof.core.reading",
    "Count": "schedproof.core.reading",
    "Name": "schedproof.core.reading",
    "Number": "schedproof.core.reading",
    "Positive": "schedproof.core.reading",
    "PositiveAmount": "schedproof.core.reading",
    "Entity": "schedproof.core.records",
    "family": "schedproof.core.draft",
    "Draft": "schedproof.core.draft",
    "Measure": "schedproof.core.family",
    "Paper": "schedproof.core.sources",
    "Bins": "schedproof.instances.kinds.bins",
    "Finding": "schedproof.core.answer",
    "choice": "schedproof.core.options",
    "whole": "schedproof.core.options",
    "number": "schedproof.core.options",
    "Order": "schedproof.instances.kinds.order",
    "Intervals": "schedproof.instances.kinds.intervals",
    "Shares": "schedproof.instances.kinds.shares",
    "embedded": "schedproof.instances",
    "read": "schedproof.instances",
    "read_schedule": "schedproof.instances",
    "ratio": "schedproof.proofs_checks.ratio_claims",
    "ratio_claim": "schedproof.proofs_checks.ratio_claims",
    "Result": "schedproof.proofs_checks.result",
    "verify": "schedproof.proofs_checks.verify",
    "generate": "schedproof.workloads",
    "trace": "schedproof.workloads",
}
__all__ = sorted((*HOMES, *_FAMILIES))


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        return import_module("importlib.metadata").version("schedproof")
    if name in _FAMILIES:
        return import_module(f"schedproof.{name}")
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    if not name.startswith("_") and name in import_module("schedproof.core.registry").families():
        return import_module("schedproof.core.facade").module_of(name)
    raise AttributeError(f"module 'schedproof' has no attribute '{name}'")


def __dir__() -> list[str]:
    from schedproof.core.registry import families

    return sorted({*__all__, *families()})
