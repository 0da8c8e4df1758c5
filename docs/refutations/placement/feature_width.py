"""Li et al. 2023, section IV-B: pending entities are in R^(R+J), with J tasks (section III-B); section V-B.2: the
trained network is "applicable to various lengths of workloads". Trained: 64 tasks for each of 6 agents; played: 2,000
(Fig. 8)."""

R = 2  # CPU cores and GPUs
trained, played = 64 * 6, 2000
print(f"Numbers of an entity: {R} + {trained} in training, {R} + {played} in the workload of Fig. 8.")
print(f"J tasks: {R + played} should be equal to {R + trained}")
assert R + played != R + trained
