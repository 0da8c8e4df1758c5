"""Papers on online scheduling of distributed ML jobs as executable models.

>>> import schedproof as sp
>>> inst = sp.embedded("day")
>>> sp.program("preemptive.ilp4").drop("one_worker_per_chunk").relaxed()   # doctest: +ELLIPSIS
Program(id=preemptive.ilp4, sense=minimize, variables=continuous, groups=...
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, whose import takes longer than all other imports here
if TYPE_CHECKING:
    from typing import Any

    from schedproof import dmlrs as dmlrs
    from schedproof import jrp as jrp
    from schedproof import multiserver as multiserver
    from schedproof import placement as placement
    from schedproof import preemptive as preemptive
    from schedproof.adversary.catalogue import game as game
    from schedproof.adversary.exact_ratio.best import best_ratio as best_ratio
    from schedproof.adversary.exact_ratio.prove import prove as prove
    from schedproof.adversary.refute import refute as refute
    from schedproof.adversary.systems.potential import check_potential as check_potential
    from schedproof.adversary.systems.randomised import best_randomised as best_randomised
    from schedproof.adversary.systems.system import System as System
    from schedproof.core.api.draft import Draft as Draft
    from schedproof.core.api.draft import family as family
    from schedproof.core.base.lazy import pyo as pyo
    from schedproof.core.cards.family import Measure as Measure
    from schedproof.core.cards.registry import policies as policies
    from schedproof.core.cards.registry import programs as programs
    from schedproof.core.cards.sources import Paper as Paper
    from schedproof.core.certificates.bound import Bound as Bound
    from schedproof.core.certificates.bound import Guarantee as Guarantee
    from schedproof.core.certificates.bounds import bound as bound
    from schedproof.core.claims.answer import Finding as Finding
    from schedproof.core.claims.claim import Claim as Claim
    from schedproof.core.claims.claims import claim as claim
    from schedproof.core.data.checking import Violation as Violation
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
    from schedproof.core.errors import InputError as InputError
    from schedproof.core.programs.compiled import CompiledProgram as CompiledProgram
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
    from schedproof.core.simulation.breaks import Break as Break
    from schedproof.core.simulation.instance import Instance as Instance
    from schedproof.core.simulation.instance import Schedule as Schedule
    from schedproof.core.solvers.solution import Solution as Solution
    from schedproof.experiments.compare import compare as compare
    from schedproof.experiments.doctor.health import doctor as doctor
    from schedproof.experiments.evaluation.evaluate import evaluate as evaluate
    from schedproof.experiments.sweep import sweep as sweep
    from schedproof.experiments.worst import Engine as Engine
    from schedproof.experiments.worst import Space as Space
    from schedproof.experiments.worst import worst as worst
    from schedproof.formulations.sums import sums as sums
    from schedproof.instances import embedded as embedded
    from schedproof.instances import read as read
    from schedproof.instances import read_schedule as read_schedule
    from schedproof.instances.kinds.answers import Answers as Answers
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


def _homes() -> dict[str, str]:
    """Read each public name and its module from the imports above."""
    with open(__file__, encoding="utf-8") as file:  # noqa: PTH123  # pathlib takes longer to import than this module
        lines = [line.split() for line in file if line.startswith("    from schedproof") and " as " in line]
    return {name: module for _, module, _, _, _, name in lines}


HOMES = _homes()  # imported on first use, so that `import schedproof` is quick
__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        return import_module("importlib.metadata").version("schedproof")
    if name in HOMES:
        home = HOMES[name]
        return import_module(f"{home}.{name}") if home == __name__ else getattr(import_module(home), name)
    if not name.startswith("_") and name in import_module("schedproof.core.cards.registry").families():
        return import_module("schedproof.core.api.facade").module_of(name)
    raise AttributeError(f"module 'schedproof' has no attribute '{name}'")


def __dir__() -> list[str]:
    from schedproof.core.cards.registry import families

    return sorted({*__all__, *families()})
