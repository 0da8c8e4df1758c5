"""Policies of the jrp family: Algorithm 1, the baselines of section V-A, batches."""
