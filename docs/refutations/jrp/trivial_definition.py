"""Wang et al. 2019, section IV-B: job k is non-trivial if each i in C_k has a server j in M_i with r_j^s >= d_i.

Read with M_i = A_i as given. One server of 1 GB, one job with two data nodes of 1 GB that may go there, no deadlines.
"""

ROOM, SIZES = 1, [1, 1]

non_trivial = all(d <= ROOM for d in SIZES)
print(f"each data node fits the server: the job is {'non-trivial' if non_trivial else 'trivial'}, line 36 keeps it")

kept = [i for i in range(2) if sum(SIZES[: i + 1]) <= ROOM]  # PRUNE: the longest prefix by (18)
print(f"PRUNE leaves the server to data nodes {kept}: the other has no x in LP_I, and (6) says y = 0")
served = len(kept) == len(SIZES)

stuck = int(non_trivial and not served)
print("Nothing is ever drawn, P never becomes empty, and line 1 loops. Jobs that are neither rejected nor served:")
print(f"M_i as given: {stuck} should be at most 0")
assert stuck > 0
