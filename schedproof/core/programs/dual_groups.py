"""Groups of a program's dual: rows for variables, multipliers for constraints."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.errors import ProgramError
from schedproof.core.programs.backends import Buildable, pyomo_model
from schedproof.core.programs.duality import Transposed, transpose
from schedproof.core.programs.group import Group, Role
from schedproof.core.programs.printed_dual import NonlinearError, PrintedDual, printed_dual
from schedproof.core.runtime.context import silent

OTHERS = "others"  # bounds and added parts, if the rows are not algebraic


def dual_groups(program: Buildable) -> tuple[Group, ...]:
    """Return the dual's groups of a continuous linear program.

    Raises
    ------
    ProgramError
        For a nonlinear program.
    """
    try:
        latex = printed_dual(program.groups, program.sense)
    except NonlinearError:
        raise
    except ProgramError:  # a row is not algebraic
        latex = _by_matrices(program)
    else:
        if any(
            g.role == "constraints" and not {g.name, f"{g.name}_bounds"} & (latex.multipliers | latex.bounds).keys()
            for g in program.groups
        ):
            latex = _by_matrices(program)  # a group prints no row, and its multipliers have no letter
    sources = {g.name: g.source for g in program.groups}
    multipliers = latex.multipliers | latex.bounds
    needs = tuple(multipliers)
    where = "".join(f", where {f} is linear" for f in latex.functions)
    dual = _Dual(program, tuple(latex.rows), needs)

    def make_group(name: str, role: Role, row: str, sentence: str, build: Callable[[Model, Transposed], None]) -> Group:
        def builder(block: Model, instance: AnyFamily) -> None:
            build(block, dual.of(block.model(), instance))

        builder.__doc__ = sentence
        of = name.removesuffix("_bounds").removesuffix("_rows")
        label = f"dual of {sources[of]}" if of in sources else f"dual{where}"
        return Group(name, role, label, row, needs if role != "variables" else (), builder)

    return (
        make_group("dual_value", "objective", latex.objective, "The right sides times their multipliers.", dual.value),
        *(
            make_group(f"{n}_rows", "constraints", row, f"The rows of the variables of '{n}'.", dual.rows(n))
            for n, row in latex.rows.items()
        ),
        *(
            make_group(n, "variables", row, f"The multipliers of '{n}'; 0 for a missing row.", dual.multipliers(n))
            for n, row in multipliers.items()
        ),
    )


class _Dual:
    """State shared by a dual's groups: the primal by columns, built once per model."""

    def __init__(self, primal: Buildable, columns: tuple[str, ...], sides: tuple[str, ...]) -> None:
        self._primal, self._columns, self._sides = primal, columns, sides

    def of(self, model: Model, instance: AnyFamily) -> Transposed:
        if any(g.many for g in self._primal.groups) and not self._primal.parts:
            raise ProgramError(
                f"{self._primal.id} generates rows or columns: name the parts of its dual with `program.at(...)`"
            )
        if not hasattr(model, "primal_by_columns"):
            model.primal_by_columns = transpose(pyomo_model(self._primal, instance, silent))
            model.multiplier_of = {}
        columns: Transposed = model.primal_by_columns
        return columns

    def value(self, block: Model, primal: Transposed) -> None:
        block.term = primal.value(block.model().multiplier_of)

    def rows(self, name: str) -> Callable[[Model, Transposed], None]:
        def build(block: Model, primal: Transposed) -> None:
            mine = [c for c in primal.columns if _home(c, self._columns) == name]
            primal.rows(block, mine, block.model().multiplier_of)

        return build

    def multipliers(self, name: str) -> Callable[[Model, Transposed], None]:
        def build(block: Model, primal: Transposed) -> None:
            mine = [side for side, s in primal.sides.items() if _home(_owner(side, s.bound), self._sides) == name]
            block.multiplier = primal.multipliers(mine)
            block.model().multiplier_of.update(block.multiplier)

        return build


def _owner(side: str, bound: bool) -> str:
    part = side.removeprefix("bound:").partition(".")[0]
    return f"{part}_bounds" if bound else part


def _home(name: str, known: tuple[str, ...]) -> str:
    """Return the group of a part of the primal; added parts belong to the last group."""
    part = name.partition(".")[0]
    if not known:
        raise ProgramError(f"{name} occurs in no printed row, so it has no dual")
    return part if part in known else known[-1]


def _by_matrices(program: Buildable) -> PrintedDual:
    best, sign, turned = ("max", r"\le", r"\ge") if program.sense == "minimize" else ("min", r"\ge", r"\le")

    def label(name: str) -> str:
        return rf"\mathrm{{{name.replace('_', '-')}}}"

    def row(name: str) -> str:
        x = label(name)
        return rf"\textstyle\sum_g A_{{g,{x}}}^{{\top}} \mu_g {sign} c_{{{x}}} \text{{ (}} = \text{{ where free)}}"

    def multiplier(name: str) -> str:
        return rf"\mu_{{{label(name)}}} \ge 0 \text{{ (free for equations)}}"

    names = {
        role: [g.name for g in program.groups if g.role == role] + [OTHERS] for role in ("variables", "constraints")
    }
    return PrintedDual(
        rf"\{best} \textstyle\sum_g b_g^{{\top}} \mu_g \text{{ (the rows turned to }} {turned} \text{{)}}",
        {n: row(n) for n in names["variables"]},
        {n: multiplier(n) for n in names["constraints"]},
    )
