"""Exact competitive ratios of finite online systems."""
