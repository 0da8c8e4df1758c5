"""Wang et al. 2019, (3): h_k counts once for an update, which sends gradients and gets parameters of the same size."""

from fractions import Fraction as F

data, batch, period, size = F(3), F(2), F(1), F(1)  # D, f, lambda and h
updates = data / batch / period
print(f"{updates} updates in an epoch, {size} Gbit of gradients and {size} Gbit of parameters in each")
there, back = updates * size, updates * size
print(f"there and back: {updates * size} should be equal to {there + back}")
assert updates * size != there + back
