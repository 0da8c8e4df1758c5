"""Evaluate a policy that runs in its own process."""
