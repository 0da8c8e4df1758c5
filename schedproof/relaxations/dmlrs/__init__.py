"""The dmlrs family's relaxations: the slot problem, the best schedule at given prices, column generation, duals."""
