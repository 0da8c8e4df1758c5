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
    from schedproof.core.api.draft import Draft as Draft
    from schedproof.core.api.draft import family as family
    from schedproof.core.cards.family import Measure as Measure
    from schedproof.core.cards.registry import policies as policies
    from schedproof.core.cards.registry import programs as programs
    from schedproof.core.cards.sources import Paper as Paper
    from schedproof.core.certificates.bound import Bound as Bound
    from schedproof.core.certificates.bounds import bound as bound
    from schedproof.core.claims.answer import Finding as Finding
    from schedproof.core.claims.claim import Claim as Claim
    from schedproof.core.claims.claims import claim as claim
    from schedproof.core.data.options import choice as choice
    from schedproof.core.data.options import number as number
    from schedproof.core.data.options import whole as whole
    from schedproof.core.data.reading import Amount as Amount
    from schedproof.core.data.reading import Count as Count
    from schedproof.core.data.reading import Name as Name
    from schedproof.core.data.reading import Number as Number
    from schedproof.core.data.reading import Positive as Positive
    from schedproof.core.data.reading import PositiveAmount as PositiveAmount
    from schedproof.core.data.records import Entity as Entity
    from schedproof.core.programs.duality import dualise as dualise
    from schedproof.core.programs.group import Group as Group
    from schedproof.core.programs.group import group as group
    from schedproof.core.programs.named import program as program
    from schedproof.core.programs.program import Program as Program
    from schedproof.core.results.ratio import Ratio as Ratio
    from schedproof.core.results.regret import worst_regret as worst_regret
    from schedproof.core.results.run import Policy as Policy
    from schedproof.core.results.run import Run as Run
    from schedproof.core.results.run import policy as policy
    from schedproof.core.simulation.instance import Instance as Instance
    from schedproof.core.simulation.instance import Schedule as Schedule
    from schedproof.core.solvers.solution import Solution as Solution
    from schedproof.experiments.compare import compare as compare
    from schedproof.experiments.doctor.health import doctor as doctor
    from schedproof.experiments.sweep import sweep as sweep
    from schedproof.experiments.worst import Engine as Engine
    from schedproof.experiments.worst import Space as Space
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
    "Bound": "schedproof.core.certificates.bound",
    "bound": "schedproof.core.certificates.bounds",
    "Claim": "schedproof.core.claims.claim",
    "claim": "schedproof.core.claims.claims",
    "dualise": "schedproof.core.programs.duality",
    "Group": "schedproof.core.programs.group",
    "group": "schedproof.core.programs.group",
    "Instance": "schedproof.core.simulation.instance",
    "Schedule": "schedproof.core.simulation.instance",
    "Program": "schedproof.core.programs.program",
    "policies": "schedproof.core.cards.registry",
    "program": "schedproof.core.programs.named",
    "programs": "schedproof.core.cards.registry",
    "Policy": "schedproof.core.results.run",
    "Ratio": "schedproof.core.results.ratio",
    "Run": "schedproof.core.results.run",
    "worst_regret": "schedproof.core.results.regret",
    "policy": "schedproof.core.results.run",
    "Solution": "schedproof.core.solvers.solution",
    "compare": "schedproof.experiments.compare",
    "doctor": "schedproof.experiments.doctor.health",
    "sweep": "schedproof.experiments.sweep",
    "worst": "schedproof.experiments.worst",
    "Space": "schedproof.experiments.worst",
    "Engine": "schedproof.experiments.worst",
    "Amount": "schedproof.core.data.reading",
    "Count": "schedproof.core.data.reading",
    "Name": "schedproof.core.data.reading",
    "Number": "schedproof.core.data.reading",
    "Positive": "schedproof.core.data.reading",
    "PositiveAmount": "schedproof.core.data.reading",
    "Entity": "schedproof.core.data.records",
    "family": "schedproof.core.api.draft",
    "Draft": "schedproof.core.api.draft",
    "Measure": "schedproof.core.cards.family",
    "Paper": "schedproof.core.cards.sources",
    "Bins": "schedproof.instances.kinds.bins",
    "Finding": "schedproof.core.claims.answer",
    "choice": "schedproof.core.data.options",
    "whole": "schedproof.core.data.options",
    "number": "schedproof.core.data.options",
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
    if not name.startswith("_") and name in import_module("schedproof.core.cards.registry").families():
        return import_module("schedproof.core.api.facade").module_of(name)
    raise AttributeError(f"module 'schedproof' has no attribute '{name}'")


def __dir__() -> list[str]:
    from schedproof.core.cards.registry import families

    return sorted({*__all__, *families()})
