"""A user's script, as in the README; tests/test_face.py runs mypy on it."""

from fractions import Fraction

import schedproof as sp
from schedproof.core.runtime.context import Context
from schedproof.dmlrs import pd_ors
from schedproof.jrp import conic, exact, greedy
from schedproof.multiserver import oga_sched, stationary
from schedproof.preemptive import a_online, ilp4, minlp2


def best_ratio(instance: sp.Instance, names: list[str], bound: sp.Bound) -> tuple[str, Fraction]:
    runs: dict[str, sp.Run] = {name: sp.policy(name).run(instance, seed=1) for name in names}
    ratios: dict[str, sp.Ratio] = {name: run.ratio(bound) for name, run in runs.items() if run.feasible}
    name = min(ratios, key=lambda name: ratios[name].exact)
    return name, ratios[name].exact


day: sp.Instance = sp.embedded("day")
relaxed: sp.Program = ilp4.drop("one_worker_per_chunk").relaxed()
solution: sp.Solution = relaxed.solve(day, solver="highs")
objective: float | None = solution.objective
schedule: sp.Schedule = minlp2.solve(day).schedule()
sentences: list[str] = [f"{group.source}: {group.sentence}" for group in ilp4.groups]
dual: sp.Group = ilp4.group("one_worker_per_chunk")
certified: sp.Bound = sp.bound("preemptive.lp4", day)
proved: bool = certified.verify(day)
print(best_ratio(day, ["a_online", "srtf"], certified), a_online.run(day).objective, objective, proved, sentences, dual)

claim = sp.claim("jrp.split_equivalent")
results: list[sp.Result] = sp.verify([claim.id], seed=3, budget=1)
verdicts: dict[str, str] = {result.claim.id: result.verdict for result in results}
policies: list[sp.Policy] = [greedy, pd_ors, oga_sched]
programs: list[sp.Program] = [conic, exact, stationary]
print(verdicts, policies, programs, Context(seed=1), schedule.violations(day))
