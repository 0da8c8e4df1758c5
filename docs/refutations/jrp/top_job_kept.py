"""Wang et al. 2019, proof of Proposition 1: the data nodes of the job with the highest priority are always assigned.

Read as: once they are drawn. Storage only; both jobs have y = 2/3 in LP_I, so that either is one with the highest
priority; equal data nodes are ordered by their own numbers (node by node).
"""

ROOM = {"s0": 2, "s1": 2}  # GB
NODES = [  # job, number in the job, GB, server: 2 y0 + y1 <= 2 on s0 and y0 + 2 y1 <= 2 on s1
    ("k0", 0, 2, "s0"),
    ("k0", 1, 1, "s1"),
    ("k1", 0, 2, "s1"),
    ("k1", 1, 1, "s0"),
]

kept = set()
for server, room in ROOM.items():
    drawn = sorted((n for n in NODES if n[3] == server), key=lambda n: (n[1], n[0]))  # all four are drawn
    for job, number, size, _ in drawn:
        room -= size
        if room < 0:
            break  # (21): the longest prefix
        kept.add((job, number))
    print(f"{server}, {ROOM[server]} GB: drawn {[n[:3] for n in drawn]}")
whole = [job for job in ("k0", "k1") if {(job, 0), (job, 1)} <= kept]
print(f"kept: {sorted(kept)}; jobs with all their data nodes: {whole}")
chance = int(not whole)  # the probability, given that all are drawn, that no job of highest priority is whole
print(f"node by node: {chance} should be at most 0")
assert chance > 0
