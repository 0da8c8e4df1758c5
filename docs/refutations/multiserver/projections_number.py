"""Zhao et al. 2024, section III-B: the number of projections is proportional to sum_l |R_l| K.

One node, one resource, two ports.
"""

K = 1


def rows(reach):
    """The rows (r, k) of line 6 that have a port."""
    return K * len({node for nodes in reach for node in nodes})


def dimensions(reach):
    """K sum_l |R_l|."""
    return K * sum(map(len, reach))


ports = [[0], [0]]  # R_l of each
twice = [nodes for nodes in ports for _ in (1, 2)]
print(f"rows {rows(ports)}, dimensions {dimensions(ports)}; with each port twice {rows(twice)} and {dimensions(twice)}")
print(f"that number: {rows(ports)} should be equal to {dimensions(ports)}")
print(f"proportional: {rows(twice)} should be equal to {2 * rows(ports)}")
assert (
    rows(ports) != dimensions(ports) and dimensions(twice) == 2 * dimensions(ports) and rows(twice) != 2 * rows(ports)
)
