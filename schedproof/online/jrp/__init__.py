"""The jrp family's policies: Algorithm 1, printed and repaired, and the baselines of section V-A; in batches."""
