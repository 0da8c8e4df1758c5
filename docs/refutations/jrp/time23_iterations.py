"""Wang et al. 2019, before (2): "the number of iterations during one epoch [...] can be derived as D/f"."""

from fractions import Fraction as F

data, batch, operations = F(3), F(2), F(1)  # D, f and g
left, batches = data, []
while left:
    batches.append(min(batch, left))
    left -= batches[-1]
print(f"mini-batches of {', '.join(map(str, batches))} GB")
print(f"counted: {data / batch} should be equal to {len(batches)}")
assert data / batch != len(batches)
assert (
    sum(operations * b / batch for b in batches) == data / batch * operations
)  # (2) is right if the last takes its part
