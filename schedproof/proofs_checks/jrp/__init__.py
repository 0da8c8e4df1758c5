"""The claims of Wang et al. 2019, one file for each printed statement."""
