"""What alpha and beta add up to, and what a slower speed does to them: claims lemma4, algorithm4_beta and lemma5."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.preemptive import regimes
from schedproof.proofs_checks.preemptive.dual_fitting import LANDING_ORDER, RUNS, outcome
from schedproof.proofs_checks.preemptive.house import WITNESSES
from schedproof.proofs_checks.preemptive.literal import Line, in_order
from schedproof.proofs_checks.strategies import preemptive as draw
from schedproof.proofs_checks.writing import at, of_data, restricted, table

# --- Lemma 4 ---------------------------------------------------------------------------------------------------------


def sums_agree(case: Case, price: str = "eq5", order: str = "static", fluid: bool = False) -> Finding:
    """Sum alpha equals sum beta, which is sum (c_jd - r_j)/D_j by the definition of beta in section IV-C."""
    out = outcome(case, price=price, order=order, whole_slots=not fluid)
    return Finding(out.alpha_total, out.beta_total, "equal", "sum alpha and sum beta")


def _short_sum(case: Case) -> Finding:
    out = outcome(case)
    first = sum((c.weight * (c.landing + c.work - c.job.arrival) for c in out.chunks), Fraction(0))
    return Finding(first, out.beta_total, "equal", "delay and processing only")


LEMMA4 = Claim(
    id="preemptive.lemma4",
    source="paper 000, Appendix D, Lemma 4",
    statement="Sum alpha = sum beta = sum (c_jd - r_j)/D_j.",
    readings=(
        Reading("transit counted", "(5) over every unfinished chunk.", sums_agree),
        Reading("landed only", "(5) over the landed chunks.", at(sums_agree, price="eq5_landed")),
        Reading("fluid", "Chunk times as they are, every unfinished chunk.", at(sums_agree, fluid=True)),
    ),
    regimes=(*RUNS, regimes.TRANSIT, regimes.MIXED),
    strategy=draw.online(),
    planted=(Planted("without waiting and postponing", _short_sum),),
    witnesses=WITNESSES,
    assumption=LANDING_ORDER,
    repaired_by="preemptive.lemma4_repaired",
)

# --- Algorithm 4, line 8 ---------------------------------------------------------------------------------------------


def line8_agrees(case: Case, fluid: bool = False) -> Finding:
    """The beta of Algorithm 4, line 8, adds up to the weight of the uncompleted chunks over time.

    Line 8 adds 1/D_j over [r_j, t* + p_j] when chunk d is placed, with the completion t* + p_j that it has at that
    moment, and nothing to the chunks in A_2 that it postpones.
    """
    out = outcome(case, whole_slots=not fluid)
    total = Fraction(0)
    for chunk in out.chunks:
        line = Line("static")
        for c in out.chunks[: chunk.number + 1]:
            if c.worker == chunk.worker:
                line.add(c)
        line.advance(None)
        total += chunk.weight * (line.runs[chunk.number][-1][1] - chunk.job.arrival)
    return Finding(total, out.beta_total, "equal", "sum of beta by line 8, and by its definition")


ALGORITHM4 = Claim(
    id="preemptive.algorithm4_beta",
    source="paper 000, Algorithm 4, line 8, beside section IV-C",
    statement="Algorithm 4 computes beta_sw(t), the total average weight of the uncompleted chunks on the worker.",
    readings=(
        Reading("whole slots", "Chunk times rounded up.", line8_agrees),
        Reading("fluid", "Chunk times as they are.", at(line8_agrees, fluid=True)),
    ),
    regimes=(*RUNS, regimes.TRANSIT),
    strategy=draw.online(),
    planted=(Planted("without waiting and postponing", _short_sum),),
    witnesses=WITNESSES,
    repaired_by="preemptive.algorithm4_beta_repaired",
    small_repair=True,
)


def line8_extended(case: Case, fluid: bool = False) -> Finding | None:
    """With 1/D_j' over p_j more slots for every chunk of A_2, line 8 adds up to the weight of the uncompleted chunks.

    Premise: chunks land in the order of placement on each server.

    Proof
    -----
    By the landing order the worker runs a fixed list from t0 on; a new chunk takes its place in it, and exactly the
    chunks of A_2, those behind it, end p_j later (eq5_marginal_repaired). So after each placement the intervals end
    at the completions that the chunks have then; after the last placement these are the completions c_jd.
    """
    if not in_order(case.instance):
        return None
    out, finding = outcome(case, whole_slots=not fluid), line8_agrees(case, fluid)
    total = finding.measured
    for chunk in out.chunks:
        before = [c for c in out.chunks[: chunk.number] if c.worker == chunk.worker and not c.server.cloud]
        line = Line("static")
        for c in before:
            line.add(c)
        line.advance(chunk.landing)
        behind = [c for c in before if c.number in line.left and c.work / c.weight > chunk.work / chunk.weight]
        total += chunk.work * sum((c.weight for c in behind), Fraction(0))
    return Finding(total, finding.claimed, "equal", "sum of the extended beta, and by its definition")


ALGORITHM4_REPAIRED = Claim(
    id="preemptive.algorithm4_beta_repaired",
    source="paper 000, Algorithm 4, line 8, repaired",
    statement="With the intervals of A_2 extended by p_j, line 8 computes beta, given the landing order.",
    readings=(
        Reading("whole slots", "Chunk times rounded up.", line8_extended),
        Reading("fluid", "Chunk times as they are.", at(line8_extended, fluid=True)),
    ),
    regimes=RUNS,
    strategy=draw.online(in_order=True),
    planted=(Planted("line 8 as printed", line8_agrees),),
)

# --- Lemma 5 ---------------------------------------------------------------------------------------------------------


def slower_rows(case: Case, power: int = 1) -> Finding | None:
    """If (alpha, beta) meets (6a), (alpha, beta/(1+eps)) meets (11a).

    Proof
    -----
    (11a) with alpha' = alpha and beta' = beta/(1+eps) is (6a) with both sides divided by 1 + eps > 0; nonnegativity
    carries over. No integrality and no property of A_online is used: it holds for every feasible pair. (If chunk
    times are rounded up to slots at both speeds, the factor 1/(1+eps) is no longer the ratio of the two rates, and
    the lemma is another one: p = 1 takes one slot at any speed, alpha = beta = 1 meets alpha <= beta but not alpha <=
    beta/(1+eps).)
    """
    speed, beta, instance = case.data["speed"], case.data["beta"], case.instance
    slots = len(beta[0])
    names = [q for q in instance.classes for _ in range(q.count)]
    found = []
    for one in instance.jobs:
        rate = 1 / one.chunk_time  # n_jsw / (E_j B_j)
        may = [w for w, q in enumerate(names) if q in [k for k, _ in instance.qualified(one)]]
        slot_of = [(w, t) for w in may for t in range(one.arrival, one.arrival + slots)]
        price = {(w, t): beta[w][t - one.arrival] for w, t in slot_of}
        tightest = min((rate / one.chunks * (t - one.arrival) + price[w, t]) / rate for w, t in slot_of)
        alpha = case.data["share"] * tightest  # feasible for (6) by construction
        for w, t in slot_of:
            right = rate / speed / one.chunks * (t - one.arrival) + price[w, t] / speed**power
            found.append(Finding(alpha * rate / speed, right, "at most", f"{one.name}, worker {w}, slot {t}"))
    return worst(found)


LEMMA5 = Claim(
    id="preemptive.lemma5",
    source="paper 000, Appendix D, Lemma 5",
    statement="If (alpha, beta) is feasible for (6), (alpha, beta/(1+eps)) is feasible for (11).",
    readings=(Reading("as printed", "Rates n_jsw/(E_j B_j) and n_jsw/((1+eps) E_j B_j), real.", slower_rows),),
    regimes=(
        of_data("a tight row", lambda d: d["share"] == 1),
        of_data("a price of zero", lambda d: any(0 in row for row in d["beta"])),
        regimes.BROKEN,
        regimes.SINGLE_CHUNK,
        regimes.SEVERAL_CHUNKS,
    ),
    strategy=draw.priced(),
    planted=(Planted("beta divided twice", at(slower_rows, power=2)),),
)


def whole_slot_rows(case: Case, repaired: bool = False) -> Finding | None:
    """The same with chunk times rounded up to slots at each speed: ceil(p/(1+eps)) in (6), ceil(p) in (11)."""
    speed, beta, instance = case.data["speed"], case.data["beta"], case.instance
    names = [q for q in instance.classes for _ in range(q.count)]
    found = []
    largest = max(Fraction(one.slots(speed=speed), one.slots()) for one in instance.jobs)
    scale = largest if repaired else 1 / speed
    for one in instance.jobs:
        fast, slow = one.slots(speed=speed), one.slots()
        may = [w for w, q in enumerate(names) if q in [k for k, _ in instance.qualified(one)]]
        places = [(w, ago) for w in may for ago in range(len(beta[0]))]
        alpha = case.data["share"] * min(Fraction(ago, one.chunks) + fast * beta[w][ago] for w, ago in places)
        for w, ago in places:
            right = Fraction(ago, one.chunks) + slow * scale * beta[w][ago]
            found.append(Finding(alpha, right, "at most", f"{one.name}, worker {w}, t - r = {ago}"))
    return worst(found)


def whole_slot_rows_repaired(case: Case) -> Finding | None:
    """With beta times the largest quotient of the two chunk times in place of beta/(1+eps), (11a) holds in whole slots.

    Proof
    -----
    (6a) gives alpha <= (t - r)/D + p' beta with p' = ceil(p/(1+eps)). With p'' = ceil(p) and a factor of at least
    p'/p'' for every job, p' beta = p'' (p'/p'') beta <= p'' (factor beta), which is (11a). The factor is 1/(1+eps)
    exactly when no chunk time loses anything by rounding at either speed; that is the premise of the repaired Theorem
    3.
    """
    return whole_slot_rows(case, repaired=True)


def _half_row(case: Case) -> Finding | None:
    finding = whole_slot_rows(case)
    return finding and Finding(finding.measured, finding.claimed / 2, "at most", finding.where)


LEMMA5_WHOLE = Claim(
    id="preemptive.lemma5_whole_slots",
    source="paper 000, Appendix D, Lemma 5, with slots as section III counts time",
    statement="Lemma 5 when chunk times are rounded up to slots at both speeds.",
    readings=(Reading("whole slots", "ceil(p/(1+eps)) in (6), ceil(p) in (11).", whole_slot_rows),),
    regimes=LEMMA5.regimes,
    strategy=draw.priced(),
    planted=(Planted("half of beta is enough", _half_row),),
    witnesses=WITNESSES,
    repaired_by="preemptive.lemma5_whole_slots_repaired",
)

LEMMA5_WHOLE_REPAIRED = Claim(
    id="preemptive.lemma5_whole_slots_repaired",
    source="paper 000, Appendix D, Lemma 5, repaired for whole slots",
    statement="(alpha, beta max_j ceil(p_j/(1+eps))/ceil(p_j)) is feasible for (11) in whole slots.",
    readings=(Reading("whole slots", "ceil(p/(1+eps)) in (6), ceil(p) in (11).", whole_slot_rows_repaired),),
    regimes=LEMMA5.regimes,
    strategy=draw.priced(),
    planted=(Planted("1/(1+eps)", whole_slot_rows),),
)

CLAIMS = table(
    LEMMA4,
    restricted(LEMMA4, regimes=RUNS, strategy=draw.online(in_order=True), witnesses=None),
    ALGORITHM4,
    ALGORITHM4_REPAIRED,
    LEMMA5,
    LEMMA5_WHOLE,
    LEMMA5_WHOLE_REPAIRED,
)
