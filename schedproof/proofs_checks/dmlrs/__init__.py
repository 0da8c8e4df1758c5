"""The claims of Yu et al. 2022, one file for each printed statement."""
