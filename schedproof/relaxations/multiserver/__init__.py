"""The multiserver family's relaxations: the stationary optimum, solved fast, and certified bounds for both games."""
