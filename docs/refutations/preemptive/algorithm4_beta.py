"""Wang et al. 2022, Algorithm 4, line 8: beta_sw(t) grows by 1/D_j over [r_j, t* + E_j B_j/n] when a chunk is placed.

Section IV-C: beta_sw(t) is "the total average weight of all uncompleted data chunks" on the worker.
"""

jobs = {"long": (0, 3), "short": (1, 1)}  # arrival, slots of its only chunk (D_j = 1); one worker, no delay
print("One worker. Arrival and slots of each job's only chunk:", jobs)

# The worker trains the chunk of highest rate 1/p_j, so short goes first from its arrival on: t* = 0 and t* = 1.
start = {"long": 0, "short": 1}
line8 = {name: (arrival, start[name] + slots) for name, (arrival, slots) in jobs.items()}
print("Line 8 adds 1 over", line8)

left = {name: slots for name, (_, slots) in jobs.items()}
completion = {}
for t in range(sum(left.values())):
    now = min((name for name in left if left[name] and jobs[name][0] <= t), key=lambda name: jobs[name][1])
    left[now] -= 1
    if left[now] == 0:
        completion[now] = t + 1
print("Completions:", completion, "- nothing extends the interval of long when short preempts it")

added = sum(end - begin for begin, end in line8.values())
uncompleted = sum(completion[name] - arrival for name, (arrival, _) in jobs.items())
print("The sum of beta over time as line 8 writes it, and by the definition:")
for reading in ("whole slots", "fluid"):  # all times are whole numbers, so the two agree
    print(f"{reading}: {added} should be equal to {uncompleted}")
assert added != uncompleted
