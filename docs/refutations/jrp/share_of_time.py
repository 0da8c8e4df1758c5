"""Wang et al. 2019, section IV-A: epsilon "indicates the ratio of communication time to the total time".

One job on one server; all letters of (2)-(4), (16), (17) are 1, but r^c = r^b = 4 and epsilon = 1/4.
"""

from fractions import Fraction as F

T = f = g = h = tau = lam = D = F(1)
rc, rb, epsilon = F(4), F(4), F(1, 4)

left16 = T * h * D - epsilon * tau * lam * f * rb  # eta_k of (16) is lambda_k
left17 = T * g * D - (1 - epsilon) * tau * f * rc
print(f"(16): {left16} <= 0, (17): {left17} <= 0")
assert left16 <= 0 and left17 <= 0

computing = T * (D / f) * (g / rc)  # (2), (4)
sending = T * (1 / lam) * (D / f) * (h / rb)  # (3), (4)
ratio = sending / (computing + sending)
print(f"computing takes {computing}, sending {sending} of the deadline {tau}; epsilon = {epsilon}")
print(f"equal to epsilon: {ratio} should be equal to {epsilon}")
print(f"at most epsilon: {ratio} should be at most {epsilon}")
assert ratio > epsilon
