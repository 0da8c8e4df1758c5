"""Every program of every family, with small instances and the family's letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import schedproof as sp
from schedproof.core.programs.program import Program
from schedproof.formulations.dmlrs.slot import FORMS
from schedproof.formulations.jrp.eliminated import ELIMINATED
from schedproof.formulations.jrp.groups import completion_as_printed
from schedproof.formulations.multiserver.worst_arrivals import worst_arrivals
from schedproof.formulations.preemptive.storage import stored_only_while_trained
from schedproof.instances.multiserver import from_json
from tests.formulations.dmlrs.test_dorm import small
from tests.formulations.preemptive.micro import micro_instance
from tests.mathematics import checker, dmlrs, evaluation, jrp, multiserver, placement, preemptive
from tests.tiny.dmlrs import tiny_cluster
from tests.tiny.jrp import tiny_cells
from tests.tiny.multiserver import by_hand, tiny_ports
from tests.tiny.placement import tiny_instance

LETTERS: dict[str, Callable[..., evaluation.Setting]] = {
    "preemptive": preemptive.setting,
    "dmlrs": dmlrs.setting,
    "multiserver": multiserver.setting,
    "jrp": jrp.setting,
    "placement": placement.setting,
}


@dataclass(frozen=True)
class Case:
    """A program for an instance, and its instances by seed."""

    name: str
    make: Callable[[Any], Program]
    instance: Callable[[int], Any]

    def drawn(self, seed: int) -> tuple[Program, Any]:
        """The program and an instance."""
        instance = self.instance(seed)
        return self.make(instance), instance

    def lies(self, program: Program, instance: Any) -> list[str]:
        """The false statements of its rows."""
        rule = checker.pyomo_lies if program.backend == "pyomo" else checker.cvxpy_lies
        return rule(program, instance, LETTERS[program.family])


def _case(id: str, instance: Callable[[int], Any], **options: Any) -> Case:
    told = ",".join(f"{name}={value}" for name, value in options.items())
    return Case(f"{id}({told})", lambda _: sp.program(id, **options), instance)


def _stored(seed: int) -> Any:
    return micro_instance(seed, units=5, storage=True, late=2)


def _cluster(seed: int) -> Any:
    return tiny_cluster(seed, horizon=3)


def _slot(form: str) -> Callable[[Any], Program]:
    def make(instance: Any) -> Program:
        job, resource = instance.jobs[0], instance.resources[0]
        prices = {m.name: {resource: Fraction(n + 1, 3)} for n, m in enumerate(instance.machines)}
        given = {"job": job.name, "slot": job.arrival, "workload": Fraction(3, 2), "prices": prices}
        return sp.program("dmlrs.slot", form=form, **given)

    return make


def _dorm(instance: Any) -> Program:
    return sp.program("dmlrs.dorm", theta1="1/6").where(held={instance.jobs[0].name: 1})


def _with_storage_rows(_: Any) -> Program:
    return sp.program("preemptive.ilp4", speed="3/2").add(stored_only_while_trained)


def _divided(_: Any) -> Program:
    return sp.program("jrp.exact").drop("completion").add(completion_as_printed)


PREEMPTIVE = [
    _case("preemptive.ilp4", _stored),
    _case("preemptive.ilp4", _stored, cost="half", ps_release="none"),
    Case("preemptive.ilp4 and storage", _with_storage_rows, _stored),
    _case("preemptive.ilp8", _stored),
    _case("preemptive.minlp2", _stored),
    _case("preemptive.minlp2", _stored, chunks="floating"),
    _case("preemptive.minlp2", _stored, chunks="floating", reading="ceil_job"),
    _case("preemptive.minlp7", _stored),
    _case("preemptive.minlp7", _stored, stored="as_printed"),
    _case("preemptive.lp4", _stored),
    _case("preemptive.lp4", _stored, cost="printed", reading="fluid"),
    _case("preemptive.dual6", _stored),
    _case("preemptive.dual6", _stored, rows="printed"),
    _case("preemptive.dual6", _stored, cost="half", rows="printed"),
    _case("preemptive.dual9", _stored),
    _case("preemptive.dual9", _stored, cost="half"),
    _case("preemptive.dual11", _stored, eps=1),
]
PLACEMENT = [
    _case("placement.exact", tiny_instance),
    _case("placement.exact", tiny_instance, each="at_most", interval="closed"),
    _case("placement.lp", tiny_instance),
]
DMLRS = [
    _case("dmlrs.rdmlrs", _cluster),
    _case("dmlrs.rdmlrs_lp", _cluster),
    _case("dmlrs.dual", _cluster),
    _case("dmlrs.exact", _cluster),
    _case("dmlrs.exact", _cluster, ratio="printed"),
    Case("dmlrs.dorm, someone holds workers", _dorm, small),
    _case("dmlrs.dorm", small),
    *(Case(f"dmlrs.slot({form})", _slot(form), _cluster) for form in FORMS),
]
JRP = [
    _case("jrp.exact", tiny_cells),
    Case("jrp.exact with divisions", _divided, tiny_cells),
    Case("jrp.exact, resources eliminated", lambda _: ELIMINATED, tiny_cells),
    _case("jrp.split", tiny_cells),
    _case("jrp.lp_i", tiny_cells),
    _case("jrp.split_free_lp", tiny_cells),
    _case("jrp.conic", tiny_cells),
]


def _linear_gangs(seed: int) -> Any:
    return tiny_ports(seed, gangs=True, horizon=1, kinds=("linear",))


def _contended(seed: int) -> Any:
    capacities, ports = [[1 + seed % 3, 2], [3, 1 + seed % 2]], [([1, 2], [0]), ([2, 1], [0, 1])]
    return from_json(by_hand(capacities, ports, [[1, 1]] * 3, alpha=2, overhead={"cpu": 1, "gpu": 0}))


def _worst_arrivals(_: Any) -> Program:
    return worst_arrivals(steps=[0.75, 0.5, 0.25])


MULTISERVER = [
    Case("multiserver.worst_arrivals", _worst_arrivals, _contended),
    *(_case("multiserver.stationary", tiny_ports, gain=gain) for gain in ("node", "total")),
    *(_case("multiserver.slot_optimum", tiny_ports, slot=0, gain=gain) for gain in ("node", "total")),
    _case("multiserver.projection", tiny_ports, point=1),
    *(
        _case("multiserver.gang", lambda seed: tiny_ports(seed, gangs=True, horizon=1), slot=0, gain=gain)
        for gain in ("node", "total")
    ),
]
CASES = [*PREEMPTIVE, *PLACEMENT, *DMLRS, *JRP, *MULTISERVER]
LINEAR = [  # of those that are continuous or relaxed
    *PREEMPTIVE,
    *PLACEMENT,
    *(case for case in DMLRS if not case.name.startswith("dmlrs.exact")),
    *(case for case in JRP if case.name.startswith(("jrp.split", "jrp.lp_i"))),
    *(_case("multiserver.gang", _linear_gangs, slot=0, gain=gain) for gain in ("node", "total")),
    Case("jrp.exact, resources eliminated", lambda _: ELIMINATED, tiny_cells),
]
