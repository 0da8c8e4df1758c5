"""The jrp family's policies: Algorithm 1, printed and repaired, and the baselines of section V-A; in batches."""

from schedproof.online.jrp.baselines import greedy, random
from schedproof.online.jrp.jrp_rounding import jrp_rounding

POLICIES = {"jrp.jrp_rounding": jrp_rounding, "jrp.random": random, "jrp.greedy": greedy}
