"""Wang et al. 2022, section VI: with storage, alpha and beta as in section IV and eta_s(t) = 0, "we can easily prove
that the lemmas and theorems still hold for the related problems (7), (8) and (9)". (9a), for all j, d, s, w, t >= r_j:
alpha_jd n/(E B) <= n/(E D B) (t - r_j) + beta_sw(t) + eta_s(t) u_j.
"""

from fractions import Fraction

p, D, arrival = 1, 1, 0  # two jobs, a and b: one chunk of one slot and 1 GB each
delay = {"edge": 0, "cloud": 10}
storage, used = 1, 0  # GB of the edge, which has two workers
workers = {"w0": None, "w1": None}  # of the edge: who is there
print("The edge has two workers and room for one chunk; the cloud is 10 slots away. Two jobs of one slot come at 0.")

alpha = {}
for job in ("a", "b"):
    q = {"cloud": Fraction(delay["cloud"] + p, D)}  # (5), first and third item
    if used + 1 <= storage:  # the test before dispatching
        q |= {w: Fraction(delay["edge"] + p, D) for w, held in workers.items() if held is None}
    chosen = min(q, key=q.get)
    alpha[job] = q[chosen]
    if chosen in workers:
        workers[chosen], used = job, used + 1
    print(f"  {job} goes to {chosen}; alpha = {alpha[job]}")

beta = {w: Fraction(held is not None, D) for w, held in workers.items()}  # at time 0
eta = 0
for reading, charged in {"slot end": 1, "the repaired rows": p}.items():  # slot t at t + 1 - r, or t - r + p
    rows = {w: Fraction(0 - arrival + charged, D) + p * (beta[w] + eta) for w in workers}  # (9a) times p, at t = 0
    print(f"(9a) at t = 0 allows alpha_b at most {[str(x) for x in rows.values()]} on w0, w1:")
    print(f"{reading}: {alpha['b']} should be at most {rows['w1']}")
    assert alpha["b"] > rows["w1"]
