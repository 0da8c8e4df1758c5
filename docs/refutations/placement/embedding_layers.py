"""Li et al. 2023, section IV-B: with the input G^(0) and G^(l) = g(G^(l-1)), "after L layers of graph message passing,
we get the final graph embedding G^(L-1)". Section V-A has L = 6."""

L = 6
applied = [0]  # in G^(0), the input of (9), no layer is applied
for _ in range(L):
    applied.append(applied[-1] + 1)  # G^(l) = g(G^(l-1))

print(f"Times that g is applied in G^(0), ..., G^({L}): {applied}")
print(f"the input is G^(0): {applied[L - 1]} should be equal to {L}")
assert applied[L - 1] != L == applied[L]
