"""Wang et al. 2019, section IV-B and Algorithm 1, lines 26-38: PRUNE rejects *trivial* jobs permanently.

Here it rejects a job that could be served, for every order of servers and data nodes of equal degree.
Storage only (no deadlines), data nodes of 1 GB, so that (18) lets a server keep as many as it has GB.
"""

from itertools import permutations

FIRST = {"d0": "03", "d1": "13", "d2": "23", "d3": "012", "d4": "012", "d5": "012"}  # the servers s0, ..., s3 of each
ROOM = {"0": 1, "1": 1, "2": 1, "3": 3}  # GB
SERVED = {"d0": "3", "d1": "3", "d2": "3", "d3": "0", "d4": "1", "d5": "2"}
SECOND = {"d0": "0", "d1": "12", "d2": "012"}
SERVED_SECOND = {"d0": "0", "d1": "1", "d2": "2"}


def prune(servers_of, left, degrees=None):
    """All results of lines 29-35: the servers of each data node; degrees are current unless given."""
    if not left:
        yield servers_of
    for j in left:
        candidates = [i for i in servers_of if j in servers_of[i]]
        degree = degrees or {i: len(servers_of[i]) for i in candidates}
        kept = {frozenset(sorted(tie, key=degree.get)[: ROOM[j]]) for tie in permutations(candidates)}
        for keep in kept:
            cut = {i: s if i in keep else s.replace(j, "") for i, s in servers_of.items()}
            yield from prune(cut, left.replace(j, ""), degrees)


def could_be_served(servers_of, served):
    """Each data node on one of its servers, (6), and no server beyond its storage, (7)."""
    used = list(served.values())
    return all(served[i] in servers_of[i] for i in servers_of) and all(used.count(j) <= ROOM[j] for j in used)


def lost(servers_of, served, fixed):
    """The jobs that could be served and are rejected in every order: 1 or 0."""
    degrees = {i: len(s) for i, s in servers_of.items()} if fixed else None
    ends = list(prune(servers_of, "".join(sorted(set("".join(servers_of.values())))), degrees))
    print(f"  PRUNE has {len(ends)} ends; in {sum('' in end.values() for end in ends)} a data node has no server left")
    return int(could_be_served(servers_of, served) and all("" in end.values() for end in ends))


FIXED = ["in the order of the file", "degrees at the start", "degrees as given"]
MOVING = ["degrees as they stand", "as they stand, best order", "best order, split time", "best order, storage alone"]
for job, served, fixed in ((FIRST, SERVED, True), (FIRST, SERVED, False), (SECOND, SERVED_SECOND, True)):
    print("data nodes and their servers:", job)
    print("  could be served by:", served)
    print("  degrees", "of the start" if fixed else "as they stand")
    count = lost(job, served, fixed)
    for reading in FIXED if fixed else MOVING:
        print(f"{reading}: {count} should be at most 0")
        assert count > 0
