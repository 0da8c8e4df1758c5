from __future__ import annotations

from fractions import Fraction as F

from schedproof.core.claims.claim import Outside
from schedproof.proofs_checks.multiserver import baselines_see_arrivals, evaluation, projections, regular
from schedproof.proofs_checks.multiserver.evaluation import Cell
from schedproof.proofs_checks.multiserver.utilities_nice import exactly_lines
from schedproof.proofs_checks.strategies.multiserver import OfInstance, OfUtilities, Pointed
from schedproof.proofs_checks.strategies.multiserver_runs import Blind, build_instance


def test_the_table_is_read_by_column():
    assert Cell("T = 1000", "DRF").value == F("2422.47") and Cell("dense = 3", "SPREADING").value == F("2836.37")
    assert all(len(row.split()) == len(evaluation.COLUMNS) for row in evaluation.TABLE3.values())
    assert len(list(evaluation.of_baselines())) == 44


def test_a_wrong_number_in_the_table_is_found(monkeypatch):
    # Were DRF at rho = 0.3 better by 541, or the default columns the same, the checks would say so.
    case = Cell("rho = 0.3", "DRF")
    assert not evaluation.best(case).violated and isinstance(evaluation.same_setting(case), Outside)
    monkeypatch.setitem(evaluation.TABLE3, "DRF", evaluation.TABLE3["DRF"].replace("1364.53", "1905.53"))
    assert evaluation.best(case).violated
    monkeypatch.setitem(evaluation.TABLE3, "DRF", evaluation.TABLE3["DRF"].replace("2503.01", "2493.02"))
    default = Cell("rho = 0.7", "DRF")
    assert not evaluation.same_setting(default).violated and evaluation.apart(default).violated


def test_rows_by_hand():
    # two ports that share one of two nodes, one resource: two rows, three channels
    instance = build_instance([1, 1], [[0, 1], [0]], [[1, 1]])
    case = Pointed(instance, ((F(2),), (F(1),), (F(2),)))
    assert (projections.row_count(instance), projections.dimensions(instance)) == (2, 3)
    assert projections.proportional(case).measured == 2
    assert projections.in_y(case).measured == 0
    assert projections.in_y(case, projections.diagonal).measured == 0  # the second node's row was in its set
    beyond = Pointed(instance, ((F(2),), (F(3),), (F(2),)))
    assert projections.in_y(beyond, projections.diagonal).measured == 2


def test_regular_sums_by_hand():
    case = OfInstance(build_instance([1, 1], [[0, 1], [0]], [[1, 1]]))
    assert isinstance(regular.of_overheads(case), Outside)
    case = OfInstance(build_instance([1, 1], [[0], [1]], [[1, 1]], beta=1))
    finding = regular.of_overheads(case)
    assert finding.measured == finding.claimed == 2
    assert regular.of_each_node(case).measured == 0  # K = 1


def test_observability_of_arrivals_by_hand():
    case = Blind(F(0), F(0), F(1), slots=2)
    # from nothing, a step of 1: the second slot earns 1 if the same port comes again, which is in half of the cases
    assert baselines_see_arrivals.commits(case).measured == F(1, 2)
    assert baselines_see_arrivals.responds(case).measured == 2


def test_a_curve_that_meets_the_line_once_is_distinguished():
    # 1 - 1/(y + 1) is y/2 at y = 0 and y = 1.
    line, curve = ("linear", F(1, 2)), ("reciprocal", F(1))
    for nodes, holds in (((line, line), 1), ((curve, line), 0), ((curve, curve), 0)):
        finding = exactly_lines(OfUtilities(line, nodes, (F(1), F(1))))
        assert finding.measured == finding.claimed == holds
