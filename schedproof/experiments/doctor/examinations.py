"""Examinations of a family on one draw, with a flaw or a reason for every part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

from schedproof.core.base.numbers import shown
from schedproof.core.base.untyped import AnyFamily
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.certificates.program_bound import program_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import Contradiction, InputError, NoSolution, ProgramError, SchedproofError
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.program import Program
from schedproof.core.programs.solve import contradict
from schedproof.core.results.ratio import require_consistent
from schedproof.core.results.run import Policy, Run
from schedproof.experiments.doctor.mutations import mutated
from schedproof.experiments.doctor.patient import FEW, NO_VARIABLE, VALUE, Patient, close, drawn
from schedproof.instances import read, read_schedule

POLICIES = "policies"  # the name of their examination
POINTS = 40  # number of changed schedules whose points are compared with the programs


class NotDone(str):
    """The reason why an examination compared nothing."""


Finding = tuple[str, str]  # a part, and its flaw ("" for none) or `NotDone`


def instance_file(p: Patient) -> Iterator[Finding]:
    """An instance is unchanged after writing and reading; a seed determines it."""
    first, second = p.folder / "instance.json", p.folder / "again.json"
    write_object(first, p.instance.to_json())
    again = read(first)
    write_object(second, again.to_json())
    same = _text(first) == _text(second) and again.sha256 == p.instance.sha256
    yield "reader and writer", "" if same else "an instance changes when it is written and read back"
    alike = drawn(p.card, p.preset, p.seed, p.settings, p.folder).instance.sha256 == p.instance.sha256
    yield "generator", "" if alike else "two draws with one seed differ"


def schedule_files(p: Patient) -> Iterator[Finding]:
    """A schedule is unchanged after writing and reading, and names its policy."""
    for id, run in p.runs.items():
        first, second, schedule = p.folder / "schedule.json", p.folder / "again.json", run.schedule
        schedule.write(first, p.instance)
        again = read_schedule(first, p.instance)
        again.write(second, p.instance)
        judged = again.objective(p.instance, **run.rules), tuple(again.violations(p.instance, **run.rules))
        who = schedule.policy, schedule.options, schedule.seed
        if _text(first) != _text(second) or judged != (run.objective, run.violations):
            yield id, "the schedule changes when it is written and read back"
        elif who != (run.policy, run.options, p.seed):
            yield id, f"the schedule names {who} as its policy"
        else:
            yield id, ""


def _text(file: Path) -> bytes:
    return file.read_bytes().replace(f'"{file.stem}.'.encode(), b'"')


def policies(p: Patient) -> Iterator[Finding]:
    """A policy's schedule is feasible, and the seed determines the schedule."""
    second = p.again().played
    for id, run in p.played.items():
        again = second.get(id, run)
        if not isinstance(run, Run) or not isinstance(again, Run):
            yield id, "" if isinstance(run, NoSolution) else str(again if isinstance(run, Run) else run)
        elif not run.feasible:
            remedies = [f"{rule.name}={value}" for rule, value in Policy(id, {}).remedies(p.instance)]
            reason = f"the policy's schedule is not feasible: {run.violations[0]}"
            yield id, NotDone(f"{reason}; it is feasible with {remedies[0]}") if remedies else reason
        elif (again.objective, again.violations) != (run.objective, run.violations):
            yield id, f"two runs with one seed differ: objectives {run.objective} and {again.objective}"
        else:
            yield id, ""


def routes(p: Patient) -> Iterator[Finding]:
    """A program's exact methods agree, with feasible schedules of the stated value."""
    for id, solutions in p.solutions.items():
        program = p.programs[id]
        flaw = ""
        for (one, first), (two, second) in combinations(solutions.items(), 2):
            decided = {first.ended, second.ended} <= {"optimal", "infeasible", "unbounded"}
            if decided and contradict(first, second, program.sense):
                flaw = f"two methods disagree: {one} finds {first.words}, {two} finds {second.words}"
        failed = [f"{name} fails: {s.message}" for name, s in solutions.items() if s.ended == "solver_failed"]
        first_choice = p.answers[id][program.default_solver]
        if isinstance(first_choice, SchedproofError):
            failed.append(f"the default solver {program.default_solver} refuses the program: {first_choice}")
        yield id, flaw or "".join(failed[:1])
    for id, name, _, schedule in p.decided:
        rules = p.card.rules_among(p.programs[id].parameters)
        broken = schedule.violations(p.instance, **rules)
        yield f"{id} by {name}", f"the program's schedule is not feasible: {broken[0]}" if broken else ""


def optima(p: Patient) -> Iterator[Finding]:
    """No policy's objective is better than the optimum."""
    best = p.best(p.optima)
    for id, run in p.runs.items():
        if best is None:
            yield id, NotDone("no program has an optimal schedule with the family's objective")
        elif run.feasible and not run.unusual_rules:
            flaw = f"the policy's objective {run.objective} is better than the optimum {best.objective} of {best.whose}"
            yield id, flaw if p.is_better(run.objective, best.objective) else ""


def declared(p: Patient) -> Iterator[Finding]:
    """A declared optimum agrees with enumeration, programs, bounds and schedules."""
    for id, value in p.declared.items():
        yield f"{id} and enumeration", _flaw_of_enumeration(p, value)
        if value is None:
            continue
        for other in p.optima:
            if other.whose != id:
                flaw = f"it is {value}, but the optimum of {other.whose} is {other.objective}"
                yield f"{id} and optimum of {other.whose}", "" if other.objective == value else flaw
        for known in p.known:
            flaw = f"it is {value}, but the schedule of {known.whose} has the objective {known.objective}"
            yield f"{id} and schedule of {known.whose}", flaw if p.is_better(known.objective, value) else ""
        for name, bound in p.comparable_bounds:
            flaw = f"it is {value}, but the certified {bound.kind} bound of {name} is {bound.exact}"
            yield f"{id} and bound of {name}", flaw if bound.is_beaten_by(value) else ""


def _flaw_of_enumeration(p: Patient, value: Fraction | None) -> str:
    kind = p.card.load("schedule")
    if not hasattr(kind, "best"):
        return NotDone("schedules of this kind have no enumeration")
    try:
        best = kind.best(p.instance)
    except InputError as error:
        return NotDone(str(error))
    return "" if best == value else f"it is {value}, but enumeration finds {best}"


def bounds(p: Patient) -> Iterator[Finding]:
    """A bound is proven, twice its value is not, and no known schedule beats it."""
    usual = p.card.rules_with({})
    for id, bound in p.bounds.items():
        known = p.known if not bound.other_rule(usual) else []
        try:
            bound.check(p.instance)
            for each in known:
                require_consistent(each.whose, each.objective, usual, bound)
        except SchedproofError as error:
            yield id, str(error)
            continue
        file = p.folder / "bound.json"
        write_bound(file, bound)
        again = read_bound(file, p.instance)
        side = "lower" if p.instance.sense == "minimize" else "upper"
        if bound.kind != side:
            yield id, f"expected a bound to {p.instance.sense}, found a {bound.kind} bound"
        elif bound.exact and replace(bound, exact=2 * bound.exact).verify(p.instance):
            yield id, f"the certificate proves the bound {shown(bound.exact)}, but also twice this number"
        elif again.exact != bound.exact or not again.verify(p.instance):
            yield id, "the certificate proves another statement when it is written and read back"
        else:
            yield id, "" if known else NotDone(bound.other_rule(usual) or "no feasible schedule is known")


def _quick(p: Patient) -> Iterator[tuple[str, Program | NotDone]]:
    for id, program in p.programs.items():
        yield id, program if id in p.quick_programs else NotDone(f"solving the program takes more than {FEW:g} s")


def program_bounds(p: Patient) -> Iterator[Finding]:
    """A program's bounds are on the right side of each exact optimum."""
    for id, program in _quick(p):
        if isinstance(program, NotDone):
            yield id, program
            continue
        known = [(f"the bound {id} proves", p.bounds[id])] if id in p.bounds else []
        try:
            known.append(("its rows prove", program_bound(program, p.instance, p.context)))
        except (ProgramError, NoSolution) as error:  # not linear, or no point
            if not known:
                yield id, NotDone(str(error))
                continue
        flaw: str = "" if next(p.proven(id), None) else NotDone("no method finds an optimum")
        for (words, bound), (name, exact, optimum) in product(known, p.proven(id)):
            if bound.is_beaten_by(exact) and not close(bound.exact, optimum):
                flaw = f"{words} {shown(bound.exact)}, but {name} finds the optimum {optimum:.10g}"
        yield id, flaw


def sides(p: Patient) -> Iterator[Finding]:
    """No policy's checked objective is better than a program's or dual's optimum."""
    for id, program in p.programs.items():
        about = p.is_about(program) or program.sense != p.instance.sense
        optimum = next(iter(p.proven(id)), None)
        if id in p.beatable or not about:
            without = "the program has neither `to_point` nor `to_schedule`"
            said = "its bound holds only for some schedules" if about else without
            yield id, NotDone(f"{said}, so no schedule is compared with its optimum")
        elif optimum is None:
            ends = {solution.words for solution in p.solutions[id].values()}
            wrong = bool(p.usual) and "infeasible" in {solution.ended for solution in p.solutions[id].values()}
            yield (
                id,
                f"the program is infeasible, but {p.usual[0].policy} has a schedule"
                if wrong
                else NotDone(f"no method finds an optimum: {', '.join(sorted(ends))}"),
            )
        elif not p.usual:
            yield id, NotDone("no policy has a feasible schedule")
        else:
            name, exact, value = optimum
            better = (r for r in p.usual if p.is_better(r.objective, exact) and not close(r.objective, value))
            run = next(better, None)
            theirs = f"{run.policy} has the objective {run.objective}" if run else ""
            yield id, theirs and f"{name} finds the optimum {value:.10g}, but {theirs}"


def points(p: Patient) -> Iterator[Finding]:
    """Every checked schedule's point satisfies the program's rows and objective.

    The schedules are the policies' and the program's own. The point's objective is not worse than the schedule's.
    """
    for id, program in p.programs.items():
        if program.to_point is None:
            yield id, NotDone("the program has no `to_point`, so no schedule is compared with its rows")
            continue
        if isinstance(p.listings[id], NoSolution | ProgramError):
            yield id, NotDone(f"the program's rows are not listed: {p.listings[id]}")
            continue
        flaw: str = NotDone("no feasible schedule is known")
        for whose, schedule, objective in p.checked(id):
            said = p.misfit(id, schedule, objective)
            flaw = f"the point of {whose}'s schedule: {said}" if said else ""
            beatable = id in p.beatable and whose in p.runs and not said.startswith(VALUE)
            if flaw and beatable:  # the schedule is not a point of the program
                flaw = NotDone(flaw)
            elif flaw:
                break
        yield id, flaw


def senses(p: Patient) -> Iterator[Finding]:
    """A program's sense agrees with the LaTeX of its objective."""
    for id, program in p.programs.items():
        latex = " ".join(g.latex for g in program.groups if g.role == "objective")
        printed = {sense for word, sense in ((r"\min", "minimize"), (r"\max", "maximize")) if word in latex}
        if len(printed) == 1:
            wrong = program.sense not in printed
            flaw = f"the LaTeX of the objective says {latex}, but the program's sense is {program.sense}"
            yield id, flaw if wrong else ""
        else:
            yield id, NotDone(r"the LaTeX of its objective has no single \min or \max")


def duals(p: Patient) -> Iterator[Finding]:
    """The dual of a program has the same optimum as the program's relaxation."""
    for id, program in _quick(p):
        if isinstance(program, NotDone):
            yield id, program
            continue
        relaxed = program.relaxed() if program.integer else program
        try:
            dual = relaxed.dual()
            values = [each.solve(p.instance, solver="highs", time_limit=p.seconds) for each in (relaxed, dual)]
        except (ProgramError, NoSolution) as error:
            yield id, NotDone(str(error))
            continue
        primal, other = (value.objective for value in values)
        if primal is not None and other is not None and all(value.ended == "optimal" for value in values):
            same = close(Fraction(primal), other)
            yield id, "" if same else f"the relaxation's optimum is {primal:.10g}, but the dual's is {other:.10g}"
        else:
            yield id, NotDone(f"the relaxation is {values[0].words}, but the dual is {values[1].words}")


def guarantees(p: Patient) -> Iterator[Finding]:
    """No run's ratio to a known schedule exceeds the policy's guarantee."""
    best = p.best(p.known)
    for id, run in p.runs.items():
        promise = run.guarantee
        if promise.value is None:
            continue
        if best is None or not run.feasible or any(answer != "yes" for answer in promise.premises.values()):
            yield id, NotDone("the guarantee's premises do not hold, or no feasible schedule is known")
            continue
        top, bottom = (run.objective, best.objective)
        if p.instance.sense == "maximize":
            top, bottom = bottom, top
        beaten = top > promise.value * bottom
        flaw = f"the guarantee is {promise.value}, but the ratio to {best.whose} is {top} / {bottom}"
        yield id, flaw if beaten else ""


def checker(p: Patient) -> Iterator[Finding]:
    """A changed schedule is refused, or it is consistent with programs and bounds."""
    usual = p.card.rules_with({})
    programs = [id for id, listing in p.listings.items() if isinstance(listing, Listing) and id not in p.beatable]
    refused = accepted = 0
    without = dict[str, str]()  # program -> a schedule that it has no columns for
    for source, changed in mutated(p):
        violations = changed.violations(p.instance, **usual)
        if violations:
            refused += 1
            continue
        accepted += 1
        objective = changed.objective(p.instance, **usual)
        flaw = _too_good(p, objective, usual)
        if not flaw and accepted <= POINTS and programs:
            misfits = [(id, p.misfit(id, changed, objective)) for id in programs]
            found = {id: f"{said}, in a changed schedule of {source}" for id, said in misfits if NO_VARIABLE in said}
            without = found | without
            if all(said and NO_VARIABLE not in said for _, said in misfits):  # a program may omit late starts
                flaw = f"it is a point of no program; {misfits[0][0]}: {misfits[0][1]}"
        if flaw:
            yield "checker", f"the checker accepts a change of the schedule of {source}, but {flaw}"
            return
    for id, said in without.items():
        yield f"columns of {id}", NotDone(said)
    if refused + accepted >= 10:
        yield "checker", "" if refused else f"the checker accepts all {accepted} changed schedules"
    else:
        yield "checker", NotDone(f"the reader accepts {refused + accepted} changed schedules, fewer than 10")


def _too_good(p: Patient, objective: AnyFamily, usual: Mapping[str, AnyFamily]) -> str:
    best = p.best(p.optima)
    if best is not None and p.is_better(objective, best.objective):
        return f"its objective {objective} is better than the optimum {best.objective} of {best.whose}"
    for bound in p.bounds.values():
        try:
            if not bound.other_rule(usual):
                require_consistent("it", objective, usual, bound)
        except Contradiction as contradiction:
            return str(contradiction)
    return ""


EXAMINATIONS: Mapping[str, Callable[[Patient], Iterator[Finding]]] = {
    "instance files": instance_file,
    "schedule files": schedule_files,
    POLICIES: policies,
    "exact methods": routes,
    "optimum and policies": optima,
    "declared optimum": declared,
    "bounds": bounds,
    "bounds of programs": program_bounds,
    "sides of programs": sides,
    "points of schedules": points,
    "senses": senses,
    "duals": duals,
    "guarantees": guarantees,
    "checker": checker,
}
