"""Policies of the dmlrs family: PD-ORS, OASiS, and the paper's further baselines."""
