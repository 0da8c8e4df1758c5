"""Multiserver policies: OGASched, the slot optimum and baselines; their regret."""
