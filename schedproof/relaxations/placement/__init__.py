"""The placement family's relaxation: the time-indexed LP, and a certified bound from prices that needs no horizon."""
