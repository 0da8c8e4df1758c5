"""Relaxations: LP_I, the conic relaxation, the split-free LP, certified bounds."""
