"""The dmlrs family's policies: PD-ORS, OASiS, and the paper's further baselines."""
