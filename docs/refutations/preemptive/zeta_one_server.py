"""Wang et al. 2022, above (1): "when all workers and PSs are placed in one server, such as the cloud, the time to
exchange parameters/gradients can be negligible. We denote this case by ... zeta_j = 1."
"""

workers, parameter_server = ["e0"], "e0"  # all on one edge server
print(f"The job's workers are on {workers}, its PS is on {parameter_server}, an edge server.")

text = int(len({*workers, parameter_server}) == 1)
all_cloud = all(s == "cloud" for s in (*workers, parameter_server))  # (2g): zeta_j = 1
some_edge = any(s != "cloud" for s in workers) and parameter_server != "cloud"  # (2h): zeta_j = 0
assert all_cloud != some_edge
rows = int(all_cloud)
print(f"zeta_j by the text: {text}; by (2g) and (2h): {rows}, so that (1) charges 2 q_j/b_j for each mini-batch.")
print(f"any server: {rows} should be equal to {text}")
assert rows != text
