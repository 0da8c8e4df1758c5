"""The claims of Wang et al. 2022, one file for each printed statement."""
