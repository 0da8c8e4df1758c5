"""Wang et al. 2022, (2g): zeta_j = 1 where every y_jsw(t) = 1 and every z_jsp(t) = 1 is in the cloud; (2h): zeta_j = 0
where some y_jsw(t) = 1 and some z_jsp(t) = 1 is on an edge server. They are to fix zeta_j, and so n_j of (1).
"""

from itertools import product

silent = {}
for workers, parameter_server in product(("e0", "cloud"), repeat=2):  # all workers on one server
    says_1 = workers == "cloud" and parameter_server == "cloud"  # (2g)
    says_0 = workers != "cloud" and parameter_server != "cloud"  # (2h)
    print(f"workers on {workers}, PS on {parameter_server}: (2g) speaks {says_1}, (2h) speaks {says_0}")
    silent[workers, parameter_server] = says_1 + says_0
print("Workers on e0, PS in the cloud: rows that fix zeta_j")
print(f"and: {silent['e0', 'cloud']} should be equal to 1")
assert silent["e0", "cloud"] == silent["cloud", "e0"] == 0
