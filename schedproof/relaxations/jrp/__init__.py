"""The jrp family's relaxations: LP_I, the conic relaxation, the split-free LP, and certified bounds from each."""
