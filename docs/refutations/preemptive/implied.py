"""Wang et al. 2022, below (4h): "Constraint (2a) and (2i) is implied in y_jdsw(t) in {0, 1} and t >= r_j + Delta_js."

(2a): y_jsw(t) <= v_jsw; (2i): y_jsw(t) = 0 for t < r_j + Delta_js. n_jsw = n_j where v_jsw = 1, and else 0.
"""

arrival, slots = 0, range(5)
n = {"w0": 1, "w1": 0}  # mini-batches a slot: w1 is not qualified
v = {worker: int(rate > 0) for worker, rate in n.items()}
landing = {"w0": 2, "w1": 0}  # r_j + Delta_js
print("A job of one chunk with one mini-batch, arrival 0. w0 is qualified, two slots away; w1 is not qualified.")


def in_4(y: set[tuple[str, int]]) -> bool:
    """Whether y = 1 at these (w, t) meets (4a), (4b) and (4e); (4h) only says that y is binary for t >= landing."""
    return sum(n[w] for w, _ in y) >= 1 and all(sum(u == t for _, u in y) <= 1 for t in slots)


def in_2(y: set[tuple[str, int]]) -> bool:
    """Whether it meets (2a) and (2i)."""
    return all(v[w] and t >= landing[w] for w, t in y)


complete = {("w0", 2)}
assert in_4(complete) and in_2(complete)
entries = {  # one more y = 1 beside the complete schedule
    ("w0", 1): ["not restricted before"],
    ("w1", 3): ["not restricted before", "absent before"],
}
for (worker, t), readings in entries.items():
    y = complete | {(worker, t)}
    print(f"y = 1 on w0 in slot 2, and on {worker} in slot {t}: allowed by (4) and by (2)?")
    print(f"  it adds {n[worker] * (t - arrival)} to (3) and {n[worker]} to (4a)")
    for reading in readings:
        assert reading != "absent before" or t >= landing[worker]  # there y(t) is a variable
        print(f"{reading}: {int(in_4(y))} should be at most {int(in_2(y))}")
        assert in_4(y) and not in_2(y)
